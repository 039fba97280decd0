"""Redis as the compose file runs it: only the site signs in, may do what it needs, and nothing to the server itself."""

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import redis

from tests.conftest import NO_REDIS
from tests.services import HOST, find_redis, free_port, wait_until
from tests.stack.people import Database, make_people
from tests.stack.stack import SECRETS, Stack, interpolate, read_compose

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

PASSWORD = SECRETS["REDIS_PASSWORD"]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """Return the address of a server that runs by the command of the compose file."""
    if find_redis() is None:
        pytest.skip(NO_REDIS)
    service = read_compose()["services"]["redis"]
    shell, flag, program = service["command"]
    port = free_port()
    program = f"{interpolate(program, {})} --port {port} --bind {HOST} --dir {shlex.quote(str(tmp_path))}"
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "REDIS_PASSWORD": PASSWORD}
    with subprocess.Popen([shell, flag, program], env=environment, stdout=subprocess.DEVNULL) as server:

        def answers() -> bool:
            with suppress(redis.ConnectionError), redis.Redis(HOST, port, username="site", password=PASSWORD) as client:
                return bool(client.ping())
            return False

        wait_until(answers, what="Redis")
        yield f"redis://site@{HOST}:{port}/0"
        server.terminate()


def test_the_site_plays_through_a_broker_that_lets_it_do_no_more_than_it_needs(
    stack: Stack, database: Database, broker: str
) -> None:
    stack.redis_url, stack.redis_password = broker, PASSWORD
    stack.start_site()
    (ada,) = make_people(stack, "Ada")
    ada.post("/accounts/logout/")
    ada.sign_in()  # its limits are kept there
    key = ada.create_game(2, "nova:1")
    for _turn in range(2):
        stack.wait(lambda: database.game(key)["mover"] == "Ada", what="the computer player's turn")
        assert ada.play(key, database.seq(key), database.choose_turn(key, Random(2))).status == 200
    stack.wait(lambda: ada.get("/readyz").status == 200, what="a heartbeat of every sweep")
    assert all(stack.is_healthy(service) for service in stack.workers())
    assert "NOPERM" not in stack.all_logs()
    assert "cache is away" not in stack.all_logs()
    assert PASSWORD not in stack.all_logs()

    with redis.Redis.from_url(broker.replace("site@", "")) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
    with redis.Redis.from_url(broker, password=PASSWORD) as site:
        for command in (("CONFIG", "GET", "*"), ("FLUSHALL",), ("ACL", "LIST"), ("MODULE", "LIST"), ("SHUTDOWN",)):
            with pytest.raises(redis.exceptions.NoPermissionError):
                site.execute_command(*command)
