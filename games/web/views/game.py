"""The page of one game: the board, the turn being composed, past positions, the record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from engine.contract import JsonObject
from engine.errors import RulesError
from games.commands import note_presence, play_turn, resign
from games.errors import GameCode, GameError
from games.log.positions import position_at
from games.log.table import is_open_to_all
from games.models import Game
from games.models.choices import Status
from games.presenters.composition import Composition
from games.presenters.protocol import Presenter
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage, game_page, game_version, page_extras, page_of
from games.queries.log import record_for, remarks_after
from games.queries.messages import messages_for
from games.timing.panel import clock_panel
from games.web.forms.messages import MessageForm
from games.web.forms.turn import ComposeForm, TurnForm
from games.web.log_lines import narrated_log, shown_entries
from games.web.views.lobby import show_invitation
from games.words.refusals import refusal_words

NO_GAME: Final = (GameCode.NO_SUCH_GAME, GameCode.NO_SUCH_POSITION)


class Request(HttpRequest):
    """A request as the middleware leaves it."""

    htmx: HtmxDetails


type ViewFunction = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Note:
    """What the page says first: a sentence, whether it is about something refused, and further sentences."""

    text: str
    kind: str = "success"
    lines: Sequence[str] = ()


def about_a_game(view: ViewFunction) -> ViewFunction:
    """Make a view never be cached (a page may hold its reader's hidden cards) and answer 404 where there is no game."""

    @wraps(view)
    def answer(request: Request, key: str) -> HttpResponse:
        try:
            response = view(request, key)
        except GameError as error:
            if error.code in NO_GAME:
                raise Http404(words_of(error)) from error
            raise
        patch_vary_headers(response, ["HX-Request"])
        return response

    return never_cache(answer)


def words_of(error: GameError) -> str:
    """Return why the site refuses something, as a sentence."""
    return refusal_words(error.code, error.params) or str(error)


@require_safe
@about_a_game
def game(request: Request, key: str) -> HttpResponse:
    """Show a game as it is now, or after the entry ``?at=``."""
    text = request.GET.get("at")
    if text is not None and not (text.isascii() and text.isdecimal() and len(text) < len("1000000")):
        raise Http404
    page = game_page(key, request.user, at=None if text is None else int(text), lines=0)
    note_presence(reader=request.user, game_id=page.game.pk, now=timezone.now())
    if page.view is None:
        return redirect("invitation", key=key)
    return render_game(request, page, past=text is not None)


@require_safe
@about_a_game
def board(request: Request, key: str) -> HttpResponse:
    """Answer an open page that asks for news: 304 while nothing changed.

    Where a turn is being composed (``composing``) the answer is no board but a word that there is news, and messages.
    """
    game_id, version = game_version(key)
    note_presence(reader=request.user, game_id=game_id, now=timezone.now())
    tag = polling_tag(request, version)
    if request.headers.get("HX-PTag") == tag:
        return HttpResponseNotModified(headers={"HX-PTag": tag})
    page = game_page(key, request.user, lines=0)
    if page.view is None:
        return redirect("invitation", key=key)
    if "composing" not in request.GET:
        return render_game(request, page)
    moved = request.GET.get("seq") != str(page.game.seq)
    talk = messages_for(page)
    if not moved and talk is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"HX-PTag": tag})
    context = {"page": page, "game": page.game, "moved": moved, "talk": talk}
    response = render(request, "games/game.html#news", context)
    response["HX-PTag"] = tag
    return response


@require_POST
@about_a_game
def preview(request: Request, key: str) -> HttpResponse:
    """Show what the steps so far would do, and what could follow. Changes nothing."""
    if not request.user.is_authenticated:
        return ask_to_sign_in(request, key)
    page = game_page(key, request.user, lines=0)
    form = ComposeForm(request.POST)
    if not form.is_valid():
        return render_unreadable(request, page)
    composition = form.composition()
    if code := why_not_compose(page, form.cleaned_data["seq"]):
        return render_refusal(request, page, GameError(code), composition)
    return render_preview(request, page, composition)


