"""Puzzles: positions in which one turn is clearly best, what people answered, and how good they are at it.

A puzzle refers to no game and to nobody: it is a position, and what is claimed of it.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import TURN_LENGTH

DIGEST: Final = 64
THEME_LENGTH: Final = 24
REASON: Final = 24
START: Final = 1200.0
"""The rating of somebody who has not solved any puzzle yet."""
UNKNOWN: Final = 250.0
"""How far off such a rating may be: one deviation."""
SUPPOSED: Final = 200.0
"""How far off the rating of a puzzle may be that computer players alone have tried."""
SURE: Final = 50.0
"""No rating is taken to be surer than this."""
SETTLED: Final = 110.0
"""A rating that may be off by more than this is provisional."""


def puzzle_day(at: datetime) -> date:
    """Return the day of the daily puzzle at an instant: that of UTC, the same everywhere."""
    return at.astimezone(UTC).date()


class PuzzleSource(models.TextChoices):
    """Where positions come from."""

    PLAYED = "played", _("from a public game")
    SELF_PLAY = "self-play", _("from a game between computer players")


class Puzzle(models.Model):
    """A position in which one turn is clearly best. It is never changed, but for its rating."""

    ruleset = models.CharField(_("ruleset"), max_length=32)
    # Of ruleset, set-up, position and seat: no position makes two puzzles.
    digest = models.CharField(_("digest"), max_length=DIGEST, unique=True)
    # What `engine.puzzles.write_puzzle` made of it.
    content = models.JSONField(_("content"))
    players = models.PositiveSmallIntegerField(_("players"))
    source = models.CharField(_("source"), max_length=10, choices=PuzzleSource.choices)
    made_at = models.DateTimeField(_("made at"))
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"), default=SUPPOSED)
    # First answers of people with an account.
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    solved = models.PositiveIntegerField(_("solved"), default=0)

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        indexes = (models.Index(name="puzzle_by_rating", fields=("rating", "id")),)

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def number_shown(self) -> int:
        """The rating as people read it."""
        return round(self.rating)


class PuzzleTheme(models.Model):
    """One thing that a puzzle is about: one of `Rules.themes`."""

    puzzle = models.ForeignKey(Puzzle, verbose_name=_("puzzle"), on_delete=models.CASCADE, related_name="themes")
    theme = models.CharField(_("theme"), max_length=THEME_LENGTH)

    class Meta:
        verbose_name = _("theme of a puzzle")
        verbose_name_plural = _("themes of puzzles")
        constraints = (models.UniqueConstraint(name="puzzle_theme_once", fields=("puzzle", "theme")),)
        indexes = (models.Index(name="puzzle_with_theme", fields=("theme", "puzzle")),)

    def __str__(self) -> str:
        return self.theme


class DailyPuzzle(models.Model):
    """The puzzle of a day, the same for everyone. Days are those of UTC; no puzzle is that of two days."""

    date = models.DateField(_("date"), unique=True)
    puzzle = models.OneToOneField(Puzzle, verbose_name=_("puzzle"), on_delete=models.PROTECT, related_name="daily")

    class Meta:
        verbose_name = _("daily puzzle")
        verbose_name_plural = _("daily puzzles")

    def __str__(self) -> str:
        return f"{self.date}"


class JudgedTurn(models.Model):
    """A turn that somebody answered a puzzle with, and what it is worth, whoever plays it: it is searched once.

    It names nobody. Those that were judged long ago are deleted: the same search finds the same.
    """

    puzzle = models.ForeignKey(
        Puzzle, verbose_name=_("puzzle"), on_delete=models.CASCADE, related_name="judged_turns", db_index=False
    )
    turn = models.CharField(_("turn"), max_length=TURN_LENGTH)
    asked_at = models.DateTimeField(_("asked at"))
    # From when on a worker may take it; later while one is at it, or where that failed a moment ago.
    due_at = models.DateTimeField(_("due at"))
    tries = models.PositiveSmallIntegerField(_("attempts in vain"), default=0)
    judged_at = models.DateTimeField(_("judged at"), null=True, blank=True)
    solves = models.BooleanField(_("solves"), null=True, blank=True)
    # The part of a win by which it falls short of the best turn, and why it does.
    lost = models.FloatField(_("lost chances"), default=0)
    reason = models.CharField(_("reason"), max_length=REASON, blank=True)
    params = models.JSONField(_("parameters"), default=dict)

    class Meta:
        verbose_name = _("judged turn")
        verbose_name_plural = _("judged turns")
        constraints = (models.UniqueConstraint(name="judged_turn_once", fields=("puzzle", "turn")),)
        indexes = (
            models.Index(name="judged_turn_waiting", fields=("asked_at",), condition=Q(judged_at=None)),
            models.Index(name="judged_turn_age", fields=("judged_at",), condition=Q(judged_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class PuzzleAttempt(models.Model):
    """What a person answered to a puzzle: the first answer, which counts, and whether they found it in the end."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.CASCADE,
        related_name="puzzle_attempts",
        db_index=False,
    )
    puzzle = models.ForeignKey(
        Puzzle, verbose_name=_("puzzle"), on_delete=models.CASCADE, related_name="attempted_by", db_index=False
    )
    at = models.DateTimeField(_("answered at"))
    # The first answer; empty where they had the answer shown instead, which counts as a miss.
    turn = models.CharField(_("first answer"), max_length=TURN_LENGTH, blank=True)
    # Whether that solved it; None while it is judged.
    solved = models.BooleanField(_("solved at once"), null=True, blank=True)
    lost = models.FloatField(_("lost chances"), default=0)
    # When they found the best turn by themselves, at whatever try, and when they had it shown.
    solved_at = models.DateTimeField(_("solved at"), null=True, blank=True)
    seen_at = models.DateTimeField(_("answer seen at"), null=True, blank=True)
    # An answer that is being judged, and when it was given.
    waiting = models.ForeignKey(
        JudgedTurn,
        verbose_name=_("answer that is judged"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="awaited_by",
        db_index=False,
    )
    waiting_since = models.DateTimeField(_("answer given at"), null=True, blank=True)
    # The person's rating before and after, where the answer counted for it.
    rating_before = models.FloatField(_("rating before"), null=True, blank=True)
    rating_after = models.FloatField(_("rating after"), null=True, blank=True)

    class Meta:
        verbose_name = _("attempt at a puzzle")
        verbose_name_plural = _("attempts at puzzles")
        constraints = (models.UniqueConstraint(name="puzzle_attempt_once", fields=("user", "puzzle")),)
        indexes = (
            models.Index(name="puzzle_attempts_at", fields=("puzzle",)),
            models.Index(name="puzzle_attempt_waiting", fields=("waiting",), condition=Q(waiting__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class Solver(models.Model):
    """How good a person is at puzzles, and on how many daily ones in a row they found the best turn on its day."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="solver"
    )
    rating = models.FloatField(_("rating"), default=START)
    deviation = models.FloatField(_("deviation"), default=UNKNOWN)
    attempts = models.PositiveIntegerField(_("rated answers"), default=0)
    solved = models.PositiveIntegerField(_("solved of these"), default=0)
    rated_at = models.DateTimeField(_("last rated answer"), null=True, blank=True)
    # The last daily puzzle that was solved on its day, the length of the row that ends with it, and the longest row.
    streak_on = models.DateField(_("streak up to"), null=True, blank=True)
    streak = models.PositiveIntegerField(_("streak"), default=0)
    longest = models.PositiveIntegerField(_("longest streak"), default=0)

    class Meta:
        verbose_name = _("solver")
        verbose_name_plural = _("solvers")

    def __str__(self) -> str:
        return f"{self.number}"

    @property
    def number(self) -> int:
        """The rating as people read it."""
        return round(self.rating)

    @property
    def provisional(self) -> bool:
        """Whether the rating says little yet."""
        return self.deviation > SETTLED

    def solve_day(self, day: date, before: date | None) -> bool:
        """Count a daily puzzle that was solved on its day, once; ``before`` is the day of the one before it.

        Return whether that changed anything. A day without a puzzle ends no streak.
        """
        if self.streak_on is not None and self.streak_on >= day:
            return False
        self.streak = self.streak + 1 if before is not None and self.streak_on == before else 1
        self.streak_on, self.longest = day, max(self.longest, self.streak)
        return True

    def streak_at(self, today: date, days: Sequence[date]) -> int:
        """Return the streak that goes on today; ``days`` are those of the last two daily puzzles, the later one first.

        It lasts until the first one that was not solved is over.
        """
        lasts = days[:2] if days and days[0] == today else days[:1]
        return self.streak if self.streak_on in lasts else 0


class PuzzleSearch(models.Model):
    """How far games have been looked through for puzzles: one row.

    Finished ones in the order in which they ended, and those between computer players by number.
    """

    finished_at = models.DateTimeField(_("end of the game"), null=True, blank=True)
    game = models.PositiveBigIntegerField(_("game"), default=0)
    # The entry up to which it was looked through, and how many puzzles were found in it.
    seq = models.PositiveIntegerField(_("entry"), default=0)
    found = models.PositiveSmallIntegerField(_("found"), default=0)
    # The number of the game between computer players, and the turn up to which it was looked through.
    self_play = models.PositiveIntegerField(_("game between computer players"), default=0, db_default=0)
    turn = models.PositiveIntegerField(_("turn"), default=0, db_default=0)

    class Meta:
        verbose_name = _("search for puzzles")
        verbose_name_plural = _("searches for puzzles")

    def __str__(self) -> str:
        return f"{self.game}"
