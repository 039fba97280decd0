"""`manage.py verify_games` finds whatever differs from the log, and can make it anew."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from games import commands
from games.log.positions import replayed, rules_of, write_events
from games.models import Entry, Game
from tests.append_only import lifted_triggers
from tests.flows.play import NOW, make_user, play_randomly, start_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def users() -> list[User]:
    return [make_user(name) for name in ("Ada", "Bo", "Cy")]


@pytest.fixture
def game(users: list[User]) -> Game:
    game = start_game(users)
    play_randomly(game, 6, Random(2))
    commands.resign(game_key=game.key, user=users[1], seq=6, now=NOW + timedelta(hours=1))
    return Game.objects.get(pk=game.pk)


def verify(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Run the command and return its exit status and its lines but the last."""
    status = 0
    try:
        call_command("verify_games", *arguments)
    except SystemExit as leaving:
        status = int(str(leaving.code))
    return status, capsys.readouterr().out.splitlines()[:-1]


def test_games_as_they_were_played_are_without_difference(
    game: Game, users: list[User], capsys: pytest.CaptureFixture[str]
) -> None:
    ended = start_game(users[:2])
    play_randomly(ended, 1000, Random(3))
    commands.create_game(user=users[0], ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=NOW)
    assert verify(capsys) == (0, [])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seq", 3),
        ("head", "0" * 64),
        ("to_move", 2),
        ("round", 9),
        ("turns", 1),
        ("turn_began_at", NOW - timedelta(days=1)),
    ],
)
def test_a_wrong_column_of_a_game_is_a_line_and_is_rebuilt(
    game: Game, column: str, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    before = getattr(game, column)
    Game.objects.filter(pk=game.pk).update(**{column: value})
    status, lines = verify(capsys)
    assert status == 1
    assert [line for line in lines if line.startswith(f"{game.key}: {column} is {value}, but")]
    assert verify(capsys, "--rebuild")[0] == 1
    assert verify(capsys) == (0, [])
    assert getattr(Game.objects.get(pk=game.pk), column) == before


@pytest.mark.parametrize(("column", "value"), [("points", 99), ("place", 1), ("retired", True)])
def test_a_wrong_column_of_a_seat_is_a_line_and_is_rebuilt(
    game: Game, column: str, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    game.seats.filter(number=3).update(**{column: value})
    status, lines = verify(capsys)
    assert status == 1
    assert [line for line in lines if f"{column} of seat 3" in line]
    verify(capsys, "--rebuild")
    assert verify(capsys) == (0, [])


def test_a_wrong_last_position_is_a_line_and_is_rebuilt(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    before = Game.objects.values_list("state", "events").get(pk=game.pk)
    earlier = replayed(game, 3)[3]
    events = write_events(earlier.events)
    Game.objects.filter(pk=game.pk).update(state=rules_of(game).dump(earlier.state), events=events)
    status, lines = verify(capsys)
    assert (status, len(lines)) == (1, 2)
    assert "the state of position 7" in lines[0]
    assert "the events of position 7" in lines[1]
    verify(capsys, "--rebuild")
    assert verify(capsys) == (0, [])
    assert Game.objects.values_list("state", "events").get(pk=game.pk) == before


def tamper(statement: str) -> None:
    """Change the log behind the back of the database's triggers, as who owns the database could."""
    with lifted_triggers(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE games_entry SET reason = 'timeout' WHERE seq = 7", "entry 7 breaks the chain"),
        ("UPDATE games_entry SET at = '2026-01-01 00:00:00' WHERE seq = 2", "entry 2 breaks the chain"),
        ("UPDATE games_entry SET \"by\" = 'bot' WHERE seq = 3", "entry 3 breaks the chain"),
        ("DELETE FROM games_entry WHERE seq = 4", "entry 4 is missing"),
    ],
)
def test_a_changed_or_missing_entry_is_a_line(
    game: Game, statement: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(statement)
    status, lines = verify(capsys)
    assert status == 1
    assert f"{game.key}: {said}" in lines


def test_entries_that_changed_places_are_a_line(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    tamper("UPDATE games_entry SET seq = 100 WHERE seq = 1")
    tamper("UPDATE games_entry SET seq = 1 WHERE seq = 4")
    tamper("UPDATE games_entry SET seq = 4 WHERE seq = 100")
    status, lines = verify(capsys)
    assert status == 1
    assert f"{game.key}: entry 1 breaks the chain" in lines


def test_a_changed_set_up_is_a_line(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert game.setup is not None
    game.setup["open_door"] = (game.setup["open_door"] + 1) % 4
    game.save()
    status, lines = verify(capsys)
    assert status == 1
    assert f"{game.key}: the set-up is not the one that was drawn" in lines


def test_only_the_named_games_are_looked_at(game: Game, users: list[User], capsys: pytest.CaptureFixture[str]) -> None:
    other = start_game(users)
    Game.objects.update(round=9)
    assert {line.split(":")[0] for line in verify(capsys, other.key)[1]} == {other.key}


def test_what_can_not_be_replayed_is_a_line_and_is_not_rebuilt(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    tamper("UPDATE games_entry SET turn = 'C' WHERE seq = 1")
    before = list(Game.objects.defer(None).values()), list(Entry.objects.values())
    for arguments in ((), ("--rebuild",)):
        status, lines = verify(capsys, *arguments)
        assert status == 1
        assert [line for line in lines if "can't be replayed after entry 0" in line]
    assert (list(Game.objects.defer(None).values()), list(Entry.objects.values())) == before
