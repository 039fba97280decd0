"""Outages: time in which no sweep ran, or the site did not answer, counts for nobody, whatever anyone does."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from random import Random
from threading import Thread
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from accounts.models import User
from accounts.zones import zone
from games import clock, commands
from games.clock import Calendar, Clock, HolidaySpan, PauseReason, PauseSpan, TimeControl, custom
from games.models import Charge, Game, Heartbeat, Pause, Seat
from games.models.choices import Actor, RemarkKind, Status
from games.models.time import CLOCKS, WEB
from games.tasks.sweep import sweep_clocks
from games.timing.deadlines import clock_of
from tests.flows.play import make_user
from tests.games.timed import DAILY, NOW, due, fresh, mover, owner, play_at, start_timed, sweeps_live
from tests.services import examples

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)
SECOND: Final = timedelta(seconds=1)
LONG_HOLIDAYS: Final = custom(3600, reserve_start=7200, reserve_increment=600, reserve_cap=10_800, holidays=True)
ZONES: Final = ("UTC", "Pacific/Kiritimati", "America/New_York", "Australia/Lord_Howe")


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo")]


class Front:
    """A web server that answers the sweeps, or does not."""

    def __init__(self) -> None:
        front = self
        self.up = True

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if front.up else 502)
                self.end_headers()

            def log_message(self, *_arguments: Any) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()


@pytest.fixture
def front(settings: Settings) -> Iterator[Front]:
    """Return the web server that the sweeps ask."""
    server = Front()
    settings.PROBE_URL = server.url
    yield server
    server.server.shutdown()
    server.server.server_close()


def sweep(now: datetime) -> int:
    return sweep_clocks(now=now, rng=Random(1))


def sweep_until(start: datetime, end: datetime) -> int:
    """Sweep every 20 seconds from ``start`` to ``end`` and return how many turns were ended."""
    ended = 0
    while start <= end:
        ended += sweep(start)
        start += 20 * SECOND
    return ended


def remarked(game: Game) -> list[tuple[int | None, int]]:
    """Return the seats that got time back, with the seconds."""
    remarks = game.remarks.filter(kind=RemarkKind.OUTAGE).order_by("pk")
    return [(remark.seat, remark.params["seconds"]) for remark in remarks]


# What went wrong once


def test_a_holiday_set_while_no_sweep_runs_does_not_cost_the_turn(people: list[User]) -> None:
    game = start_timed(people, custom(240, holidays=True))
    seat = mover(game)
    sweep(NOW)
    day = (NOW + timedelta(days=20)).date()
    commands.add_holiday(user=owner(seat), first=day, last=day, now=NOW + 200 * SECOND)
    assert sweep(NOW + 260 * SECOND) == 0
    assert due(game) == NOW + 500 * SECOND
    assert remarked(game) == [(seat.number, 260)]


def test_a_holiday_set_in_a_gap_that_is_no_outage_yet_does_not_cost_the_turn(people: list[User]) -> None:
    game = start_timed(people, custom(240, holidays=True))
    seat = mover(game)
    sweep(NOW)
    day = (NOW + timedelta(days=20)).date()
    commands.add_holiday(user=owner(seat), first=day, last=day, now=NOW + 50 * SECOND)
    sweep(NOW + 260 * SECOND)
    assert due(game) == NOW + 500 * SECOND


@pytest.mark.parametrize("played", [50 * SECOND, 40 * HOUR])
def test_a_turn_played_while_no_sweep_runs_keeps_its_reserve(people: list[User], played: timedelta) -> None:
    game = start_timed(people, DAILY)
    seat = mover(game)
    commands.beat(name=CLOCKS, now=NOW + 24 * HOUR)
    play_at(game, NOW + 24 * HOUR + played)
    sweep(NOW + 24 * HOUR + played + HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600
    rival = mover(game)
    given = [(seat.number, int(played.total_seconds())), (rival.number, 3_600)]
    assert sorted(remarked(game)) == sorted(given)


def test_a_new_time_control_agreed_on_while_no_sweep_runs_costs_no_reserve(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    seat = mover(game)
    commands.beat(name=CLOCKS, now=NOW + 24 * HOUR)
    agree(game, custom(3_600, reserve_start=0, reserve_increment=0, reserve_cap=7_200), NOW + 24 * HOUR + 50 * SECOND)
    sweep(NOW + 30 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600
    assert due(game) == NOW + 30 * HOUR + HOUR + HOUR


def test_while_the_site_does_not_answer_no_turn_ends(people: list[User], front: Front) -> None:
    game = start_timed(people)
    sweep(NOW)
    front.up = False
    assert sweep_until(NOW + 20 * SECOND, NOW + 90 * SECOND) == 0
    front.up = True
    assert sweep(NOW + 90 * SECOND) == 0
    assert due(game) == NOW + 150 * SECOND
    assert remarked(game) == [(mover(game).number, 90)]
    assert sweep_until(NOW + 110 * SECOND, NOW + 150 * SECOND) == 1


def test_a_minute_without_an_answer_is_no_outage(people: list[User], front: Front) -> None:
    game = start_timed(people)
    sweep(NOW)
    front.up = False
    assert sweep_until(NOW + 20 * SECOND, NOW + 59 * SECOND) == 0
    front.up = True
    assert sweep(NOW + MINUTE) == 1
    assert not Pause.objects.exists()
    assert fresh(game).seq == 1


def test_time_without_sweeps_is_one_outage_though_nobody_asked_the_site_either(
    people: list[User], front: Front
) -> None:
    game = start_timed(people)
    sweep(NOW)
    sweep(NOW + HOUR)
    assert Pause.objects.count() == 1
    assert remarked(game) == [(mover(game).number, 3_600)]
    assert front.up


def test_a_site_that_was_never_reached_from_here_is_up(people: list[User], front: Front) -> None:
    start_timed(people)
    front.up = False
    assert sweep_until(NOW, NOW + MINUTE) == 1
    assert not Heartbeat.objects.filter(name=WEB).exists()


def test_who_stops_asking_forgets_when_the_site_last_answered(
    people: list[User], front: Front, settings: Settings
) -> None:
    start_timed(people)
    sweep(NOW)
    settings.PROBE_URL = ""
    assert sweep_until(NOW + 20 * SECOND, NOW + MINUTE) == 1


def test_games_without_any_heartbeat_stood_still_since_the_last_entry(people: list[User]) -> None:
    early, late = start_timed(people), start_timed(people)
    play_at(late, NOW + 30 * SECOND)
    assert sweep(NOW + 36 * HOUR) == 0
    assert due(early) == NOW + 36 * HOUR + 30 * SECOND
    assert due(late) == NOW + 36 * HOUR + MINUTE


def test_a_clock_stepped_forward_takes_nothing_from_who_plays_before_a_sweep(people: list[User]) -> None:
    game = start_timed(people, custom(600, reserve_start=3_600, reserve_increment=0, reserve_cap=3_600))
    seat = mover(game)
    sweep(NOW)
    play_at(game, NOW + 50 * HOUR + 10 * SECOND)
    assert sweep(NOW + 50 * HOUR + 20 * SECOND) == 0
    seat.refresh_from_db()
    assert seat.reserve == 3_600
    assert due(game) == NOW + 50 * HOUR + 20 * SECOND + 600 * SECOND + HOUR


def outages() -> list[tuple[datetime, datetime | None]]:
    """Return from when until when outages are stored."""
    return list(Pause.objects.filter(game=None).order_by("start", "end").values_list("start", "end"))


def test_an_outage_is_recorded_before_a_clock_is_settled_in_it_and_told_once(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    seat = mover(game)
    sweeps_live(NOW + 23 * HOUR)
    play_at(game, NOW + 25 * HOUR)
    assert outages() == [(NOW + 23 * HOUR, NOW + 25 * HOUR)]
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600
    play_at(game, NOW + 51 * HOUR)
    assert outages() == [(NOW + 23 * HOUR, NOW + 51 * HOUR)]
    sweep(NOW + 52 * HOUR)
    assert outages() == [(NOW + 23 * HOUR, NOW + 52 * HOUR)]
    assert remarked(game) == [(1, 2 * 3_600 + 3_600), (2, 26 * 3_600)]


def test_a_turn_within_its_allowance_records_nothing(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    sweeps_live(NOW)
    play_at(game, NOW + 23 * HOUR)
    assert outages() == []


def test_who_plays_before_the_first_sweep_of_a_fresh_site_is_charged_nothing(people: list[User]) -> None:
    game, other = start_timed(people, DAILY), start_timed(people, DAILY)
    seat = mover(game)
    play_at(game, NOW + 50 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600
    assert sweep(NOW + 50 * HOUR + 2 * MINUTE) == 0
    assert due(other) == NOW + 50 * HOUR + 2 * MINUTE + 25 * HOUR


def test_time_that_is_not_charged_stays_so_when_another_outage_is_found(people: list[User], settings: Settings) -> None:
    game = start_timed(people, DAILY)
    seat = mover(game)
    for name in (CLOCKS, WEB):
        commands.beat(name=name, now=NOW + 24 * HOUR)
    play_at(game, NOW + 24 * HOUR + 10 * MINUTE)
    sweeps_live(NOW + 25 * HOUR)
    settings.PROBE_URL = ""  # which forgets that the site did not answer
    sweep(NOW + 25 * HOUR)
    commands.mark_outage(start=NOW, end=NOW + HOUR, now=NOW + 26 * HOUR)
    sweeps_live(NOW + 26 * HOUR)
    sweep(NOW + 26 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600


def test_what_was_recorded_while_the_site_does_not_answer_is_told_when_it_does(
    people: list[User], front: Front
) -> None:
    game = start_timed(people, DAILY)
    sweeps_live(NOW + 24 * HOUR)
    sweep(NOW + 24 * HOUR)
    front.up = False
    now = NOW + 24 * HOUR + 5 * MINUTE
    sweep_until(NOW + 24 * HOUR + 20 * SECOND, now)
    play_at(game, now)
    sweep(now + 20 * SECOND)
    assert remarked(game) == []
    front.up = True
    sweep(now + 40 * SECOND)
    assert outages() == [(NOW + 24 * HOUR, now + 40 * SECOND)]
    assert remarked(game) == [(1, 300), (2, 40)]


def test_charges_that_nothing_can_change_any_more_are_deleted(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    commands.beat(name=CLOCKS, now=NOW + 25 * HOUR)
    play_at(game, NOW + 24 * HOUR + MINUTE)
    assert Charge.objects.get().reserve_after == 3_600 - 60 + 600
    commands.beat(name=CLOCKS, now=NOW + 30 * 24 * HOUR)
    sweep(NOW + 30 * 24 * HOUR)
    assert Charge.objects.exists()
    commands.beat(name=CLOCKS, now=NOW + 32 * 24 * HOUR)
    sweep(NOW + 32 * 24 * HOUR)
    assert not Charge.objects.filter(end__lt=NOW + 48 * HOUR).exists()


def agree(game: Game, time_control: TimeControl, now: datetime) -> None:
    """Let both players agree to another time control."""
    first, second = (owner(seat) for seat in game.seats.select_related("user").order_by("number"))
    commands.propose_time_control(game_key=game.key, user=first, time_control=time_control, now=now)
    proposal = game.proposals.latest("pk")
    commands.answer_proposal(game_key=game.key, user=second, proposal_id=proposal.pk, agree=True, now=now)


# By property


class Ledger:
    """What each seat's clock must be, from all that happened, once it is known when the site was up."""

    def __init__(self, game: Game, time_control: TimeControl) -> None:
        self.game = game
        self.time_control = time_control
        self.events: dict[int, list[tuple[str, datetime, Any]]] = {}
        self.holidays: dict[int, list[HolidaySpan]] = {}
        for seat in Seat.objects.filter(game=game):
            self.events[seat.number or 0] = []
            self.holidays[seat.number or 0] = []
        self.outages: list[PauseSpan] = []
        self.heard = {CLOCKS: NOW, WEB: NOW}
        self.begin(NOW)

    def begin(self, now: datetime) -> None:
        self.mover = fresh(self.game).to_move
        if self.mover is not None:
            seat = mover(self.game)
            self.events[self.mover].append(("begin", now, seat.zone))

    def end(self, now: datetime, *, by_owner: bool) -> None:
        assert self.mover is not None
        self.events[self.mover].append(("end", now, by_owner))
        self.begin(now)

    def terms(self, new: TimeControl, now: datetime) -> None:
        for events in self.events.values():
            events.append(("terms", now, new))

    def beat(self, name: str, now: datetime) -> None:
        if now - self.heard[name] > MINUTE:
            self.outages.append(PauseSpan(PauseReason.OUTAGE, self.heard[name], now))
        self.heard[name] = now

    def left(self, number: int, now: datetime) -> tuple[Clock, list[tuple[datetime, int]]]:
        """Return a seat's clock at an instant, and what it had left at the end of each turn that was not its own."""
        time_control, cursor, calendar = self.time_control, NOW, Calendar(zone("UTC"))
        allowance, reserve, running = 0, self.time_control.reserve_start, False
        ended: list[tuple[datetime, int]] = []

        def take(until: datetime) -> None:
            nonlocal allowance, reserve
            used = clock.time_used(time_control, calendar, cursor, until) if running else 0
            from_reserve = max(0, used - allowance)
            allowance, reserve = max(0, allowance - used), max(0, reserve - from_reserve)

        for what, at, value in self.events[number]:
            take(at)
            cursor = at
            if what == "begin":
                calendar = Calendar(zone(value), tuple(self.holidays[number]), tuple(self.outages))
                allowance, running = time_control.allowance, True
            elif what == "end":
                if not value:
                    ended.append((at, allowance + reserve))
                elif time_control.reserve_cap:
                    reserve = min(time_control.reserve_cap, reserve + time_control.reserve_increment)
                allowance, running = 0, False
            else:
                reserve = value.reserve_start if time_control.reserve_cap == 0 else min(reserve, value.reserve_cap)
                time_control = value
                allowance = value.allowance if running else 0
        take(now)
        return Clock(allowance, reserve, now if running else None), ended

    def check(self, now: datetime) -> None:
        """Compare with what is stored, and see that nobody's turn ended before its time."""
        for seat in Seat.objects.filter(game=self.game):
            number = seat.number or 0
            calendar = Calendar(zone(seat.zone or "UTC"), tuple(self.holidays[number]), tuple(self.outages))
            expected, ended = self.left(number, now)
            stored = clock.settle(self.now_time_control(), calendar, clock_of(seat), now)
            assert stored == expected
            assert [left for _at, left in ended] == [0] * len(ended)

    def now_time_control(self) -> TimeControl:
        return TimeControl.from_json(fresh(self.game).time_control)


