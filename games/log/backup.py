"""A game with all that belongs to it as one JSON document, for backups: what `export_games` writes, a line a game.

A document of a running game holds its hidden cards. People are named by their display names, never by their addresses;
a proof beside each name shows who holds the secret key of the site whether an account has the same address.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Model
from django.utils.crypto import salted_hmac

from accounts.models import User
from engine.contract import JsonObject
from games.log.positions import setup_of
from games.log.record import entry_form
from games.models import Consent, Entry, Game, Pause, Proposal, Remark, Seat

FORMAT: Final = "gravity-site-game/1"
COLUMNS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    Game: (
        "key",
        "ruleset",
        "status",
        "size",
        "options",
        "public",
        "players_only",
        "takes_bots",
        "name",
        "created_at",
        "started_at",
        "finished_at",
        "expires_at",
        "expiry_noticed",
        "setup_digest",
        "nameless_digest",
        "time_control",
        "deadline",
        "seq",
        "head",
        "to_move",
        "round",
        "turns",
        "turn_began_at",
        "bot_to_move",
        "version",
    ),
    Seat: (
        "number",
        "bot",
        "name",
        "points",
        "place",
        "retired",
        "allowance",
        "reserve",
        "since",
        "zone",
        "misses",
    ),
    Pause: ("reason", "start", "end"),
    Remark: ("at", "after", "kind", "seat", "params"),
    Proposal: ("kind", "seat", "time_control", "asked_at", "closed_at", "outcome"),
    Consent: ("seat", "at"),
}
"""What a document has of each row, beside what it belongs to. Set-up and entries are in the document's ``record``."""
KEYS: Final[Mapping[str, str]] = {"time_control": "contract", "expiry_noticed": "expiry_told"}
"""What documents call a column, where that is not its name here: the first ones were written under older names."""

LATER: Final[Mapping[tuple[type[Model], str], str | bool]] = {
    (Game, "name"): "",
    (Game, "players_only"): False,
    (Game, "takes_bots"): False,
}
"""What columns are in documents that were written before they were there."""


def proof_of(user: User) -> str:
    """Return what shows that an account has the address of the person who was written down: no address."""
    return salted_hmac("games.log.backup", user.email.lower(), algorithm="sha256").hexdigest()


def write_game(game: Game, alive: datetime | None = None) -> JsonObject:
    """Return the document of a game; its ``record`` is one that the engine's command line reads, nothing hidden.

    ``alive`` is the site's last sign of life: until then its clocks ran.
    """
    entries = list(game.entries.order_by("seq"))
    remarks = list(game.remarks.select_related("pause").order_by("pk"))
    remarked = {remark.pause.pk: remark.pause for remark in remarks if remark.pause is not None}
    pauses = {**remarked, **{pause.pk: pause for pause in game.pauses.all()}}
    places = {pk: place for place, pk in enumerate(sorted(pauses))}
    record = {**setup_of(game), "log": [entry_form(entry) for entry in entries]} if game.was_set_up else None
    seats = list(game.seats.select_related("user").order_by("number", "pk"))
    people = {user.display_name: proof_of(user) for user in (game.creator, *(seat.user for seat in seats)) if user}
    return {
        "format": FORMAT,
        "alive": _plain(alive),
        "game": _write_row(game),
        "creator": None if game.creator is None else game.creator.display_name,
        "people": dict(sorted(people.items())),
        "seats": [_write_seat(seat) for seat in seats],
        "record": record,
        "digests": [entry.digest for entry in entries],
        "planned": [entry.seq for entry in entries if entry.planned],
        "pauses": [{**_write_row(pauses[pk]), "of_game": pauses[pk].game_id is not None} for pk in sorted(pauses)],
        "remarks": [
            {**_write_row(remark), "pause": None if remark.pause_id is None else places[remark.pause_id]}
            for remark in remarks
        ],
        "proposals": [
            {**_write_row(proposal), "consents": [_write_row(consent) for consent in proposal.consents.order_by("pk")]}
            for proposal in game.proposals.order_by("pk")
        ],
    }


def read_row[Row: Model](model: type[Row], stored: Mapping[str, Any], **belongs: Any) -> Row:
    """Return the unsaved row that `write_game` wrote. Raises `KeyError` where a column is missing."""
    fields = {field.name: field for field in model._meta.concrete_fields}
    known = {**{name: value for (owner, name), value in LATER.items() if owner is model}, **stored}
    return model(**{name: fields[name].to_python(known[KEYS.get(name, name)]) for name in COLUMNS[model]}, **belongs)


def read_entries(
    game: Game, log: Sequence[Mapping[str, Any]], digests: Sequence[str], planned: Collection[int]
) -> list[Entry]:
    """Return the unsaved entries of a record's log; those with the numbers ``planned`` were planned ahead."""
    return [
        Entry(
            game=game,
            seq=seq,
            seat=form["seat"],
            turn=form.get("turn", ""),
            event=form.get("event", ""),
            reason=form.get("reason", ""),
            by=form["by"],
            at=datetime.fromisoformat(form["at"]),
            digest=digest,
            planned=seq in planned,
        )
        for seq, (form, digest) in enumerate(zip(log, digests, strict=True), start=1)
    ]


def _write_row(row: Model) -> JsonObject:
    return {KEYS.get(name, name): _plain(getattr(row, name)) for name in COLUMNS[type(row)]}


def _write_seat(seat: Seat) -> JsonObject:
    return {**_write_row(seat), "person": None if seat.user is None else seat.user.display_name}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
