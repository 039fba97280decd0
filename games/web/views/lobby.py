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
from games.log.seats import load_all_seats
from games.models import Game
from games.models.choices import Status
from games.presenters.registry import new_games
from games.queries import MyList
from games.web.answers import reader_of, style_sheets
from games.web.cards import PAGE_SIZE, GameCard, card_of, cards_of
from games.web.forms.create import GATES
from games.web.new_game import NewGame
from games.words.refusals import explain

BEGINNING: Final = 12
"""How many games of each list a person's page of games begins with."""


@require_safe
@never_cache
@conditional_page
def waiting_games(request: HttpRequest) -> HttpResponse:
    """Answer an open page that asks how many games wait for its reader: the number beside "My games"."""
    count = queries.count_games_to_move(request.user) if isinstance(request.user, User) else 0
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
                takes_bots=new.form.is_for_bots,
                rated=new.form.is_rated,
                gates=new.form.gates,
            )
        except (GameError, RulesError) as error:
            new.form.add_error(None, explain(error))
        else:
            return redirect("game" if game.status == Status.ACTIVE else "invitation", game.key)
    made = new if sent is not None else NewGame.read(request, new.first_choices())
    offered = new_games()
    context = {
        "form": new.form,
        "gate_fields": [new.form[name] for name in GATES if name in new.form.fields],
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
    chosen = request.GET.get("list")
    if chosen is not None and chosen not in MyList:
        raise Http404
    if chosen == MyList.ENDED:
        return _ended_games(request, user)
    counts = queries.count_my_games(user)
    ended: list[Game] = []
    following = None
    if chosen is None:
        lists = {which: _page(user, which, counts[which], BEGINNING) for which in counts}
        ended, following = queries.ended_games(user, BEGINNING)
    else:
        which = MyList(chosen)
        if not counts[which]:
            return redirect("my_games")
        lists = {which: _page(user, which, counts[which], PAGE_SIZE, request.GET.get("page"))}
    load_all_seats([*ended, *(game for page in lists.values() for game in page.object_list)])
    context = {
        "chosen": chosen,
        "lists": {which.name: page for which, page in lists.items()},
        "cards": {which.name: _cards(page, user, which) for which, page in lists.items()},
        "ended": cards_of(ended, user),
        "more": following is not None,
        "waiting_games": counts[MyList.TO_MOVE],
    }
    return render(request, "games/my_games.html", context)


def _ended_games(request: HttpRequest, user: User) -> HttpResponse:
    """List the games of a person that have ended, a page at a time; ``?after=`` says where a further page begins."""
    after = queries.Moment.read(request.GET.get("after", ""))
    games, following = queries.ended_games(user, PAGE_SIZE, after)
    if not games and after is None:
        return redirect("my_games")
    load_all_seats(games)
    context = {
        "chosen": MyList.ENDED,
        "ended": cards_of(games, user),
        "further": after is not None,
        "next": following and following.text,
        "waiting_games": queries.count_games_to_move(user),
    }
    return render(request, "games/my_games.html", context)


def _page(user: User, which: MyList, count: int, size: int, number: str | None = None) -> "Page[Game]":
    """Return a page of one of a person's lists, whose length is known: one query, none for an empty one."""
    games = queries.my_games(user, which)
    paginator = Paginator(games if count else games.none(), size)
    paginator.count = count
    page = paginator.get_page(number)
    page.object_list = list(page.object_list)
    return page


def _cards(page: "Page[Game]", user: User, which: MyList) -> list[GameCard]:
    invited = which == MyList.INVITED
    return [
        card_of(game, user, invited=invited, invited_by=getattr(game, "invited_by", None)) for game in page.object_list
    ]
