"""The topics of notices, one a file, and which of them each fact becomes.

A new topic is a file beside these, a line in `ALL`, and its fact's case in `items_of`.
"""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from games.models import Game
from games.notices.facts import (
    AutopilotPlayed,
    ConsentAsked,
    DeadlineMoved,
    ExpiryNears,
    Fact,
    GameCancelled,
    GameOver,
    GameStarted,
    Invited,
    Joined,
    MessageWritten,
    ProposalClosed,
    Removed,
    SeatRetired,
    TimeRunsShort,
    TurnBegan,
)
from games.notices.topic import Item, Topic
from games.notices.topics import (
    autopilot_played,
    clock_warnings,
    consent_asked,
    deadline_moved,
    expiry_nears,
    game_cancelled,
    game_over,
    game_started,
    holidays,
    invited,
    joined,
    messages,
    proposal_settled,
    removed,
    seat_retired,
    test,
    your_turn,
)

ALL: Final[tuple[Topic, ...]] = (
    your_turn.TOPIC,
    *clock_warnings.TOPICS,
    autopilot_played.TOPIC,
    seat_retired.TOPIC,
    game_started.TOPIC,
    game_over.TOPIC,
    game_cancelled.TOPIC,
    invited.TOPIC,
    joined.TOPIC,
    removed.TOPIC,
    expiry_nears.TOPIC,
    consent_asked.TOPIC,
    proposal_settled.TOPIC,
    deadline_moved.TOPIC,
    *holidays.TOPICS,
    messages.TOPIC,
    test.TOPIC,
    test.OF_OUTLET,
)
TOPICS: Final[Mapping[str, Topic]] = {topic.value: topic for topic in ALL}
"""Every topic by what rows of the outbox call it. A row may name one that this version of the site does not know."""


def items_of(game: Game, fact: Fact) -> Iterable[Item]:  # noqa: C901, PLR0912 - a table: one case a fact
    """Return what a fact about a locked game becomes. The game's seats and their users must be loaded."""
    match fact:
        case Invited():
            items = invited.items(game, fact)
        case MessageWritten():
            items = messages.items(game, fact)
        case Joined():
            items = joined.items(game, fact)
        case Removed():
            items = removed.items(game, fact)
        case GameStarted():
            items = game_started.items(game)
        case TurnBegan():
            items = your_turn.items(game, fact)
        case DeadlineMoved():
            items = deadline_moved.items(game, fact)
        case TimeRunsShort():
            items = clock_warnings.items(game, fact)
        case AutopilotPlayed():
            items = autopilot_played.items(game, fact)
        case SeatRetired():
            items = seat_retired.items(game, fact)
        case GameOver():
            items = game_over.items(game)
        case GameCancelled():
            items = game_cancelled.items(game, fact)
        case ExpiryNears():
            items = expiry_nears.items(game, fact)
        case ConsentAsked():
            items = consent_asked.items(game, fact)
        case ProposalClosed():
            items = proposal_settled.items(game, fact)
        case _:
            assert_never(fact)
    return items


def topic_label(value: str) -> str:
    """Return what a stored topic is called, in the active language; one that is not known is called as it is stored."""
    topic = TOPICS.get(value)
    return value if topic is None else str(topic.label)
