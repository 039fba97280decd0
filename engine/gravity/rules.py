"""The rules of Gravity Superstar: legal steps, turns, rounds and the end of a game.

The geometry is in `board`, and what happens as pawns move in `movement`. Numbered rulings are in docs/rulings.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, assert_never

from engine.contract import END, Event, Seat, split_turn
from engine.errors import RulesCode, RulesError
from engine.gravity.codes import GravityCode
from engine.gravity.events import EventKind
from engine.gravity.movement import Draft
from engine.gravity.notation import (
    STEPS,
    Action,
    Complete,
    DoubleJump,
    Replay,
    Rotate,
    Simple,
    Special,
    Steal,
    Step,
    Teleport,
    TurnTile,
    parse_step,
)
from engine.gravity.state import (
    BASE,
    CARDS,
    EXPERT_POINTS,
    GOODIES,
    ITEMS,
    LAST_STARS,
    OFF,
    TOKEN,
    Player,
    State,
    cards_bits,
    cards_text,
    points_of,
)

ACTIONS: Final = 2
"""The most actions in a turn."""
_TURN_TILE: Final = cards_bits("P")
_DOUBLE_JUMP: Final = cards_bits("J")
_TELEPORT: Final = cards_bits("T")


# Legal steps


def legal_steps(state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the legal next steps after ``steps`` of the turn in progress, `END` where the turn may end.

    Raises `RulesError` if ``steps`` are not legal themselves.
    """
    if state.finished and not steps:
        return ()
    now = play_steps(state, steps) if steps else begin_turn(state)
    if now.victims:
        victim = now.victims[0]
        return tuple(f"x{victim + 1}{ITEMS[item]}" for item, count in enumerate(now.players[victim].loot) if count)
    if now.actions and not now.replayed:
        return ("&", END) if now.players[now.seat].loot[TOKEN] else (END,)
    if now.actions == ACTIONS:
        return (END,)
    return _legal_actions(now)


def _legal_actions(now: State) -> tuple[str, ...]:
    """Return the texts of the legal actions, which are the same for the second action of a turn (ruling R9)."""
    mover = now.players[now.seat]
    on_door = now.board.doors[now.door] >> 2 == mover.pawn >> 2
    return _actions(mover.hand, bool(mover.face_up | mover.face_down), now.board.free_moves(mover.pawn), on_door)


@lru_cache(maxsize=1 << 16)
def _actions(
    hand: int,
    in_front: bool,  # noqa: FBT001 - the cache is fastest with positional arguments
    free: frozenset[str],
    on_door: bool,  # noqa: FBT001 - the same
) -> tuple[str, ...]:
    """Return the texts of the actions that a hand allows, where only ``free`` moves are not blocked."""

    def is_legal(step: Step) -> bool:  # noqa: PLR0911 - one return per kind of step
        match step:
            case Complete():
                return in_front
            case Simple(move, card) | Special(move, card):
                return bool(hand & card) and (move == "D" or move in free)
            case Rotate(_, card):
                return bool(hand & card)
            case TurnTile():
                return bool(hand & _TURN_TILE)
            case DoubleJump(move):
                return bool(hand & _DOUBLE_JUMP) and move in free
            case Teleport():
                return bool(hand & _TELEPORT) and not on_door
            case Steal() | Replay():
                return False
            case _:
                assert_never(step)

    return tuple(text for text, step in STEPS.items() if is_legal(step))


