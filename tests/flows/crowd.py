"""Many rows at once, for pages with long lists."""

from typing import Any

from games.models import Game, Seat
from games.models.game import new_key


def multiply(game: Game, times: int, **changes: Any) -> list[Game]:
    """Store so many games with the seats of ``game``, ``changes`` made to each, and return them."""
    fields = {field.attname: getattr(game, field.attname) for field in Game._meta.concrete_fields}
    fields |= changes
    del fields["id"], fields["key"], fields["token"]
    games = Game.objects.bulk_create(Game(key=new_key(), **fields) for _time in range(times))
    seats = list(game.seats.order_by("number", "pk"))
    columns = [field.attname for field in Seat._meta.concrete_fields if field.name not in {"id", "game"}]
    Seat.objects.bulk_create(
        Seat(game=copy, **{column: getattr(seat, column) for column in columns}) for copy in games for seat in seats
    )
    return games
