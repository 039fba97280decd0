"""What only SQLite can do to a row, and must not."""

from random import Random

import pytest
from django.db import IntegrityError, connection, transaction

from tests.flows.play import make_user, play_randomly, start_game


@pytest.mark.django_db
def test_an_entry_is_not_replaced() -> None:
    game = start_game([make_user("Ada"), make_user("Bo")])
    play_randomly(game, 2, Random(1))
    before = list(game.entries.values_list())
    columns = "game_id, seq, seat, turn, event, reason, by, at, digest"
    values = ", ".join(columns.split(", ")).replace("turn", "'R='", 1)
    statement = f"INSERT OR REPLACE INTO games_entry ({columns}) SELECT {values} FROM games_entry WHERE seq = 1"
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert list(game.entries.values_list()) == before
