"""A review says what a turn lost and why, and every reason is shown by the lines that it compares."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import END, Applied, Assessed, Reviewed, Verdict
from engine.gravity.bots.assess import survey
from engine.gravity.bots.quick import quick_turn
from engine.gravity.events import EventKind
from engine.gravity.notation import hide_cards
from engine.gravity.reasons import PRAISE, Reason, can_eject, most_gain
from engine.gravity.review import AGAIN, CLEAR, DECIDED, EQUAL, LOOKS, VERDICTS, judge, review
from engine.gravity.rules import ranking
from engine.gravity.state import State, cards_text
from tests.engine.play import GRAVITY, budget
from tests.engine.subjects import SUBJECTS, random_steps, running_state

GAME = SUBJECTS[0]
AGAINST = {praise: reason for reason, praise in PRAISE.items()}
EQUALS = {Reason.SAME, Reason.SAFE, Reason.HOPELESS}


def some_state(rng: Random) -> State:
    """Return a position of some game, as often as not one of its last two rounds."""
    state = running_state(GAME, rng)
    if rng.random() < 0.5:
        return state
    states = [state]
    while not state.finished and len(states) < 400:
        state = GRAVITY.apply_turn(state, " ".join(random_steps(GAME, state, rng))).state
        states.append(state)
    return rng.choice(states[-1 - 2 * len(state.players) : -1])


def some_review(seed: int) -> tuple[State, Reviewed, tuple[Assessed, ...]]:
    """Return a position, what a random, a greedy or the best turn there was worth, and what that was compared with."""
    rng = Random(seed)
    state = some_state(rng)
    turn = " ".join(random_steps(GAME, state, rng))
    kind = rng.randrange(3)
    if kind == 1:
        turn = GRAVITY.choose_turn("greedy", state, rng)
    found = GRAVITY.assess(state, rng, playouts=12, played=turn)
    if kind == 2:
        turn = found[0].turn
    return state, judge(state, turn, found), found


def all_turns(state: State) -> tuple[tuple[str, Applied[State]], ...]:
    """Return every legal turn of the seat to move, found by the contract alone, with what it does."""

    def go_on(steps: tuple[str, ...]) -> Iterator[str]:
        for step in GRAVITY.legal_steps(state, steps):
            if step == END:
                yield " ".join(steps)
            else:
                yield from go_on((*steps, step))

    return tuple((turn, GRAVITY.apply_turn(state, turn)) for turn in go_on(()))


def most(state: State) -> int:
    """Return the most points that a turn of the seat to move brings."""
    return max(gain(state, applied, state.seat) for _, applied in all_turns(state))


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


@budget(40)
@given(st.integers(0, 2**32))
def test_every_reason_is_shown_by_the_lines(seed: int) -> None:
    state, found, assessed = some_review(seed)
    if found.best.turn != found.played.turn:
        assert_true(state, found.reason, found.params, found.played, found.best)
        return
    others = [one for one in assessed if hide_cards(one.turn) != hide_cards(found.played.turn)]
    if found.reason == Reason.ALONE:
        assert not others
        return
    me = state.seat
    following = max(others, key=lambda one: one.chances[me])
    chances = (found.played.chances[me], following.chances[me])
    if found.reason in EQUALS:
        assert chances[1] > chances[0] - EQUAL
        assert (max(chances) < DECIDED) == (found.reason == Reason.HOPELESS)
        assert (min(chances) > 1 - DECIDED) == (found.reason == Reason.SAFE)
    else:
        assert chances[1] <= chances[0] - EQUAL
        assert_true(state, AGAINST[Reason(found.reason)], found.params, following, found.played)


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
            assert params["shared"] == (ranking(best.state).count(1) > 1)
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
                assert not any(ejections(one, me) for before, _ in replies for _, one in all_turns(before))
                assert not any(can_eject(replace(best.state, seat=before.seat), me) for before, _ in replies)
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
        case Reason.WASTED_TOKEN:
            assert gain(state, own, me) == gain(state, best, me) == params["points"]
            assert (spent, spends) == (True, False)
        case Reason.GAVE_GOODIE:
            assert any(event.kind == EventKind.PASSED and event.params == params for event in own.events)
            given, passed = (
                {event.params["card"] for event in one.events if event.kind == EventKind.PASSED} for one in (own, best)
            )
            assert passed < given, "no other goodie goes instead"
            assert params["card"] in given - passed
        case Reason.FED_RIVAL:
            rival = params["by"] - 1
            assert params["points"] in [gain(before, one, rival) for before, one in answers if before.seat == rival]
            assert params["better"] in [most(before) for before, _ in replies if before.seat == rival]
            assert params["points"] > params["better"]
        case Reason.FEW_CARDS:
            hands = tuple(one.state.players[me].hand.bit_count() for one in (own, best))
            assert hands == (params["cards"], params["better"])
            assert hands[0] < hands[1]
        case Reason.LAID_WILD:
            assert any(event.kind == EventKind.LAID and event.params["card"] == "W" for event in own.events)
            hand, kept = (cards_text(one.state.players[me].hand) for one in (own, best))
            assert ("W" in hand, "W" in kept) == (False, True)
        case Reason.OTHER_CARD:
            hand, kept = (cards_text(one.state.players[me].hand) for one in (own, best))
            assert (params["card"] in hand, params["card"] in kept) == (False, True)
            assert what_lies_open(own.state, me) == what_lies_open(best.state, me)
        case Reason.LET_END:
            before, last = answers[-1]
            assert last.state.finished
            assert before.seat + 1 == params["by"]
            assert ranking(last.state)[me] > 1
            assert not (replies[-1][1] if replies else best).state.finished
        case Reason.WORSE_PLACE:
            ends = [(lines[-1][1]).state for lines in (answers, replies)]
            assert all(end.finished for end in ends)
            assert [ranking(end)[me] for end in ends] == [params["place"], params["better"]]
            assert params["better"] < params["place"]
        case Reason.LITTLE_IN_REACH:
            ends = [lines[-1][1].state for lines in (answers, replies)]
            assert all(end.seat == me and not end.finished for end in ends)
            assert [most(end) for end in ends] == [params["points"], params["better"]]
            gained_before = max(0, own.state.players[me].points - best.state.players[me].points)
            assert params["points"] + gained_before < params["better"]
        case Reason.EXPOSED:
            assert any(
                ejections(one, me)
                for before, _ in answers
                if before.seat + 1 == params["by"]
                for _, one in all_turns(before)
            )
            assert not any(can_eject(before, me) for before, _ in replies)
        case Reason.LATER:
            gaps = [lead_later(best.state, me, game) - lead_later(own.state, me, game) for game in range(48)]
            assert round(10 * fmean(gaps)) == params["points"] > 0
        case Reason.LEAD:
            assert lead(better, me) - lead(worse, me) == params["points"] > 0
        case _:
            assert reason == Reason.OUTLOOK


def what_lies_open(state: State, me: int) -> tuple[Any, ...]:
    """Return all that there is of a state but the cards of one seat."""
    others = [player for index, player in enumerate(state.players) if index != me]
    mine = state.players[me]
    return state.board, state.cells, state.supply, state.door, state.round, others, mine.pawn, mine.loot


def lead_later(state: State, me: int, game: int) -> int:
    """Return the lead after two rounds of quick play."""
    rng = Random(game)
    for _ in range(2 * len(state.players)):
        state = state if state.finished else quick_turn(state, rng)
    points = [player.points for player in state.players]
    return points.pop(me) - max(points)


def lead(assessed: Assessed, me: int) -> int:
    return assessed.points[me] - max(points for seat, points in enumerate(assessed.points) if seat != me)


@budget(15)
@given(st.integers(0, 2**32))
def test_a_rival_can_eject_whom_one_of_all_legal_turns_ejects(seed: int) -> None:
    rng = Random(seed)
    state = running_state(GAME, rng)
    for _ in range(12):
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
            assert best.reason == PRAISE[Reason(against.reason)]


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
        surveyed = survey(state, Random(seed), 8, looks=1 if len(state.players) == 2 else LOOKS, played=turn)
        first = judge(state, turn, surveyed.turns, surveyed.noise)
        found = review(state, Random(seed), 8, turn)
        assert found.lost <= first.lost
        again = first.lost >= VERDICTS[-2][0]
        seen.add(again)
        if not again:
            assert found == first
    assert seen == {True, False}
    assert AGAIN > 1


@budget(6)
@given(st.integers(0, 2**32))
def test_the_most_that_a_turn_brings_is_what_the_best_of_all_legal_turns_brings(seed: int) -> None:
    state = some_state(Random(seed))
    assert most_gain(state) == most(state)


def test_what_may_be_chance_is_not_counted_as_lost() -> None:
    state = first_position()
    found = assessments(state, 0.6, 0.35)
    plain, noisy, lost = (judge(state, "R-", found, noise) for noise in (0.0, 0.1, 0.3))
    assert (plain.verdict, noisy.verdict, lost.verdict) == (Verdict.BLUNDER, Verdict.MISTAKE, Verdict.BEST)
    assert (plain.lost, noisy.lost, lost.lost) == pytest.approx((0.25, 0.15, 0))
    assert judge(state, "R+", found).verdict == Verdict.GREAT
    assert judge(state, "R+", found, 0.2).verdict == Verdict.BEST


@pytest.mark.parametrize("seats", [2, 3])
def test_several_looks_say_how_much_of_a_difference_may_be_chance(seats: int) -> None:
    state = GRAVITY.set_up(("Ada", "Bo", "Cy")[:seats], GRAVITY.check_options({}, seats), Random(5))
    found = survey(state, Random(1), 12, looks=3)
    assert (found.noise > 0) == (seats > 2), "a search for two has no chance in it"
    assert found.noise < 0.5
    assert [one.chances[0] for one in found.turns] == sorted((one.chances[0] for one in found.turns), reverse=True)
    assert all(sum(one.chances) == pytest.approx(1) for one in found.turns)
    assert survey(state, Random(1), 12, looks=1).noise == 0
