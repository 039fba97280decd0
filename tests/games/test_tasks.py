"""Messages to workers are nudges: sent after the commit, harmless when repeated, and not missed when lost."""

import time
from collections.abc import Iterator
from datetime import timedelta
from queue import Empty
from random import Random

import pytest
import structlog
from celery import Celery
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts import nudge as broker
from accounts.models import User
from engine.gravity import Gravity
from engine.gravity.state import State
from engine.rulesets import RULESETS
from games import commands, tasks
from games.management import thinker
from games.management.thinker import thinking_apart
from games.models import Game, Seat, Setback
from games.models.choices import Actor
from games.queries.lists import BotTurn
from games.tasks import thinking
from gravitysite.celery import app
from tests.engine.play import GRAVITY
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
    cache.clear()
    sent()


def sent() -> list[dict[str, int]]:
    """Take every message out of the computer players' queue and return what each asks for."""
    asked: list[dict[str, int]] = []
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue(app.amqp.queues["bots"])  # type: ignore[arg-type]
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


def wait_for_long(*games: Game) -> None:
    Game.objects.filter(pk__in=[game.pk for game in games]).update(turn_began_at=timezone.now() - timedelta(seconds=9))


def bots_entries(game: Game) -> int:
    return game.entries.filter(by=Actor.BOT).count()


def play_all() -> None:
    """Do what workers do with the messages on the queue."""
    for message in sent():
        tasks.play_bot_turn(**message)


def test_the_sweep_asks_anew_for_turns_whose_message_was_lost(ada: User) -> None:
    lost, fresh = bots_game(ada), bots_game(ada)
    wait_for_long(lost)
    Game.objects.filter(pk=fresh.pk).update(turn_began_at=timezone.now())
    sent()
    tasks.sweep_bot_turns()
    assert [message["game_id"] for message in sent()] == [lost.pk]


def test_a_game_that_can_not_go_on_does_not_hold_up_the_others(ada: User) -> None:
    broken, sound = bots_game(ada), bots_game(ada)
    Game.objects.filter(pk=broken.pk).update(state="nonsense")
    wait_for_long(broken, sound)
    tasks.sweep_bot_turns()
    play_all()
    assert bots_entries(broken) == 0
    assert bots_entries(sound) == 1


def test_somebody_with_many_games_keeps_nobody_waiting(ada: User) -> None:
    many = [bots_game(ada) for _number in range(6)]
    one = bots_game(make_user("Bo"))
    for number, game in enumerate([*many, one]):
        Game.objects.filter(pk=game.pk).update(turn_began_at=NOW + timedelta(seconds=number))
    for turn in range(2):
        tasks.play_bot_turn(game_id=many[turn].pk, seq=many[turn].seq)
    assert bots_entries(one) == 1, "it waits behind one turn of the other person's, not behind six"
    assert [bots_entries(game) for game in many] == [1, 0, 0, 0, 0, 0]


def test_a_table_of_computer_players_goes_to_the_back_of_the_queue_after_each_turn(
    ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    table = start_game([ada], bots=["nova:1"] * 5)
    while not table.bot_to_move or table.seq == 0:
        play(table, random_turn(state_of(table), Random(1)))
        table = Game.objects.get(pk=table.pk)
    other = bots_game(make_user("Bo"))
    sent()
    played = []
    for _turn in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            tasks.play_bot_turn(game_id=table.pk, seq=table.seq)
        played.append((bots_entries(table), bots_entries(other)))
        assert len(sent()) <= 1, "one message a game"
    assert played[1] == (1, 1), "the other game's turn comes between two of the table's"
    assert played[2] == (2, 1)


class Failing(Gravity):
    """Gravity with computer players that do not play, each in its own way; the autopilot does."""

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        """Return no legal turn, raise, or think for ever."""
        match bot:
            case "nova:1":
                raise ValueError
            case "nova:2":
                return "nonsense"
            case "nova:3":
                while True:
                    pass
            case _:
                return super().choose_turn(bot, state, rng)


@pytest.mark.parametrize("bot", ["nova:1", "nova:2", "nova:3"], ids=["raises", "breaks the rules", "never ends"])
def test_the_autopilot_plays_for_a_computer_player_that_fails_and_it_is_logged_once(
    bot: str, ada: User, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(RULESETS, "gravity-1", Failing())
    monkeypatch.setattr(thinking, "THOUGHT", 0.2)
    game = bots_game(ada)
    Seat.objects.filter(game=game).exclude(bot="").update(bot=bot)
    with structlog.testing.capture_logs() as lines:
        tasks.play_bot_turn(game_id=game.pk, seq=game.seq)
    assert bots_entries(game) == 1
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["computer player failed"]
    assert not Setback.objects.exists()


def test_a_turn_is_left_to_who_thinks_of_it_until_that_worker_must_have_died(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = bots_game(ada)
    monkeypatch.setitem(RULESETS, "gravity-1", Failing())
    turn = BotTurn(game.pk, game.seq, ada.pk)
    cache.set(thinking._begun(turn), time.time() - 1)
    assert not thinking.play_next_turn()
    cache.set(thinking._begun(turn), time.time() - thinking.TURN_LIMIT)
    with structlog.testing.capture_logs() as lines:
        assert thinking.play_next_turn()
    assert bots_entries(game) == 1
    assert lines[0]["event"] == "computer player took its worker with it"


def test_another_process_thinks_where_worker_and_web_server_are_one() -> None:
    state = GRAVITY.set_up(["Ada", "Bo"], {}, Random(1))
    with thinking_apart():
        helper = thinker.helper()
        assert helper is not None
        for bot in ("nova:1", "greedy"):
            GRAVITY.apply_turn(state, helper.choose(GRAVITY, bot, state, 30))
        with pytest.raises(thinker.NoAnswerError, match="KeyError"):
            helper.choose(GRAVITY, "nobody", state, 30)
        slow = GRAVITY.set_up(["Ada", "Bo", "Cy", "Di", "Ed", "Flo"], {}, Random(1))
        with pytest.raises(thinker.NoAnswerError, match="seconds"):
            helper.choose(GRAVITY, "nova:8", slow, 0.0)
        GRAVITY.apply_turn(state, helper.choose(GRAVITY, "greedy", state, 30))
    assert thinker.helper() is None


def test_the_same_message_twice_plays_one_turn(ada: User) -> None:
    game = bots_game(ada)
    for _time in range(2):
        tasks.play_bot_turn(game_id=game.pk, seq=game.seq)
    assert game.entries.filter(by=Actor.BOT).count() == 1


def test_each_task_is_on_a_queue_and_beat_sends_no_other() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if name.startswith(("accounts.", "games."))}
    assert set(settings.CELERY_TASK_ROUTES) == ours
    assert {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()} == set(app.amqp.queues)
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks.SWEEP_BOT_TURNS in scheduled
    assert scheduled <= ours
