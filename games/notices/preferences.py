"""What people chose about notices: read when one is to be sent, changed on their pages and by one click in a mail."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.core import signing
from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.models import Game
from games.notices.kinds import Cadence, NoticeKind, NoticeState
from games.notices.models import DELAY_DEFAULT, GameMute, Notice, NoticePreference
from games.notices.topics import TOPICS

DEFAULTS: Final[Mapping[NoticeKind, Cadence]] = {topic.kind: topic.cadence for topic in TOPICS.values()}
"""When each kind is sent to whom has not chosen otherwise."""
CHOSEN: Final = tuple(kind for kind in NoticeKind if kind is not NoticeKind.TEST)
"""The kinds that people choose about."""
SALT: Final = "games.notices.unsubscribe"


@dataclass(frozen=True, slots=True)
class Choice:
    """When a person wants a kind of notice."""

    cadence: Cadence
    minutes: int = DELAY_DEFAULT


@dataclass(frozen=True, slots=True)
class Choices:
    """All that a person chose."""

    kinds: Mapping[NoticeKind, Choice]
    digest_hour: int


def choices_of(user: User) -> Choices:
    """Return what a person chose, defaults filled in: one query."""
    kinds = {kind: Choice(cadence) for kind, cadence in DEFAULTS.items()}
    for row in NoticePreference.objects.filter(user=user):
        kinds[NoticeKind(row.kind)] = Choice(Cadence(row.cadence), row.minutes)
    return Choices(kinds, user.digest_hour)


@transaction.atomic
def choose(user: User, choices: Choices) -> None:
    """Store what a person chose; it holds for notices that wait already."""
    for kind, choice in choices.kinds.items():
        NoticePreference.objects.update_or_create(
            user=user,
            kind=kind,
            defaults={"cadence": choice.cadence, "minutes": choice.minutes, "before": ""},
        )
    user.digest_hour = choices.digest_hour
    user.save(update_fields=["digest_hour"])
    reconsider(user)


def reconsider(user: User) -> None:
    """Look anew at each notice that waits for a person, as what they want has changed."""
    Notice.objects.filter(user=user, state=NoticeState.WAITING).update(due_at=F("at"))


@transaction.atomic
def mute_game(user: User, game: Game) -> None:
    """Tell a person nothing more of a game but that their time runs out; once more is no error."""
    GameMute.objects.get_or_create(user=user, game=game)
    reconsider(user)


@transaction.atomic
def unmute_game(user: User, game: Game) -> None:
    """Tell a person of a game again."""
    GameMute.objects.filter(user=user, game=game).delete()
    reconsider(user)


# The address that refuses mail


def refuse_address(user: User, address: str) -> None:
    """Note that an address refuses mail for good, until its owner says that it works, or has another one."""
    User.objects.filter(pk=user.pk).update(refused_address=address)


def trust_address(user: User) -> None:
    """Send to a person's address again."""
    User.objects.filter(pk=user.pk).update(refused_address="")


# One click in a mail


def unsubscribe_token(user: User, kinds: Iterable[NoticeKind]) -> str:
    """Return a signed word that stands for a person and kinds of notice. It opens nothing else and never expires."""
    return signing.dumps([user.pk, sorted({kind.value for kind in kinds})], salt=SALT, compress=False)


def read_token(token: str) -> tuple[User, tuple[NoticeKind, ...]] | None:
    """Return whom and which kinds a token stands for, or None for one that we did not make or who is gone."""
    try:
        user_id, kinds = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=user_id).first()
    return None if user is None else (user, tuple(NoticeKind(kind) for kind in kinds if kind in NoticeKind))


@transaction.atomic
def unsubscribe(user: User, kinds: Iterable[NoticeKind]) -> None:
    """Tell a person nothing more of these kinds; what held before is kept for the way back."""
    present = choices_of(user)
    for kind in kinds:
        choice = present.kinds[kind]
        if choice.cadence is not Cadence.NEVER:
            NoticePreference.objects.update_or_create(
                user=user,
                kind=kind,
                defaults={"cadence": Cadence.NEVER, "minutes": choice.minutes, "before": choice.cadence},
            )
    reconsider(user)


@transaction.atomic
def resubscribe(user: User, kinds: Iterable[NoticeKind]) -> None:
    """Undo `unsubscribe`."""
    for row in NoticePreference.objects.filter(user=user, kind__in=list(kinds), cadence=Cadence.NEVER):
        row.cadence, row.before = row.before or DEFAULTS[NoticeKind(row.kind)], ""
        row.save(update_fields=["cadence", "before"])
    reconsider(user)
