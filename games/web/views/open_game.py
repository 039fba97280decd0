"""A game before it starts: its invitation, taking and giving up seats, asking people, waiting longer, cancelling."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.names import isolate
from games import commands
from games.errors import GameError
from games.models.choices import Status
from games.queries.by_key import game_by_key
from games.queries.game_page import game_page
from games.web.answers import Request, about_a_game, parse_number, run_command, with_a_board
from games.web.forms.create import read_token
from games.web.forms.invite import InviteForm
from games.web.game_answers import render_refusal, show_invitation
from games.web.guests import let_guest_in
from games.web.wanted_seat import forget_seat, is_seat_wanted, want_seat
from games.words.refusals import explain


@require_safe
@with_a_board
def invitation(request: Request, key: str) -> HttpResponse:
    """Show an open game to anyone who has its address, before they join.

    Who pressed the button to join, and had to sign up or in first, has joined now.
    """
    if request.user.is_authenticated and not request.htmx and is_seat_wanted(request, key):
        response = _join(request, key)
        forget_seat(response, key)
        return response
    return show_invitation(request, key)


@require_POST
@about_a_game
def join_game(request: Request, key: str) -> HttpResponse:
    """Take a seat; who is not signed in is led to where they do, or with ``by=signup`` sign up, and has it then."""
    if request.user.is_authenticated:
        return _join(request, key)
    page = reverse("account_signup" if request.POST.get("by") == "signup" else "account_login")
    response = redirect(_and_back(page, key))
    want_seat(response, key)
    return response


def _and_back(page: str, key: str) -> str:
    """Return the address of a page that leads back to an invitation."""
    return f"{page}?{urlencode({'next': reverse('invitation', args=[key])}, safe='/')}"


def _join(request: Request, key: str) -> HttpResponse:
    def join(user: User) -> str:
        game = commands.join_game(game_key=key, user=user, now=timezone.now())
        if game.status == Status.ACTIVE:
            return gettext("You took the last seat: the game has started.")
        return gettext("You have a seat in this game. It starts as soon as every seat is taken.")

    return change_open_game(request, key, join)


@require_POST
@about_a_game
def join_as_guest(request: Request, key: str) -> HttpResponse:
    """Take a seat with a guest account, made at this moment, where guests may: in a game that no list shows."""
    if not request.user.is_authenticated:
        game = game_by_key(key, request.user)
        if game.public or game.status != Status.OPEN or len(game.seats.all()) >= game.size:
            return redirect("invitation", key)
        if let_guest_in(request, read_token(request.POST)) is None:
            messages.error(
                request, gettext("Too many guests have come from your network today. Sign up to play: it is free.")
            )
            return redirect(_and_back(reverse("account_signup"), key))
    return join_game(request, key)


@require_POST
@with_a_board
def rematch(request: Request, key: str) -> HttpResponse:
    """Play a finished game again: offer the new one, or take a seat in the one that another has offered."""
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("game", args=[key]))
    try:
        game = commands.rematch(game_key=key, user=request.user, now=timezone.now())
    except GameError as error:
        return render_refusal(request, game_page(key, request.user, lines=0), error)
    if game.was_set_up:
        words = gettext("The rematch has started.")
    elif game.creator_id == request.user.pk:
        words = gettext("You want a rematch: whoever played can join it. It starts as soon as every seat is taken.")
    else:
        words = gettext("You have a seat in the rematch. It starts as soon as every seat is taken.")
    messages.success(request, words)
    return redirect("game" if game.was_set_up else "invitation", key=game.key)


@require_POST
@about_a_game
def leave_game(request: Request, key: str) -> HttpResponse:
    """Give a seat up before the start."""

    def leave(user: User) -> str:
        commands.leave_game(game_key=key, user=user)
        return gettext("You gave up your seat in this game.")

    return change_open_game(request, key, leave)


@require_POST
@about_a_game
def cancel_game(request: Request, key: str) -> HttpResponse:
    """Withdraw a game that one has created."""

    def cancel(user: User) -> str:
        commands.cancel_game(game_key=key, user=user, now=timezone.now())
        return gettext("You cancelled this game.")

    return change_open_game(request, key, cancel)


@require_POST
@about_a_game
def keep_open(request: Request, key: str) -> HttpResponse:
    """Let a game that one has created wait longer for players."""

    def prolong(user: User) -> str:
        commands.keep_open(game_key=key, user=user, now=timezone.now())
        return gettext("The game stays open for two more weeks.")

    return change_open_game(request, key, prolong)


@require_POST
@about_a_game
def remove_player(request: Request, key: str) -> HttpResponse:
    """Free a seat of a game that one has created; a number that is none is a seat that nobody has."""

    def remove(user: User) -> str:
        seat = parse_number(request.POST.get("seat", "")) or 0
        name = commands.remove_player(game_key=key, user=user, seat_id=seat, now=timezone.now())
        return gettext("%(name)s is no longer in the game.") % {"name": name} if name else gettext("The seat is free.")

    return change_open_game(request, key, remove)


@require_POST
@about_a_game
def add_bot(request: Request, key: str) -> HttpResponse:
    """Give a free seat of one's own game to a computer player."""

    def seat_bot(user: User) -> str:
        bot, taken = request.POST.get("bot", ""), parse_number(request.POST.get("taken", ""))
        game = commands.add_bot(game_key=key, user=user, bot=bot, taken=taken, now=timezone.now())
        if game.status == Status.ACTIVE:
            return gettext("The last seat is taken: the game has started.")
        return gettext("A computer player took a seat.")

    return change_open_game(request, key, seat_bot)


@require_POST
@about_a_game
def invite(request: Request, key: str) -> HttpResponse:
    """Invite who has the name or the address that was typed; it stays on the page if something is wrong with it."""
    form = InviteForm(request.POST)
    if request.user.is_authenticated and not form.is_valid():
        return show_invitation(request, key, form=form)

    def send(user: User) -> str:
        if form.is_address:
            address = form.cleaned_data["name"]
            commands.invite_address(game_key=key, user=user, address=address, now=timezone.now())
            return gettext("An invitation is on its way to %(address)s.") % {"address": isolate(address)}
        person = commands.invite(game_key=key, user=user, name=form.cleaned_data["name"], now=timezone.now())
        return gettext("%(name)s is invited.") % {"name": person.shown_name}

    def refuse(error: GameError) -> HttpResponse:
        if error.http_status != HTTPStatus.UNPROCESSABLE_ENTITY:
            return show_invitation(request, key, error)
        form.add_error("name", explain(error))
        return show_invitation(request, key, form=form)

    return run_command(request, send, address=reverse("invitation", args=[key]), refuse=refuse)


@require_POST
@about_a_game
def decline(request: Request, key: str) -> HttpResponse:
    """Say no to an invitation."""

    def say_no(user: User) -> str:
        commands.decline(game_key=key, user=user, now=timezone.now())
        return gettext("You have declined the invitation.")

    return change_open_game(request, key, say_no, then=reverse("my_games"))


def change_open_game(request: Request, key: str, command: Callable[[User], str], *, then: str = "") -> HttpResponse:
    """Run a command and go ``then`` somewhere, or back to the invitation, which also shows refusals."""
    return run_command(
        request,
        command,
        address=reverse("invitation", args=[key]),
        refuse=lambda error: show_invitation(request, key, error),
        then=then,
    )