@require_POST
@about_a_game
def turn(request: Request, key: str) -> HttpResponse:
    """Play the composed turn: one entry of the log."""
    user = request.user
    if not isinstance(user, User):
        return ask_to_sign_in(request, key)
    form = TurnForm(request.POST)
    if not form.is_valid():
        return render_unreadable(request, game_page(key, user, lines=0))
    composition = Composition(form.cleaned_data["steps"])
    try:
        entry = play_turn(
            game_key=key, user=user, seq=form.cleaned_data["seq"], turn=composition.text, now=timezone.now()
        )
    except GameError as error:
        return render_refusal(request, game_page(key, user, lines=0), error, composition)
    except RulesError as error:
        return render_illegal(request, game_page(key, user, lines=0), composition, error)
    return render_done(request, entry.game, _("Your turn is played."))


@require_POST
@about_a_game
def resign_game(request: Request, key: str) -> HttpResponse:
    """Let the reader leave a running game for good."""
    user = request.user
    if not isinstance(user, User):
        return ask_to_sign_in(request, key)
    form = TurnForm(request.POST)
    if not form.is_valid():
        return render_unreadable(request, game_page(key, user, lines=0))
    try:
        left = resign(game_key=key, user=user, seq=form.cleaned_data["seq"], now=timezone.now())
    except GameError as error:
        return render_refusal(request, game_page(key, user, lines=0), error)
    return render_done(request, left, _("You have left the game."))


@require_safe
@about_a_game
def record(request: Request, key: str) -> HttpResponse:
    """Hand out the game's record as the reader may have it."""
    try:
        document = record_for(key, request.user)
    except GameError as error:
        if error.code != GameCode.NOT_RUNNING:
            raise
        raise Http404(words_of(error)) from error
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="game-{key}.json"'
    return response


# Answers


def render_game(
    request: Request,
    page: GamePage,
    *,
    composition: Composition | None = None,
    note: Note | None = None,
    status: int = HTTPStatus.OK,
    past: bool = False,
    message_form: MessageForm | None = None,
) -> HttpResponse:
    """Return the whole page, or for htmx the part of it that changes. Raises `RulesError` for illegal steps.

    A game that never started has no board: the answer is its invitation, with the reason why nothing is played there.
    """
    if page.view is None:
        return show_invitation(
            request, page.game.key, GameError(GameCode.NOT_RUNNING if page.viewer else GameCode.NOT_YOURS)
        )
    composition = (composition or Composition()) if page.may_move and not past else None
    tag = polling_tag(request, page.game.version)
    context: dict[str, Any] = {
        "page": page,
        "game": page.game,
        "note": note,
        "past": past,
        "composition": composition,
        "tag": tag,
        "next_seq": page.seq + 1 if page.seq < page.game.seq else None,
        "previous_seq": page.seq - 1 if page.seq > 0 else None,
    }
    presenter = PRESENTERS[page.game.ruleset]
    context["templates"] = template_names(presenter)
    context["table"] = presenter.show(page, view_before(page, composition), composition)
    now, entries, beside = timezone.now(), shown_entries(page), page_extras(page)
    oldest = entries[-1] if entries else 0
    remarks = remarks_after(page.game, oldest if oldest > 1 else 0) if beside.remarks else []
    context["log"] = narrated_log(page, entries, remarks, now)
    context["older"] = oldest - 1
    context["newer"] = bool(entries) and entries[0] < page.game.seq
    context["clocks"] = clock_panel(page.game, now, stops=beside.stops)
    context["ranking"] = ranked_seats(page)
    context["asked"] = not past and beside.asked
    context["muted"] = beside.muted
    context["talk"] = messages_for(page, written=beside.messages)
    context["message_form"] = message_form or MessageForm()
    template = "games/game.html#update" if request.htmx else "games/game.html"
    response = render(request, template, context, status=status)
    response["HX-PTag"] = tag
    return response


def render_preview(request: Request, page: GamePage, composition: Composition) -> HttpResponse:
    """Return the board as the steps so far make it, or the rules' reason against them."""
    try:
        return render_game(request, page, composition=go_to_spot(page, composition))
    except RulesError as error:
        return render_illegal(request, page, composition, error)


