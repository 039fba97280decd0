"""Every topic of notices is complete, and a notice of a topic that this code does not know holds nothing up."""

import importlib
import pkgutil
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from games.notices import topics
from games.notices.kinds import NoticeKind
from games.notices.models import Notice
from games.notices.outbox import enqueue_test
from games.notices.preferences import CHOSEN, DEFAULTS
from games.notices.topic import NoticeText, Topic
from games.notices.topics import ALL, TOPICS, items_of, topic_label
from tests.flows.play import NOW
from tests.mail.conftest import Begin, Post, results

HOUR = 60
MOST_URGENT_FIRST = [
    "retired",
    "last",
    "autopilot",
    "half",
    "over",
    "cancelled",
    "turn",
    "asked",
    "expiry",
    "moved",
    "invited",
    "removed",
    "started",
    "settled",
    "message",
    "joined",
    "holiday-begins",
    "holiday-ends",
    "test",
    "outlet-test",
]
"""What rows of the outbox call the topics, for ever, in the order in which a mail says them."""


def defined_topics() -> list[Topic]:
    found: list[Topic] = []
    for module in pkgutil.iter_modules(topics.__path__):
        if not module.name.startswith("_"):
            names = vars(importlib.import_module(f"{topics.__name__}.{module.name}"))
            of_file = [value for value in names.values() if isinstance(value, Topic)]
            assert of_file, f"{module.name} defines no topic"
            found += of_file
    return found


def test_every_topic_that_a_file_defines_is_listed_once() -> None:
    assert set(defined_topics()) == set(ALL)
    assert len(ALL) == len(TOPICS) == len(set(ALL))


def test_topics_are_stored_by_their_old_names_and_the_gravest_comes_first() -> None:
    assert [topic.value for topic in sorted(ALL, key=lambda topic: topic.urgency)] == MOST_URGENT_FIRST
    assert len({topic.urgency for topic in ALL}) == len(ALL)
    field = Notice._meta.get_field("topic")
    assert all(len(topic.value) <= (field.max_length or 0) for topic in ALL)


def test_every_kind_has_topics_and_these_agree_on_its_default() -> None:
    assert {topic.kind for topic in ALL} == set(NoticeKind) == {*CHOSEN, *DEFAULTS} | {NoticeKind.TEST}
    assert all(topic.cadence is DEFAULTS[topic.kind] for topic in ALL)


@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
@pytest.mark.parametrize("topic", ALL, ids=lambda topic: topic.value)
def test_every_topic_has_a_label_a_subject_and_a_sentence_in_every_language(topic: Topic, language: str) -> None:
    sample = topic.sample
    text = NoticeText(sample.params(NOW), NOW, "Bo, Cleo", "Bo", sample.time_control)
    with translation.override(language):
        said = [topic_label(topic.value), topic.subject_of(text), topic.sentence_of(text)]
    with translation.override("en"):
        english = [str(topic.label), topic.subject_of(text), topic.sentence_of(text)]
    assert all(said)
    assert not any("%(" in words for words in said)
    assert language == "en" or said[1:] != english[1:]


def test_a_topic_is_about_a_game_or_has_a_page_of_its_own() -> None:
    assert all((topic.personal is None) == (topic.sample.stage is not None) for topic in ALL)
    calls = {topic.call for topic in ALL if topic.call is not None}
    assert len({call.weight for call in calls}) == len(calls)


def test_a_fact_that_nothing_is_said_of_is_refused_where_it_would_become_rows(ada: User, begin: Begin) -> None:
    with pytest.raises(AssertionError):
        items_of(begin(ada, size=2), "it rained")  # type: ignore[arg-type]


# A topic of another version of the site


def plant(user: User, minutes: float = 0, **fields: object) -> Notice:
    """Put a notice into the outbox as a version of the site would that knows more topics."""
    at = NOW + timedelta(minutes=minutes)
    values = {"kind": NoticeKind.TEST, "topic": "eclipse", "ref": "1", "at": at, "due_at": at, **fields}
    return Notice.objects.create(user=user, **values)


def test_a_notice_of_an_unknown_topic_waits_an_hour_for_code_that_knows_it(ada: User, post: Post) -> None:
    plant(ada)
    for minute in range(HOUR):
        assert post.sweep(minute) == []
    assert results(ada, "eclipse") == [("waiting", "unknown")]
    assert Notice.objects.get(user=ada).attempts == 0


def test_an_unknown_topic_is_closed_after_an_hour_and_its_owner_can_read_why(ada: User, post: Post) -> None:
    plant(ada)
    plant(ada, topic="test", kind="eclipse")
    assert post.sweep(HOUR) == []
    assert results(ada, "eclipse") == results(ada, "test") == [("held-back", "unknown")]
    client = Client()
    client.force_login(ada)
    page = client.get("/accounts/notices/sent/").content.decode()
    assert "Eclipse" in page
    assert "This version of the site does not know what it is about." in page


def test_a_notice_of_an_unknown_topic_holds_up_none_of_the_same_person(ada: User, post: Post) -> None:
    plant(ada)
    enqueue_test(ada, NOW)
    assert post.sweep(0) == ["ada: Test e-mail"]
    assert results(ada, "test") == [("sent", "")]


def test_a_mail_left_by_another_version_goes_again_without_the_unknown_topic(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    plant(ada)
    Notice.objects.update(message_id="<left@behind>", lease_until=NOW, attempts=1)
    assert post.sweep(6) == ["ada: Test e-mail"]
    assert results(ada, "eclipse") == [("waiting", "unknown")]
    assert post.mails_to(ada)[0]["Message-ID"] == "<left@behind>"
    post.sweep(HOUR)
    assert results(ada, "eclipse") == [("held-back", "unknown")]
