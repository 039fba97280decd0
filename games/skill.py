"""How good a player is, as far as results tell: the Plackett-Luce model of OpenSkill, alike to the last digit anywhere.

What a player can do is taken for a normal distribution: its mean `mu` moves with each result, its deviation `sigma`
falls as results come in. The formulas are those of Weng and Lin, "A Bayesian Approximation Method for Online Ranking"
(2011), algorithm 4, with the constants of OpenSkill. Only operations are used whose results are fixed by IEEE 754, and
an exponential that is rounded correctly: what one machine has computed, any other one finds again (decision 13).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final

MU: Final = 25.0
SIGMA: Final = MU / 3
"""What is supposed of somebody who has not played yet."""
BETA: Final = SIGMA / 2
"""How much one player's games differ from each other."""
TAU: Final = MU / 300
"""By how much a rating gets less sure from game to game, so that it never stands still."""
KAPPA: Final = 0.0001
"""What is left at least of a variance."""
ESTABLISHED: Final = 10
"""After so many games a rating is not provisional any more."""
START: Final = 1500
SCALE: Final = 25
"""A rating as people read it: one unit of `mu` is so many points. 400 points more win ten games of eleven, roughly."""
DEVIATIONS: Final = 2
"""So many deviations below the mean lies what a player is good for at least: 49 times of 50 the truth is higher."""

_PRECISE: Final = Context(prec=30)


@dataclass(frozen=True, slots=True)
class Skill:
    """What is known of a player."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def number(self) -> int:
        """The rating as people read it."""
        return shown(self.mu)

    @property
    def least(self) -> float:
        """What the player is good for at least: what leaderboards go by."""
        return self.mu - DEVIATIONS * self.sigma


def shown(mu: float) -> int:
    """Return a rating, or what it is at least, as people read it."""
    return round(START + SCALE * (mu - MU))


def mean_of(number: int) -> float:
    """Return the lowest mean that is shown as this number, or as one above it."""
    return MU + (number - 0.5 - START) / SCALE


def rate(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return what is known of the players of a game after it; ``places`` are theirs, 1 is best, ties share one."""
    players = [Skill(skill.mu, math.sqrt(skill.sigma * skill.sigma + TAU * TAU)) for skill in skills]
    spread = math.sqrt(math.fsum(player.sigma * player.sigma + BETA * BETA for player in players))
    strengths = [_exp(player.mu / spread) for player in players]
    # By place: how strong all are together who did not do better, and how many share it.
    left = {
        place: math.fsum(strength for strength, other in zip(strengths, places, strict=True) if other >= place)
        for place in places
    }
    shared = Counter(places)
    rated = []
    for player, strength, place in zip(players, strengths, places, strict=True):
        # How probable it was that this player would be the next, each time that one was who did not do worse.
        chances = [(strength / left[other], shared[other]) for other in places if other <= place]
        variance = player.sigma * player.sigma
        # Whoever shares the place was the next in one of the times that are shared.
        surprise = 1.0 / shared[place] - math.fsum(chance / times for chance, times in chances)
        certainty = math.fsum(chance * (1.0 - chance) / times for chance, times in chances)
        mu = player.mu + surprise * (variance / spread)
        narrower = certainty * (variance / (spread * spread)) * (player.sigma / spread)
        rated.append(Skill(mu, player.sigma * math.sqrt(max(1.0 - narrower, KAPPA))))
    return tuple(rated)


def _exp(power: float) -> float:
    """Return the exponential, correctly rounded: that of the C library differs between machines in the last digit."""
    return float(Decimal(power).exp(_PRECISE))
