"""When a mail comes: delay, digest, presence, what is no longer needed, what was never wanted, several games in one."""

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games import commands
from games.clock import PRESETS
from games.commands.rebuild_game import rebuild_game
from games.models import Game
from games.notices import preferences, schedule
from games.notices.kinds import Cadence, NoticeKind
from games.notices.models import Notice
from games.notices.preferences import Choice, Choices
from tests.flows.play import NOW
from tests.games.timed import DAILY, fresh, mover, owner, play_at, sweeps_live
from tests.mail.conftest import Begin, Post, results

MINUTE = timedelta(minutes=1)
pytestmark = pytest.mark.anydb

HOUR = 60
DAY = 24 * HOUR


def want(user: User, kind: NoticeKind, cadence: Cadence, minutes: int = 5, hour: int = 18) -> None:
    kinds = {**preferences.choices_of(user).kinds, kind: Choice(cadence, minutes)}
    commands.choose_notices(user=user, choices=Choices(kinds, hour))


@pytest.fixture
def pair(ada: User, bo: User, begin: Begin, post: Post):
    """A game of two in which the news of its start have gone: who is to move, and who is not."""
    game = begin(ada, bo)
    first = owner(mover(game))
    want(first, NoticeKind.GAME, Cadence.NEVER)
    other = bo if first == ada else ada
    want(other, NoticeKind.GAME, Cadence.NEVER)
    return game, first, other


def test_who_is_to_move_gets_one_mail_after_five_minutes_and_not_before(pair, post: Post) -> None:
    _game, first, other = pair
    assert post.sweep(0) == []
    assert post.sweep(4.9) == []
    assert post.sweep(5) == [f"{first.email.split('@')[0]}: Your turn: game with {other.display_name}"]
    assert [post.sweep(minute) for minute in (5, 6, 600)] == [[], [], []]


def test_who_has_moved_meanwhile_gets_no_mail_that_it_is_their_turn(pair, post: Post) -> None:
    game, first, _other = pair
    post.sweep(1)
    play_at(game, NOW + 3 * MINUTE)
    post.sweep(6)
    assert post.mails_to(first) == []
    assert results(first, "turn") == [("held-back", "turn-over")]


def test_a_reader_with_the_game_open_gets_the_mail_two_minutes_after_they_left(pair, post: Post) -> None:
    game, first, _other = pair
    commands.note_presence(reader=first, game_id=game.pk, now=NOW + 4 * MINUTE)
    assert post.sweep(5) == []
    assert results(first, "turn") == [("waiting", "page-open")]
    assert len(post.sweep(6)) == 1


def test_another_game_that_is_open_holds_nothing_back(pair, post: Post, begin: Begin, cleo: User) -> None:
    _game, first, _other = pair
    commands.note_presence(reader=first, game_id=begin(first, cleo).pk, now=NOW + 4 * MINUTE)
    assert any("Your turn" in subject for subject in post.sweep(5))


def test_a_preference_changed_while_a_notice_waits_holds_for_it(pair, post: Post) -> None:
    _game, first, _other = pair
    want(first, NoticeKind.TURN, Cadence.DAILY)
    post.sweep(1)
    want(first, NoticeKind.TURN, Cadence.ONCE)
    assert len(post.sweep(2)) == 1


def test_who_wants_no_mails_of_a_kind_gets_none_and_can_read_why(pair, post: Post) -> None:
    _game, first, _other = pair
    want(first, NoticeKind.TURN, Cadence.NEVER)
    assert post.sweep(10) == []
    assert results(first, "turn") == [("held-back", "not-wanted")]


def test_a_muted_game_is_silent_but_for_the_warnings_of_its_clock(ada: User, begin: Begin, post: Post) -> None:
    game = begin(ada, size=2, bots=["nova:1"], time_control=PRESETS["daily"])
    while owner_is_not(game, ada):
        commands.play_bot_turn(game_id=game.pk, seq=fresh(game).seq, rng=Random(1), now=NOW)
    commands.mute_game(game_key=game.key, user=ada)
    assert post.sweep(10) == []
    assert results(ada, "turn") == [("held-back", "muted")]
    assert post.sweep(12 * HOUR) == ["ada: Half your time has passed: game with Pebble"]


def owner_is_not(game, user: User) -> bool:
    return mover(game).user_id != user.pk


def test_several_waiting_games_make_one_mail_with_the_most_urgent_first(
    ada: User, bo: User, cleo: User, begin: Begin, post: Post
) -> None:
    for person in (ada, bo, cleo):
        want(person, NoticeKind.GAME, Cadence.NEVER)
    slow, quick = begin(ada, bo), begin(ada, cleo, time_control=PRESETS["daily"], minutes=2)
    for game in (slow, quick):
        if owner_is_not(game, ada):
            play_at(game, NOW + 2 * MINUTE)
    post.sweep(3)
    post.sweep(8)
    (mail,) = post.mails_to(ada)
    assert mail["Subject"] == "Your turn: game with Cleo, and 1 more"
    text = mail.get_body(("plain",)).get_content()
    assert text.index("Game with Cleo") < text.index("Game with Bo")
    assert mail["References"] is None


