"""The sweep of the outbox for outlets: what is due is claimed outlet by outlet, many are called at once, and marked.

Nobody's mails wait for it: it has a queue of its own. A worker that dies between calling and marking leaves the number
of the call in the rows: after the lease the same call is made again, and who takes webhooks knows it by its number.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from games import commands
from games.delivery.claim import Bundle, claim
from games.delivery.content import compose_news
from games.delivery.hook import hook_call
from games.delivery.outbound import Answer, Call, Trouble, call_all
from games.delivery.push import push_call
from games.notices.kinds import Channel
from games.notices.models import Outlet
from games.notices.topics import TOPICS
from games.queries.lists import count_games_to_move
from games.queries.notices import outlets_due

BATCH: Final = 40
"""How many outlets are called between two looks at the clock: twice as many as at once."""
HOPELESS: Final = frozenset({Trouble.GONE, Trouble.ADDRESS, Trouble.PRIVATE})
"""After these it is not tried again."""
PATIENCE: Final = 30.0
"""Seconds after which a sweep leaves the rest to the next one."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Claimed:
    """What an outlet is to be told now."""

    outlet: Outlet
    bundle: Bundle


def call_due(now: datetime) -> int:
    """Call the outlets for which something is due by ``now``; return how many took it. Safe to run twice at once."""
    give_up = time.monotonic() + PATIENCE
    served: set[int] = set()
    taken = 0
    while time.monotonic() < give_up and (due := outlets_due(now, BATCH, besides=served)):
        served |= {outlet_id for _user, outlet_id in due}
        claimed = [one for user_id, outlet_id in due if (one := _claim(user_id, outlet_id, now)) is not None]
        calls = {place: call for place, one in enumerate(claimed) if (call := _write(one, now)) is not None}
        for place, answer in call_all(calls).items():
            taken += _mark(claimed[place], answer, now)
    return taken


def _claim(user_id: int, outlet_id: int, now: datetime) -> _Claimed | None:
    """Claim what is due for an outlet; where that fails it holds up no other outlet."""
    try:
        bundle = claim(user_id, now, outlet_id=outlet_id)
    except Exception:
        logger.exception("call not claimed", user=user_id, outlet=outlet_id)
        return None
    return None if bundle is None or bundle.outlet is None else _Claimed(bundle.outlet, bundle)


def _write(one: _Claimed, now: datetime) -> Call | None:
    """Return the call, None where it can't be written: that counts as one that was missed."""
    user, notices = one.bundle.user, one.bundle.notices
    try:
        news = compose_news(user, notices, now=now, story=False)
        if one.outlet.channel == Channel.PUSH:
            urgent = any(TOPICS[notice.topic].urgent for notice in notices)
            return push_call(one.outlet, news, waiting=count_games_to_move(user), urgent=urgent, now=now)
        return hook_call(one.outlet, one.bundle, news, now=now)
    except Exception:
        logger.exception("call not written", user=user.pk, outlet=one.outlet.pk)
        _miss(one, Answer(Trouble.REFUSED), now)
        return None


def _mark(one: _Claimed, answer: Answer, now: datetime) -> bool:
    """Write down what became of a call; return whether it was taken."""
    outlet, notices = one.outlet, one.bundle.notices
    try:
        if answer.trouble is None:
            commands.call_taken(outlet=outlet, notices=notices, now=now)
            logger.info("outlet called", user=outlet.user_id, outlet=outlet.pk, notices=len(notices))
        elif answer.trouble in HOPELESS:
            commands.call_lost(outlet=outlet, notices=notices, trouble=str(answer.trouble), now=now)
        else:
            _miss(one, answer, now)
    except Exception:  # the lease runs out, and the call is made again
        logger.exception("call not marked", outlet=outlet.pk)
        return False
    return answer.trouble is None


def _miss(one: _Claimed, answer: Answer, now: datetime) -> None:
    logger.warning("outlet not reached", outlet=one.outlet.pk, trouble=answer.trouble, status=answer.status)
    commands.call_missed(
        outlet=one.outlet,
        notices=one.bundle.notices,
        message_id=one.bundle.message_id,
        trouble=str(answer.trouble),
        maybe_taken=answer.trouble is Trouble.NO_ANSWER,
        wait=answer.wait,
        now=now,
    )
