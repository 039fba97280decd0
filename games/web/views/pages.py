"""The pages that speak of the site: home, rules, notation, about."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from engine.contract import Json
from engine.rulesets import RULESETS
from games import queries
from games.presenters.protocol import Presenter
from games.presenters.registry import PRESENTERS, new_games
from games.queries.by_key import game_by_key
from games.web.answers import Request, about_a_game, style_sheets
from games.web.previews import preview_of_site


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is, with a board in play: that of a public game, as anyone may see it, else an example.

    The newest that is running is shown, else the last that was finished.
    """
    ruleset, offered = next(iter(new_games().values()))
    first = offered.bot_kinds[RULESETS[ruleset].first_bot]
    context: dict[str, Any] = {"token": uuid4(), "opponent": {"name": first.names[0], "strength": first.strength}}
    key = queries.game_to_show()
    if key is None:
        presenter = _presenter_of(None)
        context |= {"board": presenter.draw_example(), **style_sheets(presenter, table=False)}
        context["preview"] = preview_of_site(request, None)
        return render(request, "home.html", context)
    page = queries.game_page(key, None, lines=0)
    presenter = PRESENTERS[page.game.ruleset]
    context |= {
        "board": presenter.draw(page.view or {}, page.table.names),
        **style_sheets(presenter),
        "scripts": presenter.scripts,
        "shown": page,
        "preview": preview_of_site(request, page),
    }
    return render(request, "home.html", context)


@require_safe
def rules(request: HttpRequest, family: str | None = None) -> HttpResponse:
    """Show the rules of a game, or of the site's own, in our own words, with every ruling."""
    if family == next(iter(new_games())):
        return redirect("rules", permanent=True)
    presenter = _presenter_of(family)
    context = {"sprite": presenter.sprite(), "guide": presenter.guide()}
    return render(request, f"{presenter.templates}/rules.html", context)


@require_safe
def reference(request: Request) -> HttpResponse:
    """Show the rules of the site's own game on one screen; htmx gets that part alone."""
    return _show_reference(request, _presenter_of(None), None, {})


@require_safe
@about_a_game
def game_reference(request: Request, key: str) -> HttpResponse:
    """Show the rules of one game on one screen, with its own options; htmx gets that part alone."""
    game = game_by_key(key, request.user)
    return _show_reference(request, PRESENTERS[game.ruleset], game.size, game.options)


@require_safe
def notation(request: HttpRequest, family: str | None = None) -> HttpResponse:
    """Show how the turns of a game, or of the site's own, are written down."""
    if family == next(iter(new_games())):
        return redirect("notation", permanent=True)
    return render(request, f"{_presenter_of(family).templates}/notation.html")


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show who is behind the site, who plays on it beside people, and what it keeps of a person."""
    ruleset, presenter = next(iter(new_games().values()))
    characters = [presenter.bot_kinds[bot] for bot in RULESETS[ruleset].bots]
    return render(request, "about.html", {"characters": characters})


@vary_on_headers("HX-Request")
def _show_reference(
    request: Request, presenter: Presenter, size: int | None, options: Mapping[str, Json]
) -> HttpResponse:
    part = "#reference" if request.htmx else ""
    context = {"sprite": presenter.sprite(), "reference": presenter.reference(size, options)}
    return render(request, f"{presenter.templates}/reference.html{part}", context)


def _presenter_of(family: str | None) -> Presenter:
    """Return the presenter of the newest game of a family, or of the site's own. Raises `Http404`."""
    offered = new_games()
    if family is not None and family not in offered:
        raise Http404
    _ruleset, presenter = offered[family or next(iter(offered))]
    return presenter


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what the installed site shows where there is no connection, in the reader's language or ``?language=``."""
    return _in_language(request, "offline.html", "text/html")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Answer with the program that shows that page in a browser, in the same language."""
    return _in_language(request, "service-worker.js", "text/javascript")


def _in_language(request: HttpRequest, template: str, content_type: str) -> HttpResponse:
    """Render what is the same for everybody who reads a language, whoever they are: it may be kept by a browser."""
    asked = request.GET.get("language", "")
    language = asked if asked in dict(settings.LANGUAGES) else translation.get_language()
    with translation.override(language):
        content = render_to_string(template, {"LANGUAGE_CODE": language})
    return HttpResponse(content, content_type=content_type, headers={"Cache-Control": "public, no-cache"})
