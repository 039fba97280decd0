"""Every command of docs/bots-by-api.md does on the running site what the page shows, and its code runs."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games import commands, queries
from games.api.base import AskThrottle, CreateThrottle, PlayThrottle, ReadThrottle
from games.api.problems import problem_kinds
from tests import leftovers
from tests.conftest import NO_CURL, ROOT
from tests.flows.play import InOrder, play_randomly, start_game
from tests.games.programs import token_of

PAGE: Final = (ROOT / "docs" / "bots-by-api.md").read_text("utf-8")
KEY: Final = "av4vdnkiaz53"


def blocks(*languages: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of code in these languages, in order."""
    for language, code in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        if language in languages:
            yield language, code


def fits(shown: Any, answered: Any) -> bool:
    """Return whether an answer has all that is shown of it, in the same shape."""
    if isinstance(shown, dict):
        return all(name in answered and fits(value, answered[name]) for name, value in shown.items())
    if isinstance(shown, list):
        return isinstance(answered, list) and all(map(fits, shown, answered))
    return shown is None or answered is None or type(shown) is type(answered)


class Session:
    """A shell in which somebody follows the page, who fills in what is theirs."""

    def __init__(self, filled_in: dict[str, str]) -> None:
        self.filled_in = filled_in
        self.known = "set -eu\n"
        self.answers: list[Any] = []

    def run(self, line: str) -> None:
        for written, meant in self.filled_in.items():
            line = line.replace(written, meant)
        if re.match(r"[A-Z]+=|ask\(", line):
            self.known += f"{line}\n"
        elif line:
            command, environment = ["bash", "-c", self.known + line], leftovers.environment()
            said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            answer = json.loads(said.stdout)
            assert "title" not in answer, answer  # no problem
            self.answers.append(answer)
            self.filled_in[KEY] = answer.get("key", self.filled_in.get(KEY, KEY))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_each_command_is_answered_as_shown(
    live_server: LiveServer, ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("curl") is None:
        pytest.skip(NO_CURL)
    # Whoever begins moves first, so that the turn on the page is legal on every board.
    monkeypatch.setattr(commands, "create_game", partial(commands.create_game, rng=InOrder(4)))
    filled_in = {
        "http://localhost:8000": live_server.url,
        "gst_the_text_that_you_were_shown": token_of(ada),
        "gst_the_token_of_the_other_bot": token_of(bo),
        "SEQ=1": "SEQ=0",
    }
    session, compared = Session(filled_in), 0
    for language, code in blocks("sh", "json"):
        if language == "sh":
            for line in code.splitlines():
                session.run(line)
        else:
            assert fits(json.loads(code), session.answers[-1]), (code, session.answers[-1])
            compared += 1
    assert (len(session.answers), compared) == (10, 9)


def test_the_code_that_guesses_hidden_cards_runs(ada: User, bo: User, tmp_path: Path) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 14, Random(5))
    record = queries.record_for(game.key, ada)
    assert "(?)" in json.dumps(record)
    (tmp_path / "record.json").write_text(json.dumps(record))
    ((_language, code),) = blocks("python")
    environment = leftovers.environment(PYTHONPATH=str(ROOT))
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    steps, chances = said.stdout.splitlines()
    assert steps.startswith("('")
    assert len(json.loads(chances.replace("(", "[").replace(")", "]"))) == 2


def test_limits_and_codes_are_those_of_the_site() -> None:
    rates = [limit.rate.partition("/")[0] for limit in (ReadThrottle, AskThrottle, PlayThrottle, CreateThrottle)]
    found = re.search(
        r"may read (\d+) times, ask what is legal (\d+) times, play (\d+) times and begin (\d+) games", PAGE
    )
    assert found is not None
    assert [*found.groups()] == rates
    statuses = {kind.code: str(kind.status) for kind in problem_kinds()}
    named = re.findall(r"^\| (\d+) `([\w-]+)` \|", PAGE, re.MULTILINE)
    assert named == [(statuses[code], code) for _status, code in named] != []
