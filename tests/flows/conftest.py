"""People and games for the tests of the site's flows."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import Game
from tests.flows.people import Offer, SignIn
from tests.flows.play import make_user

RULESET = "gravity-1"


@pytest.fixture
def staff(db: None) -> User:
    return make_user("Staff", is_staff=True, is_superuser=True)


@pytest.fixture
def as_user() -> SignIn:
    """Return a browser of that person's own; of a guest for None."""

    def sign_in(user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def offer(transactional_db: None) -> Offer:
    """Create an open game of a person's; it starts if ``others`` and ``bots`` fill it."""

    def create(creator: User, *others: User, **terms: Any) -> Game:
        game = commands.create_game(
            user=creator,
            ruleset=RULESET,
            size=terms.get("size", 2),
            options=terms.get("options", {}),
            public=terms.get("public", True),
            bots=terms.get("bots", ()),
            now=timezone.now(),
        )
        for other in others:
            game = commands.join_game(game_key=game.key, user=other, now=timezone.now())
        return game

    return create


@pytest.fixture
def finished(offer: Offer) -> Offer:
    """Create a game of two and let the creator's rival resign, so that the creator wins."""

    def play(creator: User, rival: User, **terms: Any) -> Game:
        game = offer(creator, rival, **terms)
        return commands.resign(game_key=game.key, user=rival, seq=game.seq, now=timezone.now())

    return play
