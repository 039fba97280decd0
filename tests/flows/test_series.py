"""Games of the same people that follow one another."""

from datetime import timedelta
from http import HTTPStatus
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import commands
from games.commands.create_game import MOST_IN_SERIES
from games.errors import GameCode, GameError
from games.models import Game, Proposal, Seat
from games.models.choices import Status
from games.notices.models import Notice
from games.tasks.sweep import sweep_clocks
from tests.flows.people import SignIn
from tests.flows.play import RULESET, make_user, play_randomly
from tests.flows.test_new_game import CHOICES

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


def begin(*people: User, series: int = 3, bots: tuple[str, ...] = ()) -> Game:
    now = timezone.now()
    game = commands.create_game(
        user=people[0],
        ruleset=RULESET,
        size=len(people) + len(bots),
        options={},
        public=True,
        bots=bots,
        now=now,
        series=series,
    )
    for person in people[1:]:
        commands.join_game(game_key=game.key, user=person, now=now)
    return Game.objects.get(pk=game.pk)


def finish(game: Game) -> Game:
    rng = Random(game.pk)
    while (game := Game.objects.get(pk=game.pk)).status == Status.ACTIVE:
        if game.bot_to_move:
            commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=rng, now=timezone.now())
        else:
            play_randomly(game, 1, rng)
    return game


def names(game: Game) -> list[str]:
    return list(Seat.objects.filter(game=game).order_by("number").values_list("name", flat=True))


def next_of(game: Game) -> Game | None:
    return Game.objects.filter(rematch_of=game).first()


def continued(game: Game) -> Game:
    following = commands.continue_series(game_id=game.pk, now=timezone.now())
    assert following is not None
    return Game.objects.get(pk=following.pk)


def page_of(game: Game, person: User, as_user: SignIn) -> str:
    return as_user(person).get(reverse("game", args=[game.key])).content.decode()


def test_the_next_game_begins_by_itself_and_everyone_sits_one_seat_further_on(ada: User, bo: User, cleo: User) -> None:
    first = game = finish(begin(ada, bo, cleo, series=3))
    orders = [names(first)]
    for number in (2, 3):
        sweep_clocks(now=timezone.now(), rng=Random(1))
        following = next_of(game)
        assert following is not None
        assert following.status == Status.ACTIVE
        assert (following.series_number, following.series_length, following.series_of) == (number, 3, first)
        orders.append(names(following))
        game = finish(following)
    assert orders == [orders[0], orders[0][1:] + orders[0][:1], orders[0][2:] + orders[0][:2]]
    sweep_clocks(now=timezone.now(), rng=Random(1))
    assert next_of(game) is None
    assert Notice.objects.filter(user=bo, topic="started").count() == 3


def test_a_game_is_followed_by_one_however_often_it_is_asked_for(ada: User, bo: User) -> None:
    game = begin(ada, bo)
    assert commands.continue_series(game_id=game.pk, now=timezone.now()) is None
    game = finish(game)
    assert continued(game).status == Status.ACTIVE
    for _time in range(2):
        assert commands.continue_series(game_id=game.pk, now=timezone.now()) is None
    assert Game.objects.count() == 2


@pytest.mark.parametrize("why", ["resigned", "deleted", "suspended"])
def test_a_series_ends_where_somebody_leaves(why: str, ada: User, bo: User, cleo: User, as_user: SignIn) -> None:
    game = begin(ada, bo, cleo)
    if why == "resigned":
        commands.resign(game_key=game.key, user=bo, seq=0, now=timezone.now())
    finish(game)
    if why == "deleted":
        commands.delete_account(user=bo, now=timezone.now())
    if why == "suspended":
        User.objects.filter(pk=bo.pk).update(is_active=False)
    sweep_clocks(now=timezone.now(), rng=Random(1))
    assert next_of(game) is None
    page = page_of(game, ada, as_user)
    assert "The series ended early, because somebody left." in page
    assert "Rematch" in page


