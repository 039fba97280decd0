"""What the API says of games, made of what a query returned for one reader."""

from collections.abc import Iterable
from datetime import datetime

from accounts.names import bare
from engine.contract import Json, JsonObject
from games.log.positions import position_at, rules_of
from games.log.record import entry_form, write_instant
from games.models import Entry, RatingChange, Seat
from games.queries.game_page import GamePage
from games.queries.log import LogLine, remarks_among
from games.timing.panel import clock_panel
from games.words.ratings import counts
from games.words.remarks import remark_words
from games.words.time import describe_time_control


def game_document(page: GamePage, changes: Iterable[RatingChange], now: datetime) -> JsonObject:
    """Return a game at its last position; ``legal`` are the first steps that the reader may take now.

    ``changes`` are those of ratings that the reader may see, none before the end.
    """
    game = page.game
    return {
        "key": game.key,
        "ruleset": game.ruleset,
        "status": game.status,
        "size": game.size,
        "options": game.options,
        "rated": counts(game, page.seats),
        "rating_changes": [_change_document(change) for change in changes],
        "seats": [_seat_document(seat, name) for seat, name in page.table.seated],
        "viewer": page.viewer_number,
        "seq": page.seq,
        "round": game.round,
        "to_move": game.to_move,
        "position": page.view,
        "time": time_document(page, now),
        "legal": _first_steps(page) if page.may_move else [],
        "log": [_line_document(line) for line in reversed(page.log)],
    }


def time_document(page: GamePage, now: datetime) -> JsonObject:
    """Return a game's time control, its clocks at ``now``, and what happened beside the entries of the page."""
    panel = clock_panel(page.table, now)
    return {
        "contract": page.game.time_control,
        "sentence": describe_time_control(panel.time_control),
        "now": write_instant(now),
        "deadline": None if panel.deadline is None else write_instant(panel.deadline),
        "paused": [reason.value for reason in panel.reasons],
        "seats": [
            {"number": time.seat.number, "left": time.left, "reserve": time.reserve, "runs": time.runs}
            for time in panel.seats
        ],
        "remarks": [
            {
                "after": remark.after,
                "at": write_instant(remark.at),
                "kind": remark.kind,
                "text": remark_words(remark, page.table.names),
            }
            for remark in reversed(remarks_among(page.game, [line.seq for line in page.log]))
        ],
    }


def entry_document(entry: Entry) -> JsonObject:
    """Return an entry to the player whose turn it is."""
    return {"seq": entry.seq, **entry_form(entry)}


def _first_steps(page: GamePage) -> list[Json]:
    return list(rules_of(page.game).legal_steps(position_at(page.game, page.seq).state))


def _seat_document(seat: Seat, name: str) -> JsonObject:
    return {
        "number": seat.number,
        "name": bare(name),
        "bot": seat.bot or None,
        "points": seat.points,
        "place": seat.place,
        "retired": seat.retired,
    }


def _change_document(change: RatingChange) -> JsonObject:
    return {
        "seat": change.seat.number,
        "place": change.place,
        "before": change.before,
        "after": change.after,
        "provisional": change.provisional,
    }


def _line_document(line: LogLine) -> JsonObject:
    document: JsonObject = {"seq": line.seq, "seat": line.seat}
    if line.turn:
        document["turn"] = line.turn
    else:
        document["event"] = line.event
    if line.reason:
        document["reason"] = line.reason
    return {**document, "at": write_instant(line.at), "by": line.by}
