"""What seats are called: in the reader's language, and never as a person may call themselves."""

from collections.abc import Sequence
from random import Random

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.names import validate_person
from engine.rulesets import RULESETS
from games import commands
from games.delivery.content import compose_mail
from games.log.table import Table
from games.models import Game, Seat
from games.notices.models import Notice
from games.words.seats import record_names, seat_names
from tests.flows.play import NOW, RULESET, make_user, play_randomly, start_game

LANGUAGES = [code for code, _name in settings.LANGUAGES]
BOTS = sorted({bot for rules in RULESETS.values() for bot in rules.bots})


def seats_of(*rows: tuple[str, str]) -> list[Seat]:
    """Return seats, numbered from 1, with a computer player and a stored name each."""
    game = Game(ruleset=RULESET)
    return [Seat(game=game, number=number, bot=bot, name=name) for number, (bot, name) in enumerate(rows, start=1)]


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        pytest.param([("random", ""), ("greedy", "")], ("Pebble", "Nova"), id="kinds"),
        pytest.param([("nova:1", ""), ("nova:8", "")], ("Pebble", "Nova"), id="kinds of today"),
        pytest.param([("random", ""), ("nova:1", "")], ("Pebble", "Wobble"), id="kinds that share their names"),
        pytest.param([("random", "")] * 3, ("Pebble", "Wobble", "Tumble"), id="several of a kind"),
        pytest.param([("other", "")] * 2, ("Other bot", "Other bot 2"), id="more than there are names"),
        pytest.param(
            [("random", "Random bot 2"), ("greedy", "Greedy bot"), ("random", "Random bot")],
            ("Wobble", "Nova", "Pebble"),
            id="numbered by an older version",
        ),
        pytest.param([("other", "")], ("Other bot",), id="a kind without a word"),
        pytest.param([("", ""), ("", "")], ("Former player 1", "Former player 2"), id="gone"),
        pytest.param([("", "Former player 1")], ("Former player 1",), id="gone in an older version"),
        pytest.param([("", "Ada")], ("Ada",), id="imported without people"),
    ],
)
def test_seats_without_a_person_are_called_after_what_they_are(
    rows: Sequence[tuple[str, str]], names: tuple[str, ...]
) -> None:
    assert seat_names(seats_of(*rows)) == names


def test_names_are_in_the_language_of_the_reader_and_in_english_in_a_record() -> None:
    seats = seats_of(("random", "Random bot"), ("random", "Random bot 2"), ("", "Former player 3"), ("", ""))
    with translation.override("nl"):
        shown, recorded = seat_names(seats), record_names(seats)
    assert shown == ("Pebble", "Wobble", "Voormalige speler 3", "Voormalige speler 4")
    assert recorded == ("Pebble", "Wobble", "Former player 3", "Former player 4")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_takes_a_name_that_is_shown_for_a_seat_without_a_person(language: str) -> None:
    unnumbered = Seat(number=None)
    with translation.override(language):
        shown = {*seat_names(seats_of(*[(bot, "") for bot in BOTS * 2], ("", ""))), *seat_names([unnumbered])}
    assert len(shown) == 2 * len(BOTS) + 2
    for name in shown:
        for form in (name, name.upper(), f" {name}  "):
            with pytest.raises(ValidationError, match="reserved"):
                validate_person(form)


@pytest.mark.django_db
@pytest.mark.anydb
def test_no_english_is_stored_for_seats_without_a_person() -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    with translation.override("nl"):
        game = commands.create_game(
            user=ada, ruleset=RULESET, size=3, options={}, public=True, bots=["nova:1", "nova:1"], now=NOW
        )
    assert sorted(game.seats.values_list("name", flat=True)) == ["", "", "Ada"]
    assert game.setup is not None
    assert game.setup["players"] == list(Table.of(game).names)
    assert set(Table.of(game).names) == {"Ada", "Pebble", "Wobble"}
    left = start_game([ada, bo])
    commands.delete_account(user=bo, now=NOW)
    left = Game.objects.get(pk=left.pk)
    assert left.seats.get(number=2).name == ""
    assert left.setup is not None
    assert left.setup["players"] == ["Ada", "Former player 2"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_a_mail_and_the_api_say_the_same_names(language: str) -> None:
    ada = make_user("Ada", language=language)
    game = commands.create_game(user=ada, ruleset=RULESET, size=2, options={}, public=True, bots=["nova:1"], now=NOW)
    client = Client()
    client.force_login(ada)
    page = client.get(f"/games/{game.key}/").content.decode()
    spoken = client.get(f"/api/v1/games/{game.key}/").json()
    with translation.override(language):
        (bot,) = Table.of(game, ada).rivals
        mail = compose_mail(
            ada, [Notice(user=ada, game=game, topic="turn", kind="turn", at=NOW)], message_id="", now=NOW
        )
    assert bot == "Pebble"
    assert bot in page
    assert bot in mail.news.subject
    assert bot in [seat["name"] for seat in spoken["seats"]]


@pytest.mark.django_db
def test_a_table_knows_seats_names_mover_viewer_and_people(users: list[User]) -> None:
    game = start_game(users)
    play_randomly(game, 1, Random(1))
    game = Game.objects.get(pk=game.pk)
    table = Table.of(game, users[2])
    assert [seat.user for seat in table.seats] == users
    assert (table.names, table.rivals) == (("Ada", "Bo", "Cy"), ("Ada", "Bo"))
    assert (table.viewer_number, table.mover, table.mover_name) == (3, table.seats[1], "Bo")
    assert (table.people, table.is_open_to_all) == ((1, 2, 3), False)
    assert Table.of(game).viewer is None


@pytest.fixture
def users() -> list[User]:
    return [make_user(name) for name in ("Ada", "Bo", "Cy")]
