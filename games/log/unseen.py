"""Which messages a person is spared: those of people whom they have blocked, or muted in the game."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.blocks import blocked_by
from games.models import Game, Message, Muted, Seat, SpectatorMessage, TalkMute


def shown_to(messages: QuerySet[Message], person: Any) -> QuerySet[Message]:
    """Return the messages without those that a person, given by number, is spared: no query more."""
    spared = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), user__in=blocked_by(person))
    muted = TalkMute.objects.filter(user=person, game=OuterRef("game"), what=Muted.PLAYER, seat=OuterRef("seat"))
    return messages.filter(~Exists(spared), ~Exists(muted))


def told_to(messages: QuerySet[Message], person: Any) -> QuerySet[Message]:
    """Return those of the messages shown to a person that they also want to hear of: no query more."""
    quiet = TalkMute.objects.filter(user=person, game=OuterRef("game"), what=Muted.MESSAGES)
    return shown_to(messages, person).filter(~Exists(quiet))


def heard_by(game: Game, person: int) -> QuerySet[SpectatorMessage]:
    """Return what spectators of a game wrote, with its authors, but for those whom a person, if not 0, has blocked."""
    rows = SpectatorMessage.objects.filter(game=game).select_related("spectator__user")
    return rows.filter(Q(spectator__user=None) | ~Q(spectator__user__in=blocked_by(person))) if person else rows
