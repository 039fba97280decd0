"""What is proposed in a running game, who has agreed, and what the reader can do about it."""

from dataclasses import dataclass

from games.log.consent import may_be_cancelled, open_proposal
from games.models import Proposal
from games.models.choices import Status
from games.queries.game_page import GamePage


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentPage:
    """What is proposed in a started game and could be, as its reader sees it."""

    proposal: Proposal | None
    """What waits for answers."""
    answers: tuple[tuple[str, bool], ...]
    """The name of each person who still plays, and whether they have agreed."""
    has_agreed: bool
    """Whether the reader has."""
    takes_part: bool
    """Whether the game runs and the reader still plays in it."""
    alone: bool
    """Whether only one person still plays."""
    may_be_cancelled: bool
    """Whether the game can still be cancelled by consent."""


def consent_page(page: GamePage) -> ConsentPage:
    """Return what is proposed in the game of a page, and could be: two queries, one where nothing is proposed."""
    proposal = open_proposal(page.game)
    agreed = set(proposal.consents.values_list("seat", flat=True)) if proposal is not None else set()
    people = page.table.people
    return ConsentPage(
        proposal=proposal,
        answers=tuple((name, seat.number in agreed) for seat, name in page.table.seated if seat.number in people),
        has_agreed=page.viewer_number in agreed,
        takes_part=page.game.status == Status.ACTIVE and page.viewer_number in people,
        alone=len(people) == 1,
        may_be_cancelled=may_be_cancelled(page.game),
    )
