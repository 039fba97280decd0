"""The answers about one game: its page in all the states in which it can be, and its invitation before the start."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _

from accounts.models import User
from engine.errors import RulesError
from engine.rulesets import RULESETS
from games import queries
from games.errors import GameCode, GameError
from games.log.positions import Snapshot, position_at, rules_of
from games.log.table import ENDED
from games.log.talk import Thing, has_room
from games.models import Game
from games.models.choices import Status
from games.presenters.composition import Composition
from games.presenters.protocol import Presenter, Shown
from games.presenters.registry import PRESENTERS, new_games
from games.queries.game_page import GamePage, PageExtras, game_page, page_extras, page_of
from games.queries.log import LogLine, remarks_among
from games.queries.messages import messages_for
from games.queries.moves import last_moves, recent_lines
from games.queries.ratings import creators_ratings, rating_changes, refusals_for
from games.timing.deadlines import time_control_of
from games.timing.panel import clock_panel
from games.web.addresses import addresses_of
from games.web.advice import advice_on
from games.web.answers import Request, style_sheets
from games.web.cards import card_of
from games.web.chart import chart_context, has_chart
from games.web.ending import ended_with, rematch_for
from games.web.forms.invite import InviteForm
from games.web.forms.messages import MessageForm
from games.web.forms.turn import TurnForm
from games.web.kept_turn import keep_turn, kept_turn
from games.web.log_lines import narrated_log, shown_entries
from games.web.plans import plans_on
from games.web.previews import preview_of_game, preview_of_invitation
from games.web.reactions import reactions_to_move
from games.web.recap import lines_since, recap_of
from games.web.review import marks_in_log
from games.web.series import series_table
from games.words.lists import list_words
from games.words.ratings import rated_words
from games.words.refusals import explain
from games.words.time import format_duration

BLANKS: Final = re.compile(rb">\s{2,}<")
"""What indents the templates of the largest page, between elements: a twentieth of its bytes."""


@dataclass(frozen=True, slots=True)
class Note:
    """What the page says first: sentences, whether they are about something refused, and a turn that was not played."""

    text: str
    kind: str = "success"
    lines: Sequence[str] = ()


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
    context["addresses"] = addresses_of(page.game)
    context["may_try"] = page.summary is not None and not page.summary.finished
    context |= style_sheets(presenter)
    context["scripts"] = presenter.scripts
    family = rules_of(page.game).game
    context["family"] = family if family != next(iter(new_games())) else ""
    recent = recent_lines(page)
    moves = () if composition is not None and composition.steps else last_moves(page, recent)
    context["table"] = presenter.show(page, position_at(page.game, page.seq), moves, composition)
    now, entries, extras = timezone.now(), shown_entries(page), page_extras(page, request.user)
    oldest = entries[-1] if entries else 0
    remarks = remarks_among(page.game, entries) if extras.remarks else []
    talk = talk_of(request, page, extras, entries)
    context |= talk.context
    under = partial(reactions_to_move, request, page, talk.tallies)
    context["log"] = narrated_log(page, entries, remarks, marks=marks_in_log(page, entries), now=now, under=under)
    context["older"] = oldest - 1
    context["newer"] = bool(entries) and entries[0] < page.game.seq
    since = lines_since(page, recent)
    context["since"] = page.seq - len(since)
    context["recap"] = None if past else recap_of(page, since)
    if composition is not None and isinstance(request.user, User) and request.user.hints:
        context["hint"] = presenter.hint(context["table"], page)
    context["advice"] = None if composition is None else advice_on(page)
    context["said"] = said_of(context["table"], presenter, page, recent)
    context["next_game"] = None if request.user.is_anonymous else queries.next_to_move(request.user, besides=page.game)
    context["clocks"] = clock_panel(page.table, now)
    context["plans"] = None if past else plans_on(page, are_there=extras.planned)
    context |= _outcome(request, page)
    if past or page.game.status == Status.FINISHED:
        context.update(chart_context(page))
    else:
        context["has_chart"] = has_chart(page.game)
    context["asked"] = not past and extras.asked
    context["muted"] = extras.muted
    context["message_form"] = message_form or MessageForm()
    template = "games/game.html#update" if request.htmx else "games/game.html"
    if not request.htmx and not page.game.players_only:
        context["preview"] = preview_of_game(request, page)
    response = render(request, template, context, status=status)
    response.content = BLANKS.sub(b"> <", response.content)
    response["HX-PTag"] = tag
    return response


def _outcome(request: Request, page: GamePage) -> dict[str, Any]:
    """Return what the page shows of how the game ended, what that did, and what may follow."""
    result = ended_with(page)
    if result and page.viewer and isinstance(request.user, User) and request.user.hints:
        request.user.end_hints()  # here, not where the game ends: that locks no people, whom others may have locked
    return {
        "result": result,
        "series": series_table(page),
        "rematch": rematch_for(page, request.user),
        "rated_words": rated_words(page.game, page.seats, player=page.viewer is not None),
        "rating_changes": rating_changes(page.game, request.user) if result else [],
    }


def render_with_kept_turn(request: Request, page: GamePage) -> HttpResponse:
    """Return the page, with the turn that its reader composed before they had to sign in again."""
    composition = kept_turn(request, page)
    if composition is not None:
        note = Note(gettext("You are signed in again. Your turn is as you left it."))
        try:
            return render_game(request, page, composition=composition, note=note)
        except RulesError:
            pass
    return render_game(request, page, past=page.seq < page.game.seq)


def render_preview(request: Request, page: GamePage, composition: Composition) -> HttpResponse:
    """Return the board as the steps so far make it, or the rules' reason against them."""
    try:
        return render_game(request, page, composition=go_to_spot(page, position_at(page.game, page.seq), composition))
    except RulesError as error:
        return render_illegal(request, page, composition, error)


