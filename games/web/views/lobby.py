"""Creating a game, and my games."""

from http import HTTPStatus
from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from accounts.models import User
from engine.errors import RulesError
from engine.rulesets import RULESETS
from games import commands, queries
from games.errors import GameError
from games.models import Game
from games.models.choices import Status
from games.presenters.registry import new_games
from games.queries import MyList
from games.web.answers import reader_of, style_sheets
from games.web.cards import PAGE_SIZE, GameCard, card_of
from games.web.new_game import NewGame
from games.words.refusals import explain

BEGINNING: Final = 12
"""How many games of each list a person's page of games begins with."""


@require_safe
@never_cache
@conditional_page
def waiting_games(request: HttpRequest) -> HttpResponse:
    """Answer an open page that asks how many games wait for its reader: the number beside "My games"."""
    count = queries.games_to_move(request.user).count() if isinstance(request.user, User) else 0
    return render(request, "_waiting.html", {"count": count})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_game(request: HttpRequest) -> HttpResponse:
    """Ask what a new game is to be and create it; what was typed stays on the page if something is wrong with it."""
    sent = request.POST if request.method == "POST" else None
    new = NewGame.read(request, sent)
    if sent is not None and new.is_valid():
        try:
            game = commands.create_game(
                user=reader_of(request),
                ruleset=new.ruleset,
                size=new.form.cleaned_data["size"],
                options=new.options_form.options(),
                public=new.form.is_public,
                bots=new.form.bots,
                now=timezone.now(),
                time_control=new.time_form.time_control(),
                token=new.form.token,
                name=new.form.game_name,
                invited=new.form.invited,
                series=new.form.series,
                players_only=new.form.is_for_players,
            )
        except (GameError, RulesError) as error:
            new.form.add_error(None, explain(error))
        else:
            return redirect("game" if game.status == Status.ACTIVE else "invitation", game.key)
    made = new if sent is not None else NewGame.read(request, new.first_choices())
    offered = new_games()
    context = {
        "form": new.form,
        "options_form": new.options_form,
        "options_template": f"{new.presenter.templates}/options.html",
        "sprite": SafeString(f'<svg class="visually-hidden" aria-hidden="true">{new.presenter.sprite()}</svg>'),
        **style_sheets(new.presenter, table=False),
        "time_form": new.time_form,
        "summary": made.summary(),
        "address": new.address,
        "preview_address": new.preview_address,
        "family": RULESETS[new.ruleset].game,
        "families": [(name, presenter.title) for name, (_ruleset, presenter) in offered.items()],
    }
    status = HTTPStatus.OK if sent is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "games/create.html", context, status=status)


@login_required
@require_POST
def create_preview(request: HttpRequest) -> HttpResponse:
    """Say what would be made of the choices so far, and make nothing."""
    summary = NewGame.read(request, request.POST).summary()
    return render(request, "games/create.html#summary", {"summary": summary})


@login_required
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """List the reader's games, those that wait for them first: the beginnings of all lists, or ``?list=`` in pages."""
    user = reader_of(request)
    counts = queries.count_my_games(user)
    chosen = request.GET.get("list")
    if chosen is None:
        lists = {which: _page(user, which, counts[which], BEGINNING) for which in MyList}
    elif chosen in MyList:
        which = MyList(chosen)
        if not counts[which]:
            return redirect("my_games")
        lists = {which: _page(user, which, counts[which], PAGE_SIZE, request.GET.get("page"))}
    else:
        raise Http404
    context = {
        "lists": {which.name: page for which, page in lists.items()},
        "cards": {which.name: _cards(page, user, which) for which, page in lists.items()},
        "waiting_count": counts[MyList.TO_MOVE],
        "chosen": chosen,
    }
    return render(request, "games/my_games.html", context)


def _page(user: User, which: MyList, count: int, size: int, number: str | None = None) -> "Page[Game]":
    """Return a page of one of a person's lists, whose length is known."""
    games = queries.my_games(user, which)
    paginator = Paginator(games if count else games.none(), size)
    paginator.count = count
    return paginator.get_page(number)


def _cards(page: "Page[Game]", user: User, which: MyList) -> list[GameCard]:
    invited = which == MyList.INVITED
    return [
        card_of(game, user, invited=invited, invited_by=getattr(game, "invited_by", None)) for game in page.object_list
    ]
