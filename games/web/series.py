"""The table of a series: who has how many points in which game, and who leads."""

from dataclasses import dataclass

from games.models import Game, Seat
from games.models.choices import Status
from games.queries.game_page import GamePage
from games.queries.series import series_with


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """What a player of a series has."""

    name: str
    own: bool
    """Whether it is the reader."""
    points: tuple[int, ...]
    """In each game that has begun."""
    wins: int
    """Games that ended with them in the first place."""

    @property
    def total(self) -> int:
        """The points of all games."""
        return sum(self.points)


@dataclass(frozen=True, slots=True)
class SeriesTable:
    """A series as the page of one of its games shows it."""

    number: int
    """That of the page's game."""
    length: int
    games: tuple[Game, ...]
    """Those that have begun, in order."""
    rows: tuple[SeriesRow, ...]
    """Most wins first, then most points."""
    ended_early: bool
    """Whether no game will follow, although more were planned: somebody has left."""
    next: Game | None
    """The game after that of the page, once it has begun."""


def series_table(page: GamePage) -> SeriesTable | None:
    """Return the series that the game of a page belongs to, None where it stands alone: two queries, or none."""
    series = series_with(page.game)
    if series is None:
        return None
    columns = [[game.seats.all()[number - 1] for number in series.seat_numbers(game)] for game in series.games]
    of_page = series.seat_numbers(page.game)
    rows = [
        SeriesRow(
            name=page.table.names[of_page[player] - 1],
            own=page.viewer is not None and of_page[player] == page.viewer.number,
            points=tuple(seats[player].points for seats in columns),
            wins=sum(_won(game, seats[player]) for game, seats in zip(series.games, columns, strict=True)),
        )
        for player in range(page.game.size)
    ]
    later = series.games[page.game.series_number :]
    return SeriesTable(
        number=page.game.series_number,
        length=series.length,
        games=series.games,
        rows=tuple(sorted(rows, key=lambda row: (-row.wins, -row.total))),
        ended_early=len(series.games) < series.length and not series.goes_on,
        next=later[0] if later else None,
    )


def _won(game: Game, seat: Seat) -> bool:
    return game.status == Status.FINISHED and seat.place == 1
