"""Parses and formats steps and turns. The notation has some ninety steps in all, so parsing one is a look-up."""

from dataclasses import dataclass
from typing import Final

from engine.contract import split_turn
from engine.errors import RulesCode, RulesError
from engine.gravity.state import CARDS, GOODIES, ITEMS, cards_text

MAX_SEATS: Final = 6
_OPEN_CARDS: Final = cards_text(GOODIES)


@dataclass(frozen=True, slots=True)
class Complete:
    """Take the cards in front back into the hand."""


@dataclass(frozen=True, slots=True)
class Simple:
    """One space to the side (``S<`` or ``S>``), laying ``card`` face down."""

    move: str
    card: int


@dataclass(frozen=True, slots=True)
class Special:
    """A jump or drop (``L<`` … ``D``), laying ``card`` (that of the move, or wild) face up."""

    move: str
    card: int


@dataclass(frozen=True, slots=True)
class Rotate:
    """Turn the pawn by ``quarters`` clockwise, laying ``card`` face up."""

    quarters: int
    card: int


@dataclass(frozen=True, slots=True)
class TurnTile:
    """Goodie: turn the tile under the pawn by ``quarters`` clockwise."""

    quarters: int


@dataclass(frozen=True, slots=True)
class DoubleJump:
    """Goodie: two simple moves (``J<<`` …)."""

    move: str


@dataclass(frozen=True, slots=True)
class Teleport:
    """Goodie: to the open door."""


@dataclass(frozen=True, slots=True)
class Steal:
    """Take an item (index into `ITEMS`) from the player with index ``victim``."""

    victim: int
    item: int


@dataclass(frozen=True, slots=True)
class Replay:
    """Spend a token for a second action."""


type Action = Complete | Simple | Special | Rotate | TurnTile | DoubleJump | Teleport
type Step = Action | Steal | Replay

QUARTERS: Final = {"+": 1, "-": 3, "=": 2}


def _all_steps() -> dict[str, Step]:
    steps: dict[str, Step] = {"C": Complete(), "&": Replay(), "T": Teleport()}
    for side in "<>":
        steps |= {f"S{side}({card})": Simple(f"S{side}", 1 << i) for i, card in enumerate(CARDS)}
        steps |= {f"J{side}{other}": DoubleJump(f"J{side}{other}") for other in "<>"}
    for prefix in ("", "W"):
        for move in ("L<", "L>", "H<", "H>", "D"):
            steps[prefix + move] = Special(move, 1 << CARDS.index(prefix or move[0]))
        for how, quarters in QUARTERS.items():
            steps[f"{prefix}R{how}"] = Rotate(quarters, 1 << CARDS.index(prefix or "R"))
    steps |= {f"P{how}": TurnTile(quarters) for how, quarters in QUARTERS.items()}
    for victim in range(MAX_SEATS):
        steps |= {f"x{victim + 1}{item}": Steal(victim, i) for i, item in enumerate(ITEMS)}
    return steps


STEPS: Final[dict[str, Step]] = _all_steps()
"""Every step of the notation by its text."""
_TEXTS: Final[dict[Step, str]] = {step: text for text, step in STEPS.items()}


def parse_step(text: str) -> Step:
    """Read one step. Raises `RulesError` (``unknown-step``)."""
    try:
        return STEPS[text]
    except KeyError:
        raise RulesError(RulesCode.UNKNOWN_STEP, text=text[:20]) from None


def format_step(step: Step) -> str:
    """Write one step; the exact inverse of `parse_step`."""
    return _TEXTS[step]


def parse_turn(turn: str) -> tuple[Step, ...]:
    """Read a turn. Raises `RulesError` (``unknown-step``) that names the step."""
    steps = []
    for index, text in enumerate(split_turn(turn)):
        try:
            steps.append(parse_step(text))
        except RulesError as error:
            raise error.at_step(index) from None
    return tuple(steps)


def format_turn(steps: tuple[Step, ...]) -> str:
    """Write a turn; the exact inverse of `parse_turn`."""
    return " ".join(format_step(step) for step in steps)


def hide_cards(turn: str) -> str:
    """Return a turn's text with each card laid face down hidden: ``S<(?)``. A goodie is shown to all (ruling R13)."""
    return " ".join(f"{text[:3]}?)" if _hides(text) else text for text in turn.split(" "))


def _hides(step: str) -> bool:
    return step.startswith("S") and step[3] not in _OPEN_CARDS
