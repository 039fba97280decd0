"""The player that weighs every turn it could play now, and looks one action further.

It reads rivals' cards only as what could be in their hands (the five less those face up), never which are.
"""

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from engine.contract import END
from engine.gravity.notation import STEPS, Simple
from engine.gravity.rules import apply_step, begin_turn, legal_steps
from engine.gravity.state import (
    BASE,
    LAST_STARS,
    NOTHING,
    OFF,
    TOKEN,
    Player,
    State,
    cards_bits,
)

SECOND_LOOKS: Final = 6
"""From so many first actions a second one is tried."""
CLOSE_LOOKS: Final = 12
"""So many of the best turns are compared closely."""

_LONG, _HIGH, _DROP, _ROTATE, _WILD = (cards_bits(card) for card in "LHDRW")
_TURN_TILE, _DOUBLE_JUMP, _TELEPORT = (cards_bits(card) for card in "PJT")
_WORTH: Final = {_LONG: 0.16, _HIGH: 0.18, _DROP: 0.12, _ROTATE: 0.2, _WILD: 0.34} | {
    _TURN_TILE: 0.4,
    _DOUBLE_JUMP: 0.5,
    _TELEPORT: 0.4,
}
"""What keeping a card is worth, in points."""
_FEW_CARDS: Final = (0.0, -0.6, -0.25, 0.0, 0.0, 0.0)
"""What so many cards in hand are worth beside that: someone down to one card can hardly choose."""
_SINGLE: Final = 0.2
"""A star without a partner may yet make a pair."""
_LONG_GAME: Final = 6
"""After so many rounds a player wants an end, and has whims: two that rob each other in turn would never stop."""
_NEXT: Final = 0.5
"""Points within reach of one's next action, as a share of points in hand: rivals play in between."""
_THREAT: Final = 0.7
"""Points within reach of a rival's next action, likewise."""
_STOLEN: Final = 2.2
"""An ejection: a thing from the victim for the mover."""


class _Line(NamedTuple):
    """A turn as far as it was thought through: its score at first sight, its steps, and the state they lead to."""

    score: float
    steps: tuple[str, ...]
    state: State


def greedy_turn(known: State, rng: Random) -> str:
    """Return the turn that scores best; ``rng`` decides between equals."""
    me = known.seat
    start = _steal(_Line(0.0, (), begin_turn(known)), me)
    lines = _actions(start, me)
    lines.sort(key=_score, reverse=True)
    for line in lines[:SECOND_LOOKS]:
        if line.state.players[me].loot[TOKEN]:
            spent = _Line(0.0, (*line.steps, "&"), apply_step(line.state, STEPS["&"]))
            lines += _actions(spent, me)
    if whim := _haste(known):
        lines = [line._replace(score=line.score + 3 * whim * rng.random()) for line in lines]
    lines.sort(key=_score, reverse=True)
    close = [(line.score + _outlook(line.state, me), line) for line in lines[:CLOSE_LOOKS]]
    best = max(score for score, _ in close)
    return " ".join(rng.choice([line for score, line in close if score > best - 1e-9]).steps)


def _score(line: _Line) -> float:
    return line.score


def _actions(line: _Line, me: int) -> list[_Line]:
    """Return the line continued by each action worth a thought, what is to be stolen chosen."""
    now = line.state
    cheapest = _cheapest(now.players[me].hand)
    lines = []
    for text in legal_steps(now):
        step = STEPS[text]
        # A simple move is the same with any card, so it lays the one that is missed least.
        if text != END and not (isinstance(step, Simple) and step.card != cheapest):
            lines.append(_steal(_Line(0.0, (*line.steps, text), apply_step(now, step)), me))
    return [_Line(_standing(done.state, me), done.steps, done.state) for done in lines]


def _cheapest(hand: int) -> int:
    """Return the card of a hand that is missed least."""
    return min((card for card in _WORTH if hand & card), key=_WORTH.__getitem__)


def _steal(line: _Line, me: int) -> _Line:
    """Return the line with each thing stolen that leaves the thief best off."""
    while line.state.victims:
        taken = [(text, apply_step(line.state, STEPS[text])) for text in legal_steps(line.state)]
        text, now = max(taken, key=lambda choice: _lead(choice[1], me))
        line = _Line(0.0, (*line.steps, text), now)
    return line


# At first sight


