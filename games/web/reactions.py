"""Reactions to moves, as pieces of the lines of the log; those to messages stand in templates."""

from django.template.loader import render_to_string
from django.urls import reverse

from games.log.talk import Thing
from games.queries.game_page import GamePage
from games.queries.reactions import Tallies
from games.web.answers import Request


def reactions_to_move(request: Request, page: GamePage, tallies: Tallies, seq: int, seat: int) -> str:
    """Return as HTML how people reacted to an entry; a player reacts here to the newest, if another one played it."""
    given = tallies.get((Thing.MOVE, seq), ())
    viewer = page.viewer
    reacts = viewer is not None and viewer.number != seat and viewer.user is not None and not viewer.user.is_guest
    if not given and not (reacts and seq == page.game.seq):
        return ""
    where = reverse("react_to_move", args=[page.game.key, seq])
    context = {"where": where, "tallies": given, "reacts": reacts, "letter": "e", "number": seq}
    return render_to_string("games/_reactions.html", context, request)
