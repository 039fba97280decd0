"""What follows from a mail server's refusals: whom they are about, when sending rests, and how all is made good."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import Heartbeat
from games.notices.models import MailRefusal, Notice
from games.notices.outbox import enqueue_test
from games.queries import due, relay
from gravitysite.metrics import write_metrics
from tests.flows.play import NOW, make_user
from tests.mail.conftest import Post, results

pytestmark = pytest.mark.anydb

GONE = [
    ("RCPT", "550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in virtual mailbox table"),
    ("RCPT", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found"),
    ("RCPT", "553 5.1.3 Bad destination mailbox address syntax"),
    ("RCPT", "550 No such user here"),
    ("RCPT", "550 unknown user"),
    ("RCPT", "550 Requested action not taken: mailbox not found"),
    ("DATA", "550 5.1.1 The email account that you tried to reach does not exist"),
]
"""What says that a mailbox does not exist, in the words of servers that are in use."""
NOT_GONE = [
    ("RCPT", "552 5.2.2 The email account that you tried to reach is over quota"),
    ("RCPT", "550 5.2.1 The mailbox is temporarily disabled"),
    ("RCPT", "554 5.3.0 Other mail system problem"),
    ("RCPT", "550 5.4.1 Recipient address rejected: Access denied"),
    ("RCPT", "554 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org"),
    ("RCPT", "550 5.7.1 <ada@example.org>: user unknown to our relay"),
    ("RCPT", "550 5.1.1 Relaying denied"),
    ("RCPT", "550 5.1.8 Sender address rejected: Domain not found"),
    ("RCPT", "550 5.1.0 Address rejected"),
    ("RCPT", "550 Administrative prohibition"),
    ("RCPT", "554 Message refused"),
    ("RCPT", "450 4.1.1 user unknown"),
    ("MAIL", "550 5.1.1 user unknown"),
    ("MAIL", "553 5.1.8 sender address does not exist"),
    ("DATA", "554 5.7.1 Message rejected as spam"),
    ("DATA", "552 5.3.4 Message too big"),
    ("DATA", "550 5.7.26 This mail has been blocked because the sender is unauthenticated"),
]
"""What is about this site, about the server, or about nothing that is known."""


@pytest.mark.parametrize(("command", "answer"), GONE)
def test_only_an_answer_that_a_mailbox_does_not_exist_marks_its_address(
    ada: User, post: Post, command: str, answer: str
) -> None:
    enqueue_test(ada, NOW)
    post.sink.says[command] = answer
    post.sweep(0)
    ada.refresh_from_db()
    assert ada.refuses_mail
    assert results(ada, "test") == [("failed", "refused")]


@pytest.mark.parametrize(("command", "answer"), NOT_GONE)
def test_a_refusal_that_is_not_about_the_mailbox_is_tried_again(
    ada: User, post: Post, command: str, answer: str
) -> None:
    enqueue_test(ada, NOW)
    post.sink.says[command] = answer
    for minute in (0, 1, 3):
        post.sweep(minute)
    ada.refresh_from_db()
    assert not ada.refuses_mail
    assert results(ada, "test") == [("waiting", "retry")]
    assert not any("@" in reply for reply in MailRefusal.objects.values_list("reply", flat=True))
    post.sink.says.clear()
    assert post.sweep(7) == ["ada: Test e-mail"]


@pytest.fixture
def many(db: None) -> list[User]:
    """Thirty people who have something to hear."""
    people = [make_user(f"Person{number}") for number in range(30)]
    for person in people:
        enqueue_test(person, NOW)
    return people


@pytest.mark.parametrize(
    "answer", ["554 5.7.1 Service unavailable; blocked", "550 5.1.1 user unknown", "550 No such user"]
)
def test_after_a_minute_of_a_wrong_relay_everybody_gets_their_mails(many: list[User], post: Post, answer: str) -> None:
    post.sink.says["RCPT"] = answer
    for seconds in range(0, 60, 10):
        post.sweep(seconds / 60)
    assert MailRefusal.objects.count() == relay.MANY, "it is left alone after that"
    assert not User.objects.exclude(refused_address="").exists()
    post.sink.says.clear()
    for minute in range(1, 40):
        post.sweep(minute)
    assert set(Notice.objects.values_list("state", flat=True)) == {"sent"}
    assert len(post.sink.messages) == len(many)


def test_sending_rests_for_ten_minutes_and_then_asks_a_few_again(many: list[User], post: Post) -> None:
    post.sink.says["RCPT"] = "554 5.7.1 blocked"
    post.sweep(0)
    asked = []
    for minute in range(1, 31):
        before = MailRefusal.objects.count()
        post.sweep(minute)
        asked.append(MailRefusal.objects.count() - before)
    assert asked[:9] == [0] * 9
    assert 0 < max(asked) <= relay.MANY
    assert sum(asked) <= 3 * relay.MANY


def test_a_few_unknown_addresses_among_many_known_ones_stop_nothing(many: list[User], post: Post) -> None:
    gone = many[::6]
    post.sink.unknown = {person.email for person in gone[:4]}
    post.sweep(0)
    assert len(post.sink.messages) == len(many) - 4
    assert User.objects.exclude(refused_address="").count() == 4
    assert not relay.is_paused(NOW)


def test_giving_up_counts_from_the_first_attempt_not_from_the_fact(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    days = 24 * 60
    post.sink.refusing = True
    post.sweep(4 * days)
    assert results(ada, "test") == [("waiting", "retry")], "nobody tried before"
    post.sweep(7 * days - 1)
    assert results(ada, "test") == [("waiting", "retry")]
    post.sweep(7 * days + 31)
    assert results(ada, "test") == [("failed", "gave-up")]


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return exit status and lines of ``check_overdue``."""
    status = 0
    try:
        call_command("check_overdue")
    except SystemExit as error:
        status = int(str(error.code))
    return status, capsys.readouterr().out


