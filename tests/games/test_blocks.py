"""Blocking: whatever brings two people together asks, both ways, and nobody learns who has blocked whom."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import blocks
from accounts.models import Block, User
from games import commands, queries
from games.errors import GameCode, GameError
from games.models import Game, Invitation
from games.notices.models import Notice
from games.queries.open_games import Wanted
from tests.flows.play import RULESET, make_user, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


def offer(user: User, *joined: User, public: bool = True) -> Game:
    """Return an open game for four that a person has created and others have joined."""
    game = commands.create_game(
        user=user, ruleset=RULESET, size=4, options={}, public=public, bots=[], now=timezone.now()
    )
    for other in joined:
        commands.join_game(game_key=game.key, user=other, now=timezone.now())
    return game


def end(game: Game) -> Game:
    """End a game of two or three at once."""
    for seat in list(game.seats.order_by("number"))[1:]:
        assert seat.user is not None
        commands.resign(game_key=game.key, user=seat.user, seq=Game.objects.get(pk=game.pk).seq, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def seated(game: Game, *people: User) -> bool:
    """Return whether all these people sit in a game."""
    return {seat.user for seat in game.seats.order_by("pk")} >= set(people)


def join_creators(one: User, other: User, _third: User) -> None:
    commands.join_game(game_key=offer(other).key, user=one, now=timezone.now())


def join_where_they_sit(one: User, other: User, third: User) -> None:
    commands.join_game(game_key=offer(third, other).key, user=one, now=timezone.now())


def join_by_link(one: User, other: User, _third: User) -> None:
    commands.join_game(game_key=offer(other, public=False).key, user=one, now=timezone.now())


def invite(one: User, other: User, _third: User) -> None:
    commands.invite(game_key=offer(one).key, user=one, name=other.display_name, now=timezone.now())


def be_invited_by_a_third(one: User, other: User, third: User) -> None:
    commands.invite(game_key=offer(third, one).key, user=third, name=other.display_name, now=timezone.now())


def take_up_an_invitation(one: User, other: User, third: User) -> None:
    game = offer(third)
    commands.invite(game_key=game.key, user=third, name=one.display_name, now=timezone.now())
    commands.join_game(game_key=game.key, user=other, now=timezone.now())
    commands.join_game(game_key=game.key, user=one, now=timezone.now())


def offer_a_rematch(old: Game, one: User, _other: User, _third: User) -> None:
    commands.rematch(game_key=old.key, user=one, now=timezone.now())


def join_a_rematch(old: Game, one: User, other: User, third: User) -> None:
    commands.rematch(game_key=old.key, user=third, now=timezone.now())
    for person in (other, one):
        commands.rematch(game_key=old.key, user=person, now=timezone.now())


WAYS: Final[dict[str, tuple[Callable[..., None], GameCode]]] = {
    "join who created it": (join_creators, GameCode.NO_SEAT_FOR_YOU),
    "join who sits there": (join_where_they_sit, GameCode.NO_SEAT_FOR_YOU),
    "join by a link": (join_by_link, GameCode.NO_SEAT_FOR_YOU),
    "invite": (invite, GameCode.NOT_TO_BE_INVITED),
    "be invited by a third": (be_invited_by_a_third, GameCode.NOT_TO_BE_INVITED),
    "take up an invitation": (take_up_an_invitation, GameCode.NO_SEAT_FOR_YOU),
    "offer a rematch": (offer_a_rematch, GameCode.NO_REMATCH),
    "join a rematch": (join_a_rematch, GameCode.NO_SEAT_FOR_YOU),
}


@pytest.mark.parametrize("blocks_first", [True, False], ids=["who-comes-blocks", "who-comes-is-blocked"])
@pytest.mark.parametrize("way", WAYS)
def test_no_way_brings_two_together_of_whom_one_blocks_the_other(
    way: str, blocks_first: bool, ada: User, bo: User, cy: User
) -> None:
    go, code = WAYS[way]
    given = [end(start_game([ada, bo, cy]))] if "rematch" in way else []
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    one, other = (ada, bo) if blocks_first else (bo, ada)
    with pytest.raises(GameError) as refused:
        go(*given, one, other, cy)
    assert refused.value.code == code


@pytest.mark.parametrize("way", WAYS)
def test_every_way_is_open_where_nobody_blocks(way: str, ada: User, bo: User, cy: User) -> None:
    given = [end(start_game([ada, bo, cy]))] if "rematch" in way else []
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    commands.unblock(user=ada, number=bo.pk)
    WAYS[way][0](*given, ada, bo, cy)


def test_every_command_that_seats_or_invites_people_asks_who_is_kept_apart() -> None:
    """A command that makes a seat or an invitation for somebody else than its author stands above, or asks nobody."""
    from pathlib import Path

    makes = ("Seat.objects.create(game=game, user=", "Invitation.objects.create(", "send_invitation(")
    asks = ("refuse_apart(", "blocked_between(", "blocked_among(")
    texts = {path.stem: path.read_text() for path in Path(commands.__file__).parent.glob("*.py")}
    makers = {stem for stem, text in texts.items() if any(made in text for made in makes)}
    assert makers == {"continue_series", "create_game", "invite", "invite_address", "join_game"}
    alone = {"create_game"}  # its author sits there first, and alone; whom it invites it leaves to `invite`
    assert {stem for stem in makers if any(asked in texts[stem] for asked in asks)} == makers - alone


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_in_no_order_of_events_do_two_newly_sit_together(data: Any, ada: User, bo: User, cy: User) -> None:
    """People block, unblock, offer, join and leave at will: a seat is never taken beside somebody who is kept apart."""
    from django.db import transaction

    people, before = [ada, bo, cy], transaction.savepoint_create()
    try:
        for _step in range(data.draw(st.integers(3, 12))):
            one, other = data.draw(st.permutations(people))[:2]
            verb = data.draw(st.sampled_from(["block", "unblock", "offer", "join", "leave"]))
            games = list(Game.objects.filter(status="open").order_by("pk"))
            try:
                match verb:
                    case "block":
                        commands.block(user=one, number=other.pk, now=timezone.now())
                    case "unblock":
                        commands.unblock(user=one, number=other.pk)
                    case "offer" if len(games) < 5:
                        offer(one)
                    case "join" if games:
                        game = data.draw(st.sampled_from(games))
                        with_them = [seat.user for seat in game.seats.all() if seat.user != one]
                        already = seated(game, one)
                        commands.join_game(game_key=game.key, user=one, now=timezone.now())
                        assert already or not blocks.blocked_between(one, with_them)
                    case "leave" if games:
                        commands.leave_game(game_key=data.draw(st.sampled_from(games)).key, user=one)
            except GameError as error:
                assert error.code in {GameCode.NO_SEAT_FOR_YOU, GameCode.NOT_JOINED, GameCode.CREATOR_STAYS}
    finally:  # also where an example is given up in the middle
        transaction.savepoint_rollback(before)


@pytest.mark.parametrize("blocker", ["Ada", "Bo"])
def test_the_lobby_shows_neither_the_games_of_the_other(blocker: str, ada: User, bo: User, cy: User) -> None:
    own, third, together = offer(ada), offer(cy), offer(cy, ada)
    one, other = (ada, bo) if blocker == "Ada" else (bo, ada)
    commands.block(user=one, number=other.pk, now=timezone.now())
    assert {game.pk for game in queries.lobby(reader=bo).games} == {third.pk}
    assert {game.pk for game in queries.lobby(reader=cy).games} == {own.pk, third.pk, together.pk}
    assert {game.pk for game in queries.lobby().games} == {own.pk, third.pk, together.pk}
    assert [game.pk for game in queries.games_for(bo, Wanted())] == [third.pk]


def test_who_looks_for_a_game_gets_none_with_who_is_kept_apart(ada: User, bo: User) -> None:
    game = offer(ada)
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    client = Client()
    client.force_login(bo)
    client.post(reverse("find_game"))
    assert not seated(game, bo)
    assert Game.objects.filter(creator=bo).exists()


@pytest.mark.parametrize("count", [0, 3, 30])
def test_the_lobby_costs_the_same_however_many_are_blocked(
    count: int, ada: User, bo: User, django_assert_num_queries: Any
) -> None:
    offer(bo)
    for number in range(count):
        commands.block(user=ada, number=make_user(f"Pal{number}").pk, now=timezone.now())
    with django_assert_num_queries(3):
        assert len(queries.lobby(reader=ada).games) == 1


@pytest.mark.parametrize("blocker", ["Ada", "Bo"])
def test_both_read_the_same_refusal_and_no_word_of_a_block(blocker: str, ada: User, bo: User) -> None:
    one, other = (ada, bo) if blocker == "Ada" else (bo, ada)
    game = offer(ada)
    commands.block(user=one, number=other.pk, now=timezone.now())
    client = Client()
    client.force_login(bo)
    answer = client.post(reverse("join_game", args=[game.key])).content.decode()
    refusal = answer.partition('role="alert">')[2].partition("</p>")[0]
    assert refusal == "You can&#x27;t take a seat in this game."
    assert ("You have blocked someone" in answer) == (blocker == "Bo")


def test_blocking_withdraws_what_either_has_invited_the_other_to(ada: User, bo: User, cy: User) -> None:
    for host, guest in ((ada, bo), (bo, ada), (cy, ada), (ada, cy)):
        commands.invite(game_key=offer(host).key, user=host, name=guest.display_name, now=timezone.now())
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    waiting = Invitation.objects.filter(declined_at=None)
    assert {(one.by, one.user) for one in waiting} == {(cy, ada), (ada, cy)}


def test_seats_and_games_that_are_there_stay(ada: User, bo: User) -> None:
    game, waiting = start_game([ada, bo]), offer(ada, bo)
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    assert seated(waiting, ada, bo)
    assert Game.objects.get(pk=game.pk).status == "active"
    client = Client()
    client.force_login(ada)
    page = client.get(reverse("invitation", args=[waiting.key])).content.decode()
    assert "You have blocked someone who has a seat here too: Bo." in page


def test_who_blocks_is_spared_messages_and_notices_of_them_and_the_other_is_not(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo, cy])
    commands.write_message(game_key=game.key, user=bo, text="before", now=timezone.now())
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    Notice.objects.all().delete()
    for user, text in ((bo, "from Bo"), (ada, "from Ada")):
        commands.write_message(game_key=game.key, user=user, text=text, now=timezone.now())
    told = set(Notice.objects.filter(topic="message").values_list("user__display_name", flat=True))
    assert told == {"Bo", "Cy"}
    pages = {}
    for user in (ada, bo, cy):
        client = Client()
        client.force_login(user)
        pages[user] = [client.get(reverse(name, args=[game.key])).content.decode() for name in ("game", "messages")]
    for page in pages[ada]:
        assert "from Ada" in page
        assert "from Bo" not in page
        assert "before" not in page.partition('id="talk"')[2]
    for user in (bo, cy):
        assert all("from Bo" in page and "from Ada" in page for page in pages[user])
    assert "You don’t see what people write whom you have blocked or muted." in pages[ada][0]
    assert "You don’t see what people write whom you have blocked or muted." not in pages[bo][0]


def test_nobody_blocks_themselves_or_more_than_may_be(ada: User, bo: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST", 1)
    with pytest.raises(ValidationError, match="yourself"):
        commands.block(user=ada, number=ada.pk, now=timezone.now())
    for _twice in range(2):
        commands.block(user=ada, number=bo.pk, now=timezone.now())
    with pytest.raises(ValidationError, match="maximum"):
        commands.block(user=ada, number=make_user("Di").pk, now=timezone.now())
    assert Block.objects.get().blocked == bo


def test_one_blocks_on_a_page_and_takes_it_back_in_the_settings(ada: User, bo: User) -> None:
    client = Client()
    client.force_login(ada)
    page = reverse("player", args=[bo.pk])
    assert "Block" in client.get(page).content.decode()
    assert "Unblock" in client.post(reverse("block", args=[bo.pk]), follow=True).content.decode()
    listed = client.get(reverse("blocked_people")).content.decode()
    assert "Bo" in listed
    back = client.post(reverse("unblock", args=[bo.pk]), {"next": reverse("blocked_people")})
    assert back["Location"] == reverse("blocked_people")
    assert "You have blocked nobody." in client.get(reverse("blocked_people")).content.decode()


def test_blocks_go_with_either_account(ada: User, bo: User, cy: User) -> None:
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    commands.block(user=cy, number=ada.pk, now=timezone.now())
    commands.delete_account(user=ada, now=timezone.now())
    assert not Block.objects.exists()
