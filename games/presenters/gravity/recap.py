"""What happened to a player since their last turn, in a sentence or two a turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from django.utils.translation import gettext as _

from engine.contract import Event
from engine.gravity.events import EventKind
from games.presenters.gravity.sentences import ITEM_NAMES, narrate
from games.presenters.gravity.space import label_space
from games.presenters.gravity.view import read_params
from games.presenters.protocol import PastTurn, RecapLine
from games.words.lists import list_words

TOLD: Final = frozenset({EventKind.EJECTED, EventKind.STOLE, EventKind.COLLECTED})


@dataclass(slots=True)
class Deeds:
    """What a seat did to others in a turn, and what it gained."""

    ejected: dict[int, str] = field(default_factory=dict)
    """Victims, and from where."""
    stolen: dict[int, list[str]] = field(default_factory=dict)
    collected: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, events: Sequence[Event]) -> "Deeds":
        """Read them from a turn's events."""
        deeds = cls()
        for event in events:
            kind, params = EventKind(event.kind), read_params(event)
            if kind not in TOLD:
                continue
            if kind is EventKind.EJECTED:
                deeds.ejected[params["victim"]] = label_space(params["x"], params["y"])
            elif kind is EventKind.STOLE:
                deeds.stolen.setdefault(params["victim"], []).append(str(ITEM_NAMES[params["item"]]))
            else:
                deeds.collected.append(str(ITEM_NAMES[params["item"]]))
        return deeds


def recap(turns: Sequence[PastTurn], reader: int, names: Sequence[str]) -> list[RecapLine]:
    """Return what was done to ``reader``, and what else the others did, turn by turn."""
    return [line for turn in turns for line in _lines(turn, reader, names)]


def _lines(turn: PastTurn, reader: int, names: Sequence[str]) -> Iterator[RecapLine]:
    deeds = Deeds.of(turn.events)
    mine = _done_to(reader, turn, deeds, names)
    if mine:
        yield RecapLine(seq=turn.seq, seat=turn.seat, words=mine, grave=True)
    if turn.seat == reader:
        return
    rest = _done_besides(reader, turn, deeds, names)
    if rest or not mine:
        told = rest or " ".join(narrate(turn.events, turn.turn, names)[:2])
        yield RecapLine(seq=turn.seq, seat=turn.seat, words=told)


def _done_to(reader: int, turn: PastTurn, deeds: Deeds, names: Sequence[str]) -> str:
    if reader not in deeds.ejected:
        return ""
    items = deeds.stolen.get(reader, [])
    params = {
        "player": names[turn.seat - 1],
        "space": deeds.ejected[reader],
        "items": list_words(items),
        **_points(turn, reader),
    }
    if items:
        return (
            _("%(player)s ejected you on %(space)s and stole from you: %(items)s. Your points: %(before)s → %(after)s.")
            % params
        )
    return _("%(player)s ejected you on %(space)s. You had nothing to steal.") % params


def _done_besides(reader: int, turn: PastTurn, deeds: Deeds, names: Sequence[str]) -> str:
    """Say what a seat did to others than ``reader``, and what it found; empty for neither."""
    victims = [names[victim - 1] for victim in deeds.ejected if victim != reader]
    stolen = (items for victim, items in deeds.stolen.items() if victim != reader)
    items = [*deeds.collected, *chain.from_iterable(stolen)]
    params = {
        "player": names[turn.seat - 1],
        "victims": list_words(victims),
        "items": list_words(items),
        **_points(turn, turn.seat),
    }
    if victims and items:
        return _("%(player)s ejected %(victims)s and gained: %(items)s. Points: %(before)s → %(after)s.") % params
    if victims:
        return _("%(player)s ejected %(victims)s.") % params
    if items:
        return _("%(player)s gained: %(items)s. Points: %(before)s → %(after)s.") % params
    return ""


def _points(turn: PastTurn, seat: int) -> dict[str, int]:
    return {"before": turn.before[seat - 1], "after": turn.after[seat - 1]}
