"""What the fixtures of the flows hand out, by name."""

from collections.abc import Callable

from django.test import Client

from accounts.models import User
from games.models import Game

type Offer = Callable[..., Game]
type SignIn = Callable[[User | None], Client]
