"""Asking the other people in a running game for their consent."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from accounts.models import User
from games.clock import TimeControl
from games.commands._allowed import refuse_suspended
from games.commands._clocks import add_remark
from games.commands._lock import lock_game
from games.commands._plans import drop_plans
from games.commands._proposals import asked_seat, save_settled, settle_proposal
from games.errors import GameCode, GameError
from games.log.consent import may_be_cancelled, open_proposal
from games.log.table import people_in
from games.models import Consent, Game, Proposal
from games.models.choices import ProposalKind, ProposalOutcome, RemarkKind
from games.notices.facts import ConsentAsked
from games.notices.outbox import enqueue
from games.timing.deadlines import time_control_of

COOL_DOWN: Final = timedelta(days=1)
"""How long a person who withdrew a proposal waits before making such a one again."""


@transaction.atomic(durable=True)
def propose_cancel(*, game_key: str, user: User, now: datetime) -> Game:
    """Propose to cancel a running game before its second round; without other people in it, cancel it.

    Once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running``, ``not-asked``, ``suspended``,
    ``too-late-to-cancel``,
    ``proposal-open``, ``proposed-this-round``, ``withdrawn-lately``.
    """
    game = lock_game(key=game_key)
    seat = asked_seat(game, user)
    refuse_suspended(user, now)
    if not may_be_cancelled(game):
        raise GameError(GameCode.TOO_LATE_TO_CANCEL)
    return _propose(game, Proposal(game=game, kind=ProposalKind.CANCEL, seat=seat, asked_at=now), now)


@transaction.atomic(durable=True)
def propose_time_control(*, game_key: str, user: User, time_control: TimeControl, now: datetime) -> Game:
    """Propose another time control for a running game; without other people in it, adopt it. Once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running``, ``not-asked``, ``suspended``,
    ``same-contract``,
    ``proposal-open``, ``proposed-this-round``, ``withdrawn-lately``.
    """
    game = lock_game(key=game_key)
    seat = asked_seat(game, user)
    refuse_suspended(user, now)
    if time_control == time_control_of(game):
        raise GameError(GameCode.SAME_TIME_CONTROL)
    stored = time_control.to_json()
    return _propose(
        game, Proposal(game=game, kind=ProposalKind.TIME_CONTROL, seat=seat, time_control=stored, asked_at=now), now
    )


def _limit_proposals(game: Game, proposal: Proposal, now: datetime) -> None:
    """Refuse what others would be asked too often: once a kind, seat and round, and not soon after withdrawing it."""
    proposal.round = game.round
    same = Proposal.objects.filter(game=game, kind=proposal.kind, seat=proposal.seat)
    if same.filter(outcome=ProposalOutcome.WITHDRAWN, closed_at__gt=now - COOL_DOWN).exists():
        raise GameError(GameCode.WITHDRAWN_LATELY)
    if same.filter(round=game.round).exists():
        raise GameError(GameCode.PROPOSED_THIS_ROUND)


def _propose(game: Game, proposal: Proposal, now: datetime) -> Game:
    waiting = open_proposal(game)
    if waiting is not None:
        if (waiting.kind, waiting.seat, waiting.time_control) == (proposal.kind, proposal.seat, proposal.time_control):
            return game
        raise GameError(GameCode.PROPOSAL_OPEN)
    _limit_proposals(game, proposal, now)
    drop_plans(game, [proposal.seat])
    proposal.save()
    Consent.objects.create(proposal=proposal, seat=proposal.seat, at=now)
    add_remark(game, RemarkKind.ASKED, now, seat=proposal.seat, proposal=proposal.kind, contract=proposal.time_control)
    asked = tuple(number for number in people_in(game) if number != proposal.seat)
    if asked:
        fact = ConsentAsked(proposal.pk, ProposalKind(proposal.kind), proposal.seat, asked)
        enqueue(game, fact, now=now)
    settle_proposal(game, now)
    save_settled(game)
    return game
