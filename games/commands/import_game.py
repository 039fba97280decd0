"""Bringing a game back from a backup."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.names import fold_name
from games import clock
from games.clock import PauseReason
from games.commands._clocks import add_remark, move_deadline
from games.commands._lock import lock_game
from games.commands._outages import WORTH_A_NOTICE
from games.commands._running_outage import last_heartbeat
from games.log.backup import FORMAT, proof_of, read_entries, read_row, write_game
from games.log.positions import keep_setup, latest_columns, replay
from games.log.seats import load_seats
from games.log.table import next_actor
from games.log.verify import differences
from games.models import Consent, Entry, Game, Pause, Proposal, Remark, Seat
from games.models.choices import RemarkKind
from games.notices.facts import MovedBy
from games.timing.deadlines import next_warning, pause_span, warnings_of

NOBODY: Final[Mapping[str, str]] = {}


class ImportRefusedError(Exception):
    """A document that can't be brought back; the message is one line for the operator, and names no card."""


@transaction.atomic(durable=True)
def import_game(
    document: Mapping[str, Any], *, without_people: bool = False, known: Mapping[str, str] = NOBODY, now: datetime
) -> bool:
    """Store the game of a document; return False if the very same game is stored already.

    A name alone seats nobody, as anyone can take one: a person is who has the name and, as the document's proof shows,
    the address that was theirs; or whoever has the address that ``known`` gives for the name. ``without_people`` leaves
    seats whose person is not there to nobody. The log is replayed and its chain checked; of the clock's warnings those
    after ``now`` are still to come. Where the site runs already, the open turn gets the time back since the exporting
    site's last sign of life, as after an outage; on a fresh one the first sweep sees to that.
    Raises `ImportRefusedError`, with nothing stored.
    """
    if document.get("format") != FORMAT:
        raise ImportRefusedError(f"this is not a {FORMAT} document")
    try:
        key = str(document["game"]["key"])
        if Game.objects.filter(key=key).exists():
            return _is_another(document, key)
        alive = _alive(document)
        with transaction.atomic():
            game = _store(document, _people(document, key, known, without_people=without_people))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ImportRefusedError(f"the document is damaged ({type(error).__name__})") from error
    except IntegrityError as error:
        raise ImportRefusedError(f"game {key} contradicts itself or what is stored") from error
    if game.was_set_up:
        _verify(game, now)
        _give_back(game, alive, now)
    return True


def _is_another(document: Mapping[str, Any], key: str) -> bool:
    stored = json.loads(json.dumps(write_game(lock_game(key=key))))
    if _essence(stored) != _essence(document):
        raise ImportRefusedError(f"another state of game {key} is stored already")
    return False


