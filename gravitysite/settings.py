"""All settings of the site, in one file, from the environment.

``docs/operations.md`` has the table of every variable. With ``DEBUG`` off, a missing secret or address stops the start
with one line that names what is missing.
"""

import sys
from email.utils import parseaddr
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, unquote

import django_stubs_ext
import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _
from kombu import Exchange, Queue

from gravitysite.addresses import AddressError, password_of, read_address, with_password
from gravitysite.logs import configure_logs

django_stubs_ext.monkeypatch()  # so that `ModelForm[User]` and the like, written for mypy, also run

BASE_DIR = Path(__file__).resolve().parent.parent


class Environment(environ.Env):
    """The environment as it is: a text that begins with ``$`` names no other variable, which an error would quote."""

    def get_value(self, var: str, cast: Any = None, *more: Any, **options: Any) -> Any:
        """Return what a variable says."""
        value = self.ENVIRON.get(var)
        return value if cast is str and value is not None else super().get_value(var, cast, *more, **options)


env = Environment()  # type: ignore[no-untyped-call]
environ.Env.read_env(BASE_DIR / ".env.local")

DEBUG = env.bool("DEBUG", default=False)


def number(name: str, default: int) -> int:
    """Return a number from the environment; an empty variable counts as none."""
    return env.int(name) if env.str(name, default="") else default


def refuse(message: str) -> NoReturn:
    """Stop the start with one line."""
    sys.tracebacklimit = 0
    raise ImproperlyConfigured(message) from None


def address(name: str, url: str, *schemes: str) -> SplitResult:
    """Return the parts of an address from the environment, or stop the start."""
    try:
        return read_address(name, url, schemes)
    except AddressError as error:
        refuse(str(error))


def require(*names: str) -> None:
    """Stop the start, in one line, unless every named variable is set."""
    missing = [name for name in names if not env.str(name, default="")]
    if missing:
        refuse(f"Set {', '.join(missing)} (see docs/operations.md), or DEBUG=1 on a development machine.")


if not DEBUG:
    require("SECRET_KEY", "SITE_URL", "DATABASE_URL", "REDIS_URL", "MAIL_URL")

SECRET_KEY = env.str("SECRET_KEY", default="") or "development only: no secret is kept with this key"
DATA_DIR = Path(env.str("DATA_DIR", default="") or BASE_DIR / "var").resolve()
if DEBUG:
    DATA_DIR.mkdir(parents=True, exist_ok=True)

# --- Addresses ---------------------------------------------------------------------------------------------------

PORT = number("PORT", 8000)
SITE_URL = (env.str("SITE_URL", default="") or f"http://localhost:{PORT}").rstrip("/")
"""Where people find the site: the base of every link in a mail."""
_site = address("SITE_URL", SITE_URL, "https", "http")
HTTPS = _site.scheme == "https"
if not DEBUG and not HTTPS and _site.hostname not in {"localhost", "127.0.0.1"}:
    refuse("SITE_URL must start with https:// outside a development machine.")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[]) or [_site.hostname or "localhost"]
if DEBUG:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]", "testserver"]
SITE_PORT_ONLY = not DEBUG
"""Whether a Host header with another port than that of SITE_URL is refused."""
CSRF_TRUSTED_ORIGINS = [f"{_site.scheme}://{_site.netloc}"]

PROBE_URL = env.str("PROBE_URL", default="") or ("" if DEBUG or not HTTPS else SITE_URL)
"""Where the sweeps ask whether the site can be reached; empty or ``off``: nowhere."""
PROBE_URL = "" if PROBE_URL == "off" else PROBE_URL.rstrip("/")

# --- Apps and middleware -----------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "allauth.usersessions",  # before ours, which takes the place of what it does at a sign-in
    "allauth.mfa",
    "accounts",
    "games",
    "games.notices",
    "allauth",
    "allauth.account",
    "django_htmx",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "gravitysite.health.HealthMiddleware",
    "gravitysite.logs.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "gravitysite.unreadable.UnreadableRequestMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "gravitysite.origin.OriginMiddleware",
    "gravitysite.headers.HeadersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "gravitysite.sessions.KeepSignedInMiddleware",
    "accounts.middleware.PreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "gravitysite.pages.MethodMiddleware",
    "gravitysite.ratelimit.WriteLimitMiddleware",
]
ROOT_URLCONF = "gravitysite.urls"
WSGI_APPLICATION = "gravitysite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "gravitysite.pages.this_page",
                "games.web.context.contact",
                "games.web.context.live",
                "games.web.context.waiting_games",
            ],
            "libraries": {"texts": "gravitysite.texts"},
        },
    },
]

# --- Database ----------------------------------------------------------------------------------------------------


