"""What guest accounts may do in games, and their end when nobody comes back."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from accounts import guests, pending
from accounts.models import User
from games import commands, tasks
from games.commands._open_game import MOST_BOT_GAMES
from games.errors import GameCode, GameError
from games.models import Entry, Game, Message
from games.models.choices import Reason, Status
from games.notices.models import Notice
from tests.flows.play import NOW, RULESET, make_user, random_turn, start_game, state_of
from tests.services import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
IDLE = guests.KEPT_FOR + timedelta(seconds=1)


def make_guest(now: datetime = NOW) -> User:
    return guests.make_guest(language="en", now=now)


def create(user: User, **terms: Any) -> Game:
    asked = {"ruleset": RULESET, "size": 2, "options": {}, "public": False, "bots": ["nova:2"], "now": NOW}
    return commands.create_game(user=user, **{**asked, **terms})


def play_a_turn(game: Game, user: User) -> None:
    """Let a person play some turn, after the computer player's if that one is first."""
    if game.bot_to_move:
        commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=Random(1), now=NOW)
        game.refresh_from_db()
    turn = random_turn(state_of(game), Random(1))
    commands.play_turn(game_key=game.key, user=user, seq=game.seq, turn=turn, now=NOW)
    game.refresh_from_db()


# --- Play now ------------------------------------------------------------------------------------------------------


def test_play_now_starts_a_plain_unlisted_game_of_two() -> None:
    guest = make_guest()
    game = commands.play_now(user=guest, ruleset=RULESET, now=NOW)
    assert (game.status, game.size, game.public, game.creator) == (Status.ACTIVE, 2, False, guest)
    assert {(seat.user, seat.bot) for seat in game.seats.all()} == {(guest, ""), (None, "nova:2")}


def test_play_now_leads_to_the_game_in_which_one_has_not_played_yet() -> None:
    user = make_user("Ada")
    games = [commands.play_now(user=user, ruleset=RULESET, now=NOW) for _press in range(3)]
    assert len(set(games)) == 1
    play_a_turn(games[0], user)
    assert commands.play_now(user=user, ruleset=RULESET, now=NOW) != games[0]


def test_play_now_goes_to_no_game_of_another_kind() -> None:
    user, rival = make_user("Ada"), make_user("Bo")
    others = [
        create(user, public=True),
        create(user, size=3, bots=["nova:2", "nova:2"]),
        create(user),  # its time control is another one
        start_game([user, rival], public=False),
    ]
    assert commands.play_now(user=user, ruleset=RULESET, now=NOW) not in others
    left = commands.play_now(user=rival, ruleset=RULESET, now=NOW)
    commands.resign(game_key=left.key, user=rival, seq=left.seq, now=NOW)
    assert commands.play_now(user=rival, ruleset=RULESET, now=NOW) != left


def test_games_with_computer_players_have_the_same_limits() -> None:
    guest = make_guest()
    for _number in range(MOST_BOT_GAMES):
        play_a_turn(commands.play_now(user=guest, ruleset=RULESET, now=NOW), guest)
    with pytest.raises(GameError) as refused:
        commands.play_now(user=guest, ruleset=RULESET, now=NOW)
    assert refused.value.code == GameCode.TOO_MANY_BOT_GAMES


# --- What guests may do --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [{"public": True}, {"size": 3}, {"bots": []}, {"bots": [], "public": True}])
def test_guests_create_no_games_for_others(terms: dict[str, Any]) -> None:
    with pytest.raises(GameError) as refused:
        create(make_guest(), **terms)
    assert refused.value.code == GameCode.GUEST_CREATES
    assert not Game.objects.exists()


def test_guests_create_games_against_several_computer_players() -> None:
    game = create(make_guest(), size=4, bots=["nova:1", "nova:2", "nova:2"])
    assert game.status == Status.ACTIVE


