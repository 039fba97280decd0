"""What a written message may hold."""

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""What shapes letters of some scripts and joins pictures: kept, though it can't be seen."""
_DROPPED: Final = {"Cc", "Cf", "Cs", "Co", "Cn"}
_LINE_ENDS: Final = str.maketrans(
    {"\r": "\n", "\t": " ", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}
)


def tidy_message(text: str) -> str:
    """Return the text as it is stored: composed, without control characters, at most one empty line in a row.

    What turns the direction of writing goes, so that no message can rearrange what stands around it. Empty if nothing
    that can be seen is left.
    """
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").translate(_LINE_ENDS)
    kept = "".join(character for character in text if character in {"\n", *JOINERS} or not _is_dropped(character))
    lines = [line.rstrip() for line in kept.strip().split("\n")]
    tidied = "\n".join(line for number, line in enumerate(lines) if line or lines[number - 1])
    return tidied if tidied.strip(JOINERS + " \n") else ""


def _is_dropped(character: str) -> bool:
    return unicodedata.category(character) in _DROPPED
