"""The pages that speak of the site and of players: home, rules, notation, about, a player's results."""

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import fold_name, normalise_name
from games import queries
from games.presenters.registry import PRESENTERS
from games.web.views.lobby import NEW_GAMES, PAGE_SIZE, cards


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is, with a board in play: that of the newest public game, else an example."""
    key = queries.newest_running_game()
    if key is None:
        return render(request, "home.html", {"board": PRESENTERS[NEW_GAMES].draw_example()})
    page = queries.game_page(key, None, lines=0)
    names = [seat.name for seat in page.seats]
    board = PRESENTERS[page.game.ruleset].draw(page.view or {}, names)
    return render(request, "home.html", {"board": board, "shown": page})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules in our own words, with every ruling."""
    return render(request, "games/gravity/rules.html", {"sprite": PRESENTERS[NEW_GAMES].sprite()})


@require_safe
def notation(request: HttpRequest) -> HttpResponse:
    """Show how turns are written down."""
    return render(request, "games/gravity/notation.html")


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show who is behind the site, and what it keeps of a person."""
    return render(request, "about.html")


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Show the public results of the player with that display name, whatever its case."""
    person = User.objects.filter(name_key=fold_name(normalise_name(name)), is_active=True).first()
    if person is None:
        raise Http404
    games = queries.finished_public_games(person)
    page = Paginator(games, PAGE_SIZE).get_page(request.GET.get("page"))
    won = games.aggregate(count=Count("pk", filter=Q(own_place=1)))["count"]
    context = {"person": person, "page": page, "cards": cards(page.object_list, request), "won": won}
    return render(request, "player.html", context)
