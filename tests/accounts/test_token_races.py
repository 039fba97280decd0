"""Tokens that are made, used and taken back at once, on PostgreSQL."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import close_old_connections, connection, connections, transaction
from django.utils import timezone

from accounts import tokens
from accounts.models import AccessToken, Scope, User
from tests.flows.play import make_user

pytestmark = [pytest.mark.pg, pytest.mark.django_db(transaction=True)]


def make(user: User, name: str) -> str:
    _token, text = tokens.make(user, name=name, scopes=[Scope.READ], life=None, now=timezone.now())
    return text


@pytest.mark.parametrize("same_name", [True, False])
def test_of_two_at_once_past_the_limit_one_is_refused(same_name: bool) -> None:
    ada, start = make_user("Ada"), Barrier(4)
    for number in range(tokens.MOST - 1):
        make(ada, f"bot {number}")

    def press(number: int) -> str:
        start.wait(30)
        try:
            make(ada, "last" if same_name else f"last {number}")
        except tokens.TokenError as error:
            return type(error).__name__
        finally:
            connection.close()
        return "made"

    with ThreadPoolExecutor(4) as threads:
        outcomes = Counter(threads.map(press, range(4)))
    assert outcomes == {"made": 1, "NameTakenError" if same_name else "TooManyError": 3}
    assert AccessToken.objects.filter(user=ada).count() == tokens.MOST


def test_a_use_waits_for_nobody_who_is_at_the_row() -> None:
    ada = make_user("Ada")
    text = make(ada, "bot")
    other = connections.create_connection("default")
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM accounts_accesstoken FOR UPDATE")
            mine, connections["default"] = connections["default"], other
            try:
                now = timezone.now() + timedelta(seconds=1)
                token = tokens.find(text, now=now)
                assert token is not None
                with other.cursor() as waiting:
                    waiting.execute("SET lock_timeout = '2s'")
                tokens.note_used(token, now)
            finally:
                connections["default"] = mine
    finally:
        other.close()
        close_old_connections()
    assert AccessToken.objects.get().used_at is None
    tokens.note_used(AccessToken.objects.get(), timezone.now())
    assert AccessToken.objects.get().used_at is not None
