"""The panel in which a turn is composed: every way to move, where it leads, what it costs, and why some are blocked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.contract import END, Event, Rules
from engine.gravity.setup import GOODIE_CARDS
from games.log.positions import Snapshot, rules_of
from games.presenters.composition import Composition
from games.presenters.gravity.outcome import Outcome, outcome_of, signed
from games.presenters.gravity.sentences import CARD_NAMES, ITEM_NAMES, STEP_NAMES, name_step, narrate, refuse
from games.presenters.gravity.space import ARROWS, LEFT, OPPOSITE, label_space, parse_pawn, parse_space, turned
from games.presenters.gravity.view import GravityView, read_view
from games.queries.game_page import GamePage

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

WAYS: Final = (
    "S<",
    "S>",
    "L<",
    "L>",
    "H<",
    "H>",
    "D",
    "R-",
    "R+",
    "R=",
    "P-",
    "P+",
    "P=",
    "J<<",
    "J<>",
    "J><",
    "J>>",
    "T",
)
"""The ways to act with a card. That of a card and the same one with Wild lead to the same place."""
SIMPLE_NAMES: Final[dict[str, "_StrPromise"]] = {
    "S<": gettext_lazy("Simple move to the left"),
    "S>": gettext_lazy("Simple move to the right"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """A card that pays for a way, as a button. ``turn`` is empty where the step is the next one of those so far."""

    step: str
    card: str
    label: str
    spoken: str
    turn: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way to act, where it leads, and the cards that pay for it."""

    way: str
    name: str
    arrow: str
    """Which way it goes on the board as it is shown; empty where it stays."""
    outcome: Outcome
    payments: tuple[Payment, ...]
    is_dull: bool = False
    """Whether it brings nothing now, while others do."""

    @property
    def cards(self) -> str:
        """The letters of the cards that pay for it."""
        return "".join(payment.card for payment in self.payments)

    @property
    def is_chosen(self) -> bool:
        """Whether it is part of the turn so far."""
        return any(payment.chosen for payment in self.payments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A way for which a card is in the hand, and why it can't be gone now."""

    way: str
    name: str
    arrow: str
    cards: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A step that needs no card: a steal, a replay, taking the cards back. ``reason`` is why it is refused."""

    step: str
    label: str
    card: str = ""
    reason: str = ""
    detail: str = ""
    gain: int = 0
    turn: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCard:
    """A card in the hand. ``laid``: by the turn so far; ``playable``: some way can be paid with it."""

    letter: str
    name: str
    laid: bool
    playable: bool
    picked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What can be done next in the turn being composed, and instead of its last action."""

    steps: tuple[tuple[str, str], ...]
    """The steps so far with their names."""
    story: tuple[str, ...]
    """What they did, in sentences."""
    points: tuple[int, int]
    """Own points before the turn, and after the steps so far."""
    pick: str
    hand: tuple[HandCard, ...]
    """The hand before the last action, which can still be another."""
    goodies: bool
    choices: tuple[Choice, ...]
    """Instead of the last action, or for the next one; the best first."""
    blocked: tuple[Blocked, ...]
    complete: Button | None
    steals: tuple[Button, ...]
    """What can be stolen from the victim, the best first."""
    victim: str
    second: Button | None
    may_end: bool
    spot: str
    spot_name: str
    at_spot: tuple[Choice, ...]
    """The choices that lead to the chosen spot."""
    landings: dict[str, list[Choice]]
    """The spaces to which choices lead, with these."""

    @property
    def dull_choices(self) -> int:
        """The number of choices that bring nothing now."""
        return sum(choice.is_dull for choice in self.choices)


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
    is_open: bool = False
    """Whether the cards of others are seen too."""
    _outcomes: dict[str, Outcome] = field(default_factory=dict)

    @classmethod
    def begin(cls, page: GamePage, position: Snapshot, steps: Sequence[str]) -> Self:
        """Play the steps so far of the reader's turn. Raises `RulesError` if they are not legal."""
        rules, is_open = rules_of(page.game), page.table.is_open_to_all
        return cls._play(rules, position.state, tuple(steps), page.viewer_number or 0, is_open=is_open)

    @classmethod
    def _play(cls, rules: Rules[Any], state: Any, steps: tuple[str, ...], number: int, *, is_open: bool) -> Self:
        applied = rules.play_steps(state, steps)
        return cls(
            rules=rules,
            state=state,
            steps=steps,
            legal=rules.legal_steps(state, steps),
            events=applied.events,
            view=read_view(rules.view(applied.state, number, ended=is_open)),
            number=number,
            is_open=is_open,
        )

    def at(self, steps: tuple[str, ...]) -> Self:
        """Return the turn after other steps."""
        if steps == self.steps:
            return self
        return self._play(self.rules, self.state, steps, self.number, is_open=self.is_open)

    def before_action(self) -> Self:
        """Return the turn before its last action, which may still be another one."""
        if not self.steps or self.steps[-1] == "&":
            return self
        last = max(index for index, step in enumerate(self.steps) if step[0] != "x")
        return self.at(self.steps[:last])

    @property
    def acts(self) -> bool:
        """Whether an action is to be chosen next."""
        return any(step not in (END, "&") and step[0] != "x" for step in self.legal)

    @property
    def feet(self) -> str:
        """Where the pawn's feet are on the board."""
        pawn = self.view["pawns"][self.number - 1]
        return parse_pawn(pawn)[2] if pawn else "S"

    @property
    def points(self) -> int:
        """Own points after the steps so far."""
        return self.view["points"][self.number - 1]

    @property
    def hand(self) -> str:
        """The letters of the cards in the hand."""
        return self.view["hands"][self.number - 1]

    def outcome(self, step: str) -> Outcome:
        """Return where a legal step leads. Which card it lays makes no difference to that."""
        key = way_of(step)
        if key not in self._outcomes:
            steps = (*self.steps, step)
            self._outcomes[key] = outcome_of(self.rules, self.state, steps, len(self.events), self.points)
        return self._outcomes[key]


def way_of(step: str) -> str:
    """Return the way that an action goes, without the card that pays for it."""
    return step[:2] if step[0] == "S" else step.removeprefix("W")


def card_of(step: str) -> str:
    """Return the letter of the card that pays for an action; of completing the hand its own."""
    return step[3] if step[0] == "S" else step[0]


def steps_of(way: str, hand: str) -> list[str]:
    """Return the steps that go a way with the cards of a hand."""
    if way[0] == "S":
        return [f"{way}({card})" for card in hand]
    paid = [way] if way[0] in hand else []
    return [*paid, f"W{way}"] if "W" in hand and way[0] not in GOODIE_CARDS else paid


def turns_to(turn: Turn, spot: str, pick: str) -> list[tuple[str, ...]]:
    """Return the turns whose last action leads to a spot, paid with a picked card if one is given."""
    base = turn.before_action()
    return [
        (*base.steps, step)
        for step in _actions(base)
        if base.outcome(step).landing == spot and (not pick or card_of(step) == pick)
    ]


def compose_panel(turn: Turn, composition: Composition, names: Sequence[str], view_turn: int) -> Panel:
    """Return the panel for a turn, narrowed to a spot or a card where one is chosen.

    ``view_turn`` is by how many degrees clockwise the board is turned on the page.
    """
    base = turn.before_action()
    choices = tuple(_choices(turn, base, names, view_turn))
    landings: dict[str, list[Choice]] = {}
    for choice in choices:
        landings.setdefault(choice.outcome.landing, []).append(choice)
    pick, spot = composition.pick, composition.spot
    at_spot = tuple(_narrowed(choices, spot, pick)) if spot else ()
    steals = [step for step in turn.legal if step[0] == "x"]
    return Panel(
        steps=tuple((step, name_step(step, names)) for step in turn.steps),
        story=tuple(narrate(turn.events, " ".join(turn.steps), names)),
        points=(base.at(()).points, turn.points),
        pick=pick if pick in base.hand else "",
        hand=tuple(_hand(turn, base, choices, pick)),
        goodies=any(card in GOODIE_CARDS for card in base.hand),
        choices=choices,
        blocked=tuple(_blocked(base, names, view_turn)),
        complete=_complete(turn, base, names),
        steals=tuple(sorted((_steal(turn, step, names) for step in steals), key=lambda button: -button.gain)),
        victim=names[int(steals[0][1]) - 1] if steals else "",
        second=_second(turn, names) if END in turn.legal and "&" not in turn.steps else None,
        may_end=END in turn.legal,
        spot=spot if at_spot else "",
        spot_name=label_space(*parse_space(spot)) if at_spot else "",
        at_spot=at_spot,
        landings=landings,
    )


def outcomes_of(base: Turn) -> dict[str, Outcome]:
    """Return where each way leads for which a card is in the hand."""
    return {way_of(step): base.outcome(step) for step in _actions(base)}


def _actions(base: Turn) -> list[str]:
    """Return the legal actions, but for completing the hand."""
    return [step for step in base.legal if step not in (END, "&", "C") and step[0] != "x"]


def _choices(turn: Turn, base: Turn, names: Sequence[str], view_turn: int) -> list[Choice]:
    """Return the choices for the last action, the best first."""
    found = []
    for way in WAYS:
        steps = [step for step in steps_of(way, base.hand) if step in base.legal]
        if steps:
            outcome = base.outcome(steps[0])
            payments = tuple(_payment(turn, base, step, outcome, names) for step in steps)
            arrow = arrow_of(way, base.feet, view_turn)
            found.append(Choice(way=way, name=_name_way(way), arrow=arrow, outcome=outcome, payments=payments))
    found.sort(key=lambda choice: (-choice.outcome.gain, -len(choice.outcome.victims)))
    bright = [choice for choice in found if choice.outcome.gain > 0 or choice.outcome.victims]
    return [replace(choice, is_dull=bool(bright) and choice not in bright and not choice.is_chosen) for choice in found]


def _name_way(way: str) -> str:
    return str(SIMPLE_NAMES.get(way) or STEP_NAMES[way])


def _payment(turn: Turn, base: Turn, step: str, outcome: Outcome, names: Sequence[str]) -> Payment:
    label = name_step(step, names)
    return Payment(
        step=step,
        card=card_of(step),
        label=label,
        spoken=_("%(step)s: %(more)s") % {"step": label, "more": outcome.words(names)},
        turn=_instead(turn, base, step),
        chosen=_is_chosen(turn, base, step),
    )


def _instead(turn: Turn, base: Turn, step: str) -> str:
    """Return the whole turn with ``step`` as its last action; empty where it is only the next step."""
    return "" if base is turn else " ".join((*base.steps, step))


def _is_chosen(turn: Turn, base: Turn, step: str) -> bool:
    return turn.steps[len(base.steps) : len(base.steps) + 1] == (step,)


def _narrowed(choices: Sequence[Choice], spot: str, pick: str) -> Iterator[Choice]:
    for choice in choices:
        payments = tuple(payment for payment in choice.payments if not pick or payment.card == pick)
        if choice.outcome.landing == spot and payments:
            yield replace(choice, payments=payments, is_dull=False)


def _hand(turn: Turn, base: Turn, choices: Sequence[Choice], pick: str) -> Iterator[HandCard]:
    playable = {card for choice in choices for card in choice.cards}
    laid = next((card_of(step) for step in turn.steps[len(base.steps) :]), "")
    for card in base.hand:
        name = str(CARD_NAMES[card])
        yield HandCard(letter=card, name=name, laid=card == laid, playable=card in playable, picked=card == pick)


def _blocked(base: Turn, names: Sequence[str], view_turn: int) -> Iterator[Blocked]:
    if not base.acts:
        return
    for way in WAYS:
        steps = steps_of(way, base.hand)
        refusal = base.rules.why_not(base.state, steps[0], base.steps) if steps else None
        if refusal is not None:
            arrow, cards = arrow_of(way, base.feet, view_turn), "".join(card_of(step) for step in steps)
            yield Blocked(way=way, name=_name_way(way), arrow=arrow, cards=cards, reason=refuse(refusal, names))
    refusal = base.rules.why_not(base.state, "C", base.steps)
    if refusal is not None:
        yield Blocked(way="C", name=name_step("C", names), arrow="", cards="", reason=refuse(refusal, names))


def _complete(turn: Turn, base: Turn, names: Sequence[str]) -> Button | None:
    if "C" not in base.legal:
        return None
    chosen = _is_chosen(turn, base, "C")
    return Button(step="C", label=name_step("C", names), turn=_instead(turn, base, "C"), chosen=chosen)


def _steal(turn: Turn, step: str, names: Sequence[str]) -> Button:
    victim = int(step[1])
    after = turn.rules.summary(turn.rules.play_steps(turn.state, (*turn.steps, step)).state).points
    own, theirs = after[turn.number - 1] - turn.points, after[victim - 1] - turn.view["points"][victim - 1]
    words = _("%(own)s for you, %(theirs)s for %(victim)s")
    detail = words % {"own": signed(own), "theirs": signed(theirs), "victim": names[victim - 1]}
    return Button(step=step, label=str(ITEM_NAMES[step[2]]), card=step[2], detail=detail, gain=own)


def _second(turn: Turn, names: Sequence[str]) -> Button:
    """Offer the second action, with the best that it can reach."""
    refusal = turn.rules.why_not(turn.state, "&", turn.steps)
    if refusal is not None:
        return Button(step="&", label=name_step("&", names), reason=refuse(refusal, names))
    after = turn.at((*turn.steps, "&"))
    actions = _actions(after)
    detail = ""
    if actions:
        best = max(actions, key=lambda step: after.outcome(step).gain)
        change = after.points + after.outcome(best).gain - turn.points
        words = _("At best: %(way)s, points %(change)s")
        detail = words % {"way": _name_way(way_of(best)), "change": signed(change)}
    return Button(step="&", label=name_step("&", names), detail=detail)


def arrow_of(way: str, feet: str, view_turn: int) -> str:
    """Return the arrow of a way as it goes on the board as it is shown, where the pawn's left may be up."""
    shown = turned(feet, view_turn)
    left = LEFT[shown]
    sides = {"<": ARROWS[left], ">": ARROWS[OPPOSITE[left]]}
    match way[0]:
        case "S" | "L" | "H":
            return sides[way[1]]
        case "J":
            return sides[way[1]] + sides[way[2]]
        case "D":
            return ARROWS[shown]
        case "R" | "P":
            return {"+": "↻", "-": "↺", "=": "⇅"}[way[1]]
        case _:
            return ""
