"""A sample of each kind of mail, about games that were never stored: for whoever writes and looks after mails."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.zones import zone
from engine.rulesets import RULESETS
from games.clock import DEFAULT_PRESET, PRESETS
from games.mail import words
from games.mail.content import Letter, Section, absolute, button_words, make_letter, personal_part, turn_facts
from games.mail.words import NoticeText
from games.models.choices import ProposalKind, ProposalOutcome, Reason
from games.notices.facts import CancelledBy, MovedBy
from games.notices.kinds import KIND_OF, NoticeKind, Topic
from games.presenters.registry import PRESENTERS
from games.words.time import describe_time_control

SEVERAL: Final = "several"
"""The name of the sample that tells of several games."""
NAMES: Final = ("Ada", "Bo", "Cleo")
PERSONAL: Final = {Topic.HOLIDAY_BEGINS, Topic.HOLIDAY_ENDS, Topic.TEST}
RUNNING: Final = {
    Topic.TURN,
    Topic.HALF,
    Topic.LAST,
    Topic.AUTOPILOT,
    Topic.STARTED,
    Topic.ASKED,
    Topic.SETTLED,
    Topic.MOVED,
    Topic.MESSAGE,
}
OPEN: Final = {Topic.INVITED, Topic.JOINED, Topic.EXPIRY}


def sample_names() -> tuple[str, ...]:
    """Return the names of all samples."""
    return (*(topic.value for topic in Topic), SEVERAL)


def sample(name: str, user: User, now: datetime) -> Letter:
    """Return the sample of that name as ``user`` would get it. Raises `ValueError` for a name that there is not."""
    with translation.override(user.language), timezone.override(zone(user.time_zone)):
        if name == SEVERAL:
            topics = [Topic.LAST, Topic.TURN, Topic.OVER]
            parts = tuple(_part(topic, now + timedelta(hours=30 * index)) for index, topic in enumerate(topics))
        else:
            topics = [Topic(name)]
            parts = (_part(topics[0], now),)
        kinds = [NoticeKind(KIND_OF[topic]) for topic in topics]
        return make_letter(user, parts, kinds=kinds, message_id="<sample@localhost>")


def _part(topic: Topic, now: datetime) -> Section:
    others = ", ".join(NAMES[1:])
    terms = PRESETS["daily"] if topic is Topic.ASKED else None
    told = NoticeText(topic, _params(topic, now), "" if topic in PERSONAL else others, NAMES[1], terms)
    if topic in PERSONAL:
        return personal_part([told], now)
    running = topic in RUNNING
    return Section(
        subject=words.subject(told),
        title=_("Game with %(players)s") % {"players": others},
        sentences=(words.sentence(told, now),),
        facts=turn_facts(_("you"), now - timedelta(hours=20), now + timedelta(hours=52), now) if running else (),
        time_control=describe_time_control(PRESETS[DEFAULT_PRESET]) if running or topic in OPEN else "",
        story=tuple(_story()) if running and topic is not Topic.STARTED else (),
        ranking=((1, NAMES[0], 17), (2, NAMES[2], 14), (3, NAMES[1], 9)) if topic is Topic.OVER else (),
        link=absolute(reverse("my_games")),
        button=button_words({topic}),
    )


def _params(topic: Topic, now: datetime) -> dict[str, Any]:
    samples: dict[Topic, dict[str, Any]] = {
        Topic.AUTOPILOT: {"misses": 2},
        Topic.INVITED: {"size": 4},
        Topic.MESSAGE: {"count": 3},
        Topic.RETIRED: {"reason": Reason.TIMEOUT},
        Topic.CANCELLED: {"why": CancelledBy.CONSENT},
        Topic.MOVED: {"why": MovedBy.OUTAGE},
        Topic.EXPIRY: {"expires_at": (now + timedelta(days=2)).isoformat()},
        Topic.ASKED: {"what": ProposalKind.TIME_CONTROL},
        Topic.SETTLED: {"what": ProposalKind.TIME_CONTROL, "outcome": ProposalOutcome.REFUSED},
        Topic.HOLIDAY_BEGINS: {"last": (now + timedelta(days=9)).date().isoformat()},
    }
    return samples.get(topic, {})


def _story() -> Iterator[str]:
    """Yield what happened in a few turns of a game between computer players, as the first seat sees it."""
    ruleset, rules = next(reversed(RULESETS.items()))
    rng = Random(7)  # noqa: S311 - always the same sample
    state = rules.set_up(NAMES, rules.check_options({}, len(NAMES)), rng)
    for _turn in range(4):
        seat = rules.summary(state).seat
        turn = rules.choose_turn(rules.bots[0], state, rng)
        applied = rules.apply_turn(state, turn)
        state = applied.state
        if seat != 1:
            events = rules.view_events(applied.events, 1)
            yield " ".join(PRESENTERS[ruleset].narrate(events, rules.view_turn(turn, own=False), NAMES))
