"""Filling an empty database, in one transaction."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Final

from allauth.account.models import EmailAddress
from django.db import connection, transaction

from accounts.models import Block, User
from games.management.load.people import make_people, make_reports, make_ties
from games.management.load.plays import play_all
from games.management.load.scene import Scale, Scene
from games.management.load.tables import Tables, bare, go_on_counting
from games.models import (
    Career,
    Entry,
    Friend,
    Game,
    Invitation,
    Mark,
    Message,
    Punctuality,
    Rating,
    RatingChange,
    RatingCounter,
    RatingMonth,
    Remark,
    Report,
    Result,
    Rivalry,
    Seat,
)
from games.notices.models import Notice

FILLED: Final = (
    *(User, EmailAddress, Friend, Block, Report),
    *(Game, Seat, Entry, Remark, Message, Invitation, Notice),
    *(Result, Mark, Career, Rivalry, Punctuality, Rating, RatingChange, RatingMonth, RatingCounter),
)
"""The tables that are filled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load(Scale):
    """How much of what there is to be, and what it is drawn from."""

    people: int
    seed: int
    password: str = ""
    """Of the two people who can be signed in as, as it is stored; empty: nobody can."""


def fill(load: Load, now: datetime) -> Iterator[str]:
    """Fill the database; yield a word on each part that is done. Nothing is there before all is."""
    rng = Random(load.seed)  # noqa: S311 - the same every time is what is wanted
    tables = Tables()
    plays = play_all(load.seed)
    yield f"{len(plays)} games played"
    with transaction.atomic():
        with bare(FILLED):
            crowd = make_people(tables, load.people, rng, now, load.password)
            make_ties(tables, crowd, rng, now)
            make_reports(tables, crowd, rng, now)
            tables.store(all_of_them=True)
            yield f"{load.people:,} people"
            yield from Scene(tables, crowd, plays, rng, now).make(load)
        go_on_counting(FILLED)
        yield "indexes made"
    analyse()
    yield "statistics gathered"


def analyse() -> None:
    """Let the database know what is in its tables; where it is just finding out by itself, wait for it."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("ANALYZE")
            return
        cursor.execute("SET lock_timeout = 0")
        cursor.execute("ANALYZE" if connection.in_atomic_block else "VACUUM (ANALYZE)")
        cursor.execute("RESET lock_timeout")
