"""What becomes of games when a part of the site dies. Real processes, really killed; each ends with `verify_games`."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import psycopg
import pytest
import redis

from tests.conftest import NO_POSTGRESQL
from tests.services import PATIENCE, RedisServer
from tests.stack.people import Answer, Database, Person, make_people, play_to_the_end
from tests.stack.servers import PostgresServer, SteppableClock, find_faketime, find_postgres_programs
from tests.stack.stack import Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

QUICK = 10.0
"""Seconds in which a turn is answered, on a busy machine, while the broker is away."""


def is_to_move(database: Database, key: str, person: Person) -> bool:
    """Return whether it is the person's turn."""
    return bool(database.game(key)["mover"] == person.name)


def play_turn(database: Database, key: str, person: Person, rng: Random) -> Answer:
    """Wait until the person is to move and play a turn."""
    person.stack.wait(lambda: is_to_move(database, key, person), what="the person's turn")
    return person.play(key, database.seq(key), database.choose_turn(key, rng))


def assert_each_turn_once(database: Database, key: str) -> None:
    """Assert that the log is numbered without a gap and has as many turns as the game counts."""
    game = database.game(key)  # before its entries, as computer players may still move
    entries = [entry for entry in database.entries(key) if entry["seq"] <= game["seq"]]
    assert [entry["seq"] for entry in entries] == list(range(1, game["seq"] + 1))
    assert sum(bool(entry["turn"]) for entry in entries) == game["turns"]


@contextmanager
def halted_after_entry(database: Database, key: str, seq: int) -> Iterator[None]:
    """Make whoever writes entry ``seq`` stand still in the middle of the transaction, after the entry's insert.

    Another transaction holds the places of the notices that it makes; it is rolled back at the end.
    """
    with psycopg.connect(database.url) as connection:
        connection.execute(
            "INSERT INTO notices_notice (user_id, game_id, kind, topic, ref, channel, params, at, due_at, state, "
            "cause, attempts, message_id) SELECT user_id, game_id, 'turn', 'turn', %s, 'mail', '{}', now(), now(), "
            "'waiting', '', 0, '' FROM games_seat JOIN games_game ON games_game.id = game_id "
            "WHERE key = %s AND user_id IS NOT NULL",
            (str(seq), key),
        )
        yield
        connection.rollback()


def wipe(server: RedisServer) -> None:
    """Remove everything from a Redis server."""
    with redis.Redis.from_url(server.url) as client:
        client.flushall()


def stands_still(database: Database) -> bool:
    """Return whether some process of the site waits for another transaction to write a notice."""
    waiting = (
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' "
        "AND query LIKE 'INSERT %notices_notice%'"
    )
    return bool(database.rows(waiting))


def test_a_worker_killed_in_a_bots_turn_leaves_no_half_turn_and_another_plays_it(
    stack: Stack, database: Database
) -> None:
    stack.start_site()
    (ada,) = make_people(stack, "Ada")
    rng = Random(5)
    key = ada.create_game(2, "nova:2")
    play_turn(database, key, ada, rng)
    stack.wait(lambda: is_to_move(database, key, ada), what="the first round")
    seq = database.seq(key)

    with halted_after_entry(database, key, seq + 2):
        assert ada.play(key, seq, database.choose_turn(key, rng)).status == 200
        stack.wait(lambda: stands_still(database), what="a worker in the middle of a turn")
        stack.stop("worker", how=signal.SIGKILL)
    assert database.seq(key) == seq + 1

    stack.start("worker")
    stack.wait(lambda: is_to_move(database, key, ada), what="the computer player's turn")
    assert database.seq(key) == seq + 2
    assert_each_turn_once(database, key)
    stack.verify()


def test_a_worker_killed_in_an_expiry_leaves_the_turn_open_and_another_ends_it_once(
    stack: Stack, database: Database
) -> None:
    stack.start_site()
    ada, bo = make_people(stack, "Ada", "Bo")
    key = ada.create_game(2)
    bo.join(key)
    mover = database.game(key)["mover"]

    with halted_after_entry(database, key, 1):
        database.run("UPDATE games_seat SET since = since - interval '30 days' WHERE since IS NOT NULL")
        database.run("UPDATE games_game SET deadline = now() - interval '1 second' WHERE deadline IS NOT NULL")
        stack.wait(lambda: stands_still(database), what="a sweep in the middle of an expiry")
        stack.stop("worker", how=signal.SIGKILL)
    assert database.entries(key) == []
    assert database.game(key)["mover"] == mover

    stack.start("worker")
    stack.wait(lambda: database.seq(key) > 0, what="the expiry")
    (entry,) = database.entries(key)
    assert entry["by"] == "autopilot"
    noticed = database.rows("SELECT user_id FROM notices_notice WHERE topic = 'autopilot'")
    assert len(noticed) == 1
    stack.verify()


