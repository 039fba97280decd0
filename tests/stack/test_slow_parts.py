"""A part of the site that is slow, or hangs, holds up nothing but itself. Real processes, the production commands."""

import asyncio
import http.client
import threading
import time
from collections.abc import Iterator
from random import Random

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.services import HOST, PATIENCE, free_port
from tests.stack.people import Database, Person, make_people
from tests.stack.stack import SITE_HOST, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

STEP = 15.0
"""Seconds that the slow mail server takes for each step."""
MANY = 16


class SlowPost:
    """A mail server that answers every step, each after a quarter of a minute."""

    def __init__(self) -> None:
        self.controller = Controller(self, hostname=HOST, port=free_port())
        self.asked = 0
        self.step = STEP

    async def pause(self) -> None:
        """Take one's time."""
        self.asked += 1
        await asyncio.sleep(self.step)

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Answer late."""
        await self.pause()
        session.host_name = hostname
        return responses

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Answer late."""
        await self.pause()
        envelope.mail_from = address
        return "250 OK"


@pytest.fixture
def slow_post(stack: Stack) -> Iterator[SlowPost]:
    """Return the slow mail server of the stack, running."""
    post = SlowPost()
    stack.mail_url = stack.variables["MAIL_URL"] = f"smtp://{HOST}:{post.controller.port}"
    post.controller.start()
    yield post
    post.step = 0
    post.controller.stop()


TESTS = (
    "INSERT INTO notices_notice (user_id, kind, topic, ref, channel, params, at, due_at, state, cause, attempts, "
    "message_id) SELECT id, 'turn', 'test', %s, 'mail', '{}', now() - interval '1 hour', now(), 'waiting', '', 0, '' "
    "FROM accounts_user"
)


def seconds_of_page(stack: Stack) -> float:
    """Return how long a guest waits for a page."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(HOST, stack.port, timeout=PATIENCE)
    connection.request("GET", "/lobby/", headers={"Host": SITE_HOST, "X-Forwarded-Proto": "https"})
    assert connection.getresponse().status == 200
    connection.close()
    return time.monotonic() - began


def ask_for_password(stack: Stack, name: str) -> None:
    """Ask for a new password, which sends a mail while the page waits."""
    person = Person(stack, name)
    person.get("/accounts/password/reset/")
    person.post("/accounts/password/reset/", email=f"{name.lower()}@people.example")


def test_a_slow_mail_server_stops_no_clock_no_computer_player_and_no_page(
    stack: Stack, database: Database, slow_post: SlowPost
) -> None:
    stack.start_site()
    ada, bo, *others = make_people(stack, "Ada", "Bo", *(f"Person{number}" for number in range(MANY)))
    with_bot, timed = ada.create_game(2, "nova:1"), ada.create_game(2)
    bo.join(timed)
    stack.wait(lambda: database.game(with_bot)["mover"] == "Ada", what="the first turn")
    for number in range(3):
        database.run(TESTS, str(number))
    stack.wait(lambda: slow_post.asked > 0, what="a mail on its way")
    time.sleep(21)  # the next sweep of mails

    database.run("UPDATE games_seat SET since = since - interval '30 days' WHERE since IS NOT NULL")
    database.run("UPDATE games_game SET deadline = now() WHERE key = %s", timed)
    began = time.monotonic()
    stack.wait(lambda: database.seq(timed) > 0, what="the end of a turn", seconds=60)
    seq = database.seq(with_bot)
    assert ada.play(with_bot, seq, database.choose_turn(with_bot, Random(3))).status == 200
    stack.wait(lambda: database.seq(with_bot) >= seq + 2, what="the computer player's turn", seconds=40)
    assert time.monotonic() - began < 90  # without workers of their own it takes as long as all the mails

    askers = [threading.Thread(target=ask_for_password, args=(stack, other.name)) for other in others]
    for asker in askers:
        asker.start()
    time.sleep(2)
    assert max(seconds_of_page(stack) for _page in range(5)) < 20
    for asker in askers:
        asker.join(timeout=PATIENCE)
        assert not asker.is_alive()
    assert all(stack.is_healthy(service) for service in ("web", "beat", *stack.workers()))


HANG = """
CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
CREATE TRIGGER hang BEFORE INSERT ON games_entry FOR EACH ROW
WHEN (NEW.by = 'bot' AND NEW.game_id = {game}) EXECUTE FUNCTION hang()
"""


def test_computer_players_that_hang_hold_up_their_own_games_only(stack: Stack, database: Database) -> None:
    stack.start_site()
    people = make_people(stack, "Ada", "Bo", "Cleo")
    rng = Random(4)
    keys = [person.create_game(2, "nova:1") for person in people]
    for person, key in zip(people, keys, strict=True):
        stack.wait(lambda person=person, key=key: database.game(key)["mover"] == person.name, what="the first turn")
    hanging = keys[:2]
    for number, key in enumerate(hanging):
        sql = HANG.format(game=database.game(key)["id"]).replace("hang", f"hang{number}")
        database.run(sql)
    for person, key in zip(people, keys, strict=True):
        assert person.play(key, database.seq(key), database.choose_turn(key, rng)).status == 200

    cleo, key = people[-1], keys[-1]
    for _turn in range(3):
        stack.wait(lambda: database.game(key)["mover"] == "Cleo", what="the turn of a game that is well")
        assert cleo.play(key, database.seq(key), database.choose_turn(key, rng)).status == 200
    stack.wait(lambda: len(database.rows("SELECT 1 FROM games_setback")) == 2, what="setbacks")
    assert all(database.game(key)["mover"] == "" for key in hanging)
    assert max(seconds_of_page(stack) for _page in range(5)) < 20

    for number in range(2):
        database.run(f"DROP FUNCTION hang{number} CASCADE")
    database.run("UPDATE games_setback SET retry_at = now()")
    for person, key in zip(people[:2], hanging, strict=True):
        stack.wait(
            lambda person=person, key=key: database.game(key)["mover"] == person.name,
            what="the turn of a game that hung",
        )
    stack.verify()
