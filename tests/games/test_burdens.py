"""What one person can put on others is bounded: questions, places in the lobby, games with computer players."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import commands, queries
from games.clock import PRESETS
from games.commands._open_game import MOST_BOT_GAMES, MOST_NEW_BOT_GAMES
from games.delivery.deliver import send_due
from games.errors import GameCode, GameError
from games.models import Game, Proposal, Remark
from games.models.choices import Actor, Reason, Status
from games.notices.kinds import Cause, NoticeState
from games.notices.models import Notice
from games.queries.log import LOG_SIZE, MOST_REMARKS
from games.queries.open_games import LIST_SIZE, MOST_OF_ONE
from tests.flows.play import NOW, RULES, RULESET, long_game, make_user, play_randomly, start_game

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def create(user: User, *, size: int = 2, bots: int = 0, now: datetime = NOW) -> Game:
    terms: dict[str, Any] = {"ruleset": RULESET, "options": {}, "public": True}
    return commands.create_game(user=user, size=size, bots=[RULES.bots[0]] * bots, now=now, rng=Random(1), **terms)


def refused(call: Callable[[], object]) -> GameCode:
    with pytest.raises(GameError) as error:
        call()
    assert isinstance(error.value.code, GameCode)
    return error.value.code


# --- Questions ----------------------------------------------------------------------------------------------------


def propose(game: Game, user: User, now: datetime = NOW) -> Proposal:
    current = "daily" if PRESETS["daily"].to_json() != game.time_control else "weekly"
    commands.propose_time_control(game_key=game.key, user=user, time_control=PRESETS[current], now=now)
    return Proposal.objects.latest("pk")


def answer(game: Game, user: User, proposal: Proposal, *, agree: bool = False, now: datetime = NOW) -> None:
    commands.answer_proposal(game_key=game.key, user=user, proposal_id=proposal.pk, agree=agree, now=now)


def next_round(game: Game) -> None:
    """Play until another round has begun."""
    before = Game.objects.get(pk=game.pk).round
    while Game.objects.get(pk=game.pk).round == before:
        play_randomly(game, 1, Random(1))


def test_who_was_refused_asks_again_only_in_another_round(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    answer(game, bo, propose(game, ada))
    assert refused(lambda: propose(game, ada)) is GameCode.PROPOSED_THIS_ROUND
    answer(game, ada, propose(game, bo))  # the other seat has a question of its own
    commands.propose_cancel(game_key=game.key, user=ada, now=NOW)  # and the other kind is another question
    answer(game, bo, Proposal.objects.latest("pk"))
    next_round(game)
    assert propose(game, ada).seat == 1


def test_who_withdrew_waits_a_day_whatever_the_round(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    answer(game, ada, propose(game, ada))
    next_round(game)
    assert refused(lambda: propose(game, ada, NOW + DAY - SECOND)) is GameCode.WITHDRAWN_LATELY
    assert propose(game, ada, NOW + DAY).seat == 1


def test_asking_and_withdrawing_in_a_loop_adds_a_bounded_number_of_lines(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    for turn in range(50):
        now = NOW + turn * SECOND
        for ask in (propose, lambda game, user, now: commands.propose_cancel(game_key=game.key, user=user, now=now)):
            try:
                ask(game, ada, now)
            except GameError:
                continue
            answer(game, ada, Proposal.objects.latest("pk"), now=now)
    assert Remark.objects.count() == 4
    assert Notice.objects.filter(user=bo, topic__in=("asked", "settled")).count() == 4


def test_nobody_is_told_of_the_end_of_what_they_were_never_told_of(ada: User, bo: User) -> None:
    cleo = make_user("Cleo")
    game = start_game([ada, bo, cleo])
    proposal = propose(game, ada)
    Notice.objects.filter(user=cleo, topic="asked").update(state=NoticeState.SENT, closed_at=NOW)
    answer(game, ada, proposal)
    send_due(NOW + timedelta(hours=1))
    ends = {notice.user: notice for notice in Notice.objects.filter(topic="settled").select_related("user")}
    assert ends[bo].cause == Cause.NEVER_TOLD
    assert ends[bo].state == NoticeState.HELD_BACK
    assert ends[cleo].state == NoticeState.SENT


def test_who_agreed_on_the_page_hears_that_all_agreed_though_no_mail_asked_them(ada: User, bo: User) -> None:
    cleo = make_user("Cleo")
    game = start_game([ada, bo, cleo])
    proposal = propose(game, ada)
    answer(game, bo, proposal, agree=True)
    answer(game, cleo, proposal, agree=True)
    send_due(NOW + timedelta(hours=1))
    ends = dict(Notice.objects.filter(topic="settled").values_list("user", "state"))
    assert ends == {person.pk: NoticeState.SENT for person in (ada, bo, cleo)}


def test_a_page_shows_the_remarks_of_its_part_of_the_log(ada: User, bo: User) -> None:
    """However many there are: a bounded number between two entries, and all others a page further."""
    game = long_game([ada, bo], LOG_SIZE + 5)
    fields: dict[str, Any] = {"at": NOW, "kind": "asked", "params": {"proposal": "cancel"}}
    remarks = [Remark(game=game, after=0, seat=1, **fields)]
    remarks += [Remark(game=game, after=LOG_SIZE + 4, seat=2, **fields) for _ in range(MOST_REMARKS * 3)]
    Remark.objects.bulk_create(remarks)
    client = Client()
    client.force_login(ada)
    first, last = "Ada proposes to cancel", "Bo proposes to cancel"
    page, older = (client.get(f"/games/{game.key}/{query}").content.decode() for query in ("", "?at=1"))
    assert (page.count(first), page.count(last)) == (0, MOST_REMARKS)
    assert (older.count(first), older.count(last)) == (1, 0)
    address = reverse("api_log", args=[game.key])
    beginning = client.get(address).json()
    following = client.get(beginning["next"]).json()
    assert [entry["seq"] for entry in beginning["entries"]] == list(range(1, LOG_SIZE + 1))
    assert [remark["after"] for remark in beginning["remarks"]] == [0]
    assert [entry["seq"] for entry in following["entries"]] == list(range(LOG_SIZE + 1, LOG_SIZE + 6))
    assert [remark["after"] for remark in following["remarks"]] == [LOG_SIZE + 4] * MOST_REMARKS
    assert following["next"] is None
    assert client.get(address, {"after": "x"}).status_code == 400


# --- The lobby ----------------------------------------------------------------------------------------------------


def test_a_lobby_has_every_game_once_and_few_of_one_creator_on_a_page() -> None:
    people = [make_user(f"P{number}") for number in range(25)]
    for number, person in enumerate(people):
        for game in range(number % 5 + (9 if number == 0 else 0)):
            create(person, now=NOW + timedelta(minutes=13 * number + 7 * game))
    seen: list[int] = []
    place: queries.Place | None = None
    pages = 0
    while True:
        page = queries.lobby(place)
        pages += 1
        by = [game.creator_id for game in page.games]
        assert max(by.count(person.pk) for person in people) <= MOST_OF_ONE
        assert len(page.games) <= LIST_SIZE
        seen += [game.pk for game in page.games]
        if page.next is None:
            break
        place = page.next
    assert pages >= 3
    assert sorted(seen) == sorted(Game.objects.values_list("pk", flat=True))


def test_three_people_cannot_hide_the_games_of_others(client: Client) -> None:
    create(make_user("Quiet"), now=NOW)
    for name in ("A", "B", "C"):
        person = make_user(f"Loud{name}")
        for number in range(20):
            create(person, now=NOW + timedelta(minutes=number + 1))
    page = client.get("/lobby/").content.decode()
    assert "Quiet" in page
    further = client.get("/lobby/", {"after": "1-0-0-0"}).content.decode()
    assert "LoudA" in further
    assert "Quiet" not in further


@pytest.mark.parametrize(
    "after", ["", "x", "1", "1-2-3", "1-2-3-4-5", "-1-0-0-0", "9" * 30, f"0-1-{10**18}-1", "0-1-1-1", "7-0-0-0"]
)
def test_any_address_of_a_page_is_answered(client: Client, after: str) -> None:
    assert client.get("/lobby/", {"after": after}).status_code == 200


# --- Games with computer players ----------------------------------------------------------------------------------


def test_so_many_games_with_computer_players_run_at_once(ada: User, bo: User) -> None:
    games = [create(ada, bots=1, now=NOW - DAY) for _ in range(MOST_BOT_GAMES)]
    assert refused(lambda: create(ada, bots=1)) is GameCode.TOO_MANY_BOT_GAMES
    plain = create(ada)
    assert refused(lambda: commands.add_bot(game_key=plain.key, user=ada, bot=RULES.bots[0], now=NOW)) is (
        GameCode.TOO_MANY_BOT_GAMES
    )
    other = create(bo, size=3, bots=1)
    assert refused(lambda: commands.join_game(game_key=other.key, user=ada, now=NOW)) is GameCode.TOO_MANY_BOT_GAMES
    commands.join_game(game_key=plain.key, user=bo, now=NOW)
    commands.resign(game_key=games[0].key, user=ada, seq=0, now=NOW)
    assert create(ada, bots=1).status == Status.ACTIVE


def test_so_many_games_with_computer_players_are_created_within_a_day(ada: User) -> None:
    for _ in range(MOST_NEW_BOT_GAMES):
        game = create(ada, bots=1)
        commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    assert refused(lambda: create(ada, bots=1)) is GameCode.TOO_MANY_NEW_BOT_GAMES
    assert create(ada).status == Status.OPEN
    assert create(ada, bots=1, now=NOW + DAY).status == Status.ACTIVE


# --- A game that nobody is left in --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["resigned", "removed", "deleted"])
def test_a_game_ends_when_only_computer_players_are_left(ada: User, bo: User, way: str) -> None:
    game = start_game([ada, bo], bots=[RULES.bots[0]] * 3)
    commands.resign(game_key=game.key, user=bo, seq=Game.objects.get(pk=game.pk).seq, now=NOW)
    now = Game.objects.get(pk=game.pk)
    number = now.seats.get(user=ada).number
    assert number is not None
    assert now.status == Status.ACTIVE
    match way:
        case "resigned":
            commands.resign(game_key=game.key, user=ada, seq=now.seq, now=NOW)
        case "removed":
            commands.retire_seat(game_key=game.key, seat=number, reason=Reason.REMOVED, by=Actor.STAFF, now=NOW)
        case _:
            commands.delete_account(user=ada, now=NOW)
    ended = Game.objects.get(pk=game.pk)
    assert ended.status == Status.FINISHED
    assert list(ended.entries.order_by("seq").values_list("reason", flat=True))[-2:] == [Reason.ALONE] * 2
    places = {(seat.bot != "", seat.place) for seat in ended.seats.all()}
    assert places == {(True, 1), (True, 2), (True, 3), (False, 4), (False, 5)}
    assert Notice.objects.filter(game=game, topic="retired", user=bo).count() == 0
