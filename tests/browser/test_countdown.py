"""The clock of an open game page: it counts down from the server's instant, and asks the server when time is up."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games import commands
from games.models import Game
from games.tasks.sweep import sweep_clocks
from tests.flows.play import make_user
from tests.games.timed import fresh, mover, owner, start_timed

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

type OpenSession = Callable[..., BrowserContext]


def start_with(people: list[User], seconds: int) -> Game:
    """Start a game whose first turn has so many seconds left."""
    game = start_timed(people)
    seat = mover(game)
    seat.since = timezone.now().replace(microsecond=0) - timedelta(seconds=60 - seconds)
    seat.save()
    assert seat.since is not None
    Game.objects.filter(pk=game.pk).update(deadline=seat.since + timedelta(seconds=60))
    return fresh(game)


def open_game(open_session: OpenSession, game: Game, user: User, **options: object) -> Page:
    page = open_session(user, **options).new_page()
    page.goto(reverse("game", args=[game.key]))
    return page


def test_the_page_counts_down_and_shows_what_the_sweep_did_once_time_is_up(open_session: OpenSession) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_with(people, 8)
    late = owner(mover(game))
    page = open_game(open_session, game, late)
    countdown = page.locator(".countdown")
    first = countdown.inner_text()
    assert first.startswith("in ")
    expect(countdown).not_to_have_text(first, timeout=3_000)
    expect(countdown).to_have_text("time is up", timeout=12_000)
    commands.beat(name="clocks", now=timezone.now())
    assert sweep_clocks(now=timezone.now(), rng=Random(1)) == 1
    expect(page.locator(".log-told").first).to_contain_text("Played by the autopilot.", timeout=15_000)
    expect(countdown).to_contain_text("in ", timeout=1_000)


def test_a_wrong_clock_of_the_reader_changes_nothing(open_session: OpenSession) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_with(people, 55)
    page = open_session(people[0]).new_page()
    page.clock.install(time=timezone.now() - timedelta(days=3))
    page.goto(reverse("game", args=[game.key]))
    page.clock.run_for(2_000)
    text = page.locator(".countdown").inner_text()
    assert 40 < int(text.split()[1]) <= 55