def test_turns_are_saved_fast_while_redis_is_away_and_bots_follow_when_it_is_back(
    stack: Stack, database: Database, redis_server: RedisServer
) -> None:
    stack.redis_url = f"{redis_server.url}/0"
    stack.start_site()
    ada, bo = make_people(stack, "Ada", "Bo")
    rng = Random(11)
    with_bot = ada.create_game(2, "nova:1")
    between_people = ada.create_game(2)
    bo.join(between_people)
    stack.wait(lambda: is_to_move(database, with_bot, ada), what="the first turn")
    people = {"Ada": ada, "Bo": bo}

    redis_server.stop()
    took = []
    answers = [play_turn(database, with_bot, ada, rng)]
    for _turn in range(6):
        mover = people[database.game(between_people)["mover"]]
        began = time.monotonic()
        answers.append(play_turn(database, between_people, mover, rng))
        took.append(time.monotonic() - began)
    assert [answer.status for answer in answers] == [200] * 7
    assert max(took) < QUICK
    assert ada.get("/readyz").status == 503
    assert ada.get("/healthz").status == 200
    assert not is_to_move(database, with_bot, ada)
    ada.get("/accounts/logout/")
    ada.post("/accounts/logout/")
    ada.sign_in()  # its rate limits are kept in Redis

    redis_server.start()
    stack.wait(lambda: is_to_move(database, with_bot, ada), what="the computer player's turn")
    for key in (with_bot, between_people):
        assert_each_turn_once(database, key)
    stack.verify()


def test_a_broker_that_is_wiped_while_a_computer_player_is_to_move_holds_no_game_up(
    stack: Stack, database: Database, redis_server: RedisServer
) -> None:
    stack.redis_url = f"{redis_server.url}/0"
    stack.start_site()
    (ada,) = make_people(stack, "Ada")
    rng = Random(12)
    key = ada.create_game(2, "nova:1")
    play_turn(database, key, ada, rng)
    stack.wait(lambda: is_to_move(database, key, ada), what="the first round")
    stack.stop("worker")

    assert play_turn(database, key, ada, rng).status == 200
    wipe(redis_server)
    stack.start("worker")
    stack.wait(lambda: is_to_move(database, key, ada), what="the computer player's turn")
    wipe(redis_server)  # under a worker and a web server that run
    assert play_turn(database, key, ada, rng).status == 200
    stack.wait(lambda: is_to_move(database, key, ada), what="the computer player's next turn")
    assert_each_turn_once(database, key)
    stack.verify()


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[PostgresServer]:
    """Return a running PostgreSQL server of this test's own."""
    programs = find_postgres_programs()
    if programs is None:
        pytest.skip(NO_POSTGRESQL)
    server = PostgresServer(programs)
    server.start()
    yield server
    server.remove()


class Load:
    """People who play without a pause, each in a game against a computer player, until they are stopped."""

    def __init__(self, people: list[Person], keys: list[str], database: Database) -> None:
        self.statuses: Counter[int] = Counter()
        self.unclear: list[str] = []
        self.running = True
        self.threads = [
            threading.Thread(target=self.play, args=(person, key, database, Random(number)), daemon=True)
            for number, (person, key) in enumerate(zip(people, keys, strict=True))
        ]
        for thread in self.threads:
            thread.start()

    def play(self, person: Person, key: str, database: Database, rng: Random) -> None:
        """Play turn after turn; what was answered by 503 is sent again, unchanged, as a person would."""
        seq, turn = 0, ""
        while self.running:
            # Where the database is away the last turn is simply sent again.
            with suppress(psycopg.OperationalError):
                if not is_to_move(database, key, person):
                    time.sleep(0.05)
                    continue
                seq, turn = database.seq(key), database.choose_turn(key, rng)
            answer = person.play(key, seq, turn)
            self.statuses[answer.status] += 1
            if answer.status == 503 and ("database" not in answer.body or answer.headers["Retry-After"] != "5"):
                self.unclear.append(answer.body)

    def stop(self) -> None:
        """Let everybody finish their turn."""
        self.running = False
        for thread in self.threads:
            thread.join(timeout=PATIENCE)
            assert not thread.is_alive()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restarted", "crashed"])
