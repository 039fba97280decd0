"""Records of stored games: whole with their chain once the game has ended, readable and without one before."""

from random import Random

import pytest

from accounts.models import User
from engine.chain import chain_of
from engine.contract import JsonObject
from games import commands
from games.errors import GameCode, GameError
from games.log.positions import position_at
from games.models import Game
from games.queries.log import record_for
from tests.flows.play import NOW, RULES, play_randomly, start_game

pytestmark = pytest.mark.django_db


def log_of(record: JsonObject) -> list[JsonObject]:
    log = record["log"]
    assert isinstance(log, list)
    return log


def test_the_record_of_an_ended_game_carries_the_chain_over_all_its_keys(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 3, Random(1))
    commands.resign(game_key=game.key, user=ada, seq=3, now=NOW)
    record = record_for(game.key, None)
    assert record["chain"] == list(chain_of(record, log_of(record)))
    assert len(log_of(record)) == 4
    assert log_of(record)[-1] == {
        "seat": 1,
        "event": "retire",
        "reason": "resigned",
        "at": "2026-11-27T12:00:00Z",
        "by": "player",
    }
    assert "redacted" not in record


def test_the_record_of_an_ended_game_replays_to_its_last_position(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 1000, Random(3))
    record = record_for(game.key, None)
    state = RULES.read_setup(record)
    for entry in log_of(record):
        state = RULES.apply_turn(state, str(entry["turn"])).state
    assert RULES.summary(state).finished
    assert RULES.dump(state) == RULES.dump(position_at(Game.objects.get(pk=game.pk), len(log_of(record))).state)


def test_the_record_of_a_running_game_says_that_it_is_redacted_and_has_no_chain(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 4, Random(1))
    record = record_for(game.key, ada)
    assert record["redacted"] is True
    assert "chain" not in record


def test_a_player_reads_the_own_hidden_cards_and_nobody_else_does(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    commands.play_turn(game_key=game.key, user=ada, seq=0, turn=hidden_move(game), now=NOW)
    turns = {reader: log_of(record_for(game.key, reader))[0]["turn"] for reader in (ada, bo, None)}
    assert turns == {ada: hidden_move(game), bo: "S<(?)", None: "S<(?)"}


def hidden_move(game: Game) -> str:
    return "S<(L)"


def test_a_game_that_has_not_started_has_no_record(ada: User) -> None:
    game = commands.create_game(user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=NOW)
    with pytest.raises(GameError) as caught:
        record_for(game.key, ada)
    assert caught.value.code == GameCode.NOT_RUNNING
