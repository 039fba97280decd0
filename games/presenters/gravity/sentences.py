"""The words of Gravity Superstar: what happened, what a step does, why one is refused. All in the active language."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.contract import Event
from engine.errors import RulesError
from engine.gravity.codes import GravityCode
from engine.gravity.events import EventKind
from engine.gravity.setup import GOODIE_CARDS
from games.presenters.gravity.space import label_space, parse_pawn, parse_space
from games.presenters.gravity.view import EventParams, GravityView, read_params, read_refusal
from games.words.lists import list_words
from games.words.refusals import explain

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CARD_NAMES: Final[Mapping[str, "_StrPromise"]] = {
    "L": gettext_lazy("Long jump"),
    "H": gettext_lazy("High jump"),
    "D": gettext_lazy("Drop"),
    "R": gettext_lazy("Rotate"),
    "W": gettext_lazy("Wild"),
    "P": gettext_lazy("Turn a tile"),
    "J": gettext_lazy("Double jump"),
    "T": gettext_lazy("Teleport"),
    "?": gettext_lazy("a hidden card"),
}
ITEM_NAMES: Final[Mapping[str, "_StrPromise"]] = {
    "b": gettext_lazy("blue star"),
    "y": gettext_lazy("yellow star"),
    "p": gettext_lazy("pink star"),
    "g": gettext_lazy("green star"),
    "o": gettext_lazy("orange star"),
    "w": gettext_lazy("white star"),
    "r": gettext_lazy("replay token"),
}
FEET_NAMES: Final[Mapping[str, "_StrPromise"]] = {
    "N": gettext_lazy("feet up"),
    "E": gettext_lazy("feet to the right"),
    "S": gettext_lazy("feet down"),
    "W": gettext_lazy("feet to the left"),
}

STEP_NAMES: Final[Mapping[str, "_StrPromise"]] = {
    "C": gettext_lazy("Complete your hand"),
    "S<": gettext_lazy("Simple move to the left, laying %(card)s"),
    "S>": gettext_lazy("Simple move to the right, laying %(card)s"),
    "S<G": gettext_lazy("Simple move to the left, passing on %(card)s"),
    "S>G": gettext_lazy("Simple move to the right, passing on %(card)s"),
    "L<": gettext_lazy("Long jump to the left"),
    "L>": gettext_lazy("Long jump to the right"),
    "H<": gettext_lazy("High jump to the left"),
    "H>": gettext_lazy("High jump to the right"),
    "D": gettext_lazy("Drop"),
    "R+": gettext_lazy("Rotate a quarter turn clockwise"),
    "R-": gettext_lazy("Rotate a quarter turn counter-clockwise"),
    "R=": gettext_lazy("Rotate a half turn"),
    "WL<": gettext_lazy("Long jump to the left with the wild card"),
    "WL>": gettext_lazy("Long jump to the right with the wild card"),
    "WH<": gettext_lazy("High jump to the left with the wild card"),
    "WH>": gettext_lazy("High jump to the right with the wild card"),
    "WD": gettext_lazy("Drop with the wild card"),
    "WR+": gettext_lazy("Rotate a quarter turn clockwise with the wild card"),
    "WR-": gettext_lazy("Rotate a quarter turn counter-clockwise with the wild card"),
    "WR=": gettext_lazy("Rotate a half turn with the wild card"),
    "P+": gettext_lazy("Turn the tile by a quarter turn clockwise"),
    "P-": gettext_lazy("Turn the tile by a quarter turn counter-clockwise"),
    "P=": gettext_lazy("Turn the tile by a half turn"),
    "J<<": gettext_lazy("Double jump: left, then left"),
    "J<>": gettext_lazy("Double jump: left, then right"),
    "J><": gettext_lazy("Double jump: right, then left"),
    "J>>": gettext_lazy("Double jump: right, then right"),
    "T": gettext_lazy("Teleport to the open door"),
    "&": gettext_lazy("Spend a replay token for a second action"),
}
"""What a step is called on a button; a steal is named by `name_step`."""

_NARRATED: Final[Mapping[str, "_StrPromise"]] = {
    "C": gettext_lazy("%(player)s completes their hand."),
    "S<": gettext_lazy("%(player)s moves one space left, laying face down: %(card)s."),
    "S>": gettext_lazy("%(player)s moves one space right, laying face down: %(card)s."),
    "S<?": gettext_lazy("%(player)s moves one space left, laying a card face down."),
    "S>?": gettext_lazy("%(player)s moves one space right, laying a card face down."),
    "S<G": gettext_lazy("%(player)s moves one space left with the goodie %(card)s."),
    "S>G": gettext_lazy("%(player)s moves one space right with the goodie %(card)s."),
    "L<": gettext_lazy("%(player)s makes a long jump to the left."),
    "L>": gettext_lazy("%(player)s makes a long jump to the right."),
    "H<": gettext_lazy("%(player)s makes a high jump to the left."),
    "H>": gettext_lazy("%(player)s makes a high jump to the right."),
    "D": gettext_lazy("%(player)s drops through the platform."),
    "R+": gettext_lazy("%(player)s rotates a quarter turn clockwise."),
    "R-": gettext_lazy("%(player)s rotates a quarter turn counter-clockwise."),
    "R=": gettext_lazy("%(player)s rotates a half turn."),
    "WL<": gettext_lazy("%(player)s makes a long jump to the left with the wild card."),
    "WL>": gettext_lazy("%(player)s makes a long jump to the right with the wild card."),
    "WH<": gettext_lazy("%(player)s makes a high jump to the left with the wild card."),
    "WH>": gettext_lazy("%(player)s makes a high jump to the right with the wild card."),
    "WD": gettext_lazy("%(player)s drops through the platform with the wild card."),
    "WR+": gettext_lazy("%(player)s rotates a quarter turn clockwise with the wild card."),
    "WR-": gettext_lazy("%(player)s rotates a quarter turn counter-clockwise with the wild card."),
    "WR=": gettext_lazy("%(player)s rotates a half turn with the wild card."),
    "P+": gettext_lazy("%(player)s turns the tile by a quarter turn clockwise."),
    "P-": gettext_lazy("%(player)s turns the tile by a quarter turn counter-clockwise."),
    "P=": gettext_lazy("%(player)s turns the tile by a half turn."),
    "J<<": gettext_lazy("%(player)s makes a double jump: left, then left."),
    "J<>": gettext_lazy("%(player)s makes a double jump: left, then right."),
    "J><": gettext_lazy("%(player)s makes a double jump: right, then left."),
    "J>>": gettext_lazy("%(player)s makes a double jump: right, then right."),
    "T": gettext_lazy("%(player)s teleports to the open door."),
}

_REFUSALS: Final[Mapping[str, "_StrPromise"]] = {
    GravityCode.CARD_NOT_IN_HAND: gettext_lazy("The card %(card)s is not in your hand."),
    GravityCode.NOTHING_TO_COMPLETE: gettext_lazy("No card lies in front of you."),
    GravityCode.ALREADY_ON_DOOR: gettext_lazy("You are already standing on the open door."),
    GravityCode.NO_TOKEN: gettext_lazy("You have no replay token."),
    GravityCode.REPLAY_USED: gettext_lazy("Only one replay token can be spent per turn."),
    GravityCode.STEAL_FIRST: gettext_lazy("First choose what to steal from %(victim)s."),
    GravityCode.NOTHING_TO_STEAL: gettext_lazy("There is nothing to steal: no ejected player has anything."),
    GravityCode.WRONG_VICTIM: gettext_lazy("%(expected)s was ejected first: steal from %(expected)s first."),
    GravityCode.NOT_IN_LOOT: gettext_lazy("%(victim)s doesn't have: %(item)s."),
    GravityCode.ACTION_FIRST: gettext_lazy("Take your first action before you spend a replay token."),
}

_BLOCKED: Final[Mapping[str, "_StrPromise"]] = {
    "N": gettext_lazy("A platform is in the way, above %(space)s."),
    "E": gettext_lazy("A platform is in the way, to the right of %(space)s."),
    "S": gettext_lazy("A platform is in the way, below %(space)s."),
    "W": gettext_lazy("A platform is in the way, to the left of %(space)s."),
}

REFUSALS: Final[Mapping[str, "_StrPromise"]] = {**_REFUSALS, GravityCode.BLOCKED: _BLOCKED["N"]}
"""A sentence for each code of the game: of the four for a platform in the way, one."""

_ENDINGS: Final[Mapping[str, "_StrPromise"]] = {
    "stars": gettext_lazy("Few enough stars are left on the board: the game is over."),
    "points": gettext_lazy("The target score was reached: the game is over."),
    "last-seat": gettext_lazy("Only one player is left: the game is over."),
}


def name_step(step: str, names: Sequence[str]) -> str:
    """Return what a step is called on a button or in a list. ``names`` are those of the seats, in seat order."""
    if step[0] == "x":
        return _("Steal from %(victim)s: %(item)s") % {
            "victim": names[int(step[1]) - 1],
            "item": ITEM_NAMES[step[2]],
        }
    if step[0] == "S":
        return STEP_NAMES[step[:2] + ("G" if step[3] in GOODIE_CARDS else "")] % {"card": CARD_NAMES[step[3]]}
    return str(STEP_NAMES[step])


def name_briefly(step: str, names: Sequence[str]) -> str:
    """Return what a step is called where the card that was laid does not matter, or is hidden."""
    match step[:2]:
        case "S<":
            return _("Simple move to the left")
        case "S>":
            return _("Simple move to the right")
        case _:
            return name_step(step, names)


def narrate(events: Sequence[Event], turn: str, names: Sequence[str]) -> list[str]:
    """Return what happened as whole sentences. ``turn`` is the turn's text as the reader may see it, or empty."""
    return [sentence for due in narrate_along(events, turn, names) for sentence in due]


