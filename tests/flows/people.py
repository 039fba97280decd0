"""What the fixtures of the flows hand out, by name, and a browser in which somebody is signed in."""

from collections.abc import Callable

from django.test import Client

from accounts.models import User
from games.models import Game

type Offer = Callable[..., Game]
type SignIn = Callable[[User | None], Client]


def signed_in(user: User | None) -> Client:
    """Return a browser in which that person is signed in, or nobody."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