def _essence(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without what is of the site that wrote it, or of the import: proofs, and what it gave back."""
    pauses: list[Any] = [
        None if pause["of_game"] and pause["reason"] == PauseReason.OUTAGE else pause for pause in document["pauses"]
    ]
    remarks = [
        {**remark, "pause": None if remark["pause"] is None else pauses[remark["pause"]]}
        for remark in document["remarks"]
        if remark["pause"] is None or pauses[remark["pause"]] is not None
    ]
    game = {**document["game"], "deadline": None}
    own = {"alive": None, "people": None, "pauses": [pause for pause in pauses if pause is not None]}
    return {"planned": [], **document, **own, "game": game, "remarks": remarks}


def _people(
    document: Mapping[str, Any], key: str, known: Mapping[str, str], *, without_people: bool
) -> dict[str, User]:
    """Return the people of a document by their names."""
    seats = document["seats"]
    names = {seat["person"] for seat in seats if seat["person"] is not None}
    if document["creator"] is not None:
        names.add(document["creator"])
    proofs = document.get("people", {})
    people = {name: user for name in names if (user := _find(name, proofs.get(name), known.get(name))) is not None}
    if (missing := sorted(names - people.keys())) and not without_people:
        raise ImportRefusedError(
            f"game {key} is played by people of whom no account here is known to be theirs: {', '.join(missing)}"
        )
    return people


def _find(name: str, proof: str | None, address: str | None) -> User | None:
    """Return the account of a person, if its address is that of the person: confirmed, or a bot's."""
    accounts = User.objects.found()
    if address is not None:
        return accounts.filter(email=address.lower()).first()
    user = accounts.filter(name_key=fold_name(name)).first()
    return user if user is not None and constant_time_compare(proof_of(user), proof or "") else None


def _store(document: Mapping[str, Any], people: Mapping[str, User]) -> Game:
    record = document["record"]
    setup = None if record is None else {name: value for name, value in record.items() if name != "log"}
    game = read_row(Game, document["game"], setup=setup, creator=people.get(document["creator"] or ""))
    if game.was_set_up != (setup is not None):
        raise ValueError
    game.save(force_insert=True)
    keep_setup(game, setup)
    for stored in document["seats"]:
        person = people.get(stored["person"] or "")
        read_row(Seat, stored, game=game, user=person, ended_at=game.finished_at).save(force_insert=True)
    if record is not None:
        Entry.objects.bulk_create(read_entries(game, record["log"], document["digests"], document.get("planned", ())))
    pauses = [_store_pause(stored, game) for stored in document["pauses"]]
    for stored in document["remarks"]:
        pause = None if stored["pause"] is None else pauses[stored["pause"]]
        read_row(Remark, stored, game=game, pause=pause).save(force_insert=True)
    for stored in document["proposals"]:
        proposal = read_row(Proposal, stored, game=game)
        proposal.save(force_insert=True)
        Consent.objects.bulk_create([read_row(Consent, row, proposal=proposal) for row in stored["consents"]])
    return game


def _store_pause(stored: Mapping[str, Any], game: Game) -> Pause:
    """Store a pause of the game, or an outage, which games share and which is given back to this one already."""
    pause = read_row(Pause, stored, game=game if stored["of_game"] else None, credited=not stored["of_game"])
    known = None
    if not stored["of_game"]:
        known = Pause.objects.filter(game=None, reason=pause.reason, start=pause.start, end=pause.end).first()
    if known is not None:
        return known
    pause.save(force_insert=True)
    return pause


def _verify(game: Game, now: datetime) -> None:
    """Check a stored game against its log, and derive what no document has."""
    load_seats(game)
    for line in differences(game):
        raise ImportRefusedError(f"game {game.key}: {line}")
    *_before, last = replay(game, game.entries.order_by("seq"))
    game.warning_at = next_warning(warnings_of(game), now)
    Game.objects.filter(pk=game.pk).update(**latest_columns(game, last), warning_at=game.warning_at)


def _alive(document: Mapping[str, Any]) -> datetime | None:
    """Return the last sign of life of the site that wrote a document; old documents have none but the last turn."""
    stored = document.get("alive") or document["game"]["turn_began_at"]
    return None if stored is None else datetime.fromisoformat(stored).astimezone(UTC)


def _give_back(game: Game, alive: datetime | None, now: datetime) -> None:
    """Give the open turn of a stored game the time back in which it was at no site, as a visible event."""
    seat = next_actor(game)
    heard = last_heartbeat()
    if seat is None or seat.since is None or heard is None:
        return
    # What this site is down itself for is given back by its own sweep.
    away = clock.outage_gap(alive, now if clock.outage_gap(heard, now) is None else heard)
    if away is None or away.end is None or away.end <= seat.since:
        return
    others = [pause_span(pause) for pause in game.pauses.all()]
    seconds = clock.seconds_outside(others, max(away.start, seat.since), away.end)
    pause = Pause.objects.create(game=game, reason=away.reason, start=away.start, end=away.end, credited=True)
    if seconds:
        add_remark(game, RemarkKind.OUTAGE, now, seat=seat.number, pause=pause, seconds=seconds)
    move_deadline(game, MovedBy.OUTAGE if away.end - away.start >= WORTH_A_NOTICE else MovedBy.CALENDAR, now)
    Game.objects.filter(pk=game.pk).update(deadline=game.deadline, warning_at=game.warning_at)
