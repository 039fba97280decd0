"""What a person's preferences change about every page."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts import guests, progress
from accounts.zones import zone


class PreferencesMiddleware:
    """Shows pages in the language and the time zone of who is signed in; guests get the browser's language and UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer one request with the preferences in force."""
        user = request.user
        if not user.is_authenticated:
            with timezone.override(None):
                return self.get_response(request)
        if user.is_guest:
            guests.note_seen(user, timezone.now())
        translation.activate(user.language)
        request.LANGUAGE_CODE = user.language
        taken = progress.take_along(request, user)
        with timezone.override(zone(user.time_zone)):
            response = self.get_response(request)
        if taken:
            response.delete_cookie(progress.COOKIE, samesite="Lax")
        return response
