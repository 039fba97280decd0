"""Who seems to live in one household: two people who were signed in from the same browser or the same home network.

Games between them are not rated. What is kept for that are keyed hashes (`Trace`), for `KEPT_FOR` after the last visit:
they tell that two people were at one place, and neither where nor with what. Nobody is told about whom this is so.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from allauth.core.internal.httpkit import get_client_ip
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.models import Trace, User

KEPT_FOR: Final = timedelta(days=90)
"""How long a trace is kept after the last visit."""
NOTED_EVERY: Final = timedelta(days=1)
"""How often at most a visit is written down."""
MOST_KEPT: Final = 100
"""So many traces of one person are kept, the last ones."""
MOST_AT_HOME: Final = 10
"""A network from which more people sign in is no home, but that of a school, a firm or a telephone company."""
HOME_BITS: Final = 64
"""How much of an address of IPv6 is that of a home; an address of IPv4 is one as a whole."""


def note_traces(request: HttpRequest, user: User, browser: str, now: datetime) -> None:
    """Write down from where a person has come; ``browser`` is its name (`accounts.attempts`). Not for guests."""
    if not user.is_guest:
        network = home_network(get_client_ip(request) or "")
        note(user, {Trace.Kind.DEVICE: browser, Trace.Kind.NETWORK: network}, now)


def note(user: User, places: Mapping[Trace.Kind, str], now: datetime) -> None:
    """Write down that a person was at places; empty texts say nothing."""
    known = {(trace.kind, trace.digest): trace for trace in Trace.objects.filter(user=user).order_by("seen_at")}
    for kind, place in places.items():
        key = (kind, _digest(kind, place))
        trace = known.get(key)
        if not place or (trace is not None and trace.seen_at >= now - NOTED_EVERY):
            continue
        if trace is None and len(known) >= MOST_KEPT:
            known.pop(next(iter(known))).delete()
        known[key], _new = Trace.objects.update_or_create(
            user=user, kind=kind, digest=key[1], defaults={"seen_at": now}
        )


def share_household(people: Collection[int], now: datetime) -> bool:
    """Return whether two of these people, by their numbers, seem to live together: one query."""
    traces = Trace.objects.filter(seen_at__gt=now - KEPT_FOR)
    everyone = traces.filter(kind=OuterRef("kind"), digest=OuterRef("digest")).order_by().values("kind", "digest")
    crowded = everyone.annotate(people=Count("pk")).filter(people__gt=MOST_AT_HOME)
    theirs = traces.filter(user__in=people).order_by().values("kind", "digest")
    shared = theirs.annotate(people=Count("pk")).filter(people__gt=1)
    return shared.filter(~Exists(crowded) | Q(kind=Trace.Kind.DEVICE)).exists()


def spent(now: datetime) -> QuerySet[Trace]:
    """Return the traces that have served their time."""
    return Trace.objects.filter(seen_at__lte=now - KEPT_FOR)


def home_network(address: str) -> str:
    """Return the network of a home that an address belongs to; empty for one that is not of the public net."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if not found.is_global:
        return ""
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, HOME_BITS), strict=False))
    return str(found)


def _digest(kind: Trace.Kind, place: str) -> str:
    return salted_hmac(f"accounts.households.{kind}", place, algorithm="sha256").hexdigest()[:32]
