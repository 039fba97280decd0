"""All that a page about one game shows.

What these return for a reader holds nothing that is hidden from that reader. Who needs the state of a shown position to
ask the rules takes it from `games.log.positions.position_at`, which costs no query then, and keeps it from templates.
"""

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.blocks import blocked_by
from engine.contract import Event, JsonObject, Summary
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.log.record import visible_events
from games.log.table import Reader, Table
from games.models import (
    Consent,
    Game,
    Message,
    Muted,
    Plan,
    Proposal,
    Reaction,
    Remark,
    Seat,
    SpectatorMessage,
    TalkMute,
)
from games.models.choices import Status
from games.notices.models import GameMute
from games.queries.by_key import game_by_key, watchable
from games.queries.log import LOG_SIZE, LogLine, log_page
from statements import Parameter, Select


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """All that a page about one game shows to its reader: what is hidden from them is not in it."""

    game: Game
    table: Table
    """Who sits there, who must act now, whatever position is shown."""
    seq: int = 0
    """The number of the shown position: 0 after set-up, else that of the entry that led to it."""
    view: JsonObject | None = None
    """The position at ``seq`` as the reader may see it, None until the game starts."""
    summary: Summary | None = None
    """Points, ranking, seat to move and counters at ``seq``, None until the game starts."""
    events: tuple[Event, ...] = ()
    """What happened in the entry ``seq``, as the reader may see it."""
    log: tuple[LogLine, ...] = ()
    """The newest entries of the whole game, newest first, as many as were asked for."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """In seat order; before the start in order of joining. ``seat.user`` is loaded."""
        return self.table.seats

    @property
    def viewer(self) -> Seat | None:
        """The reader's own seat, None for guests."""
        return self.table.viewer

    @property
    def to_move(self) -> Seat | None:
        """The seat that must act now, whatever position is shown."""
        return self.table.mover

    @property
    def viewer_number(self) -> int | None:
        """The number of the reader's seat, None for guests and before the start."""
        return self.table.viewer_number

    @property
    def is_latest(self) -> bool:
        """Whether the shown position is the game's last."""
        return self.seq == self.game.seq

    @property
    def may_move(self) -> bool:
        """Whether the reader may play a turn from the shown position."""
        return self.is_latest and self.to_move is not None and self.to_move == self.viewer

    def why_not_compose(self, seq: int) -> GameCode | None:
        """Return why the reader, who saw the game after entry ``seq``, may not compose a turn, or None."""
        if self.viewer is None:
            return GameCode.NOT_YOURS
        if seq != self.game.seq:
            return GameCode.STALE
        if self.may_move:
            return None
        return GameCode.NOT_YOUR_TURN if self.game.status == Status.ACTIVE else GameCode.NOT_RUNNING


@dataclass(frozen=True, slots=True)
class PageExtras:
    """What there is of a game beside its entries."""

    remarks: bool
    """Whether something happened between entries."""
    messages: bool
    """Whether players wrote to each other."""
    muted: bool
    """Whether the reader wants no notices of the game."""
    spared: bool
    """Whether the reader has blocked or muted somebody in the game, whose messages they don't see."""
    asked: bool
    """Whether something is proposed that the reader, who still plays, has yet to answer."""
    reacted: bool
    """Whether anyone has reacted to a message or a move."""
    planned: bool
    """Whether the reader has planned turns."""
    heard: int
    """How many messages the spectators have written; 0 for who has muted them."""


_UNANSWERED: Final = Proposal.objects.filter(
    ~Exists(Consent.objects.filter(proposal=OuterRef("pk"), seat=Parameter("seat"))),
    game=OuterRef("pk"),
    closed_at=None,
)
_HUSHED: Final = TalkMute.objects.filter(game=OuterRef("pk"), user=Parameter("user"))
_LAST_HEARD: Final = SpectatorMessage.objects.filter(game=OuterRef("pk")).order_by("-number").values("number")[:1]
EXTRAS: Final = Select(
    Game.objects.filter(pk=Parameter("game"))
    .annotate(
        remarked=Exists(Remark.objects.filter(game=OuterRef("pk"))),
        written=Exists(Message.objects.filter(game=OuterRef("pk"))),
        muted=Exists(GameMute.objects.filter(game=OuterRef("pk"), user=Parameter("user"))),
        spared=Exists(Seat.objects.filter(game=OuterRef("pk"), user__in=blocked_by(Parameter("user"))))
        | Exists(_HUSHED.filter(what=Muted.PLAYER)),
        asked=Exists(_UNANSWERED),
        reacted=Exists(Reaction.objects.filter(game=OuterRef("pk"), spectator_message=None)),
        hushed=Exists(_HUSHED.filter(what=Muted.SPECTATORS)),
        planned=Exists(Plan.objects.filter(seat__game=OuterRef("pk"), seat__number=Parameter("seat"))),
        heard=Coalesce(Subquery(_LAST_HEARD), 0),
    )
    .values_list("remarked", "written", "muted", "spared", "asked", "reacted", "hushed", "planned", "heard")
)


def game_page(
    key: str, reader: Reader, *, at: int | None = None, lines: int = LOG_SIZE, before: int | None = None
) -> GamePage:
    """Return what a page of the game shows to ``reader``, at its last position or after entry ``at``.

    Its log ends with the last entry, or with the one before ``before``.

    Three queries, two where no ``lines`` of the log are wanted; one more where an older position, or the log's events,
    are to be replayed. Raises `GameError`: ``no-such-game``, ``no-such-position``.
    """
    return page_of(game_by_key(key, reader), reader, at=at, lines=lines, before=before)


def page_of(
    game: Game, reader: Reader, *, at: int | None = None, lines: int = 0, before: int | None = None
) -> GamePage:
    """Return what `game_page` does, of a game whose seats and users are loaded.

    A query for the position, unless it was loaded or reached with this very ``game``, and for ``lines`` as many as
    `log_page` takes.
    """
    table = Table.of(game, reader)
    if not game.was_set_up:
        if at is not None:
            raise GameError(GameCode.NO_SUCH_POSITION, seq=at)
        return GamePage(game=game, table=table)
    number = table.viewer_number
    reached = position_at(game, game.seq if at is None else at)
    rules = rules_of(game)
    return GamePage(
        game=game,
        table=table,
        seq=reached.seq,
        view=rules.view(reached.state, number, ended=table.is_open_to_all),
        summary=rules.summary(reached.state),
        events=visible_events(game, reached.events, number),
        log=log_page(game, number, before=before, size=lines) if lines else (),
    )


def game_version(key: str, reader: Reader) -> tuple[int, int]:
    """Return (id, version) of a game: all that a poll needs when nothing has changed. One query.

    Raises `GameError` (``no-such-game``), also for one that ``reader`` may not watch.
    """
    row = watchable(reader).filter(key=key).values_list("pk", "version").first()
    if row is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    return row


def page_extras(page: GamePage, reader: Reader) -> PageExtras:
    """Return what there is beside the board of a started game: one query, whatever is asked."""
    game, seat = page.game, page.viewer_number or 0
    user = (reader.pk if reader is not None else None) or 0
    (row,) = EXTRAS(game=game.pk, user=user, seat=seat)
    remarks, messages, muted, spared, asked, reacted, hushed, planned, heard = row
    return PageExtras(
        remarks=remarks,
        messages=messages,
        muted=muted,
        spared=spared,
        asked=asked and game.status == Status.ACTIVE and page.viewer_number in page.table.people,
        reacted=reacted,
        planned=planned,
        heard=0 if hushed else heard,
    )