TERMS: Final = (
    custom(7_200, reserve_start=3_600, reserve_increment=600, reserve_cap=5_400, holidays=True),
    custom(300, reserve_start=600, reserve_increment=60, reserve_cap=900, holidays=True),
    custom(14_400, weekends=True, holidays=True),
)
STEPS: Final = st.tuples(
    st.sampled_from(("play", "play", "sweep", "holiday", "terms", "zone")),
    st.sampled_from((1, 7, 45, 61, 250, 900, 5_000, 30_000)),
    st.booleans(),
    st.booleans(),
)
"""What happens, after how many seconds, and whether the sweeps and the web server were up until then."""


@hypothesis_settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEPS, min_size=3, max_size=14), terms=st.sampled_from(TERMS), seed=st.integers(0, 2**16))
def test_a_seat_is_charged_to_the_second_for_the_time_in_which_the_site_was_up(
    people: list[User], front: Front, steps: list[tuple[str, int, bool, bool]], terms: TimeControl, seed: int
) -> None:
    clear()
    rng = Random(seed)
    game = start_timed(people, terms)
    for name in (CLOCKS, WEB):
        commands.beat(name=name, now=NOW)
    ledger, now = Ledger(game, terms), NOW
    for what, seconds, sweeps, web in [*steps, ("sweep", 30, True, True), ("sweep", 20, True, True)]:
        if fresh(game).status != Status.ACTIVE:
            return
        now = live_until(ledger, front, now, now + seconds * SECOND, sweeps=sweeps, web=web)
        happen(ledger, what, now, rng)
    if fresh(game).status == Status.ACTIVE:
        ledger.check(now)
        assert fresh(game).deadline is None or due(game) > now


