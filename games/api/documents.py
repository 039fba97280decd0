"""What the API says, made of what a query returned for one reader."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from accounts.models import User
from accounts.names import bare
from engine.contract import Event, Json, JsonObject
from games.log.positions import rules_of
from games.log.record import write_instant
from games.log.table import Reader, Table
from games.models import Game, Plan, Rating, RatingChange, Remark, Seat
from games.queries import MyList, Person, Totals
from games.queries.game_page import GamePage
from games.queries.log import LogLine
from games.timing.panel import clock_panel
from games.words.ratings import counts
from games.words.remarks import remark_words
from games.words.time import describe_time_control


def summary_document(table: Table) -> JsonObject:
    """Return a game as lists have it, for the reader of its table."""
    game = table.game
    return {
        "key": game.key,
        "name": game.name,
        "ruleset": game.ruleset,
        "status": game.status,
        "size": game.size,
        "options": game.options,
        "public": game.public,
        "players_only": game.players_only,
        "takes_bots": game.takes_bots,
        "rated": counts(game, table.seats),
        "series_length": game.series_length,
        "series_number": game.series_number,
        "seats": [_seat_document(seat, name) for seat, name in table.seated],
        "viewer": table.viewer_number,
        "seq": game.seq,
        "round": game.round,
        "turns": game.turns,
        "to_move": game.to_move,
        "deadline": _instant(game.deadline),
        "created_at": write_instant(game.created_at),
        "started_at": _instant(game.started_at),
        "finished_at": _instant(game.finished_at),
    }


def game_document(page: GamePage, changes: Iterable[RatingChange], now: datetime) -> JsonObject:
    """Return a game with its terms and clocks.

    ``changes`` are those of ratings that the reader may see, none before the end.
    """
    game, drawing = page.game, rules_of(page.game).drawing
    return {
        **summary_document(page.table),
        "creator": game.creator_id,
        "expires_at": _instant(game.expires_at),
        "gates": {
            "rating_from": game.rating_from,
            "rating_to": game.rating_to,
            "punctual_from": game.punctual_from,
        },
        "time": time_document(page, now),
        "rating_changes": [_change_document(change) for change in changes],
        "board": page.view and {name: value for name, value in page.view.items() if name in drawing},
    }


def position_document(page: GamePage) -> JsonObject:
    """Return the position of a page as records write it, as its reader may see it, with what is beside it."""
    assert page.view is not None  # the game has started
    assert page.summary is not None
    game = page.game
    return {
        **bare_position(page.view, rules_of(game).drawing),
        "seq": page.seq,
        "to_move": game.to_move if page.is_latest else page.summary.seat,
        "deadline": _instant(game.deadline) if page.is_latest else None,
    }


def bare_position(view: Mapping[str, Json], drawing: frozenset[str]) -> JsonObject:
    """Return a position as records write it, of a view: without what draws the board."""
    return {name: value for name, value in view.items() if name not in drawing}


def time_document(page: GamePage, now: datetime) -> JsonObject:
    """Return a game's time control and its clocks at ``now``."""
    panel = clock_panel(page.table, now)
    return {
        "contract": page.game.time_control,
        "sentence": describe_time_control(panel.time_control),
        "now": write_instant(now),
        "deadline": _instant(panel.deadline),
        "paused": [reason.value for reason in panel.reasons],
        "seats": [
            {"number": time.seat.number, "left": time.left, "reserve": time.reserve, "runs": time.runs}
            for time in panel.seats
        ],
    }


def line_document(line: LogLine) -> JsonObject:
    """Return an entry of the log with what happened in it."""
    document: JsonObject = {"seq": line.seq, "seat": line.seat}
    if line.turn:
        document["turn"] = line.turn
    else:
        document["event"] = line.event
    if line.reason:
        document["reason"] = line.reason
    return {
        **document,
        "at": write_instant(line.at),
        "by": line.by,
        "planned": line.planned,
        "events": event_documents(line.events),
    }


def plan_document(plan: Plan) -> JsonObject:
    """Return a plan for its owner."""
    return {
        "place": plan.place,
        "turn": plan.turn,
        "conditions": plan.conditions,
        "seq": plan.seq,
        "made_at": write_instant(plan.made_at),
        "state": plan.state,
        "unmet": plan.unmet or None,
    }


def event_documents(events: Sequence[Event]) -> list[Json]:
    """Return events, as somebody may see them."""
    return [{"kind": event.kind, "seat": event.seat, "params": dict(event.params)} for event in events]


def remark_document(remark: Remark, names: Sequence[str]) -> JsonObject:
    """Return what happened beside the entries."""
    return {
        "after": remark.after,
        "at": write_instant(remark.at),
        "kind": remark.kind,
        "text": remark_words(remark, names),
    }


def player_document(person: Person, ratings: Iterable[Rating], totals: Totals | None) -> JsonObject:
    """Return a person as others see them; ``totals`` are None where results are hidden from the reader."""
    user = person.user
    return {
        "number": user.pk,
        "name": user.display_name,
        "guest": user.is_guest,
        "bot": user.is_bot,
        "owner": _owner_document(user),
        "results_shown": totals is not None,
        "ratings": [
            {
                "pool": rating.pool,
                "rating": rating.number,
                "provisional": rating.provisional,
                "games": rating.games,
            }
            for rating in ratings
        ],
        "records": [
            {
                "kind": record.kind,
                "games": record.games,
                "wins": record.wins,
                "left": record.left,
                "points": record.points,
                "turns": record.turns,
                "in_time": record.in_time,
            }
            for record in (() if totals is None else totals.records)
        ],
    }


def me_document(user: User, games: Mapping[MyList, int]) -> JsonObject:
    """Return whose requests these are."""
    return {
        "number": user.pk,
        "name": user.display_name,
        "guest": user.is_guest,
        "bot": user.is_bot,
        "owner": _owner_document(user),
        "language": user.language,
        "time_zone": user.time_zone,
        "games": {which.name.lower(): count for which, count in games.items()},
    }


def games_document(games: Iterable[Game], reader: Reader, following: str | None) -> JsonObject:
    """Return a page of games, whose seats are loaded, and the address of the next one."""
    return {"games": [summary_document(Table.of(game, reader)) for game in games], "next": following}


def _instant(instant: datetime | None) -> str | None:
    return None if instant is None else write_instant(instant)


def _owner_document(user: User) -> JsonObject | None:
    """Return whose program a bot is; None for people."""
    return None if user.owner is None else {"number": user.owner.pk, "name": user.owner.display_name}


def _seat_document(seat: Seat, name: str) -> JsonObject:
    return {
        "number": seat.number,
        "name": bare(name),
        "player": seat.user_id,
        "bot": seat.bot or None,
        "owner": None if seat.user is None else _owner_document(seat.user),
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
