"""Proof that what is derived from a log is what the log says, and that the log is the one that was written."""

from collections.abc import Iterator, Sequence

from engine.chain import canonical, setup_digest
from engine.contract import Json
from engine.errors import RecordError, RulesError
from games.log.columns import GAME_COLUMNS, SEAT_COLUMNS, derive_cancelled, derive_game, derive_seats
from games.log.positions import LATEST, Snapshot, replay, rules_of, setup_of, write_events
from games.log.record import digest_after, nameless_digest
from games.log.seats import seats_of
from games.models import Entry, Game
from games.models.choices import RemarkKind


def differences(game: Game) -> Iterator[str]:
    """Yield a line for each difference between a started game and its log; none may name a card.

    Sets the derived columns of ``game`` and its seats, which must be loaded, to what the log says, without saving.
    """
    entries = list(game.entries.order_by("seq"))
    yield from _chain_differences(game, entries)
    stored = {column: getattr(game, column) for column in GAME_COLUMNS}
    stored_seats = {seat.pk: {column: getattr(seat, column) for column in SEAT_COLUMNS} for seat in seats_of(game)}
    latest = LATEST.first(pk=game.pk)
    try:
        *_before, last = _derive(game, entries)
    except (RulesError, RecordError) as error:
        yield f"the log can't be replayed after entry {game.seq}: {type(error).__name__}"
        return
    if latest is not None and latest[1]:
        yield from _position_differences(game, last, *latest[1:3])
    for column, value in stored.items():
        if getattr(game, column) != value:
            yield f"{column} is {value}, but the log says {getattr(game, column)}"
    for seat in seats_of(game):
        for column, value in stored_seats[seat.pk].items():
            if getattr(seat, column) != value:
                yield f"{column} of seat {seat.number} is {value}, but the log says {getattr(seat, column)}"


def _derive(game: Game, entries: Sequence[Entry]) -> Iterator[Snapshot]:
    """Yield each position of the log, with the derived columns of ``game`` and its seats set to it."""
    rules = rules_of(game)
    by_seq = {entry.seq: entry for entry in entries}
    for reached in replay(game, entries):
        summary = rules.summary(reached.state)
        entry = by_seq.get(reached.seq)
        at = entry.at if entry is not None else game.started_at
        assert at is not None  # a started game has its instant: the database checks it
        head = entry.digest if entry is not None else game.setup_digest
        derive_game(game, summary, seq=reached.seq, head=head, at=at)
        derive_seats(game, summary)
        yield reached
    cancelled = game.remarks.filter(kind=RemarkKind.CANCELLED).first()
    if cancelled is not None:
        derive_cancelled(game, cancelled.at)


def _chain_differences(game: Game, entries: Sequence[Entry]) -> Iterator[str]:
    setup = setup_of(game)
    nameless = nameless_digest(setup) == game.nameless_digest
    # The name of a person whose account was deleted is not in the set-up any more; all else still is.
    forgotten = any(seat.user_id is None and not seat.bot for seat in seats_of(game))
    if not nameless or (setup_digest(setup) != game.setup_digest and not forgotten):
        yield "the set-up is not the one that was drawn"
    digest = game.setup_digest
    for seq, entry in enumerate(entries, start=1):
        if entry.seq != seq:
            yield f"entry {seq} is missing"
            return
        digest = digest_after(digest, entry)
        if digest != entry.digest:
            yield f"entry {seq} breaks the chain"
            digest = entry.digest


def _position_differences(game: Game, reached: Snapshot, state: str, events: Json) -> Iterator[str]:
    if state != rules_of(game).dump(reached.state):
        yield f"the state of position {reached.seq} is not what the log leads to"
    if canonical(events) != canonical(write_events(reached.events)):
        yield f"the events of position {reached.seq} are not what the log leads to"
