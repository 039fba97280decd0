"""Ratings on pages: at the end of games, of people, on leaderboards, in the lobby; and whom open games take."""

import html
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests
from accounts.models import User
from games import commands, queries
from games.commands.create_game import create_game
from games.errors import GameCode, GameError
from games.log.gates import Gates
from games.models import Game, Punctuality, Rating, RatingChange, RatingMonth
from games.models.choices import Pool, Unrated
from games.queries import Wanted, ratings
from games.skill import Skill, mean_of
from games.web.rating_curve import MOST_POINTS
from games.web.rating_curve import curve_of as draw
from games.web.views.leaderboards import last_months
from tests.flows.conftest import SignIn
from tests.flows.play import NOW, make_user
from tests.games.test_ratings import end, rated_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

THIS_MONTH = timezone.now().date().replace(day=1)


def rate(user: User, number: int, *, games: int = 20, pool: Pool = Pool.DUEL, **fields: Any) -> Rating:
    mu = mean_of(number) + 0.001
    return Rating.objects.create(
        user=user, pool=pool, mu=mu, sigma=2.0, least=Skill(mu, 2.0).least, games=games, listed=games >= 10, **fields
    )


def offer(user: User, **terms: Any) -> Game:
    asked = {"ruleset": "gravity-1", "size": 2, "options": {}, "public": True, "bots": [], "now": timezone.now()}
    return create_game(user=user, **{**asked, **terms})


def text(client: Client, address: str, **query: str) -> str:
    answer = client.get(address, query)
    assert answer.status_code == HTTPStatus.OK
    return " ".join(html.unescape(answer.content.decode()).replace("\u2068", "").replace("\u2069", "").split())


def game_text(client: Client, game: Game) -> str:
    return text(client, reverse("game", args=[game.key]))


# --- The end of a game -----------------------------------------------------------------------------------------------


def test_everybody_reads_at_the_end_what_a_game_did_to_the_ratings(client: Client, ada: User, bo: User) -> None:
    game = end(rated_game([ada, bo]), bo)
    page = game_text(client, game)
    assert "Rated." in page
    assert "1566" in page
    assert "1434" in page


def test_between_the_end_and_the_ratings_the_page_says_so(client: Client, ada: User, bo: User) -> None:
    game = rated_game([ada, bo])
    assert "Rated." in game_text(client, game)
    commands.resign(game_key=game.key, user=bo, seq=Game.objects.get(pk=game.pk).seq, now=NOW)
    assert "The new ratings will be here in a moment." in game_text(client, game)


def test_open_pages_hear_of_the_new_ratings(ada: User, bo: User) -> None:
    game = rated_game([ada, bo])
    commands.resign(game_key=game.key, user=bo, seq=Game.objects.get(pk=game.pk).seq, now=NOW)
    before = Game.objects.get(pk=game.pk).version
    assert end(game).version == before + 1


def test_who_wants_no_ratings_shown_alone_reads_their_change(
    client: Client, ada: User, bo: User, as_user: SignIn
) -> None:
    User.objects.filter(pk=ada.pk).update(ratings_shown=False)
    game = end(rated_game([ada, bo]), bo)
    assert [change.seat.name for change in ratings.rating_changes(game, None)] == ["Bo"]
    assert [change.seat.name for change in ratings.rating_changes(game, bo)] == ["Bo"]
    assert [change.seat.name for change in ratings.rating_changes(game, ada)] == ["Ada", "Bo"]
    assert "1566" not in game_text(as_user(bo), game)
    assert "1566" in game_text(as_user(ada), game)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (Unrated.BOTS, "Not rated: a computer player takes part."),
        (Unrated.GUESTS, "Not rated: a guest takes part."),
        (Unrated.UNPLAYED, "Not rated: the game ended before everyone had had a turn."),
    ],
)
def test_players_read_why_a_game_is_not_rated(
    why: Unrated, words: str, client: Client, ada: User, bo: User, as_user: SignIn
) -> None:
    game = end(rated_game([ada, bo]), bo)
    Game.objects.filter(pk=game.pk).update(unrated=why, rating_number=None)
    assert words in game_text(as_user(ada), game)
    stranger = game_text(client, game)
    assert "Not rated." in stranger
    assert words not in stranger


