"""A worker that is really killed while it calls: nothing is lost, and a repeat is known as one."""

import json
from pathlib import Path

import pytest
import trustme

from tests.games.conftest import site  # noqa: F401 - a fixture
from tests.games.site import Site
from tests.outlets.conftest import Receiver
from tests.services import PATIENCE, wait_until

pytestmark = [pytest.mark.pg, pytest.mark.slow]
PROCESS = "tests.outlets.call_process"


def test_a_call_that_was_under_way_is_made_again_with_its_number(
    site: Site,  # noqa: F811 - as pytest has it
    receiver: Receiver,
    authority: trustme.CA,
    tmp_path: Path,
) -> None:
    trusted = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(trusted)
    site.start(PROCESS, "fill", receiver.url()).communicate(timeout=PATIENCE)
    receiver.delay = PATIENCE
    process = site.start(PROCESS, "call", str(receiver.port), str(trusted), "0")
    wait_until(lambda: len(receiver.taken) == 3, what="the calls")
    process.kill()
    process.wait()
    process.stdout.close()
    receiver.delay = 0
    assert site.rows("SELECT DISTINCT state FROM notices_notice WHERE channel = 'hook'") == [("waiting",)]

    def sweep(minutes: float) -> int:
        again = site.start(PROCESS, "call", str(receiver.port), str(trusted), str(minutes))
        return int(again.communicate(timeout=PATIENCE)[0].split()[-1])

    assert sweep(1) == 0  # the calls may still be under way
    assert sweep(6) == 3
    assert sweep(12) == 0
    numbers = [call.headers["webhook-id"] for call in receiver.taken]
    assert sorted(numbers[:3]) == sorted(numbers[3:])
    assert len({json.dumps(call.content["data"]) for call in receiver.taken}) == 1
    assert site.rows("SELECT DISTINCT state FROM notices_notice WHERE channel = 'hook'") == [("sent",)]