def database(url: str, password: str = "") -> dict[str, Any]:
    """Return the database of ``sqlite:///file`` or ``postgres://user:password@host:port/name``."""
    if url.startswith("sqlite:"):
        config: dict[str, Any] = env.db_url_config(url)  # type: ignore[no-untyped-call]
        return config
    parts = address("DATABASE_URL", url, "postgres", "postgresql", "psql", "pgsql")
    # The password is none of the parser's, which would take some of them for something else.
    bare = parts._replace(netloc=f"{parts.username or ''}@{parts.netloc.rpartition('@')[2]}")
    config = env.db_url_config(bare.geturl())  # type: ignore[no-untyped-call]
    return {**config, "PASSWORD": password_of(parts, password)}


DATABASES: dict[str, dict[str, Any]] = {
    "default": database(
        env.str("DATABASE_URL", default="") or f"sqlite:///{DATA_DIR / 'db.sqlite3'}",
        env.str("DATABASE_PASSWORD", default=""),
    ),
}
_database = DATABASES["default"]
_database["CONN_MAX_AGE"] = 0
if _database["ENGINE"].endswith("sqlite3"):
    # Immediate transactions lose no update to a lock that is taken too late; WAL lets readers read meanwhile.
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
    }
else:
    # Who gets no connection in time gets a 503; connections that a restart has cut are found out and replaced.
    from gravitysite.connections import check_idle, note_return

    _pool: dict[str, Any] = {
        "min_size": 1,
        "max_size": number("DATABASE_POOL", 8),
        "timeout": 3,
        "reconnect_timeout": 3,
        "check": check_idle,
        "reset": note_return,
    }
    # The statements of every request (`statements`) are prepared when a connection first runs them.
    # Nobody waits for ever: not for a lock, nor for one who holds it and has hung or gone.
    _bounds = {"lock_timeout": 10, "idle_in_transaction_session_timeout": 60, "client_connection_check_interval": 10}
    # No query of a page is so long that it pays to start helpers for it, or to compile it.
    _alone = ("max_parallel_workers_per_gather=0", "jit=off")
    _chosen = (*(f"{name}={seconds}s" for name, seconds in _bounds.items()), *_alone)
    _tuned = {
        "pool": _pool,
        "connect_timeout": 5,
        "prepare_threshold": 0,
        "options": " ".join(f"-c {setting}" for setting in _chosen),
    }
    _database["OPTIONS"] = {**_database.get("OPTIONS", {}), **_tuned}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache, broker and tasks -------------------------------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    REDIS_URL = with_password(address("REDIS_URL", REDIS_URL, "redis", "rediss"), env.str("REDIS_PASSWORD", default=""))
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "gravitysite.cache.ForgetfulRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "gravity",
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    ),
    # Rendered pictures, some 200 kB each, in the memory of each web process and not in Redis, where the broker lives.
    "pictures": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pictures",
        "TIMEOUT": 60 * 60 * 24,
        "OPTIONS": {"MAX_ENTRIES": 40},
    },
}
# Whether a process ``live`` runs, which tells open pages of changes; else they find out when they ask (decision 16).
LIVE = env.bool("LIVE", default=False) and bool(REDIS_URL)
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
_queues = {
    "timers": ("games.sweep_clocks", "games.play_plans", "games.settle_games", "games.pick_daily"),
    "mail": (
        "games.send_notices",
        "games.prune",
        "games.ping",
        "accounts.send_mails",
        "accounts.make_archives",
        "accounts.expire",
    ),
    "outlets": ("games.call_outlets",),
    "bots": ("games.sweep_bot_turns", "games.play_bot_turn", "games.advise"),
    "reviews": ("games.make_reviews", "games.judge_answers", "games.search_puzzles"),
}
"""The tasks, by the queue whose worker does them. What takes long is on ``reviews``, which nobody's clock waits for;
other people's servers are called on ``outlets``, which no mail waits for."""
# Without an exchange and a key of its own each queue would share the default ones, and get every message.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in _queues]
CELERY_TASK_ROUTES = {task: {"queue": queue} for queue, tasks in _queues.items() for task in tasks}
CELERY_TASK_DEFAULT_QUEUE = "timers"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = CELERY_RESULT_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER: int
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any]
if REDIS_URL:
    # Deadlines and the outbox live in the database and are swept, so a message is only a nudge and may come twice.
    # It is taken off the queue when it is begun: given back, one that ends its worker would end the next one too.
    CELERY_WORKER_PREFETCH_MULTIPLIER = 1
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "visibility_timeout": 600,
        "max_retries": 1,  # a request that sends the broker something must not wait for a dead one
        "interval_start": 0,
        "interval_step": 0.1,
    }