def test_nobody_reads_who_lives_together(client: Client, ada: User, bo: User, as_user: SignIn) -> None:
    game = rated_game([ada, bo])
    Game.objects.filter(pk=game.pk).update(unrated=Unrated.HOUSEHOLD)
    browser = as_user(ada)
    running = game_text(browser, game)
    assert "Rated." in running
    assert "Not rated" not in running
    game = end(game, bo)
    for page in (game_text(browser, game), game_text(client, game)):
        assert "Not rated." in page
        assert "household" not in page
    document = browser.get(reverse("api_game", args=[game.key])).json()
    assert (document["rated"], document["rating_changes"]) == (False, [])


def test_the_api_tells_of_ratings_what_the_page_does(client: Client, ada: User, bo: User) -> None:
    game = rated_game([ada, bo])
    address = reverse("api_game", args=[game.key])
    assert (client.get(address).json()["rated"], client.get(address).json()["rating_changes"]) == (True, [])
    end(game, bo)
    assert client.get(address).json()["rating_changes"] == [
        {"seat": 1, "place": 1, "before": 1500, "after": 1566, "provisional": True},
        {"seat": 2, "place": 2, "before": 1500, "after": 1434, "provisional": True},
    ]


# --- A person --------------------------------------------------------------------------------------------------------


def test_the_page_of_a_player_shows_ratings_and_a_curve(client: Client, ada: User, bo: User) -> None:
    for number in range(3):
        end(rated_game([ada, bo], seed=number), bo, minutes=number)
    page = text(client, reverse("player", args=[ada.pk]))
    rating = Rating.objects.get(user=ada)
    assert f'<dd>{rating.number}<abbr title="provisional">?</abbr></dd>' in page
    assert f"From 1500 to {rating.number} in 3 games; lowest 1500, highest {rating.number}." in page
    assert page.count("<polyline") == 1


def test_who_wants_them_private_shows_ratings_and_results_to_nobody_else(
    client: Client, ada: User, bo: User, as_user: SignIn
) -> None:
    end(rated_game([ada, bo]), bo)
    own = as_user(ada)
    fields = {"display_name": "Ada", "language": "en", "time_zone": "UTC"}
    assert own.post(reverse("profile"), fields).status_code == HTTPStatus.FOUND
    address = reverse("player", args=[ada.pk])
    page = text(client, address)
    assert "Ada does not show ratings and results to others." in page
    assert "1566" not in page
    assert "figures-row" not in page
    assert "Only you see your ratings and results" in text(own, address)
    assert "1566" in text(own, address)
    assert own.post(reverse("profile"), {**fields, "ratings_shown": "on"}).status_code == HTTPStatus.FOUND
    assert "1566" in text(client, address)


def test_a_guest_is_not_asked_for_it(as_user: SignIn, db: None) -> None:
    page = text(as_user(guests.make_guest(language="en", now=timezone.now())), reverse("profile"))
    assert "ratings_shown" not in page


def test_a_long_curve_is_drawn_by_some_of_its_points_and_the_last() -> None:
    changes = [RatingChange(mu_before=25.0 + n / 50, mu_after=25.0 + (n + 1) / 50) for n in range(ratings.CURVE)]
    curve = draw(Rating(), changes)
    assert curve is not None
    corners = curve.points.split(" ")
    assert len(corners) <= MOST_POINTS + 1
    assert corners[-1] == f"{curve.end[0]:g},{curve.end[1]:g}"
    assert draw(Rating(), changes[:1]) is None


# --- Leaderboards ----------------------------------------------------------------------------------------------------


