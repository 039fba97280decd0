"""What people see and do about time: time controls, deadlines, proposals, holidays, deleted accounts, the alarm."""

import re
from datetime import timedelta
from html import unescape
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from games import commands
from games.clock import PRESETS, OnTimeout, custom
from games.models import Game, Holiday
from games.models.choices import Status
from games.queries import due
from games.timing.deadlines import time_control_of
from games.words.time import describe_time_control
from tests.flows.people import Offer, SignIn
from tests.games.timed import fresh, mover, owner

PLAIN = {"size": "2", "visibility": "public"}
CUSTOM = {
    "time-preset": "custom",
    "time-allowance_amount": "90",
    "time-allowance_unit": "60",
    "time-reserve_amount": "2",
    "time-reserve_unit": "3600",
    "time-increment_amount": "5",
    "time-increment_unit": "60",
    "time-cap_amount": "4",
    "time-cap_unit": "3600",
    "time-weekends": "on",
    "time-on_timeout": "strict",
}
OWN_TERMS = custom(
    90 * 60,
    reserve_start=7_200,
    reserve_increment=300,
    reserve_cap=14_400,
    weekends=True,
    holidays=False,
    on_timeout=OnTimeout.STRICT,
)


def text(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


def create(client: Client, **fields: str) -> Game:
    response = client.post("/games/new/", {**PLAIN, **fields})
    assert response.status_code == 302, response.content.decode()
    return Game.objects.latest("pk")


# Terms


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_makes_its_time_control(ada: User, as_user: SignIn, preset: str) -> None:
    assert time_control_of(create(as_user(ada), **{"time-preset": preset})) == PRESETS[preset]


def test_a_custom_time_control_is_kept_as_it_was_typed(ada: User, as_user: SignIn) -> None:
    assert time_control_of(create(as_user(ada), **CUSTOM)) == OWN_TERMS


def test_what_is_typed_for_a_custom_time_control_does_not_disturb_a_preset(ada: User, as_user: SignIn) -> None:
    game = create(as_user(ada), **{**CUSTOM, "time-preset": "daily", "time-allowance_amount": "-3"})
    assert time_control_of(game) == PRESETS["daily"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("time-allowance_amount", "0", "The time per turn must be from 1 minute to 14 days."),
        ("time-increment_amount", "900", "The reserve added per turn must be from"),
        ("time-cap_amount", "9999", "The maximum reserve must be from"),
        ("time-preset", "blitz", "Select a valid choice"),
    ],
)
def test_a_time_control_out_of_range_is_refused_in_words(
    ada: User, as_user: SignIn, field: str, value: str, words: str
) -> None:
    response = as_user(ada).post("/games/new/", {**PLAIN, **CUSTOM, field: value})
    assert response.status_code == 422
    assert words in unescape(response.content.decode())
    assert not Game.objects.exists()


def test_the_same_sentence_stands_in_lobby_invitation_game_page_and_api(ada: User, bo: User, as_user: SignIn) -> None:
    game = create(as_user(ada), **CUSTOM)
    sentence = describe_time_control(OWN_TERMS)
    guest = as_user(None)
    assert sentence in text(guest, "/lobby/")
    assert sentence in text(guest, f"/games/{game.key}/invitation/")
    commands.join_game(game_key=game.key, user=bo, now=timezone.now())
    assert sentence in text(guest, f"/games/{game.key}/")
    assert guest.get(f"/api/v1/games/{game.key}/").json()["time"]["sentence"] == sentence


def test_the_creator_alone_can_keep_an_open_game_open(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, size=3)
    Game.objects.update(expires_at=timezone.now() + timedelta(hours=1))
    assert as_user(bo).post(f"/games/{game.key}/keep-open").status_code == 403
    assert as_user(ada).post(f"/games/{game.key}/keep-open").status_code == 302
    until = fresh(game).expires_at
    assert until is not None
    assert until > timezone.now() + timedelta(days=13)


# Deadlines


