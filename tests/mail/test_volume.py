"""How many mails a person gets, and when: presence, an hour between turns, quiet hours, what is still so."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games import commands
from games.delivery.content import WHOLE, compose_mail
from games.delivery.render import html_of, text_of
from games.models import Entry, Game, Proposal, Seat
from games.models.choices import Actor, Reason
from games.notices import schedule
from games.notices.kinds import Cadence, NoticeKind
from games.notices.models import Notice, Presence
from games.notices.preferences import Choices, choices_of
from tests.flows.play import NOW, make_user, start_game
from tests.games.timed import DAILY, ONE_MINUTE, expire, fresh, mover, owner, play_at
from tests.mail.conftest import Begin, Post, results
from tests.mail.test_when import want

pytestmark = pytest.mark.anydb

MINUTE = timedelta(minutes=1)
HOUR = 60
CLIPPED = 102 * 1024
"""Bytes after which a large provider cuts a mail."""


def quiet(user: User, first: int, last: int) -> None:
    chosen = choices_of(user)
    commands.choose_notices(user=user, choices=Choices(chosen.kinds, chosen.digest_hour, first, last))


def name_of(user: User) -> str:
    return user.email.split("@")[0]


@pytest.fixture
def pair(ada: User, bo: User, begin: Begin) -> tuple[Game, User, User]:
    """A game of two with a day for each turn: who is to move, and the other."""
    for person in (ada, bo):
        want(person, NoticeKind.GAME, Cadence.NEVER)
    game = begin(ada, bo, time_control=DAILY)
    first = owner(mover(game))
    return game, first, bo if first == ada else ada


# Presence


def stay(game: Game, user: User, first: float, last: float, post: Post) -> list[tuple[float, list[str]]]:
    """Let a person touch a game every half minute while sweeps run; return when what came."""
    came = []
    steps = int((last - first) * 2)
    for step in range(steps):
        minute = first + step / 2
        Presence.objects.update_or_create(user=user, game=game, defaults={"seen_at": NOW + minute * MINUTE})
        if subjects := post.sweep(minute):
            came.append((minute, subjects))
    return came


def test_a_notice_is_held_back_for_a_reader_at_most_ten_minutes_in_all(
    pair: tuple[Game, User, User], post: Post
) -> None:
    game, first, _other = pair
    ((minute, (subject,)),) = stay(game, first, 0, 40, post)
    assert minute == 5 + 10
    assert subject.startswith(f"{name_of(first)}: Your turn")


def test_a_warning_of_the_clock_waits_for_no_reader(pair: tuple[Game, User, User], post: Post) -> None:
    game, first, _other = pair
    post.sweep(6)
    ((minute, (subject,)),) = stay(game, first, 12 * HOUR - 3, 12 * HOUR + 3, post)
    assert minute == 12 * HOUR
    assert "Half" in subject


def test_only_a_page_that_was_touched_keeps_its_reader_present(ada: User, bo: User, client: Client) -> None:
    game = start_game([ada, bo])
    client.force_login(ada)
    client.get(f"/games/{game.key}/board")
    assert not Presence.objects.exists()
    client.get(f"/games/{game.key}/board", headers={"X-Touched": "1"})
    assert Presence.objects.get().user == ada


def test_without_script_a_page_that_is_asked_for_is_a_touch(ada: User, bo: User, client: Client) -> None:
    game = start_game([ada, bo])
    client.force_login(ada)
    client.get(f"/games/{game.key}/")
    assert Presence.objects.get().user == ada


# An hour between mails about turns


def twenty_games(ada: User, begin: Begin) -> list[Game]:
    """Start twenty games of a day a turn between a person and others, one every seven minutes."""
    others = [make_user(f"Rival{number}") for number in range(5)]
    want(ada, NoticeKind.GAME, Cadence.NEVER)
    return [begin(ada, others[n % 5], time_control=DAILY, minutes=7 * n) for n in range(20)]


def test_mails_about_turns_are_an_hour_apart_whatever_the_number_of_games(ada: User, begin: Begin, post: Post) -> None:
    games = twenty_games(ada, begin)
    rng = Random(3)
    came: list[float] = []
    for minute in range(141, 11 * HOUR, 5):
        for game in games:
            if rng.random() < 0.1 and fresh(game).status == "active" and owner(mover(game)) != ada:
                play_at(game, NOW + minute * MINUTE, rng)
        came += [minute for subject in post.sweep(minute) if subject.startswith("ada: Your turn")]
    assert len(came) > 1
    assert min(later - sooner for sooner, later in pairwise(came)) >= HOUR


def test_a_warning_brings_along_the_turns_that_wait_for_their_hour(
    ada: User, bo: User, cleo: User, begin: Begin, post: Post
) -> None:
    for person in (ada, bo, cleo):
        want(person, NoticeKind.GAME, Cadence.NEVER)
    first = begin(ada, bo, time_control=DAILY)
    to_move = owner(mover(first))
    other = cleo if to_move == ada else ada
    post.sweep(12 * HOUR - 20)
    second = begin(to_move, other if other != to_move else cleo, time_control=DAILY, minutes=12 * HOUR - 18)
    if owner(mover(second)) != to_move:
        play_at(second, NOW + (12 * HOUR - 17) * MINUTE)
    assert post.sweep(12 * HOUR - 5) == []
    assert results(to_move, "turn") == [("sent", ""), ("waiting", "spaced")]
    (subject,) = [said for said in post.sweep(12 * HOUR) if said.startswith(name_of(to_move))]
    assert "Half your time has passed" in subject
    assert subject.endswith(", and 1 more")
    assert results(to_move, "turn")[1] == ("sent", "")


def test_a_digest_mail_about_something_else_brings_no_turn_before_its_hour(
    pair: tuple[Game, User, User], post: Post, begin: Begin, cleo: User
) -> None:
    _game, first, _other = pair
    post.sweep(6)
    second = begin(first, cleo, time_control=DAILY, minutes=10)
    if owner(mover(second)) != first:
        play_at(second, NOW + 11 * MINUTE)
    commands.send_test_notice(user=first, now=NOW + 20 * MINUTE)
    assert f"{name_of(first)}: Test e-mail" in post.sweep(20)
    assert results(first, "turn")[1] == ("waiting", "spaced")


# Quiet hours


def test_in_quiet_hours_nothing_comes_that_can_wait(pair: tuple[Game, User, User], post: Post) -> None:
    game, first, other = pair
    play_at(game, NOW + 9 * HOUR * MINUTE)  # at nine in the evening, UTC
    quiet(other, 21, 8)
    for minute in range(9 * HOUR, 20 * HOUR, 30):
        assert not [said for said in post.sweep(minute) if said.startswith(name_of(other))]
    assert results(other, "turn") == [("waiting", "quiet")]
    assert any(said.startswith(f"{name_of(other)}: ") for said in post.sweep(20 * HOUR))
    assert first != other


def test_a_warning_that_can_wait_for_the_morning_waits(pair: tuple[Game, User, User], post: Post) -> None:
    _game, first, _other = pair
    quiet(first, 23, 8)
    post.sweep(6)
    assert post.sweep(12 * HOUR) == [], "half the time has passed at midnight, and 13 hours are left"
    assert any("Half" in said for said in post.sweep(20 * HOUR))


def test_a_warning_that_could_not_wait_for_the_morning_comes_at_night(
    pair: tuple[Game, User, User], post: Post
) -> None:
    game, first, _other = pair
    quiet(first, 23, 13)
    assert fresh(game).deadline == NOW + 25 * HOUR * MINUTE, "an hour past noon, as the quiet hours end"
    assert any("Half" in said for said in post.sweep(12 * HOUR))
    assert any("almost up" in said for said in post.sweep(25 * HOUR - 4 * HOUR - 48))


ZONES = st.sampled_from(["UTC", "Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])
INSTANTS = st.integers(1_767_225_600, 1_830_297_600).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
HOURS = st.integers(0, 23)


@given(now=INSTANTS, first=HOURS, last=HOURS, name=ZONES)
def test_quiet_hours_end_at_their_hour_and_hold_only_within(now: datetime, first: int, last: int, name: str) -> None:
    zone = ZoneInfo(name)
    until = schedule.quiet_until(now, first, last, zone)
    hours_after = (now.astimezone(zone).hour - first) % 24
    assert (until is not None) == (hours_after < (last - first) % 24)
    if until is not None:
        assert now < until <= now + timedelta(hours=25)
        assert schedule.quiet_until(until, first, last, zone) is None


@given(now=INSTANTS, hour=HOURS)
def test_there_are_no_quiet_hours_unless_both_ends_are_chosen(now: datetime, hour: int) -> None:
    for first, last in ((None, None), (hour, None), (None, hour), (hour, hour)):
        assert schedule.quiet_until(now, first, last, ZoneInfo("UTC")) is None


def test_quiet_hours_are_chosen_on_the_page_of_notices(ada: User, client: Client) -> None:
    client.force_login(ada)
    said: dict[str, Any] = {"digest_hour": 18, "clock": "on", "quiet_from": 22, "quiet_until": 7}
    for kind, choice in choices_of(ada).kinds.items():
        said |= {f"{kind}_when": choice.cadence.value, f"{kind}_minutes": 5}
    assert client.post("/accounts/notices/", said).status_code == 302
    ada.refresh_from_db()
    assert (ada.quiet_from, ada.quiet_until) == (22, 7)
    assert client.post("/accounts/notices/", {**said, "quiet_until": ""}).status_code == 422
    assert client.post("/accounts/notices/", {**said, "quiet_from": "", "quiet_until": ""}).status_code == 302
    ada.refresh_from_db()
    assert ada.quiet_from is None


# Still so


def test_who_has_played_since_is_not_told_that_they_miss_turns(ada: User, bo: User, begin: Begin, post: Post) -> None:
    game = begin(ada, bo, time_control=ONE_MINUTE)
    first = owner(mover(game))
    want(first, NoticeKind.AUTOPILOT, Cadence.DAILY)
    expire(game, NOW + 2 * MINUTE)
    while owner(mover(game)) != first:
        play_at(game, NOW + 2.5 * MINUTE)
    play_at(game, NOW + 3 * MINUTE)
    post.sweep(10 * HOUR)
    assert results(first, "autopilot") == [("held-back", "not-so")]


def test_that_a_game_goes_on_is_not_told_once_it_has_ended(pair: tuple[Game, User, User], post: Post) -> None:
    game, first, other = pair
    want(first, NoticeKind.CONSENT, Cadence.DAILY)
    commands.propose_cancel(game_key=game.key, user=first, now=NOW)
    proposal = Proposal.objects.get()
    commands.answer_proposal(game_key=game.key, user=other, proposal_id=proposal.pk, agree=False, now=NOW + MINUTE)
    commands.resign(game_key=game.key, user=other, seq=fresh(game).seq, now=NOW + 2 * MINUTE)
    post.sweep(10 * HOUR)
    assert results(first, "settled") == [("held-back", "game-over")]


def test_who_has_left_again_is_not_told_to_have_joined(ada: User, bo: User, begin: Begin, post: Post) -> None:
    game = begin(ada, size=3)
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    commands.leave_game(game_key=game.key, user=bo)
    assert post.sweep(10 * HOUR) == []
    assert results(ada, "joined") == [("held-back", "not-so")]


def test_a_holiday_that_is_over_is_not_told_to_begin(ada: User, post: Post) -> None:
    commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    days = 24 * HOUR
    assert post.sweep(10 * days) == [f"{name_of(ada)}: Your holiday is over"]
    assert results(ada, "holiday-begins") == [("held-back", "too-late")]


def test_clocks_are_not_told_to_run_again_while_the_next_holiday_has_begun(ada: User, post: Post) -> None:
    commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    commands.add_holiday(user=ada, first=date(2026, 12, 3), last=date(2026, 12, 4), now=NOW)
    days = 24 * HOUR
    came = [said for minute in range(3 * days, 12 * days, 6 * HOUR) for said in post.sweep(minute)]
    assert came == ["ada: Your holiday begins", "ada: Your holiday begins", "ada: Your holiday is over"]


# What a mail is called, and how long it is


def test_the_subject_names_the_gravest_thing_whatever_else_is_inside(
    ada: User, bo: User, cleo: User, begin: Begin, post: Post
) -> None:
    out = begin(ada, bo, cleo)
    seat = Seat.objects.get(game=out, user=ada)
    assert seat.number is not None
    others = [begin(ada, bo, time_control=DAILY) for _number in range(3)]
    commands.retire_seat(game_key=out.key, seat=seat.number, reason=Reason.REMOVED, by=Actor.STAFF, now=NOW)
    (subject,) = [said for said in post.sweep(0) if said.startswith("ada")]
    assert subject.startswith("ada: You are out of the game with ")
    assert subject.endswith(f", and {len(others)} more")


def test_the_mail_of_a_game_over_is_called_after_who_won(ada: User, bo: User, begin: Begin, post: Post) -> None:
    game = begin(ada, bo)
    loser = owner(mover(game))
    winner = bo if loser == ada else ada
    commands.resign(game_key=game.key, user=loser, seq=0, now=NOW)
    came = [said for said in post.sweep(5) if "game with" in said]
    assert f"{name_of(winner)}: You won the game with {loser.display_name}" in came
    said = f"{name_of(loser)}: {winner.display_name} won: the game with {winner.display_name} is over"
    assert said in came


def test_a_start_with_the_readers_turn_is_one_heading_and_says_the_score(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo)
    first = owner(mover(game))
    other = bo if first == ada else ada
    came = post.sweep(5)
    assert f"{name_of(first)}: Your turn: the game with {other.display_name} has started" in came
    assert f"{name_of(other)}: The game with {first.display_name} has started" in came
    text = post.mails_to(first)[0].get_body(("plain",)).get_content()
    assert "The game has started, and it is your turn." in text
    assert text.count("It is your turn.") == text.count("The game has started.") == 0
    assert "Score: " in text
    assert "Ada 0" in text


@pytest.mark.parametrize("count", [1, 11, 55, 120])
def test_a_mail_about_any_number_of_games_is_not_cut(ada: User, count: int) -> None:
    User.objects.filter(pk=ada.pk).update(language="de")
    ada.refresh_from_db()
    long = [make_user(f"Person{letter}") for letter in "abcde"]
    for person in long:
        User.objects.filter(pk=person.pk).update(display_name=f"Maximilian-Alexander Q{person.display_name[-1]}")
        person.refresh_from_db()
    game = start_game([ada, *long])
    for _turn in range(18):
        play_at(game, NOW)
    games = [game]
    for number in range(count - 1):
        copy = Game.objects.defer(None).get(pk=game.pk)
        seats = list(game.seats.order_by("number"))
        entries = list(game.entries.order_by("seq"))
        copy.pk, copy.key = None, f"copy{number:08d}"
        copy.save(force_insert=True)
        for seat in seats:
            seat.pk, seat.game = None, copy
        for entry in entries:
            entry.pk, entry.game = None, copy
        Seat.objects.bulk_create(seats)
        Entry.objects.bulk_create(entries)
        games.append(copy)
    notice = Notice.objects.filter(user=ada, topic="turn").latest("pk")
    notices = [Notice(**{**vars_of(notice), "game": one, "pk": notice.pk + number}) for number, one in enumerate(games)]
    mail = compose_mail(ada, notices, message_id="<one@localhost>", now=NOW)
    html = html_of(mail)
    assert len(html.encode()) < CLIPPED
    assert mail.unsubscribe in html
    assert len(mail.news.sections) == min(count, WHOLE)
    assert len(mail.news.sections) + len(mail.news.lines) + mail.news.more == count
    assert all(line in text_of(mail) for line in mail.news.lines)


def vars_of(notice: Notice) -> dict[str, Any]:
    return {"user": notice.user, "kind": notice.kind, "topic": notice.topic, "ref": notice.ref, "params": notice.params,
            "at": notice.at, "due_at": notice.due_at}  # fmt: skip
