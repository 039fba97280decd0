"""Messages to workers are nudges: sent after the commit, harmless when repeated, and not missed when lost."""

import time
from collections.abc import Iterator
from queue import Empty
from random import Random

import pytest
from celery import Celery
from django.conf import settings
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts import nudge as broker
from accounts.models import User
from games import commands, tasks
from games.commands._nudge import BOTS
from games.models import Game
from games.models.choices import Actor
from gravitysite.celery import app
from tests.flows.play import NOW, make_user, play, random_turn, start_game, state_of
from tests.services import free_port

pytestmark = pytest.mark.django_db


def bots_game(user: User) -> Game:
    """Return a game of a person and a computer player, who is to move."""
    game = commands.create_game(
        user=user, ruleset="gravity-1", size=2, options={}, public=True, bots=["nova:1"], now=NOW
    )
    if not game.bot_to_move:
        play(game, random_turn(state_of(game), Random(1)))
    return Game.objects.get(pk=game.pk)


@pytest.fixture(autouse=True)
def _empty_queue() -> None:
    sent()


def sent() -> list[dict[str, int]]:
    """Take every message out of the computer players' queue and return what each asks for."""
    asked: list[dict[str, int]] = []
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue(app.amqp.queues[BOTS])  # type: ignore[arg-type]
        while True:
            try:
                message = queue.get(block=False)
            except Empty:
                return asked
            message.ack()
            asked.append(message.payload[1])


def test_a_computer_player_is_woken_after_the_commit_and_not_before(
    ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        game = bots_game(ada)
        assert sent() == []
    assert sent()[-1] == {"game_id": game.pk, "seq": game.seq}


def test_nobody_is_woken_for_a_persons_turn(
    ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    game = start_game([ada, make_user("Bo")])
    with django_capture_on_commit_callbacks(execute=True):
        play(game, "R+")
    assert sent() == []


@pytest.fixture
def dead_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A broker at an address where nobody answers, with the options that a server uses."""
    monkeypatch.setattr(broker, "_quiet_until", 0.0)
    dead = Celery("dead", broker=f"redis://127.0.0.1:{free_port()}/0", set_as_current=False)
    dead.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1}
    dead.set_current()
    yield
    app.set_current()


@pytest.mark.usefixtures("dead_broker")
def test_a_dead_broker_costs_no_turn_and_little_time(
    ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True):
        game = bots_game(ada)
    assert time.monotonic() - before < 3
    assert game.bot_to_move
    quiet_until = broker._quiet_until
    assert quiet_until > time.monotonic()
    with django_capture_on_commit_callbacks(execute=True):
        assert bots_game(ada).bot_to_move
    assert broker._quiet_until == quiet_until


def test_the_sweep_plays_what_no_message_asked_for(ada: User) -> None:
    games = [bots_game(ada), bots_game(ada)]
    tasks.sweep_bot_turns()
    for game in games:
        assert [entry.by for entry in game.entries.filter(seq__gt=game.seq)] == [Actor.BOT]


def test_a_game_that_can_not_go_on_does_not_hold_up_the_others(ada: User) -> None:
    broken, sound = bots_game(ada), bots_game(ada)
    Game.objects.filter(pk=broken.pk).update(state="nonsense")
    tasks.sweep_bot_turns()
    assert not broken.entries.filter(by=Actor.BOT).exists()
    assert sound.entries.filter(by=Actor.BOT).exists()


def test_the_same_message_twice_plays_one_turn(ada: User) -> None:
    game = bots_game(ada)
    for _time in range(2):
        tasks.play_bot_turn(game_id=game.pk, seq=game.seq)
    assert game.entries.filter(by=Actor.BOT).count() == 1


def test_every_scheduled_task_is_there_and_goes_to_a_queue_that_is_there() -> None:
    app.loader.import_default_modules()
    schedule = settings.CELERY_BEAT_SCHEDULE.values()
    assert tasks.SWEEP_BOT_TURNS in {entry["task"] for entry in schedule}
    for entry in schedule:
        assert entry["task"] in app.tasks
        assert entry["options"]["queue"] in app.amqp.queues
