"""The review of a game as its page shows it, its marks in the log, and the turns that it would have had played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.commands.review_game import is_given_up
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.models import Game, Review, ReviewTurn
from games.queries.game_page import GamePage
from games.queries.moves import Move
from games.queries.practice import Start, new_seats, practise
from statements import Parameter, Select

VERDICTS: Final = Select(
    ReviewTurn.objects.filter(
        review__game=Parameter("game"),
        review__made_at__isnull=False,
        seq__gte=Parameter("first"),
        seq__lte=Parameter("last"),
    )
    .exclude(verdict="")
    .values_list("seq", "verdict")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSoFar:
    """The review of a game, as far as it is made."""

    turns: tuple[ReviewTurn, ...]
    """By entry: all of them where it ``is_made``."""
    is_made: bool
    given_up: bool
    """Whether it was tried in vain too often."""


def review_of(game: Game) -> ReviewSoFar | None:
    """Return the review of a game that its reader may look at, None where nobody has asked for it: two queries."""
    review = Review.objects.filter(game=game).first()
    if review is None:
        return None
    turns = tuple(ReviewTurn.objects.filter(review=review).order_by("seq"))
    return ReviewSoFar(turns=turns, is_made=review.made_at is not None, given_up=is_given_up(review))


def verdicts_among(game: Game, shown: Sequence[int]) -> Mapping[int, str]:
    """Return the verdicts on the entries of these numbers, none before the review is made: one query at most."""
    return dict(VERDICTS(game=game.pk, first=min(shown), last=max(shown))) if shown else {}


def first_chances(game: Game) -> tuple[float, ...]:
    """Return each seat's chance to win before the first turn: one query, unless this process has replayed the game."""
    return rules_of(game).chances(position_at(game, 0).state)


def better_moves(page: GamePage, first: int, last: int) -> tuple[Move, ...]:
    """Return the turns from ``first`` to ``last``, counted from 1, that the review would have had after ``page.seq``.

    The first is the better turn, then come the answers to it. Two queries. Raises `GameError` (``no-such-position``)
    where the review knows no better turn, or no such answer.
    """
    found = ReviewTurn.objects.filter(review__game=page.game, seq=page.seq + 1).exclude(best="").first()
    turns = (found.best, *found.best_line) if found is not None else ()
    if not 1 <= first <= last <= len(turns):
        raise GameError(GameCode.NO_SUCH_POSITION, seq=page.seq + 1)
    start = Start(
        ruleset=page.game.ruleset,
        options=page.game.options,
        state=position_at(page.game, page.seq).state,
        names=page.table.names,
        seats=new_seats(page.table.names),
    )
    return practise(start, turns[:last]).moves(first, last)
