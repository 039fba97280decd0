"""How long the outbox keeps what is done with."""

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.models import Game
from games.notices.models import Notice
from games.notices.schedule import KEPT_FOR
from tests.flows.play import NOW
from tests.mail.conftest import Begin, Post

pytestmark = pytest.mark.anydb
MINUTES = int(KEPT_FOR / timedelta(minutes=1))


def prune(minutes: float, size: int = 100) -> int:
    return commands.prune_notices(size=size, now=NOW + timedelta(minutes=minutes))


def test_what_was_closed_a_month_ago_is_deleted_and_nothing_else(ada: User, bo: User, begin: Begin, post: Post) -> None:
    game = begin(ada, bo)
    post.sweep(5)
    waiting = Notice.objects.filter(state="waiting").count()
    closed = Notice.objects.exclude(state="waiting").count()
    assert closed > 1
    assert prune(MINUTES + 5) == 0
    assert prune(MINUTES + 5.1) == closed
    assert Notice.objects.count() == waiting
    assert Game.objects.get(pk=game.pk).version == game.version


def test_a_notice_that_waits_is_kept_however_old_it_is(ada: User, bo: User, begin: Begin) -> None:
    begin(ada, bo)
    before = Notice.objects.count()
    assert prune(10 * MINUTES) == 0
    assert Notice.objects.count() == before > 0


def test_one_sweep_deletes_at_most_its_size_the_oldest_first(
    ada: User, bo: User, begin: Begin, post: Post, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    begin(ada, bo)
    post.sweep(5)
    begin(ada, bo, minutes=60)
    post.sweep(65)
    with django_assert_num_queries(5):  # two of them begin and end the transaction, one is for refusals
        assert prune(2 * MINUTES, size=1) == 1
    assert Notice.objects.exclude(state="waiting").earliest("closed_at").closed_at == NOW + timedelta(minutes=5)
    while prune(2 * MINUTES, size=1):
        pass
    assert not Notice.objects.exclude(state="waiting").exists()


def test_what_the_log_leads_to_does_not_send_a_deleted_notice_again(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo)
    post.sweep(5)
    sent = len(post.sink.messages)
    prune(2 * MINUTES)
    commands.start_clock(game_id=game.pk, now=NOW + timedelta(minutes=6))
    assert post.sweep(30) == []
    assert len(post.sink.messages) == sent


def test_the_page_says_how_far_back_it_goes(ada: User) -> None:
    client = Client()
    client.force_login(ada)
    assert "in the last 30 days" in client.get("/accounts/notices/sent/").content.decode()