def render_refusal(
    request: Request, page: GamePage, error: GameError, composition: Composition | None = None
) -> HttpResponse:
    """Return the board as it is now with the site's reason, and the reader's steps, kept where they still fit."""
    lines = (
        [_("Your turn so far was: %(turn)s") % {"turn": composition.text}] if composition and composition.steps else []
    )
    note = Note(explain(error), "error", lines)
    if composition is not None and page.may_move:
        try:
            return render_game(request, page, composition=composition, note=note, status=error.http_status)
        except RulesError:
            pass
    return render_game(request, page, note=note, status=error.http_status)


def render_illegal(request: Request, page: GamePage, composition: Composition, error: RulesError) -> HttpResponse:
    """Return the board with the rules' reason, and the steps up to the refused one."""
    note = Note(PRESENTERS[page.game.ruleset].refuse(error, page.table.names), "error")
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
    """Return the fresh board of a game as a command left it, with a word about what was done.

    Without htmx by a redirect: reloading repeats nothing.
    """
    if request.htmx:
        return render_game(request, page_of(game, request.user), note=Note(text) if text else None)
    if text:
        messages.success(request, text)
    return redirect("game", key=game.key, permanent=False)


def ask_to_sign_in(request: Request, key: str, form: TurnForm | None = None) -> HttpResponse:
    """Send a guest to the sign-in page and back; or say so to htmx, which would swap that page into the board.

    The turn of a ``form`` waits for them.
    """
    response: HttpResponse
    if request.htmx:
        note = Note(gettext("Sign in to play."), "error")
        response = render_game(request, game_page(key, request.user, lines=0), note=note, status=HTTPStatus.FORBIDDEN)
    else:
        response = redirect_to_login(reverse("game", kwargs={"key": key}))
    if form is not None:
        keep_turn(response, key, form)
    return response


# Before the start


