"""The rules of Acorns: what is allowed, what a turn and a round are, and how a game ends."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from engine.contract import END, Applied, Event, Json, Seat, split_turn
from engine.errors import RulesCode, RulesError
from tests.another_game.engine.state import HAND, ROUNDS, State

STEPS: Final = (
    *(f"e{nut}" for nut in range(1, 10)),  # eat
    *(f"h{nut}" for nut in range(1, 10)),  # hide in the nest
    "d",  # dig
    *(f"r{seat}" for seat in range(1, 5)),  # rob
    *(f"x{nut}" for nut in range(1, 10)),  # throw away
)


class AcornsCode(StrEnum):
    """Why a step is refused, with its parameters in parentheses."""

    NOT_IN_HAND = "not-in-hand"
    """The nut is not in the hand of the seat to move (nut)."""
    NOTHING_LEFT = "nothing-left"
    """The deck is empty."""
    NOTHING_TO_ROB = "nothing-to-rob"
    """That seat is no rival with a hoard (victim)."""
    ACTION_FIRST = "action-first"
    """A nut is thrown away after the action, not before."""
    ONE_ACTION = "one-action"
    """After the action a nut may only be thrown away."""


class AcornsEvent(StrEnum):
    """What can happen, with the event's parameters in parentheses; ``nut`` is None where the reader may not know it."""

    ATE = "ate"
    """A nut of the hand was eaten (nut)."""
    HID = "hid"
    """A nut of the hand went into the nest, seen by its seat alone (nut)."""
    DUG = "dug"
    """The top of the deck went onto the hoard, seen by nobody (nut)."""
    ROBBED = "robbed"
    """The top of a rival's hoard came onto the own one, seen by nobody (victim)."""
    THREW = "threw"
    """A nut of the hand was thrown away, open (nut)."""
    DREW = "drew"
    """The top of the deck came into the hand, seen by its seat alone (nut)."""
    RETIRED = "retired"
    """The seat left the game."""
    ROUND_ENDED = "round_ended"
    """A round is over (round)."""
    GAME_ENDED = "game_ended"
    """The game is over (why: winter, deck or last-seat)."""


