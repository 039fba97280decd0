"""The pages that speak of the site and of players: home, rules, notation, about, a player's results."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import queries
from games.presenters.registry import NEW_GAMES, PRESENTERS
from games.web.cards import PAGE_SIZE, cards_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is, with a board in play: that of the newest public game, else an example."""
    key = queries.newest_running_game()
    if key is None:
        return render(request, "home.html", {"board": PRESENTERS[NEW_GAMES].draw_example()})
    page = queries.game_page(key, None, lines=0)
    board = PRESENTERS[page.game.ruleset].draw(page.view or {}, page.table.names)
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
    results = queries.public_results(name)
    if results is None:
        raise Http404
    page = Paginator(results.games, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "person": results.person,
        "page": page,
        "cards": cards_of(page.object_list, request.user),
        "won": results.won,
    }
    return render(request, "player.html", context)
