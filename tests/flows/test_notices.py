"""The pages about mails: choices, what was sent, one click to end them, a muted game, samples, the mailbox in files."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games import commands
from games.delivery.deliver import send_due
from games.delivery.samples import sample_names
from games.notices import preferences
from games.notices.kinds import Cadence, NoticeKind
from games.notices.models import GameMute, Notice, Presence
from games.notices.outbox import enqueue_test
from games.queries.notices import read_token
from tests.flows.people import Offer, SignIn

pytestmark = pytest.mark.django_db


def cadence(user: User, kind: NoticeKind) -> Cadence:
    return preferences.choices_of(User.objects.get(pk=user.pk)).kinds[kind].cadence


def chosen(**changes: object) -> dict[str, object]:
    """Return what the form sends when nothing but these fields is changed."""
    sent: dict[str, object] = {"clock": "on", "digest_hour": 18}
    for kind in preferences.CHOSEN:
        if kind is not NoticeKind.CLOCK:
            sent |= {f"{kind}_when": preferences.DEFAULTS[kind], f"{kind}_minutes": 5}
    sent |= changes
    return {name: value for name, value in sent.items() if value is not None}


def test_choices_are_kept(ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    client.post("/accounts/notices/", chosen(turn_when="daily", game_minutes=90, digest_hour=7))
    choices = preferences.choices_of(User.objects.get(pk=ada.pk))
    assert choices.digest_hour == 7
    assert choices.kinds[NoticeKind.TURN].cadence == Cadence.DAILY
    assert choices.kinds[NoticeKind.GAME].minutes == 90
    page = client.get("/accounts/notices/").content.decode()
    assert '<option value="daily" selected>' in page


@pytest.mark.parametrize(
    ("field", "value"), [("turn_when", "sometimes"), ("turn_minutes", 0), ("turn_minutes", 721), ("digest_hour", 24)]
)
def test_a_choice_that_there_is_not_changes_nothing(ada: User, as_user: SignIn, field: str, value: object) -> None:
    response = as_user(ada).post("/accounts/notices/", chosen(game_when="never", **{field: value}))
    assert response.status_code == 422
    assert cadence(ada, NoticeKind.GAME) == preferences.DEFAULTS[NoticeKind.GAME]


def test_warnings_of_the_clock_are_switched_off_by_their_own_box(ada: User, as_user: SignIn) -> None:
    as_user(ada).post("/accounts/notices/", chosen(clock=None))
    assert cadence(ada, NoticeKind.CLOCK) == Cadence.NEVER


def test_a_test_mail_comes_and_the_page_of_deliveries_says_so(
    ada: User, bo: User, as_user: SignIn, mailoutbox: list[object]
) -> None:
    client = as_user(ada)
    page = client.post("/accounts/notices/test", follow=True).content.decode()
    assert "Waiting" in page
    send_due(timezone.now())
    assert len(mailoutbox) == 1
    page = client.get("/accounts/notices/sent/").content.decode()
    assert "Test" in page
    assert "Sent" in page
    assert "Nothing yet." in as_user(bo).get("/accounts/notices/sent/").content.decode()


def test_what_was_held_back_is_listed_with_the_reason(ada: User, as_user: SignIn) -> None:
    commands.refuse_address(user=ada, address=ada.email)
    enqueue_test(ada, timezone.now())
    send_due(timezone.now())
    page = as_user(ada).get("/accounts/notices/sent/").content.decode()
    assert "Held back" in page
    assert "Your mail provider is rejecting e-mail to your address." in page


def test_the_pages_about_ones_mails_are_not_for_guests() -> None:
    for name in ("notices", "deliveries"):
        response = Client().get(reverse(name))
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("account_login"))


# One click


@pytest.fixture
def address(ada: User) -> str:
    return reverse("unsubscribe", args=[preferences.unsubscribe_token(ada, [NoticeKind.TURN])])


def test_looking_at_the_page_ends_nothing(ada: User, address: str) -> None:
    page = Client().get(address)
    assert page.status_code == 200
    assert str(NoticeKind.TURN.label) in page.content.decode()
    assert cadence(ada, NoticeKind.TURN) == Cadence.LATER


def test_one_post_without_sign_in_or_csrf_token_ends_these_mails_and_can_be_undone(ada: User, address: str) -> None:
    stranger = Client(enforce_csrf_checks=True)
    page = stranger.post(address, {"List-Unsubscribe": "One-Click"})
    assert page.status_code == 200
    assert str(NoticeKind.TURN.label) in page.content.decode()
    assert cadence(ada, NoticeKind.TURN) == Cadence.NEVER
    assert cadence(ada, NoticeKind.GAME) == Cadence.LATER
    stranger.post(address, {"List-Unsubscribe": "One-Click"})
    assert stranger.post(f"{address}undo").status_code == 200
    assert cadence(ada, NoticeKind.TURN) == Cadence.LATER


@pytest.mark.parametrize("forge", [lambda word: word[:-1] + ("a" if word[-1] != "a" else "b"), lambda _word: "x:y:z"])
def test_a_forged_address_ends_nothing(ada: User, address: str, forge) -> None:
    token = address.split("/")[2]
    assert Client().post(reverse("unsubscribe", args=[forge(token)])).status_code == 404
    assert cadence(ada, NoticeKind.TURN) == Cadence.LATER


def test_the_address_of_a_deleted_person_is_gone(ada: User, address: str) -> None:
    ada.delete()
    assert Client().post(address).status_code == 404


def test_one_click_in_a_mail_of_several_kinds_leaves_the_warnings_of_the_clock(
    ada: User, bo: User, offer: Offer, mailoutbox
) -> None:
    offer(ada, bo)
    now = timezone.now()
    mover = Notice.objects.filter(topic="turn").get().user
    send_due(now + timedelta(days=1))
    send_due(now + timedelta(days=2))
    mails = [mail for mail in mailoutbox if mail.to == [mover.email]]
    assert len(mails) == 2
    first, warning = (mail.extra_headers["List-Unsubscribe"].split("/")[4] for mail in mails)
    assert set(read_token(first)[1]) == {NoticeKind.TURN, NoticeKind.GAME}
    assert set(read_token(warning)[1]) == {NoticeKind.CLOCK}


# Games


def test_a_game_is_muted_and_unmuted_on_its_page(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, bo)
    client = as_user(ada)
    assert "No e-mails about this game" in client.get(f"/games/{game.key}/").content.decode()
    page = client.post(f"/games/{game.key}/mute", follow=True).content.decode()
    assert "You get no e-mails about this game" in page
    assert f'href="/games/{game.key}/"' in client.get("/accounts/notices/").content.decode()
    client.post(f"/games/{game.key}/unmute")
    assert not GameMute.objects.exists()


def test_nobody_mutes_a_game_that_they_are_not_in(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    assert as_user(cleo).post(f"/games/{game.key}/mute").status_code == 404


def test_a_touched_page_keeps_its_reader_present_and_a_guest_leaves_no_trace(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    before = timezone.now()
    as_user(ada).get(f"/games/{game.key}/board", headers={"X-Touched": "1"})
    as_user(None).get(f"/games/{game.key}/board", headers={"X-Touched": "1"})
    presence = Presence.objects.get()
    assert (presence.user, presence.game) == (ada, game)
    assert presence.seen_at >= before


# Samples and the mailbox


def test_each_sample_is_shown_in_a_frame_that_may_do_nothing(staff: User, as_user: SignIn) -> None:
    client = as_user(staff)
    listed = client.get("/staff/mails/").content.decode()
    for name in sample_names():
        assert reverse("sample_mail", args=[name]) in listed
    page = client.get("/staff/mails/turn/")
    assert " sandbox " in page.content.decode()
    assert "unsafe" not in page["Content-Security-Policy"]
    document = client.get("/staff/mails/turn/document")
    assert "style-src 'unsafe-inline'" in document["Content-Security-Policy"]
    assert "script-src" not in document["Content-Security-Policy"]
    assert "default-src 'none'" in document["Content-Security-Policy"]
    assert client.get("/staff/mails/no-such-mail/").status_code == 404


@pytest.mark.parametrize("path", ["/staff/mails/", "/staff/mails/turn/", "/staff/mails/turn/document"])
def test_samples_are_for_the_staff(ada: User, as_user: SignIn, path: str) -> None:
    assert as_user(ada).get(path).status_code == 302


def test_mails_in_files_can_be_read_on_a_development_machine_only(
    ada: User, tmp_path: Path, settings: Settings, client: Client
) -> None:
    backend = "django.core.mail.backends.filebased.EmailBackend"
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": {"file_path": str(tmp_path)}}}
    enqueue_test(ada, timezone.now())
    send_due(timezone.now())
    assert client.get("/dev/mailbox/").status_code == 404
    settings.DEBUG = True
    page = client.get("/dev/mailbox/").content.decode()
    assert "Test e-mail" in page
    (name,) = [file.stem for file in tmp_path.glob("*.log")]
    page = client.get(f"/dev/mailbox/{name}.0/").content.decode()
    assert "your e-mails are getting through" in page
    assert "your e-mails are getting through" in client.get(f"/dev/mailbox/{name}.0/document").content.decode()
    assert client.get("/dev/mailbox/other/").status_code == 404