def test_the_clock_warns_once_at_half_and_once_near_the_end(pair_daily, post: Post) -> None:
    _game, first, other = pair_daily
    post.sweep(6)
    assert post.sweep(12 * HOUR - 1) == []
    assert post.sweep(12 * HOUR) == [f"{first.email.split('@')[0]}: Half your time has passed: game with {other}"]
    # A day and an hour of reserve: a fifth of the allowance is left 4 h 48 min before the end.
    end = 25 * HOUR - 4 * HOUR - 48
    assert post.sweep(end - 1) == []
    assert post.sweep(end) == [f"{first.email.split('@')[0]}: Your time is almost up: game with {other}"]
    assert post.sweep(end + 30) == []


@pytest.fixture
def pair_daily(ada: User, bo: User, begin: Begin):
    for person in (ada, bo):
        want(person, NoticeKind.GAME, Cadence.NEVER)
    game = begin(ada, bo, time_control=DAILY)
    first = owner(mover(game))
    return game, first, "Bo" if first == ada else "Ada"


def test_a_warning_of_a_deadline_that_moved_is_not_sent_and_the_new_one_is(pair_daily, post: Post) -> None:
    game, first, _other = pair_daily
    post.sweep(6)
    commands.pause_game(game_key=game.key, now=NOW + HOUR * MINUTE)
    commands.resume_game(game_key=game.key, now=NOW + 3 * HOUR * MINUTE)
    post.sweep(3 * HOUR + 10)
    assert not any("Half" in subject for subject in post.sweep(12 * HOUR))
    post.disconnect()
    assert post.sweep(14 * HOUR) == []
    post.connect()
    commands.pause_game(game_key=game.key, now=NOW + (14 * HOUR + 1) * MINUTE)
    commands.resume_game(game_key=game.key, now=NOW + (14 * HOUR + 9) * MINUTE)
    assert not any("Half" in subject for subject in post.sweep(14 * HOUR + 10))
    assert results(first, "half") == [("held-back", "other-deadline")]


def test_a_warning_of_a_deadline_that_moved_before_it_came_comes_later(pair_daily, post: Post) -> None:
    game, first, _other = pair_daily
    post.sweep(6)
    commands.pause_game(game_key=game.key, now=NOW + HOUR * MINUTE)
    assert not any("Half" in subject for subject in post.sweep(12 * HOUR))
    commands.resume_game(game_key=game.key, now=NOW + 13 * HOUR * MINUTE)
    post.sweep(13 * HOUR + 10)
    assert not any("Half" in subject for subject in post.sweep(24 * HOUR - 1))
    assert any("Half" in subject for subject in post.sweep(24 * HOUR))
    assert results(first, "half") == [("sent", "")]


def test_a_warning_is_no_row_of_the_outbox_until_it_comes(pair_daily, post: Post) -> None:
    game, first, _other = pair_daily
    assert not Notice.objects.filter(kind=NoticeKind.CLOCK).exists()
    version = fresh(game).version
    post.sweep(12 * HOUR)
    assert list(Notice.objects.filter(kind=NoticeKind.CLOCK).values_list("user", "topic")) == [(first.pk, "half")]
    assert fresh(game).version == version, "a warning changes nothing that a page shows"
    play_at(game, NOW + 13 * HOUR * MINUTE)
    assert fresh(game).warning_at == NOW + 25 * HOUR * MINUTE


def test_warnings_that_came_while_no_sweep_ran_make_one_mail(pair_daily, post: Post) -> None:
    _game, first, other = pair_daily
    name = first.email.split("@")[0]
    assert post.sweep(22 * HOUR) == [f"{name}: Your time is almost up: game with {other}"]
    assert results(first, "half") == results(first, "last") == [("sent", "")]


def test_a_warning_given_twice_over_is_given_once(pair_daily, post: Post) -> None:
    game, first, _other = pair_daily
    post.sweep(12 * HOUR)
    Game.objects.filter(pk=game.pk).update(warning_at=NOW + 12 * HOUR * MINUTE)
    assert post.sweep(12 * HOUR + 1) == []
    assert results(first, "half") == [("sent", "")]


def test_a_game_that_waits_for_nobody_has_no_warning_to_come(pair_daily) -> None:
    game, first, _other = pair_daily
    assert fresh(game).warning_at is not None
    commands.resign(game_key=game.key, user=first, seq=0, now=NOW)
    assert fresh(game).warning_at is None


def test_games_whose_warning_fails_hold_up_no_other(pair_daily, begin: Begin, ada: User, bo: User, post: Post) -> None:
    game, _first, _other = pair_daily
    begin(ada, bo, time_control=DAILY)
    post.sweep(6)
    Game.objects.filter(pk=game.pk).update(time_control={})
    assert any("Half" in subject for subject in post.sweep(12 * HOUR))
    assert fresh(game).warning_at == NOW + 12 * HOUR * MINUTE


