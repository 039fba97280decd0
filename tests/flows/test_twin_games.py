"""Twin games of Gravity look alike in every answer of the site to whoever may not see the card in which they differ."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from pytest_django import Settings

from accounts.models import User
from games import commands
from games.clock import TimeControl
from games.models import Game, Seat
from tests.flows.addresses import ROWS, addresses
from tests.flows.play import RULES, random_turn, simple_pair, start_game, state_of
from tests.flows.twins import ABOUT, MAILED, OTHERS, THEN, Site, Twins, differences, play

pytestmark = pytest.mark.django_db
OWNER = 1
"""The seat that lays another card face down in each twin."""
SEED = 4


def begin(people: Sequence[User], time_control: TimeControl) -> Game:
    return start_game(people, seed=SEED, options={"goodies": "PJT"}, now=THEN, time_control=time_control)


def part(game: Game, _viewer: int | None, which: int) -> None:
    """Play two rounds, then lay the one or the other card."""
    rng = Random(SEED)
    for _turn in range(6):
        play(game, random_turn(state_of(game), rng))
    pair = simple_pair(state_of(game))
    assert pair is not None
    play(game, pair[which])


def turn(game: Game) -> str:
    """Return a turn that is legal in both twins: their owner takes all cards back, which tells nothing."""
    state = state_of(game)
    takes_back = game.to_move == OWNER and "C" in RULES.legal_steps(state)
    return "C" if takes_back else random_turn(state, Random(game.seq))


GRAVITY = Twins(
    begin=begin,
    part=part,
    turn=turn,
    steps=["R=", "&", "no step", "S<(L)", "S>(H)", "S<(P)", "C", "D"],
    turns=["S<(L)", "S<(H)", "S>(L)", "S>(H)", "R=", "no turn", "C C"],
)


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [None, 2, 3])
def test_twins_look_alike_in_every_answer_of_the_site(
    viewer: int | None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    site = Site(GRAVITY, viewer, monkeypatch, settings)
    one, other = site.answers(0), site.answers(1)
    assert differences(one, other) == []
    assert viewer is None or site.topics == MAILED


def plan(game: Game, _viewer: int | None, which: int) -> None:
    """Play two rounds and a turn; in the one twin its owner has two plans then, and in the other none."""
    rng = Random(SEED)
    for _turn in range(7):
        play(game, random_turn(state_of(game), rng))
    owner = Seat.objects.get(game=game, number=OWNER).user
    assert owner is not None
    for _plan in range(2 * which):
        planned = random_turn(RULES.as_if_to_move(state_of(game), OWNER), rng)
        commands.add_plan(game_key=game.key, user=owner, seq=7, turn=planned, now=THEN)


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [None, 2])
def test_nobody_else_can_tell_whether_somebody_has_plans(
    viewer: int | None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    site = Site(replace(GRAVITY, part=plan, elsewhere=viewer is None), viewer, monkeypatch, settings)
    assert differences(site.answers(0), site.answers(1)) == []


def test_who_has_plans_reads_them_themselves(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    site = Site(replace(GRAVITY, part=plan), OWNER, monkeypatch, settings)
    seen = differences(dict(site.shown(0)), dict(site.shown(1)))
    assert {line.split(" ")[3] for line in seen if " GET " in line} == {"game", "game_board", "api_plans"}


def test_their_owner_tells_twins_apart(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    site = Site(GRAVITY, OWNER, monkeypatch, settings)
    seen = differences(dict(site.shown(0)), dict(site.shown(1)))
    for label in (
        "GET game ",
        "at 7",
        "moves 7",
        "GET game_record",
        "GET game_board",
        "GET api_position",
        "GET api_log",
        "GET api_record",
    ):
        assert any(line.startswith(f"seat 1: {label}") for line in seen), label


OF_A_GAME = {"running", "entry", "message", "heard", "moved", "planned"}
"""The kinds of addresses that have a running game's key in them."""


def test_every_address_is_asked_of_twins_or_there_is_a_reason() -> None:
    assert {row.about for row in ROWS} == ABOUT | OTHERS.keys()
    of_a_game = {
        name for space, name, pattern in addresses() if not space and "key>" in pattern and "account" not in name
    }
    assert of_a_game == {row.name for row in ROWS if row.about in OF_A_GAME}