def test_a_series_that_is_cancelled_does_not_go_on(ada: User, bo: User) -> None:
    game = begin(ada, bo)
    now = timezone.now()
    commands.propose_cancel(game_key=game.key, user=ada, now=now)
    proposal = Proposal.objects.get()
    commands.answer_proposal(game_key=game.key, user=bo, proposal_id=proposal.pk, agree=True, now=now)
    assert Game.objects.get().status == Status.CANCELLED
    sweep_clocks(now=now, rng=Random(1))
    assert next_of(game) is None


def test_a_rematch_waits_until_a_series_is_over_and_is_a_series_of_its_own(
    ada: User, bo: User, as_user: SignIn
) -> None:
    game = finish(begin(ada, bo, series=3))
    with pytest.raises(GameError) as refusal:
        commands.rematch(game_key=game.key, user=ada, now=timezone.now())
    assert refusal.value.code is GameCode.SERIES_GOES_ON
    page = page_of(game, ada, as_user)
    assert "The next game of the series begins within a minute." in page
    assert "Rematch" not in page
    game = finish(continued(finish(continued(game))))
    again = commands.rematch(game_key=game.key, user=ada, now=timezone.now())
    assert (again.series_number, again.series_length, again.series_of, again.is_followed) == (1, 3, None, True)


def test_computer_players_sit_further_on_as_well(ada: User) -> None:
    game = finish(begin(ada, series=3, bots=("nova:1",)))
    following = continued(game)
    assert Seat.objects.get(game=following, user=ada).number != Seat.objects.get(game=game, user=ada).number
    assert Seat.objects.filter(game=following, bot="nova:1").count() == 1


def test_the_page_of_each_game_says_who_has_what_in_the_series(ada: User, bo: User, as_user: SignIn) -> None:
    first = finish(begin(ada, bo, series=3))
    second = finish(continued(first))
    third = continued(second)
    for number, game in enumerate((first, second, third), 1):
        page = page_of(game, bo, as_user)
        assert f"Game {number} of 3" in page
        for name, person in (("Ada", ada), ("Bo", bo)):
            row = page[page.index(f'<th scope="row">{name}') :].split("</tr>")[0]
            seats = Seat.objects.filter(user=person).order_by("game")
            points = [seat.points for seat in seats]
            cells = "".join(f"<td>{one}</td>" for one in (*points, sum(points)))
            wins = sum(seat.place == 1 for seat in seats if seat.game_id != third.pk)
            assert f"{cells}<td><strong>{wins}</strong></td>" in row
    assert "Go to game 3" in page_of(second, bo, as_user)
    assert "series-heading" not in page_of(begin(ada, bo, series=1), bo, as_user)


def test_the_form_asks_for_a_series_and_lists_say_so(ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    browser.post(reverse("create_game"), {**CHOICES, "games": "3"})
    game = Game.objects.get()
    assert (game.series_length, game.is_followed) == (3, True)
    assert "Series of 3 games" in browser.get(reverse("lobby")).content.decode()
    refused = browser.post(reverse("create_game"), {**CHOICES, "games": "4"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = browser.post(reverse("create_preview"), {**CHOICES, "games": "5"}).content.decode()
    assert "5 games in a row" in page


@pytest.mark.parametrize("series", [0, MOST_IN_SERIES + 1])
def test_a_series_of_no_game_or_too_many_is_refused(series: int, ada: User) -> None:
    with pytest.raises(GameError) as refusal:
        begin(ada, make_user("Dee"), series=series)
    assert refusal.value.code is GameCode.BAD_SERIES


def test_a_sweep_that_is_late_begins_the_next_game_all_the_same(ada: User, bo: User) -> None:
    game = finish(begin(ada, bo))
    sweep_clocks(now=timezone.now() + timedelta(hours=1), rng=Random(1))
    assert next_of(game) is not None