def render_refusal(
    request: Request, page: GamePage, error: GameError, composition: Composition | None = None
) -> HttpResponse:
    """Return the board as it is now with the site's reason, and the reader's steps, kept where they still fit."""
    lines = (
        [_("Your turn so far was: %(turn)s") % {"turn": composition.text}] if composition and composition.steps else []
    )
    note = Note(words_of(error), "error", lines)
    if composition is not None and page.may_move:
        try:
            return render_game(request, page, composition=composition, note=note, status=error.http_status)
        except RulesError:
            pass
    return render_game(request, page, note=note, status=error.http_status)


def render_illegal(request: Request, page: GamePage, composition: Composition, error: RulesError) -> HttpResponse:
    """Return the board with the rules' reason, and the steps up to the refused one."""
    names = [seat.name for seat in page.seats]
    note = Note(PRESENTERS[page.game.ruleset].refuse(error, names), "error")
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    kept = composition.steps if error.step is None else composition.steps[: error.step]
    try:
        return render_game(request, page, composition=Composition(kept), note=note, status=status)
    except RulesError:
        return render_game(request, page, note=note, status=status)


def render_unreadable(request: Request, page: GamePage) -> HttpResponse:
    """Return the board with the word that the form was not one of ours."""
    note = Note(_("The site could not read this request. Nothing was played."), "error")
    return render_game(request, page, note=note, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def render_done(request: Request, game: Game, text: str) -> HttpResponse:
    """Return the fresh board of a game as a command left it; without htmx by a redirect: reloading repeats nothing."""
    if request.htmx:
        return render_game(request, page_of(game, request.user), note=Note(text))
    messages.success(request, text)
    return redirect("game", key=game.key, permanent=False)


def ask_to_sign_in(request: Request, key: str) -> HttpResponse:
    """Send a guest to the sign-in page and back; tell htmx, which would swap that page into the board."""
    address = reverse("game", kwargs={"key": key})
    if not request.htmx:
        return redirect_to_login(address)
    note = Note(gettext("Sign in to play."), "error")
    return render_game(request, game_page(key, request.user, lines=0), note=note, status=HTTPStatus.FORBIDDEN)


# What the page needs


def polling_tag(request: Request, version: int) -> str:
    """Return the tag of what this reader sees of this version: the same tag, the same page."""
    return f'"{version}-{request.user.pk or 0}-{get_language()}"'


def why_not_compose(page: GamePage, seq: int) -> GameCode | None:
    """Return why the reader, who saw the game after entry ``seq``, may not compose a turn, or None."""
    if page.viewer is None:
        return GameCode.NOT_YOURS
    if seq != page.game.seq:
        return GameCode.STALE
    if page.may_move:
        return None
    return GameCode.NOT_YOUR_TURN if page.game.status == Status.ACTIVE else GameCode.NOT_RUNNING


def go_to_spot(page: GamePage, composition: Composition) -> Composition:
    """Take the one step that leads to the chosen place; leave the choice to the reader where there are several."""
    if not composition.spot:
        return composition
    steps = PRESENTERS[page.game.ruleset].steps_to(page, composition)
    return Composition((*composition.steps, *steps)) if len(steps) == 1 else composition


def view_before(page: GamePage, composition: Composition | None) -> JsonObject | None:
    """Return the view of the position before the shown one, from which the last move's path starts: one query."""
    if page.seq == 0 or (composition is not None and composition.steps):
        return None
    before = position_at(page.game, page.seq - 1)
    return page.rules.view(before.state, page.viewer_number, ended=is_open_to_all(page.game))


def ranked_seats(page: GamePage) -> list[tuple[int, Any, int]]:
    """Return (place, seat, points) of a game that is over at the shown position, best first."""
    if page.summary is None or page.summary.ranking is None:
        return []
    rows = zip(page.summary.ranking, page.seats, page.summary.points, strict=True)
    return sorted(rows, key=lambda row: (row[0], row[1].number or 0))


def template_names(presenter: Presenter) -> Mapping[str, str]:
    """Return the addresses of the presenter's templates by their short names."""
    return {name: f"{presenter.templates}/{name}.html" for name in ("board", "compose", "seats", "facts")}
