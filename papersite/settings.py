"""Settings of the site, from the environment and papersite.toml. docs/settings.md explains each."""

import secrets
from pathlib import Path

from papercore import limits
from papercore.snapshot import file as snapshot_file
from papersite import logs
from papersite.configuration import database_url, files
from papersite.configuration import environment as env
from papersite.configuration.search_cluster import search_cluster
from papersite.data.folder import stored_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
PACKAGES = ("papersite", "mcpapi", "searches", "papers", "specs", "paper_search", "ingest", "papercore")

CONFIG = env.config_file()
DATA = env.data_folder("PAPERSITE_DATA", files.default_data_folder())
# What `papersite add` makes, and until then the demo.
OWN_SNAPSHOT = DATA / "library" / snapshot_file.DATABASE
DEMO_SNAPSHOT = DATA / "demo" / snapshot_file.DATABASE
SNAPSHOT = env.path("PAPERSITE_SNAPSHOT", OWN_SNAPSHOT if OWN_SNAPSHOT.exists() else DEMO_SNAPSHOT)
if SNAPSHOT.is_dir():
    SNAPSHOT /= snapshot_file.DATABASE
ASSETS = env.folder_or_url("PAPERSITE_ASSETS", snapshot_file.assets_beside(SNAPSHOT))
# Sentence models that `papersite model install` puts there, by name.
MODELS = DATA / "models"
# The folder of a sentence model, which improves search by meaning: the one that is named, or else is installed.
SEARCH_MODEL = env.installed_or_path("PAPERSITE_SEARCH_MODEL", MODELS, BASE_DIR / "models")
# A first start brings one where nobody has chosen.
SEARCH_MODEL_CHOSEN = env.source_of("PAPERSITE_SEARCH_MODEL") != "default"
if SEARCH_MODEL:
    env.require_package("onnxruntime", "model", "PAPERSITE_SEARCH_MODEL")
# None: the index is a folder beside the snapshot.
SEARCH_CLUSTER = search_cluster()
# Who may change the library in the browser: editors and staff; with `local` also whoever opened the owner's link.
LIBRARY_CHANGES = env.choice("PAPERSITE_LIBRARY_CHANGES", ("staff", "local", "off"))
# What becomes of papers that agents with the scope write bring: a proposal that a person accepts, or an addition.
AGENT_ADDITIONS = env.choice("PAPERSITE_AGENT_ADDITIONS", ("propose", "add"))
SPECS = env.folders("PAPERSITE_SPECS", files.own_path("openspec"))
# Where the tests are that are marked with the names of scenarios; None: in `tests` beside each `openspec`.
SPEC_TESTS: str | None = env.folders("PAPERSITE_SPEC_TESTS", None)
if env.source_of("PAPERSITE_SPEC_TESTS") == "default":
    SPEC_TESTS = None
# How they are marked, besides the ways that are known: `@verifies("{name}")`.
SPEC_TEST_MARKS = env.patterns("PAPERSITE_SPEC_TEST_MARKS")
# Literature searches in steps: their tools and pages.
SEARCHES = env.flag("PAPERSITE_SEARCHES", default=True)
# How long a search waits for a decision before it expires.
SEARCH_WAIT_DAYS = env.number("PAPERSITE_SEARCH_WAIT_DAYS", 14)
ALLOWED_ORIGINS = env.origins("PAPERSITE_ALLOWED_ORIGINS")
# Who may see pages, files and REST; /mcp has MCP_AUTH.
ACCESS = env.choice("PAPERSITE_ACCESS", ("open", "private"))
# Which tools /mcp lists: groups or names of tools with commas, default or all.
MCP_TOOLS = env.text("PAPERSITE_MCP_TOOLS")
# A private site has a private /mcp, unless it is opened by name.
MCP_AUTH = env.choice("PAPERSITE_MCP_AUTH", ("required", "off") if ACCESS == "private" else ("off", "required"))
SESSION_CALLS = env.number("PAPERSITE_SESSION_CALLS", limits.SESSION_CALLS)
# Who may have a language model answer a question at /ask/, where one is configured: each answer may cost money.
ANSWERS = env.choice("PAPERSITE_ANSWERS", ("readers", "members", "off"))
ANSWER_CALLS = env.number("PAPERSITE_ANSWER_CALLS", limits.ANSWER_CALLS)
MODEL_CALLS_A_DAY = env.number("PAPERSITE_MODEL_CALLS_A_DAY", limits.MODEL_CALLS_A_DAY)
MODEL_TOKENS_A_DAY = env.number("PAPERSITE_MODEL_TOKENS_A_DAY", limits.MODEL_TOKENS_A_DAY)