def narrate_along(events: Sequence[Event], turn: str, names: Sequence[str]) -> list[list[str]]:
    """Return the same sentences one list an event, each where it comes up, and those that are left in a last list.

    An action is announced with its card, before the pawn moves; where a journey led is said when it is over.
    """
    return list(_Narrator(names, turn).narrate(events))


def refuse(error: RulesError, names: Sequence[str]) -> str:
    """Return why a step is refused, as a sentence to the one who tried it."""
    params = read_refusal(error)
    if error.code == GravityCode.BLOCKED:
        return _BLOCKED[params["side"]] % {"space": label_space(params["x"], params["y"])}
    words = _REFUSALS.get(error.code.value)
    if words is None:
        return explain(error)
    victim = int(params["victims"][0]) if "victims" in params else params.get("victim")
    expected, card, item = params.get("expected"), params.get("card"), params.get("item")
    return words % {
        "victim": "" if victim is None else names[victim - 1],
        "expected": "" if expected is None else names[expected - 1],
        "card": "" if card is None else CARD_NAMES[card],
        "item": "" if item is None else ITEM_NAMES[item],
    }


def describe_position(view: GravityView, names: Sequence[str]) -> list[str]:
    """Return the board in words, for those who can't see it: pawns, open door, stars row by row, replay symbols."""
    lines = []
    for seat, pawn in enumerate(view["pawns"]):
        if seat + 1 in view["retired"]:
            continue
        if pawn is None:
            lines.append(_("%(player)s is off the board.") % {"player": names[seat]})
            continue
        x, y, feet = parse_pawn(pawn)
        where = {"player": names[seat], "space": label_space(x, y), "feet": FEET_NAMES[feet]}
        lines.append(_("%(player)s stands on %(space)s, %(feet)s.") % where)
    x, y, feet = parse_pawn(view["doors"][view["open_door"]])
    lines.append(_("The open door is on %(space)s, %(feet)s.") % {"space": label_space(x, y), "feet": FEET_NAMES[feet]})
    for y, row in enumerate(view["stars"]):
        stars = [
            _("%(space)s %(item)s") % {"space": label_space(x, y), "item": ITEM_NAMES[colour]}
            for x, colour in enumerate(row)
            if colour != "."
        ]
        if stars:
            lines.append(_("Row %(row)s: %(stars)s.") % {"row": y + 1, "stars": list_words(stars)})
    spaces = [label_space(*parse_space(space)) for space in view["replay"]]
    if spaces:
        lines.append(_("Replay symbols: %(spaces)s.") % {"spaces": list_words(spaces)})
    return lines


