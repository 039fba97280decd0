"""A game in a list, and on its invitation."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from accounts.names import isolate
from games.errors import GameError
from games.log.positions import rules_of
from games.log.table import Reader, Table
from games.models import Game, Rating, Seat
from games.models.choices import EntryEvent, Status
from games.presenters.registry import PRESENTERS, new_games
from games.queries.messages import count_in_short
from games.words.ratings import counts, gate_words, rated_words, rating_text
from games.words.refusals import explain

PAGE_SIZE: Final = 20
"""How many games a page of a long list has."""


@dataclass(frozen=True, slots=True)
class LastMove:
    """What was done last in a running game, in a few words, as everyone may read it."""

    name: str
    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Unread:
    """What a player has not read in a game: how many messages, and the newest."""

    count: str
    name: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """A game in a list, as its reader sees it."""

    game: Game
    table: Table
    option_words: list[str]
    invited: bool = False
    """Whether the reader is asked to take a seat and has not answered."""
    invited_by: str = ""
    """Who asked them; empty if that person is gone."""
    last_move: "LastMove | None" = None
    creator_rating: str = ""
    """Of who created the game; empty where there is none, or none to be shown."""
    refused: str = ""
    """Why the reader can't take a seat, though others can; empty where they can."""
    unread: "Unread | None" = None

    @property
    def own_seat(self) -> Seat | None:
        """The reader's own seat."""
        return self.table.viewer

    @property
    def free(self) -> range:
        """One number a free seat."""
        return range(len(self.table.seats), self.game.size)

    @property
    def is_creator(self) -> bool:
        """Whether the reader created the game."""
        return self.own_seat is not None and self.own_seat.user_id == self.game.creator_id

    @property
    def is_rated(self) -> bool:
        """Whether the game is rated, as far as anybody may know."""
        return counts(self.game, self.table.seats)

    @property
    def rated_words(self) -> str:
        """Whether it is, as a sentence."""
        return rated_words(self.game, self.table.seats, player=self.own_seat is not None)

    @property
    def gate_words(self) -> list[str]:
        """Whom the game takes, if not everybody."""
        return list(gate_words(self.game))

    @property
    def final_seats(self) -> list[tuple[Seat, str]]:
        """The seats of a finished game with their names, best first."""
        return sorted(self.table.seated, key=lambda row: (row[0].place or self.game.size, row[0].number or 0))


def card_of(
    game: Game,
    reader: Reader,
    *,
    invited: bool = False,
    invited_by: str | None = None,
    creator_rating: Rating | None = None,
    refused: GameError | None = None,
) -> GameCard:
    """Return a game, whose seats are loaded, as a list shows it to ``reader``."""
    table = Table.of(game, reader)
    return GameCard(
        game=game,
        table=table,
        option_words=[
            *_title_words(game),
            *_series_words(game),
            *PRESENTERS[game.ruleset].describe_options(game.options),
        ],
        invited=invited and game.status == Status.OPEN,
        invited_by=isolate(invited_by or ""),
        last_move=_last_move(game, table),
        creator_rating="" if creator_rating is None else rating_text(creator_rating),
        refused="" if refused is None else explain(refused),
        unread=_unread(game, table),
    )


def cards_of(games: Iterable[Game], reader: Reader) -> list[GameCard]:
    """Return games, whose seats are loaded, as a list shows them to ``reader``."""
    return [card_of(game, reader) for game in games]


def _last_move(game: Game, table: Table) -> LastMove | None:
    """Return the last move of a game of `queries.my_games`, None where there is none or no list asked for it."""
    turn, seat, at = (getattr(game, f"last_{name}", None) for name in ("turn", "seat", "at"))
    if turn is None or seat is None or at is None:
        return None
    seen = rules_of(game).view_turn(turn, own=False)
    words = PRESENTERS[game.ruleset].describe_turn(seen, table.names) if turn else str(EntryEvent.RETIRE.label)
    return LastMove(table.names[seat - 1], at, words)


def _unread(game: Game, table: Table) -> Unread | None:
    """Return what is unread of a game of `queries.my_games`, None where nothing is or no list asked for it."""
    count, seat, text = (getattr(game, name, None) for name in ("unread", "unread_seat", "unread_text"))
    if not count or seat is None or text is None:
        return None
    return Unread(count_in_short(count), table.names[seat - 1], isolate(" ".join(text.split())))


def _series_words(game: Game) -> list[str]:
    """Return of how many games of a series it is which, where there are several."""
    if game.series_length == 1:
        return []
    if game.status == Status.OPEN:
        return [_("Series of %(length)d games") % {"length": game.series_length}]
    return [_("Game %(number)s of %(length)s") % {"number": game.series_number, "length": game.series_length}]


def _title_words(game: Game) -> list[str]:
    """Return what the game is called, where the site has several."""
    return [str(PRESENTERS[game.ruleset].title)] if len(new_games()) > 1 else []
