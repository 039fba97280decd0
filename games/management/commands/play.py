"""``manage.py play``: the whole site in one process, for a developer's machine."""

import signal
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from random import SystemRandom
from types import FrameType
from typing import Any

from celery import current_app
from celery.beat import Scheduler, Service
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.servers.basehttp import get_internal_wsgi_application, run
from django.utils import timezone

from games.management import demo
from games.management.thinker import thinking_apart

PATIENCE = 10.0
"""Seconds that running tasks get to end when the site stops."""


class Command(BaseCommand):
    """Web server, worker and timer as threads of one process; it stops on Ctrl-C and may be killed at any time.

    Computer players think in another process, which ends with this one.
    """

    help = "Run the whole site on this machine: web server, worker and timer in one process. Development only."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="", help="address to listen on (every one of this machine's own)")

    def handle(self, *_args: Any, host: str, **_options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("This command is for a development machine: set DEBUG=1.")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, interrupt)
        call_command("check")
        call_command("migrate", verbosity=0)
        call_command("make_puzzles", starters=True, verbosity=0)
        demo.make_demo(now=timezone.now(), rng=SystemRandom())
        try:
            with thinking_apart(), background():
                run(
                    host or "127.0.0.1",
                    settings.PORT,
                    get_internal_wsgi_application(),
                    threading=True,
                    on_bind=self.say,
                )
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        except OSError as error:
            reason = f"Port {settings.PORT} can't be used ({error.strerror}). Try another one: make play PORT=8001"
            raise CommandError(reason) from error

    def say(self, port: int | str) -> None:
        """Print where the site is and how to look around."""
        lines = [f"\nGravity Superstar is at http://localhost:{port}"]
        players = demo.demo_players()
        if players:
            who = " or ".join(player.email for player in players)
            lines += [f"Sign in as {who} with the password {demo.PASSWORD}, or sign up."]
        lines += [f"Everything is kept in {settings.DATA_DIR}. Ctrl-C stops the site.\n"]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Stop like Ctrl-C does, also where a shell has set that aside."""
    raise KeyboardInterrupt


@contextmanager
def background() -> Iterator[None]:
    """Run a worker and the timer of its periodic tasks as long as the block lasts."""
    worker = current_app.WorkController(
        pool_cls="threads", concurrency=4, without_heartbeat=True, without_mingle=True, without_gossip=True
    )
    beat = Service(current_app, max_interval=1, scheduler_cls=Scheduler)
    threads = [
        threading.Thread(target=part.start, name=name, daemon=True)
        for name, part in (("worker", worker), ("timer", beat))
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        beat.stop()
        worker.stop()
        for thread in threads:
            thread.join(PATIENCE)
