"""A review says what a turn lost and why, and every reason is shown by the lines that it compares."""

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import Applied, Assessed, Reviewed, Verdict
from engine.gravity.events import EventKind
from engine.gravity.review import AGAIN, CLEAR, EQUAL, VERDICTS, Reason, can_eject, judge, review
from engine.gravity.rules import ranking
from engine.gravity.state import State
from tests.engine.play import GRAVITY, budget
from tests.engine.subjects import SUBJECTS, random_steps, running_state

GAME = SUBJECTS[0]


def some_review(seed: int) -> tuple[State, Reviewed]:
    """Return a position of some game, and what a random or a greedy turn there was worth."""
    rng = Random(seed)
    state = running_state(GAME, rng)
    turn = " ".join(random_steps(GAME, state, rng))
    if rng.random() < 0.4:
        turn = GRAVITY.choose_turn("greedy", state, rng)
    return state, judge(state, turn, GRAVITY.assess(state, rng, playouts=12, played=turn))


def play_out(state: State, assessed: Assessed) -> list[tuple[State, Applied[State]]]:
    """Return each position of a line with what its turn does."""
    played = []
    for turn in (assessed.turn, *assessed.line):
        applied = GRAVITY.apply_turn(state, turn)
        played.append((state, applied))
        state = applied.state
    return played


def ejections(applied: Applied[State], victim: int) -> list[Any]:
    return [
        event for event in applied.events if event.kind == EventKind.EJECTED and event.params["victim"] == victim + 1
    ]


def gain(before: State, applied: Applied[State], seat: int) -> int:
    return applied.state.players[seat].points - before.players[seat].points


@budget(60)
@given(st.integers(0, 2**32))
def test_a_reason_against_a_turn_is_shown_by_the_lines(seed: int) -> None:
    state, found = some_review(seed)
    if found.best.turn == found.played.turn:
        return
    assert_true(state, found.reason, found.params, found.played, found.best)


def assert_true(state: State, reason: str, params: Any, worse: Assessed, better: Assessed) -> None:
    me = state.seat
    (_, own), *answers = play_out(state, worse)
    (_, best), *replies = play_out(state, better)
    spent, spends = (any(event.kind == EventKind.TOKEN_SPENT for event in one.events) for one in (own, best))
    match reason:
        case Reason.ENDED_BEHIND:
            assert own.state.finished
            assert ranking(own.state)[me] > 1
            assert not best.state.finished
        case Reason.MISSED_WIN:
            assert best.state.finished
            assert ranking(best.state)[me] == 1
        case Reason.ALLOWED_EJECTION:
            hits = [one for before, one in answers if before.seat + 1 == params["by"] and ejections(one, me)]
            assert hits
            stolen = [
                event.params["item"]
                for event in hits[0].events
                if event.kind == EventKind.STOLE and event.params["victim"] == me + 1
            ]
            assert stolen == ([params["item"]] if params["item"] else [])
            assert not any(ejections(one, me) for _, one in replies)
            if params["sure"]:
                assert not any(can_eject(before, me) for before, _ in replies)
        case Reason.MISSED_EJECTION | Reason.MISSED_STEAL:
            assert ejections(best, params["victim"] - 1)
            assert bool(ejections(own, params["victim"] - 1)) == (reason == Reason.MISSED_STEAL)
            if params["item"]:
                assert any(
                    event.kind == EventKind.STOLE
                    and event.params == {"victim": params["victim"], "item": params["item"]}
                    for event in best.events
                )
        case Reason.MISSED_POINTS | Reason.MISSED_SECOND | Reason.SPENT_TOKEN:
            assert (gain(state, own, me), gain(state, best, me)) == (params["points"], params["better"])
            assert params["better"] > params["points"]
            if reason == Reason.MISSED_SECOND:
                assert (spent, spends) == (False, True)
            elif reason == Reason.SPENT_TOKEN:
                assert (spent, spends) == (True, False)
        case Reason.GAVE_GOODIE:
            assert any(event.kind == EventKind.PASSED and event.params == params for event in own.events)
            assert not any(
                event.kind == EventKind.PASSED and event.params["card"] == params["card"] for event in best.events
            )
        case Reason.FED_RIVAL:
            rival = params["by"] - 1
            assert params["points"] in [gain(before, one, rival) for before, one in answers if before.seat == rival]
            assert params["better"] in [gain(before, one, rival) for before, one in replies if before.seat == rival]
            assert params["points"] > params["better"]
        case Reason.FEW_CARDS:
            hands = tuple(one.state.players[me].hand.bit_count() for one in (own, best))
            assert hands == (params["cards"], params["better"])
        case Reason.EXPOSED:
            assert any(can_eject(before, me) for before, _ in answers if before.seat + 1 == params["by"])
            assert not any(can_eject(before, me) for before, _ in replies)
        case Reason.LEAD:
            assert lead(better, me) - lead(worse, me) == params["points"] > 0
        case _:
            assert reason == Reason.OUTLOOK


def lead(assessed: Assessed, me: int) -> int:
    return assessed.points[me] - max(points for seat, points in enumerate(assessed.points) if seat != me)


@budget(15)
@given(st.integers(0, 2**32))
def test_a_rival_can_eject_whom_one_of_all_legal_turns_ejects(seed: int) -> None:
    rng = Random(seed)
    state = running_state(GAME, rng)
    for _ in range(40):
        before, steps = state, random_steps(GAME, state, rng)
        applied = GRAVITY.apply_turn(state, " ".join(steps))
        for victim in range(len(state.players)):
            if ejections(applied, victim):
                assert can_eject(before, victim)
            elif not can_eject(before, victim):
                assert applied.state.players[victim].pawn >= 0 or before.players[victim].pawn < 0
        state = applied.state
        if state.finished:
            break


