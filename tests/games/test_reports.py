"""Reporting to the staff: what can be reported by whom, how often, and what the author hears of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import mails
from accounts.audit import Staff
from accounts.models import User
from games import commands
from games.commands.prune_traces import REPORT_KEPT_FOR
from games.commands.report import MOST_REPORTS
from games.errors import GameError
from games.models import Game, Report, ReportKind, ReportOutcome, ReportState
from tests.flows.play import make_user, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
STAFF = Staff("Op", "as reported")


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def report(by: User, person: User, **more: Any) -> Report:
    terms = {"kind": ReportKind.CONDUCT, "text": "They insult me", "now": timezone.now()}
    return commands.report_person(user=by, number=person.pk, **{**terms, **more})


def test_a_message_is_reported_as_it_was_with_who_wrote_it(game: Game, ada: User, bo: User) -> None:
    commands.write_message(game_key=game.key, user=bo, text="You fool", now=timezone.now())
    page = signed_in(ada).get(reverse("messages", args=[game.key])).content.decode()
    address = reverse("report_message", args=[game.key, game.messages.get().pk])
    assert address in page
    assert address not in signed_in(bo).get(reverse("messages", args=[game.key])).content.decode()
    assert "You fool" in signed_in(ada).get(address).content.decode()
    answer = signed_in(ada).post(address, {"text": "rude"}, follow=True)
    assert "Thank you." in answer.content.decode()
    stored = Report.objects.get()
    assert (stored.quoted, stored.name, stored.reported, stored.text) == ("You fool", "Bo", bo, "rude")
    assert stored.state == ReportState.OPEN


def test_the_same_thing_is_open_once_a_person(ada: User, bo: User, game: Game) -> None:
    first = report(ada, bo)
    assert report(ada, bo) == first
    assert report(ada, bo, kind=ReportKind.NAME) != first
    assert report(ada, bo, game=game) != first
    assert report(make_user("Cy"), bo) != first
    commands.close_report(report_id=first.pk, outcome=ReportOutcome.NOTHING, staff=STAFF, now=timezone.now())
    assert report(ada, bo) != first


def test_one_person_sends_so_many_reports_a_day(ada: User, bo: User) -> None:
    for number in range(MOST_REPORTS):
        report(ada, make_user(f"Pal{number}"))
    with pytest.raises(GameError, match="too-many-reports"):
        report(ada, bo)
    page = signed_in(ada).post(reverse("report_player", args=[bo.pk]), {"kind": "name"})
    assert page.status_code == 422
    assert "which is the maximum" in page.content.decode()
    report(ada, bo, now=timezone.now() + timedelta(days=2))


def test_nobody_reports_themselves_or_what_they_can_not_see(game: Game, ada: User, bo: User) -> None:
    commands.write_message(game_key=game.key, user=bo, text="Hello", now=timezone.now())
    number, cy = game.messages.get().pk, make_user("Cy")
    for user in (bo, cy):
        with pytest.raises(GameError, match="nothing-to-report"):
            commands.report_message(user=user, game_key=game.key, message_id=number, text="", now=timezone.now())
    with pytest.raises(GameError, match="nothing-to-report"):
        report(ada, ada)
    waiting = User.objects.create(email="w@example.org", display_name="Waiting")
    with pytest.raises(GameError, match="nothing-to-report"):
        report(ada, waiting)


def test_in_a_game_one_says_whom_it_is_about(game: Game, ada: User, bo: User) -> None:
    address = reverse("report_in_game", args=[game.key])
    client = signed_in(ada)
    assert client.post(address, {"kind": "conduct", "person": ada.pk}).status_code == 422
    assert client.post(address, {"kind": "conduct", "person": bo.pk, "text": "never moves"}).status_code == 302
    assert Report.objects.get().game == game


@pytest.mark.parametrize(
    ("outcome", "said"),
    [(ReportOutcome.ACTED, "taken action"), (ReportOutcome.NOTHING, "found no reason")],
)
def test_the_author_hears_what_came_of_it_in_general_words(outcome: str, said: str, ada: User, bo: User) -> None:
    stored = report(ada, bo)
    commands.close_report(report_id=stored.pk, outcome=ReportOutcome(outcome), staff=STAFF, now=timezone.now())
    assert mails.send_waiting(now=timezone.now()) == 1
    (sent,) = mail.outbox
    assert sent.to == [ada.email]
    assert said in str(sent.body)
    assert "Bo" not in str(sent.body)


def test_each_measure_tells_its_person_why_until_when_and_how_to_object(ada: User, settings: Any) -> None:
    settings.CONTACT = "help@example.org"
    now = timezone.now()
    until = now + timedelta(days=7)
    terms: dict[str, Any] = {"user": ada, "words": "You insulted Bo.", "staff": STAFF, "now": now}
    commands.warn_person(**terms)
    commands.silence(**terms, until=until)
    commands.suspend(**terms, until=until)
    commands.take_name(**terms)
    assert mails.send_waiting(now=timezone.now()) == 4
    for sent in mail.outbox:
        assert "You insulted Bo." in str(sent.body)
        assert "help@example.org" in str(sent.body)
        assert STAFF.why not in str(sent.body)
    assert sum(str(until.day) in str(sent.body) for sent in mail.outbox) >= 2
    page = signed_in(User.objects.get(pk=ada.pk)).get("/lobby/").content.decode()
    assert "Your account is suspended until" in page
    assert "You insulted Bo." in page
    assert "help@example.org" in page
    commands.lift(user=ada, staff=STAFF, now=now)
    assert "suspended" not in signed_in(User.objects.get(pk=ada.pk)).get("/lobby/").content.decode()


def test_who_is_silenced_plays_and_joins_and_writes_nothing(game: Game, ada: User, bo: User) -> None:
    now = timezone.now()
    commands.silence(user=ada, until=now + timedelta(days=1), words="Quiet.", staff=STAFF, now=now)
    with pytest.raises(GameError, match="silenced"):
        commands.write_message(game_key=game.key, user=ada, text="Hello", now=now)
    terms: dict[str, Any] = {"user": ada, "ruleset": game.ruleset, "size": 2, "options": {}, "public": True, "bots": []}
    with pytest.raises(GameError, match="silenced"):
        commands.create_game(**terms, now=now, name="Bo is a fool")
    commands.create_game(**terms, now=now)
    client = signed_in(User.objects.get(pk=ada.pk))
    answer = client.post("/accounts/profile/", {"display_name": "Bo stinks", "language": "en", "time_zone": "UTC"})
    assert answer.status_code == 422
    assert "change your name at the moment" in answer.content.decode()
    later = now + timedelta(days=1, seconds=1)
    commands.write_message(game_key=game.key, user=User.objects.get(pk=ada.pk), text="Hello", now=later)


def test_reports_stay_when_accounts_go_and_are_deleted_a_year_after_they_are_closed(ada: User, bo: User) -> None:
    now = timezone.now()
    stored = report(ada, bo, now=now)
    open_one = report(bo, ada, now=now)
    commands.close_report(report_id=stored.pk, outcome=ReportOutcome.NOTHING, staff=STAFF, now=now)
    commands.delete_account(user=bo, now=now)
    commands.delete_account(user=ada, now=now)
    kept = Report.objects.get(pk=stored.pk)
    assert (kept.reporter, kept.reported, kept.name) == (None, None, "Bo")
    assert commands.prune_traces(size=10, now=now + REPORT_KEPT_FOR) == 0
    commands.prune_traces(size=10, now=now + REPORT_KEPT_FOR + timedelta(seconds=1))
    assert list(Report.objects.all()) == [open_one]
