"""The site's production settings with the floor's one view."""

from gravitysite.settings import *  # noqa: F403 - all of them
from gravitysite.settings import INSTALLED_APPS as SITE_APPS

INSTALLED_APPS = [*SITE_APPS, "benchmarks.floor"]
ROOT_URLCONF = "benchmarks.floor.urls"
