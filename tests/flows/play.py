"""Games for tests: started between given people with a set-up that a seed draws, played by legal turns."""

from collections.abc import MutableSequence, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

from accounts.models import User
from engine.contract import END
from engine.rulesets import RULESETS
from games import commands
from games.log.positions import position_at
from games.models import Game, Seat

RULESET: Final = "gravity-1"
RULES: Final = RULESETS[RULESET]
NOW: Final = datetime(2026, 11, 27, 12, tzinfo=UTC)


class InOrder(Random):
    """Chance that leaves people in the order in which they joined, then draws as any other with that seed."""

    seated = False

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle all but the first time, when the order of the seats is drawn."""
        if self.seated:
            super().shuffle(x)
        self.seated = True


def make_user(name: str, **fields: Any) -> User:
    """Create a person of that name, whose password is ``starlight``."""
    return User.objects.create_user(f"{name.lower()}@example.org", "starlight", display_name=name, **fields)


def start_game(
    users: Sequence[User],
    *,
    seed: int = 1,
    options: dict[str, Any] | None = None,
    bots: Sequence[str] = (),
    now: datetime = NOW,
    **terms: Any,
) -> Game:
    """Start a game in which the users sit in the given order, with the set-up that the seed draws.

    ``terms`` are what else `create_game` takes.
    """
    first, *others = users
    rng = InOrder(seed)
    asked = {"ruleset": RULESET, "size": len(users) + len(bots), "options": options or {}, "public": True, **terms}
    game = commands.create_game(user=first, bots=bots, now=now, rng=rng, **asked)
    for user in others:
        game = commands.join_game(game_key=game.key, user=user, now=now, rng=rng)
    return Game.objects.get(pk=game.pk)


def copy_game(game: Game) -> Game:
    """Return a second game with the same seats on the same board, nothing played yet."""
    twin = Game.objects.defer(None).get(pk=game.pk)
    twin.pk = None
    twin.key = f"{game.key[:-1]}{'a' if game.key[-1] != 'a' else 'b'}"
    twin.save()
    for seat in game.seats.order_by("number"):
        seat.pk = None
        seat.game = twin
        seat.save()
    return twin


def mover_of(game: Game) -> User:
    """Return who is to move."""
    user = Seat.objects.get(game=game, number=Game.objects.get(pk=game.pk).to_move).user
    assert user is not None
    return user


def state_of(game: Game) -> Any:
    """Return the game's last state."""
    fresh = Game.objects.get(pk=game.pk)
    return position_at(fresh, fresh.seq).state


def play(game: Game, turn: str) -> None:
    """Play a turn for whoever is to move."""
    seq = Game.objects.get(pk=game.pk).seq
    commands.play_turn(game_key=game.key, user=mover_of(game), seq=seq, turn=turn, now=NOW)


def random_turn(state: Any, rng: Random) -> str:
    """Return some legal turn."""
    steps: list[str] = []
    while True:
        step = rng.choice(RULES.legal_steps(state, steps))
        if step == END:
            return " ".join(steps)
        steps.append(step)


def simple_pair(state: Any) -> tuple[str, str] | None:
    """Return two whole turns that differ only in the card that is laid face down, if there are such."""
    legal = RULES.legal_steps(state)
    for side in "<>":
        steps = [step for step in legal if step.startswith(f"S{side}(") and step[3] in "LHDRW"]
        if len(steps) > 2 and END in RULES.legal_steps(state, steps[:1]):
            return steps[0], steps[1]
    return None


def play_randomly(game: Game, turns: int, rng: Random) -> None:
    """Play so many legal turns, or to the end."""
    for _turn in range(turns):
        state = state_of(game)
        if RULES.summary(state).finished:
            return
        play(game, random_turn(state, rng))


def long_game(users: list[User], turns: int) -> Game:
    """Return a running game with so many entries, in which everyone dawdles: a half turn, cards back, a half turn."""
    game = start_game(users)
    for _turn in range(turns):
        play(game, "C" if "C" in RULES.legal_steps(state_of(game)) else "R=")
    game.refresh_from_db()
    assert game.to_move is not None
    return game
