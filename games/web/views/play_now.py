"""One press from the home page to a game against a computer player."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from games import commands
from games.errors import GameError
from games.presenters.registry import new_games
from games.web.forms.create import read_token
from games.web.guests import let_guest_in
from games.words.refusals import explain


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Start a game against a computer player and go to it; who is not signed in gets a guest account first."""
    user = request.user if isinstance(request.user, User) else let_guest_in(request, read_token(request.POST))
    if user is None:
        messages.error(
            request, gettext("Too many guests have come from your network today. Sign up to play: it is free.")
        )
        return redirect("account_signup")
    ruleset, _presenter = next(iter(new_games().values()))
    try:
        game = commands.play_now(user=user, ruleset=ruleset, now=timezone.now())
    except GameError as error:
        messages.error(request, explain(error))
        return redirect("my_games")
    return redirect("game", game.key)
