"""The player that scores every turn it could play now, and looks one action further.

Of its rivals' cards it uses only which ones could be in their hands (the five less those face up). What it lays face
down itself is drawn when all that others see of the turn is settled, evenly from the cards that the turn does not need.
Until then a simple move is judged by the mean of them, so that nothing that is seen depends on the card lying there.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from engine.contract import END
from engine.gravity.bots.face_down import draw_cards, shown_card
from engine.gravity.notation import (
    STEPS,
    Complete,
    Simple,
    Step,
)
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
_TURN_TILE, _DOUBLE_JUMP, _TELEPORT = (cards_bits(card) for card in "PJT")
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


class Line(NamedTuple):
    """The beginning of a turn: its score at first sight, its steps, and the state they lead to.

    Which of several cards a simple move lays is open. Its step names one, and in the state all are still in the hand;
    ``hands`` are those that it may leave, all as likely.
    """

    score: float
    steps: tuple[str, ...]
    state: State
    hands: tuple[int, ...]


def greedy_turn(known: State, rng: Random) -> str:
    """Return the turn with the best score; ``rng`` breaks ties and draws what is laid face down."""
    close = scored_lines(known, rng)
    best = max(score for score, _ in close)
    chosen = rng.choice([line for score, line in close if score > best - 1e-9])
    return draw_cards(begin_turn(known), chosen.steps, rng)


def scored_lines(known: State, rng: Random) -> list[tuple[float, Line]]:
    """Return the turns that are compared closely, with their scores, the best at first sight first.

    In long games ``rng`` moves the scores.
    """
    me = known.seat
    placed = begin_turn(known)
    start = _steal(Line(0.0, (), placed, (known.players[me].hand,)), me)
    lines = _actions(start, me)
    lines.sort(key=_score, reverse=True)
    for line in lines[:SECOND_LOOKS]:
        if line.state.players[me].loot[TOKEN]:
            spent = line._replace(steps=(*line.steps, "&"), state=apply_step(line.state, STEPS["&"]))
            lines += _actions(spent, me)
    if haste := _haste(known):
        lines = [line._replace(score=line.score + 3 * haste * rng.random()) for line in lines]
    lines.sort(key=_score, reverse=True)
    return [(line.score + _outlook(line, me), line) for line in lines[:CLOSE_LOOKS]]


def _score(line: Line) -> float:
    return line.score


def _actions(line: Line, me: int) -> list[Line]:
    """Return the line continued by each action worth considering, with its steals chosen."""
    now = line.state
    mover = now.players[me]
    named = mover.hand & -mover.hand
    lines = []
    for text in legal_steps(now):
        step = STEPS[text]
        if text == END or (isinstance(step, Simple) and step.card != named):
            continue
        after = apply_step(now, step)
        if isinstance(step, Simple) and (mover.hand & BASE).bit_count() > 1:
            after = _with_hand(after, me, mover.hand)
        hands = tuple({left for hand in line.hands for left in _hands_left(hand, step)})
        done = _steal(Line(0.0, (*line.steps, text), after, hands), me)
        lines.append(done._replace(score=_standing(done, me)))
    return lines


def _with_hand(state: State, me: int, hand: int) -> State:
    mover = state.players[me]
    changed = Player(mover.pawn, hand, mover.face_up, mover.face_down, mover.loot)
    return replace(state, players=(*state.players[:me], changed, *state.players[me + 1 :]))


def _hands_left(hand: int, step: Step) -> Iterator[int]:
    """Yield what may be left of a hand after an action; nothing if it lacks the card."""
    shown = shown_card(step)
    if isinstance(step, Complete):
        yield hand | BASE
    elif not shown:
        yield from (hand & ~card or BASE for card in _cards(hand & BASE))
    elif hand & shown:
        yield hand & ~shown or BASE


def _cards(pile: int) -> list[int]:
    return [card for card in _WORTH if pile & card]


def _steal(line: Line, me: int) -> Line:
    """Return the line with the best choice for each steal."""
    while line.state.victims:
        taken = [(text, apply_step(line.state, STEPS[text])) for text in legal_steps(line.state)]
        text, now = max(taken, key=lambda choice: _lead(choice[1], me))
        line = line._replace(steps=(*line.steps, text), state=now)
    return line


# At first sight


def _standing(line: Line, me: int) -> float:
    """Return the value of a position for a seat after its turn: its lead, its cards, and the game if it ends here."""
    state = line.state
    return _lead(state, me) + fmean(map(_keeping, line.hands)) + _ending(state, me) - _haste(state) * state.stars_left


def _keeping(hand: int) -> float:
    """Return the value of a hand."""
    return sum(_WORTH[card] for card in _cards(hand)) + _FEW_CARDS[(hand & BASE).bit_count()]


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


def _outlook(line: Line, me: int) -> float:
    """Return the value of the next actions: the seat's own, less what rivals could do before it."""
    state = line.state
    own = _NEXT * fmean(_promise(state, me, me, hand) for hand in line.hands)
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
