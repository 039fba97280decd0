"""What a display name may be, and which names are taken for the same.

Confusable characters and scripts are those of Unicode's technical standard 39, as the library disarm has them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Final

from disarm import Script, detect_scripts, normalize_confusables
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_LENGTH: Final = 30
MOST_MARKS: Final = 2
"""How many marks one letter may bear: two do for every language that is written today."""
_REFUSED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"}
# Letters, marks and symbols that show nothing: fillers, joiners, a blank of Braille, selectors of variants.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# What makes one picture of several, or a sign a coloured one: behind a picture it can be seen.
_JOINING = re.compile("(?<=[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])[\u200d\ufe0f]")
_DIRECTING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# They part names in a list, and make addresses of the web and of mail; with what looks like them.
_PARTING = re.compile(r"[/\\,:;@、，；：。؛،]")
_ADDRESS = re.compile(r"[^\W_]\.[^\W\d_]{2,}|\bwww\b|\bhttps?\b", re.IGNORECASE)
# What the site itself calls seats, in each of its languages: computer players, and people whose account is gone.
_KEPT = re.compile(
    r"(.* )?bot( \d+)?"
    r"|(zufallsbot|bot au hasard|bot gourmand)( \d+)?"
    r"|(former player|voormalige speler|ancien joueur|ehemaliger spieler)( \d+)?"
)
# What guests are called (`accounts.guests`), with letters and digits for each other and more behind it; where other
# words come first, with a number that is as long as a guest's.
_GUEST_WORD = r"(gu[e3][s5][t7†]|g[a4][s5][t7†]|[il1]nv[il1][t7†][e3])[\W_]*"
_GUEST = re.compile(rf"{_GUEST_WORD}([ilozsb]*\d.*)?|.*[\W_]{_GUEST_WORD}(?=.*\d)[ilozsb\d]{{4}}.*")
# Scripts that are written together: the "highly restrictive" level of the standard.
_LATIN = {Script.LATIN}
_TOGETHER = (
    _LATIN | {Script.HAN, Script.HIRAGANA, Script.KATAKANA},
    _LATIN | {Script.HAN, Script.BOPOMOFO},
    _LATIN | {Script.HAN, Script.HANGUL},
)
# Words that nobody but the staff has in a name, and what the site or its sentences call the reader, a guest, itself.
_STAFF = (
    "admin administrator administrateur administratrice beheerder moderator moderateur modérateur modératrice"
    " mod mods staff support helpdesk system systeem système webmaster root superuser"
)
_ITSELF = (
    "gravity|gravity superstar|gravitysuperstar|the site|autopilot|automatic pilot|pilote automatique|autopiloot"
    "|automatische piloot|you|your|me|yourself|je|jij|jou|jouw|u|ik|vous|tu|toi|moi|du|dich|dir|ich|sie|ihr"
    "|guest|gast|invité|nobody|niemand|personne|somebody|iemand|jemand|quelqu’un|anonymous"
)
_LOOKS: Final = str.maketrans({"0": "o", "O": "o", "1": "l", "I": "l", "|": "l", "’": "'"})
# What is read as a letter though it looks a little different, in a skeleton.
_READ: Final = str.maketrans("i!34578$+†", "lleastbstt")


class _Kept:
    """Where the names of computer players come from: the games, which this app does not know."""

    names: Callable[[], Iterable[str]] = staticmethod(lambda: ())


def keep_names(names: Callable[[], Iterable[str]]) -> None:
    """Keep the names that a function returns, in all languages of the site, from people: once, at the start."""
    _Kept.names = staticmethod(names)


def normalise_name(text: str) -> str:
    """Return the name as it is stored: composed, of plain width, single blanks between its words and none around."""
    plain = unicodedata.normalize("NFKC", text)
    words = "".join(" " if unicodedata.category(one) == "Zs" else one for one in plain).split(" ")
    return " ".join(word for word in words if word)


def fold_name(text: str) -> str:
    """Return the key under which two names count as the same, whatever their case and width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def skeleton(text: str) -> str:
    """Return the key under which two names look the same: confusable characters become one of them."""
    seen = unicodedata.normalize("NFD", _plain(normalise_name(text))).translate(_LOOKS)
    folded = _plain(seen.casefold()).replace("rn", "m").replace("vv", "w")
    return unicodedata.normalize("NFC", folded)


def isolate(text: str) -> str:
    """Return what a person wrote such that it turns no word or number beside it round, on pages as in plain text.

    What is written from the right is set apart by the marks U+2068 and U+2069, which browsers treat as ``<bdi>``; marks
    of its own, which nobody needs in a name, are taken out. Any other text stays as it is.
    """
    plain = _DIRECTING.sub("", text)
    turns = any(unicodedata.bidirectional(character) in {"R", "AL", "AN"} for character in plain)
    return f"\u2068{plain}\u2069" if turns else plain