DEBUG = env.flag("PAPERSITE_DEBUG")
SECRET_KEY_GIVEN = env.secret_key("PAPERSITE_SECRET_KEY", DEBUG)
# That of the site in this data folder, which commands share; without one the process has its own (papersite.E001).
SECRET_KEY_KEPT = SECRET_KEY_GIVEN or stored_secret_key(DATA)
SECRET_KEY = SECRET_KEY_KEPT or secrets.token_urlsafe(50)
# Behind TLS: cookies are sent over TLS alone, HSTS is on, plain requests are redirected.
HTTPS = env.flag("PAPERSITE_HTTPS")
# How many proxies in front add to X-Forwarded-For; entries before theirs are the client's own claim.
PROXIES = env.number("PAPERSITE_PROXIES", 1 if HTTPS else 0)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# Probes come from the internal network, without TLS.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
ALLOWED_HOSTS = env.hosts("PAPERSITE_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "papersite",
    "papers",
    "specs",
    "searches",
    "mcpapi",
]
MIDDLEWARE = [
    "papersite.middleware.RequestLogMiddleware",
    "mcpapi.transport.http.McpMiddleware",
    "papersite.middleware.MethodMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "papersite.middleware.CacheControlMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "papersite.access.AccessMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "papersite.error_pages.ErrorPageMiddleware",
]
ROOT_URLCONF = "papersite.urls"
WSGI_APPLICATION = "papersite.wsgi.application"
APPEND_SLASH = False

CONTEXT_PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [files.own_path("templates")],
        "OPTIONS": {
            "environment": "papersite.jinja.environment",
            "context_processors": [
                *CONTEXT_PROCESSORS,
                "papers.pages.basket.basket_context",
                "papersite.jinja.site",
            ],
        },
    },
    # The admin's own, and what we change in them.
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "papersite" / "admin_templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": CONTEXT_PROCESSORS},
    },
]

# What pages of the library show beside it, as a text that changes with it.
PAGE_SURROUNDINGS = "papersite.jinja.page_surroundings"

DATABASES = {
    "default": database_url.database("PAPERSITE_DATABASE_URL", DATA / "site.sqlite3"),
    "snapshot": {"ENGINE": "papers.snapshot", "NAME": str(SNAPSHOT), "CONN_MAX_AGE": None},
}
DATABASE_ROUTERS = ["papers.snapshot.base.SnapshotRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "collected-static"
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.AppDirectoriesFinder"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "papersite.server.static_files.SiteStorage"},
}
# Before `collectstatic` the files are served from the source tree.
WHITENOISE_USE_FINDERS = True
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# Nothing inline, nothing from other hosts. Views that need more declare it themselves.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "frame-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
CSRF_COOKIE_SAMESITE = "Strict"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
LOGIN_URL = "login"
# Invitations are links for a new password.
PASSWORD_RESET_TIMEOUT = limits.INVITATION_SECONDS
# Login sessions store this path: renaming the class logs everybody out.
AUTHENTICATION_BACKENDS = ["papersite.logins.LimitedBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": limits.PASSWORD_CHARS},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
DATA_UPLOAD_MAX_MEMORY_SIZE = limits.BODY_BYTES
LOGGING = logs.configuration()
env.refuse_unknown_settings()
