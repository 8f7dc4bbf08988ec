"""What runs the site: the gunicorn worker, waitress on Windows, the address, static files."""
