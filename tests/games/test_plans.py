"""Turns that are planned ahead: who may plan what, when a plan is played, and what ends it."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.core.serializers import serialize
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from engine.contract import END
from engine.errors import RulesError
from games import commands, queries
from games.clock import PRESETS
from games.commands._nudge import nudge_plans
from games.errors import GameCode, GameError
from games.log.table import next_actor
from games.models import Entry, Game, Plan, PlanState, Proposal, Seat
from games.models.choices import Actor, Status
from games.notices.models import Notice
from games.queries import due
from games.tasks import play_plans
from games.tasks.sweep import sweep_clocks
from tests.engine.play import budget
from tests.flows.play import NOW, RULES, make_user, play, random_turn, start_game, state_of
from tests.games.timed import differences, expire, fresh, start_timed, sweeps_live

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """A game in which Ada has played her first turn, and Bo is to move."""
    game = start_game([ada, bo])
    play(game, "D")
    return fresh(game)


def plan(game: Game, user: User, turn: str = "R+", conditions: list[str] | None = None) -> Plan:
    return commands.add_plan(
        game_key=game.key, user=user, seq=fresh(game).seq, turn=turn, conditions=conditions, now=NOW
    )


def look(game: Game) -> Entry | None:
    return commands.play_plan(game_id=game.pk, now=NOW)


def turns_told(user: User) -> list[int]:
    """Return after which entries a person was notified of their turn."""
    return [notice.params["seq"] for notice in Notice.objects.filter(user=user, topic="turn").order_by("pk")]


def refusal_of(act: Callable[[], object]) -> str:
    with pytest.raises((GameError, RulesError)) as refused:
        act()
    return str(refused.value.code)


def stored_of(game: Game) -> str:
    """Return all that is stored of a game but its plans."""
    game = fresh(game)
    rows = [Game.objects.defer(None).get(pk=game.pk), *game.seats.order_by("pk"), *Notice.objects.order_by("pk")]
    return str(serialize("json", rows))


# --- Planning ------------------------------------------------------------------------------------------------------


def test_a_plan_is_kept_with_all_that_its_turn_relies_on(game: Game, ada: User) -> None:
    made = plan(game, ada, " WD ")
    assert (made.seat.user, made.place, made.turn, made.seq, made.state) == (ada, 1, "WD", 1, PlanState.WAITING)
    found = RULES.conditions(state_of(game), 1, ["WD"])
    assert made.conditions == [condition.text for condition in found]
    assert len(found) > 1


def test_a_plan_may_do_without_what_is_not_necessary(game: Game, ada: User) -> None:
    found = RULES.conditions(state_of(game), 1, ["WD"])
    made = plan(game, ada, "WD", [])
    assert made.conditions == [condition.text for condition in found if condition.is_necessary]


def test_planning_and_withdrawing_leave_all_else_as_it_is(game: Game, ada: User) -> None:
    before = stored_of(game)
    for turn in ("R+", "R-", "R="):
        plan(game, ada, turn)
    assert stored_of(game) == before
    commands.withdraw_plan(game_key=game.key, user=ada, place=1)
    commands.withdraw_plans(game_key=game.key, user=ada)
    assert stored_of(game) == before
    assert not Plan.objects.exists()


def test_the_very_same_plan_again_is_the_one_that_is_there(game: Game, ada: User) -> None:
    assert plan(game, ada, "WD") == plan(game, ada, "WD")
    assert plan(game, ada, "WD", []) != plan(game, ada, "WD")
    assert Plan.objects.count() == 2


def test_who_may_not_plan_reads_why(game: Game, ada: User, bo: User, cleo: User) -> None:
    assert refusal_of(lambda: plan(game, cleo)) == GameCode.NOT_YOURS
    assert refusal_of(lambda: plan(game, bo)) == GameCode.YOUR_TURN
    assert refusal_of(lambda: plan(game, ada, "R+ R+")) == "turn-complete"
    assert refusal_of(lambda: plan(game, ada, "")) == "turn-incomplete"
    assert refusal_of(lambda: plan(game, ada, "R+ " * 100)) == "turn-complete"
    assert refusal_of(lambda: plan(game, ada, conditions=["star(0,0)x"])) == GameCode.UNKNOWN_CONDITION
    stale = refusal_of(lambda: commands.add_plan(game_key=game.key, user=ada, seq=0, turn="R+", now=NOW))
    assert stale == GameCode.STALE
    for turn in ("R+", "R-", "R="):
        plan(game, ada, turn)
    assert refusal_of(lambda: plan(game, ada, "WD")) == GameCode.TOO_MANY_PLANS
    commands.resign(game_key=game.key, user=bo, seq=1, now=NOW)
    assert refusal_of(lambda: plan(game, ada)) == GameCode.NOT_RUNNING
    assert refusal_of(lambda: commands.withdraw_plans(game_key=game.key, user=ada)) == GameCode.NOT_RUNNING


def test_who_has_left_plans_nothing(ada: User, bo: User, cleo: User) -> None:
    game = start_game([ada, bo, cleo])
    commands.resign(game_key=game.key, user=bo, seq=0, now=NOW)
    assert refusal_of(lambda: plan(game, bo)) == "not-active"


def test_plans_keep_their_places_while_others_are_withdrawn(game: Game, ada: User) -> None:
    places = [plan(game, ada, turn).place for turn in ("R+", "R-", "R=")]
    assert places == [1, 2, 3]
    commands.withdraw_plan(game_key=game.key, user=ada, place=1)
    assert refusal_of(lambda: commands.withdraw_plan(game_key=game.key, user=ada, place=1)) == GameCode.NO_SUCH_PLAN
    plan(game, ada, "WD")
    assert list(Plan.objects.order_by("place").values_list("place", "turn")) == [(1, "R-"), (2, "R="), (3, "WD")]


# --- When it is its turn -------------------------------------------------------------------------------------------


def test_a_plan_whose_conditions_hold_is_played_as_any_turn(game: Game, ada: User, bo: User) -> None:
    plan(game, ada)
    play(game, "R=")
    assert [state.state for state in Plan.objects.all()] == [PlanState.DUE]
    entry = look(game)
    assert entry is not None
    assert (entry.seq, entry.seat, entry.turn, entry.by, entry.planned) == (3, 1, "R+", Actor.PLAYER, True)
    assert not Plan.objects.exists()
    assert fresh(game).to_move == 2
    assert not differences(game)
    assert (turns_told(ada), turns_told(bo)) == ([0], [1, 3]), "nobody is told of a turn that was played"
    assert look(game) is None
    assert not Entry.objects.filter(game=game, planned=True).exclude(seq=3).exists()


NEVER = "door(9)"
"""A condition that holds in no game of two."""


def test_plans_that_can_not_be_played_say_why_and_wait_for_their_owner(game: Game, ada: User) -> None:
    for turn in ("R+", "R-"):
        plan(game, ada, turn)
    Plan.objects.filter(turn="R+").update(conditions=[NEVER])
    Plan.objects.filter(turn="R-").update(conditions=[], turn="R- R-")
    play(game, "R=")
    assert turns_told(ada) == [0], "the notice waits for the plans"
    assert look(game) is None
    kept = [(one.state, one.unmet) for one in Plan.objects.order_by("place")]
    assert kept == [(PlanState.UNMET, NEVER), (PlanState.ILLEGAL, "")]
    assert turns_told(ada) == [0, 2]
    Plan.objects.update(conditions=[])
    assert look(game) is None, "nobody looks twice"
    play(game, "R+")
    assert not Plan.objects.exists()


def test_plans_are_looked_at_in_their_order(game: Game, ada: User) -> None:
    for turn in ("R-", "R+", "WD"):
        plan(game, ada, turn)
    Plan.objects.filter(turn="R-").update(conditions=[NEVER])
    play(game, "R=")
    entry = look(game)
    assert entry is not None
    assert entry.turn == "R+"


def test_a_plan_is_played_whoever_leaves_before_it_is_looked_at(ada: User, bo: User, cleo: User) -> None:
    game = start_game([ada, bo, cleo])
    for _turn in range(3):
        play(game, "R=")
    plan(game, cleo, "C", [])
    for _turn in range(2):
        play(game, "C")
    commands.resign(game_key=game.key, user=ada, seq=5, now=NOW)
    entry = look(game)
    assert entry is not None
    assert (entry.seq, entry.seat, entry.turn) == (7, 3, "C")


def test_a_plan_waits_while_others_are_to_move(game: Game, ada: User) -> None:
    plan(game, ada)
    assert look(game) is None
    assert Plan.objects.get().state == PlanState.WAITING


def test_a_turn_of_a_computer_player_brings_a_plan_about(ada: User) -> None:
    game = start_game([ada], bots=["nova:1"])
    play(game, "R=")
    plan(game, ada, "C", [])
    assert Plan.objects.get().state == PlanState.WAITING
    commands.play_bot_turn(game_id=game.pk, seq=1, rng=Random(1), now=NOW)
    assert Plan.objects.get().state == PlanState.DUE


def test_a_worker_looks_at_once_and_the_sweep_finds_what_it_lost(
    game: Game, ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    plan(game, ada)
    with django_capture_on_commit_callbacks() as asked:
        play(game, "R=")
    assert nudge_plans in [getattr(call, "func", None) for call in asked]
    assert due.games_with_due_plans(10) == [game.pk]
    sweeps_live(NOW)
    sweep_clocks(now=NOW + timedelta(seconds=10), rng=Random(1))
    assert Entry.objects.get(game=game, seq=3).planned
    assert due.games_with_due_plans(10) == []
    play_plans(game_id=game.pk)
    assert fresh(game).seq == 3


def test_plans_at_which_nobody_can_look_are_given_up(game: Game, ada: User) -> None:
    plan(game, ada)
    Plan.objects.update(conditions=["nonsense"])
    play(game, "R=")
    play_plans(game_id=game.pk)
    assert due.games_with_due_plans(10) == [game.pk], "the sweep tries once more"
    sweeps_live(NOW)
    sweep_clocks(now=NOW + timedelta(seconds=10), rng=Random(1))
    assert not Plan.objects.exists()
    assert turns_told(ada) == [0, 2]
    assert fresh(game).seq == 2


def test_to_find_due_plans_takes_one_query_over_their_index(game: Game, ada: User) -> None:
    plan(game, ada)
    with CaptureQueriesContext(connection) as asked:
        due.games_with_due_plans(10)
    assert len(asked) == 1
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
            assert "plan_due" in str(cursor.fetchall())


# --- What ends plans -----------------------------------------------------------------------------------------------


def own_turn(game: Game, _ada: User) -> None:
    play(game, "R=")
    assert Plan.objects.exists()
    play(game, "R+")


def resign(game: Game, ada: User) -> None:
    commands.resign(game_key=game.key, user=ada, seq=1, now=NOW)


def propose(game: Game, ada: User) -> None:
    commands.propose_time_control(game_key=game.key, user=ada, time_control=PRESETS["daily"], now=NOW)


def answer(game: Game, ada: User) -> None:
    Plan.objects.update(state=PlanState.WAITING)
    bo = Seat.objects.get(game=game, number=2).user
    assert bo is not None
    commands.propose_time_control(game_key=game.key, user=bo, time_control=PRESETS["daily"], now=NOW)
    assert Plan.objects.exists(), "what others propose ends no plan"
    commands.answer_proposal(game_key=game.key, user=ada, proposal_id=Proposal.objects.get().pk, agree=False, now=NOW)


def agree_to_cancel(game: Game, ada: User) -> None:
    bo = Seat.objects.get(game=game, number=2).user
    assert bo is not None
    commands.propose_cancel(game_key=game.key, user=bo, now=NOW)
    plan_again = Plan.objects.count()
    commands.answer_proposal(game_key=game.key, user=ada, proposal_id=Proposal.objects.get().pk, agree=True, now=NOW)
    assert plan_again
    assert fresh(game).status == Status.CANCELLED


def game_over(game: Game, _ada: User) -> None:
    bo = Seat.objects.get(game=game, number=2).user
    assert bo is not None
    commands.resign(game_key=game.key, user=bo, seq=1, now=NOW)


def delete_account(_game: Game, ada: User) -> None:
    commands.delete_account(user=ada, now=NOW)


@pytest.mark.parametrize("act", [own_turn, resign, propose, answer, agree_to_cancel, game_over, delete_account])
def test_what_the_owner_does_and_the_end_of_the_game_end_plans(
    game: Game, ada: User, act: Callable[[Game, User], None]
) -> None:
    plan(game, ada)
    act(game, ada)
    assert not Plan.objects.exists()


def test_what_the_autopilot_plays_ends_plans(ada: User, bo: User) -> None:
    game = start_timed([ada, bo])
    owner = next_actor(fresh(game))
    assert owner is not None
    other = bo if owner.user == ada else ada
    commands.add_plan(game_key=game.key, user=other, seq=0, turn="R+", now=NOW)
    expire(game, NOW + timedelta(minutes=2))
    assert Plan.objects.get().state == PlanState.DUE, "the autopilot played for the other one"
    expire(game, NOW + timedelta(minutes=4))
    assert not Plan.objects.exists()


def test_to_talk_to_write_notes_and_to_look_end_no_plan(game: Game, ada: User) -> None:
    plan(game, ada)
    commands.write_message(game_key=game.key, user=ada, text="Hello", now=NOW)
    commands.write_note(game_key=game.key, user=ada, text="Hm", now=NOW)
    queries.game_page(game.key, ada)
    assert Plan.objects.count() == 1


# --- Whatever is planned -------------------------------------------------------------------------------------------


@budget(12)
@given(st.integers(0, 2**32))
def test_a_plan_plays_only_what_its_owner_could_when_all_holds_and_once(seed: int) -> None:
    rng = Random(seed)
    users = [make_user(f"P{seed}x{number}") for number in range(rng.choice([2, 3]))]
    game = start_game(users, seed=seed, options={"goodies": "PJT"})
    for _turn in range(25):
        _plan_something(game, users, rng)
        state, seq = state_of(game), fresh(game).seq
        plans = list(Plan.objects.filter(seat__game=game, state=PlanState.DUE).order_by("place"))
        entry = look(game)
        number = RULES.summary(state).seat or 0
        playable = [
            one.turn
            for one in plans
            if all(RULES.holds(state, number, condition) for condition in one.conditions)
            and RULES.why_not(state, END, one.turn.split()) is None
        ]
        if entry is None:
            assert playable == []
            play(game, random_turn(state, rng))
        else:
            assert {one.seat.number for one in plans} == {entry.seat} == {number}
            assert (entry.turn, entry.seq, entry.planned) == (playable[0], seq + 1, True)
            assert look(game) is None or fresh(game).seq == seq + 2
        assert not Plan.objects.filter(seat__game=game, seat__number=number, state=PlanState.DUE).exists()
        if fresh(game).status != Status.ACTIVE:
            break
    assert not differences(game)


def _plan_something(game: Game, users: list[User], rng: Random) -> None:
    """Let some of those who are not to move plan up to three turns, with some of their conditions."""
    state = state_of(game)
    for number, user in enumerate(users, start=1):
        if number == RULES.summary(state).seat or rng.random() < 0.4:
            continue
        for _plan in range(rng.randint(1, 3)):
            turn = random_turn(RULES.as_if_to_move(state, number), rng)
            found = [condition.text for condition in RULES.conditions(state, number, turn.split())]
            if Plan.objects.filter(seat__game=game, seat__number=number).count() < 3:
                plan(game, user, turn, rng.sample(found, rng.randint(0, len(found))))
