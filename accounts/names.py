"""What a display name may be."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 30
_REFUSED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def normalise_name(text: str) -> str:
    """Return the name as it is stored: composed, with single blanks between its words and none around them."""
    words = unicodedata.normalize("NFC", text).split(" ")
    return " ".join(word for word in words if word)


def fold_name(text: str) -> str:
    """Return the key under which two names count as the same, whatever their case and width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def validate_name(text: str) -> None:
    """Raise `ValidationError` unless every character can be seen and at least one is a letter or a digit."""
    if any(unicodedata.category(character) in _REFUSED for character in text):
        raise ValidationError(_("A name can't hold control or invisible characters."), code="invisible")
    if not any(character.isalnum() for character in text):
        raise ValidationError(_("A name needs at least one letter or digit."), code="no-letter")
