"""The command `papersite`: starts the site, adds papers, connects clients, and runs every command of `manage.py`."""
