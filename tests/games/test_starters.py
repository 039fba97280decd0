"""The puzzles that the site starts with: each claim holds, and is found anew."""

import json
import os
from functools import cache
from random import Random
from typing import Any, Final

import pytest
from django.core.management import call_command

from engine.contract import Puzzle as Claim
from engine.gravity.puzzles import CLEAR, LEAST, Theme, find, solves
from engine.gravity.review import judge
from engine.puzzles import read_puzzle
from engine.rulesets import RULESETS
from games.commands.add_puzzle import STARTERS, digest_of, is_worth_it
from games.models import Puzzle

SEARCHED: Final = {Theme.THEFT, Theme.DOOR_TIMING}
"""Themes that take a search to be told."""
LINES: Final = STARTERS.read_text(encoding="utf-8").splitlines()


@cache
def starters() -> tuple[tuple[dict[str, Any], Any, Claim], ...]:
    written = [json.loads(line) for line in LINES]
    return tuple((one, *read_puzzle(RULESETS[one["ruleset"]], one)) for one in written)


def test_there_are_some_each_is_another_position_and_none_names_anybody() -> None:
    assert len(LINES) >= 20
    assert len({digest_of(one) for one, _state, _claim in starters()}) == len(LINES)
    for one, _state, _claim in starters():
        assert is_worth_it(one)
        assert all(name.startswith("Player ") for name in one["setup"]["players"])


def test_each_is_what_it_says_as_far_as_no_search_is_needed() -> None:
    for one, state, claim in starters():
        rules, me = RULESETS[one["ruleset"]], one["seat"] - 1
        assert rules.summary(state).seat == one["seat"]
        assert claim.best.turn == claim.solutions[0]
        for turn in claim.solutions:
            rules.apply_turn(state, turn)
        assert all(rules.solves(state, claim, turn) for turn in claim.solutions)
        assert not rules.solves(state, claim, claim.other.turn)
        assert claim.best.chances[me] >= LEAST
        assert claim.best.chances[me] - claim.other.chances[me] >= CLEAR
        said = judge(state, claim.best.turn, (claim.best, claim.other))
        assert (said.reason, json.loads(json.dumps(dict(said.params)))) == (claim.reason, claim.params)
        assert not solves(state, claim.solutions, rules.choose_turn("greedy", state, Random(0))), "it is not easy"
        plain = {theme for theme in claim.themes if theme not in SEARCHED}
        assert plain == themes_without_a_search(state, claim)


def themes_without_a_search(state: Any, claim: Claim) -> set[str]:
    """Return the themes of the best turn, told by its events alone, as they are narrated."""
    events = RULESETS["gravity-1"].apply_turn(state, claim.best.turn).events
    kinds = [event.kind for event in events]
    ejected = kinds.count("ejected")
    told = {
        Theme.OVER_THE_EDGE: "wrapped" in kinds,
        Theme.EJECTION: ejected == 1,
        Theme.DOUBLE_EJECTION: ejected > 1,
        Theme.SECOND_ACTION: "token_spent" in kinds,
        Theme.ROTATION: "rotated" in kinds,
        Theme.GOODIE: "passed" in kinds,
        Theme.LAST_ROUND: Theme.LAST_ROUND in claim.themes,
        Theme.LONG_FALL: Theme.LONG_FALL in claim.themes,
    }
    return {theme for theme, is_so in told.items() if is_so}


def prove(number: int) -> None:
    """Find a puzzle anew: all that is claimed of it but its rating, which takes the chance of its game."""
    one, state, claim = starters()[number]
    found = find(state, Random(1), one["playouts"])
    assert found is not None
    for name in ("solutions", "best", "other", "themes", "reason"):
        assert getattr(found, name) == getattr(claim, name), name


def test_the_first_is_found_anew_by_the_deep_search() -> None:
    prove(0)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, len(LINES), 1 if os.environ.get("EXAMPLES") == "all" else 7))
def test_each_is_found_anew_by_the_deep_search(number: int) -> None:
    prove(number)


@pytest.mark.django_db
def test_they_are_stored_once() -> None:
    for _time in range(2):
        call_command("make_puzzles", starters=True, verbosity=0)
        assert Puzzle.objects.count() == len(LINES)
