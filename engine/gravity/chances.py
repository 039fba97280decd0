"""Every seat's chance to win, from one look at a position between turns: a model fitted to games of strong players.

Each seat gets a score, the weighted sum of what `features` says of it; chances are the softmax of the scores. Weights
depend on how much of the game is to come. They lie in ``chances.json``, which ``python -m engine learn`` makes.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import Final, TypedDict

from engine.gravity.board import Board
from engine.gravity.notation import STEPS, DoubleJump, Rotate, Simple, Special, Step
from engine.gravity.rules import ranking, wins_of
from engine.gravity.state import (
    BASE,
    CARDS,
    EXPERT_POINTS,
    GOODIES,
    LAST_STARS,
    NOTHING,
    OFF,
    REPLAY,
    STAR,
    TOKEN,
    State,
    cards_bits,
)

type Chances = tuple[float, ...]
"""Each seat's chance to win, in seat order, together 1."""

FEATURES: Final = (
    "points",
    "singles",
    "tokens",
    *(f"holds {card}" for card in CARDS),
    "one card",
    "two cards",
    "off the board",
    "moves in this round",
    "moves later",
    "reach, to move",
    "reach",
    "prey, to move",
    "prey",
    "hunted, to move",
    "hunted",
    "hunted twice",
)
"""What is said of each seat, in this order."""
KNOTS: Final = (0, 0.15, 0.4, 0.7, 1)
"""The parts of a whole game still to go at which weights are kept; between them they are interpolated."""
WHOLE: Final = {2: 18, 3: 36, 4: 36, 5: 56, 6: 56}
"""About the stars to go when a base game starts, by number of players."""

_TELEPORT: Final = cards_bits("T")


def _need(step: Step) -> int:
    """Return the card that a step lays, all cards for a simple move, 0 for what is no move or depends on more."""
    match step:
        case Simple():
            return BASE | GOODIES
        case Special(_, card) | Rotate(_, card):
            return card
        case DoubleJump():
            return cards_bits("J")
    return 0


_NEEDS: Final = {text: need for text, step in STEPS.items() if (need := _need(step))}


class Reach:
    """Where one action can lead on a board, as masks: eight bits a space, all set where the action enters it."""

    __slots__ = ("_actions", "_masks", "board")

    def __init__(self, board: Board) -> None:
        self.board = board
        self._actions: dict[int, Mapping[str, int]] = {}
        self._masks: dict[int, tuple[tuple[int, int], ...]] = {}

    def actions(self, place: int) -> Mapping[str, int]:
        """Return the mask of each action by its text, but of those that depend on more than the place."""
        try:
            return self._actions[place]
        except KeyError:
            found = self._actions[place] = {text: mask_of(self._path(place, text)) for text in _NEEDS}
            return found

    def _path(self, place: int, text: str) -> tuple[int, ...]:
        step = STEPS[text]
        match step:
            case Simple(move) | Special(move) | DoubleJump(move):
                return self.board.path(place, move) or ()
            case Rotate(quarters):
                return self.board.path(place & ~3 | (place + quarters) & 3, "") or ()
        raise AssertionError(text)

    def masks(self, place: int) -> tuple[tuple[int, int], ...]:
        """Return pairs of the cards of which one is needed, and the mask of spaces, of all actions from a place."""
        try:
            return self._masks[place]
        except KeyError:
            needs: dict[int, int] = {}
            for text, mask in self.actions(place).items():
                if mask:
                    needs[mask] = needs.get(mask, 0) | _NEEDS[text]
            found = self._masks[place] = tuple((need, mask) for mask, need in needs.items())
            return found


def mask_of(spaces: Iterable[int]) -> int:
    """Return the mask of spaces: eight bits each, all set."""
    mask = 0
    for space in spaces:
        mask |= 0xFF << 8 * space
    return mask


@lru_cache(maxsize=256)
def reach_of(board: Board) -> Reach:
    """Return the reach on a board, the same object for the same board."""
    return Reach(board)