def test_a_database_that_goes_away_under_load_gives_503_and_leaves_no_half_turn(
    stack: Stack, postgres: PostgresServer, how: int
) -> None:
    stack.database_url, stack.is_migrated = f"{postgres.url}/site", False
    Database(f"{postgres.url}/postgres").run("CREATE DATABASE site")
    database = Database(stack.database_url)
    stack.start_site()
    people = make_people(stack, "Ada", "Bo", "Cleo")
    keys = [person.create_game(2, "nova:1") for person in people]
    load = Load(people, keys, database)
    stack.wait(lambda: load.statuses[200] > 10, what="some turns")

    postgres.stop(how)
    stack.wait(lambda: load.statuses[503] > 2, what="an answer that the database is away")
    guest = Person(stack, "guest", language="nl")
    page = guest.get("/lobby/")
    assert (page.status, page.headers["Retry-After"]) == (503, "5")
    assert '<html lang="nl"' in page.body
    assert guest.get("/healthz").status == 200
    assert guest.get("/readyz").status == 503
    api = guest.get(f"/api/v1/games/{keys[0]}/")
    assert (api.status, api.headers["Content-Type"]) == (503, "application/problem+json")

    postgres.start()
    before = load.statuses[200]
    stack.wait(lambda: load.statuses[200] > before + 10, what="turns again")
    load.stop()
    assert load.unclear == []
    assert set(load.statuses) == {200, 503}
    for key in keys:
        assert_each_turn_once(database, key)
    stack.verify()


def is_heard_of(database: Database, offset: str) -> bool:
    """Return whether the sweep of the clocks beat in the last minute of a clock that is off by that much."""
    age = "SELECT 1 FROM games_heartbeat WHERE name = 'clocks' AND abs(extract(epoch FROM at - now()) - %s) < 60"
    return bool(database.rows(age, 3600 if offset == "+1h" else 0))


def test_a_clock_stepped_by_an_hour_and_back_ends_nobodys_turn_and_stops_no_game(
    stack: Stack, database: Database, tmp_path: Path
) -> None:
    library = find_faketime()
    if library is None:
        pytest.skip("needs libfaketime: install it (Debian: faketime)")
    clock = SteppableClock(library, tmp_path)
    for service in ("web", "worker", "beat"):
        stack.start(service, more=clock.environment)
    stack.wait_for_web()
    ada, bo = make_people(stack, "Ada", "Bo")
    rng = Random(13)
    with_bot = ada.create_game(2, "nova:1")
    hurried = ada.create_game(2)
    bo.join(hurried)
    stack.wait(lambda: is_heard_of(database, "+0"), what="a heartbeat")
    # Half an hour is left: less than the step.
    database.run("UPDATE games_seat SET since = since - interval '143 hours 30 minutes' WHERE since IS NOT NULL")
    database.run("UPDATE games_game SET deadline = deadline - interval '143 hours 30 minutes'")

    for offset in ("+1h", "+0"):
        clock.step(offset)
        stack.wait(lambda offset=offset: is_heard_of(database, offset), what="a sweep after the step")
        assert play_turn(database, with_bot, ada, rng).status == 200
        stack.wait(lambda: is_to_move(database, with_bot, ada), what="the computer player's turn")
    assert database.entries(hurried) == []
    assert play_turn(database, hurried, ada if is_to_move(database, hurried, ada) else bo, rng).status == 200
    assert_each_turn_once(database, with_bot)
    stack.verify()


def test_two_beats_change_nothing_but_the_number_of_messages(stack: Stack, database: Database) -> None:
    stack.start_site()
    stack.variables["BEAT_SCHEDULE"] = str(stack.home / "second-schedule")
    stack.start("beat", name="second beat")
    (ada,) = make_people(stack, "Ada")
    key = ada.create_game(3, "nova:2", "nova:1")
    play_to_the_end(database, key, [ada], rng=Random(14))
    assert_each_turn_once(database, key)
    stack.verify()
