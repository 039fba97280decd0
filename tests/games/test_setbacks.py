"""A turn that hangs, or raises, or takes its worker with it, holds up its own game and no other."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from engine.gravity import Gravity
from engine.gravity.state import State
from engine.rulesets import RULESETS
from games import commands, tasks
from games.models import Game, Heartbeat, Setback
from games.queries import due
from games.queries.lists import games_awaiting_bots
from games.tasks import guard, thinking
from games.tasks.guard import TookTooLongError, within
from games.tasks.sweep import sweep_clocks
from gravitysite.metrics import write_metrics
from tests.flows.play import make_user, play, random_turn, start_game, state_of
from tests.games.timed import MINUTE, NOW, fresh, start_timed

pytestmark = pytest.mark.django_db


def loop_for_ever() -> None:
    while True:
        pass


def test_a_block_that_never_ends_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(TookTooLongError), within(0.2):
        loop_for_ever()
    assert time.monotonic() - began < 2


def test_a_block_that_swallows_the_alarm_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "AGAIN", 0.1)

    def swallow() -> None:
        with suppress(TookTooLongError):
            loop_for_ever()
        loop_for_ever()

    with pytest.raises(TookTooLongError), within(0.1):
        swallow()


def test_a_block_in_time_is_left_alone_and_no_alarm_stays_behind() -> None:
    with within(0.1):
        pass
    time.sleep(0.2)


def test_a_block_within_another_takes_nothing_off_the_time_of_both() -> None:
    done: list[bool] = []

    def think_twice() -> None:
        with pytest.raises(TookTooLongError, match=r"0\.05"), within(0.05):
            loop_for_ever()
        done.append(True)
        loop_for_ever()

    with pytest.raises(TookTooLongError, match=r"0\.2"), within(0.2):
        think_twice()
    assert done == [True]


def test_a_thread_that_is_not_the_main_one_is_left_alone() -> None:
    done = []

    def work() -> None:
        with within(0.01):
            time.sleep(0.1)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


class Stubborn(Gravity):
    """Gravity, in which computer players come to grief in some positions."""

    def __init__(self, how: BaseException | None) -> None:
        self.how = how
        self.positions: list[object] = []
        self.asked: list[object] = []

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        """Raise, or think for ever, where it is a stubborn position."""
        self.asked.append(state)
        if state in self.positions:
            if self.how is not None:
                raise self.how
            loop_for_ever()
        return super().choose_turn(bot, state, rng)


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException | None], Stubborn]:
    """Return a function that puts stubborn rules in the place of Gravity's."""

    def put(how: BaseException | None) -> Stubborn:
        monkeypatch.setattr(thinking, "THOUGHT", 0.1)
        monkeypatch.setattr(thinking, "TURN", 0.3)
        monkeypatch.setattr("games.tasks.sweep.TURN", 0.3)
        rules = Stubborn(how)
        monkeypatch.setitem(RULESETS, "gravity-1", rules)
        return rules

    return put


def bots_game(name: str, seed: int) -> Game:
    """Return a game in which a computer player is to move."""
    game = start_game([make_user(name)], bots=["nova:1"], seed=seed)
    if not game.bot_to_move:
        play(game, random_turn(state_of(game), Random(1)))
    return Game.objects.get(pk=game.pk)


HOW = pytest.mark.parametrize("how", [ValueError(), None], ids=["raises", "hangs"])


@HOW
def test_a_game_whose_turn_goes_wrong_is_tried_ever_more_seldom(
    stubborn: Callable[[BaseException | None], Stubborn], how: BaseException | None
) -> None:
    bad, good = bots_game("Ada", 1), bots_game("Bo", 2)
    rules = stubborn(how)
    rules.positions.append(state_of(bad))
    waits = []
    for _try in range(10):
        tasks.play_bot_turn(game_id=bad.pk, seq=bad.seq)
        row = Setback.objects.get()
        assert row.game_id == bad.pk
        waits.append(round((row.retry_at - timezone.now()).total_seconds(), -1))
        tasks.play_bot_turn(game_id=good.pk, seq=good.seq)
        assert games_awaiting_bots(10, timezone.now()) == []
        Setback.objects.update(retry_at=timezone.now())
    assert Game.objects.get(pk=good.pk).seq == good.seq + 1
    assert waits[:3] == [10, 20, 40]
    assert waits[-1] == 30 * 60
    rules.positions.clear()
    tasks.play_bot_turn(game_id=bad.pk, seq=bad.seq)
    assert Game.objects.get(pk=bad.pk).seq == bad.seq + 1
    assert not Setback.objects.exists()


