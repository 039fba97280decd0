"""The time control in words."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from django.utils.translation import override

from games.clock import PRESETS, OnTimeout, PauseReason, TimeControl, custom
from games.words.time import PAUSE_LABELS, PRESET_LABELS, describe_time_control, format_duration, name_time_control

MINUTE, HOUR, DAY = 60, 3_600, 86_400


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.mark.parametrize(
    ("time_control", "sentence"),
    [
        (
            PRESETS["evening"],
            (
                "10 minutes per turn; every day counts; when time runs out a computer player plays that turn, and the "
                "third time in a row the player is out of the game."
            ),
        ),
        (
            PRESETS["daily"],
            (
                "1 day per turn and a reserve of 2 days for the whole game; holidays set in advance do not count; "
                "when time runs out a computer player plays that turn, and the third time in a row the player is out "
                "of the game."
            ),
        ),
        (
            PRESETS["relaxed"],
            (
                "3 days per turn and a reserve: 3 days at the start, 6 hours more per finished turn, "
                "at most 6 days; holidays set in advance do not count; when time runs out a computer player plays "
                "that turn, and the third time in a row the player is out of the game."
            ),
        ),
        (
            custom(7 * DAY, weekends=True, on_timeout=OnTimeout.STRICT),
            (
                "7 days per turn; Saturdays, Sundays and holidays set in advance do not count; "
                "when time runs out the player is out of the game."
            ),
        ),
        (
            custom(HOUR, reserve_increment=MINUTE, reserve_cap=HOUR, weekends=True),
            (
                "1 hour per turn and a reserve: 1 minute per finished turn, at most 1 hour; "
                "Saturdays and Sundays do not count; when time runs out a computer player plays that turn, and the "
                "third time in a row the player is out of the game."
            ),
        ),
    ],
)
def test_a_time_control_is_one_whole_sentence(time_control: TimeControl, sentence: str) -> None:
    assert describe_time_control(time_control) == sentence


def test_time_controls_that_differ_are_never_described_alike() -> None:
    time_controls = [
        TimeControl(allowance, start, increment, 2 * HOUR, weekends, holidays, on_timeout)
        for allowance, start, increment, weekends, holidays, on_timeout in product(
            (DAY, DAY + 1), (HOUR, 2 * HOUR), (MINUTE, HOUR), (True, False), (True, False), OnTimeout
        )
    ]
    assert len({describe_time_control(time_control) for time_control in time_controls}) == len(time_controls)


def test_a_reserve_that_can_never_hold_anything_is_not_promised() -> None:
    assert "reserve" not in describe_time_control(replace(custom(DAY), reserve_cap=HOUR))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (2 * HOUR, "2 hours"),
        (DAY, "1 day"),
        (36 * HOUR, "1 day 12 hours"),
        (2 * DAY + 3 * HOUR + 4 * MINUTE + 5, "2 days 3 hours 4 minutes 5 seconds"),
    ],
)
def test_a_duration_is_said_exactly(seconds: int, words: str) -> None:
    assert format_duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (2 * DAY + 3 * HOUR + 59 * MINUTE, "2 days 3 hours"),
        (2 * DAY + 59 * MINUTE, "2 days"),
        (59 * MINUTE + 59, "59 minutes 59 seconds"),
        (0, "0 seconds"),
    ],
)
def test_a_time_left_is_said_in_its_two_largest_units_rounded_down(seconds: int, words: str) -> None:
    assert format_duration(seconds, parts=2) == words


def test_every_preset_and_the_custom_time_control_have_a_name() -> None:
    assert set(PRESET_LABELS) == {*PRESETS, "custom"}
    assert name_time_control(PRESETS["relaxed"]) == "Relaxed"
    assert name_time_control(custom(5 * MINUTE)) == "Custom"


def test_every_reason_for_a_pause_has_a_sentence() -> None:
    assert set(PAUSE_LABELS) == set(PauseReason)
    assert all(str(words).endswith(".") for words in PAUSE_LABELS.values())
