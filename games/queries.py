"""Everything that is read of games, each with a number of database queries that does not grow with the game.

What these return for a reader holds nothing that is hidden from that reader, except `GamePage.state`, which is for the
server alone: hand it to the rules, never to a template.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, Subquery

from engine.contract import Event, JsonObject, Rules, Summary
from games.deadlines import MAY_STOP, may_stop_values
from games.errors import Code, GameError
from games.labels import Status
from games.models import Consent, Entry, Game, Invitation, Message, Position, Proposal, Remark, Seat
from games.notifications.models import GameMute
from games.positions import known_positions, position_at, read_events, rules_of
from games.records import Reader, game_record, is_open_to_all, next_actor, people_in, seat_of, visible_turn

if TYPE_CHECKING:
    from accounts.models import User

LOG_SIZE: Final = 30
LIST_SIZE: Final = 50
TALK_SIZE: Final = 50


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the move log as its reader may see it."""

    seq: int
    seat: int
    turn: str
    event: str
    reason: str
    by: str
    at: datetime
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """All that a page about one game shows. ``state`` is None until the game starts; so are what follow from it."""

    game: Game
    rules: Rules[Any]
    seats: tuple[Seat, ...]
    """In seat order; before the start in order of joining. ``seat.user`` is loaded."""
    viewer: Seat | None
    """The reader's own seat, None for guests."""
    to_move: Seat | None
    """The seat that must act now, whatever position is shown."""
    seq: int
    """The number of the shown position: 0 after set-up, else that of the entry that led to it."""
    state: Any
    """The full state at ``seq``: for the rules only."""
    view: JsonObject | None
    """The position at ``seq`` as the reader may see it."""
    summary: Summary | None
    """Points, ranking, seat to move and counters at ``seq``."""
    events: tuple[Event, ...]
    """What happened in the entry ``seq``, as the reader may see it."""
    log: tuple[LogLine, ...]
    """The newest entries of the whole game, newest first, as many as were asked for."""

    @property
    def viewer_number(self) -> int | None:
        """The number of the reader's seat, None for guests and before the start."""
        return None if self.viewer is None else self.viewer.number

    @property
    def is_latest(self) -> bool:
        """Whether the shown position is the game's last."""
        return self.seq == self.game.seq

    @property
    def may_move(self) -> bool:
        """Whether the reader may play a turn from the shown position."""
        return self.is_latest and self.to_move is not None and self.to_move == self.viewer


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A message that a player wrote."""

    seat: int
    name: str
    own: bool
    """Whether the reader wrote it."""
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Talk:
    """Some of what the players of a game wrote to each other, oldest first."""

    lines: tuple[TalkLine, ...]
    before: int | None
    """What `talk` takes to return the lines before these; None if there are none."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What there is of a game beside its entries."""

    remarks: bool
    """Whether something happened between entries."""
    messages: bool
    """Whether players wrote to each other."""
    muted: bool
    """Whether the reader wants no notices of the game."""
    asked: bool
    """Whether something is proposed that the reader, who still plays, has yet to answer."""
    stops: bool
    """Whether holidays or pauses may stop the clock of the open turn."""


BESIDE: Final = f"""
SELECT EXISTS (SELECT 1 FROM {Remark._meta.db_table} WHERE game_id = %(game)s),
    EXISTS (SELECT 1 FROM {Message._meta.db_table} WHERE game_id = %(game)s),
    EXISTS (SELECT 1 FROM {GameMute._meta.db_table} WHERE game_id = %(game)s AND user_id = %(user)s),
    EXISTS (SELECT 1 FROM {Proposal._meta.db_table} proposal WHERE game_id = %(game)s AND closed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM {Consent._meta.db_table} WHERE proposal_id = proposal.id AND seat = %(seat)s)),
    {MAY_STOP}
"""  # noqa: S608 - the names of our own tables
"""Many looks in one, written out as the queries themselves cost less than putting them together for each page."""


@dataclass(frozen=True, slots=True)
class MyGames:
    """A person's games, those that wait for them first."""

    to_move: tuple[Game, ...]
    """Running, the person is to move; the most urgent first."""
    waiting: tuple[Game, ...]
    """Running, someone else is to move."""
    open: tuple[Game, ...]
    """Not started."""
    invited: tuple[Game, ...]
    """Not started, the person is asked to take a seat by who is called ``game.invited_by``."""


def game_page(key: str, reader: Reader, *, at: int | None = None, lines: int = LOG_SIZE) -> GamePage:
    """Return what a page of the game shows to ``reader``, at its last position or after entry ``at``.

    Five queries, three where no ``lines`` of the log are wanted. Raises `GameError`: ``no-such-game``,
    ``no-such-position``.
    """
    return page_of(_game_by_key(key), reader, at=at, lines=lines)


