"""Nobody can name the card that a computer player laid face down, not even who knows how it chooses."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, count, islice
from random import Random

import pytest

from engine.gravity import Gravity, rules
from engine.gravity.bots import BOTS, LEVELS
from engine.gravity.setup import GOODIE_CARDS
from engine.gravity.state import BASE, CARDS, GOODIES, State, cards_bits
from engine.gravity.view import known_to

GRAVITY = Gravity()
ASKED_PLAYERS = [bot for bot in BOTS if bot not in LEVELS] + ["nova:3", "nova:6"]
"""All players, and of the levels one that looks at its own turn alone and one that searches: they draw cards alike."""
ASKED = 180
"""The number of cards that are guessed."""
MARGIN = 0.1
"""How much oftener than by chance a guesser may be right: the error of so few guesses, and what any player betrays by
the cards that it does not play."""


@dataclass(frozen=True, slots=True)
class Riddle:
    """A turn that laid a card face down: the state before it as a guest knows it, what they read, and the solution."""

    seen: State
    turn: str
    could_be: tuple[str, ...]
    card: str


@cache
def riddles(bot: str) -> tuple[Riddle, ...]:
    """Return what guests could ask themselves in games of two that the bot plays against itself."""
    return tuple(islice((riddle for seed in count() for riddle in _riddles_of(bot, seed)), ASKED))


def _riddles_of(bot: str, seed: int) -> Iterator[Riddle]:
    rng = Random(seed)
    state = GRAVITY.set_up(["Ada", "Bo"], {"goodies": GOODIE_CARDS if seed % 2 else ""}, rng)
    while not state.finished:
        turn = GRAVITY.choose_turn(bot, state, rng)
        after, laid = rules.apply_turn(state, turn), laid_by(turn)
        mover = after.players[state.seat]
        could_be = tuple(card for card in CARDS[:5] if not mover.face_up & cards_bits(card))
        if len(laid) == 1 and len(could_be) > 1 and mover.face_down & cards_bits(laid):
            yield Riddle(known_to(state, None), GRAVITY.view_turn(turn, own=False), could_be, laid)
        state = after


def laid_by(turn: str) -> str:
    """Return the cards of the five that a turn lays face down."""
    return "".join(step[3] for step in turn.split(" ") if step[0] == "S" and step[3] in CARDS[:5])


def hits(found: tuple[Riddle, ...], guess: Callable[[Riddle], str]) -> float:
    """Return the share of right guesses."""
    return sum(guess(riddle) == riddle.card for riddle in found) / len(found)


def by_chance(found: tuple[Riddle, ...]) -> float:
    """Return the share of right guesses of someone who draws any card that could lie there."""
    return sum(1 / len(riddle.could_be) for riddle in found) / len(found)


@pytest.mark.parametrize("bot", ASKED_PLAYERS)
def test_always_naming_the_same_card_is_right_no_oftener_than_chance(bot):
    found = riddles(bot)
    rates = [sum(riddle.card == card for riddle in found) / len(found) for card in CARDS[:5]]
    assert min(rates) > 0.05, "every card is laid"
    assert max(rates) < by_chance(found) + MARGIN


@pytest.mark.parametrize("bot", ASKED_PLAYERS)
def test_asking_the_player_itself_is_right_no_oftener_than_chance(bot):
    # The guesser has the player's code: it lets it play the same position with each hand that could be, and looks which
    # card it lays where it makes the turn that everyone saw.
    rng = Random(1)

    def ask(riddle: Riddle) -> str:
        turns = (BOTS[bot](hand, rng) for hand in possible_hands(riddle.seen) for _ in range(2))
        laid = Counter(laid_by(turn) for turn in turns if GRAVITY.view_turn(turn, own=False) == riddle.turn)
        return max(laid, key=laid.__getitem__) if laid else riddle.could_be[0]

    found = riddles(bot)
    assert hits(found, ask) < by_chance(found) + MARGIN


def possible_hands(seen: State) -> Iterator[State]:
    """Yield the state with each set of cards that could lie face down before the seat to move."""
    player = seen.players[seen.seat]
    unknown = [1 << i for i in range(5) if not player.face_up >> i & 1]
    for down in map(sum, combinations(unknown, player.face_down.bit_count())):
        hand = BASE & ~player.face_up & ~down | player.hand & GOODIES
        changed = replace(player, face_down=down, hand=hand)
        yield replace(seen, players=tuple(changed if i == seen.seat else p for i, p in enumerate(seen.players)))
