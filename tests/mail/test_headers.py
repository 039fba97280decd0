"""The headers of every mail, as the bytes that reach a mail server: programs read most of them as they stand."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.core.mail import mailers
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from pytest_django import Settings

from accounts import mails
from accounts.models import User
from games.delivery.content import compose_mail
from games.delivery.render import make_mail
from games.models import Game
from games.notices.models import Notice
from games.notices.outbox import enqueue_test
from tests.accounts.conftest import PASSWORD
from tests.conftest import Sink
from tests.flows.play import NOW, start_game
from tests.mail.conftest import Post

PHRASES: Final = {"subject", "from", "to"}
"""The headers in which people's words may stand, and be encoded."""
LABEL: Final = st.integers(1, 63).map(lambda length: "a" * length)
HOST: Final = st.lists(LABEL, min_size=1, max_size=3).map(lambda labels: ".".join([*labels, "example"]))
LONGEST: Final = ".".join("a" * 63 for _label in range(3)) + "." + "a" * 61


def raw_headers(content: bytes) -> list[tuple[str, list[bytes]]]:
    """Return the headers of a mail as they came: a name, and its lines without it."""
    head = re.split(rb"\r?\n\r?\n", content, maxsplit=1)[0]
    found: list[tuple[str, list[bytes]]] = []
    for line in re.split(rb"\r?\n", head):
        if line[:1] in b" \t" and found:
            found[-1][1].append(line)
        else:
            name, _, value = line.partition(b":")
            found.append((name.decode().lower(), [value]))
    return found


def words_of(content: bytes) -> dict[str, list[str]]:
    """Return the words of each header, none of which folding may cut."""
    return {name: [word.decode() for line in lines for word in line.split()] for name, lines in raw_headers(content)}


def assert_readable(content: bytes) -> None:
    """Refuse a header for programs that is encoded, and any line that is too long for a mail server."""
    for name, lines in raw_headers(content):
        assert all(line.strip() for line in lines[1:]), f"{name}: a line of blanks"
        assert all(len(line) + len(name) + 1 <= 998 for line in lines), name
        if name not in PHRASES:
            assert b"=?" not in b"".join(lines), f"{name} is encoded"


def send(mail: Any, post: Post) -> bytes:
    mailers.default.send_messages([mail])
    return post.sink.contents[-1]


@given(host=HOST, minutes=st.integers(0, 10**6))
@example(host=LONGEST, minutes=0)
@example(host="größe.example", minutes=0)
@hypothesis(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_header_for_programs_is_encoded_or_cut_whatever_host_and_token(
    played: tuple[Game, Notice], post: Post, settings: Settings, host: str, minutes: int
) -> None:
    game, notice = played
    settings.SITE_URL = f"https://{host}"
    notice.user.pk = 10 ** minutes.bit_length()  # the token grows with it
    ascii_host = host.encode("idna").decode()
    settings.DEFAULT_FROM_EMAIL = f"Gravity Superstar <games@{ascii_host}>"
    mail = compose_mail(notice.user, [notice], message_id=f"<{'f' * 32}@{ascii_host}>", now=NOW)
    content = send(make_mail(mail), post)
    assert_readable(content)
    words = words_of(content)
    thread = f"<game-{game.key}@{ascii_host}>"
    assert words["references"] == words["in-reply-to"] == [thread]
    assert words["message-id"] == [f"<{'f' * 32}@{ascii_host}>"]
    assert words["list-unsubscribe"] == [f"<{mail.unsubscribe.replace(host, ascii_host)}>"]
    assert words["list-unsubscribe-post"] == ["List-Unsubscribe=One-Click"]
    assert words["auto-submitted"] == ["auto-generated"]
    assert f"<games@{ascii_host}>" in words["from"]
    assert words["to"] == [notice.user.email]


@pytest.fixture
def played(ada: User, bo: User) -> tuple[Game, Notice]:
    """A game, and a notice that a turn began in it."""
    game = start_game([ada, bo])
    return game, Notice.objects.select_related("user").get(game=game, topic="turn")


def test_the_one_click_of_a_long_address_ends_the_mails(
    played: tuple[Game, Notice], post: Post, settings: Settings, client: Client
) -> None:
    _game, notice = played
    settings.SITE_URL = "https://games.a-quite-long-name-of-a-club-for-board-games.example"
    mail = compose_mail(notice.user, [notice], message_id="<one@localhost>", now=NOW)
    (address,) = words_of(send(make_mail(mail), post))["list-unsubscribe"]
    path = address.strip("<>").removeprefix(settings.SITE_URL)
    client.post(path, {"List-Unsubscribe": "One-Click"})
    assert notice.user.notice_preferences.get(kind="turn").cadence == "never"


def test_each_mail_has_a_number_by_chance_that_is_stored_with_its_rows(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    post.sweep(0)
    first = Notice.objects.get()
    Notice.objects.all().delete()
    Notice.objects.create(
        pk=first.pk, user=ada, kind="test", topic="test", ref="again", at=NOW, due_at=NOW
    )  # as after a dump was restored
    post.sweep(1)
    ids = [mail["Message-ID"] for mail in post.mails_to(ada)]
    assert ids[1] == Notice.objects.get().message_id != ids[0] == first.message_id
    assert all(re.fullmatch(r"<[0-9a-f]{32}@localhost>", name) for name in ids)


def test_a_number_with_the_longest_host_is_stored_whole(ada: User, post: Post, settings: Settings) -> None:
    settings.SITE_URL = f"https://{LONGEST}"
    enqueue_test(ada, NOW)
    assert len(post.sweep(0)) == 1
    field = Notice._meta.get_field("message_id")
    assert len(Notice.objects.get().message_id) <= (field.max_length or 0)


def reset(client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": "ada@example.org"})


def sign_up(client: Client) -> None:
    client.post(reverse("account_signup"), {"email": "new@example.org", "password1": PASSWORD, "display_name": "Newt"})


def change_password(client: Client) -> None:
    client.login(email="ada@example.org", password=PASSWORD)
    said = {"oldpassword": PASSWORD, "password1": "another long one", "password2": "another long one"}
    client.post(reverse("account_change_password"), said)


@pytest.mark.parametrize("cause", [reset, sign_up, change_password])
def test_mails_about_an_account_say_that_a_machine_wrote_them_in_the_look_of_all(
    ada: User, smtp_sink: Sink, client: Client, settings: Settings, cause: Callable[[Client], None]
) -> None:
    ada.set_password(PASSWORD)
    ada.save()
    settings.SITE_URL = f"https://{LONGEST}"
    cause(client)
    mails.send_waiting(now=timezone.now())
    (content,), (mail,) = smtp_sink.contents, smtp_sink.messages
    assert_readable(content)
    assert words_of(content)["auto-submitted"] == ["auto-generated"]
    assert words_of(content)["message-id"][0].endswith(f"@{LONGEST}>")
    html, text = mail.get_body(("html",)), mail.get_body(("plain",))
    assert html is not None
    assert text is not None
    assert 'class="panel"' in html.get_content()
    assert "prefers-color-scheme: dark" in html.get_content()
    addresses = set(re.findall(r"https?://\S+", text.get_content()))
    assert set(re.findall(r'href="([^"]+)"', html.get_content())) == addresses
