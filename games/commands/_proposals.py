"""What the people in a running game can consent to: parts of commands, on a locked game."""

from datetime import datetime
from typing import Final

from accounts.models import User
from games.clock import TimeControl
from games.commands._charges import adopt_clock
from games.commands._clocks import add_remark, end_turn, move_deadline
from games.commands._lock import save_change
from games.commands._plans import drop_plans
from games.errors import GameCode, GameError
from games.log.columns import GAME_COLUMNS, derive_cancelled
from games.log.consent import may_be_cancelled, open_proposal
from games.log.positions import NO_POSITION
from games.log.seats import seats_of
from games.log.table import next_actor, people_in, seat_of
from games.models import Game, Proposal, Seat
from games.models.choices import ProposalKind, ProposalOutcome, RemarkKind, Status
from games.notices.facts import CancelledBy, GameCancelled, MovedBy, ProposalClosed
from games.notices.outbox import enqueue
from games.timing.deadlines import (
    CLOCK_COLUMNS,
    DUE_COLUMNS,
    derive_due,
    time_control_of,
)

CLOSED_KINDS: Final = {
    ProposalOutcome.REFUSED: RemarkKind.REFUSED,
    ProposalOutcome.WITHDRAWN: RemarkKind.WITHDRAWN,
    ProposalOutcome.LAPSED: RemarkKind.LAPSED,
}


def settle_proposal(game: Game, now: datetime) -> None:
    """Carry out what everyone who is asked has agreed to, and close what the game has gone past.

    Changes the game's columns without saving them; those of its seats are saved.
    """
    proposal = open_proposal(game)
    if proposal is None:
        return
    asked = set(people_in(game))
    past = proposal.kind == ProposalKind.CANCEL and not may_be_cancelled(game)
    if past or game.status != Status.ACTIVE or not asked:
        close_proposal(game, proposal, ProposalOutcome.LAPSED, now)
    elif asked <= set(proposal.consents.values_list("seat", flat=True)):
        close_proposal(game, proposal, ProposalOutcome.ACCEPTED, now)
        if proposal.kind == ProposalKind.CANCEL:
            _cancel(game, now)
        else:
            _change_time_control(game, TimeControl.from_json(proposal.time_control), now)


def save_settled(game: Game) -> None:
    """Write whatever settling a proposal may have changed: the end of commands about proposals."""
    position = NO_POSITION if game.status == Status.CANCELLED else {}
    save_change(game, *GAME_COLUMNS, *DUE_COLUMNS, "time_control", **position)


def close_proposal(
    game: Game, proposal: Proposal, outcome: ProposalOutcome, now: datetime, *, seat: int | None = None
) -> None:
    """Close a proposal, with a remark unless what it leads to has its own; ``seat`` is who closed it."""
    proposal.closed_at, proposal.outcome = now, outcome
    proposal.save(update_fields=["closed_at", "outcome"])
    kind = ProposalKind(proposal.kind)
    if outcome in CLOSED_KINDS:
        add_remark(game, CLOSED_KINDS[outcome], now, seat=seat, proposal=kind.value)
    enqueue(game, ProposalClosed(proposal.pk, kind, outcome, seat), now=now)


def _cancel(game: Game, now: datetime) -> None:
    at = now.replace(microsecond=0)
    mover = next_actor(game)
    if mover is not None:
        end_turn(game, mover, at, turn=game.turns, by_owner=False)
        mover.save(update_fields=CLOCK_COLUMNS)
    drop_plans(game)
    derive_cancelled(game, at)
    derive_due(game, at)
    add_remark(game, RemarkKind.CANCELLED, at)
    enqueue(game, GameCancelled(CancelledBy.CONSENT), now=now)


def _change_time_control(game: Game, new: TimeControl, now: datetime) -> None:
    old = time_control_of(game)
    seats = [seat for seat in seats_of(game) if seat.user_id is not None]
    for seat in seats:
        adopt_clock(game, seat, new, now)
    Seat.objects.bulk_update(seats, CLOCK_COLUMNS)
    game.time_control = new.to_json()
    add_remark(game, RemarkKind.NEW_TIME_CONTROL, now, old=old.to_json(), new=new.to_json())
    move_deadline(game, MovedBy.TIME_CONTROL, now)


def asked_seat(game: Game, user: User) -> int:
    """Return the number of the seat whose consent ``user`` can give. Raises `GameError` if there is none."""
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    if game.status != Status.ACTIVE or seat.number is None:
        raise GameError(GameCode.NOT_RUNNING)
    if seat.retired:
        raise GameError(GameCode.NOT_ASKED)
    return seat.number
