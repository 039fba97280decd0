"""What a finished game was like: counted by the engine, and again from the events alone."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from engine.contract import Event, PlayedEntry, Summary
from engine.gravity.events import EventKind
from engine.gravity.tally import Mark, tally
from tests.engine.play import GRAVITY


def summary(points: Sequence[int], round_: int = 1, **end: object) -> Summary:
    terms: dict[str, object] = {"retired": (), "ranking": None, "finished": False, **end}
    return Summary(seat=1, round=round_, turns=0, points=tuple(points), **terms)  # type: ignore[arg-type]


def entry(*events: Event, round_: int = 1, points: Sequence[int] = (0, 0, 0), **end: object) -> PlayedEntry:
    return PlayedEntry(summary(points, round_), summary(points, round_, **end), events)


def ejection(seat: int, victim: int) -> Event:
    return Event(EventKind.EJECTED, seat, {"victim": victim, "x": 1, "y": 1})


def end(points: Sequence[int], ranking: Sequence[int], **more: object) -> PlayedEntry:
    return entry(points=points, round_=9, finished=True, ranking=tuple(ranking), **more)


ROUND_OVER = Event(EventKind.ROUND_ENDED, None, {"round": 2})


@pytest.mark.parametrize(
    ("log", "marks"),
    [
        ([end((3, 2, 1), (1, 2, 3))], {Mark.NO_EJECTION}),
        ([entry(ejection(1, 2)), end((3, 2, 1), (1, 2, 3))], {Mark.EARLY_EJECTION}),
        ([entry(ejection(1, 2), round_=2), end((3, 2, 1), (1, 2, 3))], set()),
        ([entry(ejection(1, 2), ejection(1, 3), round_=2), end((3, 2, 1), (1, 2, 3))], {Mark.DOUBLE_EJECTION}),
        ([end((3, 3, 1), (1, 2, 3))], {Mark.NO_EJECTION, Mark.WON_BY_TOKENS}),
        ([end((3, 3, 1), (1, 3, 2), retired=(2,))], {Mark.NO_EJECTION}),
        ([end((3, 3, 1), (1, 1, 3))], {Mark.NO_EJECTION, Mark.SHARED_WIN}),
        (
            [entry(ROUND_OVER, round_=2, points=(0, 1, 2)), end((3, 2, 1), (1, 2, 3))],
            {Mark.NO_EJECTION, Mark.COMEBACK},
        ),
        ([entry(ROUND_OVER, round_=2, points=(0, 0, 2)), end((3, 2, 1), (1, 2, 3))], {Mark.NO_EJECTION}),
        ([entry(ROUND_OVER, round_=1, points=(0, 1, 2)), end((3, 2, 1), (1, 2, 3))], {Mark.NO_EJECTION}),
        ([entry(round_=2, points=(0, 1, 2)), end((3, 2, 1), (1, 2, 3))], {Mark.NO_EJECTION}),
    ],
)
def test_a_game_is_found_by_what_happened_in_it(log: list[PlayedEntry], marks: set[Mark]) -> None:
    assert tally(log).marks == marks


def test_what_one_does_is_counted_for_both() -> None:
    events = (
        Event(EventKind.LAID, 1, {"card": "H", "face_up": True}),
        Event(EventKind.LAID, 1, {"card": "H", "face_up": False}),
        Event(EventKind.COLLECTED, 2, {"item": "b", "x": 1, "y": 1}),
        Event(EventKind.STOLE, 1, {"victim": 3, "item": "r"}),
        ejection(1, 2),
        Event(EventKind.RETIRED, 3, {}),
    )
    assert tally([entry(*events), end((3, 2, 1), (1, 2, 3))]).counts == (
        {"laid-H": 2, "stole": 1, "ejected": 1},
        {"took-b": 1, "was-ejected": 1},
        {"was-robbed": 1},
    )


@pytest.mark.parametrize("seed", range(6))
def test_counts_of_a_whole_game_agree_with_its_events(seed: int) -> None:
    rng = Random(seed)
    size = 2 + seed % 5
    state = GRAVITY.set_up([f"P{number}" for number in range(size)], GRAVITY.check_options({}, size), rng)
    log, happened = list[PlayedEntry](), Counter[str]()
    while not (before := GRAVITY.summary(state)).finished:
        applied = GRAVITY.apply_turn(state, GRAVITY.choose_turn("random", state, rng))
        state = applied.state
        log.append(PlayedEntry(before, GRAVITY.summary(state), applied.events))
        happened.update(event.kind for event in applied.events)
    counts = GRAVITY.tally(log).counts
    total = sum((Counter(own) for own in counts), Counter[str]())
    assert total["ejected"] == total["was-ejected"] == happened["ejected"]
    assert total["stole"] == total["was-robbed"] == happened["stole"]
    assert sum(number for code, number in total.items() if code.startswith("took-")) == happened["collected"]
    assert sum(number for code, number in total.items() if code.startswith("laid-")) == happened["laid"]