else:
    CELERY_WORKER_PREFETCH_MULTIPLIER = 64
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}
CELERY_BEAT_SCHEDULER = "gravitysite.beat:SteadyScheduler"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "clocks": {"task": "games.sweep_clocks", "schedule": 20.0, "options": {"expires": 20}},
    "notices": {"task": "games.send_notices", "schedule": 20.0, "options": {"expires": 20}},
    "outlets": {"task": "games.call_outlets", "schedule": 20.0, "options": {"expires": 20}},
    "account mails": {"task": "accounts.send_mails", "schedule": 20.0, "options": {"expires": 20}},
    "archives": {"task": "accounts.make_archives", "schedule": 60.0, "options": {"expires": 60}},
    "expired accounts": {"task": "accounts.expire", "schedule": 3600.0, "options": {"expires": 3600}},
    "prune": {"task": "games.prune", "schedule": 86400.0, "options": {"expires": 86400}},
    "ratings": {"task": "games.settle_games", "schedule": 20.0, "options": {"expires": 20}},
    "daily puzzle": {"task": "games.pick_daily", "schedule": 3600.0, "options": {"expires": 3600}},
    "puzzles": {"task": "games.search_puzzles", "schedule": 3600.0, "options": {"expires": 3600}},
    "reviews": {"task": "games.make_reviews", "schedule": 20.0, "options": {"expires": 20}},
    "bot turns": {"task": "games.sweep_bot_turns", "schedule": 5.0, "options": {"expires": 5}},
}
HEARTBEAT_PING_URL = env.str("HEARTBEAT_PING_URL", default="")
"""What is asked for every minute while all is well; its path is a secret. Empty: nothing."""
if HEARTBEAT_PING_URL:
    address("HEARTBEAT_PING_URL", HEARTBEAT_PING_URL, "https")
    CELERY_BEAT_SCHEDULE["ping"] = {"task": "games.ping", "schedule": 60.0, "options": {"expires": 60}}
# Nothing asks workers anything by the broker, where somebody else might too: they leave signs of life.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False

# --- Mail --------------------------------------------------------------------------------------------------------


def mailer(url: str, password: str = "") -> dict[str, Any]:
    """Return the mailer for ``smtp://``, ``smtp+tls://`` or ``smtps://user:password@host:port``, or ``file:///folder``."""
    if url.startswith("file:"):
        folder = url.removeprefix("file:").removeprefix("//")
        return {"BACKEND": "django.core.mail.backends.filebased.EmailBackend", "OPTIONS": {"file_path": folder}}
    ports = {"smtp+tls": 587, "smtps": 465, "smtp": 25}
    parts = address("MAIL_URL", url, *ports)
    return {
        "BACKEND": "gravitysite.smtp.PunctualBackend",
        "OPTIONS": {
            "host": parts.hostname,
            "port": parts.port or ports[parts.scheme],
            "username": unquote(parts.username or ""),
            "password": password_of(parts, password),
            "use_tls": parts.scheme == "smtp+tls",
            "use_ssl": parts.scheme == "smtps",
            "timeout": 20,
        },
    }