def test_a_deadline_that_was_stored_wrongly_gets_its_warnings_when_it_is_put_right(pair_daily, post: Post) -> None:
    game, first, _other = pair_daily
    post.sweep(6)
    Notice.objects.filter(topic__in=("half", "last")).delete()
    Game.objects.filter(pk=game.pk).update(deadline=NOW)
    commands.expire_turn(game_id=game.pk, rng=Random(1), now=NOW + 7 * MINUTE)
    assert any("Half" in subject for subject in post.sweep(12 * HOUR))
    assert results(first, "moved") == []


def test_clock_warnings_end_by_their_own_choice_only(pair_daily, post: Post) -> None:
    _game, first, _other = pair_daily
    for kind in preferences.CHOSEN:
        if kind is not NoticeKind.CLOCK:
            want(first, kind, Cadence.NEVER)
    assert len(post.sweep(12 * HOUR)) == 1
    want(first, NoticeKind.CLOCK, Cadence.NEVER)
    assert post.sweep(22 * HOUR) == []


def test_the_daily_mail_comes_at_its_hour_in_the_readers_zone(ada: User, bo: User, begin: Begin, post: Post) -> None:
    User.objects.filter(pk=ada.pk).update(time_zone="America/New_York")
    ada.refresh_from_db()
    want(ada, NoticeKind.JOINED, Cadence.DAILY, hour=9)
    game = begin(ada, size=3)
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    minutes_to_nine = 2 * HOUR  # noon in UTC is seven in New York
    post.sweep(1)
    assert post.sweep(minutes_to_nine - 1) == []
    assert post.sweep(minutes_to_nine) == ["ada: Bo has joined your game"]


def test_a_daily_mail_that_waits_moves_with_its_reader(ada: User, bo: User, begin: Begin, post: Post) -> None:
    ada.time_zone = "America/New_York"
    ada.save(update_fields=["time_zone"])
    want(ada, NoticeKind.JOINED, Cadence.DAILY, hour=9)
    game = begin(ada, size=3)
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    assert post.sweep(1) == []
    ada.time_zone = "America/Halifax"  # an hour ahead of New York
    ada.save(update_fields=["time_zone"])
    commands.follow_zone(user_id=ada.pk, now=NOW + timedelta(minutes=2))
    assert post.sweep(HOUR - 1) == []
    assert post.sweep(HOUR) == ["ada: Bo has joined your game"]


ZONES = st.sampled_from(["UTC", "Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])
INSTANTS = st.integers(1_767_225_600, 1_830_297_600).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@given(at=INSTANTS, hour=st.integers(0, 23), name=ZONES)
def test_the_daily_mail_is_at_the_start_of_its_hour_and_at_most_25_hours_away(
    at: datetime, hour: int, name: str
) -> None:
    zone = ZoneInfo(name)
    due = schedule.next_digest(at, hour, zone)
    assert at <= due <= at + timedelta(hours=25)
    local = due.astimezone(zone)
    skipped = datetime(local.year, local.month, local.day, hour, tzinfo=zone).astimezone(UTC).astimezone(zone)
    assert local.hour == hour or local == skipped


@given(day=st.integers(0, 700), hour=st.integers(0, 23), name=ZONES)
def test_each_day_has_one_daily_mail_through_both_clock_changes(day: int, hour: int, name: str) -> None:
    at = schedule.next_digest(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day), hour, ZoneInfo(name))
    after = schedule.next_digest(at + timedelta(seconds=1), hour, ZoneInfo(name))
    assert timedelta(hours=22) <= after - at <= timedelta(hours=26)
    assert schedule.next_digest(at, hour, ZoneInfo(name)) == at


def test_a_notice_enqueued_twice_is_one_row(pair) -> None:
    _game, first, _other = pair
    row = Notice.objects.get(user=first, topic="turn")
    row.pk = None
    Notice.objects.bulk_create([row], ignore_conflicts=True)
    assert Notice.objects.filter(user=first, topic="turn").count() == 1


def test_a_warning_that_is_due_is_not_lost_when_its_clock_is_settled_before_a_sweep(pair_daily, post: Post) -> None:
    _game, first, _other = pair_daily
    post.sweep(6)
    far = (NOW + timedelta(days=60)).date()
    now = NOW + (12 * HOUR + 1) * MINUTE
    sweeps_live(now)
    commands.add_holiday(user=first, first=far, last=far, now=now)
    assert any("Half" in subject for subject in post.sweep(12 * HOUR + 2))


def test_a_warning_that_is_due_is_not_lost_when_the_clock_is_looked_after(pair_daily, post: Post) -> None:
    game, _first, _other = pair_daily
    post.sweep(6)
    commands.start_clock(game_id=game.pk, now=NOW + (12 * HOUR + 1) * MINUTE)
    assert any("Half" in subject for subject in post.sweep(12 * HOUR + 2))
    assert post.sweep(12 * HOUR + 3) == []


def test_a_rebuilt_game_still_warns(pair_daily, post: Post) -> None:
    game, _first, _other = pair_daily
    post.sweep(6)
    Game.objects.filter(pk=game.pk).update(warning_at=None)
    rebuild_game(game_key=game.key, now=NOW + HOUR * MINUTE)
    assert any("Half" in subject for subject in post.sweep(12 * HOUR))
