"""How mails get away: servers that are down, refuse, or die between sending and marking; sweeps that run at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from random import Random
from threading import Barrier

import pytest
from django.core.mail import mailers
from django.db import connection
from django.test import Client

from accounts.addresses import settle
from accounts.models import User
from games import commands
from games.delivery.claim import claim
from games.delivery.content import compose_mail
from games.delivery.deliver import BATCH, send_due
from games.delivery.render import make_mail
from games.errors import GameError
from games.log.positions import position_at, rules_of
from games.models import Game
from games.models.choices import Actor, Reason
from games.notices import figures
from games.notices.kinds import Cause
from games.notices.models import Notice
from games.notices.outbox import enqueue_test
from gravitysite.metrics import write_metrics
from tests.flows.play import NOW, make_user
from tests.games.timed import ONE_MINUTE, expire, fresh, mover, play_at
from tests.mail.conftest import Begin, Post, results

pytestmark = pytest.mark.anydb

HOUR = 60


def outcomes(user: User) -> list[tuple[str, str]]:
    return results(user, "test")


def test_after_an_hour_without_a_mail_server_everything_is_sent_once(ada: User, bo: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    post.disconnect()
    for minute in range(HOUR):
        assert post.sweep(minute) == []
        if minute == 30:
            enqueue_test(bo, NOW + timedelta(minutes=30))
    assert outcomes(ada) == [("waiting", "retry")]
    post.connect()
    came = [subject for minute in range(HOUR, HOUR + 31) for subject in post.sweep(minute)]
    assert sorted(came) == ["ada: Test e-mail", "bo: Test e-mail"]


def test_attempts_come_ever_later_up_to_half_an_hour(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    post.sink.refusing = True
    tried = []
    for minute in range(4 * HOUR):
        before = Notice.objects.get(user=ada).attempts
        post.sweep(minute)
        if Notice.objects.get(user=ada).attempts > before:
            tried.append(minute)
    assert tried == [0, 1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211]


def test_what_the_server_does_not_take_for_three_days_has_failed(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    post.sink.refusing = True
    post.sweep(0)
    post.sweep(3 * 24 * HOUR + 1)
    assert outcomes(ada) == [("failed", "gave-up")]


def test_what_is_no_longer_so_when_the_server_is_back_is_not_sent(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo)
    first = mover(game).user
    assert first is not None
    post.disconnect()
    post.sweep(1)
    post.sweep(6)
    play_at(game, NOW + timedelta(minutes=10))
    post.connect()
    for minute in range(11, 90):
        post.sweep(minute)
    assert results(first, "turn") == [("held-back", "turn-over")]
    assert not any("Your turn" in mail["Subject"] for mail in post.mails_to(first))


def test_an_address_refused_for_good_is_marked_until_its_owner_says_it_works(ada: User, post: Post) -> None:
    post.sink.unknown.add(ada.email)
    enqueue_test(ada, NOW)
    assert post.sweep(0) == []
    assert outcomes(ada) == [("failed", "refused")]
    enqueue_test(ada, NOW + timedelta(minutes=1))
    post.sweep(1)
    assert outcomes(ada)[1] == ("held-back", "no-address")
    client = Client()
    client.force_login(ada)
    assert "ada@example.org are bouncing" in client.get("/lobby/").content.decode()
    post.sink.unknown.clear()
    client.post("/accounts/notices/address")
    assert "are bouncing" not in client.get("/lobby/").content.decode()
    enqueue_test(ada, NOW + timedelta(minutes=2))
    assert len(post.sweep(2)) == 1


def test_another_address_takes_mails_again(ada: User, post: Post) -> None:
    commands.refuse_address(user=ada, address=ada.email)
    ada.refresh_from_db()
    assert ada.refuses_mail
    settle(ada, "new@example.org", confirmed=True)
    enqueue_test(ada, NOW)
    assert post.sweep(0) == ["new: Test e-mail"]


def test_an_address_that_is_not_confirmed_gets_no_notice(ada: User, post: Post) -> None:
    settle(ada, "new@example.org", confirmed=False)
    enqueue_test(ada, NOW)
    assert post.sweep(0) == []
    assert Notice.objects.get().cause == Cause.UNCONFIRMED


def test_one_refused_address_holds_up_nobody_else(ada: User, bo: User, post: Post) -> None:
    post.sink.unknown.add(ada.email)
    enqueue_test(ada, NOW)
    enqueue_test(bo, NOW)
    assert post.sweep(0) == ["bo: Test e-mail"]


def send_and_die(user: User, minutes: float) -> None:
    """Do what a sweep does, up to the instant after the mail is sent."""
    now = NOW + timedelta(minutes=minutes)
    bundle = claim(user.pk, now)
    assert bundle is not None
    mail = compose_mail(bundle.user, bundle.notices, message_id=bundle.message_id, now=now)
    mailers.default.send_messages([make_mail(mail)])


def test_a_mail_sent_but_not_marked_goes_again_with_the_same_message_id(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    send_and_die(ada, 0)
    enqueue_test(ada, NOW + timedelta(minutes=1))
    assert post.sweep(4) == ["ada: Test e-mail"], "the second test waits for no lease"
    assert post.sweep(6) == ["ada: Test e-mail"]
    first, second, again = (mail["Message-ID"] for mail in post.mails_to(ada))
    assert first == again != second
    assert outcomes(ada) == [("sent", ""), ("sent", "")]


def test_claimed_notices_are_nobody_elses_until_the_lease_is_over(ada: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    assert claim(ada.pk, NOW) is not None
    assert claim(ada.pk, NOW + timedelta(minutes=4)) is None
    assert claim(ada.pk, NOW + timedelta(minutes=6)) is not None


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_send_each_person_one_mail(post: Post) -> None:
    people = [make_user(f"Person{number}") for number in range(12)]
    for person in people:
        enqueue_test(person, NOW)
    barrier = Barrier(3)

    def sweep(_number: int) -> int:
        barrier.wait()
        try:
            return send_due(NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(sweep, range(3))) == len(people)
    assert Counter(mail["To"] for mail in post.sink.messages) == Counter(person.email for person in people)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_each_fact_is_in_one_mail_at_most_and_none_is_lost(
    ada: User, bo: User, cleo: User, begin: Begin, post: Post, seed: int
) -> None:
    rng = Random(seed)
    people = [ada, bo, cleo]
    games: list[Game] = []
    minute = 0.0
    for _step in range(60):
        minute += rng.choice([0.5, 3, 8, 700])
        now = NOW + timedelta(minutes=minute)
        running = [game for game in games if fresh(game).status == "active"]
        happening = rng.choice(
            ["begin", "play", "play", "play", "expire", "resign", "look", "mute", "sweep", "sweep", "net"]
        )
        game = rng.choice(running) if running else None
        if happening == "begin" and len(games) < 3:
            games.append(begin(*rng.sample(people, rng.choice([2, 3])), time_control=ONE_MINUTE, minutes=minute))
        elif happening == "sweep":
            post.sweep(minute)
        elif happening == "net":
            post.sink.refusing = rng.random() < 0.5
            (post.connect if rng.random() < 0.7 else post.disconnect)()
        elif game is None:
            continue
        elif happening == "play" and mover(game).user is not None:
            play_at(game, now, rng)
        elif happening == "expire":
            expire(game, now)
        elif happening == "resign" and fresh(game).round > 1:
            seat = mover(game)
            assert seat.number is not None
            commands.retire_seat(game_key=game.key, seat=seat.number, reason=Reason.REMOVED, by=Actor.STAFF, now=now)
        elif happening == "look":
            commands.note_presence(reader=rng.choice(people), game_id=game.pk, now=now)
        elif happening == "mute":
            with suppress(GameError):
                commands.mute_game(game_key=game.key, user=rng.choice(people))
    post.sink.refusing = False
    post.connect()
    for later in range(1, 200):
        post.sweep(minute + later * 30)
    assert not Notice.objects.filter(state="waiting").exists()
    ids = Counter(mail["Message-ID"] for mail in post.sink.messages)
    assert set(ids.values()) <= {1}
    for notice in Notice.objects.all():
        assert (notice.state == "sent") == (ids[notice.message_id] == 1), "sent, and only then, it is in a mail"
        assert notice.state == "sent" or notice.cause
    for game in games:
        assert turns_enqueued(game) == turns_begun(fresh(game))


def turns_enqueued(game: Game) -> set[int]:
    return {int(ref) for ref in Notice.objects.filter(game=game, topic="turn").values_list("ref", flat=True)}


def turns_begun(game: Game) -> set[int]:
    """Return after which entries a turn began, by the rules' own account."""
    begun, before = set(), None
    for seq in range(game.seq + 1):
        summary = rules_of(game).summary(position_at(game, seq).state)
        if not summary.finished and (summary.seat, summary.turns) != before:
            begun.add(seq)
        before = (summary.seat, summary.turns)
    return begun


