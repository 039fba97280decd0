"""The people of a load, and what is between them outside of games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

from accounts.models import Block, User
from accounts.names import fold_name, skeleton
from games.management.load.tables import Tables
from games.models import Friend, Report, ReportKind, ReportOutcome, ReportState

HEAVY: Final = 1
"""The number of the person who has played most."""
AVERAGE_OF: Final = 2
"""The person this share of the way down has played as much as half of all."""
WORDS: Final = ("Aurora", "Meteor", "Orbit", "Rocket", "Saturn", "Planet", "Galaxy", "Lunar", "Solar", "Cosmo")
HOMES: Final = (("en", "UTC"), ("de", "Europe/Berlin"), ("fr", "Europe/Paris"), ("nl", "Europe/Amsterdam"))
FRIENDS_OF_HEAVY: Final = 200
BLOCKED_BY_HEAVY: Final = 120
REPORT_OF: Final = 20
"""For so many people there is a report."""
SKEW: Final = 3.0
"""How much more the first ones play than the last: the share of games falls with the rank to the power of -2/3."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people, whose numbers go from 1 and from who plays most to who plays least."""

    names: tuple[str, ...]
    """By number; nobody has 0."""
    zones: tuple[str, ...]

    @property
    def average(self) -> int:
        """The number of somebody who plays as much as most do."""
        return max(2, (len(self.names) - 1) // AVERAGE_OF)

    def draw(self, rng: Random, count: int, besides: Sequence[int] = ()) -> list[int]:
        """Draw so many different people: those who play much come often, who plays most only where they are put."""
        drawn = list(besides)
        rest = len(self.names) - 2
        while len(drawn) < count:
            person = 2 + int(rest * rng.random() ** SKEW)
            if person not in drawn:
                drawn.append(person)
        return drawn


def make_people(tables: Tables, count: int, rng: Random, now: datetime, password: str) -> Crowd:
    """Make so many people with confirmed addresses; those who can be signed in as get the password, as it is stored."""
    add = tables.into(
        User,
        *("id", "password", "email", "display_name", "name_key", "name_skeleton", "language", "time_zone"),
        *("confirmed_address", "date_joined"),
    )
    address = tables.into(EmailAddress, "id", "user_id", "email", "verified", "primary")
    names, zones = [""], ["UTC"]
    average = Crowd(tuple([""] * (count + 1)), ()).average
    known = {HEAVY: "Heavy", average: "Average"}
    for number in range(1, count + 1):
        name = known.get(number, f"{WORDS[number % len(WORDS)]}{number}")
        email = f"{name.lower()}@load.example"
        language, zone = HOMES[0] if number in known else rng.choice(HOMES)
        secret = password if number in known and password else f"{UNUSABLE_PASSWORD_PREFIX}{rng.getrandbits(120):x}"
        joined = now - timedelta(days=1100, seconds=rng.randrange(86_400))
        looks = skeleton(name)
        add(number, secret, email, name, fold_name(name), looks, language, zone, email, joined)
        address(number, number, email, True, True)
        names.append(name)
        zones.append(zone)
        tables.store()
    return Crowd(tuple(names), tuple(zones))


def make_reports(tables: Tables, crowd: Crowd, rng: Random, now: datetime) -> None:
    """Let people report others: what the staff's list of reports goes through."""
    add = tables.into(
        Report,
        "id",
        "kind",
        "reporter_id",
        "reported_id",
        "thing",
        "name",
        "text",
        "at",
        "state",
        "closed_at",
        "outcome",
    )
    for number in range(1, len(crowd.names) // REPORT_OF + 1):
        reporter, reported = crowd.draw(rng, 2)
        closed = number % 4 > 0
        at = now - timedelta(days=300 * rng.random())
        state, outcome = (ReportState.CLOSED, ReportOutcome.NOTHING) if closed else (ReportState.OPEN, "")
        text, thing = "Plays on for hours where all is lost.", f"{ReportKind.CONDUCT}-{reported}-{number}"
        name, ended = crowd.names[reported], at + timedelta(hours=9) if closed else None
        add(number, ReportKind.CONDUCT, reporter, reported, thing, name, text, at, state, ended, outcome)


def make_ties(tables: Tables, crowd: Crowd, rng: Random, now: datetime) -> None:
    """Let people have friends, and keep others away; most of all who plays most."""
    friend = tables.into(Friend, "id", "user_id", "friend_id", "at")
    block = tables.into(Block, "id", "blocker_id", "blocked_id", "at")
    people = len(crowd.names) - 1
    friends = blocks = 0
    for person in range(1, people + 1):
        wanted = FRIENDS_OF_HEAVY if person == HEAVY else rng.choice((0, 0, 1, 3, 8))
        apart = BLOCKED_BY_HEAVY if person == HEAVY else int(rng.random() < 0.05)
        count = min(wanted, people // 4)
        others = [one for one in crowd.draw(rng, count + min(apart, people // 4)) if one != person]
        for other in others[:count]:
            friends += 1
            friend(friends, person, other, now - timedelta(days=rng.randrange(1000)))
        for other in others[count:]:
            blocks += 1
            block(blocks, person, other, now - timedelta(days=rng.randrange(1000)))
        tables.store()
