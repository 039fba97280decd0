"""Webhooks: news as Discord and Slack show them, or for a program of one's own, signed as Standard Webhooks has it."""

import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Final

from games.delivery.claim import Bundle
from games.delivery.content import News, shorten
from games.delivery.outbound import Call
from games.notices.kinds import HookStyle
from games.notices.models import Outlet

PREFIX: Final = "whsec_"
LONGEST: Final = 1900
"""Characters of a message: Discord takes 2,000."""
MARKDOWN: Final = re.compile(r"([\\`*_~|<>\[\]()#:@-])")
"""What would make more of a name than text on Discord."""


def make_secret() -> str:
    """Return a new secret that signs what a webhook gets: 32 bytes of chance in base64, after a prefix."""
    return PREFIX + b64encode(token_bytes(32)).decode()


def hook_call(outlet: Outlet, bundle: Bundle, news: News, *, now: datetime) -> Call:
    """Return the call that brings news to a webhook."""
    match HookStyle(outlet.style):
        case HookStyle.DISCORD:
            # Nobody is called by a name that happens to look like a mention, and no link is unfolded.
            content = {"content": _message(news, _for_discord), "allowed_mentions": {"parse": []}, "flags": 4}
        case HookStyle.SLACK:
            content = {"text": _message(news, _for_slack), "unfurl_links": False}
        case HookStyle.JSON:
            return _signed(outlet, bundle, _document(bundle, news, now), now)
    return Call(outlet.address, _write(content), {"Content-Type": "application/json"})


def sign(secret: str, message_id: str, instant: int, body: bytes) -> str:
    """Return the signature of a call: HMAC-SHA-256 over its number, its second and its body."""
    signed = b".".join((message_id.encode(), str(instant).encode(), body))
    return "v1," + b64encode(hmac.digest(b64decode(secret.removeprefix(PREFIX)), signed, sha256)).decode()


def _signed(outlet: Outlet, bundle: Bundle, content: Any, now: datetime) -> Call:
    body, instant = _write(content), int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "webhook-id": bundle.message_id,
        "webhook-timestamp": str(instant),
        "webhook-signature": sign(outlet.secret, bundle.message_id, instant, body),
    }
    return Call(outlet.address, body, headers)


def _document(bundle: Bundle, news: News, now: datetime) -> dict[str, Any]:
    """Return everything that is told, by codes and in words."""
    return {
        "type": "notices",
        "timestamp": now.isoformat(timespec="seconds"),
        "data": {
            "player": bundle.user.display_name,
            "subject": news.subject,
            "url": news.link,
            "notices": [
                {
                    "topic": notice.topic,
                    "kind": notice.kind,
                    "game": None if notice.game is None else notice.game.key,
                    "at": notice.at.isoformat(timespec="seconds"),
                }
                for notice in bundle.notices
            ],
            "sections": [
                {"title": section.title, "url": section.link, "sentences": section.told} for section in news.sections
            ],
        },
    }


def _message(news: News, write: Callable[[str], str]) -> str:
    """Return all that is told as lines of text, with the address of the page last."""
    said = "\n".join(write(line) for line in (news.subject, *news.in_short))
    return f"{shorten(said, LONGEST - len(news.link))}\n{news.link}"


def _for_discord(line: str) -> str:
    return MARKDOWN.sub(r"\\\1", line)


def _for_slack(line: str) -> str:
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _write(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()
