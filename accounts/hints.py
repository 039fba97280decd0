"""Hints for the staff that two accounts may be one person's: they are signed in from the same network.

A hint proves nothing: families, schools and mobile networks share addresses. Nobody but the staff sees it.
"""

from collections import defaultdict
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from allauth.usersessions.models import UserSession
from django.db.models import Q

from accounts.models import User

MOST: Final = 20
"""How many accounts are hinted at, those with the most in common first."""
MOST_SESSIONS: Final = 50
"""How many sessions of a person are looked at, the latest first."""
MOST_OTHERS: Final = 500
"""How many sessions of others are looked at."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Another account that was signed in to from the same networks."""

    person: User
    networks: int
    """From how many."""
    same_browser: bool
    """Whether with a browser that calls itself the same, too."""


def network_of(address: str) -> str:
    """Return how the addresses of one network begin: all of it for IPv4, the first four groups for IPv6."""
    known = ip_address(address)
    if isinstance(known, IPv6Address):
        groups = known.exploded.split(":")[:4]
        return ":".join(group.lstrip("0") or "0" for group in groups) + ":"
    return address


def hints_about(person: User) -> list[Hint]:
    """Return the accounts that share networks with a person's, those with the most in common first: three queries."""
    own = list(UserSession.objects.filter(user=person).order_by("-created_at", "-pk")[:MOST_SESSIONS])
    browsers = {(network_of(row.ip), row.user_agent) for row in own}
    near = Q()
    for network in {network for network, _browser in browsers}:
        near |= Q(ip__startswith=network) if network.endswith(":") else Q(ip=network)
    if not near:
        return []
    shared, same = defaultdict[int, set[str]](set), set[int]()
    others = UserSession.objects.filter(near).exclude(user=person).order_by("-created_at", "-pk")[:MOST_OTHERS]
    for row in others:
        shared[row.user_id].add(network_of(row.ip))
        if (network_of(row.ip), row.user_agent) in browsers:
            same.add(row.user_id)
    people = User.objects.in_bulk(shared)
    found = [Hint(people[pk], len(networks), pk in same) for pk, networks in shared.items() if pk in people]
    return sorted(found, key=lambda hint: (-hint.networks, not hint.same_browser, hint.person.pk))[:MOST]