def assessments(state: State, *chances: float) -> list[Assessed]:
    """Return legal turns of a first turn that no card laid face down tells apart, with chances for its seat."""
    turns = ("R+", "R-", "R=", "D")
    rest = len(state.players) - 1
    found = []
    for turn, chance in zip(turns, chances, strict=False):
        points = tuple(player.points for player in GRAVITY.apply_turn(state, turn).state.players)
        found.append(Assessed(turn, (chance, *([(1 - chance) / rest] * rest)), points, ()))
    return found


def first_position() -> State:
    return GRAVITY.set_up(("Ada", "Bo"), GRAVITY.check_options({}, 2), Random(5))


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [
        (0.0, Verdict.BEST),
        (EQUAL - 0.001, Verdict.BEST),
        (EQUAL + 0.001, Verdict.GOOD),
        (0.051, Verdict.INACCURACY),
        (0.101, Verdict.MISTAKE),
        (0.201, Verdict.BLUNDER),
    ],
)
def test_the_verdict_follows_from_the_chances_that_were_lost(lost: float, verdict: Verdict) -> None:
    state = first_position()
    found = judge(state, "R-", assessments(state, 0.6, 0.6 - lost))
    assert found.verdict == verdict
    assert found.lost == (0 if verdict == Verdict.BEST else pytest.approx(lost))


def test_a_best_turn_is_great_where_all_others_are_clearly_worse() -> None:
    state = first_position()
    far, near = 0.6 - CLEAR - 0.001, 0.6 - CLEAR + 0.001
    assert judge(state, "R+", assessments(state, 0.6, far, 0.2)).verdict == Verdict.GREAT
    assert judge(state, "R+", assessments(state, 0.6, near, 0.2)).verdict == Verdict.BEST
    alone = judge(state, "R+", assessments(state, 0.6))
    assert (alone.verdict, alone.reason) == (Verdict.BEST, Reason.ALONE)


def test_turns_that_differ_in_the_card_laid_face_down_count_as_one() -> None:
    state = first_position()
    side = next(step for step in GRAVITY.legal_steps(state) if step.startswith("S"))[:3]
    points = tuple(player.points for player in GRAVITY.apply_turn(state, f"{side}L)").state.players)
    better, worse = (
        Assessed(f"{side}{card})", chances, points, ())
        for card, chances in (
            ("D", (0.7, 0.3)),
            ("L", (0.3, 0.7)),
        )
    )
    found = judge(state, worse.turn, [better, worse])
    assert (found.verdict, found.lost, found.best) == (Verdict.BEST, 0, worse)


def test_what_is_said_for_a_turn_is_what_would_be_said_against_the_next_best() -> None:
    state = first_position()
    for seed, playing in product(range(6), range(2)):
        found = GRAVITY.assess(state, Random(seed), playouts=20)
        best = judge(state, found[0].turn, found)
        others = [one for one in found if one.turn != found[0].turn]
        if playing and others and found[0].chances[state.seat] - others[0].chances[state.seat] > EQUAL:
            against = judge(state, others[0].turn, [found[0], others[0]])
            assert best.params == against.params
            assert best.reason not in {against.reason, Reason.SAME, Reason.ALONE} or against.reason == Reason.OUTLOOK


def test_who_ends_a_game_reads_whether_that_was_right() -> None:
    seen: set[str] = set()
    for seed in range(300):
        rng, state = Random(seed), first_position()
        while not state.finished:
            turn = " ".join(random_steps(GAME, state, rng))
            before, state = state, GRAVITY.apply_turn(state, turn).state
        other = next((turn for turn in ("C", "R=", "WR=", "D") if goes_on(before, turn)), None)
        if other is None:
            continue
        shares = GRAVITY.chances(state)
        end = Assessed(turn, shares, tuple(player.points for player in state.players), ())
        after = GRAVITY.apply_turn(before, other).state
        then = Assessed(other, (0.4, 0.4), tuple(player.points for player in after.players), ())
        won = ranking(state)[before.seat] == 1
        found = judge(before, other if won else turn, [end, then] if won else [then, end])
        assert found.reason == (Reason.MISSED_WIN if won else Reason.ENDED_BEHIND)
        praised = judge(before, turn if won else other, [end, then] if won else [then, end])
        assert praised.reason == (Reason.WON if won else Reason.PLAYED_ON)
        seen.add(found.reason)
        if len(seen) == 2:
            return
    pytest.fail("these games end in one way alone")


def goes_on(state: State, turn: str) -> bool:
    return turn in GRAVITY.legal_steps(state) and not GRAVITY.apply_turn(state, turn).state.finished


def test_a_turn_that_seems_bad_is_looked_at_again_and_the_kinder_look_counts() -> None:
    rng = Random(11)
    state = running_state(GAME, rng)
    seen = set()
    for seed in range(12):
        turn = " ".join(random_steps(GAME, state, Random(seed)))
        first = judge(state, turn, GRAVITY.assess(state, Random(seed), playouts=8, played=turn))
        found = review(state, Random(seed), 8, turn)
        assert found.lost <= first.lost
        again = first.lost >= VERDICTS[-2][0]
        seen.add(again)
        if not again:
            assert found == first
    assert seen == {True, False}
    assert AGAIN > 1
