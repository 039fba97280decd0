"""Every address of the site, by the app that answers it."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts.views import set_language

handler500 = "gravitysite.errors.server_error"
urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("language/", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("api/", include("games.api.urls")),
]
if find_spec("games.urls") is not None:
    urlpatterns.append(path("", include("games.urls")))