def why_not(state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
    """Return why ``step`` (or `END`) is refused after ``steps``, or None if it is legal."""
    try:
        draft = _play(state, steps, None)
        if step == END:
            return _refuse_end(draft)
        return _refuse(draft, parse_step(step))
    except RulesError as error:
        return error


def _refuse(now: Draft, step: Step) -> RulesError | None:
    """Return why a step is refused in a turn that has begun, or None."""
    match step:
        case Steal(victim, item):
            return _refuse_steal(now, victim, item)
        case _ if now.victims:
            return RulesError(GravityCode.STEAL_FIRST, victims=tuple(str(victim + 1) for victim in now.victims))
        case Replay():
            return _refuse_replay(now)
        case _ if now.actions > now.replayed:
            return RulesError(RulesCode.TURN_COMPLETE)
        case _:
            return _refuse_action(now, step)


def _refuse_steal(now: Draft, victim: int, item: int) -> RulesError | None:
    if not now.victims:
        return RulesError(GravityCode.NOTHING_TO_STEAL)
    if victim != now.victims[0]:
        return RulesError(GravityCode.WRONG_VICTIM, victim=victim + 1, expected=now.victims[0] + 1)
    if not now.players[victim].loot[item]:
        return RulesError(GravityCode.NOT_IN_LOOT, victim=victim + 1, item=ITEMS[item])
    return None


def _refuse_replay(now: Draft) -> RulesError | None:
    if now.replayed:
        return RulesError(GravityCode.REPLAY_USED)
    if not now.actions:
        return RulesError(GravityCode.ACTION_FIRST)
    if not now.loot[TOKEN]:
        return RulesError(GravityCode.NO_TOKEN)
    return None


def _refuse_action(now: Draft, step: Action) -> RulesError | None:
    """Return why an action is refused, or None. To complete the hand and to teleport have rulings (R8, R19)."""
    match step:
        case Simple(move, card) | Special(move, card):
            return _refuse_card(now, card) or _refuse_move(now, move)
        case Rotate(_, card):
            return _refuse_card(now, card)
        case Complete():
            return None if now.face_up | now.face_down else RulesError(GravityCode.NOTHING_TO_COMPLETE)
        case TurnTile():
            return _refuse_card(now, _TURN_TILE)
        case DoubleJump(move):
            return _refuse_card(now, _DOUBLE_JUMP) or _refuse_move(now, move)
        case Teleport():
            on_door = now.board.doors[now.door] >> 2 == now.pawn >> 2
            return _refuse_card(now, _TELEPORT) or (RulesError(GravityCode.ALREADY_ON_DOOR) if on_door else None)
        case _:
            assert_never(step)


def _refuse_card(now: Draft, card: int) -> RulesError | None:
    if now.hand & card:
        return None
    return RulesError(GravityCode.CARD_NOT_IN_HAND, card=CARDS[card.bit_length() - 1])


def _refuse_move(now: Draft, move: str) -> RulesError | None:
    if now.board.path(now.pawn, move) is not None:
        return None
    space, side = now.board.blocking_side(now.pawn, move)
    y, x = divmod(space, now.board.width)
    return RulesError(GravityCode.BLOCKED, x=x, y=y, side="NESW"[side])


def _refuse_end(now: Draft | State) -> RulesError | None:
    if now.victims:
        return RulesError(GravityCode.STEAL_FIRST, victims=tuple(str(victim + 1) for victim in now.victims))
    if now.actions <= now.replayed:
        return RulesError(RulesCode.TURN_INCOMPLETE)
    return None


# Steps and turns


def begin_turn(state: State, events: list[Event] | None = None) -> State:
    """Place the pawn of the seat to move if it is off the board. Raises `RulesError` (``game-over``)."""
    if not state.finished and state.players[state.seat].pawn != OFF:
        return state
    return _begin(state, events).freeze()


def play_steps(state: State, steps: Sequence[str], events: list[Event] | None = None) -> State:
    """Begin a turn and play ``steps`` of it. Raises `RulesError` that names the refused step."""
    return _play(state, steps, events).freeze()


def apply_step(now: State, step: Step, events: list[Event] | None = None) -> State:
    """Play one step of a turn that has begun. Raises `RulesError`."""
    draft = Draft(now, events)
    _take(draft, step)
    return draft.freeze()


def _begin(state: State, events: list[Event] | None) -> Draft:
    if state.finished:
        raise RulesError(RulesCode.GAME_OVER)
    draft = Draft(state, events)
    if draft.pawn == OFF:
        draft.place()
    return draft


def _play(state: State, steps: Sequence[str], events: list[Event] | None) -> Draft:
    """Begin a turn and play ``steps`` of it."""
    draft = _begin(state, events)
    for index, text in enumerate(steps):
        try:
            _take(draft, parse_step(text))
        except RulesError as error:
            raise error.at_step(index) from None
    return draft


def _take(draft: Draft, step: Step) -> None:
    """Play one step."""
    if refusal := _refuse(draft, step):
        raise refusal
    match step:
        case Steal(victim, item):
            draft.steal(victim, item)
        case Replay():
            draft.spend_token()
        case _:
            _act(draft, step)
            draft.actions += 1
    if draft.origin.setup.expert and not draft.reached:
        draft.reached = _has_reached_points(draft)


def _act(draft: Draft, step: Action) -> None:
    """Carry out an action. After each, completing the hand too, the pawn falls if it hangs (ruling R16)."""
    match step:
        case Simple(move, card):
            draft.lay(card, face_up=False)
            draft.travel(move)
        case Special(move, card):
            draft.lay(card, face_up=True)
            draft.travel(move)
        case Rotate(quarters, card):
            draft.lay(card, face_up=True)
            draft.rotate(quarters)
        case Complete():
            draft.take_back("complete")
            draft.travel("")
        case TurnTile(quarters):
            draft.lay(_TURN_TILE, face_up=True)
            draft.turn_tile(quarters)
        case DoubleJump(move):
            draft.lay(_DOUBLE_JUMP, face_up=True)
            draft.travel(move)
        case Teleport():
            draft.lay(_TELEPORT, face_up=True)
            draft.teleport()
        case _:
            assert_never(step)


def _has_reached_points(draft: Draft) -> bool:
    """Whether someone has the points that end an expert game. It is asked after every step.

    What counts is the end of an action with its steals (ruling R10). Asking earlier makes no difference: until then the
    seat to move only gains points, and a token is spent afterwards.
    """
    goal = EXPERT_POINTS[len(draft.players)]
    return points_of(draft.loot) >= goal or any(
        player.points >= goal for index, player in enumerate(draft.players) if index != draft.seat
    )


def apply_turn(state: State, turn: str, events: list[Event] | None = None) -> State:
    """Play a whole turn. Raises `RulesError`."""
    draft = _play(state, split_turn(turn), events)
    if refusal := _refuse_end(draft):
        raise refusal
    return _pass_on(draft.freeze(), events, turns=state.turns + 1)


def end_turn(now: State, events: list[Event] | None = None) -> State:
    """End the turn in progress and pass play on. Raises `RulesError` if something is still to be done."""
    if refusal := _refuse_end(now):
        raise refusal
    return _pass_on(now, events, turns=now.turns + 1)


# Rounds and the end


def retire(state: State, seat: Seat, events: list[Event] | None = None) -> State:
    """Let a seat (a number from 1) leave for good, between turns. Raises `RulesError`.

    If it was to move, play passes on (ruling R21). With one seat left the game ends (ruling R22).
    """
    index = seat - 1
    if state.finished:
        raise RulesError(RulesCode.GAME_OVER)
    if not 0 <= index < len(state.players) or not state.is_active(index):
        raise RulesError(RulesCode.NOT_ACTIVE, seat=seat)
    _emit(events, EventKind.RETIRED, seat)
    now = replace(state, players=_without(state, index, events), retired=(*state.retired, index))
    if len(now.retired) == len(now.players) - 1:
        _emit(events, EventKind.GAME_ENDED, None, why="last-seat")
        return replace(now, finished=True)
    return _pass_on(now, events, turns=state.turns) if index == state.seat else now


def _without(state: State, index: int, events: list[Event] | None) -> tuple[Player, ...]:
    """Return the players once one has left: its pawn is off the board, its goodies are passed on (ruling R20)."""
    players = list(state.players)
    leaver = players[index]
    goodies = leaver.hand & GOODIES
    players[index] = Player(OFF, leaver.hand & BASE, leaver.face_up, leaver.face_down, leaver.loot)
    if goodies:
        to = state.next_active(index)
        heir = players[to]
        players[to] = Player(heir.pawn, heir.hand | goodies, heir.face_up, heir.face_down, heir.loot)
        for card in cards_text(goodies):
            _emit(events, EventKind.PASSED, index + 1, card=card, to=to + 1)
    return tuple(players)


def _pass_on(state: State, events: list[Event] | None, *, turns: int) -> State:
    """Make the next active seat the one to move, after so many turns. After the last seat of a round the game may end.

    Stars do not end an expert game (ruling R11). Retired seats still count as players of the table (ruling R24).
    """
    following, number, end = state.next_active(state.seat), state.round, ""
    if following <= state.seat:
        _emit(events, EventKind.ROUND_ENDED, None, round=number)
        if state.setup.expert:
            end = "points" if state.reached else ""
        elif state.stars_left <= LAST_STARS[len(state.players)]:
            end = "stars"
        if end:
            _emit(events, EventKind.GAME_ENDED, None, why=end)
            following = state.seat
        else:
            number += 1
    return State(
        state.setup,
        state.board,
        state.cells,
        state.players,
        state.supply,
        state.door,
        following,
        number,
        turns,
        state.retired,
        state.reached,
        bool(end),
    )


def ranking(state: State) -> tuple[int, ...]:
    """Return the place of each seat: most points, then fewest tokens; ties share; retired seats last (ruling R23)."""

    def merit(index: int) -> tuple[int, int, int]:
        if index in state.retired:
            return (state.retired.index(index) - len(state.players), 0, 0)
        player = state.players[index]
        return (0, player.points, -player.loot[TOKEN])

    merits = [merit(index) for index in range(len(state.players))]
    return tuple(1 + sum(other > mine for other in merits) for mine in merits)


def wins_of(places: Sequence[int]) -> tuple[float, ...]:
    """Return the part of the win that each seat has by its place: those who share the first one share the win."""
    return tuple((place == 1) / places.count(1) for place in places)


def _emit(events: list[Event] | None, kind: EventKind, seat: Seat | None, **params: int | str) -> None:
    if events is not None:
        events.append(Event(kind, seat, params))
