"""A person's deadlines as a calendar (RFC 5545): an event a turn, withdrawn once the turn is done."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.utils.translation import gettext
from icalendar import Calendar, Event

from accounts.mail_format import absolute, mail_host
from accounts.models import User
from games.queries.calendar import Due
from games.words.lists import list_words

REFRESH: Final = timedelta(hours=1)
"""How often programs shall look."""


def write_calendar(user: User, turns: Iterable[Due]) -> bytes:
    """Return a person's calendar, in the active language: the same bytes as long as nothing changes.

    Instants are in UTC, so they are right in whatever zone they are read. An event keeps its UID for as long as it is
    the same turn; what changes about it raises its SEQUENCE.
    """
    calendar = Calendar()
    calendar.add("prodid", f"-//{mail_host()}//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Gravity Superstar")
    calendar.add("x-wr-timezone", user.time_zone)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", REFRESH)
    for turn in turns:
        calendar.add_component(_event(turn))
    content: bytes = calendar.to_ical()
    return content


def _event(turn: Due) -> Event:
    event, address = Event(), absolute("game", turn.key)
    players = list_words(turn.rivals)
    event.add("uid", f"{turn.key}-{turn.seq}@{mail_host()}")
    event.add("sequence", turn.version)
    event.add("dtstamp", turn.since)
    event.add("last-modified", turn.since)
    event.add("dtstart", turn.at)
    event.add("dtend", turn.at)
    event.add("summary", gettext("Your time to move ends: game with %(players)s") % {"players": players})
    event.add("description", address)
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    event.add("status", "CANCELLED" if turn.done else "CONFIRMED")
    return event