def test_the_deadline_is_written_with_its_weekday_in_the_readers_zone(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    moment = timezone.now().replace(year=2030, month=1, day=4, hour=23, minute=30, second=0, microsecond=0)
    seat = mover(game)
    seat.since = moment - timedelta(seconds=seat.allowance + seat.reserve)
    seat.save()
    assert "Friday 4 January 2030, 23:30 UTC" in text(as_user(None), f"/games/{game.key}/")
    User.objects.filter(pk=ada.pk).update(time_zone="Asia/Tokyo")
    assert "Saturday 5 January 2030, 08:30 JST" in text(as_user(ada), f"/games/{game.key}/")
    page = as_user(None).get(f"/games/{game.key}/").content.decode()
    assert '<time datetime="2030-01-04T23:30:00+00:00" data-now="' in page


def test_each_seat_shows_its_time_left(ada: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, bots=["nova:1"])
    page = text(as_user(None), f"/games/{game.key}/")
    assert "Pebble has no clock" in page
    assert "6 days for the next turn" in page or "5 days 23 hours left" in page or "6 days left" in page


def test_my_games_lists_the_most_urgent_first(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    slow, urgent = offer(ada, bo), offer(ada, bo)
    for game, days in ((slow, 5), (urgent, 1)):
        seat = mover(game)
        game.seats.update(since=None)
        number = game.seats.get(user=ada).number
        Game.objects.filter(pk=game.pk).update(to_move=number, deadline=timezone.now() + timedelta(days=days))
        game.seats.filter(user=ada).update(since=seat.since)
    page = as_user(ada).get("/my-games/").content.decode()
    assert page.index(urgent.key) < page.index(slow.key)


# Proposals


def test_a_game_is_cancelled_over_the_pages_when_both_agree(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, bo)
    assert as_user(ada).post(f"/games/{game.key}/propose-cancel").status_code == 302
    page = text(as_user(bo), f"/games/{game.key}/terms/")
    assert "Ada agrees" in page
    assert "Bo has not answered" in page
    assert "is waiting for your answer" in text(as_user(bo), f"/games/{game.key}/")
    assert "is waiting for your answer" not in text(as_user(ada), f"/games/{game.key}/")
    assert "is waiting for your answer" not in text(as_user(None), f"/games/{game.key}/")
    proposal = game.proposals.get()
    response = as_user(bo).post(f"/games/{game.key}/agree", {"proposal": proposal.pk})
    assert response.status_code == 302
    assert fresh(game).status == Status.CANCELLED
    page = text(as_user(None), f"/games/{game.key}/")
    assert "Ada proposes to cancel the game." in page
    assert "The game was cancelled." in page


def test_the_time_control_is_changed_over_the_pages_and_the_log_says_so(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    assert as_user(ada).post(f"/games/{game.key}/propose-terms", CUSTOM).status_code == 302
    proposal = game.proposals.get()
    as_user(bo).post(f"/games/{game.key}/agree", {"proposal": proposal.pk})
    assert time_control_of(fresh(game)) == OWN_TERMS
    assert f"Everyone has agreed to a different time control: {describe_time_control(OWN_TERMS)}" in text(
        as_user(None), f"/games/{game.key}/"
    )


@pytest.mark.parametrize("number", ["", "x", "0", "99999999"])
def test_an_answer_to_no_proposal_changes_nothing(
    ada: User, bo: User, offer: Offer, as_user: SignIn, number: str
) -> None:
    game = offer(ada, bo)
    assert as_user(ada).post(f"/games/{game.key}/agree", {"proposal": number}).status_code == 409
    assert fresh(game).status == Status.ACTIVE


@pytest.mark.parametrize("verb", ["propose-cancel", "propose-terms", "agree", "refuse"])
def test_guests_are_asked_to_sign_in_and_strangers_refused(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn, verb: str
) -> None:
    game = offer(ada, bo)
    guest = as_user(None).post(f"/games/{game.key}/{verb}", CUSTOM)
    assert guest.status_code == 302
    assert "/accounts/login/" in guest["Location"]
    assert as_user(cleo).post(f"/games/{game.key}/{verb}", CUSTOM).status_code == 403
    assert as_user(ada).get(f"/games/{game.key}/{verb}").status_code == 405
    assert as_user(ada).post(f"/games/nosuchgame22/{verb}", CUSTOM).status_code == 404


def test_strangers_see_the_time_control_and_no_button(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    page = as_user(cleo).get(f"/games/{game.key}/terms/").content.decode()
    assert f"/games/{game.key}/propose-cancel" not in page
    assert f"/games/{game.key}/propose-cancel" in as_user(ada).get(f"/games/{game.key}/terms/").content.decode()


# Holidays


def test_a_holiday_is_set_and_taken_back_over_the_pages(ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    first = timezone.now().date() + timedelta(days=3)
    data = {"first": first.isoformat(), "last": (first + timedelta(days=4)).isoformat()}
    assert client.post("/accounts/holidays/", data).status_code == 302
    holiday = Holiday.objects.get()
    assert (holiday.user, holiday.first) == (ada, first)
    assert "days left in" in text(client, "/accounts/holidays/")
    assert client.post(f"/accounts/holidays/{holiday.pk}/drop").status_code == 302
    assert not Holiday.objects.exists()


def test_a_holiday_that_can_not_be_is_refused_in_words(ada: User, as_user: SignIn) -> None:
    today = timezone.now().date().isoformat()
    response = as_user(ada).post("/accounts/holidays/", {"first": today, "last": today})
    assert response.status_code == 422
    assert "Holidays must be set in advance" in response.content.decode()
    assert not Holiday.objects.exists()


def test_what_of_a_holiday_can_not_be_changed_any_more_is_said(ada: User, as_user: SignIn) -> None:
    now = timezone.now()
    day = (now + timedelta(days=3)).date()
    begun = commands.add_holiday(user=ada, first=day, last=day + timedelta(days=2), now=now)
    page = text(as_user(ada), "/accounts/holidays/")
    assert "A day begins at midnight in your time zone (UTC)." in page
    assert "taken up to and including" not in page
    Holiday.objects.filter(pk=begun.pk).update(first=now.date() - timedelta(days=3), zone="Pacific/Kiritimati")
    page = text(as_user(ada), "/accounts/holidays/")
    assert "counted in Pacific/Kiritimati" in page
    assert "taken up to and including" in page
    assert "Cancel the remaining days" in page
    today = now.astimezone(ZoneInfo("Pacific/Kiritimati")).date()
    Holiday.objects.filter(pk=begun.pk).update(last=today)
    page = text(as_user(ada), "/accounts/holidays/")
    assert "taken: nothing can be changed any more" in page
    assert f"/accounts/holidays/{begun.pk}/drop" not in as_user(ada).get("/accounts/holidays/").content.decode()


@pytest.mark.parametrize("place", ["/accounts/profile/", "/admin/accounts/user/{}/change/"])
def test_holidays_to_come_follow_the_time_zone_wherever_it_is_set(
    ada: User,
    staff: User,
    as_user: SignIn,
    place: str,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    day = (timezone.now() + timedelta(days=9)).date()
    holiday = commands.add_holiday(user=ada, first=day, last=day, now=timezone.now())
    page = place.format(ada.pk)
    client = as_user(staff if "admin" in page else ada)
    fields = {"email": ada.email, "display_name": "Ada", "language": "en", "digest_hour": 18, "is_active": "on"}
    fields["why"] = "she has moved"
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(page, {**fields, "time_zone": "Asia/Tokyo"}).status_code == 302
    holiday.refresh_from_db()
    assert holiday.zone == "Asia/Tokyo"
    assert ada.notices.earliest("at").at == holiday.span.begins


def test_nobody_takes_back_someone_elses_holiday(ada: User, bo: User, as_user: SignIn) -> None:
    day = timezone.now().date() + timedelta(days=3)
    holiday = commands.add_holiday(user=ada, first=day, last=day, now=timezone.now())
    as_user(bo).post(f"/accounts/holidays/{holiday.pk}/drop")
    assert Holiday.objects.get() == holiday


# The end of an account


def test_an_account_is_deleted_with_the_right_password_only(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, bo)
    client = as_user(ada)
    assert "You leave 1 running game for good" in text(client, "/accounts/delete/")
    assert client.post("/accounts/delete/", {"proof": "moonlight"}).status_code == 422
    assert User.objects.filter(pk=ada.pk).exists()
    assert client.post("/accounts/delete/", {"proof": "starlight"}).status_code == 302
    assert not User.objects.filter(pk=ada.pk).exists()
    assert client.get("/my-games/").status_code == 302
    page = text(as_user(bo), f"/games/{game.key}/")
    assert "Ada" not in page
    assert "Bo wins" in page


def test_the_staff_deletes_accounts_by_a_command_not_in_the_admin(
    ada: User, bo: User, staff: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    assert as_user(staff).post(f"/admin/accounts/user/{ada.pk}/delete/", {"post": "yes"}).status_code == 403
    call_command("delete_account", "Ada@example.org", stdout=StringIO())
    assert fresh(game).status == Status.FINISHED
    with pytest.raises(CommandError):
        call_command("delete_account", "ada@example.org")


# The staff


def test_the_admin_shows_what_is_wrong(ada: User, bo: User, staff: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, bo)
    client = as_user(staff)
    for name in due.HEARTBEATS:
        commands.beat(name=name, now=timezone.now())
    assert "Nothing is overdue" in text(client, "/admin/games/heartbeat/")
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - timedelta(hours=1))
    assert f"The turn of game {game.key} should have ended" in text(client, "/admin/games/heartbeat/")


def test_the_staff_stops_and_starts_clocks_in_the_admin(
    ada: User, bo: User, staff: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo)
    client = as_user(staff)
    why = {"why": "looking into a report", "public_why": "Something is looked into."}
    client.post(f"/admin/games/game/{game.pk}/act/stop-clock/", why)
    assert fresh(game).deadline is None
    assert "The clock was stopped by the staff." in text(as_user(owner(mover(game))), f"/games/{game.key}/")
    client.post(f"/admin/games/game/{game.pk}/act/start-clock/", why)
    assert fresh(game).deadline is not None