def test_a_turn_that_takes_its_worker_with_it_is_not_tried_again_at_once(
    stubborn: Callable[[BaseException | None], Stubborn],
) -> None:
    bad, good = bots_game("Ada", 1), bots_game("Bo", 2)
    rules = stubborn(SystemExit(1))
    rules.positions.append(state_of(bad))
    with pytest.raises(SystemExit):
        tasks.play_bot_turn(game_id=bad.pk, seq=bad.seq)
    for _nudge in range(2):
        tasks.play_bot_turn(game_id=bad.pk, seq=bad.seq)
    assert rules.asked.count(state_of(bad)) == 1
    assert Game.objects.get(pk=good.pk).seq == good.seq + 1


def test_a_nudge_whose_turn_goes_wrong_sets_its_game_back_until_its_next_turn(
    stubborn: Callable[[BaseException | None], Stubborn],
) -> None:
    game = bots_game("Ada", 1)
    rules = stubborn(ZeroDivisionError())
    rules.positions.append(state_of(game))
    tasks.play_bot_turn(game_id=game.pk, seq=game.seq)
    assert Setback.objects.get().cause == "ZeroDivisionError"
    assert games_awaiting_bots(10, timezone.now()) == []
    Game.objects.filter(pk=game.pk).update(seq=game.seq + 1)
    assert games_awaiting_bots(10, timezone.now()) == [(game.pk, game.seq + 1, game.creator_id)]
    commands.set_back(game_id=game.pk, cause="", now=timezone.now())
    assert Setback.objects.get().attempts == 1


@HOW
@pytest.mark.anydb
def test_an_expiry_that_goes_wrong_is_left_alone_for_a_while_and_the_others_go_on(
    stubborn: Callable[[BaseException | None], Stubborn], how: BaseException | None
) -> None:
    bad = start_timed([make_user("Ada"), make_user("Bo")])
    good = start_timed([make_user("Cleo"), make_user("Dana")])
    sweep_clocks(now=NOW, rng=Random(1))
    rules = stubborn(how)
    rules.positions.append(state_of(fresh(bad)))
    for seconds in (0, 5):
        sweep_clocks(now=NOW + MINUTE + timedelta(seconds=seconds), rng=Random(1))
    assert (fresh(bad).seq, fresh(good).seq) == (0, 1)
    assert rules.asked.count(state_of(fresh(bad))) == 1
    rules.positions.clear()
    sweep_clocks(now=NOW + MINUTE + timedelta(seconds=15), rng=Random(1))
    assert fresh(bad).seq == 1


def test_a_game_whose_turn_fails_for_minutes_raises_every_alarm(
    stubborn: Callable[[BaseException | None], Stubborn], client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    game = bots_game("Ada", 1)
    stubborn(ValueError()).positions.append(state_of(game))
    now = timezone.now()
    for name in due.HEARTBEATS:
        Heartbeat.objects.update_or_create(name=name, defaults={"at": now})
    for attempt in range(1, due.STUCK_AFTER + 1):
        assert not due.stuck_games(), f"attempt {attempt} is to come"
        Setback.objects.update(retry_at=timezone.now())
        tasks.play_bot_turn(game_id=game.pk, seq=game.seq)
    with pytest.raises(SystemExit):
        call_command("check_overdue")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"game {game.key}: stuck, 6 attempts failed, the next at ")
    assert line.endswith(": ValueError")
    assert client.get("/readyz").json()["turns"] == "stuck: 1"
    assert "gravity_stuck_games 1.0" in write_metrics(now).decode()
    client.force_login(User.objects.create_superuser("root@example.org", display_name="Root"))
    assert f"The turn of game {game.key} fails again" in client.get("/admin/games/heartbeat/").content.decode()
    assert game.key in client.get("/admin/games/setback/").content.decode()
    Game.objects.filter(pk=game.pk).update(seq=game.seq + 1)
    assert not due.alarm(now), "it has moved on"


LEASE = timedelta(seconds=60)


@pytest.mark.anydb
def test_a_sweep_begins_once_until_it_ends_or_is_given_up_for_dead() -> None:
    def begin(seconds: int) -> bool:
        return commands.begin_sweep(name="mails", lease=LEASE, now=NOW + timedelta(seconds=seconds))

    assert begin(0)
    assert not begin(20)
    assert Heartbeat.objects.get(name="mails").at == NOW  # only a sweep that works is heard of
    commands.end_sweep(name="mails")
    assert begin(20)
    assert not begin(79)
    assert begin(80)
    assert begin(-3600), "a clock that was set back must not hold the sweeps up"


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_two_sweeps_that_begin_at_once_are_one() -> None:
    began: list[bool] = []

    def begin() -> None:
        began.append(commands.begin_sweep(name="mails", lease=LEASE, now=NOW))
        connection.close()

    threads = [threading.Thread(target=begin) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(began) == [False, False, False, True]