def bare(text: str) -> str:
    """Return a name without the marks that set it apart: for programs."""
    return _DIRECTING.sub("", text)


def is_kept(name: str) -> bool:
    """Return whether a name is kept for seats without a person."""
    return _KEPT.fullmatch(fold_name(normalise_name(name))) is not None


def is_reserved(name: str) -> bool:
    """Return whether a name looks like one that the site uses itself, or holds a word that stands for its staff."""
    kept = frozenset[str]().union(*map(_looks_like, (*_ITSELF.split("|"), *_Kept.names())))
    staff = frozenset[str]().union(*map(_reads_as, _STAFF.split()))
    return (
        not kept.isdisjoint(_looks_like(name))
        or not staff.isdisjoint(_reads_as(name))
        or _KEPT.fullmatch(_readable(name)) is not None
        or _GUEST.fullmatch(_without_marks(_readable(name))) is not None
    )


def validate_name(text: str) -> None:
    """Raise `ValidationError` unless a name shows what it is, to any reader and beside any other text.

    Every character can be seen, one at least is a letter or a digit, a word is written in one script, and nothing in it
    makes a list, an address or a link. Names that the site gives to seats without a person are refused too.
    """
    if _BLANK.search(text) or any(unicodedata.category(character) in _REFUSED for character in text):
        raise ValidationError(_("A name can't contain control or invisible characters."), code="invisible")
    if not any(character.isalnum() for character in text):
        raise ValidationError(_("A name needs at least one letter or digit."), code="no-letter")
    if _PARTING.search(text) or _PARTING.search(_plain(text)):
        raise ValidationError(_("A name can't contain any of these: / \\ , : ; @"), code="parting")
    if _ADDRESS.search(_plain(text)):
        raise ValidationError(_("A name can't look like an address on the web."), code="address")
    if _most_marks(text) > MOST_MARKS:
        raise ValidationError(_("A letter of a name can't have more than two marks."), code="marks")
    if not all(_is_of_one_script(word) for word in text.split(" ")):
        raise ValidationError(_("A word of a name can't mix alphabets."), code="scripts")
    if is_kept(text):
        raise ValidationError(_("This name is reserved."), code="kept")


def validate_person(text: str) -> None:
    """Raise `ValidationError` for a name that would pass for the site, its staff or its computer players."""
    if is_reserved(text):
        raise ValidationError(_("This name is reserved."), code="reserved")


def validate_title(text: str) -> None:
    """Raise `ValidationError` unless the name of a game can be seen and leads nowhere.

    It stands for nobody, and is always set apart: what would part or imitate the names of people does no harm in it.
    """
    seen = _JOINING.sub("", text)
    if _BLANK.search(seen) or any(unicodedata.category(character) in _REFUSED for character in seen):
        raise ValidationError(_("A name can't contain control or invisible characters."), code="invisible")
    if _ADDRESS.search(_plain(text)):
        raise ValidationError(_("A name can't look like an address on the web."), code="address")
    if _most_marks(text) > MOST_MARKS:
        raise ValidationError(_("A letter of a name can't have more than two marks."), code="marks")


def _plain(text: str) -> str:
    return normalize_confusables(text, digit_policy="tr39")


def _looks_like(name: str) -> frozenset[str]:
    """Return the skeletons of a name in either case, without what stands between its letters or a number at its end."""
    letters = re.sub(r"[\W_]+", "", normalise_name(name))
    bare = letters.rstrip("0123456789") or letters
    return frozenset({skeleton(bare), skeleton(bare.casefold())} - {""})


def _readable(name: str) -> str:
    """Return a name in the letters it looks like, in lower case."""
    return _plain(normalise_name(name)).casefold()


def _without_marks(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn")


def _reads_as(name: str) -> frozenset[str]:
    """Return what a name and each of its words are read as, whatever marks they bear, also without a number at the end.

    Signs that are read as letters are taken for these, and i for l.
    """
    plain = normalise_name(name)
    words = {plain, *plain.split(), *re.split(r"[\W_]+", plain), re.sub(r"[\W_]+", "", plain)}
    words |= {word.rstrip("0123456789") for word in words}
    read = (_without_marks(skeleton(word)).translate(_READ) for word in words)
    return frozenset({re.sub(r"[\W_]+", "", word) for word in read} - {""})


def _most_marks(text: str) -> int:
    """Return how many marks the letter with the most of them bears; a mark without a letter counts as too many."""
    most = run = 0
    after_letter = False
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.category(character) in {"Mn", "Mc"}:
            run += 1
            most = max(most, run if after_letter else MOST_MARKS + 1)
        else:
            run, after_letter = 0, character != " "
    return most


def _is_of_one_script(word: str) -> bool:
    scripts = set(detect_scripts(word))
    return len(scripts) <= 1 or any(scripts <= together for together in _TOGETHER)