def test_guests_join_by_a_link_and_not_from_the_lobby() -> None:
    ada, guest = make_user("Ada"), make_guest()
    listed, by_link = create(ada, bots=[], public=True), create(ada, bots=[])
    with pytest.raises(GameError) as refused:
        commands.join_game(game_key=listed.key, user=guest, now=NOW)
    assert refused.value.code == GameCode.GUEST_JOINS
    assert commands.join_game(game_key=by_link.key, user=guest, now=NOW).status == Status.ACTIVE


def test_guests_invite_nobody_and_nobody_invites_them() -> None:
    ada, guest = make_user("Ada"), make_guest()
    game = create(ada, bots=[], size=3)
    commands.join_game(game_key=game.key, user=guest, now=NOW)
    make_user("Bo")
    with pytest.raises(GameError) as refused:
        commands.invite(game_key=game.key, user=guest, name="Bo", now=NOW)
    assert refused.value.code == GameCode.GUEST_INVITES
    with pytest.raises(GameError) as unknown:
        commands.invite(game_key=game.key, user=ada, name=make_guest().display_name, now=NOW)
    assert unknown.value.code == GameCode.NO_SUCH_PERSON


def test_guests_write_nothing_and_read_all() -> None:
    ada, guest = make_user("Ada"), make_guest()
    game = start_game([ada, guest], public=False)
    with pytest.raises(GameError) as refused:
        commands.write_message(game_key=game.key, user=guest, text="Hello", now=NOW)
    assert refused.value.code == GameCode.GUEST_WRITES
    commands.write_message(game_key=game.key, user=ada, text="Hello", now=NOW)
    assert Message.objects.count() == 1


# --- Their end -----------------------------------------------------------------------------------------------------


def test_a_guest_is_gone_after_thirty_idle_days_and_not_before() -> None:
    guest = make_guest()
    assert commands.expire_guests(size=9, now=NOW + guests.KEPT_FOR) == 0
    assert commands.expire_guests(size=9, now=NOW + IDLE) == 1
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_guest_who_came_back_stays() -> None:
    guest = make_guest()
    guests.note_seen(guest, NOW + timedelta(days=20))
    assert commands.expire_guests(size=9, now=NOW + IDLE) == 0


def test_a_guest_who_keeps_the_account_at_that_moment_stays() -> None:
    guest = make_guest()
    due = guests.idle(NOW + IDLE)
    User.objects.filter(pk=guest.pk).update(is_guest=False)
    with pytest.raises(User.DoesNotExist):
        commands.delete_account(user=guest, now=NOW + IDLE, among=due)
    assert User.objects.filter(pk=guest.pk).exists()


def test_accounts_of_people_do_not_expire() -> None:
    make_user("Ada", seen_at=NOW)
    assert commands.expire_guests(size=9, now=NOW + 10 * IDLE) == 0


def test_the_games_of_an_idle_guest_end_as_those_of_any_deleted_account() -> None:
    ada, guest = make_user("Ada"), make_guest()
    alone = create(guest, size=3, bots=["nova:2", "nova:2"])
    shared = start_game([ada, guest, make_user("Bo")], public=False)
    over = commands.play_now(user=guest, ruleset=RULESET, now=NOW)
    commands.resign(game_key=over.key, user=guest, seq=over.seq, now=NOW)
    waiting = create(ada, size=3, bots=[])
    commands.join_game(game_key=waiting.key, user=guest, now=NOW)
    assert commands.expire_guests(size=9, now=NOW + IDLE) == 1
    for game in (alone, shared, over, waiting):
        game.refresh_from_db()
        assert not game.seats.filter(name=guest.display_name).exists()
        assert guest.display_name not in str(Game.objects.defer(None).get(pk=game.pk).setup)
    assert alone.status == over.status == Status.FINISHED
    reasons = Entry.objects.filter(game=alone).order_by("seq").values_list("reason", flat=True)
    assert list(reasons) == [Reason.RESIGNED, Reason.ALONE]
    assert shared.status == Status.ACTIVE
    assert shared.seats.get(number=2).retired
    assert waiting.seats.count() == 1
    call_command("verify_games")


