"""A sample of each kind of mail, about games that were never stored: for whoever writes and looks after mails."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.zones import zone
from engine.rulesets import RULESETS, newest_rulesets
from games.clock import DEFAULT_PRESET, PRESETS
from games.delivery.content import (
    MailContent,
    Section,
    absolute,
    button_words,
    make_content,
    make_news,
    personal_section,
    turn_facts,
    weightiest_call,
)
from games.notices.topic import NoticeText, Stage, Topic
from games.notices.topics import TOPICS
from games.presenters.registry import PRESENTERS
from games.words.lists import list_words
from games.words.time import describe_time_control

SEVERAL: Final = "several"
"""The name of the sample about several games."""
TOPICS_OF_SEVERAL: Final = ("last", "turn", "over")
NAMES: Final = ("Ada", "Bo", "Cleo")
MOVING: Final = {Stage.STARTED, Stage.RUNNING}


def sample_names() -> tuple[str, ...]:
    """Return the names of all samples."""
    return (*TOPICS, SEVERAL)


def sample_label(name: str) -> str:
    """Return what a sample is called, in the active language."""
    return _("news from several games") if name == SEVERAL else str(TOPICS[name].label)


def sample(name: str, user: User, now: datetime) -> MailContent:
    """Return the sample of that name as ``user`` would get it. Raises `ValueError` for a name that there is not."""
    if name not in sample_names():
        raise ValueError(name)
    topics = [TOPICS[value] for value in (TOPICS_OF_SEVERAL if name == SEVERAL else (name,))]
    with translation.override(user.language), timezone.override(zone(user.time_zone)):
        sections = tuple(_section(topic, now + timedelta(hours=30 * index)) for index, topic in enumerate(topics))
        kinds = [topic.kind for topic in topics]
        return make_content(user, make_news(sections), kinds=kinds, message_id="<sample@localhost>")


def _section(topic: Topic, now: datetime) -> Section:
    stage = topic.sample.stage
    others = list_words(NAMES[1:])
    text = NoticeText(topic.sample.params(now), now, others, NAMES[1], topic.sample.time_control)
    if stage is None:
        return personal_section([topic], [text])
    moving = stage in MOVING
    return Section(
        subject=topic.subject_of(text),
        title=_("Game with %(players)s") % {"players": others},
        sentences=(topic.sentence_of(text),),
        facts=turn_facts(_("you"), now - timedelta(hours=20), now + timedelta(hours=52), now) if moving else (),
        time_control=describe_time_control(PRESETS[DEFAULT_PRESET]) if moving or stage is Stage.OPEN else "",
        story=tuple(_story()) if stage is Stage.RUNNING else (),
        ranking=((1, NAMES[0], 17), (2, NAMES[2], 14), (3, NAMES[1], 9)) if stage is Stage.FINISHED else (),
        link=absolute(reverse("my_games")),
        button=button_words(weightiest_call([topic])),
    )


def _story() -> Iterator[str]:
    """Yield what happened in a few turns of a game between computer players, as the first seat sees it."""
    ruleset = next(iter(newest_rulesets().values()))
    rules = RULESETS[ruleset]
    rng = Random(7)  # noqa: S311 - always the same sample
    state = rules.set_up(NAMES, rules.check_options({}, len(NAMES)), rng)
    for _turn in range(4):
        seat = rules.summary(state).seat
        turn = rules.choose_turn(rules.autopilot, state, rng)
        applied = rules.apply_turn(state, turn)
        state = applied.state
        if seat != 1:
            events = rules.view_events(applied.events, 1)
            yield " ".join(PRESENTERS[ruleset].narrate(events, rules.view_turn(turn, own=False), NAMES))
