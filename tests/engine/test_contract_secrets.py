"""What is hidden stays hidden in all that `engine.contract.Rules` answers, for every game, ours and a second one.

Each law takes a game and a `Random` and compares twins: states that differ only in what is hidden from one viewer. At
the end they are seen to fail: leaks are planted into the second game, and each is noticed by the law that it breaks.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import END, Applied, Condition, Event, Json, JsonObject, Puzzle, Seat, Summary
from engine.errors import RecordError, RulesError
from tests.another_game.engine import Acorns
from tests.another_game.engine.rules import AcornsEvent
from tests.another_game.engine.state import State
from tests.engine.play import budget
from tests.engine.subjects import (
    SUBJECTS,
    Law,
    Subject,
    active,
    any_steps,
    is_noticed,
    mover_of,
    next_state,
    outcome,
    random_steps,
    running_state,
    said,
    setup_of,
    viewers,
)


def twins(game: Subject, rng: Random, *, of_mover: bool = False) -> tuple[Any, Any, Seat | None]:
    """Return two states that differ only in what is hidden from a viewer, or from the seat to move, and that viewer."""
    state = running_state(game, rng)
    viewer = mover_of(game, state) if of_mover else rng.choice(viewers(game, state))
    return state, game.twin(state, viewer, rng), viewer


def law_twins_look_the_same(game: Subject, rng: Random) -> None:
    rules = game.rules
    one, other, viewer = twins(game, rng)
    assert rules.view(one, viewer) == rules.view(other, viewer)
    assert rules.summary(one) == rules.summary(other)
    everything = rules.view(one, None, ended=True)
    assert rules.view(one, viewer, ended=True) == everything
    assert everything.keys() == rules.view(one, viewer).keys()


def law_a_set_up_shows_nothing_hidden(game: Subject, rng: Random) -> None:
    rules = game.rules
    one, other, viewer = twins(game, rng)
    seen = rules.view_setup(setup_of(game, one), viewer)
    assert seen == rules.view_setup(setup_of(game, other), viewer)
    assert seen.keys() == setup_of(game, one).keys()
    with pytest.raises(RecordError, match="redacted"):
        rules.read_setup({**seen, "redacted": True, "log": []})


def law_a_preview_shows_nothing_hidden(game: Subject, rng: Random) -> None:
    rules = game.rules
    one, other, mover = twins(game, rng, of_mover=True)
    turn = random_steps(game, one, rng)
    for count in range(len(turn) + 1):
        steps = turn[:count]
        first, second = rules.play_steps(one, steps), rules.play_steps(other, steps)
        assert first.events == second.events
        assert rules.view(first.state, mover) == rules.view(second.state, mover)
        assert rules.summary(first.state) == rules.summary(second.state)


def law_what_is_legal_tells_nothing_hidden(game: Subject, rng: Random) -> None:
    rules = game.rules
    one, other, _ = twins(game, rng, of_mover=True)
    steps = any_steps(game, one, rng)
    assert outcome(rules.legal_steps, one, steps) == outcome(rules.legal_steps, other, steps)
    for step in (*game.steps, END, "nonsense"):
        assert said(rules.why_not(one, step, steps)) == said(rules.why_not(other, step, steps))


def law_a_computer_player_knows_what_its_seat_knows(game: Subject, rng: Random) -> None:
    one, other, _ = twins(game, rng, of_mover=True)
    bot, seed = rng.choice(game.rules.bots), rng.random()
    turn = game.rules.choose_turn(bot, one, Random(seed))
    assert turn == game.rules.choose_turn(bot, other, Random(seed))
    game.rules.apply_turn(one, turn)


def law_what_is_imagined_is_what_the_viewer_sees(game: Subject, rng: Random) -> None:
    rules = game.rules
    one, other, viewer = twins(game, rng)
    seed = rng.random()
    imagined = rules.imagine(one, viewer, Random(seed))
    assert rules.dump(imagined) == rules.dump(rules.imagine(other, viewer, Random(seed)))
    assert setup_of(game, imagined) == setup_of(game, rules.imagine(other, viewer, Random(seed)))
    assert rules.view(imagined, viewer) == rules.view(one, viewer)
    rules.apply_turn(imagined, " ".join(random_steps(game, imagined, rng)))


def law_a_plan_rests_on_what_its_seat_knows(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    seat = rng.choice(active(game, state))
    twin = game.twin(state, seat, rng)
    now = rules.as_if_to_move(state, seat)
    assert rules.dump(now) == rules.dump(rules.as_if_to_move(twin, seat))
    assert rules.write_record(now) == rules.write_record(rules.as_if_to_move(twin, seat))
    steps = random_steps(game, now, rng)
    found = rules.conditions(state, seat, steps)
    assert found == rules.conditions(twin, seat, steps)
    later = next_state(game, state, rng)
    twin = game.twin(later, seat, rng)
    for condition in found:
        assert rules.holds(later, seat, condition.text) == rules.holds(twin, seat, condition.text)


def law_a_puzzle_rests_on_nothing_hidden(game: Subject, rng: Random) -> None:
    rules, seed = game.rules, rng.random()
    one, other, _mover = twins(game, rng, of_mover=True)
    puzzle: Puzzle | None = rules.find_puzzle(one, Random(seed), playouts=6)
    assert rules.find_puzzle(other, Random(seed), playouts=6) == puzzle
    if puzzle is not None:
        turn = " ".join(random_steps(game, one, rng))
        assert rules.judge_answer(one, puzzle, turn) == rules.judge_answer(other, puzzle, turn)


def law_turns_are_read_with_hidden_parts_replaced(game: Subject, rng: Random) -> None:
    one, other = game.alike
    assert game.rules.view_turn(one, own=False) == game.rules.view_turn(other, own=False)
    assert game.rules.view_turn(one, own=True) == one
    turn = random_steps(game, running_state(game, rng), rng)
    seen = game.rules.view_turn(" ".join(turn), own=False).split(" ")
    assert seen == [game.rules.view_turn(step, own=False) for step in turn], "step by step"


def law_events_show_no_more_than_the_position_does(game: Subject, rng: Random) -> None:
    """A card that was drawn or given on has come to light; where none has, others read the same events of twins."""
    rules = game.rules
    one, other, viewer = twins(game, rng)
    turn = random_steps(game, one, rng)
    same = turn if viewer == mover_of(game, one) else same_to_others(game, other, turn, rng)
    leaving = rng.choice(active(game, one))
    played = [(rules.retire(one, leaving), rules.retire(other, leaving))]
    if same is not None:
        played.append((rules.apply_turn(one, " ".join(turn)), rules.apply_turn(other, " ".join(same))))
    for first, second in played:
        is_over = rules.summary(first.state).finished or rules.summary(second.state).finished
        if not is_over and rules.view(first.state, viewer) == rules.view(second.state, viewer):
            assert rules.view_events(first.events, viewer) == rules.view_events(second.events, viewer)


def law_events_lose_nothing_but_what_is_hidden(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    events = rules.apply_turn(state, " ".join(random_steps(game, state, rng))).events
    for viewer in viewers(game, state):
        seen = rules.view_events(events, viewer)
        assert [shape(event) for event in seen] == [shape(event) for event in events]
    for event in events:
        assert json.loads(json.dumps(event.params)) == event.params, "parameters are JSON"


def shape(event: Event) -> object:
    return event.kind, event.seat, list(event.params)


def same_to_others(game: Subject, state: Any, turn: Sequence[str], rng: Random) -> list[str] | None:
    """Return a legal turn of ``state`` that others read like ``turn``, or None if none was found."""
    steps: list[str] = []
    for step in turn:
        seen = game.rules.view_turn(step, own=False)
        legal = outcome(game.rules.legal_steps, state, steps)
        alike = [like for like in legal if like != END and game.rules.view_turn(like, own=False) == seen]
        if not alike:
            return None
        steps.append(rng.choice(alike))
    return steps if END in game.rules.legal_steps(state, steps) else None


# --- The laws are kept, and notice breaks ---------------------------------------------------------------------------

LAWS = [law for name, law in list(globals().items()) if name.startswith("law_")]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.removeprefix("law_"))
@pytest.mark.parametrize("game", SUBJECTS, ids=lambda game: game.rules.game)
@budget(40)
@given(st.integers(0, 2**32))
def test_a_law_of_what_is_hidden_holds(game: Subject, law: Law, seed: int) -> None:
    law(game, Random(seed))


@pytest.mark.parametrize("game", SUBJECTS, ids=lambda game: game.rules.game)
def test_twins_of_every_viewer_do_differ(game: Subject) -> None:
    rng = Random(1)
    pairs = [twins(game, rng) for _ in range(200)]
    differing = {viewer for one, other, viewer in pairs if game.rules.dump(one) != game.rules.dump(other)}
    assert differing >= {None, *game.rules.seats}
    for one, other, _ in pairs:
        open_alike = game.rules.view(one, None, ended=True) == game.rules.view(other, None, ended=True)
        assert open_alike == (game.rules.dump(one) == game.rules.dump(other)), "in the end everything is open"


class ShowsTheHoard(Acorns):
    """Forgets that a squirrel does not know its own hoard."""

    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        seen = super().view(state, seat, ended=ended)
        own = None if seat is None else state.squirrels[seat - 1].hoard
        return seen if ended else seen | {"hoards": [own, *(len(each.hoard) for each in state.squirrels)]}


class CountsTheNest(Acorns):
    def summary(self, state: State) -> Summary:
        return replace(super().summary(state), points=tuple(int(each.nest or 0) for each in state.squirrels))


class ShowsTheDeal(Acorns):
    def view_setup(self, setup: Mapping[str, Json], seat: Seat | None) -> JsonObject:
        return {**super().view_setup(setup, seat), "deck": setup["deck"]}


class DigsTooEarly(Acorns):
    """Lets a preview say what is dug before the turn is confirmed."""

    def play_steps(self, state: State, steps: Sequence[str]) -> Applied[State]:
        played = super().play_steps(state, steps)
        if "d" not in steps:
            return played
        return Applied(played.state, (*played.events, Event(AcornsEvent.DUG, state.seat + 1, {"nut": state.deck[-1]})))


class DrawsTooEarly(Acorns):
    """Fills up the hand in the preview."""

    def play_steps(self, state: State, steps: Sequence[str]) -> Applied[State]:
        now = super().play_steps(state, steps)
        mover = replace(now.state.mover, hand=now.state.mover.hand + state.deck[-1:])
        return Applied(now.state.with_squirrel(state.seat, mover), now.events)


class RefusesByTheDeck(Acorns):
    """Lets a squirrel dig only what is worth it."""

    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        legal = super().legal_steps(state, steps)
        return tuple(step for step in legal if step != "d" or state.deck[-1] > "5")


class SaysWhatIsOnTop(Acorns):
    def why_not(self, state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
        refusal = super().why_not(state, step, steps)
        return refusal and RulesError(refusal.code, step=refusal.step, top=state.deck[-1:])


class PeeksForItsPlayers(Acorns):
    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        return "d" if state.deck > "5" else super().choose_turn(bot, state, rng)


class PuzzlesWithItAllOpen(Acorns):
    def find_puzzle(self, state: State, rng: Random, *, playouts: int) -> Puzzle | None:
        found = super().find_puzzle(state, rng, playouts=playouts)
        return found and replace(found, rating=len(state.deck) + int(state.deck[-1:] or 0))


class PlansWithItAllOpen(Acorns):
    def as_if_to_move(self, state: State, seat: Seat) -> State:
        super().as_if_to_move(state, seat)
        return replace(state, seat=seat - 1)


class ReliesOnTheDeck(Acorns):
    def conditions(self, state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
        return (*super().conditions(state, seat, steps), *map(Condition, state.deck[-1:]))


class LooksIntoTheHoard(Acorns):
    def holds(self, state: State, seat: Seat, condition: str) -> bool:
        return super().holds(state, seat, condition) and "1" not in state.deck[-3:]


class ImaginesWhatIs(Acorns):
    def imagine(self, state: State, seat: Seat | None, rng: Random) -> State:  # noqa: ARG002 - the leak
        return state


class PrintsTheTurn(Acorns):
    def view_turn(self, turn: str, *, own: bool) -> str:  # noqa: ARG002 - the leak
        return turn


class SaysWhatOthersHide(Acorns):
    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        seen = super().view_events(events, seat)
        return tuple(
            event if event.kind == AcornsEvent.HID else hidden for event, hidden in zip(events, seen, strict=True)
        )


class SaysWhatIsDrawn(Acorns):
    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        seen = super().view_events(events, seat)
        return tuple(
            event if event.kind == AcornsEvent.DREW else hidden for event, hidden in zip(events, seen, strict=True)
        )


class SaysWhatIsDug(Acorns):
    """Takes what goes onto a squirrel's hoard for something that it knows."""

    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        seen = super().view_events(events, seat)
        return tuple(
            event if event.kind == AcornsEvent.DUG and event.seat == seat else hidden
            for event, hidden in zip(events, seen, strict=True)
        )


