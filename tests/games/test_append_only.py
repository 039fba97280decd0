"""The database itself keeps the move log as it is."""

from random import Random

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import ProtectedError

from accounts.models import User
from games.models import Entry, Game
from games.models.choices import Actor
from tests.append_only import delete_all_rows, written_tables
from tests.flows.play import NOW, make_user, play_randomly, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture
def game() -> Game:
    game = start_game([make_user("Ada"), make_user("Bo")])
    play_randomly(game, 2, Random(1))
    return game


def refused(statement: str) -> str:
    """Return what the database says when it refuses a statement."""
    with pytest.raises(DatabaseError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    return str(caught.value)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_entry SET turn = 'R+' WHERE seq = 1",
        "UPDATE games_entry SET seq = seq + 10",
        "DELETE FROM games_entry WHERE seq = 1",
        "DELETE FROM games_entry",
    ],
)
def test_an_entry_is_neither_changed_nor_deleted(game: Game, statement: str) -> None:
    before = list(game.entries.values_list())
    assert "append-only" in refused(statement)
    assert list(game.entries.values_list()) == before


def test_an_entry_is_neither_saved_again_nor_deleted_through_the_models(game: Game) -> None:
    entry = game.entries.get(seq=1)
    entry.turn = "R+"
    with pytest.raises(DatabaseError), transaction.atomic():
        entry.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        entry.delete()
    assert game.entries.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_tests_empty_the_log_too_and_refuse_as_before_after_that() -> None:
    for _time in range(2):
        play_randomly(start_game([make_user("Ada"), make_user("Bo")]), 2, Random(1))
        assert "append-only" in refused("DELETE FROM games_entry")
        assert "games_entry" in written_tables()
        delete_all_rows()
        assert written_tables() == []


@pytest.mark.pg
def test_the_log_is_not_truncated_on_postgresql() -> None:
    assert "append-only" in refused("TRUNCATE games_entry")


def test_a_number_is_given_once_a_game(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(game=game, seq=2, seat=1, turn="R+", by=Actor.PLAYER, at=NOW, digest="0" * 64)


@pytest.mark.parametrize(
    "entry",
    [
        {"seq": 0, "turn": "R+"},
        {"seq": 3},
        {"seq": 3, "turn": "R+", "event": "retire"},
        {"seq": 3, "event": "explode"},
        {"seq": 3, "turn": "R+", "by": "nobody"},
        {"seq": 3, "turn": "R+", "seat": 0},
    ],
)
def test_an_entry_that_makes_no_sense_is_refused(game: Game, entry: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(**{"game": game, "seat": 1, "by": Actor.PLAYER, "at": NOW, "digest": "0" * 64, **entry})


def test_a_game_with_a_log_is_not_deleted(game: Game) -> None:
    with pytest.raises(ProtectedError):
        game.delete()


def test_a_deleted_account_leaves_its_seat_and_its_game(game: Game) -> None:
    User.objects.get(display_name="Ada").delete()
    assert [(seat.user_id, seat.name) for seat in game.seats.filter(number=1)] == [(None, "Ada")]
    assert game.entries.count() == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "lost"},
        {"setup": None},
        {"to_move": None},
        {"to_move": 3},
        {"status": "finished"},
        {"head": ""},
        {"size": 0},
    ],
)
def test_a_running_game_that_makes_no_sense_is_refused(game: Game, changes: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**changes)


def test_a_seat_is_not_held_by_a_person_and_a_computer_player_at_once(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        game.seats.update(bot="greedy")
