"""The shapes by which the presenter of Gravity reads what its engine gives as JSON."""

from random import Random
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from engine.gravity.events import EventKind
from engine.rulesets import RULESETS
from games.presenters.gravity.view import EventParams, GravityOptions, GravityView
from tests.flows.play import random_turn

RULES = RULESETS["gravity-1"]
UNREAD = {"face_up", "from"}
"""Parameters that no presenter reads."""


def fits(value: Any, hint: Any) -> bool:
    """Return whether a JSON value has a type that is written down."""
    if isinstance(hint, UnionType):
        return any(fits(value, one) for one in get_args(hint))
    if get_origin(hint) is list:
        return isinstance(value, list | tuple) and all(fits(item, get_args(hint)[0]) for item in value)
    return type(value) is (NoneType if hint is None else hint)


@pytest.mark.parametrize("size", [2, 4, 6])
def test_views_options_and_events_have_the_shapes_that_are_written_down(size: int) -> None:
    rng = Random(size)
    options = RULES.check_options({"goodies": "PJT"}, size)
    state = RULES.set_up([f"P{number}" for number in range(size)], options, rng)
    hints, params = get_type_hints(GravityView), get_type_hints(EventParams)
    kinds = set()
    for _turn in range(500):
        for reader in (None, 1):
            view = RULES.view(state, reader)
            assert set(view) | {"ranking"} == set(hints)
            assert {key for key, value in view.items() if not fits(value, hints[key])} == set()
        if RULES.summary(state).finished:
            break
        applied = RULES.apply_turn(state, random_turn(state, rng))
        state = applied.state
        for event in RULES.view_events(applied.events, None):
            kinds.add(EventKind(event.kind))
            read = {key: value for key, value in event.params.items() if key not in UNREAD}
            assert {key for key, value in read.items() if not fits(value, params[key])} == set()
    assert RULES.summary(state).finished
    assert "ranking" in RULES.view(state, None)
    assert len(kinds) > 10
    assert set(options) == set(get_type_hints(GravityOptions))
    assert GravityView.__optional_keys__ == {"ranking"}
