"""Games with clocks for tests: started at `NOW` with a given time control, and moved on by whoever must act."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

from accounts.models import User
from games import commands
from games.clock import TimeControl, custom
from games.commands.rebuild_game import verify_game
from games.models import Entry, Game, Seat
from games.models.time import CLOCKS
from tests.flows.play import NOW, RULESET, random_turn, state_of

MINUTE: Final = timedelta(minutes=1)
ONE_MINUTE: Final = custom(60)
DAILY: Final = custom(86_400, reserve_start=3_600, reserve_increment=600, reserve_cap=7_200)


def start_timed(users: Sequence[User], time_control: TimeControl = ONE_MINUTE, bots: Sequence[str] = ()) -> Game:
    """Start a game at `NOW` between people and computer players, in seats that are drawn by chance."""
    first, *others = users
    game = commands.create_game(
        user=first,
        ruleset=RULESET,
        size=len(users) + len(bots),
        options={},
        public=True,
        bots=bots,
        now=NOW,
        time_control=time_control,
    )
    for user in others:
        game = commands.join_game(game_key=game.key, user=user, now=NOW)
    return fresh(game)


def fresh(game: Game) -> Game:
    """Return a game as it is stored now."""
    return Game.objects.get(pk=game.pk)


def mover(game: Game) -> Seat:
    """Return the seat that is to move, as it is stored now."""
    return Seat.objects.select_related("user").get(game=game, number=fresh(game).to_move)


def owner(seat: Seat) -> User:
    """Return the person in a seat."""
    assert seat.user is not None
    return seat.user


def sweeps_live(now: datetime) -> None:
    """Let the sweeps have been heard of all the while until ``now``, so that time counts."""
    commands.beat(name=CLOCKS, now=now)


def play_at(game: Game, now: datetime, rng: Random | None = None) -> Entry:
    """Play some legal turn for the person who is to move."""
    turn = random_turn(state_of(game), rng or Random(1))
    return commands.play_turn(game_key=game.key, user=owner(mover(game)), seq=fresh(game).seq, turn=turn, now=now)


def expire(game: Game, now: datetime) -> Entry | None:
    """Let the sweep look at a game."""
    return commands.expire_turn(game_id=game.pk, rng=Random(1), now=now)


def due(game: Game) -> datetime:
    """Return the game's stored deadline, of which there must be one."""
    deadline = fresh(game).deadline
    assert deadline is not None
    return deadline


def differences(game: Game) -> list[str]:
    """Return what `verify_games` would say of a game."""
    return verify_game(game_key=game.key)
