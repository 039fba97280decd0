"""What a mail says, to whom, in which words and with which headers; and never a card that its reader may not see."""

import re
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from accounts.models import User
from games import commands
from games.clock import PRESETS
from games.delivery.content import compose_mail
from games.delivery.render import html_of, text_of
from games.delivery.samples import sample, sample_names
from games.models import Game, Holiday, Proposal
from games.models.choices import Actor, Reason
from games.models.game import EXPIRY_NOTICE, OPEN_FOR
from games.notices.kinds import NoticeState
from games.notices.models import Notice
from games.notices.outbox import enqueue_test
from games.words.time import describe_time_control, format_instant
from tests.flows.play import NOW, RULES, copy_game, play, start_game, state_of
from tests.games.timed import ONE_MINUTE, expire, fresh, mover, owner, play_at
from tests.mail.conftest import Begin, Post, results

MINUTE = timedelta(minutes=1)


def body(mail: Any, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def about(post: Post, user: User, words: str) -> Any:
    """Return the one mail to a person with these words in its subject."""
    (mail,) = [mail for mail in post.mails_to(user) if words in mail["Subject"]]
    return mail


def test_the_board_in_a_mail_has_an_address_that_says_nothing_of_the_reader(
    ada: User, bo: User, begin: Begin, post: Post, client: Client
) -> None:
    game = begin(ada, bo)
    post.sweep(6)
    mail = about(post, owner(mover(game)), "Your turn")
    (image,) = re.findall(r"<img[^>]*>", body(mail, "html"))
    assert 'alt="The board, with the last move"' in image
    assert 'width="516"' in image
    (address,) = re.findall(r'src="([^"]*)"', image)
    assert address == f"{settings.SITE_URL}/games/{game.key}/board.png?at=0"
    assert client.get(address.removeprefix(settings.SITE_URL)).headers["Content-Type"] == "image/png"
    assert "board.png" not in body(mail)


def test_a_mail_about_anything_else_shows_no_picture(ada: User, bo: User, begin: Begin, post: Post) -> None:
    game = begin(ada, bo)
    commands.resign(game_key=game.key, user=owner(mover(game)), seq=0, now=NOW)
    post.sweep(6)
    for person in (ada, bo):
        for mail in post.mails_to(person):
            assert "<img" not in body(mail, "html")


@pytest.fixture
def pair(ada: User, bo: User, begin: Begin) -> tuple[Game, User, User]:
    """A game of two: who is to move, and the other."""
    game = begin(ada, bo)
    first = owner(mover(game))
    return game, first, bo if first == ada else ada


def test_a_mail_says_whose_turn_it_is_since_when_until_when_and_the_time_control(
    pair: tuple[Game, User, User], post: Post
) -> None:
    _game, first, other = pair
    first.time_zone = "America/New_York"
    first.save()
    post.sweep(6)
    mail = about(post, first, "Your turn")
    said = " ".join(body(mail).split())
    assert "The game has started, and it is your turn." in said
    assert "To move: you" in said
    assert "Since: Friday 27 November 2026, 07:00 EST" in said
    assert "Until: Thursday 3 December 2026, 07:00 EST (in 6 days)" in said
    assert describe_time_control(PRESETS["relaxed"]) in said
    assert other.display_name in mail["Subject"]


def test_a_mail_has_one_link_beside_the_one_that_ends_it(pair: tuple[Game, User, User], post: Post) -> None:
    game, first, _other = pair
    post.sweep(6)
    mail = about(post, first, "Your turn")
    links = set(re.findall(r"https?://\S+", body(mail)))
    ends = mail["List-Unsubscribe"].strip("<>")
    assert links == {f"http://localhost:8000/games/{game.key}/", ends}
    assert set(re.findall(r'href="([^"]+)"', body(mail, "html"))) == links


def test_mails_about_one_game_make_one_thread_and_have_a_number_each(pair: tuple[Game, User, User], post: Post) -> None:
    game, _first, _other = pair
    post.sweep(6)
    play_at(game, NOW + 7 * MINUTE)
    post.sweep(8)
    post.sweep(13)
    assert {mail["References"] for mail in post.sink.messages} == {f"<game-{game.key}@localhost>"}
    assert len({mail["Message-ID"] for mail in post.sink.messages}) == len(post.sink.messages)
    assert {mail["Auto-Submitted"] for mail in post.sink.messages} == {"auto-generated"}


def test_a_mail_says_what_happened_since_the_readers_last_turn_and_nothing_before(
    ada: User, bo: User, post: Post
) -> None:
    game = start_game([ada, bo])
    for _turn in range(4):
        play_at(game, NOW)
    assert owner(mover(game)) == ada
    Notice.objects.exclude(topic="turn", ref="4").delete()
    post.sweep(5)
    story = body(about(post, ada, "Your turn")).split("Since your last move:")[1].split("\n\n")[0]
    lines = [line for line in story.splitlines() if line.startswith("- ")]
    assert len(lines) == 1
    assert "Bo" in lines[0]


def test_a_mail_about_a_game_with_a_hidden_card_is_the_same_whatever_card_it_is(ada: User, bo: User) -> None:
    one = start_game([ada, bo])
    two = copy_game(one)
    way = next(way for way in "<>" if f"S{way}(L)" in RULES.legal_steps(state_of(one)))
    play(one, f"S{way}(L)")
    play(two, f"S{way}(H)")
    assert RULES.dump(state_of(one)) != RULES.dump(state_of(two))
    said = []
    for game in (one, two):
        notice = Notice.objects.get(user=bo, game=game, topic="turn", ref="1")
        mail = compose_mail(bo, [notice], message_id="<one@localhost>", now=NOW)
        said.append(re.sub(rf"{game.key}|/unsubscribe/[^/]+/", "", text_of(mail) + html_of(mail)))
    assert said[0] == said[1]
    assert "laying a card face down" in said[0]


@pytest.mark.parametrize("seed", range(4))
def test_no_mail_names_a_card_that_others_laid_face_down(ada: User, bo: User, cleo: User, seed: int) -> None:
    game = start_game([ada, bo, cleo], seed=seed)
    rng = Random(seed)
    for _turn in range(12):
        play_at(game, NOW, rng)
    for notice in Notice.objects.filter(game=game, topic="turn").select_related("user"):
        text = text_of(compose_mail(notice.user, [notice], message_id="<one@localhost>", now=NOW))
        for name in re.findall(r"(\w+) moves one space \w+, laying face down: ", text):
            assert name == notice.user.display_name


def test_the_sentence_of_a_game_over_comes_with_its_ranking(pair: tuple[Game, User, User], post: Post) -> None:
    game, first, other = pair
    post.sweep(6)
    commands.resign(game_key=game.key, user=first, seq=game.seq, now=NOW + 7 * MINUTE)
    post.sweep(12)
    said = " ".join(body(about(post, other, "You won the game with")).split())
    assert re.search(rf"1\. {other.display_name}, \d+ points? 2\. {first.display_name}, \d+ points?", said)


def test_who_missed_a_turn_hears_at_once_that_a_computer_player_played_it(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo, time_control=ONE_MINUTE)
    first = owner(mover(game))
    expire(game, NOW + 2 * MINUTE)
    post.sweep(2)
    said = " ".join(body(about(post, first, "A computer player played for you")).split())
    assert "You have missed 1 turn; at 3 in a row you are out of the game." in said
    assert "Played by the autopilot." in said


def test_a_turn_that_was_planned_is_told_to_the_next_one_and_to_its_owner_later(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo)
    planner, other = owner(mover(game)), owner(game.seats.exclude(number=game.to_move).get())
    play_at(game, NOW)
    commands.add_plan(game_key=game.key, user=planner, seq=1, turn="C", conditions=[], now=NOW)
    play_at(game, NOW)
    assert commands.play_plan(game_id=game.pk, now=NOW + MINUTE) is not None
    post.sweep(12)
    assert not [mail for mail in post.mails_to(planner) if "Your turn" in mail["Subject"]]
    assert "Played by a plan." in " ".join(body(about(post, other, "Your turn")).split())
    play_at(game, NOW + 20 * MINUTE)
    post.sweep(40)
    assert "Played by a plan." in " ".join(body(about(post, planner, "Your turn")).split())


def test_one_mail_about_many_things_has_the_gravest_as_subject_and_keeps_order(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo, time_control=ONE_MINUTE)
    first = owner(mover(game))
    for minute in range(2, 12, 2):
        expire(game, NOW + minute * MINUTE)
    post.sweep(20)
    mail = about(post, first, "You are out of the game")
    said = " ".join(body(mail).split())
    lines = [
        "You have missed 1 turn;",
        "You have missed 2 turns",
        "time control you are out of the game",
        "The game is over.",
    ]
    places = [said.index(words) for words in lines]
    assert places == sorted(places)


def test_who_was_put_out_hears_why_and_who_resigned_hears_nothing_of_it(
    ada: User, bo: User, cleo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo, cleo)
    seat = mover(game)
    assert seat.number is not None
    commands.retire_seat(game_key=game.key, seat=seat.number, reason=Reason.REMOVED, by=Actor.STAFF, now=NOW)
    leaver = owner(mover(game))
    commands.resign(game_key=game.key, user=leaver, seq=fresh(game).seq, now=NOW)
    post.sweep(6)
    assert "removed you from the game" in body(post.mails_to(owner(seat))[0])
    assert not Notice.objects.filter(user=leaver, topic="retired").exists()


def test_the_creator_gets_a_notice_before_an_open_game_ends_and_when_it_does(
    ada: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, size=2)
    near = NOW + OPEN_FOR - EXPIRY_NOTICE
    commands.expire_open_game(game_id=game.pk, now=near)
    minutes = (near - NOW) / MINUTE
    post.sweep(minutes)
    assert post.sweep(minutes + 5) == ["ada: Your open game is about to be cancelled"]
    assert "Friday 11 December 2026, 12:00 UTC" in body(post.mails_to(ada)[0])
    commands.expire_open_game(game_id=game.pk, now=NOW + OPEN_FOR)
    post.sweep(OPEN_FOR / MINUTE)
    assert post.sweep(OPEN_FOR / MINUTE + 5) == ["ada: Your open game was cancelled"]


def test_a_game_kept_open_is_not_announced_to_end(ada: User, begin: Begin, post: Post) -> None:
    game = begin(ada, size=2)
    near = NOW + OPEN_FOR - EXPIRY_NOTICE
    commands.expire_open_game(game_id=game.pk, now=near)
    commands.keep_open(game_key=game.key, user=ada, now=near + MINUTE)
    assert post.sweep((near - NOW) / MINUTE + 5) == []


def test_who_must_answer_a_proposal_hears_at_once_and_who_made_it_hears_the_answer(
    pair: tuple[Game, User, User], post: Post
) -> None:
    game, first, other = pair
    commands.propose_time_control(game_key=game.key, user=first, time_control=PRESETS["weekly"], now=NOW)
    post.sweep(0)
    (mail,) = post.mails_to(other)
    assert mail["Subject"].startswith("Your answer is needed")
    assert describe_time_control(PRESETS["weekly"]) in " ".join(body(mail).split())
    assert f"/games/{game.key}/terms/" in body(mail)
    proposal = Proposal.objects.get(game=game)
    commands.answer_proposal(game_key=game.key, user=other, proposal_id=proposal.pk, agree=False, now=NOW + MINUTE)
    post.sweep(1)
    assert "does not want a different time control" in body(post.mails_to(first)[0])


def test_an_answered_proposal_is_not_asked_about_any_more(pair: tuple[Game, User, User], post: Post) -> None:
    game, first, other = pair
    commands.propose_cancel(game_key=game.key, user=first, now=NOW)
    proposal = Proposal.objects.get(game=game)
    commands.answer_proposal(game_key=game.key, user=other, proposal_id=proposal.pk, agree=True, now=NOW + MINUTE)
    post.sweep(1)
    post.sweep(9)
    subjects = [mail["Subject"] for mail in post.sink.messages]
    assert len(subjects) == 2
    assert all("was cancelled" in subject for subject in subjects)


def test_a_holiday_is_noticed_when_it_begins_and_ends_by_the_readers_calendar(ada: User, post: Post) -> None:
    ada.time_zone = "America/New_York"
    ada.save()
    commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    begins = (4 - 1) * 24 * 60 + 17 * 60  # five in the morning of the first of December, UTC
    assert post.sweep(begins - 1) == []
    post.sweep(begins)
    assert post.sweep(begins + 5) == ["ada: Your holiday begins"]
    post.sweep(begins + 2 * 24 * 60)
    assert post.sweep(begins + 2 * 24 * 60 + 5) == ["ada: Your holiday is over"]


def test_a_holiday_to_come_and_its_notices_move_with_their_owner(ada: User, post: Post) -> None:
    holiday = commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    for name in ("Asia/Tokyo", "UTC", "America/New_York"):
        ada.time_zone = name
        ada.save(update_fields=["time_zone"])
        commands.follow_zone(user_id=ada.pk, now=NOW)
    in_utc = int((datetime(2026, 12, 1, tzinfo=UTC) - NOW).total_seconds() / 60)
    holiday.refresh_from_db()
    assert holiday.span.begins == NOW + timedelta(minutes=in_utc + 5 * 60)
    assert post.sweep(in_utc + 5 * 60 - 1) == []
    assert post.sweep(in_utc + 5 * 60 + 5) == ["ada: Your holiday begins"]
    assert post.sweep(in_utc + 5 * 60 + 2 * 24 * 60 + 5) == ["ada: Your holiday is over"]
    assert {notice.state for notice in ada.notices.all()} == {NoticeState.SENT}


@pytest.mark.parametrize("name", ["Asia/Tokyo", "America/New_York"])
def test_a_holiday_that_has_begun_stays_where_it_is(ada: User, post: Post, name: str) -> None:
    holiday = commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    in_utc = int((datetime(2026, 12, 1, tzinfo=UTC) - NOW).total_seconds() / 60)
    begins = in_utc + 60 if name.startswith("America") else in_utc - 60  # in Tokyo it has, in UTC not yet
    ada.time_zone = name
    ada.save(update_fields=["time_zone"])
    commands.follow_zone(user_id=ada.pk, now=NOW + timedelta(minutes=begins))
    holiday.refresh_from_db()
    assert holiday.zone == "UTC"
    assert post.sweep(in_utc + 66) == ["ada: Your holiday begins"]


def test_a_notice_of_a_holiday_is_not_sent_where_the_clocks_do_not_do_so(ada: User, post: Post) -> None:
    holiday = commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    Holiday.objects.filter(pk=holiday.pk).update(zone="America/New_York")
    begins = int((datetime(2026, 12, 1, tzinfo=UTC) - NOW).total_seconds() / 60)
    assert post.sweep(begins + 6 * 60) == []
    assert results(ada, "holiday-begins") == [("held-back", "taken-back")]


def test_a_holiday_taken_back_sends_nothing(ada: User, post: Post) -> None:
    holiday = commands.add_holiday(user=ada, first=date(2026, 12, 1), last=date(2026, 12, 2), now=NOW)
    commands.drop_holiday(user=ada, holiday_id=holiday.pk, now=NOW)
    assert post.sweep(20_000) == []


def test_a_creator_hears_once_a_day_who_joined(ada: User, bo: User, begin: Begin, post: Post) -> None:
    game = begin(ada, size=3)
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    post.sweep(10)
    assert post.sweep(6 * 60) == ["ada: Bo has joined your game"]


@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
@pytest.mark.parametrize("name", sample_names())
def test_every_mail_can_be_written_in_every_language(ada: User, language: str, name: str) -> None:
    ada.language = language
    mail = sample(name, ada, NOW)
    text, html = text_of(mail), html_of(mail)
    assert mail.news.subject
    assert not re.search(r"%\(|\{[{%]", text + html)
    assert f'<html lang="{language}"' in html
    assert all(section.sentences[0] in text for section in mail.news.sections)
    assert "prefers-color-scheme: dark" in html
    assert 'style="' in html


def test_a_turn_costs_one_query_for_its_notices(ada: User, bo: User, django_assert_max_num_queries: Any) -> None:
    game = start_game([ada, bo])
    play_at(game, NOW)
    with django_assert_max_num_queries(40) as counted:
        play_at(game, NOW)
    assert sum("notices_notice" in query["sql"] for query in counted.captured_queries) == 1


def test_a_mail_about_a_game_and_something_else_is_named_after_the_most_urgent(
    pair: tuple[Game, User, User], post: Post
) -> None:
    _game, first, _other = pair
    enqueue_test(first, NOW)
    post.sweep(6)
    assert post.mails_to(first)[0]["Subject"].startswith("Your turn")


@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
def test_a_deadline_is_written_in_24_hours_in_every_language(language: str) -> None:
    for hour, written in ((0, "00"), (12, "12"), (15, "15")):
        with translation.override(language):
            said = format_instant(NOW.replace(hour=hour, minute=0))
        assert re.search(rf"\b{written}(:|\s*h\s*)00\b", said), said
        assert not re.search(r"midnight|noon|minuit|midi|mitternacht|mittag\b|middernacht|[ap]\.?m\.?\b", said.lower())
