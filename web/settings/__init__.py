"""Django settings. Every read of the environment is here; deploy/ has an example with all variables.

Without any variable this is the embedded default: SQLite and an embedded broker in `CROWNS_DATA_DIR` (`./var`), secrets
made once and kept there. Naming a database server (`CROWNS_DATABASE_URL`) makes the secrets compulsory.
"""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery.schedules import schedule
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from referee.record import crash_points
from tournaments.keyfiles import kept
from tournaments.queue import embedded_url
from web.settings import env

WEB_DIR = Path(__file__).resolve().parent.parent

DEBUG = env.flag("CROWNS_DEBUG")
DATA_DIR = env.folder("CROWNS_DATA_DIR", "var")
IS_EMBEDDED = not env.text("CROWNS_DATABASE_URL")
SITE_URL = env.text("CROWNS_SITE_URL", "http://127.0.0.1:8000").rstrip("/")
IS_HTTPS = SITE_URL.startswith("https://")


def _secret(name: str, file: str) -> str:
    value = env.text(name)
    if value:
        return value
    if not IS_EMBEDDED:
        raise ImproperlyConfigured(f"{name} is not set: with CROWNS_DATABASE_URL it must be given")
    return kept(DATA_DIR / "secrets" / file, lambda: secrets.token_urlsafe(48).encode()).decode()


SECRET_KEY = _secret("CROWNS_SECRET_KEY", "secret_key")
ALLOWED_HOSTS = env.words("CROWNS_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# --- The league ---------------------------------------------------------------------------------------------------

SHARDS = env.shards("CROWNS_SHARDS", "main=127.0.0.1:7071=127.0.0.1:7070")
"""Referee processes, as `NAME=CONTROL_ADDRESS=BOT_ADDRESS`."""
CONTROL_TLS = env.client_tls("CROWNS_CONTROL_CA", "CROWNS_CONTROL_CERT", "CROWNS_CONTROL_KEY")
"""For every control address that is no unix socket; compulsory for those beyond this machine."""
env.require_tls_beyond_this_machine("CROWNS_SHARDS", (shard.control for shard in SHARDS), CONTROL_TLS)
CONTROL_SECRET_WATCH = _secret("CROWNS_CONTROL_SECRET_WATCH", "control_watch")
"""All that web processes hold."""
CONTROL_SECRET_RUN = (
    _secret("CROWNS_CONTROL_SECRET_RUN", "control_run") if IS_EMBEDDED else env.text("CROWNS_CONTROL_SECRET_RUN")
)
"""Held by workers alone."""
TOKEN_KEY_FILE = Path(env.text("CROWNS_TOKEN_KEY_FILE") or DATA_DIR / "secrets" / "bot_token_key.pem")
"""The Ed25519 key that signs bot tokens; made at the first need."""
TOKEN_DAYS = env.whole("CROWNS_TOKEN_DAYS", 400, least=1)
MAX_BOTS_PER_OWNER = env.whole("CROWNS_MAX_BOTS_PER_OWNER", 20, least=1)
MAX_TEST_MATCHES_PER_OWNER = env.whole("CROWNS_MAX_TEST_MATCHES_PER_OWNER", 3, least=1)
"""At once."""
MAX_NEW_VERSIONS_A_DAY = 5
_TREE = WEB_DIR.parent
DOWNLOADS_DIR = env.folder(
    "CROWNS_DOWNLOADS_DIR",
    str(_TREE / "build" / "downloads" if (_TREE / "Makefile").exists() else DATA_DIR / "downloads"),
)
"""What /downloads/ serves: the wheel for bot authors and protos.zip, both made by `make wheel`."""

try:
    crash_points.arm({name: env.text(name) for name in (crash_points.VARIABLE, crash_points.DEBUG)})
except crash_points.CrashPointError as error:
    raise ImproperlyConfigured(str(error)) from error

# --- Django -------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "web.urls"
ASGI_APPLICATION = "web.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [WEB_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"pages": "web.pages.tags"},
        },
    },
]

DATABASES = {"default": env.database("CROWNS_DATABASE_URL", DATA_DIR / "db.sqlite3")}
# One file for all connections of a test run: shared memory knows no waiting.
DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")} if IS_EMBEDDED else {}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if IS_EMBEDDED:
    DATA_DIR.mkdir(parents=True, exist_ok=True)