class DropsEvents(Acorns):
    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        return tuple(event for event in super().view_events(events, seat) if event.params.get("nut", "") is not None)


@pytest.mark.parametrize(
    ("rules", "law"),
    [
        (PuzzlesWithItAllOpen(), law_a_puzzle_rests_on_nothing_hidden),
        (ShowsTheHoard(), law_twins_look_the_same),
        (CountsTheNest(), law_twins_look_the_same),
        (ShowsTheDeal(), law_a_set_up_shows_nothing_hidden),
        (DigsTooEarly(), law_a_preview_shows_nothing_hidden),
        (DrawsTooEarly(), law_a_preview_shows_nothing_hidden),
        (RefusesByTheDeck(), law_what_is_legal_tells_nothing_hidden),
        (SaysWhatIsOnTop(), law_what_is_legal_tells_nothing_hidden),
        (PeeksForItsPlayers(), law_a_computer_player_knows_what_its_seat_knows),
        (PlansWithItAllOpen(), law_a_plan_rests_on_what_its_seat_knows),
        (ReliesOnTheDeck(), law_a_plan_rests_on_what_its_seat_knows),
        (LooksIntoTheHoard(), law_a_plan_rests_on_what_its_seat_knows),
        (ImaginesWhatIs(), law_what_is_imagined_is_what_the_viewer_sees),
        (PrintsTheTurn(), law_turns_are_read_with_hidden_parts_replaced),
        (SaysWhatOthersHide(), law_events_show_no_more_than_the_position_does),
        (SaysWhatIsDrawn(), law_events_show_no_more_than_the_position_does),
        (SaysWhatIsDug(), law_events_show_no_more_than_the_position_does),
        (DropsEvents(), law_events_lose_nothing_but_what_is_hidden),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Acorns) else "",
)
def test_a_law_notices_a_planted_leak(rules: Acorns, law: Law) -> None:
    assert is_noticed(rules, law)
