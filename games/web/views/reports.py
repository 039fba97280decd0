"""Reporting to the staff: what a player wrote, a person's name, how they play or behave."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import commands, queries
from games.errors import GameCode, GameError
from games.models import Report, ReportKind
from games.web.answers import LONGEST_NUMBER, about_a_game, reader_of
from games.web.forms.report import ReportForm
from games.words.refusals import explain


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report_player(request: HttpRequest, number: int) -> HttpResponse:
    """Ask what is wrong with a person's name or conduct, and report it."""
    user = reader_of(request)
    person = queries.person_to_report(number, user)
    if person is None:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None)

    def send() -> Report:
        kind = ReportKind(form.cleaned_data["kind"])
        return commands.report_person(
            user=user, number=number, kind=kind, text=form.cleaned_data["text"], now=timezone.now()
        )

    return _answer(request, form, send, {"name": person.shown_name}, back=reverse("player", args=[number]))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@about_a_game
def report_in_game(request: HttpRequest, key: str) -> HttpResponse:
    """Ask who in a game behaves badly, or has a bad name, and report it."""
    user = reader_of(request)
    game, people = queries.people_to_report(key, user)
    if not people:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None, people=people)

    def send() -> Report:
        chosen = form.cleaned_data
        return commands.report_person(
            user=user,
            number=chosen["person"],
            kind=ReportKind(chosen["kind"]),
            text=chosen["text"],
            game=game,
            now=timezone.now(),
        )

    return _answer(request, form, send, {}, back=reverse("game", args=[key]))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@about_a_game
def report_message(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Show a message to its reader once more, ask what is wrong with it, and report it."""
    user = reader_of(request)
    line = queries.message_to_report(key, number, user)
    if line is None:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None, kinds=False)

    def send() -> Report:
        text = form.cleaned_data["text"]
        return commands.report_message(user=user, game_key=key, message_id=number, text=text, now=timezone.now())

    return _answer(request, form, send, {"line": line, "name": line.name}, back=reverse("messages", args=[key]))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@about_a_game
def report_spectator(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Show what a spectator wrote once more, ask what is wrong with it, and report it."""
    user = reader_of(request)
    line = queries.spectator_message_to_report(key, number, user) if len(str(number)) <= LONGEST_NUMBER else None
    if line is None:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None, kinds=False)

    def send() -> Report:
        text = form.cleaned_data["text"]
        return commands.report_spectator(user=user, game_key=key, number=number, text=text, now=timezone.now())

    return _answer(request, form, send, {"line": line, "name": line.name}, back=reverse("spectators", args=[key]))


def _answer(
    request: HttpRequest, form: ReportForm, send: Callable[[], Report], context: dict[str, Any], *, back: str
) -> HttpResponse:
    """Send a valid report and thank for it; else show the form, with what is wrong if it was sent."""
    if form.is_valid():
        try:
            send()
        except GameError as error:
            if error.code == GameCode.NOTHING_TO_REPORT:
                raise Http404 from error
            form.add_error(None, explain(error))
        else:
            words = gettext("Thank you. The people who run the site will look at it.")
            if reader_of(request).is_confirmed:
                words = gettext("Thank you. The people who run the site will look at it and write to you then.")
            messages.success(request, words)
            return redirect(back)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "games/report.html", {**context, "form": form, "back": back}, status=status)
