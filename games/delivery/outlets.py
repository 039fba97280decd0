"""The sweep of the outbox for outlets: what is due is claimed outlet by outlet, many are called at once, and marked.

Nobody's mails wait for it: it has a queue of its own. A worker that dies between calling and marking leaves the number
of the call in the rows: after the lease the same call is made again, and who takes webhooks knows it by its number.
"""

import time
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


def call_due(now: datetime) -> int:
    """Call the outlets for which something is due by ``now``; return how many took it. Safe to run twice at once."""
    give_up = time.monotonic() + PATIENCE
    served: set[int] = set()
    taken = 0
    while time.monotonic() < give_up and (due := outlets_due(now, BATCH, besides=served)):
        served |= {outlet_id for _user, outlet_id in due}
        prepared = [one for user_id, outlet_id in due if (one := _prepare(user_id, outlet_id, now)) is not None]
        answers = call_all({place: call for place, (_bundle, call) in enumerate(prepared)})
        taken += sum(_mark(bundle, answers[place], now) for place, (bundle, _call) in enumerate(prepared))
    return taken


def _prepare(user_id: int, outlet_id: int, now: datetime) -> tuple[Bundle, Call] | None:
    """Claim what is due for an outlet and write it; what goes wrong with that holds up no other outlet."""
    bundle = None
    try:
        bundle = claim(user_id, now, outlet_id=outlet_id)
        return None if bundle is None else (bundle, _write(bundle, now))
    except Exception:
        logger.exception("call not written", user=user_id, outlet=outlet_id)
        if bundle is not None:
            _miss(bundle, Answer(Trouble.REFUSED), now)
        return None


def _write(bundle: Bundle, now: datetime) -> Call:
    assert bundle.outlet is not None  # claimed for one
    news = compose_news(bundle.user, bundle.notices, now=now, story=False)
    if bundle.outlet.channel == Channel.PUSH:
        urgent = any(TOPICS[notice.topic].urgent for notice in bundle.notices)
        waiting = count_games_to_move(bundle.user)
        return push_call(bundle.outlet, news, waiting=waiting, urgent=urgent, now=now)
    return hook_call(bundle.outlet, bundle, news, now=now)


def _mark(bundle: Bundle, answer: Answer, now: datetime) -> bool:
    """Write down what became of a call; return whether it was taken."""
    outlet = bundle.outlet
    assert outlet is not None
    try:
        if answer.trouble is None:
            commands.call_taken(outlet=outlet, notices=bundle.notices, now=now)
            logger.info("outlet called", user=bundle.user.pk, outlet=outlet.pk, notices=len(bundle.notices))
        elif answer.trouble in HOPELESS:
            commands.call_lost(outlet=outlet, notices=bundle.notices, trouble=str(answer.trouble), now=now)
        else:
            _miss(bundle, answer, now)
    except Exception:  # the lease runs out, and the call is made again
        logger.exception("call not marked", outlet=outlet.pk)
        return False
    return answer.trouble is None


def _miss(bundle: Bundle, answer: Answer, now: datetime) -> None:
    assert bundle.outlet is not None
    logger.warning("outlet not reached", outlet=bundle.outlet.pk, trouble=answer.trouble, status=answer.status)
    commands.call_missed(
        outlet=bundle.outlet,
        notices=bundle.notices,
        message_id=bundle.message_id,
        trouble=str(answer.trouble),
        maybe_taken=answer.trouble is Trouble.NO_ANSWER,
        wait=answer.wait,
        now=now,
    )
