"""Settings of the test suite: those of a development machine, with nothing taken from the environment.

``TEST_ON=postgresql`` runs the tests marked ``pg`` or ``anydb`` on PostgreSQL; all but ``pg`` else run on SQLite.
"""

import os
import tempfile
from uuid import uuid4

from tests.services import find_postgresql

_taken = (
    "SITE_URL",
    "MAIL_URL",
    "MAIL_FROM",
    "ALLOWED_HOSTS",
    "EMAIL_VERIFICATION",
    "PROXY_COUNT",
    "PORT",
    "REDIS_URL",
)
for _name in _taken:
    os.environ[_name] = ""
os.environ["DEBUG"] = "1"
os.environ["SECRET_KEY"] = "tests only"
os.environ["DATA_DIR"] = os.environ.get("TEST_DATA_DIR") or tempfile.mkdtemp(prefix="gravity-tests-")
os.environ["TEST_DATA_DIR"] = os.environ["DATA_DIR"]
os.environ["LOG_LEVEL"] = "ERROR"
os.environ["DATABASE_URL"] = "sqlite://:memory:"
if os.environ.get("TEST_ON") == "postgresql" and (_server := find_postgresql()):
    # Every test run has databases of its own, so that two may run at once; its workers share the name by inheriting it.
    _run = os.environ.setdefault("TEST_RUN", uuid4().hex[:12])
    os.environ["DATABASE_URL"] = f"{_server}/gravity_{_run}"
# The browser driver keeps an event loop in the test's thread, where Django would refuse its database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

from gravitysite.settings import *  # noqa: E402, F403 - after the environment is set

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
