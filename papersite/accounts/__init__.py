"""Who somebody is: the owner by a link that works once, and accounts with their roles, pages and invitations."""
