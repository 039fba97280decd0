"""Offering a new game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from random import Random
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.blocks import apart_from
from accounts.models import User
from engine.contract import Json
from engine.rulesets import RULESETS
from games.clock import DEFAULT_PRESET, PRESETS, TimeControl
from games.commands._allowed import refuse_bot, refuse_silenced, refuse_suspended
from games.commands._lock import lock_person
from games.commands._open_game import RECENT, limit_bot_games, limit_games, seat_bot
from games.commands._start import CHANCE, start_if_full
from games.commands.continue_series import follows
from games.commands.invite import invite_all
from games.errors import GameCode, GameError
from games.log.gates import OPEN_TO_ALL, Gates
from games.models import Game, Seat
from games.models.choices import Status
from games.models.game import OPEN_FOR

MOST_OPEN: Final = 20
"""How many games of one person can wait for players at once."""
MOST_NEW: Final = 100
"""How many games one person can create within `RECENT`."""

MOST_IN_SERIES: Final = 5


@transaction.atomic(durable=True)
def create_game(
    *,
    user: User,
    ruleset: str,
    size: int,
    options: Mapping[str, Json],
    public: bool,
    bots: Sequence[str],
    now: datetime,
    time_control: TimeControl = PRESETS[DEFAULT_PRESET],
    rng: Random = CHANCE,
    token: UUID | None = None,
    asked: str = "",
    name: str = "",
    invited: Collection[int] = (),
    series: int = 1,
    players_only: bool = False,
    takes_bots: bool = False,
    rated: bool = False,
    gates: Gates = OPEN_TO_ALL,
) -> Game:
    """Create an open game in which ``user`` and ``bots`` are seated, and start it if that fills it.

    Until it is full it stays open for `OPEN_FOR`; ``rng`` draws its start. Its ``name``, which may be empty, is one
    that `accounts.names` has let pass. One for ``players_only`` can be watched by nobody else. The people of the
    numbers ``invited`` are asked to play, but for those who are gone or kept apart. It is the first of a ``series`` of
    so many games. It takes whom its ``gates`` let in, or who is invited, and bots only where it ``takes_bots``, as
    those of bots do. It is ``rated`` only between people with an account, without bots. Where ``user`` has created a
    game with this ``token`` already, that one is returned, whatever the other terms, unless the digests of what was
    ``asked`` for say that they were others. Guests create games against computer players alone, which no list shows.
    Raises `GameError`: ``unknown-ruleset``, ``bad-size``, ``bad-series``, ``bad-gates``, ``too-many-bots``,
    ``too-many-invited``, ``guest-creates``, ``idempotency-mismatch``, ``not-for-bots`` where one invites,
    ``suspended``, ``silenced`` where it has a name, ``too-many-new-games``, ``too-many-open-games``,
    ``too-many-games``, ``too-many-bot-games``, ``too-many-new-bot-games``, ``too-many-invitations``, ``unknown-bot``;
    `RulesError`: ``bad-options``.
    """
    rules = RULESETS.get(ruleset)
    if rules is None:
        raise GameError(GameCode.UNKNOWN_RULESET, ruleset=ruleset)
    _check_seats(rules.seats, size, bots, invited)
    if not gates.are_valid:
        raise GameError(GameCode.BAD_GATES)
    if user.is_guest and (public or free_seats(size, bots)):
        raise GameError(GameCode.GUEST_CREATES)
    if not 1 <= series <= MOST_IN_SERIES:
        raise GameError(GameCode.BAD_SERIES, most=MOST_IN_SERIES)
    person = lock_person(user.pk)
    if token is not None and (made := Game.objects.filter(creator=user, token=token).first()):
        if asked and made.asked_digest and made.asked_digest != asked:
            raise GameError(GameCode.IDEMPOTENCY_MISMATCH)
        return made
    refuse_suspended(person, now)
    if name:
        refuse_silenced(person, now)
    game = offer_game(
        user,
        bots,
        now,
        ruleset=ruleset,
        size=size,
        options=rules.check_options(options, size),
        public=public,
        time_control=time_control.to_json(),
        token=token,
        asked_digest=asked,
        name=name,
        series_length=series,
        is_followed=follows(series),
        players_only=players_only,
        takes_bots=takes_bots or user.is_bot,
        rated=rated,
        **asdict(gates),
    )
    if invited and not user.is_guest:
        refuse_bot(person)
        people = User.objects.found().filter(pk__in=invited).exclude(pk=user.pk)
        people = people if takes_bots else people.filter(owner=None)
        invite_all(game, people.exclude(apart_from(person, "pk")), user, now)
    start_if_full(game, now=now, rng=rng)
    return game


def _check_seats(allowed: range, size: int, bots: Sequence[str], invited: Collection[int]) -> None:
    """Refuse a size that the game is not for, and more computer players or people asked than there are seats for."""
    if size not in allowed:
        raise GameError(GameCode.BAD_SIZE, least=allowed.start, most=allowed.stop - 1)
    if len(bots) >= size:
        raise GameError(GameCode.TOO_MANY_BOTS, most=size - 1)
    if len(set(invited)) > free_seats(size, bots):
        raise GameError(GameCode.TOO_MANY_INVITED, free=free_seats(size, bots))


def free_seats(size: int, bots: Sequence[str]) -> int:
    """Return how many seats a new game has for others than its creator and the computer players."""
    return size - 1 - len(bots)


def offer_game(user: User, bots: Sequence[str], now: datetime, *, size: int, rated: bool = False, **terms: Any) -> Game:
    """Create an open game on checked terms, with a seat for ``user``, who is locked, and for the computer players.

    With these, or a guest, or where it takes bots, it is not ``rated`` whatever was asked for. Raises `GameError`:
    ``too-many-new-games``, ``too-many-open-games``, ``too-many-games``, ``too-many-bot-games``,
    ``too-many-new-bot-games``, ``unknown-bot``.
    """
    limit_games(user)
    if Game.objects.filter(creator=user, created_at__gt=now - RECENT).count() >= MOST_NEW:
        raise GameError(GameCode.TOO_MANY_NEW_GAMES, most=MOST_NEW)
    if bots:
        limit_bot_games(user, now)
    if len(bots) + 1 < size:
        _limit_open_games(user)
    terms["rated"] = rated and not bots and not user.is_guest and not terms.get("takes_bots")
    game = Game.objects.create(creator=user, size=size, created_at=now, expires_at=now + OPEN_FOR, **terms)
    Seat.objects.create(game=game, user=user, name=user.display_name)
    for bot in bots:
        seat_bot(game, bot)
    return game


def _limit_open_games(user: User) -> None:
    """Refuse one open game too many."""
    if Game.objects.filter(creator=user, status=Status.OPEN).count() >= MOST_OPEN:
        raise GameError(GameCode.TOO_MANY_OPEN_GAMES, most=MOST_OPEN)
