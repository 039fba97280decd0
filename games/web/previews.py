"""What programs show of a page to which somebody has put a link: its title, a sentence and a picture, for anybody."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.log.table import Table
from games.models import Game
from games.models.choices import Status
from games.queries.game_page import GamePage
from games.web.cards import GameCard
from games.words.lists import list_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The title, the sentences and the addresses, which are absolute."""

    title: str
    description: str
    address: str
    image: str
    is_board: bool = True
    """Whether the image is the board on a card, and no icon."""


def preview_of_game(request: HttpRequest, page: GamePage) -> Preview:
    """Return what is shown of a game that has started, at the position of its page."""
    address = reverse("game", args=[page.game.key])
    picture = reverse("board_png", args=[page.game.key])
    return Preview(
        title=page.game.shown_name or _("Game of %(players)s") % {"players": list_words(page.table.names)},
        description=_tell(page.table),
        address=request.build_absolute_uri(address if page.is_latest else f"{address}?at={page.seq}"),
        image=request.build_absolute_uri(f"{picture}?at={page.seq}"),
    )


def preview_of_invitation(request: HttpRequest, card: GameCard) -> Preview:
    """Return what is shown of an invitation."""
    game = card.game
    return Preview(
        title=game.shown_name or _game_for(game),
        description=_invite(card),
        address=request.build_absolute_uri(reverse("invitation", args=[game.key])),
        image=request.build_absolute_uri(reverse("board_png", args=[game.key])),
    )


def preview_of_site(request: HttpRequest, shown: GamePage | None) -> Preview:
    """Return what is shown of the home page, with the board that stands there if it is of a game."""
    if shown is None:
        image = static("icons/icon-512.png")
    else:
        image = f"{reverse('board_png', args=[shown.game.key])}?at={shown.seq}"
    return Preview(
        title=_("A board game about falling, played over several days"),
        description=_(
            "Play Gravity Superstar with friends over several days, against each other and against computer players."
            " An unofficial fan site."
        ),
        address=request.build_absolute_uri(reverse("home")),
        image=request.build_absolute_uri(image),
        is_board=shown is not None,
    )


def _tell(table: Table) -> str:
    """Return what the game is, who plays, and how it stands."""
    game = table.game
    words = {"players": list_words(table.names), "round": game.round, "name": table.mover_name}
    match game.status:
        case Status.FINISHED:
            won = [name for seat, name in table.seated if seat.place == 1]
            return _won(won) % {**words, "winners": list_words(won)}
        case Status.CANCELLED:
            return (
                _("Gravity Superstar, a board game about falling. %(players)s played; the game was cancelled.") % words
            )
        case _:
            return (
                _(
                    "Gravity Superstar, a board game about falling, played over several days. %(players)s are in"
                    " round %(round)s, and it is %(name)s's turn."
                )
                % words
            )


def _won(winners: Sequence[str]) -> str:
    return ngettext(
        "Gravity Superstar, a board game about falling. %(players)s played, and %(winners)s won.",
        "Gravity Superstar, a board game about falling. %(players)s played, and %(winners)s won together.",
        len(winners),
    )


def _game_for(game: Game) -> str:
    words = ngettext("Game for %(size)s player", "Game for %(size)s players", game.size)
    return words % {"size": game.size}


def _invite(card: GameCard) -> str:
    creator, free = card.game.creator, len(card.free)
    if card.game.status != Status.OPEN:
        return _tell(card.table) if card.game.was_set_up else _("This game was cancelled.")
    if creator is None:
        return ngettext(
            "You are invited to play Gravity Superstar, a board game about falling, over several days. %(count)s seat"
            " is free.",
            "You are invited to play Gravity Superstar, a board game about falling, over several days. %(count)s seats"
            " are free.",
            free,
        ) % {"count": free}
    return ngettext(
        "%(name)s invites you to play Gravity Superstar, a board game about falling, over several days. %(count)s seat"
        " is free.",
        "%(name)s invites you to play Gravity Superstar, a board game about falling, over several days. %(count)s seats"
        " are free.",
        free,
    ) % {"name": creator.shown_name, "count": free}
