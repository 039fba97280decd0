"""What the staff does about how a person behaves: a warning, silence, a suspension, another name; and the end of it.

What bars a person bars their bots, and ends with it.
"""

from datetime import datetime
from secrets import randbelow
from typing import Any, Final

from django.db import transaction

from accounts import mails
from accounts.audit import Staff, record
from accounts.blocks import numbers_of
from accounts.bots import ENDING, owned, with_bots
from accounts.models import StaffAct, User
from games.commands._lock import lock_game, lock_person, save_change
from games.commands._open_game import leave_open
from games.errors import GameCode, GameError
from games.log.positions import keep_setup, setup_of
from games.log.record import rename_player
from games.log.table import seat_of
from games.models import Game
from games.models.choices import Status

DIGITS: Final = range(4, 10)
"""How many digits the number in a name has that the staff gives: more where those with few are taken."""


@transaction.atomic(durable=True)
def warn_person(*, user: User, words: str, staff: Staff, now: datetime) -> None:
    """Write to a person, in the words of the staff, what they are to leave off. Raises `GameError` (``not-yours``)."""
    person = _lock_target(user, staff)
    record(staff, StaffAct.WARN, now, person=person.pk, said=words)
    _tell(person, mails.WARNING, words=words)


@transaction.atomic(durable=True)
def silence(*, user: User, until: datetime, words: str, staff: Staff, now: datetime) -> None:
    """Let a person write nothing that others read until an instant, and tell them why.

    Raises `GameError` (``not-yours``) for the staff itself.
    """
    person = _lock_target(user, staff)
    _bar(person, silenced_until=until, restricted_why=words)
    record(staff, StaffAct.SILENCE, now, person=person.pk, said=words, until=until.isoformat())
    _tell(person, mails.SILENCED, words=words, until=until.isoformat())


@transaction.atomic(durable=True)
def suspend(*, user: User, until: datetime, words: str, staff: Staff, now: datetime) -> None:
    """Let a person begin and write nothing until an instant, and tell them why.

    They play their running games on, so that no game of others ends by it; they and their bots leave those that have
    not started, and what they offered is withdrawn. Raises `GameError` (``not-yours``) for the staff itself.
    """
    person = _lock_target(user, staff)
    barred = _bar(person, suspended_until=until, restricted_why=words)
    record(staff, StaffAct.SUSPEND, now, person=person.pk, said=words, until=until.isoformat())
    _tell(person, mails.SUSPENDED, words=words, until=until.isoformat())
    waiting = Game.objects.filter(with_bots(person, "seats__user"), status=Status.OPEN)
    for pk in sorted(set(waiting.values_list("pk", flat=True))):
        game = lock_game(pk=pk)
        for each in barred:
            leave_open(game, each, now)


@transaction.atomic(durable=True)
def lift(*, user: User, staff: Staff, now: datetime) -> None:
    """End a person's silence and suspension at once, and tell them; no error where there is none."""
    person = lock_person(user.pk)
    barred = person.restricted_until is not None
    _bar(person, silenced_until=None, suspended_until=None, restricted_why="")
    record(staff, StaffAct.LIFT, now, person=person.pk)
    if barred:
        _tell(person, mails.LIFTED)


@transaction.atomic(durable=True)
def take_name(*, user: User, words: str, staff: Staff, now: datetime) -> str:
    """Give a person a name that says nothing, in all their games too, and tell them why; return it.

    They may choose another one, and nobody the same again. Raises `GameError` (``not-yours``) for the staff itself.
    """
    person = _lock_target(user, staff)
    before, looks = person.display_name, person.name_skeleton.partition("\n")[0]
    name = _free_name(ENDING if person.is_bot else "")
    for pk in sorted(Game.objects.filter(seats__user=person).values_list("pk", flat=True)):
        _rename_seat(lock_game(pk=pk), person, name)
    # After the locks of the games, as where an account is deleted: another name keeps out who names the person in a new
    # row, and whoever plays in one of these does so.
    person.display_name = name
    person.save(update_fields=["display_name", "name_key", "name_skeleton"])
    names = {"before": before, "looks": looks, "after": person.display_name}
    record(staff, StaffAct.RENAME, now, person=person.pk, said=words, **names)
    _tell(person, mails.RENAMED, words=words, before=before, after=person.display_name)
    return person.display_name


@transaction.atomic(durable=True)
def take_game_name(*, game_key: str, staff: Staff, now: datetime) -> None:
    """Let a game have no name any more, nor those that follow it in a series or as a rematch; no error if it has none.

    Raises `GameError` (``no-such-game``).
    """
    game = lock_game(key=game_key)
    if game.name:
        record(staff, StaffAct.RENAME_GAME, now, person=game.creator_id, game=game.key, before=game.name)
        game.name = ""
        save_change(game, "name")


def _lock_target(user: User, staff: Staff) -> User:
    """Return the person whom a measure is about, locked. The staff takes measures neither against itself nor a peer."""
    person = lock_person(user.pk)
    if (person.owner or person).is_staff or staff.number in numbers_of(person):
        raise GameError(GameCode.NOT_YOURS)
    return person


def _bar(person: User, **columns: Any) -> list[User]:
    """Write until when, and why, a locked person and their bots are barred from anything; return them, locked."""
    barred = [person, *(lock_person(pk) for pk in owned(person).values_list("pk", flat=True))]
    for each in barred:
        for name, value in columns.items():
            setattr(each, name, value)
        each.save(update_fields=[*columns])
    return barred


def _rename_seat(game: Game, person: User, name: str) -> None:
    """Write another name into a seat and the set-up of a locked game; the digests stay those of what was drawn."""
    seat = seat_of(game, person)
    if seat is None:
        return
    seat.name = name
    seat.save(update_fields=["name"])
    if seat.number is None:
        save_change(game)
        return
    setup = rename_player(setup_of(game), seat.number, name)
    keep_setup(game, setup)
    save_change(game, setup=setup)


def _free_name(ending: str) -> str:
    for digits in DIGITS:
        least = 10 ** (digits - 1)
        name = f"Player {least + randbelow(9 * least)}{ending}"
        if not User.objects.name_taken(name):
            return name
    raise RuntimeError("no free name")


def _tell(person: User, template: str, **params: str) -> None:
    if person.is_confirmed:
        mails.ask(template, person.email, user=person, **params)
