"""Answering what is proposed in a running game."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._clocks import add_remark
from games.commands._lock import lock_game
from games.commands._plans import drop_plans
from games.commands._proposals import asked_seat, close_proposal, save_settled, settle_proposal
from games.errors import GameCode, GameError
from games.log.consent import open_proposal
from games.models import Consent, Game
from games.models.choices import ProposalOutcome, RemarkKind


@transaction.atomic(durable=True)
def answer_proposal(*, game_key: str, user: User, proposal_id: int, agree: bool, now: datetime) -> Game:
    """Agree, which carries it out if all have, or refuse, which closes it; the same answer again is no error.

    Who asked withdraws it by refusing. Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running``,
    ``not-asked``, ``no-such-proposal``.
    """
    game = lock_game(key=game_key)
    seat = asked_seat(game, user)
    proposal = open_proposal(game)
    if proposal is None or proposal.pk != proposal_id:
        raise GameError(GameCode.NO_SUCH_PROPOSAL)
    drop_plans(game, [seat])
    if not agree:
        outcome = ProposalOutcome.WITHDRAWN if seat == proposal.seat else ProposalOutcome.REFUSED
        close_proposal(game, proposal, outcome, now, seat=seat)
    elif Consent.objects.get_or_create(proposal=proposal, seat=seat, defaults={"at": now})[1]:
        add_remark(game, RemarkKind.AGREED, now, seat=seat, proposal=proposal.kind)
        settle_proposal(game, now)
    save_settled(game)
    return game
