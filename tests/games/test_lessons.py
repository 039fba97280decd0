"""The lessons of Gravity: the rules themselves show that each goal can be reached and missed, and what decides."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.utils.translation import override

from engine.contract import END
from engine.gravity.events import EventKind
from engine.rulesets import RULESETS
from games.presenters.gravity.lessons import LESSONS
from games.presenters.gravity.space import label_space
from games.presenters.lesson import Lesson
from games.queries.moves import Move
from games.queries.practice import Start, practise
from games.web.lessons import start_of

RULESET: Final = "gravity-1"
RULES: Final = RULESETS[RULESET]


def whole_turns(state: Any, steps: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield every legal turn."""
    for step in RULES.legal_steps(state, steps):
        if step == END:
            yield " ".join(steps)
        else:
            yield from whole_turns(state, (*steps, step))


def played(start: Start, turn: str) -> Move:
    return practise(start, [turn]).moves(1, 1)[0]


def split(lesson: Lesson) -> tuple[list[Move], list[Move]]:
    """Return the turns that reach the goal of a lesson, and those that do not."""
    start = start_of(RULESET, lesson.name)
    moves = [played(start, turn) for turn in whole_turns(start.state)]
    reached = [move for move in moves if lesson.is_reached(move)]
    return reached, [move for move in moves if not lesson.is_reached(move)]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_spaces_of_a_goal_are_marked_on_the_board(lesson: Lesson) -> None:
    with override("en"):
        named = re.findall(r"\b[a-r]\d+\b", str(lesson.goal))
    assert [label_space(*place) for place in lesson.targets] == named


def kinds(move: Move) -> list[str]:
    return [event.kind for event in move.line.events]


def cards(move: Move) -> set[str]:
    """Return the special cards of a turn, with what Wild stood for; ``S`` for a simple move."""
    return {step.removeprefix("W")[0] for step in move.line.turn.split() if step[0] not in "x&"}


def collected(move: Move) -> list[object]:
    return [event.params["item"] for event in move.line.events if event.kind == EventKind.COLLECTED]


def returns(move: Move) -> list[object]:
    """Return why cards came back to the learner."""
    own = [event for event in move.line.events if event.seat == move.line.seat]
    return [event.params["why"] for event in own if event.kind == EventKind.CARDS_RETURNED]


DECIDES: Final = {
    "down": lambda move: cards(move) == {"R"} and EventKind.FELL in kinds(move),
    "simple-move": lambda move: "S>" in move.line.turn and EventKind.FELL in kinds(move),
    "edges": lambda move: EventKind.WRAPPED in kinds(move),
    "jumps": lambda move: cards(move) <= {"L", "H"},
    "drop-rotate": lambda move: cards(move) <= {"D", "R"},
    "wild": lambda move: "WL>" in move.line.turn,
    "cards-back": lambda move: any(why in {"complete", "empty"} for why in returns(move)),
    "collecting": lambda move: kinds(move).count(EventKind.COLLECTED) > 1,
    "stealing": lambda move: EventKind.EJECTED in kinds(move) and "x2o" in move.line.turn,
    "open-door": lambda move: kinds(move).count(EventKind.DOOR_MOVED) == 2,
    "replay": lambda move: EventKind.TOKEN_SPENT in kinds(move),
    "the-end": lambda move: EventKind.GAME_ENDED in kinds(move) and "b" in collected(move),
    "goodies": lambda move: cards(move) == {"J"},
}
"""What of the rules a turn has that reaches the goal of a lesson."""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_goal_can_be_reached_and_missed_and_the_idea_decides(lesson: Lesson) -> None:
    reached, missed = split(lesson)
    assert reached
    assert missed
    assert all(DECIDES[lesson.name](move) for move in reached)
    assert not all(DECIDES[lesson.name](move) for move in missed)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_what_a_hint_speaks_of_reaches_the_goal(lesson: Lesson) -> None:
    assert lesson.is_reached(played(start_of(RULESET, lesson.name), lesson.answer))


def test_each_half_of_a_goal_with_two_stars_is_one_ideas_own() -> None:
    ways = {
        lesson.name: [cards(move) for move in split(lesson)[0]]
        for lesson in LESSONS
        if lesson.name in {"jumps", "drop-rotate"}
    }
    assert {"L"} in ways["jumps"]
    assert {"H"} in ways["jumps"]
    assert {"D"} in ways["drop-rotate"]
    assert {"R"} in ways["drop-rotate"]


def test_a_game_that_ends_without_the_pair_is_not_won() -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.name == "the-end")
    reached, missed = split(lesson)
    assert all("b" not in collected(move) or EventKind.TOKEN_SPENT in kinds(move) for move in missed)
    (told,) = [move for move in reached if move.line.turn == lesson.answer]
    assert told.after["points"] == [12, 13]


def test_the_words_of_the_lessons_name_true_places_and_points() -> None:
    with override("en"):
        for lesson in LESSONS:
            start = start_of(RULESET, lesson.name)
            view = RULES.view(start.state, None, ended=True)
            assert start.names[(start.learner or 0) - 1] == "Juno"
            if lesson.name == "the-end":
                assert view["points"] == [12, 10]
            if lesson.name == "open-door":
                assert view["doors"] == ["3,2,S", "7,2,N"]
            if lesson.name == "cards-back":
                assert view["hands"] == ["HW", "HRW"]


def test_lessons_have_names_that_fit_an_account() -> None:
    names = [lesson.name for lesson in LESSONS]
    assert len(set(names)) == len(names) == 13
    assert all(len(name) <= 20 for name in names)