def legal_steps(state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the legal next steps. Raises `RulesError`."""
    if state.finished and not steps:
        return ()
    now = play_steps(state, steps).state
    legal = tuple(step for step in STEPS if _refuse(now, step) is None)
    return (*legal, END) if _refuse_end(now) is None else legal


def why_not(state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
    """Return why a step is refused, or None."""
    try:
        now = play_steps(state, steps).state
        return _refuse_end(now) if step == END else _refuse(now, step)
    except RulesError as error:
        return error


def _refuse_end(now: State) -> RulesError | None:
    return None if now.steps else RulesError(RulesCode.TURN_INCOMPLETE)


def _refuse(now: State, step: str) -> RulesError | None:
    if step not in STEPS:
        return RulesError(RulesCode.UNKNOWN_STEP, text=step[:20])
    if len(now.steps) == 2:
        return RulesError(RulesCode.TURN_COMPLETE)
    if (step[0] == "x") != bool(now.steps):
        return RulesError(AcornsCode.ONE_ACTION if now.steps else AcornsCode.ACTION_FIRST)
    if step == "d":
        return None if now.deck else RulesError(AcornsCode.NOTHING_LEFT)
    if step[0] == "r":
        victim = int(step[1]) - 1
        may_be_robbed = victim in _active(now) and victim != now.seat and now.squirrels[victim].hoard
        return None if may_be_robbed else RulesError(AcornsCode.NOTHING_TO_ROB, victim=victim + 1)
    return None if step[1] in now.mover.hand else RulesError(AcornsCode.NOT_IN_HAND, nut=step[1])


def play_steps(state: State, steps: Sequence[str]) -> Applied[State]:
    """Play the beginning of a turn. Raises `RulesError`. What is dug is not dug before the turn is confirmed."""
    if state.finished:
        raise RulesError(RulesCode.GAME_OVER)
    events: list[Event] = []
    now = state
    for index, step in enumerate(steps):
        if refusal := _refuse(now, step):
            raise refusal.at_step(index)
        now = replace(_play_step(now, step, events), steps=(*now.steps, step))
    return Applied(now, tuple(events))


def _play_step(now: State, step: str, events: list[Event]) -> State:
    seat, mover = now.seat, now.mover
    match step[0]:
        case "d":
            return now
        case "r":
            victim = int(step[1]) - 1
            robbed = now.squirrels[victim]
            events.append(Event(AcornsEvent.ROBBED, seat + 1, {"victim": victim + 1}))
            now = now.with_squirrel(victim, replace(robbed, hoard=robbed.hoard[:-1]))
            return now.with_squirrel(seat, replace(mover, hoard=mover.hoard + robbed.hoard[-1]))
    nut = step[1]
    kind = {"e": AcornsEvent.ATE, "h": AcornsEvent.HID, "x": AcornsEvent.THREW}[step[0]]
    events.append(Event(kind, seat + 1, {"nut": nut}))
    mover = replace(mover, hand=mover.hand.replace(nut, "", 1))
    match kind:
        case AcornsEvent.ATE:
            mover = replace(mover, eaten=mover.eaten + nut)
        case AcornsEvent.HID:
            mover = replace(mover, nest=mover.nest + nut)
        case _:
            now = replace(now, rubbish=now.rubbish + nut)
    return now.with_squirrel(seat, mover)


def apply_turn(state: State, turn: str) -> Applied[State]:
    """Play a whole turn. Raises `RulesError`."""
    played = play_steps(state, split_turn(turn))
    if refusal := _refuse_end(played.state):
        raise refusal
    events = list(played.events)
    now = _draw(played.state, events)
    return Applied(_pass_on(replace(now, turns=now.turns + 1, steps=()), events), tuple(events))


def _draw(now: State, events: list[Event]) -> State:
    """Dig what the turn digs, then fill up the hand, as far as the deck lasts."""
    mover, deck = now.mover, now.deck
    if now.steps[0] == "d":
        events.append(Event(AcornsEvent.DUG, now.seat + 1, {"nut": deck[-1]}))
        mover, deck = replace(mover, hoard=mover.hoard + deck[-1]), deck[:-1]
    while deck and len(mover.hand) < HAND:
        events.append(Event(AcornsEvent.DREW, now.seat + 1, {"nut": deck[-1]}))
        mover, deck = replace(mover, hand=mover.hand + deck[-1]), deck[:-1]
    return replace(now.with_squirrel(now.seat, mover), deck=deck)


def retire(state: State, seat: Seat) -> Applied[State]:
    """Let a seat leave; what it had stays where it lies. Raises `RulesError`."""
    if state.finished:
        raise RulesError(RulesCode.GAME_OVER)
    if seat - 1 not in _active(state):
        raise RulesError(RulesCode.NOT_ACTIVE, seat=seat)
    events = [Event(AcornsEvent.RETIRED, seat, {})]
    now = replace(state, retired=(*state.retired, seat - 1))
    if len(_active(now)) == 1:
        now = _finish(now, "last-seat", events)
    elif seat - 1 == state.seat:
        now = _pass_on(now, events)
    return Applied(now, tuple(events))


def _pass_on(now: State, events: list[Event]) -> State:
    """Let the next seat play; after the last seat of a round the game may end."""
    active = _active(now)
    if later := [index for index in active if index > now.seat]:
        return replace(now, seat=later[0])
    events.append(Event(AcornsEvent.ROUND_ENDED, None, {"round": now.round}))
    if now.round == ROUNDS or not now.deck:
        return _finish(now, "deck" if now.round < ROUNDS else "winter", events)
    return replace(now, seat=active[0], round=now.round + 1)


def _finish(now: State, why: str, events: list[Event]) -> State:
    events.append(Event(AcornsEvent.GAME_ENDED, None, {"why": why}))
    return replace(now, finished=True)


def _active(state: State) -> list[int]:
    return [index for index in range(len(state.squirrels)) if index not in state.retired]


def ranking(state: State) -> tuple[int, ...]:
    """Return the place of each seat: most points, then fewest nuts eaten; ties share; retired seats last."""

    def merit(index: int) -> tuple[int, int, int]:
        if index in state.retired:
            return (state.retired.index(index) - len(state.squirrels), 0, 0)
        return (0, state.points(index), -len(state.squirrels[index].eaten))

    merits = [merit(index) for index in range(len(state.squirrels))]
    return tuple(1 + sum(other > mine for other in merits) for mine in merits)


def view_events(events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return events with each nut that the reader may not know hidden (None)."""
    return tuple(_without_nut(event) if _is_hidden(event, seat) else event for event in events)


def _is_hidden(event: Event, seat: Seat | None) -> bool:
    return event.kind == AcornsEvent.DUG or (event.kind in {AcornsEvent.HID, AcornsEvent.DREW} and event.seat != seat)


def _without_nut(event: Event) -> Event:
    params: dict[str, Json] = {**event.params, "nut": None}
    return Event(event.kind, event.seat, params)


def chances(state: State) -> tuple[float, ...]:
    """Return each seat's share of the win, once the game has ended; until then by what it would have if it did now."""
    places = ranking(state)
    if state.finished:
        return tuple((place == 1) / places.count(1) for place in places)
    end = replace(state, finished=True)
    weights = [(index in _active(state)) * (1 + end.points(index)) for index in range(len(places))]
    return tuple(weight / sum(weights) for weight in weights)
