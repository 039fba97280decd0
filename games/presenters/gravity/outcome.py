"""Where a step leads: what a choice says of itself before it is taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.contract import Event, Rules
from engine.gravity.events import EventKind
from engine.gravity.view import place_text
from games.presenters.gravity.sentences import FEET_NAMES, ITEM_NAMES
from games.presenters.gravity.space import label_space, parse_pawn
from games.presenters.gravity.view import read_params
from games.words.lists import list_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Where a step leads: the space (``x,y``) and the feet, what is gathered, who is ejected."""

    landing: str
    feet: str
    items: tuple[str, ...]
    victims: tuple[int, ...]
    gain: int
    """By how many own points change, with the best that can be stolen."""
    events: tuple[Event, ...]

    @property
    def space(self) -> str:
        """The landing space as people call it."""
        x, y, _feet = parse_pawn(f"{self.landing},{self.feet}")
        return label_space(x, y)

    @property
    def change(self) -> str:
        """The gain with its sign, empty for none."""
        return signed(self.gain) if self.gain else ""

    def words(self, names: Sequence[str]) -> str:
        """Return it in words, for the accessible name of a button."""
        parts = [_("ends on %(space)s") % {"space": self.space}, str(FEET_NAMES[self.feet])]
        if self.items:
            parts.append(_("collects %(items)s") % {"items": list_words(ITEM_NAMES[item] for item in self.items)})
        if self.victims:
            parts.append(_("ejects %(victims)s") % {"victims": list_words(names[seat - 1] for seat in self.victims)})
        if self.gain:
            parts.append(_("points %(change)s") % {"change": signed(self.gain)})
        return list_words(parts)


def outcome_of(rules: Rules[Any], state: Any, steps: tuple[str, ...], told: int, points: int) -> Outcome:
    """Return where the last of legal ``steps`` leads the seat to move.

    ``told`` is how many events there were before it, ``points`` what the seat had.
    """
    after = rules.play_steps(state, steps)
    seat, events = after.state.seat, after.events[told:]
    place = place_text(after.state, after.state.players[seat].pawn)
    assert place is not None
    landing, _comma, feet = place.rpartition(",")
    params = [(event.kind, read_params(event)) for event in events]
    victims = tuple(param["victim"] for kind, param in params if kind == EventKind.EJECTED)
    best = _best_points(rules, state, steps, seat) if victims else rules.summary(after.state).points[seat]
    return Outcome(
        landing=landing,
        feet=feet,
        items=tuple(param["item"] for kind, param in params if kind == EventKind.COLLECTED),
        victims=victims,
        gain=best - points,
        events=events,
    )


def _best_points(rules: Rules[Any], state: Any, steps: tuple[str, ...], seat: int) -> int:
    """Return the points of a seat (an index) after ``steps``, and after stealing what brings most from each victim."""
    steals = [step for step in rules.legal_steps(state, steps) if step[0] == "x"]
    if not steals:
        return rules.summary(rules.play_steps(state, steps).state).points[seat]
    return max(_best_points(rules, state, (*steps, steal), seat) for steal in steals)


def signed(number: int) -> str:
    """Return a change with its sign, as it is written in print."""
    return f"+{number}" if number > 0 else f"\N{MINUS SIGN}{-number}" if number < 0 else "±0"
