"""The games of a load: copies of a few plays, with people, dates and keys of their own."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any, Final

from games import clock
from games.clock import Calendar
from games.log.record import digest_after
from games.management.load.people import HEAVY, Crowd
from games.management.load.plays import UTC, Play
from games.management.load.sums import Ratings, Standing, Sums
from games.management.load.tables import Tables
from games.models import (
    KEY_ALPHABET,
    KEY_LENGTH,
    OPEN_FOR,
    Entry,
    Game,
    Invitation,
    Mark,
    Message,
    Remark,
    Result,
    Seat,
)
from games.models.choices import GameKind, RemarkKind, Status
from games.notices.kinds import NoticeKind, NoticeState
from games.notices.models import Notice
from games.timing.deadlines import next_warning

SPAN: Final = timedelta(days=3 * 365)
"""Over so long a time games have ended."""
RECENT: Final = timedelta(days=29)
"""Over so long a time notices were sent: older ones are deleted."""
WAITED: Final = timedelta(hours=5)
"""So long a game waited for its players."""
LISTED, RATED, PLAYERS_ONLY = 0.85, 0.6, 0.03
"""Shares of games: listed in the lobby, to be rated where people play, for their players only."""
WITHDRAWN_OF: Final = 100
"""For so many games one was withdrawn before its start."""
NOTICED_OF: Final = 5
"""Of one of so many games, the newest ones, there are notices still."""
NOTICES_OF_HEAVY: Final = 3_000
MESSAGES_OF_ONE: Final = 2_000
"""In one game so much was written."""
INVITED_HEAVY: Final = 30
MOST_OPEN: Final = 10
"""So many open games a person has at most."""
NAMED: Final = 0.05
TEXTS: Final = ("Good luck!", "Nice move.", "I did not see that coming.", "Thank you for the game.", "Back on Monday.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much of what there is."""

    finished: int
    of_heavy: int
    """How many of these are of the person who plays most."""
    running: int
    open: int
    with_log: int
    """How many of the finished games have a log: the newest ones."""


