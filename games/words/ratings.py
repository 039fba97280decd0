"""What is said of a game's rating: whether it is rated, why not, and whom it takes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Game, Rating, Seat
from games.models.choices import Status, Unrated

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

UNRATED: Final[Mapping[Unrated, "_StrPromise"]] = {
    Unrated.BOTS: gettext_lazy("Not rated: a computer player takes part."),
    Unrated.GUESTS: gettext_lazy("Not rated: a guest takes part."),
    # Who lives with whom is said to nobody.
    Unrated.HOUSEHOLD: gettext_lazy("Not rated."),
    Unrated.UNPLAYED: gettext_lazy("Not rated: the game ended before everyone had had a turn."),
}


def counts(game: Game, seats: Iterable[Seat]) -> bool:
    """Return whether a game is rated, as far as anybody may know."""
    return game.rated and game.status != Status.CANCELLED and _reason(game, seats) is None


def rated_words(game: Game, seats: Iterable[Seat], *, player: bool) -> str:
    """Return whether a game is rated, as a sentence; only who plays reads why it is not."""
    if counts(game, seats):
        if game.status == Status.FINISHED and not game.settled:
            return _("Rated. The new ratings will be here in a moment.")
        return _("Rated.")
    if game.takes_bots and player:
        return _("Not rated: bots may take part.")
    reason = _reason(game, seats)
    if not game.rated or not player:
        return _("Not rated.")
    return str(UNRATED[reason]) if reason is not None else _("Not rated: the game was cancelled.")


def gate_words(game: Game) -> Iterator[str]:
    """Yield what an open game asks of who joins it, in a few words each."""
    bounds = {"least": game.rating_from, "most": game.rating_to}
    if game.rating_from is not None and game.rating_to is not None:
        yield _("ratings from %(least)s to %(most)s") % bounds
    elif game.rating_from is not None:
        yield _("ratings from %(least)s") % bounds
    elif game.rating_to is not None:
        yield _("ratings up to %(most)s") % bounds
    if game.punctual_from is not None:
        yield _("at least %(share)s%% of turns in time") % {"share": game.punctual_from}


def rating_text(rating: Rating) -> str:
    """Return a rating as it is shown: with a question mark while it is provisional."""
    return f"{rating.number}?" if rating.provisional else f"{rating.number}"


def _reason(game: Game, seats: Iterable[Seat]) -> Unrated | None:
    """Return why a game that was to be rated is not, as far as its players may know."""
    if game.status == Status.OPEN:
        taken = tuple(seats)
        if any(seat.bot for seat in taken):
            return Unrated.BOTS
        return Unrated.GUESTS if any(seat.user is not None and seat.user.is_guest for seat in taken) else None
    if not game.unrated or (game.unrated == Unrated.HOUSEHOLD and game.status == Status.ACTIVE):
        return None
    if game.unrated == Unrated.HOUSEHOLD and not game.settled:
        return None
    return Unrated(game.unrated)
