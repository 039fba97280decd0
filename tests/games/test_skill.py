"""The model of ratings: laws that any has to keep, and what OpenSkill itself says."""

import math
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from games.skill import MU, SIGMA, Skill, mean_of, rate, shown

SKILLS = st.builds(Skill, st.floats(-30, 80), st.floats(0.5, 12))


@st.composite
def results(draw: st.DrawFn) -> tuple[list[Skill], list[int]]:
    """Return players with their places, as a ranking gives them: who shares a place takes those after it too."""
    skills = draw(st.lists(SKILLS, min_size=2, max_size=6))
    points = draw(st.lists(st.integers(0, 4), min_size=len(skills), max_size=len(skills)))
    return skills, [1 + sum(other > own for other in points) for own in points]


@given(results())
def test_ratings_are_those_of_openskill(result: tuple[list[Skill], list[int]]) -> None:
    skills, places = result
    model = PlackettLuce()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    theirs = model.rate(teams, ranks=[float(place) for place in places])
    for ours, (player,) in zip(rate(skills, places), theirs, strict=True):
        assert math.isclose(ours.mu, player.mu, rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(ours.sigma, player.sigma, rel_tol=1e-9)


@given(results(), st.randoms(use_true_random=False))
def test_the_order_of_the_seats_decides_nothing(result: tuple[list[Skill], list[int]], rng: Random) -> None:
    skills, places = result
    order = list(range(len(skills)))
    rng.shuffle(order)
    straight = rate(skills, places)
    shuffled = rate([skills[index] for index in order], [places[index] for index in order])
    for index, skill in zip(order, shuffled, strict=True):
        assert math.isclose(skill.mu, straight[index].mu, rel_tol=1e-12, abs_tol=1e-9)


@given(SKILLS, SKILLS)
def test_who_wins_rises_and_who_loses_falls(winner: Skill, loser: Skill) -> None:
    better, worse = rate([winner, loser], [1, 2])
    assert better.mu >= winner.mu
    assert worse.mu <= loser.mu
    assert better.sigma < math.hypot(winner.sigma, MU / 300)


@given(SKILLS, SKILLS)
def test_a_draw_brings_players_nearer(one: Skill, other: Skill) -> None:
    assume(abs(one.mu - other.mu) > 1e-6)
    mine, theirs = rate([one, other], [1, 1])
    assert abs(mine.mu - theirs.mu) < abs(one.mu - other.mu)


def test_equals_who_share_a_place_stay_equal() -> None:
    first, *rest = rate([Skill()] * 3, [1, 2, 2])
    assert rest[0] == rest[1]
    assert rest[0].mu < MU < first.mu
    assert first.sigma < SIGMA


def test_the_numbers_are_these_to_the_last_digit() -> None:
    """They stand in databases: whatever changes them makes all stored ratings wrong."""
    assert rate([Skill(), Skill()], [1, 2]) == (
        Skill(27.635389493140497, 8.06590141354368),
        Skill(22.364610506859503, 8.06590141354368),
    )
    one = rate([Skill(31.5, 2.25), Skill(22.0, 4.5), Skill(25.0, 8.0), Skill(27.25, 1.5)], [3, 1, 1, 4])
    assert [(skill.mu.hex(), skill.sigma.hex()) for skill in one] == NUMBERS


NUMBERS = [
    ("0x1.f85f6aa86239bp+4", "0x1.1fd0fe5441d2fp+1"),
    ("0x1.686fbb4ca9339p+4", "0x1.1f24828c1167bp+2"),
    ("0x1.a701478c4a2e0p+4", "0x1.f515dc73a53ffp+2"),
    ("0x1.b2153aeeb770fp+4", "0x1.807423e88927dp+0"),
]


@pytest.mark.parametrize(("mu", "number"), [(MU, 1500), (MU + 4, 1600), (MU - 0.021, 1499), (MU - 0.019, 1500)])
def test_people_read_a_number_near_1500(mu: float, number: int) -> None:
    assert shown(mu) == number


@given(st.integers(0, 3000))
def test_bounds_of_a_number_are_those_of_what_is_shown(number: int) -> None:
    assert shown(mean_of(number) + 1e-6) == number
    assert shown(mean_of(number + 1) - 1e-6) == number
