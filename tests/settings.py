"""Settings of the test suite: those of a development machine, with nothing taken from the environment.

``TEST_ON=postgresql`` runs the tests marked ``pg`` or ``anydb`` on PostgreSQL; all but ``pg`` else run on SQLite.
"""

import os

from tests import leftovers
from tests.services import find_postgresql

_taken = (
    "SITE_URL",
    "MAIL_URL",
    "MAIL_FROM",
    "CONTACT",
    "ALLOWED_HOSTS",
    "EMAIL_VERIFICATION",
    "PROXY_COUNT",
    "PORT",
    "REDIS_URL",
    "PROBE_URL",
)
for _name in _taken:
    os.environ[_name] = ""
os.environ["DEBUG"] = "1"
os.environ["SECRET_KEY"] = "tests only"
_run = leftovers.begin()  # whose name the workers of a run share; two runs at once have databases of their own
os.environ["DATA_DIR"] = os.environ["TEST_HOME"]
os.environ["LOG_LEVEL"] = "ERROR"
# In a file: in memory, all threads of the server that answers a browser would share one connection.
os.environ["DATABASE_URL"] = f"sqlite:///{os.environ['TEST_HOME']}/site.sqlite3"
if os.environ.get("TEST_ON") == "postgresql" and (_server := find_postgresql()):
    os.environ["DATABASE_URL"] = f"{_server}/gravity_{_run}"
# The browser driver keeps an event loop in the test's thread, where Django would refuse its database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

from gravitysite.settings import *  # noqa: E402, F403 - after the environment is set

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"  # noqa: F405 - nothing is kept
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
