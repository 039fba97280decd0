"""One press from the home page to a game against a computer player."""

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.guests import make_guest
from accounts.languages import current_language
from accounts.models import User
from games import commands
from games.errors import GameError
from games.presenters.registry import new_games
from games.web.forms.create import read_token
from games.words.refusals import explain


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Start a game against a computer player and go to it; who is not signed in gets a guest account first."""
    user = request.user if isinstance(request.user, User) else _let_in(request)
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


def _let_in(request: HttpRequest) -> User | None:
    """Make a guest account and sign it in; None where too many were made from this address of the network today."""
    if ratelimit.consume(request, app="allauth.account", action="guest") is None:
        return None
    guest = make_guest(language=current_language(), token=read_token(request.POST), now=timezone.now())
    login(request, guest)
    return guest
