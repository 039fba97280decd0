"""Twin games of Acorns look alike in every answer of the site to whoever may not see the nuts in which they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from pytest_django import Settings

from accounts.models import User
from engine.chain import setup_digest
from engine.contract import Event, Json, JsonObject, Seat, Summary
from engine.rulesets import RULESETS
from games.clock import TimeControl
from games.log.record import nameless_digest
from games.models import Game
from tests.another_game.engine import Acorns
from tests.another_game.engine.state import Setup, State, first_state
from tests.another_game.play import RULES, state_of
from tests.another_game.twins import twin
from tests.flows.play import start_game
from tests.flows.twins import MAILED, THEN, Site, Twins, differences, play

pytestmark = pytest.mark.django_db
SEED = 1


def begin(people: Sequence[User], time_control: TimeControl) -> Game:
    return start_game(
        people, seed=SEED, ruleset="acorns-1", options={"winter": "hard"}, now=THEN, time_control=time_control
    )


def part(game: Game, viewer: int | None, which: int) -> None:
    """Deal otherwise what the viewer does not come to know, in one of them, then play two rounds and a turn."""
    if which:
        store(game, dealt_otherwise(state_of(game).setup, viewer))
    for number in range(7):
        state = state_of(game)
        play(game, "d" if state.seat + 1 == viewer or number in {1, 2, 4} else turn(game))


def dealt_otherwise(setup: Setup, viewer: int | None) -> Setup:
    """Return a set-up with other nuts wherever the viewer, who only digs at first, never sees one.

    From a seat these are the others' hands, what the first seven turns dig or draw, and what is never reached.
    """
    if viewer is None:
        return twin(first_state(setup), None, Random(3)).setup
    kept = setup.deck[9:-7]
    hidden = [setup.deck[:9], setup.deck[-7:], *(hand for seat, hand in enumerate(setup.hands, 1) if seat != viewer)]
    nuts = "".join(Random(3).sample(text := "".join(hidden), len(text)))
    dealt = iter(nuts[start : start + 3] for start in range(16, len(nuts), 3))
    hands = tuple(hand if seat == viewer else next(dealt) for seat, hand in enumerate(setup.hands, 1))
    return replace(setup, deck=nuts[:9] + kept + nuts[9:16], hands=hands)


def store(game: Game, other: Setup) -> None:
    """Make a set-up that of a game in which nothing is played."""
    state = first_state(other)
    setup = {name: value for name, value in RULES.write_record(state).items() if name != "log"}
    digest = setup_digest(setup)
    Game.objects.filter(pk=game.pk).update(
        setup=setup,
        setup_digest=digest,
        nameless_digest=nameless_digest(setup),
        head=digest,
        state=RULES.dump(state),
    )


def turn(game: Game) -> str:
    """Hide a nut: others see that, and not which."""
    return f"h{state_of(game).mover.hand[0]}"


ACORNS = Twins(
    begin=begin,
    part=part,
    turn=turn,
    steps=["d", "e1", "e9", "h5", "r1", "r3", "r9", "x1", "no step"],
    turns=["h1", "d", "h5", "h9", "h? x?", "r1", "e4 x4", "no turn"],
    elsewhere=False,
)


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [None, 2, 3])
def test_twins_look_alike_in_every_answer_of_the_site(
    viewer: int | None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    site = Site(ACORNS, viewer, monkeypatch, settings)
    assert differences(site.answers(0), site.answers(1)) == []
    assert viewer is None or site.topics == MAILED


def test_a_seat_tells_apart_what_are_twins_to_a_guest(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    guests = replace(ACORNS, part=lambda game, _viewer, which: part(game, None, which))
    site = Site(guests, 1, monkeypatch, settings)
    seen = differences(site.shown(0), site.shown(1))
    for label in (
        "GET game ",
        "at 3",
        "GET game_record",
        "GET game_board",
        "GET api_position",
        "GET api_log",
        "GET api_record",
    ):
        assert any(line.startswith(f"seat 1: {label}") for line in seen), label


# Leaks are noticed


class OpenDeck(Acorns):
    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        return super().view(state, seat, ended=ended) | {"deck": state.deck}


class OpenTurns(Acorns):
    def view_turn(self, turn: str, *, own: bool) -> str:  # noqa: ARG002 - whoever asks
        return turn


class OpenEvents(Acorns):
    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:  # noqa: ARG002
        return tuple(events)


class OpenSetup(Acorns):
    def view_setup(self, setup: Mapping[str, Json], seat: Seat | None) -> JsonObject:  # noqa: ARG002
        return dict(setup)


class OpenPoints(Acorns):
    def summary(self, state: State) -> Summary:
        hoards = (sum(map(int, squirrel.hoard)) for squirrel in state.squirrels)
        return replace(super().summary(state), points=tuple(hoards))


@pytest.mark.parametrize("leaky", [OpenDeck, OpenTurns, OpenEvents, OpenSetup, OpenPoints])
def test_a_leak_in_any_answer_of_the_rules_is_noticed(
    leaky: type[Acorns], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    site = Site(ACORNS, None, monkeypatch, settings)
    site.readers = {"guest": None}
    monkeypatch.setitem(RULESETS, "acorns-1", leaky())
    assert differences(site.shown(0), site.shown(1)) != []