def page_of(game: Game, reader: Reader, *, at: int | None = None, lines: int = 0) -> GamePage:
    """Return what `game_page` does, of a game whose seats and users are loaded.

    A query for the position, unless it was reached before with this very ``game``, and two for ``lines`` of the log.
    """
    viewer = seat_of(game, reader)
    if game.setup is None:
        if at is not None:
            raise GameError(Code.NO_SUCH_POSITION, seq=at)
        return GamePage(
            game,
            rules_of(game),
            _in_order(game),
            viewer,
            None,
            0,
            None,
            None,
            None,
            (),
            (),
        )
    number = None if viewer is None else viewer.number
    reached = position_at(game, game.seq if at is None else at)
    rules = rules_of(game)
    return GamePage(
        game=game,
        rules=rules,
        seats=_in_order(game),
        viewer=viewer,
        to_move=next_actor(game),
        seq=reached.seq,
        state=reached.state,
        view=rules.view(reached.state, number, ended=is_open_to_all(game)),
        summary=rules.summary(reached.state),
        events=_visible_events(game, reached.events, number),
        log=log_page(game, number, size=lines) if lines else (),
    )


def game_version(key: str) -> tuple[int, int]:
    """Return (id, version) of a game: all that a poll needs when nothing has changed. One query.

    Raises `GameError` (``no-such-game``).
    """
    row = Game.objects.filter(key=key).values_list("pk", "version").first()
    if row is None:
        raise GameError(Code.NO_SUCH_GAME)
    return row


def log_page(game: Game, viewer: int | None, *, before: int | None = None, size: int = LOG_SIZE) -> tuple[LogLine, ...]:
    """Return at most ``size`` entries, newest first, up to the one before ``before``: two queries."""
    entries = game.entries.order_by("-seq")
    if before is not None:
        entries = entries.filter(seq__lt=before)
    rows = list(entries[:size])
    events = _stored_events(game, rows)
    return tuple(
        LogLine(
            seq=entry.seq,
            seat=entry.seat,
            turn=visible_turn(game, entry, viewer),
            event=entry.event,
            reason=entry.reason,
            by=entry.by,
            at=entry.at,
            events=_visible_events(game, events.get(entry.seq, ()), viewer),
        )
        for entry in rows
    )


def talk(game: Game, viewer: Seat, *, before: int | None = None) -> Talk:
    """Return at most `TALK_SIZE` messages for a player of the started game, the newest or those before one: one query.

    Uses the game's loaded seats.
    """
    messages = game.messages.order_by("-pk")
    if before is not None:
        messages = messages.filter(pk__lt=before)
    rows = list(messages[: TALK_SIZE + 1])
    shown = rows[:TALK_SIZE][::-1]
    names = {seat.number: seat.name for seat in game.seats.all()}
    return Talk(
        lines=tuple(TalkLine(row.seat, names[row.seat], row.seat == viewer.number, row.text, row.at) for row in shown),
        before=shown[0].pk if len(rows) > len(shown) else None,
    )


def talk_beside(page: GamePage, *, written: bool = True) -> Talk | None:
    """Return the newest messages for a game's page; None for guests, and where only computer players could read.

    No query where nothing was ``written``.
    """
    viewer = page.viewer
    if viewer is None or all(seat.bot or seat == viewer for seat in page.seats):
        return None
    return talk(page.game, viewer) if written else Talk((), None)


def beside_page(page: GamePage) -> Beside:
    """Return what there is beside the board of a started game: one query, whatever is asked."""
    game, viewer, mover = page.game, page.viewer, page.to_move
    since = (mover.since if mover is not None else None) or game.created_at
    look = {
        "seat": 0 if viewer is None else viewer.number,
        "user": 0 if viewer is None else viewer.user_id,
        **may_stop_values(game, None if mover is None else mover.user_id, since),
    }
    with connection.cursor() as cursor:
        cursor.execute(BESIDE, look)
        remarks, messages, muted, asked, stops = map(bool, cursor.fetchone())
    asked &= game.status == Status.ACTIVE and page.viewer_number in people_in(game)
    return Beside(remarks=remarks, messages=messages, muted=muted, asked=asked, stops=stops)


def talk_page(key: str, reader: Reader, *, before: int | None) -> tuple[Game, Talk]:
    """Return a started game with what its players wrote, for one of them: three queries.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running`` before the start.
    """
    game = _game_by_key(key)
    viewer = seat_of(game, reader)
    if viewer is None:
        raise GameError(Code.NOT_YOURS)
    if game.setup is None:
        raise GameError(Code.NOT_RUNNING)
    return game, talk(game, viewer, before=before)


