"""How many mails a second are written and handed to a mail server on this machine: ``python -m benchmarks.mails``.

Plays a game of three for a while, puts a notice a person into the outbox, and sweeps it through one reused connection
to a server that throws everything away.
"""

import argparse
import os
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from random import Random

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

HOST = "127.0.0.1"
PORT = 8142
TURNS = 24


class Nowhere:
    """Takes every mail and keeps a count."""

    taken = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        """Take a mail."""
        self.taken += 1
        return "250 OK"


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=300, help="mails to send (300)")
    number = parser.parse_args().mails
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DEBUG="1",
            DATA_DIR=folder,
            DATABASE_URL=f"sqlite:///{folder}/db.sqlite3",
            MAIL_URL=f"smtp://{HOST}:{PORT}",
            LOG_LEVEL="ERROR",
            DJANGO_SETTINGS_MODULE="gravitysite.settings",
        )
        server = Nowhere()
        controller = Controller(server, hostname=HOST, port=PORT)
        controller.start()
        try:
            measure(number, server)
        finally:
            controller.stop()
    return 0


def measure(number: int, server: Nowhere) -> None:
    """Fill the outbox and time the sweeps that empty it."""
    import django  # noqa: PLC0415 - the environment is set only now

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from games.delivery.deliver import send_due  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    now = datetime.now(UTC)
    fill(number, now)
    connection.queries_log.clear()
    began, busy = time.perf_counter(), time.process_time()
    while server.taken < number and send_due(now + timedelta(hours=1)):
        pass
    took, busy = time.perf_counter() - began, time.process_time() - busy
    print(f"{server.taken} mails in {took:.1f} s: {server.taken / took:.0f} a second, read, written and handed over")
    print(f"{1000 * busy / server.taken:.1f} ms of processor time a mail, the receiving server's included")


def fill(number: int, now: datetime) -> None:
    """Enqueue for ``number`` people that it is their turn, each in a game of some length."""
    from accounts.models import User  # noqa: PLC0415
    from games import commands  # noqa: PLC0415
    from games.log.positions import position_at, rules_of  # noqa: PLC0415
    from games.models import Game  # noqa: PLC0415
    from games.notices.models import Notice  # noqa: PLC0415

    rng = Random(1)
    people = []
    for index in range(number):
        address, name = f"person{index}@example.org", f"Person {index}"
        people.append(User.objects.create_user(address, display_name=name, time_zone="Europe/Amsterdam"))
    for index in range(0, number, 3):
        trio = people[index : index + 3]
        game = commands.create_game(
            user=trio[0],
            ruleset="gravity-1",
            size=3,
            options={},
            public=True,
            bots=["nova:1"] * (3 - len(trio)),
            now=now,
        )
        for user in trio[1:]:
            commands.join_game(game_key=game.key, user=user, now=now)
        for _turn in range(TURNS if index == 0 else 4):
            game = Game.objects.get(pk=game.pk)
            rules = rules_of(game)
            turn = rules.choose_turn("random", position_at(game, game.seq).state, rng)
            user = game.seats.get(number=game.to_move).user
            if user is None:
                commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=rng, now=now)
            else:
                commands.play_turn(game_key=game.key, user=user, seq=game.seq, turn=turn, now=now)
    Notice.objects.exclude(topic="started").delete()


if __name__ == "__main__":
    sys.exit(main())