@cache
def _worths(odd: int, supply: bool) -> bytes:  # noqa: FBT001 - the cache is fastest with positional arguments
    """Return the table from a space's content to as many bits as points that it brings who has these odd colours."""
    table = bytearray(256)
    for content in range(16):
        star = content & STAR
        if star:
            table[content] = 0b11 if odd >> (star - 1) & 1 else 0b1
        elif content & REPLAY and supply:
            table[content] = 0b1
    return bytes(table)


@lru_cache(maxsize=1 << 16)
def _holding(loot: tuple[int, ...]) -> tuple[int, int, int]:
    """Return points, number of colours of which there is an odd number, and these colours as bits."""
    odd = points = 0
    for colour, count in enumerate(loot[:TOKEN]):
        points += count + count // 2
        odd |= (count & 1) << colour
    return points + loot[TOKEN], odd.bit_count(), odd


@cache
def _cards(hand: int) -> tuple[float, ...]:
    """Return the features of a hand."""
    count = (hand & BASE).bit_count()
    return (*(float(hand >> i & 1) for i in range(len(CARDS))), float(count == 1), float(count == 2))


def spoils(state: State, index: int) -> tuple[int, int]:
    """Return what there is to win for a player: bits for the points in each space, and a mask of prey."""
    odd = _holding(state.players[index].loot)[2]
    worth = int.from_bytes(state.cells.translate(_worths(odd, state.supply > 0)), "little")
    prey = mask_of(
        player.pawn >> 2
        for other, player in enumerate(state.players)
        if other != index and player.pawn != OFF and player.loot != NOTHING
    )
    return worth, prey


def features(state: State) -> list[tuple[float, ...]]:
    """Return what `FEATURES` names of each seat; of retired seats, too, where it means nothing."""
    players, mover, cells, supply = state.players, state.seat, state.cells, state.supply > 0
    count = len(players)
    reach, door = reach_of(state.board), state.board.doors[state.door]
    targets = [0 if player.pawn < 0 or player.loot == NOTHING else 1 << 8 * (player.pawn >> 2) for player in players]
    prey = sum(targets)
    hunters = [0] * count
    found = []
    for index, player in enumerate(players):
        points, singles, odd = _holding(player.loot)
        best, seen = _in_reach(reach, player.pawn, player.hand, door, cells, odd, supply)
        hunted = seen & prey & ~targets[index]
        if hunted:
            for other, target in enumerate(targets):
                if target & hunted:
                    hunters[other] += 1
        hand = (
            float(points),
            float(singles),
            float(player.loot[TOKEN]),
            *_cards(player.hand),
            float(player.pawn == OFF),
        )
        if index == mover:
            found.append((*hand, 1.0, 0.0, float(best), 0.0, float(hunted > 0), 0.0))
        else:
            later = (index - mover) % count / count
            found.append((*hand, float(index > mover), later, 0.0, float(best), 0.0, float(hunted > 0)))
    return [
        (*said, float(number > 0), 0.0, 0.0) if index == mover else (*said, 0.0, float(number > 0), float(number > 1))
        for index, (said, number) in enumerate(zip(found, hunters, strict=True))
    ]


@lru_cache(maxsize=1 << 15)
def _in_reach(  # noqa: PLR0917 - the cache is fastest with positional arguments
    reach: Reach,
    place: int,
    hand: int,
    door: int,
    cells: bytes,
    odd: int,
    supply: bool,  # noqa: FBT001 - the same
) -> tuple[int, int]:
    """Return the most points that the next action brings who has these odd colours, and a mask of what it can enter."""
    worth = int.from_bytes(cells.translate(_worths(odd, supply)), "little")
    first = best = seen = 0
    at_door = 0xFF << 8 * (door >> 2)
    if place < 0:
        place, seen = door, at_door
        first = (worth & at_door).bit_count()
    elif hand & _TELEPORT:
        seen = at_door
        best = (worth & at_door).bit_count()
    for need, mask in reach.masks(place):
        if need & hand:
            seen |= mask
            points = (worth & mask).bit_count()
            if points > best:  # noqa: PLR1730 - a call of max would cost more than all else here
                best = points
    return first + best, seen


