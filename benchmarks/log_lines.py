"""What the log of a game's page costs, its lines kept or made anew: ``python -m benchmarks.log_lines``.

The lines of `games.web.log_lines` about one game, on SQLite in memory. The positions that they narrate are kept in both
cases. Both are measured in turn, in processor time, and each is the best of several runs.
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from games.queries.game_page import GamePage

RUNS: Final = 20


def main() -> int:
    """Print the figures."""
    os.environ.update(
        DEBUG="1", DATABASE_URL="sqlite://:memory:", LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="gravitysite.settings"
    )
    import django  # noqa: PLC0415 - the environment is set only now
    from django.core.management import call_command  # noqa: PLC0415 - as above

    django.setup()
    call_command("migrate", verbosity=0)
    now = datetime.now(UTC)
    page = page_of_a_game(now)

    from games.web import log_lines  # noqa: PLC0415 - Django must be set up first

    shown = log_lines.shown_entries(page)

    def show() -> None:
        log_lines.narrated_log(page, shown, [], now)

    def forget() -> None:
        log_lines._kept.clear()
        log_lines._draw.cache_clear()

    show()
    kept, made = race(show, forget)
    print(f"{len(shown)} lines of a log: {kept:.2f} ms kept, {made:.2f} ms made, {made / kept:.0f} times as much")
    return 0


def race(show: Callable[[], None], forget: Callable[[], None]) -> tuple[float, float]:
    """Return the milliseconds that it takes to show what is kept, and what was forgotten."""
    kept, made = [], []
    for _run in range(RUNS):
        kept.append(took(show))
        forget()
        made.append(took(show))
    return min(kept), min(made)


def took(work: Callable[[], None]) -> float:
    """Return the milliseconds of processor time that some work takes."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def page_of_a_game(now: datetime) -> "GamePage":
    """Play as many turns as a page shows, by chance, and return the page as one of the players sees it."""
    from accounts.models import User  # noqa: PLC0415 - Django must be set up first
    from engine.rulesets import RULESETS  # noqa: PLC0415 - as above
    from games import commands  # noqa: PLC0415 - as above
    from games.queries.game_page import game_page  # noqa: PLC0415 - as above
    from games.queries.log import LOG_SIZE  # noqa: PLC0415 - as above

    ada, bo = (User.objects.create_user(f"{name}@example.org", display_name=name) for name in ("Ada", "Bo"))
    chance = Random(1)
    game = commands.create_game(
        user=ada, ruleset="gravity-1", size=2, options={}, public=False, bots=[], now=now, rng=chance
    )
    game = commands.join_game(game_key=game.key, user=bo, now=now, rng=chance)
    rules = RULESETS[game.ruleset]
    state = rules.read_setup(game.setup or {})
    seats = {seat.number: seat.user for seat in game.seats.all()}
    for seq in range(LOG_SIZE):
        user = seats[rules.summary(state).seat]
        assert user is not None
        turn = rules.choose_turn("random", state, chance)
        commands.play_turn(game_key=game.key, user=user, seq=seq, turn=turn, now=now)
        state = rules.apply_turn(state, turn).state
    return game_page(game.key, ada)


if __name__ == "__main__":
    sys.exit(main())
