"""The pages of puzzles: solved, missed, tried again, the answer shown; the puzzle of the day, and what others learn."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests
from accounts.models import User
from games import commands, tasks
from games.models import DailyPuzzle, JudgedTurn, Puzzle, PuzzleAttempt, Solver
from tests.flows.people import SignIn
from tests.games.puzzle_box import BEST, LOOT, WRONG, make_puzzle

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
WHY = "This turn ends the game, and Player 2 wins."


@pytest.fixture
def puzzle(db: None) -> Puzzle:
    return make_puzzle(now=timezone.now())


def text_of(response: Any, status: int = HTTPStatus.OK) -> str:
    assert response.status_code == status
    return str(response.content.decode())


def read(client: Client, puzzle: Puzzle, query: str = "") -> str:
    return text_of(client.get(f"/puzzles/{puzzle.pk}/{query}"))


def reply(client: Client, puzzle: Puzzle, turn: str, **more: Any) -> str:
    return text_of(client.post(f"/puzzles/{puzzle.pk}/turn", {"seq": 0, "steps": turn}, **more))


def test_a_solution_is_said_at_once_with_reason_themes_chances_and_rating(
    puzzle: Puzzle, ada: User, as_user: SignIn
) -> None:
    browser = as_user(ada)
    html = reply(browser, puzzle, BEST, headers=HTMX)
    for words in ("Well done!", WHY, "Last round", "Chance to win: 100%", "From a game between computer players."):
        assert words in html
    assert re.search(r"Your puzzle rating: 1200 → 1[2-5]\d\d", html)
    assert 'id="compose"' not in html
    assert WHY in read(browser, puzzle), "it is as they left it"
    assert 'id="compose"' in read(browser, puzzle, "?again=1")


def test_neither_answer_nor_theme_nor_rating_is_on_the_page_before(puzzle: Puzzle, ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    pages = [read(browser, puzzle), read(Client(), puzzle)]
    preview = browser.post(f"/puzzles/{puzzle.pk}/preview", {"seq": 0, "steps": "", "step": "S>(D)"}, headers=HTMX)
    pages += [text_of(preview), reply(browser, puzzle, WRONG)]
    tasks.judge_answers()
    pages.append(read(browser, puzzle))
    for html in pages:
        assert WHY not in html
        assert "Last round" not in html
        assert "Rating of this puzzle" not in html
        assert "solution" not in html


def test_a_turn_that_nobody_has_played_is_judged_while_one_waits(puzzle: Puzzle, ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    html = reply(browser, puzzle, WRONG)
    address = f"/puzzles/{puzzle.pk}/turns/{JudgedTurn.objects.get().pk}/"
    assert "Your turn is being judged" in html
    assert html.count(address) == 2, "for the script, and as a link"
    assert browser.get(address, headers=HTMX).status_code == HTTPStatus.NO_CONTENT
    assert "Your turn is being judged" in text_of(browser.get(address))
    tasks.judge_answers()
    html = text_of(browser.get(address, headers=HTMX))
    assert "Not the best turn" in html
    assert "100 percentage points lower" in html
    assert re.search(r"Your puzzle rating: 1200 → \d+", html)
    assert "Not the best turn" in read(browser, puzzle)


def test_after_a_miss_one_tries_again_without_a_rating_or_sees_the_answer(
    puzzle: Puzzle, ada: User, as_user: SignIn
) -> None:
    browser = as_user(ada)
    reply(browser, puzzle, WRONG)
    tasks.judge_answers()
    rating = Solver.objects.get().rating
    assert f'href="/puzzles/{puzzle.pk}/?again=1"' in read(browser, puzzle)
    response = browser.post(f"/puzzles/{puzzle.pk}/answer")
    assert response.headers["Location"] == f"/puzzles/{puzzle.pk}/"
    html = read(browser, puzzle)
    for words in ("The best turn", WHY, "Your first answer", "The better turn ends the game", "Chance to win: 0%"):
        assert words in html
    assert "Well done!" in reply(browser, puzzle, BEST)
    assert Solver.objects.get().rating == rating
    assert PuzzleAttempt.objects.get().solved is False


def test_who_solves_it_with_another_turn_reads_of_both(puzzle: Puzzle, ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    assert "Yours, which is as good" not in reply(browser, puzzle, BEST)
    PuzzleAttempt.objects.all().delete()
    puzzle.content = {**puzzle.content, "solutions": [BEST, WRONG]}
    puzzle.save()
    assert "Yours, which is as good" in reply(browser, puzzle, WRONG)
    html = read(browser, puzzle)
    assert html.index("<dt>Best turn</dt>") < html.index("<dt>Yours, which is as good</dt>")


def test_a_puzzle_says_of_which_round_it_is_whatever_was_answered(puzzle: Puzzle, ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    said = re.findall(r"You are Player \d, in round \d+", read(browser, puzzle))
    assert len(said) == 1
    for turn in (WRONG, BEST):
        reply(browser, puzzle, turn)
        tasks.judge_answers()
        assert re.findall(r"You are Player \d, in round \d+", read(browser, puzzle)) == said


def test_who_is_not_signed_in_solves_without_a_trace(puzzle: Puzzle, client: Client) -> None:
    assert "Sign in to get a rating" in read(client, puzzle)
    html = reply(client, puzzle, BEST)
    assert "Well done!" in html
    assert f'href="/accounts/login/?next=/puzzles/{puzzle.pk}/"' in html
    reply(client, puzzle, WRONG)
    tasks.judge_answers()
    assert "Not the best turn" in reply(client, puzzle, WRONG)
    assert WHY in text_of(client.post(f"/puzzles/{puzzle.pk}/answer"))
    assert not PuzzleAttempt.objects.exists()
    assert 'id="compose"' in read(client, puzzle)


def test_who_has_not_answered_can_not_look_up_what_others_did(
    puzzle: Puzzle, ada: User, bo: User, as_user: SignIn
) -> None:
    reply(as_user(ada), puzzle, WRONG)
    address = f"/puzzles/{puzzle.pk}/turns/{JudgedTurn.objects.get().pk}/"
    assert as_user(bo).get(address).status_code == HTTPStatus.NOT_FOUND
    tasks.judge_answers()
    assert as_user(bo).get(address).status_code == HTTPStatus.NOT_FOUND
    reply(as_user(bo), puzzle, BEST)
    solving = f"/puzzles/{puzzle.pk}/turns/{JudgedTurn.objects.get(turn=BEST).pk}/"
    assert as_user(ada).get(address).status_code == HTTPStatus.OK
    assert as_user(ada).get(solving).status_code == HTTPStatus.NOT_FOUND, "the answer would be shown"
    other = make_puzzle(1)
    assert as_user(ada).get(address.replace(f"/{puzzle.pk}/", f"/{other.pk}/", 1)).status_code == HTTPStatus.NOT_FOUND


def test_whose_answer_is_judged_reads_so_whatever_they_send_meanwhile(
    puzzle: Puzzle, ada: User, as_user: SignIn
) -> None:
    browser = as_user(ada)
    reply(browser, puzzle, WRONG)
    assert "Your turn is being judged" in reply(browser, puzzle, BEST)
    assert PuzzleAttempt.objects.get().solved is None


@pytest.mark.parametrize("steps", ["", "no turn", "S<(D) S<(L)", "x1b", "x" * 300])
def test_what_is_no_turn_is_refused_in_words_and_counts_for_nothing(
    steps: str, puzzle: Puzzle, ada: User, as_user: SignIn
) -> None:
    response = as_user(ada).post(f"/puzzles/{puzzle.pk}/turn", {"seq": 0, "steps": steps})
    assert 'class="notice error"' in text_of(response, HTTPStatus.UNPROCESSABLE_ENTITY)
    assert not PuzzleAttempt.objects.exists()
    assert not JudgedTurn.objects.exists()


def test_a_puzzle_is_one_turn_long(puzzle: Puzzle, client: Client) -> None:
    fields = {"seq": 1, "played": [BEST], "steps": "C"}
    response = client.post(f"/puzzles/{puzzle.pk}/turn", fields)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_all_players_go_by_numbers_in_the_readers_language(puzzle: Puzzle, client: Client) -> None:
    assert "You are Player 2, in round 9" in read(client, puzzle)
    client.cookies["django_language"] = "de"
    assert "Spieler 2" in read(client, puzzle)


def test_the_puzzle_that_follows_is_of_the_theme_that_one_solves(puzzle: Puzzle, client: Client) -> None:
    other = make_puzzle(1)
    response = client.get(f"/puzzles/next/?theme=last-round&after={puzzle.pk}")
    assert response.headers["Location"] == f"/puzzles/{other.pk}/?theme=last-round"
    html = read(client, other, "?theme=last-round")
    assert "Last round" in html
    assert f"/puzzles/{other.pk}/preview?theme=last-round" in html
    response = client.post(f"/puzzles/{other.pk}/turn?theme=last-round", {"seq": 0, "steps": BEST})
    assert f"/puzzles/next/?after={other.pk}&amp;theme=last-round" in text_of(response)
    assert client.get("/puzzles/next/?theme=theft").headers["Location"] == "/puzzles/?none=1"
    assert "There are no more puzzles of this kind for you at the moment." in text_of(client.get("/puzzles/?none=1"))
    for odd in ("?theme=nonsense", "?after=x", f"?after={'9' * 40}", "?after=-1"):
        assert client.get(f"/puzzles/next/{odd}").status_code == HTTPStatus.FOUND


def test_todays_puzzle_is_picked_by_the_first_who_looks_and_the_same_for_all(
    client: Client, ada: User, as_user: SignIn
) -> None:
    assert "There is no new puzzle today." in text_of(client.get("/puzzles/"))
    assert client.get("/puzzles/today/").headers["Location"] == "/puzzles/"
    for number in range(len(LOOT)):
        make_puzzle(number)
    first = client.get("/puzzles/today/").headers["Location"]
    for browser in (client, as_user(ada)):
        assert f'id="today" href="{first}"' in text_of(browser.get("/puzzles/"))
    assert DailyPuzzle.objects.count() == 1
    assert 'href="/puzzles/today/"' in text_of(client.get("/"))
    for page in ("/", "/rules/", "/lobby/"):
        assert 'href="/puzzles/"' in text_of(client.get(page))


def test_the_page_shows_rating_streak_and_what_became_of_todays(ada: User, as_user: SignIn) -> None:
    puzzle, browser = make_puzzle(), as_user(ada)
    browser.get("/puzzles/today/")
    assert "You have not answered any puzzle yet." in text_of(browser.get("/puzzles/"))
    reply(browser, puzzle, BEST)
    html = text_of(browser.get("/puzzles/"))
    assert re.search(r"<dd>1[2-5]\d\d<abbr", html), "provisional"
    assert "<dt>Days in a row</dt><dd>1</dd>" in html
    assert "lesson-card is-done" in html
    guest = guests.make_guest(language="en", now=timezone.now())
    assert "Guests get no rating" in text_of(as_user(guest).get("/puzzles/"))


def test_earlier_days_are_listed_by_month_with_what_the_reader_did(ada: User, as_user: SignIn) -> None:
    today = timezone.now().date()
    days = [today.replace(year=2020, month=month, day=day) for month, day in ((3, 1), (3, 2), (5, 31))]
    made = [make_puzzle(number) for number in range(3)]
    for day, one in zip(days, made, strict=True):
        DailyPuzzle.objects.create(date=day, puzzle=one)
    now = timezone.now()
    PuzzleAttempt.objects.create(user=ada, puzzle=made[0], at=now, solved=False, solved_at=now)  # at a later try
    PuzzleAttempt.objects.create(user=ada, puzzle=made[1], at=now, solved=False)
    browser = as_user(ada)
    assert 'href="?month=2020-05"' in text_of(browser.get("/puzzles/daily/"))
    html = text_of(browser.get("/puzzles/daily/?month=2020-03"))
    assert re.findall(r'href="/puzzles/(\d+)/"', html) == [str(made[1].pk), str(made[0].pk)]
    assert re.findall(r"(Solved|Missed)</span>", html) == ["Missed", "Solved"]
    assert 'rel="next" href="?month=2020-05"' in html
    assert "Solved" not in text_of(Client().get("/puzzles/daily/?month=2020-03"))
    head = read(browser, made[1], "?again=1")
    assert f'rel="prev" href="/puzzles/{made[0].pk}/"' in head
    assert f'rel="next" href="/puzzles/{made[2].pk}/"' in head
    for odd in ("2020-13", "x", "1999-01", "9999-12", "2020-3-1"):
        assert browser.get(f"/puzzles/daily/?month={odd}").status_code == HTTPStatus.NOT_FOUND


def test_others_see_a_persons_rating_and_streak_only_where_results_are_shown(
    ada: User, bo: User, as_user: SignIn
) -> None:
    make_puzzle()
    as_user(ada).get("/puzzles/today/")
    reply(as_user(ada), Puzzle.objects.get(), BEST)
    html = text_of(as_user(bo).get(f"/players/{ada.pk}/"))
    assert "Puzzle rating, after 1 puzzle" in html
    assert "Daily puzzles in a row" in html
    User.objects.filter(pk=ada.pk).update(ratings_shown=False)
    for browser in (as_user(bo), Client()):
        html = text_of(browser.get(f"/players/{ada.pk}/"))
        assert "Puzzle rating" not in html
        assert "in a row" not in html


def test_answers_are_limited_for_guests_too(puzzle: Puzzle, client: Client, settings: Any) -> None:
    assert {"puzzle_turn", "puzzle_answer", "puzzle_preview", "puzzle_choices"} <= settings.WRITE_LIMITS.keys()
    settings.WRITE_LIMITS = {"": 1, "puzzle_turn": 1}
    answers = [client.post(f"/puzzles/{puzzle.pk}/turn", {"seq": 0, "steps": BEST}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [HTTPStatus.OK] * 5 + [HTTPStatus.TOO_MANY_REQUESTS]


def test_pages_of_puzzles_take_few_queries_however_many_there_are(
    ada: User, as_user: SignIn, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = [make_puzzle(number) for number in range(len(LOOT))]
    browser, day = as_user(ada), timezone.now().date()
    browser.get("/puzzles/today/")
    for one in made:
        commands.answer_puzzle(puzzle=one, user=ada, turn=BEST, now=timezone.now())
    today = DailyPuzzle.objects.get().puzzle_id
    other = next(one.pk for one in made if one.pk != today)
    pages: dict[str, tuple[int, Callable[[], Any]]] = {
        "overview": (7, lambda: browser.get("/puzzles/")),
        "archive": (7, lambda: browser.get(f"/puzzles/daily/?month={day:%Y-%m}")),
        "next": (5, lambda: browser.get("/puzzles/next/")),
        "puzzle": (6, lambda: browser.get(f"/puzzles/{other}/")),
        "of today": (8, lambda: browser.get(f"/puzzles/{today}/?again=1")),
        "preview": (8, lambda: browser.post(f"/puzzles/{other}/preview", {"seq": 0, "step": BEST})),
        "picture": (1, lambda: Client().get(f"/puzzles/{other}/board.svg")),
        "guest": (1, lambda: Client().get(f"/puzzles/{other}/")),
    }
    for name, (most, ask) in pages.items():
        ask()  # what a process keeps, it has asked for by then
        with django_assert_max_num_queries(most, info=name):
            assert ask().status_code in {HTTPStatus.OK, HTTPStatus.FOUND}


def test_an_unknown_puzzle_is_not_found(client: Client) -> None:
    for address in ("1/", f"{'9' * 18}/", "1/board.svg", "1/turns/1/"):
        assert client.get(f"/puzzles/{address}").status_code == HTTPStatus.NOT_FOUND
    puzzle = make_puzzle()
    assert client.get(f"/puzzles/{puzzle.pk}/board.svg?scheme=pink").status_code == HTTPStatus.NOT_FOUND
