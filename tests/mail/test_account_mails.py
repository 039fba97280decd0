"""Mails about accounts that do not get away: when they rest, when they raise the alarm, and how all is made good."""

from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import mails
from accounts.figures import LATE, account_mail_trouble
from accounts.models import AccountMail, User
from games import tasks
from games.models import Heartbeat
from games.notices.models import MailRefusal
from games.queries import due, relay
from gravitysite.metrics import write_metrics
from tests.flows.play import make_user
from tests.mail.conftest import Post

pytestmark = pytest.mark.anydb
DAY = timedelta(days=1)


@pytest.fixture
def asked(ada: User) -> AccountMail:
    """Let Ada ask for a new password."""
    mails.ask(mails.RESET, ada.email)
    return AccountMail.objects.get()


def refuse_many(at: datetime) -> None:
    """Let the mail server have refused as many people as let sending rest."""
    for number in range(relay.MANY):
        person = make_user(f"Person{number}")
        MailRefusal.objects.create(user=person, at=at, reply="554 5.7.1 blocked", gone=False)


def give_up(post: Post, now: datetime) -> None:
    """Try to send for a day, in vain."""
    post.sink.refusing = True
    AccountMail.objects.update(at=now - DAY, due_at=now)
    mails.send_waiting(now=now)
    post.sink.refusing = False


def test_mails_about_accounts_rest_with_all_others_and_go_when_these_do(asked: AccountMail, post: Post) -> None:
    refuse_many(timezone.now())
    tasks.send_account_mails()
    asked.refresh_from_db()
    assert (asked.attempts, post.sink.messages) == (0, [])
    MailRefusal.objects.update(at=timezone.now() - relay.WINDOW)
    tasks.send_account_mails()
    assert [mail["Subject"] for mail in post.sink.messages] == ["Choose a new password"]


def test_addresses_that_strangers_make_up_let_nothing_rest(db: None, post: Post) -> None:
    post.sink.says["RCPT"] = "550 5.1.1 user unknown"
    for number in range(2 * relay.MANY):
        person = make_user(f"Person{number}")
        mails.ask(mails.RESET, person.email)
    tasks.send_account_mails()
    assert not relay.is_paused(timezone.now())
    assert not User.objects.exclude(refused_address="").exists()


def test_a_mail_that_waits_for_long_is_an_alarm_until_it_goes(asked: AccountMail, post: Post) -> None:
    assert not account_mail_trouble(asked.at + LATE)
    found = account_mail_trouble(asked.at + LATE + timedelta(seconds=1))
    assert (found.late, found.late_since, found.given_up) == (1, asked.at, 0)
    tasks.send_account_mails()
    assert not account_mail_trouble(asked.at + DAY)


def test_a_mail_that_nobody_is_to_get_is_no_alarm(db: None, post: Post) -> None:
    mails.ask(mails.RESET, "nobody@example.org")
    tasks.send_account_mails()
    assert not account_mail_trouble(timezone.now() + DAY)
    assert 'gravity_account_mails{result="not-needed"} 1.0' in write_metrics(timezone.now()).decode()


def test_mails_given_up_are_in_the_alarm_the_health_the_figures_and_the_admin(
    asked: AccountMail, post: Post, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    now = timezone.now()
    for name in due.HEARTBEATS:
        Heartbeat.objects.update_or_create(name=name, defaults={"at": now})
    give_up(post, now)
    with pytest.raises(SystemExit):
        call_command("check_overdue")
    assert capsys.readouterr().out == "account mails given up: 1 in a day; see manage.py resend_mails\n"
    assert client.get("/readyz").status_code == 503
    assert client.get("/readyz").json()["account mails"] == "given up: 1"
    written = write_metrics(now).decode()
    assert 'gravity_account_mail_trouble{what="given-up"} 1.0' in written
    assert 'gravity_account_mails{result="given-up"} 1.0' in written
    client.force_login(User.objects.create_superuser("root@example.org", display_name="Root"))
    assert "E-mails about accounts late: 0; given up: 1." in client.get("/admin/games/heartbeat/").content.decode()
    assert client.get("/admin/accounts/accountmail/?given_up__exact=1").status_code == 200
    assert client.get("/admin/accounts/accountmail/add/").status_code == 403


@pytest.mark.parametrize("whose", [["--all"], ["ada@example.org"]])
def test_the_command_sends_again_what_was_given_up(asked: AccountMail, post: Post, whose: list[str]) -> None:
    give_up(post, timezone.now())
    tasks.send_account_mails()
    assert not post.sink.messages
    out = StringIO()
    call_command("resend_mails", *whose, stdout=out)
    assert "1 mails about accounts will be sent again." in out.getvalue()
    tasks.send_account_mails()
    assert [mail["Subject"] for mail in post.sink.messages] == ["Choose a new password"]
    assert not account_mail_trouble(timezone.now())


def test_how_long_a_mail_has_waited_is_a_figure(asked: AccountMail) -> None:
    written = write_metrics(asked.at + timedelta(seconds=90)).decode()
    assert "gravity_account_mail_age_seconds 90.0" in written
