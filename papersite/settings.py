"""Settings of the site, all from the environment. docs/settings.md explains each variable."""

import secrets
from pathlib import Path

from papersite import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent

DATA = env.path("PAPERSITE_DATA", BASE_DIR / "var")
SNAPSHOT = env.path("PAPERSITE_SNAPSHOT", DATA / "demo" / "paper_snapshot.db")
ASSETS = env.folder_or_url("PAPERSITE_ASSETS", SNAPSHOT.parent / "static")
SPECS = env.text("PAPERSITE_SPECS", str(BASE_DIR / "openspec"))
ALLOWED_ORIGINS = env.origins("PAPERSITE_ALLOWED_ORIGINS")

DEBUG = env.flag("PAPERSITE_DEBUG")
# Without a key the site runs with one that lasts as long as the process; check papersite.W001 says so.
SECRET_KEY_GIVEN = env.text("PAPERSITE_SECRET_KEY")
SECRET_KEY = SECRET_KEY_GIVEN or secrets.token_urlsafe(50)
ALLOWED_HOSTS = env.words("PAPERSITE_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "papersite",
    "papers",
    "specs",
    "mcpapi",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "papersite.urls"
WSGI_APPLICATION = "papersite.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {
    "default": env.database("PAPERSITE_DATABASE_URL", DATA / "site.sqlite3"),
    "snapshot": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(SNAPSHOT)},
}
DATABASE_ROUTERS = ["papers.router.SnapshotRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "collected-static"
