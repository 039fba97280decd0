"""The pages around the games: what they say, to whom, and that each of them is sound HTML under the strict CSP."""

import gzip
import re
from html.parser import HTMLParser
from http import HTTPStatus
from itertools import pairwise

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.defaults import server_error
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import tasks
from games.presenters.gravity.options import GOODIES
from tests.engine.test_rulings_doc import RULINGS
from tests.flows.people import Offer, SignIn

PUBLIC = ("home", "lobby", "rules", "reference", "notation", "about", "api")
TIMES = "\N{MULTIPLICATION SIGN}"
SIGNED_IN = ("create_game", "my_games", "holidays", "delete_account")


class Outline(HTMLParser):
    """What of a page's structure the tests look at."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.language = ""
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.scripts: list[bool] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        if tag == "html":
            self.language = found.get("lang") or ""
        if tag == "script":
            self.scripts.append(bool(found.get("src")))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        self.inline += [name for name in found if name == "style" or name.startswith("on")]


def assert_sound(page: str) -> None:
    outline = Outline(page)
    assert outline.language == "en"
    assert [outline.tags.count(tag) for tag in ("h1", "main")] == [1, 1]
    assert page.count("<title>") == 1
    assert {"header", "nav", "footer"} <= set(outline.tags)
    assert not outline.inline
    assert "style" not in outline.tags
    assert all(outline.scripts)
    assert "script" not in outline.tags[outline.tags.index("body") :], "htmx would run it again on the way back"
    assert len(outline.ids) == len(set(outline.ids))
    assert not re.search(r"\{[%{#]", page)
    levels = [int(tag[1]) for tag in outline.tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(level <= before + 1 for before, level in pairwise(levels))


# --- Every page --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLIC)
def test_guests_may_read_every_public_page(name: str, client: Client, db: None) -> None:
    response = client.get(reverse(name))
    assert response.status_code == HTTPStatus.OK
    assert_sound(response.content.decode())


@pytest.mark.parametrize("name", PUBLIC + SIGNED_IN)
def test_every_page_is_sound_for_who_is_signed_in(
    name: str, ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    offer(ada, bo)
    offer(ada)
    response = as_user(ada).get(reverse(name))
    assert response.status_code == HTTPStatus.OK
    assert_sound(response.content.decode())


@pytest.mark.parametrize("role", ["guest", "stranger", "creator"])
def test_the_invitation_is_sound_for_everyone(role: str, ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, size=3)
    person = {"guest": None, "stranger": bo, "creator": ada}[role]
    assert_sound(as_user(person).get(reverse("invitation", args=[game.key])).content.decode())


@pytest.mark.parametrize("name", PUBLIC)
def test_pages_answer_reading_only(name: str, client: Client, db: None) -> None:
    assert client.post(reverse(name)).status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_the_header_marks_the_page_that_is_shown(client: Client, db: None) -> None:
    page = client.get(reverse("rules")).content.decode()
    assert f'<a href="{reverse("rules")}" aria-current="page">' in page
    assert page.count('aria-current="page"') == 1


def test_guests_switch_the_language_from_any_page(client: Client, db: None) -> None:
    page = client.get(reverse("rules")).content.decode()
    assert 'name="language" value="nl" lang="nl"' in page
    response = client.post(reverse("set_language"), {"language": "nl", "next": reverse("rules")})
    assert response["Location"] == reverse("rules")
    assert '<html lang="nl">' in client.get(reverse("rules")).content.decode()


def test_the_footer_says_that_the_site_is_unofficial(client: Client, db: None) -> None:
    page = client.get(reverse("home")).content.decode()
    footer = " ".join(page[page.index('<footer class="site-footer"') :].split())
    assert "This is an unofficial fan project." in footer
    assert "belong to its publisher" in footer


# --- What pages say ----------------------------------------------------------------------------------------------


def test_home_shows_an_example_while_no_public_game_is_under_way(
    client: Client, ada: User, bo: User, offer: Offer
) -> None:
    hidden, fresh = offer(ada, bo, public=False), offer(ada, bo)
    page = client.get(reverse("home")).content.decode()
    assert 'class="gravity-board ' in page
    assert "An example: two players" in page
    assert hidden.key not in page
    assert fresh.key not in page


def test_home_shows_the_newest_public_game_that_is_under_way(client: Client, ada: User, bo: User, offer: Offer) -> None:
    game = offer(ada, bo)
    type(game).objects.filter(pk=game.pk).update(round=2)
    page = client.get(reverse("home")).content.decode()
    assert reverse("game", args=[game.key]) in page
    assert 'class="gravity-board ' in page


def test_the_rules_page_says_what_a_newcomer_would_get_wrong(client: Client, db: None) -> None:
    page = " ".join(client.get(reverse("rules")).content.decode().split())
    for words in (
        "at least as many points",
        "at or below the one in the table",
        "only the card Drop takes you through",
        "drawn at random, begins. Play passes to the left",
        "belongs to nobody",
        "have nothing to do with those of the pawns",
        "several stars in one move",
        "with two players and three goodies the last seat gets two",
        "for players who know the game",
    ):
        assert words in page, words


def test_the_rules_page_names_every_goodie_and_every_ruling(client: Client, db: None) -> None:
    page = client.get(reverse("rules")).content.decode()
    assert all(f"<h3>{name}</h3>" in page for name in GOODIES.values())
    rulings = page[page.index('<ol class="rulings">') :]
    listed = rulings[: rulings.index("</ol>")]
    assert listed.count("<li>") == len(RULINGS)
    for words in (
        "door that is open first is drawn at random",
        "on one side of a border between two spaces holds for both",
        "the middle space of a long jump included",
        "There is no pass",
        "The second action of a turn may be any action",
        "Goodies are open in the hand too",
        "A tile turns with everything on it",
        "the number of stars left plays no part",
        "only if at least one card lies in front of you",
        "Placing your pawn counts as entering",
        "comes back to the space where it began",
        "A goodie may be laid for a simple move",
        "until the end of their own next action",
        "A teleport sets your feet as the door shows them",
        "You can't teleport while you stand on the open door",
        "A player who leaves retires",
    ):
        assert words in listed


@pytest.mark.parametrize(
    ("players", "tiles", "stars", "points"),
    [(2, 2, 4, 18), (3, 4, 8, 24), (4, 4, 8, 18), (5, 6, 12, 24), (6, 6, 12, 18)],
)
def test_the_table_of_the_rules_page_is_that_of_the_engine(
    players: int, tiles: int, stars: int, points: int, client: Client, db: None
) -> None:
    page = client.get(reverse("rules")).content.decode()
    table = page[page.index('id="table-sizes"') :].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)]
    place = rows[0].index(str(players))
    shape, spaces, *ends = (row[place] for row in rows[1:])
    across, down = (int(side) for side in shape.split(TIMES))
    assert (across * down, spaces, ends) == (tiles, f"{across * 6}{TIMES}{down * 6}", [str(stars), str(points)])


def test_the_rules_page_with_its_pictures_is_no_burden(client: Client, db: None) -> None:
    page = client.get(reverse("rules")).content
    assert page.count(b'id="star-b"') == 1
    assert len(page) < 150_000
    assert len(gzip.compress(page)) < 25_000


def test_the_rules_fit_a_game(client: Client, ada: User, bo: User, offer: Offer) -> None:
    plain, other = offer(ada, bo), offer(ada, bo, options={"expert": True, "goodies": "J"})
    page = client.get(reverse("game_reference", args=[plain.key])).content.decode()
    assert "4 stars or fewer" in page
    assert "Goodie cards" not in page
    page = client.get(reverse("game_reference", args=[other.key])).content.decode()
    assert "someone reaches 18 points" in page
    assert "Double jump" in page
    assert "Teleport" not in page


def test_over_the_board_the_rules_come_without_a_page(client: Client, ada: User, bo: User, offer: Offer) -> None:
    address = reverse("game_reference", args=[offer(ada, bo).key])
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'id="reference-title"' in part
    assert "HX-Request" in client.get(address)["Vary"]
    assert client.get(reverse("game_reference", args=["nowhere"])).status_code == 404


@pytest.mark.parametrize(
    "step", ["C", "S&lt;(L)", "L&gt;", "H&lt;", "D", "R+", "R=", "WH&lt;", "P-", "J&lt;&gt;", "T", "x2b", "&amp;"]
)
def test_the_notation_page_explains_every_step(step: str, client: Client, db: None) -> None:
    assert f"<code>{step}</code>" in client.get(reverse("notation")).content.decode()


# --- A player's results ------------------------------------------------------------------------------------------


def test_a_player_page_lists_finished_public_games_with_places(
    client: Client, ada: User, bo: User, finished: Offer
) -> None:
    won, lost, hidden = finished(ada, bo), finished(bo, ada), finished(ada, bo, public=False)
    tasks.settle_games()
    page = client.get(reverse("player", args=[ada.pk])).content.decode()
    assert_sound(page)
    assert won.key in page
    assert lost.key in page
    assert hidden.key not in page
    assert "<dt>Finished games</dt><dd>2</dd>" in page
    assert "<dt>Won</dt><dd>1</dd>" in page
    assert "ada@example.org" not in page
    client.force_login(ada)
    assert hidden.key in client.get(reverse("player", args=[ada.pk])).content.decode(), "one's own are one's own to see"


def test_running_games_are_not_on_a_player_page(client: Client, ada: User, bo: User, offer: Offer) -> None:
    game = offer(ada, bo)
    assert game.key not in client.get(reverse("player", args=[ada.pk])).content.decode()


@pytest.mark.parametrize("name", ["ADA", "ada", "Ada"])
def test_the_address_by_name_that_a_player_had_leads_on(name: str, client: Client, ada: User) -> None:
    answer = client.get(reverse("player_named", args=[name]))
    assert answer["Location"] == reverse("player", args=[ada.pk])


@pytest.mark.parametrize("name", ["Cléo & Co", "../rules", "100 %", "Q?", "#1", "7"])
def test_any_display_name_makes_an_address_that_works(name: str, client: Client, db: None) -> None:
    odd = User.objects.create_user("odd@example.org", display_name="Odd")
    User.objects.filter(pk=odd.pk).update(display_name=name)
    client.force_login(odd)
    assert f'href="{reverse("player", args=[odd.pk])}"' in client.get(reverse("home")).content.decode()
    assert client.get(reverse("player", args=[odd.pk])).status_code == HTTPStatus.OK


def test_nobody_is_found_under_an_unknown_name_or_a_closed_account(client: Client, ada: User) -> None:
    assert client.get(reverse("player_named", args=["Nobody"])).status_code == HTTPStatus.NOT_FOUND
    assert client.get(reverse("player", args=[ada.pk + 99])).status_code == HTTPStatus.NOT_FOUND
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert client.get(reverse("player_named", args=["Ada"])).status_code == HTTPStatus.NOT_FOUND
    assert client.get(reverse("player", args=[ada.pk])).status_code == HTTPStatus.NOT_FOUND


# --- When something is wrong -------------------------------------------------------------------------------------


def test_an_unknown_address_gets_a_page_of_the_site(client: Client, db: None) -> None:
    response = client.get("/no/such/page/")
    assert response.status_code == HTTPStatus.NOT_FOUND
    assert_sound(response.content.decode())


def test_the_page_for_a_fault_needs_neither_database_nor_reader(
    django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    with django_assert_num_queries(0):
        response = server_error(RequestFactory().get("/"))
    assert response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    assert_sound(response.content.decode())
    assert "Something broke on our side" in response.content.decode()
