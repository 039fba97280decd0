"""The languages of the site."""

from django.conf import settings
from django.utils import translation


def current_language() -> str:
    """Return the code of the language in which the answer is given, as a user's row keeps it."""
    return (translation.get_language() or settings.LANGUAGE_CODE).split("-")[0]
