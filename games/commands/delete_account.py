"""The end of an account, which is the end of nobody else's game."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.audit import Staff, record
from accounts.bots import owned
from accounts.models import StaffAct, User
from games.commands._append import add_retirement
from games.commands._lock import lock_game, lock_person, save_change
from games.commands._open_game import withdraw
from games.log.positions import keep_setup, setup_of
from games.log.record import rename_player
from games.log.seats import load_seats
from games.log.table import seat_of
from games.models import Game, Seat
from games.models.choices import Actor, Reason, RemarkKind, Status
from games.notices.facts import CancelledBy
from games.words.seats import record_names


@transaction.atomic(durable=True)
def delete_account(
    *, user: User, now: datetime, among: QuerySet[User] | None = None, staff: Staff | None = None
) -> None:
    """Delete a person with all that is theirs alone; their games stay, with a seat that nobody can be found by.

    They leave the running games as if they had resigned, and the open ones; those that they created are cancelled.
    Their bots end with them, in the same way.
    Their name goes from seats and records. The log is not touched: the digest of the set-up as it was drawn stays.
    Where the ``staff`` does it, that is written down. Raises `User.DoesNotExist` for someone who is gone, or who is
    none, by now, of those ``among`` whom they have to be.
    """
    # This lock keeps two deletions apart. One that keeps out who names the person in a new row comes after the locks
    # of the games: whoever plays in one of these names the person in a notice, and would wait for us as we for them.
    person = lock_person(user.pk)
    if among is not None:
        among.get(pk=person.pk)
    bots = [lock_person(pk) for pk in owned(person).values_list("pk", flat=True)]
    for each in (*bots, person):
        _leave_all(each, now)
    for each in (*bots, person):
        User.objects.select_for_update().get(pk=each.pk)
        _leave_all(each, now)  # what they joined meanwhile
        if staff is not None:
            record(staff, StaffAct.DELETE_PERSON, now, person=each.pk)
        each.delete()


def _leave_all(person: User, now: datetime) -> None:
    theirs = Game.objects.filter(Q(seats__user=person) | Q(creator=person, status=Status.OPEN))
    for pk in sorted(set(theirs.values_list("pk", flat=True))):
        _leave(lock_game(pk=pk), person, now)


def _leave(game: Game, person: User, now: datetime) -> None:
    seat = seat_of(game, person)
    if game.status == Status.OPEN and game.creator_id == person.pk:
        withdraw(game, RemarkKind.CANCELLED, CancelledBy.ACCOUNT, now)
    elif game.status == Status.OPEN and seat is not None:
        seat.delete()
        load_seats(game)
        save_change(game)
        return
    if seat is None:
        return
    if game.status == Status.ACTIVE and not seat.retired and seat.number is not None:
        add_retirement(game, seat=seat.number, reason=Reason.RESIGNED, by=Actor.PLAYER, now=now)
    _forget(game, seat)


def _forget(game: Game, seat: Seat) -> None:
    seat.user = None
    seat.name = seat.zone = ""
    seat.save(update_fields=["user", "name", "zone"])
    if seat.number is None:
        save_change(game)
        return
    (name,) = record_names([seat])
    setup = rename_player(setup_of(game), seat.number, name)
    keep_setup(game, setup)
    save_change(game, setup=setup)