CACHES = {
    # Nothing but counts of requests is kept here; the usual 300 entries would forget who asked too often.
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 20_000}},
    # Replays of finished games never change; each process keeps those it showed lately, about 0.3 MB apiece.
    "replays": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "replays",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 100},
    },
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = env.folder("CROWNS_STATIC_ROOT", str(DATA_DIR / "static"))
STATICFILES_DIRS = [WEB_DIR / "static"]
HASHED_STATIC = env.flag("CROWNS_HASHED_STATIC", default=not DEBUG)
"""Names with a hash, cached for ever; needs `collectstatic`."""
WHITENOISE_USE_FINDERS = not HASHED_STATIC
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "web.static_storage.HashedStorage"
        if HASHED_STATIC
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- Accounts -----------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "tournaments.Account"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my_bots"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PRESERVE_USERNAME_CASING = False
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "tournaments.models.accounts.USERNAME_VALIDATORS"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "login": "web.pages.accounts.LogInForm",
    "signup": "web.pages.accounts.SignUpForm",
    "change_password": "web.pages.accounts.PasswordForm",
}
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
if IS_EMBEDDED and not env.text("CROWNS_EMAIL_HOST"):
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
EMAIL_HOST = env.text("CROWNS_EMAIL_HOST", "localhost")
DEFAULT_FROM_EMAIL = env.text("CROWNS_EMAIL_FROM", "crowns@localhost")

# --- Headers ------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 3600 * 24 * 365 if IS_HTTPS else 0
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
if env.flag("CROWNS_BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- REST ---------------------------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["web.api.authentication.AccountToken", "web.api.authentication.SiteSession"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": ["web.api.media.BoundedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "web.api.media.JSONAlways",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "web.api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "web.api.errors.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
        "rest_framework.throttling.ScopedRateThrottle",
    ],
    # Counted by each web process for itself. No part of playing a game asks here.
    "DEFAULT_THROTTLE_RATES": {
        "anon": "300/min",
        "user": "1200/min",
        "login": "10/min",
        "write": "30/min",
        "replay": "60/min",
        "bot": "60/min",
    },
    "NUM_PROXIES": 1 if env.flag("CROWNS_BEHIND_PROXY") else 0,
}
REST_KNOX = {"TOKEN_TTL": timedelta(days=90)}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Crowns Arena",
    "DESCRIPTION": "Tournaments and matches for bots that play Five Crowns.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SORT_OPERATIONS": False,
    "ENUM_NAME_OVERRIDES": {
        name: f"tournaments.models.{name}.choices"
        for name in (
            "AttemptStatus",
            "ByeKind",
            "DealMode",
            "DealSetStatus",
            "EntrantStatus",
            "EntryMode",
            "MatchStatus",
            "RoundPace",
            "RoundStatus",
            "StageFormat",
            "StartMode",
            "TournamentKind",
            "TournamentStatus",
        )
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "web.api.schema.describe_errors",
    ],
}

# --- Celery: `web.celery` reads these -----------------------------------------------------------------------------

BROKER_URL = env.text("CROWNS_BROKER_URL") or embedded_url(DATA_DIR / "broker.sqlite3")


def _every(seconds: float, task: str) -> dict[str, Any]:
    """A tick nobody took within its period is worth nothing: while workers stand still none pile up."""
    return {"task": task, "schedule": schedule(seconds), "options": {"expires": max(2.0, 2 * seconds)}}


BEAT_SCHEDULE = {
    "sweep": _every(1.0, "control.sweep"),
    "collect": _every(1.0, "collect.all"),
    "watch": _every(2.0, "control.watch_all"),
    "sync": _every(10.0, "control.sync_all"),
    "dead letters": _every(30.0, "control.dead_letters"),
}

# --- Logging ------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("CROWNS_LOG_LEVEL", "INFO")},
    # Two lines a task would be a dozen a second on an idle site.
    "loggers": {name: {"level": "WARNING"} for name in ("celery.app.trace", "celery.worker.strategy", "celery.beat")},
}
