"""The words of what happens in a game beside its entries."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import isolate
from games.clock import TimeControl
from games.models import Remark
from games.models.choices import ProposalKind, RemarkKind
from games.words.time import describe_time_control, format_duration

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


WORDS: Final[Mapping[str, "_StrPromise"]] = {
    RemarkKind.OUTAGE: _("The site was down: %(seat)s gets %(duration)s back."),
    RemarkKind.MAINTENANCE: _("All clocks stood still for maintenance: %(seat)s gets %(duration)s back."),
    RemarkKind.OUTAGE_UNDONE: _("The staff has corrected an outage: its time counts after all."),
    RemarkKind.TIME_GIVEN: _("The staff gives %(seat)s more time: %(duration)s."),
    RemarkKind.PAUSED: _("The staff stopped the clock."),
    RemarkKind.RESUMED: _("The staff started the clock again."),
    RemarkKind.REMOVED: _("The staff puts %(seat)s out of the game."),
    RemarkKind.NEW_TIME_CONTROL: _("Everyone has agreed to a different time control: %(terms)s"),
    RemarkKind.CANCELLED: _("The game was cancelled."),
    RemarkKind.EXPIRED: _("The game was cancelled, as it did not fill up in time."),
}


PROPOSAL_WORDS: Final[Mapping[tuple[str, str], "_StrPromise"]] = {
    (RemarkKind.ASKED, ProposalKind.CANCEL): _("%(seat)s proposes to cancel the game."),
    (RemarkKind.ASKED, ProposalKind.TIME_CONTROL): _("%(seat)s proposes a different time control: %(terms)s"),
    (RemarkKind.AGREED, ProposalKind.CANCEL): _("%(seat)s agrees to cancel the game."),
    (RemarkKind.AGREED, ProposalKind.TIME_CONTROL): _("%(seat)s agrees to the new time control."),
    (RemarkKind.REFUSED, ProposalKind.CANCEL): _("%(seat)s does not want to cancel the game."),
    (RemarkKind.REFUSED, ProposalKind.TIME_CONTROL): _("%(seat)s does not want a different time control."),
    (RemarkKind.WITHDRAWN, ProposalKind.CANCEL): _("%(seat)s no longer proposes to cancel the game."),
    (RemarkKind.WITHDRAWN, ProposalKind.TIME_CONTROL): _("%(seat)s no longer proposes a different time control."),
    (RemarkKind.LAPSED, ProposalKind.CANCEL): _("The proposal to cancel the game is closed: the game went on."),
    (RemarkKind.LAPSED, ProposalKind.TIME_CONTROL): _("The proposal of a different time control is closed."),
}


def remark_words(remark: Remark, names: Sequence[str]) -> str:
    """Return a visible event as a sentence in the active language; ``names`` are those of the seats, in order."""
    params: Mapping[str, Any] = remark.params
    words = WORDS.get(remark.kind) or PROPOSAL_WORDS[remark.kind, params["proposal"]]
    agreed = params.get("new") or params.get("contract")
    sentence = str(words) % {
        "seat": names[remark.seat - 1] if remark.seat is not None else "",
        "duration": format_duration(params.get("seconds", 0), parts=2),
        "terms": describe_time_control(TimeControl.from_json(agreed)) if agreed else "",
    }
    return (
        f"{sentence} {gettext('Reason: %(why)s') % {'why': isolate(why)}}" if (why := params.get("why")) else sentence
    )
