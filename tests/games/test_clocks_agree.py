"""The clocks in the database are what the pure functions of `games.clock` say, whatever happens to a game."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

import pytest

from accounts.models import User
from accounts.zones import zone
from games import clock, commands
from games.clock import Calendar, Clock, Expiry, HolidaySpan, PauseReason, PauseSpan, TimeControl, custom
from games.models import Game, Seat
from games.models.choices import Status
from games.queries import due
from games.tasks.sweep import sweep_clocks
from games.timing.deadlines import clock_of
from tests.flows.play import make_user
from tests.games.timed import NOW, differences, fresh, mover, owner, play_at, start_timed

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
ZONES: Final = ("Europe/Amsterdam", "America/New_York", "Pacific/Auckland")
HOUR: Final = 3_600
TIME_CONTROLS: Final = (
    custom(6 * HOUR, reserve_start=HOUR, reserve_increment=HOUR, reserve_cap=3 * HOUR, holidays=True),
    custom(30 * HOUR, weekends=True, holidays=True),
    custom(90 * 60, reserve_start=2 * HOUR, holidays=False),
)


class Model:
    """The same game's clocks, kept by the pure functions alone."""

    def __init__(self, game: Game, time_control: TimeControl) -> None:
        self.time_control = time_control
        self.zones = {seat.number: zone(owner(seat).time_zone) for seat in game.seats.select_related("user")}
        self.clocks = dict.fromkeys(self.zones, clock.new_clock(time_control))
        self.misses = dict.fromkeys(self.zones, 0)
        self.holidays: dict[int | None, list[HolidaySpan]] = {number: [] for number in self.zones}
        self.pauses: list[PauseSpan] = []
        self.mover = fresh(game).to_move
        self.start(NOW)

    def calendar(self, number: int | None) -> Calendar:
        return Calendar(self.zones[number], tuple(self.holidays[number]), tuple(self.pauses))

    def start(self, now: datetime) -> None:
        self.clocks[self.mover] = clock.start_turn(self.time_control, self.clocks[self.mover], now)

    def finish(self, now: datetime, then: int | None, *, by_owner: bool) -> None:
        running = self.clocks[self.mover]
        self.clocks[self.mover] = clock.finish_turn(
            self.time_control, self.calendar(self.mover), running, now, by_owner=by_owner
        )
        self.misses[self.mover] = 0 if by_owner else self.misses[self.mover] + 1
        self.mover = then
        if then is not None:
            self.start(now)

    def deadline(self) -> datetime | None:
        return clock.turn_deadline(self.time_control, self.calendar(self.mover), self.clocks[self.mover])

    def left(self, number: int | None, now: datetime) -> Clock:
        return clock.settle(self.time_control, self.calendar(number), self.clocks[number], now)


def check(game: Game, model: Model, now: datetime) -> None:
    stored = fresh(game)
    assert stored.to_move == model.mover
    if model.mover is None:
        assert stored.deadline is None
        return
    deadline = model.deadline()
    if deadline is not None and deadline <= now:
        assert stored.deadline is not None
        assert stored.deadline <= now
    else:
        assert stored.deadline == deadline
    for seat in Seat.objects.filter(game=game):
        number = seat.number
        left = clock.settle(model.time_control, model.calendar(number), clock_of(seat), now)
        assert left == model.left(number, now)
        assert seat.misses == model.misses[number]


def step(game: Game, model: Model, rng: Random, before: datetime, now: datetime) -> None:
    """Let something happen at an instant, the first one after ``before``, to the game and to the model."""
    commands.beat(name=due.CLOCKS, now=now)
    what = rng.choice(("play", "play", "play", "sweep", "sweep", "outage", "staff", "holiday"))
    if what == "play":
        play_at(game, now, rng)
        model.finish(now, fresh(game).to_move, by_owner=True)
    elif what == "staff":
        stopped = next((p for p in model.pauses if p.reason is PauseReason.STAFF and p.end is None), None)
        if stopped is None:
            commands.pause_game(game_key=game.key, now=now)
            model.pauses.append(PauseSpan(PauseReason.STAFF, now, None))
        else:
            commands.resume_game(game_key=game.key, now=now)
            model.pauses[model.pauses.index(stopped)] = PauseSpan(PauseReason.STAFF, stopped.start, now)
    elif what == "holiday":
        seat = mover(game)
        today = now.astimezone(model.zones[seat.number]).date()
        first = today + timedelta(days=rng.randint(1, 3))
        last = first + timedelta(days=rng.randint(0, 2))
        try:
            commands.add_holiday(user=owner(seat), first=first, last=last, now=now)
        except clock.ClockError:
            return
        model.holidays[seat.number].append(HolidaySpan(first, last, model.zones[seat.number]))
    else:
        if what == "outage":
            heard = max(before, now - timedelta(hours=2))
            commands.beat(name=due.CLOCKS, now=heard)
            if now - heard > timedelta(minutes=1):
                model.pauses.append(PauseSpan(PauseReason.OUTAGE, heard, now))
        sweep_clocks(now=now, rng=rng)
        deadline = model.deadline()
        if deadline is not None and deadline <= now:
            retires = clock.on_expiry(model.time_control, model.misses[model.mover]) is Expiry.RETIRE
            model.finish(now, fresh(game).to_move, by_owner=False)
            assert game.entries.latest("seq").event == ("retire" if retires else "")


@pytest.mark.parametrize("time_control", TIME_CONTROLS, ids=["reserve", "weekends", "short"])
@pytest.mark.parametrize("seed", range(6))
def test_stored_clocks_deadlines_and_misses_agree_with_the_pure_functions(seed: int, time_control: TimeControl) -> None:
    rng = Random(seed)
    people = [make_user(name) for name in ("Ada", "Bo", "Cy")]
    for person, name in zip(people, ZONES, strict=True):
        User.objects.filter(pk=person.pk).update(time_zone=name)
    game = start_timed([User.objects.get(pk=person.pk) for person in people], time_control)
    model, now = Model(game, time_control), NOW
    for _step in range(45):
        if fresh(game).status != Status.ACTIVE:
            break
        before, now = now, now + timedelta(seconds=rng.choice((1, 600, 4 * HOUR, 11 * HOUR, 40 * HOUR)))
        step(game, model, rng, before, now)
        check(game, model, now)
    assert differences(game) == []
