"""What follows from many finished games: ratings, careers, head-to-heads, turns in time, as the commands write them."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from games.commands._ratings import month_of
from games.commands.rebuild_ratings import LISTED_FOR
from games.management.load.plays import Play
from games.management.load.tables import Tables
from games.models import Career, Punctuality, Rating, RatingChange, RatingCounter, RatingMonth, Rivalry
from games.models.choices import Pool
from games.skill import ESTABLISHED, Skill, rate, shown

WIDE: Final = 1 << 24
"""Above the number of any person; also of the games of one of them."""
AMOUNTS: Final = ("points", "turns", "in_time", "seconds")


class Standing:
    """A rating as it is after some games."""

    __slots__ = ("games", "months", "number", "played_at", "pool", "skill", "user")

    def __init__(self, number: int, user: int, pool: str) -> None:
        self.number, self.user, self.pool = number, user, pool
        self.skill, self.games = Skill(), 0
        self.played_at: datetime | None = None
        self.months: dict[date, list[int]] = {}

    def move(self, skill: Skill, at: datetime) -> None:
        """Take in what a game made of it."""
        before, self.skill = self.skill, skill
        self.games += 1
        self.played_at = at
        if self.games > ESTABLISHED:
            month = self.months.setdefault(month_of(at), [0, 0])
            month[0] += 1
            month[1] += shown(skill.mu) - shown(before.mu)


class Ratings:
    """The ratings of all, moved on game by game."""

    def __init__(self, tables: Tables) -> None:
        self.last = 0
        self._standings: dict[tuple[int, str], Standing] = {}
        self._add = tables.into(
            RatingChange,
            *("id", "rating_id", "seat_id", "number", "place", "mu_before", "sigma_before", "mu_after", "sigma_after"),
            *("games", "at"),
        )
        self._rating = tables.into(
            Rating, "id", "user_id", "pool", "mu", "sigma", "games", "played_at", "least", "listed"
        )
        self._month = tables.into(RatingMonth, "id", "rating_id", "pool", "month", "games", "gain")
        self._counter = tables.into(RatingCounter, "id", "last")
        self._changes = 0

    def of(self, user: int, size: int) -> Standing:
        """Return the rating of a person in games of a size, which they get with their first one."""
        key = (user, str(Pool.of(size)))
        standing = self._standings.get(key)
        if standing is None:
            standing = self._standings[key] = Standing(len(self._standings) + 1, *key)
        return standing

    def rate(self, standings: Sequence[Standing], seats: Sequence[int], places: Sequence[int], at: datetime) -> int:
        """Rate a game, and return its number."""
        self.last += 1
        after = rate([standing.skill for standing in standings], places)
        for standing, seat, place, skill in zip(standings, seats, places, after, strict=True):
            before = standing.skill
            standing.move(skill, at)
            self._changes += 1
            self._add(
                *(self._changes, standing.number, seat, self.last, place),
                *(before.mu, before.sigma, skill.mu, skill.sigma, standing.games, at),
            )
        return self.last

    def store(self, now: datetime) -> None:
        """Write down what they came to."""
        months = 0
        for one in self._standings.values():
            lately = one.played_at is not None and one.played_at >= now - LISTED_FOR
            skill, listed = one.skill, one.games >= ESTABLISHED and lately
            self._rating(
                *(one.number, one.user, one.pool, skill.mu, skill.sigma, one.games, one.played_at, skill.least, listed)
            )
            for month, (games, gain) in one.months.items():
                months += 1
                self._month(months, one.number, one.pool, month, games, gain)
        self._counter(1, self.last)


class Sums:
    """What the finished games of people came to."""

    def __init__(self, tables: Tables, plays: Sequence[Play]) -> None:
        self._plays = plays
        self._seats: Counter[tuple[int, int, int, bool]] = Counter()
        self._pairs: dict[int, int] = {}
        self._career = tables.into(
            Career, "id", "user_id", "kind", "public", "games", "wins", "left", *AMOUNTS, "counts"
        )
        self._rivalry = tables.into(Rivalry, "id", "user_id", "rival_id", "public", "games", "ahead", "behind")
        self._punctuality = tables.into(Punctuality, "id", "user_id", "played", "missed")

    def add(self, number: int, people: Sequence[int], *, public: bool) -> None:
        """Take in a game of these people, who did as those in the play of that number."""
        results = self._plays[number].results
        pairs = self._pairs
        for own, (user, result) in enumerate(zip(people, results, strict=True)):
            self._seats[user, number, own, public] += 1
            for rival, other in zip(people, results, strict=True):
                if rival != user:
                    key = (user * WIDE + rival) * 2 + public
                    ahead, behind = result.place < other.place, result.place > other.place
                    pairs[key] = pairs.get(key, 0) + 1 + ahead * WIDE + behind * WIDE * WIDE

    def store(self, store: Tables) -> None:
        """Write down what they came to."""
        careers: defaultdict[tuple[int, str, bool], Counter[str]] = defaultdict(Counter)
        counts: defaultdict[tuple[int, str, bool], Counter[str]] = defaultdict(Counter)
        turns: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
        for (user, number, own, public), times in self._seats.items():
            play = self._plays[number]
            result = play.results[own]
            key = (user, play.kind, public)
            career = careers[key]
            career["games"] += times
            career["wins"] += times * (result.place == 1)
            career["left"] += times * result.retired
            for name in AMOUNTS:
                career[name] += times * getattr(result, name)
            for code, count in result.counts.items():
                counts[key][code] += times * count
            if not any(play.terms.seats):
                turns[user][0] += times * play.in_time[result.seat - 1]
                turns[user][1] += times * play.missed[result.seat - 1]
        for number, (key, career) in enumerate(sorted(careers.items()), start=1):
            amounts = (career[name] for name in ("games", "wins", "left", *AMOUNTS))
            self._career(number, *key, *amounts, json.dumps(dict(sorted(counts[key].items()))))
        for number, (user, (played, missed)) in enumerate(sorted(turns.items()), start=1):
            self._punctuality(number, user, played, missed)
        for number, (packed, value) in enumerate(self._pairs.items(), start=1):
            pair, listed = divmod(packed, 2)
            games, ahead, behind = value % WIDE, value // WIDE % WIDE, value // WIDE // WIDE
            self._rivalry(number, *divmod(pair, WIDE), listed == 1, games, ahead, behind)
            store.store()
