"""No address that the site gives follows what a client says that the site is called."""

import re
import runpy
from pathlib import Path
from random import Random

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import mails
from games.models import Game
from games.web import log_lines
from tests.flows.play import make_user, play_randomly, start_game

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://gravity.example"


@pytest.fixture
def site(settings: Settings) -> Settings:
    """Return the settings of a site that can be reached by two names."""
    settings.SITE_URL = SITE
    settings.ALLOWED_HOSTS = ["gravity.example", "alias.example"]
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
    return settings


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["gravity.example", "alias.example", "gravity.example:666"])
@pytest.mark.parametrize("form", ["password/reset", "signup"])
def test_links_in_account_mails_are_the_sites_whatever_host_the_client_names(
    client: Client, site: Settings, host: str, form: str
) -> None:
    make_user("Ada")
    fields = {"email": "ada@example.org"}
    if form == "signup":
        fields = {"email": "new@example.org", "display_name": "Newcomer", "password1": "a rather long password"}
    client.post(f"/accounts/{form}/", fields, headers={"Host": host})
    mails.send_waiting(now=timezone.now())
    texts = [message.body + str(message.subject) for message in mail.outbox]
    links = re.findall(r"https?://[^\s>]+", " ".join(texts))
    assert links
    assert all(link.startswith(f"{SITE}/") for link in links)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("gravity.example", 200),
        ("gravity.example:443", 200),
        ("alias.example", 200),
        ("gravity.example:666", 400),
        ("gravity.example:80", 400),
        ("other.example", 400),
    ],
)
def test_only_the_sites_own_port_is_answered(client: Client, site: Settings, host: str, status: int) -> None:
    site.SITE_PORT_ONLY = True
    assert client.get("/rules/", headers={"Host": host}).status_code == status


def configuration(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, object]:
    """Return what the web server is told."""
    for name in ("WEB_ADDRESS", "PORT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "deploy/gunicorn.conf.py"))


def test_the_web_server_listens_on_this_machine_alone_unless_it_is_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    alone = configuration(monkeypatch)
    assert alone["bind"] == "127.0.0.1:8000"
    assert (alone["forwarded_allow_ips"], alone["forwarder_headers"], alone["secure_scheme_headers"]) == ("", "", {})
    assert configuration(monkeypatch, WEB_ADDRESS="0.0.0.0", PORT="9000")["bind"] == "0.0.0.0:9000"


@pytest.mark.django_db
def test_lines_of_the_log_are_kept_for_each_prefix_apart(client: Client) -> None:
    game: Game = start_game([make_user("Ada"), make_user("Bo")])
    play_randomly(game, 3, Random(1))
    log_lines._kept.clear()
    poisoned = client.get(f"/games/{game.key}/", SCRIPT_NAME="/evil").content.decode()
    assert "/evil/games/" in poisoned
    assert "/evil/" not in client.get(f"/games/{game.key}/").content.decode()


def test_nothing_else_reads_where_a_request_says_that_the_site_is() -> None:
    own = [path for folder in ("accounts", "games", "gravitysite") for path in (ROOT / folder).rglob("*.py")]
    readers = {
        str(path.relative_to(ROOT)) for path in own if re.search(r"get_host\(|HTTP_HOST|get_port\(", path.read_text())
    }
    # The second only compares one word of the client with another.
    assert readers == {"gravitysite/origin.py", "gravitysite/csrf.py"}
