from datetime import UTC, datetime
from random import Random

import pytest

from accounts.models import User
from games.management import demo
from games.models.choices import Status

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_an_empty_database_gets_two_players_in_a_running_game() -> None:
    game = demo.make_demo(now=NOW, rng=Random(1))
    assert game is not None
    assert game.status == Status.ACTIVE
    assert game.entries.count() == demo.TURNS
    assert [player.display_name for player in demo.demo_players()] == ["Ada", "Bo"]
    assert all(player.check_password(demo.PASSWORD) for player in demo.demo_players())


@pytest.mark.django_db(transaction=True)
def test_the_demo_is_made_once() -> None:
    demo.make_demo(now=NOW, rng=Random(1))
    assert demo.make_demo(now=NOW, rng=Random(2)) is None
    assert User.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_where_someone_has_signed_up_no_demo_is_made() -> None:
    User.objects.create_user("ada@example.org", display_name="Ada")
    assert demo.make_demo(now=NOW, rng=Random(1)) is None
    assert User.objects.count() == 1