def _standing(state: State, me: int) -> float:
    """Return how well off a seat is at the end of its turn: its lead, its cards, and the game if it ends here."""
    hand = state.players[me].hand
    cards = sum(worth for card, worth in _WORTH.items() if hand & card) + _FEW_CARDS[(hand & BASE).bit_count()]
    return _lead(state, me) + cards + _ending(state, me) - _haste(state) * state.stars_left


def _haste(state: State) -> float:
    """Return how much a star left on the board is disliked, in points."""
    return 0.3 * max(0, state.round - _LONG_GAME)


def _lead(state: State, me: int) -> float:
    """Return points ahead of rivals: half the leader's and half their mean, so that the leader is the one to rob."""
    rivals = [_holding(player) for i, player in enumerate(state.players) if i != me and state.is_active(i)]
    return _holding(state.players[me]) - max(rivals) / 2 - sum(rivals) / len(rivals) / 2


def _holding(player: Player) -> float:
    return player.points + _SINGLE * sum(count % 2 for count in player.loot[:TOKEN])


def _ending(state: State, me: int) -> float:
    """Return a large bonus for winning and malus for losing if the game ends with this turn, else 0."""
    count = len(state.players)
    if state.next_active(me) > me:
        return 0.0
    if not (state.reached if state.setup.expert else state.stars_left <= LAST_STARS[count]):
        return 0.0

    def merit(index: int) -> tuple[int, int]:
        return state.players[index].points, -state.players[index].loot[TOKEN]

    return 50.0 if merit(me) >= max(merit(i) for i in range(count) if state.is_active(i)) else -50.0


# At a closer look


def _outlook(state: State, me: int) -> float:
    """Return what the next actions promise: the seat's own, less what the rivals could do before."""
    own = _NEXT * _promise(state, me, me, state.players[me].hand)
    rivals = [
        _promise(state, i, me, player.hand | player.face_down) * _certainty(player)
        for i, player in enumerate(state.players)
        if i != me and state.is_active(i)
    ]
    return own - _THREAT * (max(rivals) / 2 + sum(rivals) / len(rivals) / 2)


def _certainty(player: Player) -> float:
    """Return how likely a card is in a rival's hand that may lie face down as well."""
    held, hidden = (player.hand & BASE).bit_count(), player.face_down.bit_count()
    return 0.5 + 0.5 * held / max(held + hidden, 1)


def _promise(state: State, index: int, me: int, hand: int) -> float:
    """Return the most that a seat could win with its next action, not knowing what changes until then."""
    mover = state.players[index]
    star = 1.0 + (_haste(state) if index == me else 0.0)
    worth = [star + mover.loot[colour] % 2 * 0.8 for colour in range(TOKEN)]
    bare = 0.9 if state.supply else 0.0
    values = (0.0, *worth, 0.0, bare, *worth)  # by a space's content: the numbers from 8 have a replay symbol
    prey = {
        player.pawn >> 2: (_STOLEN if player.loot != NOTHING else 0.2) * (1.0 if me in {i, index} else 0.6)
        for i, player in enumerate(state.players)
        if i != index and player.pawn != OFF
    }
    cells = state.cells
    best = first = 0.0
    place = mover.pawn
    if place == OFF:
        place = state.board.doors[state.door]
        first = prey.get(place >> 2) or values[cells[place >> 2]]
    for path in _paths(state, place, hand):
        gain = 0.0
        for space in path:
            gain += prey[space] if space in prey else values[cells[space]]
        best = max(best, gain)
    return first + best


def _paths(state: State, place: int, hand: int) -> Iterator[tuple[int, ...]]:
    """Yield the spaces that each move of a hand enters."""
    path = state.board.path
    moves = ["S<", "S>"] if hand else []
    if hand & (_LONG | _WILD):
        moves += ("L<", "L>")
    if hand & (_HIGH | _WILD):
        moves += ("H<", "H>")
    if hand & (_DROP | _WILD):
        moves.append("D")
    if hand & _DOUBLE_JUMP:
        moves += ("J<<", "J<>", "J><", "J>>")
    for move in moves:
        if spaces := path(place, move):
            yield spaces
    if hand & (_ROTATE | _WILD):
        for quarters in (1, 2, 3):
            yield path(place & ~3 | (place + quarters) & 3, "") or ()
    if hand & _TELEPORT:
        yield (state.board.doors[state.door] >> 2,)
