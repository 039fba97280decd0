"""The player that scores every turn it could play now, and looks one action further.

Of its rivals' cards it uses only which ones could be in their hands (the five less those face up).
"""

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from engine.contract import END
from engine.gravity.notation import STEPS, Simple
from engine.gravity.rules import apply_step, begin_turn, legal_steps
from engine.gravity.setup import GOODIE_CARDS
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
"""The number of best first actions after which a second one is tried."""
CLOSE_LOOKS: Final = 12
"""The number of best turns that are compared closely."""

_LONG, _HIGH, _DROP, _ROTATE, _WILD = (cards_bits(card) for card in "LHDRW")
_DOUBLE_JUMP, _TELEPORT = (cards_bits(card) for card in "JT")
_WORTH: Final = (
    {_LONG: 0.16, _HIGH: 0.18, _DROP: 0.12, _ROTATE: 0.2, _WILD: 0.34}
    | dict.fromkeys(map(cards_bits, GOODIE_CARDS), 0.4)
    | {_DOUBLE_JUMP: 0.5}
)
"""The value of keeping a card, in points."""
_FEW_CARDS: Final = (0.0, -0.6, -0.25, 0.0, 0.0, 0.0)
"""The additional value of a hand by its number of cards: with one card left there is hardly any choice."""
_SINGLE: Final = 0.2
"""The value of a star without a partner: it may yet become one of a pair."""
_LONG_GAME: Final = 6
"""After this many rounds haste and randomness set in: two players who rob each other in turn would never stop."""
_NEXT: Final = 0.5
"""The weight of points within reach of the next action: rivals play in between."""
_THREAT: Final = 0.7
"""The weight of points within reach of a rival's next action."""
_STOLEN: Final = 2.2
"""The value of an ejection: the mover wins something and the victim loses it."""


class _Line(NamedTuple):
    """The beginning of a turn: its score at first sight, its steps, and the state they lead to."""

    score: float
    steps: tuple[str, ...]
    state: State


def greedy_turn(known: State, rng: Random) -> str:
    """Return the turn with the best score; ``rng`` breaks ties."""
    me = known.seat
    start = _steal(_Line(0.0, (), begin_turn(known)), me)
    lines = _actions(start, me)
    lines.sort(key=_score, reverse=True)
    for line in lines[:SECOND_LOOKS]:
        if line.state.players[me].loot[TOKEN]:
            spent = _Line(0.0, (*line.steps, "&"), apply_step(line.state, STEPS["&"]))
            lines += _actions(spent, me)
    if haste := _haste(known):
        lines = [line._replace(score=line.score + 3 * haste * rng.random()) for line in lines]
    lines.sort(key=_score, reverse=True)
    close = [(line.score + _outlook(line.state, me), line) for line in lines[:CLOSE_LOOKS]]
    best = max(score for score, _ in close)
    return " ".join(rng.choice([line for score, line in close if score > best - 1e-9]).steps)


def _score(line: _Line) -> float:
    return line.score


def _actions(line: _Line, me: int) -> list[_Line]:
    """Return the line continued by each action worth considering, with its steals chosen."""
    now = line.state
    cheapest = _cheapest(now.players[me].hand)
    lines = []
    for text in legal_steps(now):
        step = STEPS[text]
        # A simple move is the same with any card, so it lays the least valuable one.
        if text != END and not (isinstance(step, Simple) and step.card != cheapest):
            lines.append(_steal(_Line(0.0, (*line.steps, text), apply_step(now, step)), me))
    return [_Line(_standing(done.state, me), done.steps, done.state) for done in lines]


def _cheapest(hand: int) -> int:
    """Return the least valuable card of a hand."""
    return min((card for card in _WORTH if hand & card), key=_WORTH.__getitem__)


def _steal(line: _Line, me: int) -> _Line:
    """Return the line with the best choice for each steal."""
    while line.state.victims:
        taken = [(text, apply_step(line.state, STEPS[text])) for text in legal_steps(line.state)]
        text, now = max(taken, key=lambda choice: _lead(choice[1], me))
        line = _Line(0.0, (*line.steps, text), now)
    return line


# At first sight


def _standing(state: State, me: int) -> float:
    """Return the value of a position for a seat after its turn: its lead, its cards, and the game if it ends here."""
    hand = state.players[me].hand
    cards = sum(worth for card, worth in _WORTH.items() if hand & card) + _FEW_CARDS[(hand & BASE).bit_count()]
    return _lead(state, me) + cards + _ending(state, me) - _haste(state) * state.stars_left


def _haste(state: State) -> float:
    """Return the penalty for each star left on the board, in points."""
    return 0.3 * max(0, state.round - _LONG_GAME)


def _lead(state: State, me: int) -> float:
    """Return the lead over rivals, half over the best and half over their mean, so that the leader is robbed first."""
    rivals = [_holding(player) for i, player in enumerate(state.players) if i != me and state.is_active(i)]
    return _holding(state.players[me]) - max(rivals) / 2 - sum(rivals) / len(rivals) / 2


def _holding(player: Player) -> float:
    return player.points + _SINGLE * sum(count % 2 for count in player.loot[:TOKEN])


def _ending(state: State, me: int) -> float:
    """Return a large bonus for winning or penalty for losing if the game ends with this turn, else 0."""
    count = len(state.players)
    if state.next_active(me) > me:
        return 0.0
    if not (state.reached if state.setup.expert else state.stars_left <= LAST_STARS[count]):
        return 0.0

    def merit(index: int) -> tuple[int, int]:
        return state.players[index].points, -state.players[index].loot[TOKEN]

    return 50.0 if merit(me) >= max(merit(i) for i in range(count) if state.is_active(i)) else -50.0


# On closer inspection


def _outlook(state: State, me: int) -> float:
    """Return the value of the next actions: the seat's own, less what rivals could do before it."""
    own = _NEXT * _promise(state, me, me, state.players[me].hand)
    rivals = [
        _promise(state, i, me, player.hand | player.face_down) * _certainty(player)
        for i, player in enumerate(state.players)
        if i != me and state.is_active(i)
    ]
    return own - _THREAT * (max(rivals) / 2 + sum(rivals) / len(rivals) / 2)


def _certainty(player: Player) -> float:
    """Return how likely it is that a card which may lie face down is in a rival's hand."""
    held, hidden = (player.hand & BASE).bit_count(), player.face_down.bit_count()
    return 0.5 + 0.5 * held / max(held + hidden, 1)


def _promise(state: State, index: int, me: int, hand: int) -> float:
    """Return the most that a seat could win with its next action if nothing changed until then."""
    mover = state.players[index]
    star = 1.0 + (_haste(state) if index == me else 0.0)
    worth = [star + mover.loot[colour] % 2 * 0.8 for colour in range(TOKEN)]
    bare = 0.9 if state.supply else 0.0
    values = (0.0, *worth, 0.0, bare, *worth)  # by the content of a space: from 8 on with a replay symbol
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