def test_what_is_wrong_with_mails_is_in_the_alarm_the_health_and_the_figures(
    many: list[User], post: Post, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    now = timezone.now()
    minutes = (now - NOW) / timedelta(minutes=1)
    for name in due.HEARTBEATS:
        Heartbeat.objects.update_or_create(name=name, defaults={"at": now})
    assert checked(capsys) == (0, "nothing is overdue\n")
    assert client.get("/readyz").json()["mails"] == "ok"
    post.sink.says["RCPT"] = "554 5.7.1 <ada@example.org> blocked"
    post.sweep(minutes)
    status, said = checked(capsys)
    assert (status, said) == (1, "mails refused: to 5 people in an hour, the last with: 554 5.7.1 … blocked\n")
    assert client.get("/readyz").status_code == 503
    assert client.get("/readyz").json()["mails"] == "refused: 5"
    written = write_metrics(now).decode()
    assert "gravity_mail_paused 1.0" in written
    assert 'gravity_mail_trouble{what="refused"} 5.0' in written


def test_a_late_mail_or_one_given_up_is_an_alarm_and_an_unknown_address_is_none(
    ada: User, bo: User, cleo: User, post: Post
) -> None:
    post.sink.unknown = {cleo.email}
    for person in (ada, cleo):
        enqueue_test(person, NOW)
    post.sink.says["DATA"] = "554 5.7.1 blocked"
    post.sweep(0)
    found = relay.mail_trouble(NOW)
    assert not found
    assert found.addresses == 1
    late = relay.mail_trouble(NOW + timedelta(hours=2))
    assert late
    assert (late.late, late.late_since) == (1, NOW)
    post.sweep(3 * 24 * 60 + 1)
    assert relay.mail_trouble(NOW + timedelta(days=3, minutes=2)).given_up == 1
    assert not relay.mail_trouble(NOW + timedelta(days=5))


def silence(user: User, post: Post) -> None:
    """Let an address be marked, with a notice that failed and one that was held back."""
    post.sink.unknown.add(user.email)
    enqueue_test(user, NOW)
    post.sweep(0)
    enqueue_test(user, NOW + timedelta(minutes=1))
    post.sweep(1)
    assert results(user, "test") == [("failed", "refused"), ("held-back", "no-address")]
    post.sink.unknown.clear()


def test_the_command_clears_addresses_and_sends_what_they_did_not_take(ada: User, bo: User, post: Post) -> None:
    silence(ada, post)
    silence(bo, post)
    out = StringIO()
    call_command("resend_mails", "ADA@example.org", stdout=out)
    assert out.getvalue().startswith("2 notices")
    later = (timezone.now() - NOW) / timedelta(minutes=1) + 1
    assert post.sweep(later) == ["ada: Test e-mail"]
    call_command("resend_mails", "--all", stdout=out)
    assert post.sweep(later + 1) == ["bo: Test e-mail"]
    assert not User.objects.exclude(refused_address="").exists()
    with pytest.raises(CommandError):
        call_command("resend_mails")
    with pytest.raises(CommandError, match="nobody@"):
        call_command("resend_mails", "nobody@example.org")


def test_the_staff_clears_addresses_in_the_admin(ada: User, bo: User, post: Post, client: Client) -> None:
    silence(ada, post)
    client.force_login(User.objects.create_superuser("root@example.org", display_name="Root"))
    client.post(reverse("admin:accounts_user_act", args=[ada.pk, "send-again"]), {"why": "she asked for it"})
    ada.refresh_from_db()
    assert not ada.refuses_mail
    assert {state for state, _why in results(ada, "test")} == {"waiting"}
    assert client.get(reverse("admin:notices_mailrefusal_changelist")).status_code == 200


def test_who_says_that_their_address_works_gets_what_it_did_not_take(ada: User, post: Post, client: Client) -> None:
    silence(ada, post)
    client.force_login(ada)
    client.post("/accounts/notices/address")
    later = (timezone.now() - NOW) / timedelta(minutes=1) + 1
    assert post.sweep(later) == ["ada: Test e-mail"]


def test_what_was_closed_for_another_reason_stays_closed(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    Notice.objects.update(state="held-back", cause="muted", closed_at=NOW)
    assert commands.reopen(people=[ada], now=NOW) == 0