def test_workers_and_the_command_end_idle_guests(capsys: pytest.CaptureFixture[str]) -> None:
    make_guest(timezone.now() - IDLE)
    tasks.prune()
    assert not User.objects.exists()
    make_guest(timezone.now() - IDLE)
    stays = make_guest(timezone.now())
    call_command("prune")
    assert "1 guest accounts deleted." in capsys.readouterr().out
    assert list(User.objects.all()) == [stays]


def test_one_guest_who_can_not_be_deleted_delays_no_other(caplog: pytest.LogCaptureFixture) -> None:
    first, second = make_guest(NOW - timedelta(days=1)), make_guest()
    game = create(first, size=3, bots=["nova:2", "nova:2"])
    Game.objects.filter(pk=game.pk).update(ruleset="unknown")
    assert commands.expire_guests(size=9, now=NOW + IDLE) == 1
    assert list(User.objects.all()) == [first]
    assert not User.objects.filter(pk=second.pk).exists()


def test_no_mail_is_made_for_a_guest(letters: Any) -> None:
    guest = make_guest()
    game = start_game([make_user("Ada"), guest], public=False)
    assert Notice.objects.filter(user=guest, game=game).exists()
    tasks.send_notices()
    assert not Notice.objects.filter(user=guest, state="waiting").exists()
    assert guest.email not in str([mail.to for mail in letters()])


# --- At once -------------------------------------------------------------------------------------------------------


def blocked() -> int:
    """Return how many other connections wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])


def in_a_thread(work: Callable[[], Any]) -> tuple[Thread, list[Any]]:
    """Start some work in a thread with a connection of its own; return the thread, and where its result will be."""
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(work())
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread, results


def waiting_for(guest: User) -> tuple[User, EmailAddress]:
    form = pending.Application("bo@example.org", "Bo", "a fine long word")
    account = pending.sign_up(form, language="en", guest=guest)
    return account, EmailAddress.objects.get(user=account)


@pytest.mark.pg
def test_a_guest_who_is_kept_while_they_would_end_stays() -> None:
    guest = make_guest()
    account, address = waiting_for(guest)
    with transaction.atomic():
        locked = guests.lock_kept(account.pk)
        assert locked == guest
        thread, gone = in_a_thread(lambda: commands.expire_guests(size=9, now=NOW + IDLE))
        wait_until(lambda: blocked() == 1, what="the end of the guest", seconds=PATIENCE)
        guests.keep(locked, User.objects.select_for_update().get(pk=account.pk), address)
    thread.join()
    assert gone == [0]
    assert [user.display_name for user in User.objects.all()] == ["Bo"]


@pytest.mark.pg
def test_a_guest_who_ends_while_they_would_be_kept_leaves_nothing() -> None:
    guest = make_guest()
    account, _address = waiting_for(guest)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=guest.pk)
        thread, found = in_a_thread(lambda: confirmable(account.pk))
        wait_until(lambda: blocked() == 1, what="the confirmation", seconds=PATIENCE)
        guest.delete()
    thread.join()
    assert found == [False]
    assert not User.objects.exists()


def confirmable(account_id: int) -> bool:
    """Take the locks of a confirmation; return whether there is anything to confirm."""
    with transaction.atomic():
        guests.lock_kept(account_id)
        return User.objects.select_for_update().filter(pk=account_id).exists()


@pytest.mark.pg
def test_presses_of_one_button_at_once_make_one_guest_and_one_game() -> None:
    token = uuid4()

    def press() -> tuple[int, int]:
        user = guests.make_guest(language="en", now=NOW, token=token)
        return user.pk, commands.play_now(user=user, ruleset=RULESET, now=NOW).pk

    started = [in_a_thread(press) for _press in range(4)]
    for thread, _results in started:
        thread.join()
    assert len({pair for _thread, results in started for pair in results}) == 1
    assert (User.objects.count(), Game.objects.count()) == (1, 1)
