"""What a production start demands and how it protects itself, in real processes."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from tests import leftovers

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "DEBUG": "0",
    "SECRET_KEY": "a-key-of-more-than-fifty-characters-that-opens-nothing-0123456789",
    "SITE_URL": "https://gravity.example",
    "DATABASE_URL": "postgres://check@db/check",
    "REDIS_URL": "redis://redis:6379/0",
    "MAIL_URL": "smtp+tls://bot:s%40cret@mail.example",
}


def ask(expression: str, **changes: str) -> subprocess.CompletedProcess[str]:
    program = f"import django; django.setup(); from django.conf import settings; print({expression})"
    environment = leftovers.environment(**{"DJANGO_SETTINGS_MODULE": "gravitysite.settings", **PRODUCTION, **changes})
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SECRET_KEY", "SITE_URL", "DATABASE_URL", "REDIS_URL", "MAIL_URL"])
def test_a_production_start_without_a_setting_names_it_in_one_line(name: str) -> None:
    done = ask("1", **{name: ""})
    assert done.returncode != 0
    assert f"Set {name} (see docs/operations.md)" in done.stderr.splitlines()[-1]


def test_a_production_site_must_be_found_through_https() -> None:
    done = ask("1", SITE_URL="http://gravity.example")
    assert "https://" in done.stderr.splitlines()[-1]


def test_a_mail_url_that_cannot_be_read_is_refused_without_showing_its_password() -> None:
    done = ask("1", MAIL_URL="imap://bot:s3cret@mail.example")
    assert "MAIL_URL must look like" in done.stderr.splitlines()[-1]
    assert "s3cret" not in done.stderr.splitlines()[-1]


def test_the_monitor_is_told_once_a_minute_and_through_https_alone() -> None:
    schedule = "settings.CELERY_BEAT_SCHEDULE.get('ping', {}).get('schedule')"
    assert ask(schedule).stdout.strip() == "None"
    assert ask(schedule, HEARTBEAT_PING_URL="https://monitor.example/s3cret").stdout.strip() == "60.0"
    refused = ask("1", HEARTBEAT_PING_URL="http://monitor.example/s3cret")
    assert refused.stderr.splitlines()[-1].endswith(
        "HEARTBEAT_PING_URL must look like https://host (see docs/operations.md)."
    )
    assert "s3cret" not in refused.stderr


def test_mail_is_sent_as_its_address_says() -> None:
    done = ask("settings.MAILERS['default']['OPTIONS']")
    for part in (
        "'host': 'mail.example'",
        "'port': 587",
        "'password': 's@cret'",
        "'use_tls': True",
        "'use_ssl': False",
    ):
        assert part in done.stdout


def test_cookies_travel_only_encrypted_in_production() -> None:
    done = ask("settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS > 10**7")
    assert done.stdout.strip() == "True True True"


@pytest.mark.parametrize(
    ("subdomains", "preload", "said"),
    [
        ("", "", "False False"),
        ("0", "0", "False False"),
        ("1", "0", "True False"),
        ("0", "1", "True True"),  # browsers build in no site that does not speak for its subdomains
    ],
)
def test_other_sites_of_the_domain_are_bound_to_https_only_where_that_is_asked_for(
    subdomains: str, preload: str, said: str
) -> None:
    values = {"HSTS_SUBDOMAINS": subdomains, "HSTS_PRELOAD": preload}
    done = ask("settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD", **values)
    assert done.stdout.strip() == said, done.stderr


def test_debug_is_off_unless_it_is_asked_for() -> None:
    assert ask("settings.DEBUG", DEBUG="0").stdout.strip() == "False"


@pytest.mark.django_db
def test_pages_allow_no_inline_script_or_style(client: Client) -> None:
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"):
        assert part in policy
    assert "unsafe" not in policy