@pytest.fixture
def listed(ada: User, bo: User) -> list[User]:
    """People who are on the leaderboard for two, the best first; others are not."""
    cy, di, ed = (make_user(name) for name in ("Cy", "Di", "Ed"))
    people = [cy, ada, bo]
    for user, number in zip(people, (1800, 1700, 1600), strict=True):
        rating = rate(user, number)
        RatingMonth.objects.create(rating=rating, pool=Pool.DUEL, month=THIS_MONTH, games=3, gain=2000 - number)
    rate(di, 1900, games=9)
    rate(ed, 1950)
    User.objects.filter(pk=ed.pk).update(ratings_shown=False)
    return people


def named(client: Client, **query: str) -> list[str]:
    page = text(client, reverse("leaderboards"), **query)
    places = {name: page.find(f">{name}</a>") for name in ("Ada", "Bo", "Cy", "Di", "Ed")}
    return sorted((name for name, place in places.items() if place >= 0), key=lambda name: places[name])


def test_the_leaderboard_lists_whom_it_may_the_best_first(client: Client, listed: list[User]) -> None:
    assert named(client) == ["Cy", "Ada", "Bo"]
    assert named(client, games="table") == []
    assert named(client, month=f"{THIS_MONTH:%Y-%m}") == ["Bo", "Ada", "Cy"]
    assert named(client, month=f"{last_months(THIS_MONTH)[1]:%Y-%m}") == []


@pytest.mark.parametrize("query", [{"games": "x"}, {"month": "2020-01"}, {"month": "x"}, {"month": "2026-13"}])
def test_what_there_is_no_leaderboard_of_is_not_found(query: dict[str, str], client: Client) -> None:
    assert client.get(reverse("leaderboards"), query).status_code == HTTPStatus.NOT_FOUND


def test_the_months_are_the_last_twelve() -> None:
    months = last_months(date(2026, 2, 10))
    assert (months[0], months[1], months[2], months[-1]) == (
        date(2026, 2, 1),
        date(2026, 1, 1),
        date(2025, 12, 1),
        date(2025, 3, 1),
    )
    assert len(months) == 12


def test_who_is_not_on_the_page_reads_their_place(
    listed: list[User], as_user: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "LIST_SIZE", 1)
    assert "You are in place 3, with a rating of 1600." in text(as_user(listed[-1]), reverse("leaderboards"))
    monkeypatch.setattr(ratings, "MOST_COUNTED", 2)
    assert "You are in place" not in text(as_user(listed[-1]), reverse("leaderboards"))