def to_go(state: State) -> int:
    """Return how much of the game is to come: stars, or in the expert game points of whoever has most."""
    count = len(state.players)
    if state.setup.expert:
        best = max(_holding(player.loot)[0] for player in state.players)
        return 0 if state.reached else max(0, EXPERT_POINTS[count] - best)
    return max(0, state.stars_left - LAST_STARS[count])


def final_shares(state: State) -> Chances:
    """Return each seat's share of the win in a finished game."""
    return wins_of(ranking(state))


class Model:
    """Weights for a number of seats and a kind of game."""

    __slots__ = ("_tables",)

    def __init__(self, tables: list[tuple[float, ...]]) -> None:
        """Take the weights of `FEATURES` for each number that `to_go` may return, from 0 to that of a whole game."""
        self._tables = tables

    def heeding(self, names: Container[str]) -> "Model":
        """Return a model that knows of those features alone."""
        return Model(
            [
                tuple([weight if name in names else 0.0 for name, weight in zip(FEATURES, weights, strict=True)])
                for weights in self._tables
            ]
        )

    def chances(self, state: State) -> Chances:
        """Return each seat's chance to win, together 1."""
        if state.finished:
            return final_shares(state)
        weights = self._tables[min(to_go(state), len(self._tables) - 1)]
        scores = [sum(map(mul, weights, seat)) for seat in features(state)]
        return softmax(scores, without=state.retired)


def softmax(scores: Sequence[float], without: Iterable[int] = ()) -> Chances:
    """Return the chances that follow from the scores of seats; those ``without``, by their indices, have none."""
    top = max(scores)
    powers = [exp(score - top) for score in scores]
    for index in without:
        powers[index] = 0.0
    total = sum(powers)
    return tuple([power / total for power in powers])


def interpolated(knots: Sequence[Sequence[float]], whole: int) -> list[tuple[float, ...]]:
    """Return weights for each number of things to go in a whole game, from those at each of `KNOTS`."""
    return [
        tuple([sum(part * knots[knot][k] for knot, part in between(number, whole)) for k in range(len(FEATURES))])
        for number in range(whole + 1)
    ]


def between(number: int, whole: int) -> tuple[tuple[int, float], ...]:
    """Return the knots around a number of things to go, each with its part in it."""
    share = min(number / whole, 1)
    index = max(i for i in range(len(KNOTS) - 1) if KNOTS[i] <= share)
    part = (share - KNOTS[index]) / (KNOTS[index + 1] - KNOTS[index])
    return (index, 1 - part), (index + 1, part)


def whole_game(count: int, *, expert: bool) -> int:
    """Return about what `to_go` says at the start of a game."""
    return EXPERT_POINTS[count] if expert else WHOLE[count]


def key_of(count: int, *, expert: bool) -> str:
    """Return the name of a model in the data file: the number of seats, and a letter for the kind of game."""
    return f"{count}{'x' if expert else 'b'}"


class Stored(TypedDict):
    """The data file: for each kind of game (see `key_of`) its weights, and the command that made them."""

    commands: dict[str, str]
    weights: dict[str, list[list[float]]]


def stored() -> Stored:
    """Return what the data file holds."""
    found: Stored = json.loads((files("engine.gravity") / "chances.json").read_text("ascii"))
    return found


@cache
def model_of(count: int, expert: bool) -> Model:  # noqa: FBT001 - the cache is fastest with positional arguments
    """Return the stored model for games of that many seats."""
    knots = stored()["weights"][key_of(count, expert=expert)]
    return Model(interpolated(knots, whole_game(count, expert=expert)))


def chances(state: State) -> Chances:
    """Return each seat's chance to win in a state between turns, together 1; it looks at all cards."""
    return model_of(len(state.players), state.setup.expert).chances(state)