def live_until(ledger: Ledger, front: Front, start: datetime, end: datetime, *, sweeps: bool, web: bool) -> datetime:
    """Let time go by, with the sweeps and the web server up or down; the last sweep is at ``end``."""
    front.up = web
    if sweeps:
        sweep_at(ledger, min(start + 15 * SECOND, end), web=web)
        if web:
            # As if there had been sweeps that found nothing to do but beat.
            for name in (CLOCKS, WEB):
                commands.beat(name=name, now=end)
                ledger.heard[name] = end
        elif end - start > MINUTE:
            commands.beat(name=CLOCKS, now=end)
            ledger.heard[CLOCKS] = end
        sweep_at(ledger, end, web=web)
    return end


def sweep_at(ledger: Ledger, now: datetime, *, web: bool) -> None:
    ledger.beat(CLOCKS, now)
    if web:
        ledger.beat(WEB, now)
    before = fresh(ledger.game).seq
    sweep(now)
    for entry in ledger.game.entries.filter(seq__gt=before).order_by("seq"):
        assert entry.by != Actor.PLAYER
        ledger.end(now, by_owner=False)


def happen(ledger: Ledger, what: str, now: datetime, rng: Random) -> None:
    """Let a person do something."""
    game = ledger.game
    if fresh(game).status != Status.ACTIVE:
        return
    seat = mover(game)
    if what == "play":
        play_at(game, now, rng)
        ledger.end(now, by_owner=True)
    elif what == "holiday":
        first = now.date() + timedelta(days=rng.randint(2, 3))
        try:
            commands.add_holiday(user=owner(seat), first=first, last=first, now=now)
        except clock.ClockError:
            return
        ledger.holidays[seat.number or 0].append(HolidaySpan(first, first, zone(owner(seat).time_zone)))
    elif what == "terms":
        new = rng.choice([terms for terms in TERMS if terms != ledger.now_time_control()])
        game.proposals.update(round=0)  # that one may ask once a round is not what is tried here
        agree(game, new, now)
        ledger.terms(new, now)
    elif what == "zone":
        User.objects.filter(pk=owner(seat).pk).update(time_zone=rng.choice(ZONES))


def clear() -> None:
    """Let an example find no trace of the one before."""
    Game.objects.update(status=Status.CANCELLED, to_move=None, bot_to_move=False, deadline=None, warning_at=None)
    Charge.objects.all().delete()
    Heartbeat.objects.all().delete()
    User.objects.update(time_zone="UTC")
    for user in User.objects.all():
        user.holidays.all().delete()
    Pause.objects.filter(remarks=None).delete()
    Pause.objects.filter(game=None).update(
        start=NOW - timedelta(days=900), end=NOW - timedelta(days=900), credited=True
    )
