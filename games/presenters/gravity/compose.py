"""The panel in which a turn is composed: every step that could be meant, where it leads, and why some are refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contract import END, Event, Rules
from engine.gravity.events import EventKind
from engine.gravity.setup import GOODIE_CARDS
from games.log.positions import Snapshot, rules_of
from games.presenters.gravity.sentences import CARD_NAMES, ITEM_NAMES, name_step, narrate, refuse
from games.presenters.gravity.space import label_space, parse_pawn, parse_space
from games.presenters.gravity.view import GravityView, read_params, read_view
from games.queries.game_page import GamePage
from games.words.lists import list_words

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

LEFT: Final = {"S": "W", "W": "N", "N": "E", "E": "S"}
"""Where a pawn's left is on the screen, by its feet; its right is opposite."""
OPPOSITE: Final = {"N": "S", "S": "N", "E": "W", "W": "E"}
ARROWS: Final = {"N": "↑", "E": "→", "S": "↓", "W": "←"}
MOVES: Final[dict[str, tuple[str, ...]]] = {
    "L": ("L<", "L>"),
    "H": ("H<", "H>"),
    "D": ("D",),
    "R": ("R-", "R+", "R="),
    "W": ("WL<", "WL>", "WH<", "WH>", "WD", "WR-", "WR+", "WR="),
    "P": ("P-", "P+", "P="),
    "J": ("J<<", "J<>", "J><", "J>>"),
    "T": ("T",),
}
"""The steps that each card is played for."""
BASE_CARDS: Final = tuple(card for card in MOVES if card not in GOODIE_CARDS)
ENTERING: Final = frozenset({EventKind.MOVED, EventKind.FELL, EventKind.TELEPORTED})
"""What brings the pawn of the turn to another space."""
SHORT_NAMES: Final[dict[str, "_StrPromise"]] = {
    "S<": gettext_lazy("left"),
    "S>": gettext_lazy("right"),
    "L<": gettext_lazy("left"),
    "L>": gettext_lazy("right"),
    "H<": gettext_lazy("left"),
    "H>": gettext_lazy("right"),
    "D": gettext_lazy("down"),
    "R-": gettext_lazy("quarter"),
    "R+": gettext_lazy("quarter"),
    "R=": gettext_lazy("half"),
    "WL<": gettext_lazy("long"),
    "WL>": gettext_lazy("long"),
    "WH<": gettext_lazy("high"),
    "WH>": gettext_lazy("high"),
    "WD": gettext_lazy("drop"),
    "WR-": gettext_lazy("quarter"),
    "WR+": gettext_lazy("quarter"),
    "WR=": gettext_lazy("half"),
    "P-": gettext_lazy("quarter"),
    "P+": gettext_lazy("quarter"),
    "P=": gettext_lazy("half"),
    "J<<": gettext_lazy("left, left"),
    "J<>": gettext_lazy("left, right"),
    "J><": gettext_lazy("right, left"),
    "J>>": gettext_lazy("right, right"),
    "T": gettext_lazy("to the open door"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """Where a step leads: the space (``x,y``, empty off the board), what is gathered, who is ejected."""

    landing: str
    items: tuple[str, ...]
    victims: tuple[int, ...]

    @property
    def space(self) -> str:
        """The landing space as people call it."""
        return label_space(*parse_space(self.landing)) if self.landing else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepButton:
    """One step as a button. ``reason`` is why it is refused; a legal one has an outcome."""

    step: str
    label: str
    short: str
    arrow: str = ""
    card: str = ""
    reason: str = ""
    outcome: StepOutcome | None = None

    @property
    def detail(self) -> str:
        """The outcome in words, for the button's accessible name."""
        if self.outcome is None or not self.outcome.landing:
            return ""
        items = list_words(ITEM_NAMES[item] for item in self.outcome.items)
        if items:
            return _("ends on %(space)s, collecting %(items)s") % {"space": self.outcome.space, "items": items}
        return _("ends on %(space)s") % {"space": self.outcome.space}

    @property
    def spoken(self) -> str:
        """The button's accessible name: the step, and why it is refused or where it leads."""
        more = self.reason or self.detail
        return _("%(step)s: %(more)s") % {"step": self.label, "more": more} if more else self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One card, or one direction of a simple move, with its buttons."""

    card: str
    title: str
    buttons: tuple[StepButton, ...]
    arrow: str = ""
    outcome: StepOutcome | None = None

    @property
    def enabled(self) -> bool:
        """Whether any of its steps is legal."""
        return any(not button.reason for button in self.buttons)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why steps of this row are refused, each reason once."""
        return tuple(dict.fromkeys(button.reason for button in self.buttons if button.reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What can be done next in the turn being composed."""

    steps: tuple[tuple[str, str], ...]
    """The steps so far with their names."""
    story: tuple[str, ...]
    """What they did, in sentences."""
    rows: tuple[Row, ...]
    goodies: tuple[Row, ...]
    simple: tuple[Row, ...]
    complete: StepButton | None
    steals: tuple[StepButton, ...]
    victim: str
    second: StepButton | None
    may_end: bool
    spot: str
    spot_name: str
    choices: tuple[StepButton, ...]
    """The steps that lead to the chosen spot."""
    landings: dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn in progress, as its own seat sees it."""

    rules: Rules[Any]
    state: Any
    """For the rules alone: this is no part of what templates get."""
    steps: tuple[str, ...]
    legal: tuple[str, ...]
    events: tuple[Event, ...]
    view: GravityView
    number: int
    _outcomes: dict[str, StepOutcome] = field(default_factory=dict)

    @classmethod
    def begin(cls, page: GamePage, position: Snapshot, steps: Sequence[str]) -> Self:
        """Play the steps so far of the reader's turn. Raises `RulesError` if they are not legal."""
        rules, number = rules_of(page.game), page.viewer_number or 0
        applied = rules.play_steps(position.state, steps)
        return cls(
            rules=rules,
            state=position.state,
            steps=tuple(steps),
            legal=rules.legal_steps(position.state, steps),
            events=applied.events,
            view=read_view(rules.view(applied.state, number)),
            number=number,
        )

    @property
    def feet(self) -> str:
        """Where the pawn's feet are on the screen."""
        pawn = self.view["pawns"][self.number - 1]
        return parse_pawn(pawn)[2] if pawn else "S"

    def outcome(self, step: str) -> StepOutcome:
        """Return where a legal step leads. Which card it lays makes no difference to that."""
        key = step[:2] if step[0] == "S" else step.removeprefix("W")
        if key not in self._outcomes:
            self._outcomes[key] = self._play(step)
        return self._outcomes[key]

    def _play(self, step: str) -> StepOutcome:
        applied = self.rules.play_steps(self.state, (*self.steps, step))
        events = [(event.kind, read_params(event)) for event in applied.events[len(self.events) :]]
        places = [params for kind, params in events if kind in ENTERING]
        if places:
            landing = f"{places[-1]['x']},{places[-1]['y']}"
        else:
            pawn = read_view(self.rules.view(applied.state, self.number))["pawns"][self.number - 1]
            landing = pawn.rpartition(",")[0] if pawn else ""
        return StepOutcome(
            landing=landing,
            items=tuple(params["item"] for kind, params in events if kind == EventKind.COLLECTED),
            victims=tuple(params["victim"] for kind, params in events if kind == EventKind.EJECTED),
        )


def compose_panel(turn: Turn, spot: str, names: Sequence[str]) -> Panel:
    """Return the panel for the next step of a turn, narrowed to ``spot`` if one is given."""
    steals = [step for step in turn.legal if step[0] == "x"]
    acting = not steals and any(step not in (END, "&") for step in turn.legal)
    landings: dict[str, list[str]] = {}
    if acting:
        for step in turn.legal:
            landings.setdefault(turn.outcome(step).landing, []).append(step)
        landings.pop("", None)
    chosen = landings.get(spot, [])
    return Panel(
        steps=tuple((step, name_step(step, names)) for step in turn.steps),
        story=tuple(narrate(turn.events, " ".join(turn.steps), names)),
        rows=tuple(_rows(turn, names, BASE_CARDS)) if acting else (),
        goodies=tuple(_rows(turn, names, _goodies(turn))) if acting else (),
        simple=tuple(_simple_rows(turn, names)) if acting else (),
        complete=_button(turn, "C", names) if acting else None,
        steals=tuple(_steal(step, names) for step in steals),
        victim=names[int(steals[0][1]) - 1] if steals else "",
        second=_button(turn, "&", names) if not steals and not acting and "&" not in turn.steps else None,
        may_end=END in turn.legal,
        spot=spot if chosen else "",
        spot_name=label_space(*parse_space(spot)) if chosen else "",
        choices=tuple(_button(turn, step, names) for step in chosen),
        landings=landings,
    )


def _rows(turn: Turn, names: Sequence[str], cards: Sequence[str]) -> Iterator[Row]:
    for card in cards:
        buttons = tuple(_button(turn, step, names) for step in MOVES[card])
        yield Row(card=card, title=str(CARD_NAMES[card]), buttons=buttons)


def _goodies(turn: Turn) -> tuple[str, ...]:
    """Return the goodies in the hand, which alone of all cards are not everybody's."""
    return tuple(card for card in turn.view["hands"][turn.number - 1] if card in GOODIE_CARDS)


def _simple_rows(turn: Turn, names: Sequence[str]) -> Iterator[Row]:
    hand = turn.view["hands"][turn.number - 1]
    for move, title in (("S<", _("To the left")), ("S>", _("To the right"))):
        buttons = tuple(_button(turn, f"{move}({card})", names) for card in hand)
        yield Row(
            card="",
            title=title,
            buttons=buttons,
            arrow=_arrow(turn, move),
            outcome=next((button.outcome for button in buttons if button.outcome), None),
        )


def _button(turn: Turn, step: str, names: Sequence[str]) -> StepButton:
    refusal = None if step in turn.legal else turn.rules.why_not(turn.state, step, turn.steps)
    kind = step[:2] if step[0] == "S" else step
    return StepButton(
        step=step,
        label=name_step(step, names),
        short=str(SHORT_NAMES.get(kind, "")) or name_step(step, names),
        arrow=_arrow(turn, step),
        card=step[3] if step[0] == "S" else step[0],
        reason="" if refusal is None else refuse(refusal, names),
        outcome=turn.outcome(step) if refusal is None and step != "&" else None,
    )


def _steal(step: str, names: Sequence[str]) -> StepButton:
    return StepButton(step=step, label=name_step(step, names), short=str(ITEM_NAMES[step[2]]), card=step[2])


def _arrow(turn: Turn, step: str) -> str:
    """Return the arrow of a step as it goes on the screen, where the pawn's left may be up."""
    left = LEFT[turn.feet]
    sides = {"<": ARROWS[left], ">": ARROWS[OPPOSITE[left]]}
    move = step.removeprefix("W")
    match move[0]:
        case "S" | "L" | "H":
            return sides[move[1]]
        case "J":
            return sides[move[1]] + sides[move[2]]
        case "D":
            return ARROWS[turn.feet]
        case "R" | "P":
            return {"+": "↻", "-": "↺", "=": "⇅"}[move[1]]
        case _:
            return ""
