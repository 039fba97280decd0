"""Games of Acorns for tests: started by the site's own commands, played by legal turns."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from accounts.models import User
from engine.contract import END
from games import commands
from games.clock import TimeControl, custom
from games.log.positions import position_at
from games.models import Game
from tests.another_game.engine import Acorns
from tests.flows.play import NOW, mover_of, start_game

RULES: Final = Acorns()
MINUTE: Final = custom(60)


def start_acorns(
    users: Sequence[User], *, seed: int = 1, bots: Sequence[str] = (), time_control: TimeControl = MINUTE
) -> Game:
    """Start a game in which the users sit in the given order."""
    return start_game(
        users, seed=seed, ruleset="acorns-1", options={"winter": "hard"}, bots=bots, time_control=time_control
    )


def state_of(game: Game) -> Any:
    """Return the game's last state."""
    fresh = Game.objects.get(pk=game.pk)
    return position_at(fresh, fresh.seq).state


def some_turn(state: Any, rng: Random) -> str:
    """Return some legal turn."""
    steps: list[str] = []
    while (legal := RULES.legal_steps(state, steps)) and (END not in legal or rng.random() < 0.3):
        choice = [step for step in legal if step != END]
        if not choice:
            break
        steps.append(rng.choice(choice))
    return " ".join(steps)


def play(game: Game, turn: str) -> None:
    """Play a turn for whoever is to move."""
    seq = Game.objects.get(pk=game.pk).seq
    commands.play_turn(game_key=game.key, user=mover_of(game), seq=seq, turn=turn, now=NOW)
