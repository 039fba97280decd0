"""Every address of the site, by the app that answers it."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts.views import set_language, set_theme

handler500 = "gravitysite.errors.server_error"
urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("language/", set_language, name="set_language"),
    path("theme/", set_theme, name="set_theme"),
    # Django's own sign-in form knows no limit on guesses: the staff signs in where everyone does.
    path("admin/login/", secure_admin_login(admin.site.login), name="admin_login"),  # type: ignore[no-untyped-call]
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
    path("live/", include("games.live.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/", include("games.api.moved_urls")),
]
