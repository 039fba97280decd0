"""What a display name may be."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 30
_REFUSED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters, marks and symbols that show nothing: fillers, joiners, a blank of Braille, selectors of variants.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# What the site itself calls seats, in each of its languages: computer players, and people whose account is gone.
_KEPT = re.compile(
    r"(.* )?bot( \d+)?"
    r"|(zufallsbot|bot au hasard|bot gourmand)( \d+)?"
    r"|(former player|voormalige speler|ancien joueur|ehemaliger spieler)( \d+)?"
)


def normalise_name(text: str) -> str:
    """Return the name as it is stored: composed, with single blanks between its words and none around them."""
    words = unicodedata.normalize("NFC", text).split(" ")
    return " ".join(word for word in words if word)


def fold_name(text: str) -> str:
    """Return the key under which two names count as the same, whatever their case and width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_kept(name: str) -> bool:
    """Return whether a name is kept for seats without a person."""
    return _KEPT.fullmatch(fold_name(normalise_name(name))) is not None


def validate_name(text: str) -> None:
    """Raise `ValidationError` unless every character can be seen and at least one is a letter or a digit.

    Names that the site gives to seats without a person are refused too.
    """
    if _BLANK.search(text) or any(unicodedata.category(character) in _REFUSED for character in text):
        raise ValidationError(_("A name can't contain control or invisible characters."), code="invisible")
    if not any(character.isalnum() for character in text):
        raise ValidationError(_("A name needs at least one letter or digit."), code="no-letter")
    if is_kept(text):
        raise ValidationError(_("This name is reserved."), code="kept")
