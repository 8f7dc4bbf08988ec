"""How gunicorn serves the site. `manage.py serve` starts it."""

import multiprocessing

wsgi_app = "papersite.wsgi:application"
worker_class = "gthread"
workers = max(2, min(8, multiprocessing.cpu_count()))
# Many threads, because a slow client holds one: with 8 a few dozen slow clients starve the others, with 64 they do not.
threads = 64
timeout = 60
graceful_timeout = 30
keepalive = 5
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
control_socket_disable = True
# Requests run in parallel already: matrix products with threads of their own would only wait for each other.
raw_env = ["OPENBLAS_NUM_THREADS=1"]
