"""The ladder of computer players: what new games can have, what old games keep, and who plays for the absent."""

from datetime import timedelta
from random import Random
from threading import Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from engine.gravity import Gravity
from engine.gravity.state import State
from engine.rulesets import RULESETS
from games import commands, tasks
from games.clock import PRESETS
from games.errors import GameCode, GameError
from games.log.table import Table
from games.models import Game, Seat
from games.models.choices import Actor, Status
from tests.flows.play import NOW, RULESET, make_user, start_game

RULES = RULESETS[RULESET]
pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return make_user("Ada")


def old_game(user: User, *, series: int = 1) -> Game:
    """Return a running game with a computer player that new games can't have any more."""
    game = commands.create_game(
        user=user, ruleset=RULESET, size=3, options={}, public=True, bots=[], now=NOW, series=series
    )
    Seat.objects.create(game=game, bot="greedy")
    return commands.add_bot(game_key=game.key, user=user, bot="nova:1", now=NOW, rng=Random(1))


def finished(game: Game, user: User) -> Game:
    game.refresh_from_db()
    commands.resign(game_key=game.key, user=user, seq=game.seq, now=NOW)
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize("bot", ["random", "greedy", "nova:9", ""])
def test_a_new_game_has_only_computer_players_that_are_offered(ada: User, bot: str) -> None:
    terms = {"ruleset": RULESET, "size": 3, "options": {}, "public": True, "now": NOW}
    with pytest.raises(GameError) as refusal:
        commands.create_game(user=ada, bots=[bot], **terms)  # type: ignore[arg-type]
    assert refusal.value.code == GameCode.UNKNOWN_BOT
    game = commands.create_game(user=ada, bots=[], **terms)  # type: ignore[arg-type]
    with pytest.raises(GameError) as refusal:
        commands.add_bot(game_key=game.key, user=ada, bot=bot, now=NOW)
    assert refusal.value.code == GameCode.UNKNOWN_BOT


def test_a_former_computer_player_plays_on_under_its_name(ada: User) -> None:
    game = old_game(ada)
    assert game.status == Status.ACTIVE
    names = {seat.bot: name for seat, name in Table.of(game).seated}
    assert names == {"": "Ada", "greedy": "Nova", "nova:1": "Pebble"}
    former = game.seats.get(bot="greedy").number
    while game.to_move != former:
        if game.bot_to_move:
            commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=Random(1), now=NOW)
        else:
            commands.play_turn(game_key=game.key, user=ada, seq=game.seq, turn="R+", now=NOW)
        game.refresh_from_db()
    entry = commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=Random(1), now=NOW)
    assert entry is not None
    assert (entry.by, entry.seat) == (Actor.BOT, former)


def test_a_rematch_and_the_next_game_of_a_series_keep_a_former_computer_player(ada: User) -> None:
    old = finished(old_game(ada), ada)
    again = commands.rematch(game_key=old.key, user=ada, now=NOW)
    assert sorted(again.seats.values_list("bot", flat=True)) == ["", "greedy", "nova:1"]
    first = finished(old_game(ada, series=3), ada)
    Seat.objects.filter(game=first).update(retired=False)
    following = commands.continue_series(game_id=first.pk, now=NOW)
    assert following is not None
    assert sorted(following.seats.values_list("bot", flat=True)) == ["", "greedy", "nova:1"]


def test_the_first_game_is_against_a_friendly_one(ada: User) -> None:
    game = commands.play_now(user=ada, ruleset=RULESET, now=NOW)
    assert [seat.bot for seat in game.seats.exclude(bot="")] == ["nova:2"]


def test_the_autopilot_is_the_same_modest_player_whoever_sits_in_the_game(ada: User) -> None:
    game = start_game([ada, make_user("Bo")], time_control=PRESETS["daily"])
    late = NOW + timedelta(days=30)
    entry = commands.expire_turn(game_id=game.pk, rng=Random(5), now=late)
    assert entry is not None
    state = RULES.read_setup(Game.objects.get(pk=game.pk).setup or {})
    assert entry.by == Actor.AUTOPILOT
    assert entry.turn == RULES.choose_turn(RULES.autopilot, state, Random(5))


class Watched(Gravity):
    """Gravity, in which somebody else locks the game while a computer player thinks."""

    def __init__(self, game: Game) -> None:
        self.watched = game
        self.locked: list[int] = []

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        """Let another thread lock the game's row, without waiting."""
        thread = Thread(target=self.lock)
        thread.start()
        thread.join()
        return super().choose_turn(bot, state, rng)

    def lock(self) -> None:
        with transaction.atomic():
            self.locked.append(Game.objects.select_for_update(nowait=True).get(pk=self.watched.pk).pk)
        connection.close()


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_no_lock_is_held_while_a_computer_player_or_the_autopilot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    game = start_game([make_user("Ada")], bots=["nova:1"], time_control=PRESETS["daily"])
    rules = Watched(game)
    monkeypatch.setitem(RULESETS, RULESET, rules)
    for _turn in range(2):
        game.refresh_from_db()
        if game.bot_to_move:
            tasks.play_bot_turn(game_id=game.pk, seq=game.seq)
        else:
            commands.expire_turn(game_id=game.pk, rng=Random(1), now=timezone.now() + timedelta(days=30))
    assert rules.locked == [game.pk] * 2
    assert {entry.by for entry in game.entries.all()} == {Actor.BOT, Actor.AUTOPILOT}