def show_invitation(
    request: Request, key: str, refusal: GameError | None = None, *, form: InviteForm | None = None
) -> HttpResponse:
    """Render the invitation, or send to the game itself once it has started; with the reason of a refusal, if any.

    ``form`` is one that asked whom to invite and has errors. Raises `GameError` (``no-such-game``).
    """
    page = game_page(key, request.user, lines=0)
    game = page.game
    if refusal is None and game.was_set_up:
        address = reverse("game", args=[key])
        return HttpResponse(headers={"HX-Redirect": address}) if request.htmx else redirect(address)
    tag = polling_tag(request, game.version)
    if request.htmx and request.headers.get("HX-PTag") == tag:
        return HttpResponseNotModified(headers={"HX-PTag": tag})
    invitations = queries.invitations_to(page, request.user)
    own, bot_kinds = invitations.own, PRESENTERS[game.ruleset].bot_kinds
    invites = page.viewer is not None and game.status == Status.OPEN
    inviter = own.by.shown_name if own is not None and own.by is not None else ""
    refusals = refusals_for(request.user, [game]) if isinstance(request.user, User) and not page.viewer else {}
    card = card_of(
        game,
        request.user,
        invited=own is not None,
        invited_by=inviter,
        creator_rating=creators_ratings([game]).get(game.pk),
        refused=refusals.get(game.pk),
    )
    context = {
        "card": card,
        "blocked": list_words(queries.blocked_in(page, request.user)) if game.status == Status.OPEN else "",
        "preview": None if request.htmx else preview_of_invitation(request, card),
        "asked": invitations.asked if page.viewer else (),
        "mailed": invitations.mailed,
        "invite_form": form or InviteForm(),
        "friends": queries.friends_to_invite(request.user, page) if isinstance(request.user, User) and invites else (),
        "bots": [(bot, bot_kinds[bot]) for bot in RULESETS[game.ruleset].bots],
        "first_bot": RULESETS[game.ruleset].first_bot,
        "refusal": refusal and explain(refusal),
        "tag": tag,
        "presenter": PRESENTERS[game.ruleset],
        "allowance": format_duration(time_control_of(game).allowance),
        "token": uuid4(),
        "link": request.build_absolute_uri(reverse("invitation", args=[key])),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form else HTTPStatus.OK
    template = "games/invitation.html#open-game" if request.htmx else "games/invitation.html"
    response = render(request, template, context, status=refusal.http_status if refusal else status)
    response["HX-PTag"] = tag
    return response


# What the page needs


def polling_tag(request: Request, version: int) -> str:
    """Return the tag of what this reader sees of this version: the same tag, the same page."""
    return f'"{version}-{request.user.pk or 0}-{get_language()}"'


@dataclass(frozen=True, slots=True)
class Talk:
    """What is said around a game, as its page shows it."""

    tallies: queries.Tallies
    """How people reacted to the entries that are shown, and to messages."""
    context: Mapping[str, Any]


def talk_of(request: Request, page: GamePage, extras: PageExtras, entries: Sequence[int]) -> Talk:
    """Return what players wrote, for one of them, how people reacted, and whether spectators can be read."""
    shown = messages_for(page, written=extras.messages)
    things = {Thing.MESSAGE: [line.number for line in shown.lines] if shown else [], Thing.MOVE: entries}
    tallies = queries.reactions_to(page.game, request.user, things) if extras.reacted else {}
    context = {
        "messages_page": shown and shown.with_reactions(tallies),
        "spared": extras.spared,
        "has_room": has_room(page.game) and (page.viewer is None or page.game.status in ENDED),
        "heard": extras.heard,
    }
    return Talk(tallies, context)


def go_to_spot(page: GamePage, position: Snapshot, composition: Composition) -> Composition:
    """Take the one turn that leads to the chosen place; leave the choice to the reader where there are several."""
    if not composition.spot:
        return composition
    turns = PRESENTERS[page.game.ruleset].turns_to(page, position, composition)
    return Composition(turns[0]) if len(turns) == 1 else composition


def said_of(table: Shown, presenter: Presenter, page: GamePage, recent: Sequence[LogLine]) -> str:
    """Return what changed last, for those who listen to an open page: the turn so far, or else the last entry."""
    if table.said or not recent:
        return table.said
    return " ".join(presenter.narrate(recent[0].events, recent[0].turn, page.table.names))


def template_names(presenter: Presenter) -> Mapping[str, str]:
    """Return the addresses of the presenter's templates by their short names."""
    return {name: f"{presenter.templates}/{name}.html" for name in ("board", "compose", "seats", "facts", "result")}
