"""Reviewing a finished game: asked for once, made turn by turn."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from engine.contract import Reviewed
from games.commands._lock import glance_at, lock_game, lock_person
from games.commands._nudge import nudge_reviews
from games.commands._open_game import RECENT
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.log.table import may_watch
from games.models import Entry, Game, Review, ReviewTurn
from games.models.choices import Status

MOST_REVIEWS: Final = 20
"""How many reviews one person can ask for within `RECENT`."""
MOST_AS_GUEST: Final = 3
"""How many of them a guest account can."""
PLAYOUTS: Final = 100
"""How long the search thinks about a turn: some tenths of a second for two players, some seconds for six."""
LEASE: Final = timedelta(minutes=3)
"""How long one entry may take before another worker tries."""
MOST_ATTEMPTS: Final = 6
"""After so many attempts at one entry a review is given up, until somebody asks for it again."""


@transaction.atomic(durable=True)
def ask_for_review(*, game_key: str, user: User, now: datetime) -> Review:
    """Return the review of a finished game, asked for now unless it was before; one that was given up is tried again.

    Raises `GameError`: ``no-such-game``, ``not-to-review``, ``too-many-reviews``.
    """
    person = lock_person(user.pk)
    game = lock_game(key=game_key)  # so two who ask at once ask for one
    if not may_watch(game, user):
        raise GameError(GameCode.NO_SUCH_GAME)
    if game.status != Status.FINISHED:
        raise GameError(GameCode.NOT_TO_REVIEW)
    review = Review.objects.filter(game=game).first()
    if review is not None and not is_given_up(review):
        return review
    most = MOST_AS_GUEST if person.is_guest else MOST_REVIEWS
    if Review.objects.filter(by=person, at__gt=now - RECENT).count() >= most:
        raise GameError(GameCode.TOO_MANY_REVIEWS, most=most)
    asked = {"by": person, "at": now, "due_at": now, "attempts": 0}
    if review is None:
        review = Review.objects.create(game=game, model=rules_of(game).judge, **asked)
    else:
        Review.objects.filter(pk=review.pk).update(**asked)
        review.refresh_from_db()
    transaction.on_commit(nudge_reviews, robust=True)
    return review


def is_given_up(review: Review) -> bool:
    """Return whether a review failed so often that no worker tries it any more."""
    return review.made_at is None and review.attempts >= MOST_ATTEMPTS


@transaction.atomic(durable=True)
def review_again(*, game_id: int, now: datetime) -> None:
    """Forget the review of a game and make it anew, by what judges turns today; for the staff. It belongs to nobody."""
    game = Game.objects.filter(pk=game_id, status=Status.FINISHED).first()
    if game is None:
        raise GameError(GameCode.NOT_TO_REVIEW)
    Review.objects.filter(game=game).delete()
    Review.objects.create(game=game, at=now, due_at=now, model=rules_of(game).judge)
    transaction.on_commit(nudge_reviews, robust=True)


@transaction.atomic(durable=True)
def claim_review(*, now: datetime) -> Review | None:
    """Take the review that is next, for as long as one of its entries may last; None where none waits.

    Those of people with an account come before those of guest accounts, and the first that a person has asked for
    within `RECENT` before the second of anybody: who asks for many makes nobody wait long but themselves.
    """
    rows = Review.objects.select_for_update(skip_locked=True, of=("self",))
    waiting = rows.filter(made_at=None, due_at__lte=now, attempts__lt=MOST_ATTEMPTS)
    before = Review.objects.filter(by=OuterRef("by"), at__lt=OuterRef("at"), at__gt=OuterRef("at") - RECENT)
    waiting = waiting.alias(
        as_guest=Exists(User.objects.filter(pk=OuterRef("by"), is_guest=True)),
        before=Coalesce(Subquery(before.order_by().values("by").annotate(count=Count("*")).values("count")), 0),
    )
    review = waiting.order_by("as_guest", "before", "at", "pk").first()
    if review is not None:
        review.due_at = now + LEASE
        review.attempts += 1
        review.save(update_fields=["due_at", "attempts"])
    return review


def review_entry(review: Review, *, rng: Random, now: datetime) -> bool:
    """Judge the next entry of a claimed review and write that down; return whether another one follows.

    Nothing is locked while it is judged, as nothing of a finished game changes. Raises `RulesError` if the log can't be
    replayed.
    """
    game = glance_at(review.game_id)
    if game is None or game.status != Status.FINISHED:
        return False
    seq = 1 + ReviewTurn.objects.filter(review=review).count()
    entry = Entry.objects.get(game=game, seq=seq)
    return _write(review, _judge(game, entry, rng, review), last=seq == game.seq, now=now)


def _judge(game: Game, entry: Entry, rng: Random, review: Review) -> ReviewTurn:
    """Return an unsaved row about an entry."""
    rules = rules_of(game)
    row = ReviewTurn(review=review, seq=entry.seq, seat=entry.seat, turn=entry.turn)
    if entry.event:
        row.chances = _rounded(rules.chances(position_at(game, entry.seq).state))
        return row
    before = position_at(game, entry.seq - 1).state
    found = rules.review(before, rng, playouts=PLAYOUTS, played=entry.turn)
    row.chances, row.before = _rounded(found.played.chances), _rounded(chances_before(found, entry.seat))
    row.verdict, row.lost, row.points = found.verdict.value, round(found.lost, 4), found.points
    row.reason, row.params, row.line = found.reason, dict(found.params), list(found.played.line)
    if found.best.turn != entry.turn:
        row.best, row.best_line = found.best.turn, list(found.best.line)
    return row


def chances_before(found: Reviewed, seat: int) -> tuple[float, ...]:
    """Return everyone's chances after the best turn, as far as its seat's are surely better: by what is lost."""
    best, played = found.best.chances, found.played.chances
    gap = best[seat - 1] - played[seat - 1]
    part = found.lost / gap if gap > 0 else 0.0
    return tuple(one + part * (other - one) for one, other in zip(played, best, strict=True))


def _rounded(chances: tuple[float, ...]) -> list[float]:
    return [round(chance, 6) for chance in chances]


@transaction.atomic(durable=True)
def _write(review: Review, row: ReviewTurn, *, last: bool, now: datetime) -> bool:
    """Keep what was found, unless somebody was faster or the review was begun anew; return whether more is to do."""
    claimed = Review.objects.select_for_update(no_key=True).filter(pk=review.pk, made_at=None).first()
    if claimed is None or ReviewTurn.objects.filter(review=claimed).count() != row.seq - 1:
        return False
    row.save(force_insert=True)
    claimed.due_at, claimed.attempts, claimed.made_at = now, 0, now if last else None
    claimed.save(update_fields=["due_at", "attempts", "made_at"])
    return not last


@transaction.atomic(durable=True)
def postpone_review(*, review: Review, now: datetime) -> None:
    """Try the entry at which a claimed review failed again later, each time after twice as long."""
    later = now + timedelta(seconds=15 * 2**review.attempts)
    Review.objects.filter(pk=review.pk, made_at=None).update(due_at=later)
