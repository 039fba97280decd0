"""What becomes of notices when the mail server is away or a worker dies over a mail: none lost, none sent twice."""

import asyncio
import signal
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.services import HOST, free_port
from tests.stack.people import Database, make_people
from tests.stack.stack import Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]


SILENCE = 15.0
"""Seconds without an answer: less than the site waits for one."""


class Post:
    """A mail server that can be away, turn mails away, or take them and then say nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: list[Message] = []
        self.refused = 0
        self.refusal = ""
        """What it answers to every mail instead of taking it."""
        self.silent = False
        self.controller: Controller | None = None

    def open(self) -> None:
        """Begin to listen."""
        self.controller = Controller(self, hostname=HOST, port=self.port)
        self.controller.start()

    def close(self) -> None:
        """Be away."""
        if self.controller is not None:
            self.controller.stop()
            self.controller = None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: ARG002, N802
        """Take a mail."""
        if self.refusal:
            self.refused += 1
            return self.refusal
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content))
        if self.silent:
            await asyncio.sleep(SILENCE)
        return "250 OK"

    def counted(self) -> Counter[tuple[str, str]]:
        """Return how often each (receiver, Message-ID) came."""
        return Counter((str(mail["To"]), str(mail["Message-ID"])) for mail in self.mails)


@pytest.fixture
def post(stack: Stack) -> Iterator[Post]:
    """Return the mail server of the stack, which is away at first."""
    post = Post()
    stack.mail_url = stack.variables["MAIL_URL"] = f"smtp://{HOST}:{post.port}"
    yield post
    post.silent = False
    post.close()


START = "topic IN ('started', 'turn')"
"""The notices that the start of a game makes; others are sent later, like warnings of the clock."""


def let_pass(database: Database, minutes: int, *, leases: bool = False) -> None:
    """Let time pass for what waits in the outbox, and for whoever looked at a game; ``leases``: for senders too."""
    span = f"interval '{minutes} minutes'"
    lease = f", lease_until = lease_until - {span}" if leases else ""
    waiting = f"state = 'waiting' AND {START}"
    database.run(f"UPDATE notices_notice SET at = at - {span}, due_at = due_at - {span}{lease} WHERE {waiting}")
    if leases:
        database.run("UPDATE games_heartbeat SET busy_until = NULL")
    database.run(f"UPDATE notices_presence SET seen_at = seen_at - {span}")


def start_game(stack: Stack, database: Database) -> None:
    """Start a game of two people, of which both get a notice."""
    stack.start_site()
    ada, bo = make_people(stack, "Ada", "Bo")
    bo.join(ada.create_game(2))
    assert len(database.rows(f"SELECT 1 FROM notices_notice WHERE {START}")) == 3


def attempts(database: Database) -> int:
    """Return how often it was tried to send what waits."""
    return int(database.rows("SELECT COALESCE(sum(attempts), 0) AS n FROM notices_notice")[0]["n"])


def states(database: Database) -> set[str]:
    """Return what became of the notices of the start."""
    return {row["state"] for row in database.rows(f"SELECT state FROM notices_notice WHERE {START}")}


def all_is_sent(database: Database) -> bool:
    """Return whether nothing waits any more."""
    return not database.rows(f"SELECT 1 FROM notices_notice WHERE state = 'waiting' AND {START}")


def test_a_mail_server_that_is_away_for_an_hour_loses_no_notice_and_gets_none_twice(
    stack: Stack, database: Database, post: Post
) -> None:
    start_game(stack, database)

    for minutes in (10, 50):
        let_pass(database, minutes)
        before = attempts(database)
        stack.wait(lambda before=before: attempts(database) > before, what="an attempt to send")
    post.refusal = "451 Try again later"
    post.open()
    let_pass(database, 30)
    stack.wait(lambda: post.refused > 0, what="an attempt that is turned away")
    post.refusal = ""
    let_pass(database, 30)
    stack.wait(lambda: all_is_sent(database), what="the sending of all")

    assert set(post.counted().values()) == {1}
    assert {receiver for receiver, _id in post.counted()} == {"ada@people.example", "bo@people.example"}
    assert states(database) == {"sent"}
    stack.verify()


def test_a_worker_killed_over_a_mail_sends_that_one_again_and_all_others_once(
    stack: Stack, database: Database, post: Post
) -> None:
    post.silent = True
    post.open()
    start_game(stack, database)

    let_pass(database, 10)
    stack.wait(lambda: len(post.mails) == 1, what="a mail that is taken without an answer")
    stack.stop("worker", how=signal.SIGKILL)
    post.silent = False
    stack.start("worker")
    let_pass(database, 10, leases=True)
    stack.wait(lambda: all_is_sent(database), what="the sending of all")

    assert sorted(post.counted().values()) == [1, 2]
    assert states(database) == {"sent"}
    stack.verify()


MANY = ("Ada", "Bo", "Cleo", "Dana", "Eli", "Fay", "Gus")
NOTICE_TO_ALL = (
    "INSERT INTO notices_notice (user_id, kind, topic, ref, channel, params, at, due_at, state, cause, attempts, "
    "message_id) SELECT id, 'turn', 'test', 'all', 'mail', '{}', now() - interval '1 hour', now(), 'waiting', '', 0, "
    "'' FROM accounts_user"
)


@pytest.mark.parametrize("refusal", ["554 5.7.1 Client host blocked", "550 5.1.1 User unknown"])
def test_a_server_that_turns_everybody_away_for_a_while_silences_nobody(
    stack: Stack, database: Database, post: Post, refusal: str
) -> None:
    post.refusal = refusal
    post.open()
    stack.start_site()
    make_people(stack, *MANY)
    database.run(NOTICE_TO_ALL)
    trouble = "SELECT count(DISTINCT user_id) AS people FROM notices_mailrefusal"
    stack.wait(lambda: database.rows(trouble)[0]["people"] >= 5, what="refusals")
    stack.wait(lambda: stack.manage("check_overdue").returncode == 1, what="an alarm")
    assert refusal[:3] in (said := stack.manage("check_overdue")).stdout + said.stderr

    post.refusal = ""
    for column, table in (("at", "notices_mailrefusal"), ("due_at", "notices_notice")):
        database.run(f"UPDATE {table} SET {column} = {column} - interval '30 minutes'")
    waiting = "SELECT 1 FROM notices_notice WHERE state = 'waiting'"
    stack.wait(lambda: not database.rows(waiting), what="the sending of all")
    assert {receiver for receiver, _id in post.counted()} == {f"{name.lower()}@people.example" for name in MANY}
    assert set(post.counted().values()) == {1}
    assert database.rows("SELECT 1 FROM accounts_user WHERE refused_address <> ''") == []