def describe_space(view: GravityView, x: int, y: int, names: Sequence[str]) -> str:
    """Return what can be seen on one space, for the label of its button; empty for a bare space."""
    found = [
        _("%(player)s's pawn") % {"player": names[seat]}
        for seat, pawn in enumerate(view["pawns"])
        if pawn is not None and parse_pawn(pawn)[:2] == (x, y)
    ]
    colour = view["stars"][y][x]
    if colour != ".":
        found.append(str(ITEM_NAMES[colour]))
    if f"{x},{y}" in view["replay"]:
        found.append(_("replay symbol"))
    for tile, door in enumerate(view["doors"]):
        if parse_pawn(door)[:2] == (x, y):
            found.append(_("open door") if tile == view["open_door"] else _("door"))
    return list_words(found)


type CardEvent = Literal[EventKind.EJECTED, EventKind.LAID, EventKind.PASSED, EventKind.CARDS_RETURNED]
type PawnEvent = Literal[EventKind.PLACED, EventKind.STOLE, EventKind.TOKEN_SPENT]
type GameEvent = Literal[EventKind.RETIRED, EventKind.ROUND_ENDED, EventKind.GAME_ENDED]


class _Narrator:
    """Walks through a turn's events and gathers what belongs in one sentence: a fall, a catch of several things."""

    def __init__(self, names: Sequence[str], turn: str) -> None:
        self.names = names
        self.actions = iter([step for step in turn.split() if step[0] not in "x&"])
        self.announced = False
        self._clear()

    def _clear(self) -> None:
        self.items: list[str] = []
        self.place: str | None = None
        self.fallen = 0
        self.wrapped = False
        self.door_moved = False

    def narrate(self, events: Sequence[Event]) -> Iterator[list[str]]:
        for event in events:
            yield list(self._narrate_event(EventKind(event.kind), read_params(event), event.seat))
        yield list(self._end_journey())

    def _name(self, seat: int | None) -> str:
        return "" if seat is None else self.names[seat - 1]

    def _narrate_event(self, kind: EventKind, params: EventParams, seat: int | None) -> Iterator[str]:
        """Gather what belongs to the journey; narrate the rest at once."""
        match kind:
            case EventKind.MOVED:
                self.place, self.fallen = label_space(params["x"], params["y"]), 0
            case EventKind.FELL:
                self.place, self.fallen = label_space(params["x"], params["y"]), self.fallen + 1
            case EventKind.WRAPPED:
                self.wrapped = True
            case EventKind.DOOR_MOVED:
                self.door_moved = True
            case EventKind.COLLECTED:
                self.items.append(str(ITEM_NAMES[params["item"]]))
            case EventKind.EJECTED | EventKind.LAID | EventKind.PASSED | EventKind.CARDS_RETURNED:
                yield from self._narrate_cards(kind, params, {"player": self._name(seat)})
            case EventKind.ROTATED | EventKind.TILE_TURNED | EventKind.TELEPORTED:
                pass  # the step that does it is announced
            case EventKind.PLACED | EventKind.STOLE | EventKind.TOKEN_SPENT:
                yield from self._end_journey()
                yield from self._narrate_pawn(kind, params, {"player": self._name(seat)})
            case EventKind.RETIRED | EventKind.ROUND_ENDED | EventKind.GAME_ENDED:
                yield from self._end_journey()
                yield _narrate_game(kind, params, {"player": self._name(seat)})
            case _:
                assert_never(kind)

    def _narrate_cards(self, kind: CardEvent, params: EventParams, player: Mapping[str, str]) -> Iterator[str]:
        match kind:
            case EventKind.EJECTED:
                yield _("%(player)s ejects %(victim)s.") % {**player, "victim": self._name(params["victim"])}
            case EventKind.LAID:
                yield from self._announce(player)
            case EventKind.PASSED:
                if not self.announced:
                    yield from self._announce(player)
                given = {"card": CARD_NAMES[params["card"] or "?"], "heir": self._name(params["to"])}
                yield _("The goodie %(card)s goes to %(heir)s.") % given
            case EventKind.CARDS_RETURNED:
                yield from self._narrate_return(params, player)
            case _:
                assert_never(kind)

    def _announce(self, player: Mapping[str, str]) -> Iterator[str]:
        yield from self._end_journey()
        self.announced = True
        step = next(self.actions, None)
        if step is None:
            return
        if step[0] != "S":
            yield _NARRATED[step] % player
            return
        card = step[3]
        key = step[:2] + ("?" if card == "?" else "G" if card in GOODIE_CARDS else "")
        yield _NARRATED[key] % {**player, "card": CARD_NAMES[card]}

    def _narrate_return(self, params: EventParams, player: Mapping[str, str]) -> Iterator[str]:
        if params["why"] == "complete":
            yield from self._announce(player)
        elif params["why"] == "empty":
            yield _("The hand was empty: %(player)s takes all cards back.") % player
        else:
            count = params["count"]
            words = ngettext("%(player)s takes %(count)s card back.", "%(player)s takes %(count)s cards back.", count)
            yield words % {**player, "count": count}

    def _narrate_pawn(self, kind: PawnEvent, params: EventParams, player: Mapping[str, str]) -> Iterator[str]:
        match kind:
            case EventKind.PLACED:
                place = label_space(params["x"], params["y"])
                yield _("%(player)s enters through the open door at %(space)s.") % {**player, "space": place}
            case EventKind.STOLE:
                taken = {"victim": self._name(params["victim"]), "item": ITEM_NAMES[params["item"]]}
                yield _("%(player)s steals from %(victim)s: %(item)s.") % {**player, **taken}
            case EventKind.TOKEN_SPENT:
                self.announced = False
                yield _("%(player)s spends a replay token for a second action.") % player
            case _:
                assert_never(kind)

    def _end_journey(self) -> Iterator[str]:
        """Say where the moves and falls so far led, and what was gathered on the way."""
        place, fallen, items, wrapped, door_moved = self.place, self.fallen, self.items, self.wrapped, self.door_moved
        self._clear()
        if wrapped:
            yield _("The pawn leaves over the edge and comes back in on the opposite side.")
        if place is not None and fallen:
            words = ngettext(
                "The pawn falls %(count)s space to %(space)s.", "The pawn falls %(count)s spaces to %(space)s.", fallen
            )
            yield words % {"count": fallen, "space": place}
        elif place is not None:
            yield _("The move ends on %(space)s.") % {"space": place}
        if items:
            yield _("Collected: %(items)s.") % {"items": list_words(items)}
        if door_moved:
            yield _("The open door moves on.")


def _narrate_game(kind: GameEvent, params: EventParams, player: Mapping[str, str]) -> str:
    match kind:
        case EventKind.RETIRED:
            return _("%(player)s leaves the game.") % player
        case EventKind.ROUND_ENDED:
            return _("Round %(round)s is over.") % {"round": params["round"]}
        case EventKind.GAME_ENDED:
            return str(_ENDINGS[params["why"]])
        case _:
            assert_never(kind)
