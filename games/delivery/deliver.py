"""The sweep of the outbox for mails: what is due is claimed person by person, sent outside of the transaction, marked.

A worker that dies between sending and marking leaves the Message-ID in the rows: after the lease the same mail is sent
again.
"""

import time
from datetime import datetime
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Final

import structlog
from django.core.mail import EmailMultiAlternatives, mailers
from django.core.mail.backends.base import BaseEmailBackend

from games import commands
from games.delivery.claim import Bundle, claim
from games.delivery.content import compose_mail
from games.delivery.render import make_mail
from games.delivery.replies import Reply, reply_of
from games.queries import relay
from games.queries.due import games_to_warn
from games.queries.notices import people_due

BATCH: Final = 100
PATIENCE: Final = 15.0
"""Seconds after which a sweep leaves the rest to the next one."""

logger = structlog.get_logger(__name__)


class MailServerAwayError(Exception):
    """No connection to the mail server could be made, or it refuses too many mails: it is left alone for a while."""


def send_due(now: datetime) -> int:
    """Send what is due by ``now``, one mail a person; return how many mails went. Safe to run twice at once.

    Warnings of the clock are enqueued first: they become notices when they are due.
    """
    _warn(now, time.monotonic() + PATIENCE)
    if relay.is_paused(now):
        logger.error("mails rest", why="many were refused")
        return 0
    give_up = time.monotonic() + PATIENCE
    server = mailers.default
    served: set[int] = set()
    sent = 0
    try:
        while people := people_due(now, BATCH, besides=served):
            for user_id in people:
                if time.monotonic() > give_up:
                    return sent
                served.add(user_id)
                sent += _serve_safely(user_id, server, now)
    except MailServerAwayError:
        pass
    finally:
        _close(server)
    return sent


def _warn(now: datetime, give_up: float) -> None:
    """Enqueue the warnings that have come; a game in which that fails holds up no other."""
    seen: set[int] = set()
    while time.monotonic() < give_up and (games := games_to_warn(now, BATCH, seen)):
        seen |= set(games)
        for pk in games:
            try:
                commands.warn(game_id=pk, now=now)
            except Exception:
                logger.exception("warning not enqueued", game=pk)


def _serve_safely(user_id: int, server: BaseEmailBackend, now: datetime) -> bool:
    """Serve a person; what goes wrong with their mail holds up nobody else's."""
    try:
        return _serve(user_id, server, now)
    except MailServerAwayError:
        raise
    except Exception:
        logger.exception("mail not sent", user=user_id)
        return False


def _serve(user_id: int, server: BaseEmailBackend, now: datetime) -> bool:
    """Send a person what is due; return whether a mail went."""
    bundle = claim(user_id, now)
    if bundle is None:
        return False
    try:
        mail = make_mail(compose_mail(bundle.user, bundle.notices, message_id=bundle.message_id, now=now))
    except Exception:
        _postpone(bundle, now)
        raise
    return _hand_over(mail, bundle, server, now)


def _hand_over(mail: EmailMultiAlternatives, bundle: Bundle, server: BaseEmailBackend, now: datetime) -> bool:
    try:
        server.open()
    except OSError as error:
        _close(server)
        logger.warning("mail server out of reach", error=type(error).__name__)
        _postpone(bundle, now)
        raise MailServerAwayError from error
    try:
        server.send_messages([mail])
    except (SMTPRecipientsRefused, SMTPResponseException) as error:
        _close(server)
        _take_no(bundle, reply_of(error), now)
        return False
    except OSError as error:
        # Without an answer the server may have taken the mail.
        logger.warning("mail not taken", error=type(error).__name__, message_id=bundle.message_id)
        _close(server)
        _postpone(bundle, now, maybe_sent=True)
        if isinstance(error, TimeoutError):
            raise MailServerAwayError from error
        return False
    commands.close_sent(notices=bundle.notices, now=now)
    logger.info("mail sent", user=bundle.user.pk, message_id=bundle.message_id, notices=len(bundle.notices))
    return True


def _take_no(bundle: Bundle, reply: Reply, now: datetime) -> None:
    """Do what follows from a mail server's refusal. Where it refuses too many it is left alone, and not believed."""
    logger.warning("mail refused", user=bundle.user.pk, code=reply.code, gone=reply.mailbox_is_gone)
    if reply.mailbox_is_gone:
        commands.close_refused(user=bundle.user, notices=bundle.notices, reply=reply.words, now=now)
    else:
        _postpone(bundle, now, refusal=reply.words if reply.for_good else "")
    if reply.for_good and relay.is_paused(now):
        commands.doubt_refusals(people=relay.refused_since(now), now=now)
        logger.error("mails rest", why="many were refused", code=reply.code)
        raise MailServerAwayError


def _postpone(bundle: Bundle, now: datetime, *, maybe_sent: bool = False, refusal: str = "") -> None:
    commands.postpone(
        notices=bundle.notices, message_id=bundle.message_id, maybe_sent=maybe_sent, refusal=refusal, now=now
    )


def _close(server: BaseEmailBackend) -> None:
    try:
        server.close()
    except OSError:
        logger.debug("mail server was gone already")
