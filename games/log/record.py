"""Records of stored games: entries as the record writes them, digests, and the document for one reader."""

from collections.abc import Sequence
from datetime import UTC, datetime

from engine.chain import chain_of, next_digest, setup_digest
from engine.contract import Event, Json, JsonObject
from games.log.positions import rules_of, setup_of
from games.log.table import is_open_to_all
from games.models import Entry, Game


def write_instant(instant: datetime) -> str:
    """Return an instant as records write it: UTC, whole seconds, with a ``Z``."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entry_form(entry: Entry) -> JsonObject:
    """Return an entry as the record writes it, hidden cards included: what its digest is taken over."""
    form: JsonObject = {"seat": entry.seat}
    if entry.turn:
        form["turn"] = entry.turn
    else:
        form["event"] = entry.event
    if entry.reason:
        form["reason"] = entry.reason
    return {**form, "at": write_instant(entry.at), "by": entry.by}


def nameless_digest(setup: JsonObject) -> str:
    """Return the digest of a set-up without the players' names: what stays the same when an account is deleted."""
    return setup_digest({**setup, "players": []})


def rename_player(setup: JsonObject, seat: int, name: str) -> JsonObject:
    """Return a set-up in which a seat's player is called something else."""
    players = setup["players"]
    assert isinstance(players, list)  # every record has its players in seat order
    return {**setup, "players": [*players[: seat - 1], name, *players[seat:]]}


def digest_after(previous: str, entry: Entry) -> str:
    """Return the digest of an entry that follows the one with digest ``previous``."""
    return next_digest(previous, entry_form(entry))


def game_record(game: Game, entries: Sequence[Entry], viewer: int | None) -> JsonObject:
    """Return the record of a started game for the reader in seat ``viewer``, or a guest (None).

    Of an ended game it is the whole record with its chain. Of a running one, what is hidden from the reader is
    written as the rules write them for others, in the set-up too; it says ``redacted``, and has no chain: a digest
    would betray them.
    """
    if is_open_to_all(game):
        log = [entry_form(entry) for entry in entries]
        return {**setup_of(game), "log": log, "chain": _chain(game, entries, log)}
    log = [visible_entry_form(game, entry, viewer) for entry in entries]
    setup = rules_of(game).view_setup(setup_of(game), viewer)
    return {**setup, "redacted": True, "log": log}


def _chain(game: Game, entries: Sequence[Entry], log: Sequence[JsonObject]) -> list[Json]:
    """Return the stored chain; where a name was taken out of the set-up, the chain of the record as it is now."""
    setup = setup_of(game)
    if setup_digest(setup) != game.setup_digest and nameless_digest(setup) == game.nameless_digest:
        return list(chain_of(setup, log))
    return [game.setup_digest, *(entry.digest for entry in entries)]


def visible_entry_form(game: Game, entry: Entry, viewer: int | None) -> JsonObject:
    """Return an entry as the record writes it for one reader."""
    form = entry_form(entry)
    if entry.turn:
        form["turn"] = visible_turn(game, entry, viewer)
    return form


def visible_turn(game: Game, entry: Entry, viewer: int | None) -> str:
    """Return the turn's text as the reader in seat ``viewer`` may see it."""
    if is_open_to_all(game) or not entry.turn:
        return entry.turn
    return rules_of(game).view_turn(entry.turn, own=entry.seat == viewer)


def visible_events(game: Game, events: tuple[Event, ...], viewer: int | None) -> tuple[Event, ...]:
    """Return what happened in an entry as the reader in seat ``viewer``, or a guest (None), may see it."""
    return events if is_open_to_all(game) else rules_of(game).view_events(events, viewer)