def record_for(key: str, reader: Reader) -> JsonObject:
    """Return the game's record as ``reader`` may have it: three queries.

    Raises `GameError`: ``no-such-game``; ``not-running`` for a game that was never set up.
    """
    game = _game_by_key(key)
    if game.setup is None:
        raise GameError(Code.NOT_RUNNING)
    viewer = seat_of(game, reader)
    return game_record(
        game,
        list(game.entries.order_by("seq")),
        None if viewer is None else viewer.number,
    )


def lobby() -> tuple[Game, ...]:
    """Return the open public games, newest first, at most `LIST_SIZE`, each with its seats loaded: two queries."""
    games = _listed().filter(status=Status.OPEN, public=True).order_by("-created_at")
    return tuple(games[:LIST_SIZE])


def my_games(user: "User") -> MyGames:
    """Return a person's games that have not ended, with their seats loaded: at most four queries."""
    games = _listed().filter(seats__user=user).annotate(own_number=F("seats__number"))
    running = list(
        games.filter(status=Status.ACTIVE).order_by(F("deadline").asc(nulls_last=True), "turn_began_at", "pk")
    )
    seated = Seat.objects.filter(game=OuterRef("pk"), user=user)
    asked = Invitation.objects.filter(game=OuterRef("pk"), user=user, declined_at=None)
    opened = _listed().filter(Exists(seated) | Exists(asked), status=Status.OPEN).order_by("-created_at")
    opened = opened.annotate(invited_by=Subquery(asked.values("by__display_name")[:1]))
    return MyGames(
        to_move=tuple(game for game in running if game.to_move == game.own_number),
        waiting=tuple(game for game in running if game.to_move != game.own_number),
        open=tuple(game for game in opened if seat_of(game, user) is not None),
        invited=tuple(game for game in opened if seat_of(game, user) is None),
    )


def ended_games(user: "User") -> QuerySet[Game]:
    """Return a person's finished and cancelled games, newest first, to be sliced into pages."""
    ended = _listed().filter(seats__user=user, status__in=(Status.FINISHED, Status.CANCELLED))
    return ended.order_by("-finished_at", "-pk")


def finished_public_games(user: "User") -> QuerySet[Game]:
    """Return the finished games that a person's public page lists, newest first, to be sliced into pages."""
    finished = _listed().filter(seats__user=user, status=Status.FINISHED, public=True)
    return finished.annotate(own_place=F("seats__place")).order_by("-finished_at", "-pk")


def newest_running_game() -> str | None:
    """Return the key of the public game that started last, is past its first round and still runs, or None."""
    running = Game.objects.filter(status=Status.ACTIVE, public=True, round__gt=1).order_by("-started_at", "-pk")
    return running.values_list("key", flat=True).first()


def games_to_move(user: "User") -> QuerySet[Game]:
    """Return the running games in which the person is to move."""
    return Game.objects.filter(
        pk__in=Seat.objects.filter(user=user, game__status=Status.ACTIVE, number=F("game__to_move")).values("game")
    )


def games_awaiting_bots(size: int) -> list[tuple[int, int]]:
    """Return (id, seq) of running games in which a computer player is to move, longest waiting first."""
    games = Game.objects.filter(bot_to_move=True).order_by("turn_began_at")
    return list(games.values_list("pk", "seq")[:size])


def _game_by_key(key: str) -> Game:
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number", "pk"))
    game = Game.objects.select_related("creator").prefetch_related(seats).filter(key=key).first()
    if game is None:
        raise GameError(Code.NO_SUCH_GAME)
    return game


def _in_order(game: Game) -> tuple[Seat, ...]:
    return tuple(game.seats.all())


def _listed() -> QuerySet[Game]:
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number", "pk"))
    return Game.objects.defer("setup").select_related("creator").prefetch_related(seats)


def _stored_events(game: Game, entries: Sequence[Entry]) -> dict[int, tuple[Event, ...]]:
    if not entries:
        return {}
    known = known_positions(game)
    if all(entry.seq in known for entry in entries):
        return {entry.seq: known[entry.seq].events for entry in entries}
    rows = Position.objects.filter(game=game, seq__range=(entries[-1].seq, entries[0].seq))
    return {seq: read_events(events) for seq, events in rows.values_list("seq", "events")}


def _visible_events(game: Game, events: tuple[Event, ...], viewer: int | None) -> tuple[Event, ...]:
    return events if is_open_to_all(game) else rules_of(game).view_events(events, viewer)
