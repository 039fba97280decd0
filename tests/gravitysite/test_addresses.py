"""Passwords with any characters: read as they are, or refused in one line that is the same for all of them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
import redis
from django.core.exceptions import ImproperlyConfigured
from hypothesis import assume, given
from hypothesis import strategies as st
from kombu import Connection

from gravitysite import settings as module
from gravitysite.addresses import AddressError, read_address, with_password
from tests import leftovers

ROOT = Path(__file__).resolve().parents[2]
PASSWORDS = st.text(st.sampled_from("ab1:#/@?%[]&=+$ \\;'\"~é") | st.characters(codec="utf-8"), min_size=1, max_size=12)
REDIS = ("redis", "rediss")


def database(url: str, password: str) -> str:
    return str(module.database(url.format("postgres", "/name"), password)["PASSWORD"])


def broker(url: str, password: str) -> str:
    full = with_password(read_address("REDIS_URL", url.format("redis", "/0"), REDIS), password)
    client = redis.Redis.from_url(full).connection_pool.connection_kwargs
    assert Connection(full).password == client["password"]
    assert client["host"] == Connection(full).hostname == "host.example"
    return str(client["password"])


def mail(url: str, password: str) -> str:
    options = module.mailer(url.format("smtp+tls", ""), password)["OPTIONS"]
    assert options["host"] == "host.example"
    return str(options["password"])


READERS = pytest.mark.parametrize("read", [database, broker, mail])


@READERS
@given(PASSWORDS)
def test_a_password_that_is_escaped_or_apart_is_read_as_it_is(read: Callable[[str, str], str], secret: str) -> None:
    assert read("{}://user:" + quote(secret, safe="") + "@host.example:99{}", "") == secret
    assert read("{}://user@host.example:99{}", secret) == secret


@READERS
@given(PASSWORDS)
def test_a_password_that_is_not_escaped_is_read_whole_or_refused_alike(
    read: Callable[[str, str], str], secret: str
) -> None:
    assume(not set("{}") & set(secret))
    try:
        found = read(f"{{}}://user:{secret}@host.example:99{{}}", "")
    except (AddressError, ImproperlyConfigured) as error:
        name = {database: "DATABASE", broker: "REDIS", mail: "MAIL"}[read]
        assert str(error).startswith(f"{name}_URL can't be read. In its password write #")
        assert f"set {name}_PASSWORD to it" in str(error)
        assert "user" not in str(error)
        assert "host.example" not in str(error)
        assert error.__cause__ is None
    else:
        assert found == unquote(secret)


@READERS
@pytest.mark.parametrize("secret", [";", "a;b", "a;redis://b", ";;"])
def test_a_semicolon_in_a_password_ends_no_address(read: Callable[[str, str], str], secret: str) -> None:
    assert read("{}://user:" + quote(secret, safe=";") + "@host.example:99{}", "") == secret
    assert read("{}://us;er@host.example:99{}", secret) == secret


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "MAIL_URL", "SITE_URL"])
@pytest.mark.parametrize("secret", ["hunter#2", "7/hunter", "hunter[2", "$hunter2"])
def test_a_start_with_an_unreadable_address_says_one_line_without_the_secret(name: str, secret: str) -> None:
    values = {
        "DEBUG": "0",
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-that-opens-nothing-0123456789",
        "SITE_URL": "https://gravity.example",
        "DATABASE_URL": "postgres://check@db/check",
        "REDIS_URL": "redis://redis:6379/0",
        "MAIL_URL": "smtp://mail.example",
    }
    scheme = urlsplit(values[name]).scheme
    values[name] = f"{scheme}://user:{secret}@host.example"
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=leftovers.environment(**values),
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert "hunter" not in said
    if done.returncode:
        assert len(said.strip().splitlines()) == 1
        assert name in said
    else:
        assert secret == "$hunter2"


def test_a_secret_that_begins_with_a_dollar_is_a_text_like_any_other() -> None:
    program = "from django.conf import settings; print(settings.SECRET_KEY)"
    secret = "$ecret-that-is-longer-than-fifty-characters-0123456789-0123456789"
    environment = leftovers.environment(DEBUG="1", SECRET_KEY=secret, DJANGO_SETTINGS_MODULE="gravitysite.settings")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == secret
