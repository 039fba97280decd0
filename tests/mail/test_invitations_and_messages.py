"""The mails about invitations and messages: when they come, what they say, and when they are needed no longer."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from games import commands
from games.clock import PRESETS
from games.delivery.claim import Bundle, claim
from games.delivery.content import compose_mail
from games.delivery.render import text_of
from games.models import Game, Message
from games.notices.facts import MessageWritten
from games.notices.kinds import Cadence, NoticeKind
from games.notices.models import Notice, Presence
from games.notices.outbox import enqueue
from games.notices.preferences import Choice, Choices, choices_of
from games.words.time import describe_time_control
from tests.flows.play import NOW
from tests.mail.conftest import Begin, Post, results

HOUR = 60
DIGEST = 6 * HOUR  # the daily mail's hour in UTC is 18, and it is noon


def after(minutes: float) -> Any:
    return NOW + timedelta(minutes=minutes)


def want(user: User, kind: NoticeKind, cadence: Cadence) -> None:
    present = choices_of(user)
    choices = Choices({**present.kinds, kind: Choice(cadence)}, present.digest_hour)
    commands.choose_notices(user=user, choices=choices)


def write(game: Game, user: User, text: str, minutes: float) -> None:
    commands.write_message(game_key=game.key, user=user, text=text, now=after(minutes))


def of_messages(subjects: list[str]) -> list[str]:
    return [subject for subject in subjects if "Messages" in subject]


@pytest.fixture
def game(ada: User, bo: User, cleo: User, begin: Begin) -> Game:
    """A running game of three, about which there is nothing to say but messages."""
    game = begin(ada, bo, cleo)
    Notice.objects.all().delete()
    return game


# Invitations


def test_an_invitation_comes_by_mail_with_the_time_control_in_one_sentence(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, size=4, time_control=PRESETS["weekly"])
    commands.invite(game_key=game.key, user=ada, name="Bo", now=NOW)
    commands.invite(game_key=game.key, user=ada, name="Bo", now=NOW)
    assert post.sweep(4) == []
    assert post.sweep(6) == ["bo: Ada invites you to a game"]
    (mail,) = post.mails_to(bo)
    said = " ".join(mail.get_body(("plain",)).get_content().split())
    assert "Ada invites you to a game for 4 players." in said
    assert describe_time_control(PRESETS["weekly"]) in said
    assert f"/games/{game.key}/invitation/" in said
    assert post.sweep(3 * HOUR) == []


@pytest.mark.parametrize(
    ("happening", "cause"),
    [
        ("start", "game-started"),
        ("cancel", "game-over"),
        ("join", "answered"),
        ("decline", "answered"),
        ("never", "not-wanted"),
    ],
)
def test_an_invitation_that_is_needed_no_longer_is_not_sent(
    happening: str, cause: str, ada: User, bo: User, cleo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, size=2 if happening == "start" else 3)
    commands.invite(game_key=game.key, user=ada, name="Bo", now=NOW)
    match happening:
        case "start":
            commands.join_game(game_key=game.key, user=cleo, now=NOW)
        case "cancel":
            commands.cancel_game(game_key=game.key, user=ada, now=NOW)
        case "join":
            commands.join_game(game_key=game.key, user=bo, now=NOW)
        case "decline":
            commands.decline(game_key=game.key, user=bo, now=NOW)
        case _:
            want(bo, NoticeKind.INVITED, Cadence.NEVER)
    post.sweep(6)
    assert results(bo, "invited") == [("held-back", cause)]
    assert not [mail for mail in post.mails_to(bo) if "invites" in mail["Subject"]]


def test_invitations_to_several_games_make_one_mail(ada: User, bo: User, begin: Begin, post: Post) -> None:
    for _game in range(3):
        commands.invite(game_key=begin(ada, size=3).key, user=ada, name="Bo", now=NOW)
    assert post.sweep(6) == ["bo: Ada invites you to a game, and 2 more"]


# Messages


def test_messages_come_in_the_daily_mail_to_the_others_once_a_game(
    game: Game, ada: User, bo: User, cleo: User, post: Post
) -> None:
    write(game, ada, "One", 0)
    write(game, ada, "Two", 60)
    write(game, bo, "Three", 61)
    assert of_messages(post.sweep(DIGEST - 1)) == []
    sent = sorted(of_messages(post.sweep(DIGEST)))
    assert [subject.split(":")[0] for subject in sent] == ["ada", "bo", "cleo"]
    said = {user: post.mails_to(user)[0].get_body(("plain",)).get_content() for user in (ada, bo, cleo)}
    assert "You have 1 new message from Bo." in said[ada]
    assert "You have 2 new messages from Ada." in said[bo]
    assert "You have 3 new messages from " in said[cleo]
    assert [results(user, "message") for user in (ada, bo, cleo)] == [[("sent", "")]] * 3
    assert not [text for text in said.values() if "Three" in text], "what was written stays on the site"
    write(game, ada, "Four", DIGEST + 1)
    assert [len(results(user, "message")) for user in (ada, bo, cleo)] == [1, 2, 2]


def test_messages_that_were_read_on_the_page_make_no_mail(game: Game, ada: User, bo: User, post: Post) -> None:
    write(game, ada, "One", 0)
    Presence.objects.create(user=bo, game=game, seen_at=after(10))
    assert of_messages(post.sweep(DIGEST)) == ["cleo: Messages for you: game with " + others(game, "Cleo")]
    assert results(bo, "message") == [("held-back", "read")]


def test_a_mail_counts_only_what_was_not_read_yet(game: Game, ada: User, bo: User, post: Post) -> None:
    write(game, ada, "One", 0)
    Presence.objects.create(user=bo, game=game, seen_at=after(10))
    write(game, ada, "Two", 20)
    post.sweep(DIGEST)
    (mail,) = post.mails_to(bo)
    assert "You have 1 new message from Ada." in mail.get_body(("plain",)).get_content()


def test_a_message_while_a_mail_is_on_its_way_makes_another_notice(game: Game, ada: User, bo: User, post: Post) -> None:
    write(game, ada, "One", 0)
    Notice.objects.filter(topic="message", user=bo).update(message_id="<x@y>", lease_until=after(5))
    write(game, ada, "Two", 1)
    assert Notice.objects.filter(topic="message", user=bo).count() == 2
    assert post.sweep(2) == []


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_no_mail_goes_between_a_message_and_the_notice_it_leaves_waiting(game: Game, ada: User, bo: User) -> None:
    write(game, ada, "One", 0)
    seat = game.seats.get(user=ada).number
    assert seat is not None

    def sweep() -> Bundle | None:
        try:
            return claim(bo.pk, after(DIGEST))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            locked = Game.objects.select_for_update(no_key=True).get(pk=game.pk)
            message = Message.objects.create(game=locked, seat=seat, text="Two", at=NOW)
            enqueue(locked, MessageWritten(seat, message.pk), now=NOW)
            assert pool.submit(sweep).result() is None
        bundle = pool.submit(sweep).result()
    assert bundle is not None
    assert Notice.objects.filter(user=bo, topic="message").count() == 1
    mail = compose_mail(bo, bundle.notices, message_id=bundle.message_id, now=after(DIGEST))
    assert "You have 2 new messages" in text_of(mail)


def test_who_muted_the_game_or_the_kind_hears_nothing(game: Game, ada: User, bo: User, cleo: User, post: Post) -> None:
    commands.mute_game(game_key=game.key, user=bo)
    want(cleo, NoticeKind.MESSAGE, Cadence.NEVER)
    write(game, ada, "One", 0)
    post.sweep(DIGEST)
    assert (results(bo, "message"), results(cleo, "message")) == (
        [("held-back", "muted")],
        [("held-back", "not-wanted")],
    )
    assert of_messages([mail["Subject"] for mail in post.sink.messages]) == []


def others(game: Game, name: str) -> str:
    return " and ".join(seat.name for seat in game.seats.order_by("number") if seat.name != name)
