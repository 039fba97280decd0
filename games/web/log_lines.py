"""The move log as the game page shows it.

An entry never changes, so its line is made once for each way in which it is read, and kept by this process. What is
kept for one reader is never shown to another: the key names the reader's seat, and whether the game is open to all.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.models import Remark
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.log import LOG_SIZE, LogLine, log_page
from games.web.kept import Kept
from games.words.remarks import remark_words
from games.words.time import format_ago

KEPT: Final = 5_000
"""So many lines are kept, of about a kilobyte each; the oldest go first."""
FEW: Final = 6
"""So many are shown to who composes a turn, and has the recap."""
GAP: Final = secrets.token_hex()
"""What stands in a line as it is made where something goes that changes: nothing that anybody could write."""

type Line = tuple[datetime, int, str, str, str, str, str]
"""The instant and the seat of an entry, and its line in five pieces: between them go a class of the shown one, its mark
in a review, its age, and how people reacted to it."""
type Under = Callable[[int, int], str]
"""Returns as HTML how people reacted to an entry, of its number and its seat."""

_kept: Final = Kept[Line](KEPT)


def shown_entries(page: GamePage) -> range:
    """Return the numbers of the newest entries, newest first, or of those around the shown one where that is older."""
    last = page.game.seq
    if page.seq <= last - LOG_SIZE or page.seq == 0:
        last = min(last, page.seq + LOG_SIZE // 2 - 1)
    return range(last, max(last - (FEW if page.may_move else LOG_SIZE), 0), -1)


def narrated_log(
    page: GamePage, shown: range, remarks: Iterable[Remark], *, marks: Mapping[int, str], now: datetime, under: Under
) -> SafeString:
    """Return lines of the log as items of a list, newest first, and between them what else happened.

    ``marks`` are HTML by the numbers of entries. Beneath a line stands what ``under`` returns.

    Two queries at most, none where all lines are kept.
    """
    names = page.table.names
    between: dict[int, list[str]] = {}
    for remark in remarks:
        words = {"remark": remark, "words": remark_words(remark, names)}
        between.setdefault(remark.after, []).append(render_to_string("games/_log_remark.html", words))
    lines = _narrated_lines(page, shown, names)
    out: list[str] = []
    for seq in shown:
        at, seat, head, played, middle, told, rest = lines[seq]
        out += [*between.pop(seq, ()), head, " shown" if seq == page.seq else "", played, marks.get(seq, "")]
        out += [middle, describe_age(at, now), told, under(seq, seat), rest]
    return SafeString("".join([*out, *between.pop(0, ())]))


def describe_age(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment is; what was said before is kept."""
    age = max(0, int((now - moment).total_seconds()))
    unit = next(unit for unit in (86_400, 3_600, 60, 1) if age >= unit or unit == 1)
    return _age_in_words(age // unit * unit, get_language())


@lru_cache(maxsize=1_000)
def _age_in_words(age: int, _language: str | None) -> str:
    return format_ago(age)


def _narrated_lines(page: GamePage, shown: range, names: tuple[str, ...]) -> Mapping[int, Line]:
    game = page.game
    reading = (
        page.viewer_number,
        page.table.is_open_to_all,
        names,
        get_language(),
        timezone.get_current_timezone_name(),
        get_script_prefix(),
    )
    keys = {seq: (game.key, seq, *reading) for seq in shown}
    found = {seq: line for seq, key in keys.items() if (line := _kept.find(key)) is not None}
    missing = [seq for seq in shown if seq not in found]
    if missing:
        for read in log_page(game, page.viewer_number, before=missing[0] + 1, size=missing[0] - missing[-1] + 1):
            if read.seq not in found:
                found[read.seq] = _narrate(page, read, names)
                _kept.keep(keys[read.seq], found[read.seq])
    return found


def _narrate(page: GamePage, line: LogLine, names: tuple[str, ...]) -> Line:
    sentences = tuple(PRESENTERS[page.game.ruleset].narrate(line.events, line.turn, names))
    address = reverse("game", args=(page.game.key,))
    reading = (get_language(), timezone.get_current_timezone_name())
    return _draw(replace(line, events=()), address, names[line.seat - 1], sentences, *reading)


@lru_cache(maxsize=1_000)
def _draw(line: LogLine, address: str, name: str, sentences: tuple[str, ...], _language: str, _zone: str) -> Line:
    """Return a line from nothing but what it shows, so that readers who may see the same share it."""
    context = {"address": address, "line": line, "name": name, "sentences": sentences, "gap": GAP}
    head, played, middle, told, rest = render_to_string("games/_log_line.html", context).split(GAP)
    return line.at, line.seat, head, played, middle, told, rest
