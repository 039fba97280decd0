"""How many instructions the site's process runs for one request: ``python -m benchmarks.instructions``.

Counted under ``valgrind --tool=callgrind``, so the figures repeat to a percent on any machine, busy or not. The WSGI
application answers in a process of its own, with production settings, PostgreSQL and Redis. Each kind of request is
warmed up, then counted over n and over 2n requests: the difference is free of what the counting itself costs. The
collector of cycles is off meanwhile: a rare run of it, of the whole heap, would count for the few requests it falls on.
"""

import argparse
import gc
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from benchmarks.http import Player, Request, running

KINDS: Final = {
    "floor": "the least that a turn can cost: session, user, CSRF, lock, insert, update, a page of 10 kB",
    "redirect": "a turn without script, answered by a redirect to the page",
    "fresh board": "a turn, answered by the fresh board",
    "preview": "one step of a turn, answered by the board as it would be",
    "page": "the whole page of a game",
    "poll": "an open page asks for news, and there are none",
}
WARM_UP: Final = 12
COUNT: Final = 6
TARGET: Final = re.compile(r"^(?P<method>[A-Z]+) (?P<path>[^ ?]+)(?:\?(?P<query>[^ ]*))? HTTP/1.1$")


def main() -> int:
    """Print the figures, or what is lacking to get them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("kinds", nargs="*", help=f"some of: {', '.join(KINDS)} (all)")
    options = parser.parse_args()
    if options.inside:
        answer_and_count(Path(options.inside), options.kinds)
        return 0
    if shutil.which("valgrind") is None:
        print("Instructions a request: needs valgrind (Debian: valgrind)")
        return 0
    for kind, count in measure(options.kinds or list(KINDS)):
        print(f"{kind:12} {count / 1e6:6.1f} million instructions: {KINDS[kind]}", flush=True)
    return 0


def measure(kinds: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield each kind with its instructions a request."""
    turns = WARM_UP + 3 * COUNT
    with running(games=turns // 4 + 4) as (site, floor, prepared), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        player = Player(prepared[0])
        requests = {
            "floor": player.floor(0, turns),
            "redirect": player.turns(turns, htmx=False),
            "fresh board": player.turns(turns, htmx=True),
            **{kind: [request] * turns for kind, request in player.looks().items()},
        }
        for kind in kinds:
            written = [[request.content.decode(), request.status] for request in requests[kind]]
            (folder / f"{kind}.json").write_text(json.dumps(written))
        for stack, module, those in (
            (floor, "benchmarks.floor.settings", [kind for kind in kinds if kind == "floor"]),
            (site, "gravitysite.settings", [kind for kind in kinds if kind != "floor"]),
        ):
            if those:
                environment = {**stack.environment("web"), "DJANGO_SETTINGS_MODULE": module, "PYTHONHASHSEED": "0"}
                yield from count(environment, folder, those)


def count(environment: dict[str, str], folder: Path, kinds: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Answer requests of each kind under callgrind; yield the instructions that one takes."""
    inside = [sys.executable, "-m", "benchmarks.instructions", "--inside", str(folder), *kinds]
    tool = ["--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counted"]
    done = subprocess.run(
        ["valgrind", *tool, *inside],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        sys.exit(done.stderr[-4000:])
    totals = [read_total(folder / f"counted.{part}") for part in range(1, 3 * len(kinds) + 1)]
    for place, kind in enumerate(kinds):
        _before, once, twice = totals[3 * place : 3 * place + 3]
        yield kind, (twice - once) / COUNT


def read_total(file: Path) -> int:
    """Return the instructions that a dump of callgrind counted."""
    found = re.search(r"^totals: (\d+)$", file.read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


# In the process that is counted


def answer_and_count(folder: Path, kinds: Sequence[str]) -> None:
    """Answer the requests in the folder's files, and let callgrind write what each part of them took."""
    from gravitysite.wsgi import application  # noqa: PLC0415 - only here are there settings

    for kind in kinds:
        requests = [
            Request(content.encode(), status) for content, status in json.loads((folder / f"{kind}.json").read_text())
        ]
        waiting = iter(requests)
        answer(application, islice(waiting, WARM_UP))
        gc.collect()
        gc.disable()
        control("--instr=on")
        control(f"--dump={kind} before")
        for number in (COUNT, 2 * COUNT):
            answer(application, islice(waiting, number))
            control(f"--dump={kind} {number}")
        control("--instr=off")
        gc.enable()


def control(command: str) -> None:
    """Send a command to the callgrind that runs this process."""
    subprocess.run(["callgrind_control", command, str(os.getpid())], capture_output=True, check=True)


def answer(application: Any, requests: Iterator[Request]) -> None:
    """Let the application answer requests one after the other, each with the status that is expected."""
    for request in requests:
        statuses: list[str] = []
        response = application(environ_of(request), lambda status, _headers: statuses.append(status))  # noqa: B023
        for _part in response:
            pass
        response.close()
        if not statuses[0].startswith(str(request.status)):
            sys.exit(f"answered {statuses[0]} to {request.content!r}")


def environ_of(request: Request) -> dict[str, Any]:
    """Return a request as a WSGI server hands it over."""
    head, body = request.content.split(b"\r\n\r\n", 1)
    first, *lines = head.decode().split("\r\n")
    target = TARGET.match(first)
    assert target is not None
    environ = {
        "REQUEST_METHOD": target["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": target["path"],
        "QUERY_STRING": target["query"] or "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for line in lines:
        name, value = line.split(": ", 1)
        key = name.upper().replace("-", "_")
        environ[key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"] = value
    return environ


if __name__ == "__main__":
    sys.exit(main())