class Scene:
    """Makes the games one after another, and counts up what they come to."""

    def __init__(self, tables: Tables, crowd: Crowd, plays: Sequence[Play], rng: Random, now: datetime) -> None:
        self._tables, self._crowd, self._plays, self._rng, self._now = tables, crowd, plays, rng, now
        self.ratings = Ratings(tables)
        self.sums = Sums(tables, plays)
        self._games = self._seats = 0
        self._numbers: dict[type, int] = {}
        common = ("id", "key", "ruleset", "name", "size", "options", "public", "players_only", "rated", "creator_id")
        dates, terms = ("created_at", "expires_at"), ("time_control", "version", "status")
        drawn = ("started_at", "setup", "setup_digest", "nameless_digest", "seq", "head", "round", "turns")
        moving = ("turn_began_at", "to_move", "deadline", "warning_at", "state", "events")
        ended = ("finished_at", "rating_number", "settled", "is_tallied")
        self._game = tables.into(Game, *common, *dates, *terms, *drawn, *moving, *ended)
        self._seat = tables.into(
            Seat,
            *("id", "game_id", "number", "user_id", "bot", "name", "rating_id", "points", "place", "retired"),
            *("ended_at", "allowance", "reserve", "since", "zone", "misses"),
        )
        self._entry = tables.into(
            Entry, "id", "game_id", "seq", "seat", "turn", "event", "reason", "by", "at", "digest"
        )
        self._result = tables.into(
            Result,
            *("id", "game_id", "user_id", "seat", "place", "retired", "kind", "size", "public", "finished_at"),
            *("points", "turns", "in_time", "seconds", "counts"),
        )
        self._mark = tables.into(Mark, "id", "game_id", "code", "size", "finished_at", "public")
        self._remark = tables.into(Remark, "id", "game_id", "at", "after", "kind", "params")
        self._message = tables.into(Message, "id", "game_id", "seat", "text", "at")
        self._invitation = tables.into(Invitation, "id", "game_id", "user_id", "by_id", "at")
        self._notice = tables.into(
            Notice,
            *("id", "user_id", "game_id", "kind", "topic", "ref", "params", "at", "due_at", "state", "closed_at"),
        )
        self._counts = [[json.dumps(result.counts) for result in play.results] for play in plays]
        kinds = {GameKind.TWO: 60, GameKind.MANY: 25, GameKind.BOTS: 15}
        alike = {kind: sum(play.kind == kind for play in plays) for kind in kinds}
        self._weights = [kinds[GameKind(play.kind)] / alike[GameKind(play.kind)] for play in plays]

    def make(self, scale: Scale) -> Iterator[str]:
        """Make the games; yield a word on each part that is done."""
        self._make_finished(scale)
        yield f"{scale.finished:,} finished games"
        self._make_withdrawn(scale.finished // WITHDRAWN_OF)
        self._make_running(scale.running)
        self._make_open(scale.open)
        yield f"{scale.running:,} running and {scale.open:,} open games"
        self.ratings.store(self._now)
        self.sums.store(self._tables)
        self._tables.store(all_of_them=True)
        yield f"{self.ratings.last:,} rated games, and what people came to"

    # --- Games that have ended -----------------------------------------------------------------------------------

    def _make_finished(self, scale: Scale) -> None:
        rng, plays, crowd = self._rng, self._plays, self._crowd
        numbers = range(len(plays))
        tied: list[tuple[int, datetime, int]] = []
        for index in range(scale.finished):
            heavy = (index + 1) * scale.of_heavy // scale.finished > index * scale.of_heavy // scale.finished
            (number,) = rng.choices(numbers, self._weights)
            play = plays[number]
            people = crowd.draw(rng, play.terms.seats.count(""), (HEAVY,) if heavy else ())
            rng.shuffle(people)
            end = (self._now - SPAN * (1 - (index + 1) / scale.finished) - timedelta(minutes=1)).replace(microsecond=0)
            game = self._finish(number, people, end, logged=index >= scale.finished - scale.with_log)
            if index >= scale.finished - scale.finished // NOTICED_OF:
                for user in people:
                    if user != HEAVY:
                        self._notify(user, game, 1, self._now - RECENT * rng.random())
            if heavy:
                tied.append((game, end, play.size))
            self._tables.store()
        for game, end, _size in tied[-NOTICES_OF_HEAVY:]:
            self._notify(HEAVY, game, 1, max(end, self._now - RECENT))
        talked = next((row for row in reversed(tied) if row[2] == 2), None)
        if talked is not None:
            self._talk(talked[0], talked[1], min(MESSAGES_OF_ONE, scale.finished))

    def _finish(self, number: int, people: Sequence[int], end: datetime, *, logged: bool) -> int:
        rng, play = self._rng, self._plays[number]
        last, start = play.end, end - timedelta(seconds=play.end.seconds)
        public = rng.random() < LISTED
        rated = not any(play.terms.seats) and rng.random() < RATED
        game, first_seat = self._games + 1, self._seats + 1
        standings = [self.ratings.of(user, play.size) for user in people] if rated else []
        ranking = last.summary.ranking or ()
        rating_number = None
        if rated:
            seats = range(first_seat, first_seat + play.size)
            rating_number = self.ratings.rate(standings, seats, ranking, end)
        head = self._start(play, people, start, len(play.reached) - 1, logged=logged)
        players_only = self._store_game(
            play,
            people,
            start,
            head,
            terms=(Status.FINISHED, public, rated, play.size + len(play.reached)),
            moving=(end, None, None, None, "", "[]"),
            ended=(end, rating_number, True, True),
        )
        self._store_seats(play, people, standings, len(play.reached) - 1, end=end)
        listed = public and not players_only
        for user, result, counts in zip(people, play.results, self._counts[number], strict=True):
            self._result(
                *(self._next(Result), game, user, result.seat, result.place, result.retired, play.kind, play.size),
                *(listed, end, result.points, result.turns, result.in_time, result.seconds, counts),
            )
        for code in play.marks:
            self._mark(self._next(Mark), game, code, play.size, end, listed)
        self.sums.add(number, people, public=listed)
        return game

    def _make_withdrawn(self, count: int) -> None:
        for index in range(count):
            people = [HEAVY] if index % 2 else self._crowd.draw(self._rng, 1)
            play = self._rng.choice(self._plays[:10])
            end = self._now - SPAN * self._rng.random()
            self._offer(play, people, end - WAITED, Status.CANCELLED, end=end)
            self._remark(self._next(Remark), self._games, end.replace(microsecond=0), 0, RemarkKind.CANCELLED, "{}")
            self._tables.store()

    # --- Games that go on ----------------------------------------------------------------------------------------

    def _make_running(self, count: int) -> None:
        rng = self._rng
        for index in range(count):
            heavy = index % 100 == 0
            play = self._plays[rng.randrange(10)] if heavy else rng.choices(self._plays, self._weights)[0]
            people = self._crowd.draw(rng, play.terms.seats.count(""), (HEAVY,) if heavy else ())
            rng.shuffle(people)
            self._run(play, people, logged=True)
            if rng.random() < 0.1:
                self._talk(self._games, self._now - timedelta(hours=1), rng.randrange(1, 6))
            self._tables.store()

    def _run(self, play: Play, people: Sequence[int], *, logged: bool) -> None:
        rng, now = self._rng, self._now
        seqs = [seq for seq, reached in enumerate(play.reached[:-1]) if not self._bot_moves(play, reached.summary.seat)]
        seq = rng.choice(seqs)
        reached = play.reached[seq]
        mover = reached.summary.seat
        assert mover is not None
        # The open turn began when the last other one ended: before entries within it, such as somebody's leaving.
        waits = timedelta(seconds=reached.seconds - reached.began + rng.randrange(play.time_control.allowance // 2))
        start = (now - waits - timedelta(seconds=reached.began)).replace(microsecond=0)
        began = start + timedelta(seconds=reached.began)
        left = reached.clocks[mover - 1]
        ticking = clock.Clock(left.allowance, left.reserve, began)
        deadline = clock.turn_deadline(play.time_control, Calendar(UTC), ticking)
        warnings = clock.warning_instants(play.time_control, Calendar(UTC), ticking)
        public, rated = rng.random() < LISTED, not any(play.terms.seats) and rng.random() < RATED
        standings = [self.ratings.of(user, play.size) for user in people] if rated else []
        head = self._start(play, people, start, seq, logged=logged)
        self._store_game(
            play,
            people,
            start,
            head,
            terms=(Status.ACTIVE, public, rated, play.size + 1 + seq),
            moving=(began, mover, deadline, next_warning(warnings, now), reached.state, reached.events),
            ended=(None, None, False, False),
            seq=seq,
        )
        self._store_seats(play, people, standings, seq, since=(mover, began))
        user = self._seated(play, people)[mover - 1]
        assert user is not None
        self._notify(user, self._games, seq, began)

    def _make_open(self, count: int) -> None:
        rng, mine = self._rng, dict[int, int]()
        invited = 0
        for index in range(count):
            creator = HEAVY if index % 50 == 0 else self._crowd.draw(rng, 1)[0]
            if mine.get(creator, 0) >= MOST_OPEN:
                creator = rng.randrange(2, len(self._crowd.names))
            mine[creator] = mine.get(creator, 0) + 1
            play = rng.choice(self._plays[:10])
            others = self._crowd.draw(rng, rng.randrange(1, play.size), (creator,))
            created = self._now - timedelta(minutes=1) - (OPEN_FOR - timedelta(days=1)) * rng.random()
            self._offer(play, others, created, Status.OPEN, end=None)
            asked = self._crowd.draw(rng, len(others) + rng.randrange(2), others)[len(others) :]
            if invited < INVITED_HEAVY and HEAVY not in others:
                invited += 1
                asked.append(HEAVY)
            for person in asked:
                self._invitation(self._next(Invitation), self._games, person, creator, created)
            self._tables.store()

    # --- Rows ----------------------------------------------------------------------------------------------------

    def _offer(
        self, play: Play, people: Sequence[int], created: datetime, status: Status, *, end: datetime | None
    ) -> None:
        rng = self._rng
        version = len(people) + (end is not None)
        self._store_game(
            play,
            people,
            None,
            ("", ""),
            terms=(status, rng.random() < LISTED, rng.random() < RATED, version),
            moving=(None, None, None, None, "", "[]"),
            ended=(end, None, False, False),
            created=created,
        )
        for person in people:
            self._seats += 1
            name = self._crowd.names[person]
            self._seat(self._seats, self._games, None, person, "", name, None, 0, None, False, end, 0, 0, None, "", 0)

    def _start(
        self, play: Play, people: Sequence[int], start: datetime, seq: int, *, logged: bool
    ) -> tuple[str, str, str]:
        """Return the set-up of the next game, its digest, and that of the last entry; write the log where asked to."""
        setup, text = play.setup(self._players(play, people))
        digest = head = sha256(text.encode()).hexdigest()
        if logged:
            for entry in play.entries[:seq]:
                at = start + (entry.at - play.entries[0].at) + timedelta(seconds=play.reached[1].seconds)
                head = digest_after(head, _at(entry, at))
                self._entry(
                    *(self._next(Entry), self._games + 1, entry.seq, entry.seat, entry.turn, entry.event),
                    *(entry.reason, entry.by, at, head),
                )
        return setup, digest, head

    def _store_game(
        self,
        play: Play,
        people: Sequence[int],
        start: datetime | None,
        drawn: tuple[str, ...],
        *,
        terms: tuple[Status, bool, bool, int],
        moving: tuple[Any, ...],
        ended: tuple[Any, ...],
        seq: int | None = None,
        created: datetime | None = None,
    ) -> bool:
        """Make a game; return whether it is for its players only."""
        rng = self._rng
        self._games += 1
        status, public, rated, version = terms
        at = created or (start or self._now) - WAITED
        key = "".join(rng.choices(KEY_ALPHABET, k=KEY_LENGTH))
        name = f"Evening round {self._games}" if rng.random() < NAMED else ""
        players_only = rng.random() < PLAYERS_ONLY
        if start is None:
            progress: tuple[Any, ...] = (None, None, "", "", 0, "", 0, 0)
        else:
            setup, digest, head = drawn
            reached = play.reached[-1 if seq is None else seq]
            entries = len(play.entries) if seq is None else seq
            counts = (reached.summary.round, reached.summary.turns)
            progress = (start, setup, digest, play.nameless_digest, entries, head, *counts)
        self._game(
            *(self._games, key, play.ruleset, name, play.size, play.options, public, players_only, rated, people[0]),
            *(at, at + OPEN_FOR, play.time_control_text, version, status, *progress, *moving, *ended),
        )
        return players_only

    def _store_seats(
        self,
        play: Play,
        people: Sequence[int],
        standings: Sequence[Standing],
        seq: int,
        *,
        end: datetime | None = None,
        since: tuple[int, datetime] | None = None,
    ) -> None:
        reached, names, zones = play.reached[seq], self._crowd.names, self._crowd.zones
        summary = reached.summary
        ranking: Sequence[int | None] = summary.ranking or (None,) * play.size
        for place, user in enumerate(self._seated(play, people)):
            self._seats += 1
            number, left = place + 1, reached.clocks[place]
            ticks = since is not None and since[0] == number
            self._seat(
                *(self._seats, self._games, number, user, play.terms.seats[place], names[user] if user else ""),
                standings[place].number if standings else None,
                *(summary.points[place], ranking[place], number in summary.retired, end),
                *(left.allowance, left.reserve, since[1] if since is not None and ticks else None),
                *(zones[user] if user else "", reached.misses[place]),
            )

    def _seated(self, play: Play, people: Sequence[int]) -> list[int | None]:
        coming = iter(people)
        return [None if bot else next(coming) for bot in play.terms.seats]

    def _players(self, play: Play, people: Sequence[int]) -> list[str]:
        seated = self._seated(play, people)
        return [
            bot if user is None else self._crowd.names[user] for user, bot in zip(seated, play.bot_names, strict=True)
        ]

    def _talk(self, game: int, at: datetime, count: int) -> None:
        for index in range(count):
            self._message(
                self._next(Message), game, 1 + index % 2, self._rng.choice(TEXTS), at - timedelta(count - index)
            )

    def _notify(self, user: int, game: int, seq: int, at: datetime) -> None:
        params = json.dumps({"seq": seq, "turns": seq})
        self._notice(
            *(self._next(Notice), user, game, NoticeKind.TURN, "turn", str(seq), params, at, at, NoticeState.SENT, at)
        )

    def _next(self, model: type) -> int:
        number = self._numbers[model] = self._numbers.get(model, 0) + 1
        return number

    @staticmethod
    def _bot_moves(play: Play, seat: int | None) -> bool:
        return seat is None or play.terms.seats[seat - 1] != ""


def _at(entry: Entry, at: datetime) -> Entry:
    return Entry(
        seq=entry.seq, seat=entry.seat, turn=entry.turn, event=entry.event, reason=entry.reason, by=entry.by, at=at
    )
