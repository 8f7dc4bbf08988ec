"""What operating systems do differently, in one place: locks, opening files, limits on processes."""
