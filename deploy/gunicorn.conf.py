"""How the web server runs. docs/operations.md lists the variables."""

import os
from pathlib import Path

from gravitysite.logs import configure_logs

bind = f"{os.environ.get('WEB_ADDRESS') or '127.0.0.1'}:{os.environ.get('PORT') or 8000}"
# Nobody is believed about the scheme or the prefix of an address, not even on this machine: any program on it, and any
# page of a browser on it, could say so. What a proxy says of the scheme Django reads where PROXY_COUNT is set.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers = {}
worker_class = "gravitysite.patience.PatientWorker"
workers = int(os.environ.get("WEB_WORKERS") or 2)
threads = int(os.environ.get("WEB_THREADS") or 4)
max_requests = 20_000
max_requests_jitter = 2_000
timeout = 60
graceful_timeout = 30
keepalive = 75  # longer than the proxy keeps its connections
control_socket_disable = True
if Path("/dev/shm").is_dir():  # noqa: S108 - in memory, so that a slow disk never looks like a worker that hangs
    worker_tmp_dir = "/dev/shm"  # noqa: S108

# No access log: each request has its line in the site's own log, which names no address.
logconfig_dict = configure_logs(os.environ.get("LOG_LEVEL") or "INFO", readable=False)