def test_a_leaderboard_takes_as_many_queries_whoever_is_on_it(
    listed: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stranger = make_user("Zoe")
    for number in range(20):
        rate(make_user(f"More{number}"), 1400 + number)
    with django_assert_num_queries(2):
        assert len(ratings.leaderboard(Pool.DUEL, stranger).rows) == 23
    with django_assert_num_queries(2):
        ratings.monthly_leaderboard(Pool.DUEL, THIS_MONTH, stranger)


@pytest.mark.pg
@pytest.mark.slow
def test_leaderboards_are_read_from_their_index_with_100000_people(
    listed: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    heap_up(100_000)
    for index, query in (
        ("rating_best", lambda: ratings.leaderboard(Pool.DUEL, None)),
        ("rating_month_best", lambda: ratings.monthly_leaderboard(Pool.DUEL, THIS_MONTH, None)),
    ):
        with django_assert_num_queries(1) as asked:
            assert len(query().rows) == ratings.LIST_SIZE
        plan = explain(asked[0]["sql"])
        assert f"using {index}" in plan
        assert "Sort" not in plan
        assert "Seq Scan" not in plan


def heap_up(count: int) -> None:
    """Store so many people with ratings and a month each, a part of them listed."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO accounts_user (password, is_superuser, email, display_name, name_key, name_skeleton, name_asked,
                language, time_zone, digest_hour, confirmed_address, refused_address, is_active, is_staff, date_joined)
            SELECT '', false, 'p' || n || '@example.org', 'p' || n, 'p' || n, 'p' || n, false,
                'en', 'UTC', 18, 'p' || n || '@example.org', '', true, false, now() FROM generate_series(1, %s) n
            """,
            [count],
        )
        cursor.execute(
            """
            INSERT INTO games_rating (user_id, pool, mu, sigma, games, played_at, least, listed)
            SELECT id, 'duel', 20 + mod(id, 977) / 50.0, 2, 20, now(), 16 + mod(id, 977) / 50.0, mod(id, 3) > 0
            FROM accounts_user WHERE display_name ~ '^p[0-9]'
            """
        )
        cursor.execute(
            """
            INSERT INTO games_ratingmonth (rating_id, pool, month, games, gain)
            SELECT id, pool, m::date, mod(id, 7), mod(id, 200) - 50
            FROM games_rating, generate_series(%s::date - interval '2 months', %s::date, '1 month') m
            WHERE played_at IS NOT NULL
            """,
            [THIS_MONTH, THIS_MONTH],
        )
        cursor.execute("ANALYZE accounts_user, games_rating, games_ratingmonth")


def explain(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        return "\n".join(line for (line,) in cursor.fetchall())


# --- Whom open games take --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gates", "number", "games", "code"),
    [
        (Gates(rating_from=1500), 1499, 20, GameCode.RATING_TOO_LOW),
        (Gates(rating_from=1500), 1500, 20, None),
        (Gates(rating_from=1500), 1700, 9, GameCode.RATING_PROVISIONAL),
        (Gates(rating_to=1600), 1601, 20, GameCode.RATING_TOO_HIGH),
        (Gates(rating_to=1600), 1600, 9, None),
        (Gates(1400, 1600), 1500, 20, None),
        (Gates(punctual_from=90), 1500, 20, GameCode.NOT_PUNCTUAL),
        (Gates(punctual_from=80), 1500, 20, None),
        (Gates(), 1500, 0, None),
    ],
)
def test_a_game_takes_whom_its_creator_wants(
    gates: Gates, number: int, games: int, code: GameCode | None, ada: User, bo: User, as_user: SignIn
) -> None:
    rate(bo, number, games=games)
    Punctuality.objects.create(user=bo, played=85, missed=15)
    game = offer(ada, gates=gates)
    shown = [found.key for found in queries.lobby(None, Wanted(takes=bo)).games]
    assert shown == ([] if code else [game.key])
    page = text(as_user(bo), reverse("invitation", args=[game.key]))
    assert ("This game is for players" in page) == bool(code)
    if code is None:
        commands.join_game(game_key=game.key, user=bo, now=NOW)
        return
    with pytest.raises(GameError) as refused:
        commands.join_game(game_key=game.key, user=bo, now=NOW)
    assert refused.value.code == code
    assert not queries.games_for(bo, Wanted())
    commands.invite(game_key=game.key, user=ada, name="Bo", now=NOW)
    assert [found.key for found in queries.lobby(None, Wanted(takes=bo)).games] == [game.key]
    commands.join_game(game_key=game.key, user=bo, now=NOW)


def test_few_turns_say_nothing_of_who_plays_in_time(ada: User, bo: User) -> None:
    Punctuality.objects.create(user=bo, played=1, missed=8)
    game = offer(ada, gates=Gates(punctual_from=99))
    commands.join_game(game_key=game.key, user=bo, now=NOW)


def test_the_rating_that_counts_is_that_of_the_size(ada: User, bo: User) -> None:
    rate(bo, 1700, pool=Pool.TABLE)
    with pytest.raises(GameError):
        commands.join_game(game_key=offer(ada, gates=Gates(1600)).key, user=bo, now=NOW)
    commands.join_game(game_key=offer(ada, size=4, gates=Gates(1600)).key, user=bo, now=NOW)


@pytest.mark.parametrize("gates", [Gates(1600, 1500), Gates(-1), Gates(rating_to=3001), Gates(punctual_from=85)])
def test_gates_that_let_nobody_in_make_no_game(gates: Gates, ada: User) -> None:
    with pytest.raises(GameError) as refused:
        offer(ada, gates=gates)
    assert refused.value.code == GameCode.BAD_GATES


def test_the_form_of_a_new_game_asks_for_rating_and_gates(ada: User, as_user: SignIn, transactional_db: None) -> None:
    browser, address = as_user(ada), reverse("create_game")
    fields = {"size": "2", "against": "people", "visibility": "public", "time-preset": "daily", "rated": "on"}
    browser.post(address, {**fields, "rating_from": "1400", "rating_to": "1800", "punctual_from": "90"})
    game = Game.objects.get()
    assert (game.rated, game.rating_from, game.rating_to, game.punctual_from) == (True, 1400, 1800, 90)
    answer = browser.post(address, {**fields, "rating_from": "1800", "rating_to": "1400"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This is below the lowest rating." in answer.content.decode()
    browser.post(address, {**fields, "against": "bots", "bot": "nova:1"})
    assert not Game.objects.latest("pk").rated


# --- The lobby -------------------------------------------------------------------------------------------------------


@pytest.fixture
def offers(ada: User, bo: User) -> dict[str, str]:
    rate(ada, 1700)
    rate(bo, 1500, games=5)
    shy = make_user("Shy")
    rate(shy, 1700)
    User.objects.filter(pk=shy.pk).update(ratings_shown=False)
    games = {
        "rated": offer(ada, rated=True),
        "casual": offer(bo),
        "with a bot": offer(bo, size=3, bots=["nova:1"]),
        "shy": offer(shy, rated=True),
    }
    joined = offer(ada, size=3, rated=True)
    commands.add_bot(game_key=joined.key, user=ada, bot="nova:1", now=NOW)
    return {game.key: name for name, game in {**games, "joined by a bot": joined}.items()}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"rated": "rated"}, {"rated", "shy"}),
        ({"rated": "unrated"}, {"casual", "with a bot", "joined by a bot"}),
        ({"rating_from": "1600"}, {"rated"}),
        ({"rating_to": "1600"}, {"casual"}),
        ({"rating_from": "1700", "rating_to": "1700"}, {"rated"}),
        ({"rating_from": "x"}, {"rated", "casual", "with a bot", "shy", "joined by a bot"}),
    ],
)
def test_the_lobby_finds_rated_games_and_creators_of_a_strength(
    query: dict[str, str], names: set[str], offers: dict[str, str], client: Client
) -> None:
    page = text(client, reverse("lobby"), **query)
    assert {name for key, name in offers.items() if f"/games/{key}/" in page} == names


def test_the_lobby_shows_the_rating_of_who_created_a_game(offers: dict[str, str], client: Client) -> None:
    page = text(client, reverse("lobby"))
    assert "Created by Ada (rating 1700)," in page
    assert "Created by Bo (rating 1500?)," in page
    assert "Created by Shy, " in page


def test_only_who_has_an_account_can_ask_for_games_that_take_them(client: Client, ada: User, as_user: SignIn) -> None:
    assert 'name="takes"' not in text(client, reverse("lobby"))
    assert 'name="takes"' in text(as_user(ada), reverse("lobby"))


def test_a_game_that_is_found_for_somebody_is_rated_unless_they_look_for_others(ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    browser.post(reverse("find_game"), {})
    assert Game.objects.latest("pk").rated
    browser.post(reverse("find_game"), {"rated": "unrated"})
    assert not Game.objects.latest("pk").rated


def test_a_rematch_is_rated_as_the_game_was(ada: User, bo: User) -> None:
    game = end(rated_game([ada, bo]), bo)
    assert commands.rematch(game_key=game.key, user=ada, now=NOW).rated