def test_figures_hold_results_and_since_when_the_oldest_notice_has_been_due(ada: User, bo: User, post: Post) -> None:
    assert figures.oldest_due(NOW) == (None, None)
    enqueue_test(ada, NOW)
    enqueue_test(bo, NOW - timedelta(minutes=3))
    assert figures.oldest_due(NOW) == (NOW - timedelta(minutes=3), None)
    post.sink.unknown.add(bo.email)
    post.sweep(0)
    assert figures.oldest_due(NOW) == (None, None)
    assert figures.notices_by_result() == {("sent", ""): 1, ("failed", "refused"): 1}


def test_the_sites_figures_show_results_and_the_age_of_the_queue(ada: User, bo: User, post: Post) -> None:
    enqueue_test(ada, NOW)
    enqueue_test(bo, NOW)
    post.sink.unknown.add(bo.email)
    written = write_metrics(NOW + timedelta(seconds=90)).decode()
    assert 'gravity_queue_age_seconds{queue="mail"} 90.0' in written
    assert 'gravity_notices{reason="",result="waiting"} 2.0' in written
    post.sweep(2)
    written = write_metrics(NOW + timedelta(minutes=2)).decode()
    assert 'gravity_queue_age_seconds{queue="mail"} 0.0' in written
    assert 'gravity_notices{reason="refused",result="failed"} 1.0' in written
    assert 'gravity_notices{reason="",result="sent"} 1.0' in written


def test_one_sweep_empties_an_outbox_of_more_people_than_it_asks_for_at_a_time(db: None, post: Post) -> None:
    addresses = [f"p{n}@example.org" for n in range(BATCH + 5)]
    people = [User(email=one, confirmed_address=one, display_name=one.split("@")[0]) for one in addresses]
    for person in User.objects.bulk_create(people):
        enqueue_test(person, NOW)
    assert len(post.sweep(0)) == BATCH + 5
