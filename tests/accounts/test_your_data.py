"""The page about the archive of one's own data: asked for, made by a worker, downloaded by nobody else, deleted."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import archives, guests
from accounts.models import AccountMail, Archive, User
from games import commands, tasks
from games.models import Game
from games.queries.due import alarm
from tests.flows.play import make_user, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
type Letters = Callable[[], list[EmailMessage]]
PAGE, MAKE, DOWNLOAD = "your_data", "make_archive", "download_archive"


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def ask(client: Client) -> int:
    return client.post(reverse(MAKE)).status_code


def age(by: timedelta) -> None:
    """Let all archives be older."""
    for archive in Archive.objects.all():
        archive.asked_at -= by
        archive.due_at -= by
        archive.made_at = archive.made_at and archive.made_at - by
        archive.save(update_fields=["asked_at", "due_at", "made_at"])


def made(user: User) -> Client:
    client = browser(user)
    assert ask(client) == 302
    tasks.make_archives()
    return client


def test_an_archive_is_asked_for_made_and_downloaded(ada: User) -> None:
    client = browser(ada)
    assert "Make an archive" in client.get(reverse(PAGE)).content.decode()
    assert ask(client) == 302
    page = client.get(reverse(PAGE)).content.decode()
    assert "is being made" in page
    assert "Make an archive" not in page
    tasks.make_archives()
    page = client.get(reverse(PAGE)).content.decode()
    assert "is ready" in page
    assert reverse(DOWNLOAD) in page
    answer = client.get(reverse(DOWNLOAD))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert "no-store" in answer["Cache-Control"]
    with ZipFile(BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert "account.json" in archive.namelist()


def test_the_page_follows_by_a_fragment_until_the_archive_is_ready(ada: User) -> None:
    client = browser(ada)
    ask(client)
    waiting = client.get(reverse(PAGE), headers={"HX-Request": "true"}).content.decode()
    assert waiting.strip().startswith('<div id="archive"')
    assert 'id="live"' in waiting
    tasks.make_archives()
    assert 'id="live"' not in client.get(reverse(PAGE), headers={"HX-Request": "true"}).content.decode()


def test_asking_twice_is_asking_once(ada: User) -> None:
    client = made(ada)
    before = Archive.objects.get()
    assert ask(client) == 302, "the same press, sent twice"
    assert Archive.objects.get().made_at == before.made_at
    assert Archive.objects.count() == 1


def test_a_second_one_on_the_same_day_is_refused_in_words(ada: User) -> None:
    client = made(ada)
    age(timedelta(hours=2))
    answer = client.post(reverse(MAKE))
    assert answer.status_code == 429
    assert 21 * 3600 < int(answer["Retry-After"]) <= 22 * 3600
    page = answer.content.decode()
    assert "one archive a day" in page
    assert "is ready" in page
    assert "<button" not in page[page.index('id="archive"') : page.index("<footer")]
    assert Archive.objects.get().made_at is not None


def test_a_day_later_a_new_one_takes_the_place_of_the_last(ada: User) -> None:
    client = made(ada)
    age(timedelta(days=1))
    assert ask(client) == 302
    assert client.get(reverse(DOWNLOAD)).status_code == 404
    tasks.make_archives()
    assert client.get(reverse(DOWNLOAD)).status_code == 200
    assert Archive.objects.count() == 1


def test_nobody_else_gets_it(ada: User, bo: User) -> None:
    made(ada)
    answer = browser(bo).get(reverse(DOWNLOAD))
    assert answer.status_code == 404
    assert "no archive to download" in answer.content.decode()
    assert Client().get(reverse(DOWNLOAD)).status_code == 302


def test_after_a_week_it_is_gone_and_the_page_says_so(ada: User) -> None:
    client = made(ada)
    age(archives.KEPT_FOR - timedelta(minutes=1))
    assert client.get(reverse(DOWNLOAD)).status_code == 200
    assert commands.prune_traces(size=10, now=timezone.now()) == 0
    age(timedelta(minutes=2))
    answer = client.get(reverse(DOWNLOAD))
    assert answer.status_code == 404
    assert "kept for 7 days" in answer.content.decode()
    assert commands.prune_traces(size=10, now=timezone.now()) == 1
    assert not Archive.objects.exists()


def test_a_mail_says_that_it_is_ready_and_leads_to_the_page_alone(ada: User, letters: Letters) -> None:
    ada.set_language("de")
    made(ada)
    (mail,) = letters()
    assert mail.to == [ada.email]
    assert reverse(PAGE) in str(mail.body)
    assert reverse(DOWNLOAD) not in str(mail.message())


def test_a_guest_gets_one_without_a_mail(db: None, letters: Letters) -> None:
    guest = guests.make_guest(language="en", now=timezone.now())
    client = browser(guest)
    ask(client)
    assert "e-mail tells you" not in client.get(reverse(PAGE)).content.decode()
    tasks.make_archives()
    assert client.get(reverse(DOWNLOAD)).status_code == 200
    assert letters() == []


def test_one_that_a_worker_left_behind_is_made_by_the_next(ada: User) -> None:
    ask(browser(ada))
    now = timezone.now()
    assert archives.claim(now) is not None
    tasks.make_archives()
    assert Archive.objects.get().made_at is None, "somebody may still be at it"
    Archive.objects.update(due_at=now)
    tasks.make_archives()
    assert Archive.objects.get().made_at is not None


def test_one_that_fails_delays_no_other_and_is_tried_again(ada: User, bo: User, cleo: User) -> None:
    game = start_game([ada, cleo])
    Game.objects.filter(pk=game.pk).update(ruleset="unknown-1")
    for user in (ada, bo):
        ask(browser(user))
    tasks.make_archives()
    assert Archive.objects.get(user=bo).made_at is not None
    waiting = Archive.objects.get(user=ada)
    assert (waiting.made_at, waiting.attempts) == (None, 1)
    Game.objects.filter(pk=game.pk).update(ruleset=game.ruleset)
    Archive.objects.filter(user=ada).update(due_at=timezone.now())
    tasks.make_archives()
    assert Archive.objects.get(user=ada).made_at is not None


def test_one_that_can_not_be_made_for_a_day_is_given_up(ada: User) -> None:
    client = browser(ada)
    ask(client)
    archive = archives.claim(timezone.now())
    assert archive is not None
    archives.postpone(archive, now=timezone.now())
    assert Archive.objects.get().due_at > timezone.now() + timedelta(minutes=1)
    age(timedelta(days=1))
    tasks.make_archives()
    page = client.get(reverse(PAGE)).content.decode()
    assert "could not be made" in page
    assert "Make an archive" in page
    assert client.get(reverse(DOWNLOAD)).status_code == 404
    assert ask(client) == 302
    tasks.make_archives()
    assert client.get(reverse(DOWNLOAD)).status_code == 200


def test_what_was_made_of_an_older_request_is_not_kept(ada: User) -> None:
    ask(browser(ada))
    archive = archives.claim(timezone.now())
    assert archive is not None
    age(timedelta(days=2))
    archives.ask(ada, now=timezone.now())
    assert not archives.keep(archive, b"older", now=timezone.now())
    assert Archive.objects.get().made_at is None


def test_it_goes_with_the_account(ada: User) -> None:
    made(ada)
    commands.delete_account(user=ada, now=timezone.now())
    assert not Archive.objects.exists()


def test_the_staff_sees_that_there_is_one_and_not_what_is_in_it(ada: User) -> None:
    made(ada)
    staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")
    client = browser(staff)
    page = client.get(reverse("admin:accounts_archive_change", args=[Archive.objects.get().pk])).content.decode()
    assert "Ada" in page
    assert 'class="form-row field-size"' in page
    assert "field-data" not in page


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_make_each_archive_once() -> None:
    people = [make_user(f"Person{number}") for number in range(4)]
    start_game(people)
    for user in people:
        archives.ask(user, now=timezone.now())

    def work(_number: int) -> None:
        tasks.make_archives()
        connection.close()

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(work, range(2)))
    assert {(row.attempts, row.made_at is not None) for row in Archive.objects.all()} == {(1, True)}
    assert AccountMail.objects.count() == len(people)


def test_an_archive_that_is_not_made_raises_the_alarm(ada: User, capsys: pytest.CaptureFixture[str]) -> None:
    archives.ask(ada, now=timezone.now())
    for waited, late in ((29, 0), (31, 1), (24 * 60 + 1, 1), (48 * 60 + 1, 0)):
        Archive.objects.update(asked_at=timezone.now() - timedelta(minutes=waited))
        assert alarm(timezone.now()).archives == late
        with suppress(SystemExit):
            call_command("check_overdue")
        assert ("archives late: 1 people wait" in capsys.readouterr().out) == bool(late)