_outlet = env.str("MAIL_URL", default="") or f"file://{DATA_DIR / 'mails'}"
MAILERS = {"default": mailer(_outlet, env.str("MAIL_PASSWORD", default=""))}
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="") or f"Gravity Superstar <games@{_site.hostname}>"
CONTACT = env.str("CONTACT", default="") or parseaddr(DEFAULT_FROM_EMAIL)[1]
"""Where people write to the staff, to object to what it decided, for one."""
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# --- Accounts ----------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
     "OPTIONS": {"user_attributes": ["email", "display_name"]}},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]  # fmt: skip
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my_games"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _site.scheme
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_VERIFICATION = env.str("EMAIL_VERIFICATION", default="") or ("optional" if DEBUG else "mandatory")
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 7  # as long as an account waits (`accounts.pending`)
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "accounts.adapter.user_display"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa", "code"]
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before one's own address is changed
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {
    "login": env.str("RATE_LOGIN", default="30/m/ip"),
    # By network, and by account and network (or known browser) together; over all networks (`accounts.attempts`).
    "login_failed": env.str("RATE_LOGIN_FAILED", default="10/m/ip,5/5m/key"),
    "login_failed_anywhere": env.str("RATE_LOGIN_FAILED_ANYWHERE", default="100/h/key"),
    # Wrong codes for one account, beside those limits.
    "second_factor": env.str("RATE_SECOND_FACTOR", default="50/d/key"),
    "signup": env.str("RATE_SIGNUP", default="20/m/ip"),
    "access_token": env.str("RATE_TOKENS", default="10/h/user"),
    "webhook": env.str("RATE_WEBHOOKS", default="10/d/user"),
    "bot": env.str("RATE_BOTS", default="10/d/user"),
    "guest": env.str("RATE_GUESTS", default="30/d/ip"),
    # Pictures that have to be rendered: some tenths of a second of work each.
    "picture": env.str("RATE_PICTURES", default="30/m/ip"),
    # What one address gets is bounded where mails are written (`accounts.mails`), without a word to who asks.
    "reset_password": env.str("RATE_RESET", default="20/m/ip"),
    "code": env.str("RATE_CODES", default="20/m/ip,200/d/ip"),
    # Tries, beside those that each code takes (`accounts.codes`).
    "code_tried": env.str("RATE_CODES_TRIED", default="30/m/ip"),
    "confirm_email": "",
    "correct_address": "20/m/ip,5/d/key",
}
MFA_ADAPTER = "accounts.factors.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1  # clocks of phones are half a minute wrong
MFA_ALLOW_UNVERIFIED_EMAIL = (
    True  # a second factor stops no change of address; who may add one: `accounts.factor_views`
)
MFA_RATE_LIMITS = {"webauthn_login": env.str("RATE_LOGIN", default="30/m/ip")}
MFA_FORMS = {
    "authenticate": "accounts.factor_forms.AuthenticateForm",
    "reauthenticate": "accounts.factor_forms.ReauthenticateForm",
    "activate_totp": "accounts.factor_forms.ActivateTOTPForm",
    "add_webauthn": "accounts.factor_forms.AddWebAuthnForm",
    "edit_webauthn": "accounts.factor_forms.EditWebAuthnForm",
    "login_webauthn": "accounts.factor_forms.LoginWebAuthnForm",
    "authenticate_webauthn": "accounts.factor_forms.AuthenticateWebAuthnForm",
    "reauthenticate_webauthn": "accounts.factor_forms.ReauthenticateWebAuthnForm",
}
ALLAUTH_TRUSTED_PROXY_COUNT = number("PROXY_COUNT", 0)

# --- Security ----------------------------------------------------------------------------------------------------

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
SESSION_ENGINE = "gravitysite.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
CSRF_FAILURE_VIEW = "gravitysite.csrf.refused"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_SSL_REDIRECT = HTTPS and not DEBUG
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS and not DEBUG else 0
# Both bind other sites too, for years: whoever owns the whole domain may choose them.
SECURE_HSTS_PRELOAD = bool(SECURE_HSTS_SECONDS) and env.bool("HSTS_PRELOAD", default=False)
SECURE_HSTS_INCLUDE_SUBDOMAINS = bool(SECURE_HSTS_SECONDS) and (
    SECURE_HSTS_PRELOAD or env.bool("HSTS_SUBDOMAINS", default=False)
)
# The last: SQLite leaves out what an index holds beside its key.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "models.W040"]
if ALLAUTH_TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

WRITE_LIMITS = {
    "": number("RATE_WRITES", 60),
    **dict.fromkeys(
        ("game_preview", "lesson_preview", "try_preview", "plan_preview", "puzzle_preview"),
        number("RATE_PREVIEWS", 240),
    ),
    **dict.fromkeys(("game_choices", "lesson_choices", "try_choices", "plan_choices", "puzzle_choices"), 240),
    **dict.fromkeys(("lesson_turn", "lesson_moves", "try_turn", "try_moves", "plan_turn", "puzzle_moves"), 240),
    **dict.fromkeys(("puzzle_turn", "puzzle_answer"), 12),
    "create_preview": 240,
    "ask_advice": 6,
    "test_outlet": 6,
    **dict.fromkeys(("join_game", "unsubscribe", "resubscribe", "stop_invitations", "allow_invitations"), 60),
    "ask_for_review": 20,
}
"""Writes a minute for one person, by name of URL; the empty name counts all others together. What has a name is counted
for guests too."""

# --- API ---------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {"DEFAULT_SCHEMA_CLASS": "games.api.operation.OperationSchema"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Gravity Superstar",
    "DESCRIPTION": "All that a person can do in play, for programs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "POSTPROCESSING_HOOKS": ["games.api.openapi.close_shapes"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": False,
}

# --- Languages and time ------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("nl", _("Dutch")), ("fr", _("French")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "gravitysite.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files ------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default="") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
_static = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if DEBUG
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static},
}

# --- Logs and figures --------------------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", default="") or "INFO"
LOGGING = configure_logs(LOG_LEVEL, readable=DEBUG)
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
"""What ``/metrics`` asks for as a bearer token; empty: it answers only with DEBUG."""
