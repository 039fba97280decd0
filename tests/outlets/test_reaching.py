"""Pushes and webhooks come under the rules that hold for mails, once each, and end where nobody takes them."""

import json
import re
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.db import connection
from py_vapid import Vapid
from pytest_django import Settings

from accounts.models import AccountMail, User
from accounts.sessions import end_other_sessions, end_session
from games import commands
from games.commands.outlets import MOST_DEVICES, MOST_HOOKS
from games.delivery import outlets
from games.delivery.claim import claim
from games.delivery.deliver import send_due
from games.delivery.hook import make_secret
from games.delivery.outbound import Answer, Trouble
from games.delivery.push import are_keys, public_key
from games.errors import GameCode, GameError
from games.models import Game
from games.notices.kinds import Cadence, Channel, HookStyle, NoticeKind
from games.notices.models import Notice, Outlet, Presence
from games.notices.outbox import enqueue_test
from games.notices.preferences import Choice, choices_of
from tests.conftest import ROOT
from tests.flows.play import NOW, make_user, start_game
from tests.games.timed import play_at
from tests.outlets.conftest import Browser, Receiver, Sweep, Taken, add_browser, add_hook, after

pytestmark = pytest.mark.anydb

DELAY = 5
"""Minutes after which it is told that somebody is to move."""
DAY = 24 * 60


def states(outlet: Outlet) -> list[tuple[str, str, str]]:
    return [*outlet.notices.order_by("pk").values_list("topic", "state", "cause")]


def choose(user: User, channel: Channel, kind: NoticeKind, choice: Choice) -> None:
    present = choices_of(user, channel)
    commands.choose_channel(
        user=user, channel=channel, choices=type(present)({**present.kinds, kind: choice}, present.digest_hour)
    )


def is_signed(call: Taken, secret: str, at: datetime) -> bool:
    """Return whether a call is signed, as the program in docs/webhooks.md finds."""
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/webhooks.md").read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    names["time"] = SimpleNamespace(time=at.timestamp)
    found: bool = names["is_ours"](secret, call.headers, call.body)
    return found


def test_a_turn_is_told_to_each_outlet_once_beside_the_mail(
    ada: User, bo: User, receiver: Receiver, sweep: Sweep
) -> None:
    browser = add_browser(ada, receiver.url("/push"))
    hook = add_hook(ada, receiver.url("/hook"))
    game = start_game([ada, bo])
    assert sweep(0) == []
    assert sorted(call.path for call in sweep(DELAY)) == ["/hook", "/push"]
    assert sweep(DELAY + 60) == []
    (push,) = [call for call in receiver.taken if call.path == "/push"]
    said = browser.open(push)
    assert said["url"].endswith(f"/games/{game.key}/")
    assert said["tag"] == game.key
    assert said["waiting"] == 1
    assert "Bo" in said["title"]
    (call,) = [call for call in receiver.taken if call.path == "/hook"]
    assert is_signed(call, hook.secret, after(DELAY))
    assert not is_signed(call, make_secret(), after(DELAY))
    assert not is_signed(call, hook.secret, after(DELAY + 6))
    assert not is_signed(Taken(call.path, call.headers, call.body + b" "), hook.secret, after(DELAY))
    assert {notice["topic"] for notice in call.content["data"]["notices"]} == {"started", "turn"}
    assert {notice["game"] for notice in call.content["data"]["notices"]} == {game.key}
    assert send_due(after(DELAY)) == 2  # mails go as ever: to both
    told = Notice.objects.filter(user=ada, state="sent").values_list("channel", "topic")
    assert sorted(told) == [(channel, topic) for channel in ("hook", "mail", "push") for topic in ("started", "turn")]


def test_a_push_can_be_opened_by_its_browser_alone_and_says_who_sends_it(
    ada: User, receiver: Receiver, sweep: Sweep, settings: Settings
) -> None:
    browser = add_browser(ada, receiver.url("/push"))
    enqueue_test(ada, NOW, Outlet.objects.get())
    (push,) = sweep(0)
    assert b"test" not in push.body
    assert browser.open(push)["body"] == "This is the test you asked for: notifications reach you here."
    assert push.headers["content-encoding"] == "aes128gcm"
    assert int(push.headers["ttl"]) > 0
    token, _, key = push.headers["authorization"].removeprefix("vapid ").partition(",")
    assert key.removeprefix("k=") == public_key()
    assert Vapid.verify(push.headers["authorization"])
    payload = token.split(".")[1]
    claims = json.loads(b64decode(payload + "=" * (-len(payload) % 4), b"-_"))
    assert claims["aud"] == receiver.url("")
    assert claims["sub"] == f"mailto:{settings.CONTACT}"


def test_several_games_make_one_push_the_gravest_first(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    browser = add_browser(ada, receiver.url("/push"))
    for seed in (1, 2, 3):
        start_game([ada, bo], seed=seed)
    (push,) = sweep(DELAY)
    said = browser.open(push)
    assert said["title"].endswith("and 2 more")
    assert said["body"].count("\n") == 2
    assert said["tag"] == "games"


def test_what_is_no_longer_so_is_not_pushed(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    hook = add_hook(ada, receiver.url())
    game = start_game([ada, bo])
    sweep(0)
    play_at(game, after(1))
    assert [notice["topic"] for call in sweep(60) for notice in call.content["data"]["notices"]] == ["started"]
    assert ("turn", "held-back", "turn-over") in states(hook)


def test_a_turn_waits_while_its_player_is_at_the_game(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    add_hook(ada, receiver.url())
    game = start_game([bo, ada])
    sweep(DELAY)
    play_at(game, after(DELAY))
    Presence.objects.create(user=ada, game=game, seen_at=after(2 * DELAY))
    assert sweep(2 * DELAY) == []
    assert len(sweep(2 * DELAY + 2)) == 1


def test_a_kind_is_switched_off_for_one_channel_alone(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    add_browser(ada, receiver.url("/push"))
    add_hook(ada, receiver.url("/hook"))
    for kind in (NoticeKind.TURN, NoticeKind.GAME):
        choose(ada, Channel.PUSH, kind, Choice(Cadence.NEVER))
    start_game([ada, bo])
    assert [call.path for call in sweep(DELAY)] == ["/hook"]
    refused = Notice.objects.filter(cause="not-wanted").values_list("channel", "topic")
    assert set(refused) == {("push", "turn"), ("push", "started")}


def test_quiet_hours_and_muted_games_hold_for_every_channel(
    ada: User, bo: User, receiver: Receiver, sweep: Sweep
) -> None:
    hook = add_hook(ada, receiver.url())
    User.objects.filter(pk=ada.pk).update(quiet_from=NOW.hour, quiet_until=NOW.hour + 2, time_zone="UTC")
    start_game([ada, bo])
    assert sweep(DELAY) == []
    muted = start_game([ada, bo], seed=2)
    commands.mute_game(game_key=muted.key, user=ada)
    (call,) = sweep(2 * 60)
    assert muted.key not in call.body.decode()
    assert ("turn", "held-back", "muted") in states(hook)


def test_what_is_gathered_for_a_mail_comes_after_minutes_elsewhere(ada: User) -> None:
    assert choices_of(ada).kinds[NoticeKind.MESSAGE].cadence is Cadence.DAILY
    assert choices_of(ada, Channel.PUSH).kinds[NoticeKind.MESSAGE].cadence is Cadence.LATER


# --- Webhooks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", [HookStyle.DISCORD, HookStyle.SLACK])
def test_a_name_is_no_markup_where_people_chat(bo: User, receiver: Receiver, sweep: Sweep, style: HookStyle) -> None:
    odd = make_user("Odd")
    User.objects.filter(pk=odd.pk).update(display_name="<@1> [a](http://b) *c* & @all")
    odd.refresh_from_db()
    add_hook(bo, receiver.url(), style)
    game = start_game([bo, odd])
    (call,) = sweep(DELAY)
    text = call.content["content" if style is HookStyle.DISCORD else "text"]
    assert text.endswith(f"/games/{game.key}/")
    said = text.rpartition("\n")[0]
    if style is HookStyle.DISCORD:
        assert call.content["allowed_mentions"] == {"parse": []}
        assert r"\<\@1\> \[a\]\(http\://b\) \*c\* & \@all" in said
    else:
        assert "&lt;@1&gt;" in said
        assert "<" not in said
    assert "webhook-signature" not in call.headers


def test_a_hook_that_fails_is_tried_ever_later_then_switched_off_with_a_mail(
    ada: User, receiver: Receiver, sweep: Sweep
) -> None:
    hook = add_hook(ada, receiver.url())
    AccountMail.objects.all().delete()
    receiver.status = 500
    enqueue_test(ada, NOW, hook)
    tried = [minute for minute in range(DAY + 60) if sweep(minute)]
    assert tried[:7] == [0, 1, 3, 7, 15, 31, 61]
    assert tried[7] - tried[6] == 30
    assert tried[-1] in range(DAY, DAY + 31)
    hook.refresh_from_db()
    assert hook.off_at is not None
    assert hook.trouble == "refused"
    assert states(hook) == [("outlet-test", "held-back", "switched-off")]
    (mail,) = AccountMail.objects.all()
    assert (mail.template, mail.address, mail.params) == ("outlet_off", ada.email, {"name": "My json"})
    # Nothing more is written for it, until its person switches it on again.
    assert sweep(DAY + 120) == []
    receiver.status = 204
    assert commands.switch_on(user=ada, number=hook.pk)
    enqueue_test(ada, after(DAY + 121), hook)
    assert len(sweep(DAY + 121)) == 1


def test_while_a_hook_is_left_alone_new_notices_wait_too(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    hook = add_hook(ada, receiver.url())
    receiver.status, receiver.headers = 429, {"Retry-After": "3600"}
    enqueue_test(ada, NOW, hook)
    assert len(sweep(0)) == 1
    start_game([ada, bo], now=after(1))
    receiver.status = 204
    assert [minute for minute in range(1, 70) if sweep(minute)] == [60]
    assert {topic for topic, state, _cause in states(hook) if state == "sent"} == {"outlet-test", "started", "turn"}
    hook.refresh_from_db()
    assert (hook.failures, hook.failing_since, hook.wait_until, hook.trouble) == (0, None, None, "")


def test_one_hook_that_fails_holds_up_no_other_and_no_mail(
    ada: User, bo: User, receiver: Receiver, sweep: Sweep
) -> None:
    receiver.says["/bad"] = 500
    add_hook(ada, receiver.url("/bad"))
    add_hook(ada, receiver.url("/good"))
    start_game([ada, bo])
    assert sorted(call.path for call in sweep(DELAY)) == ["/bad", "/good"]
    assert send_due(after(DELAY)) == 2
    assert set(Notice.objects.filter(user=ada, state="waiting").values_list("outlet__address", flat=True)) == {
        receiver.url("/bad")
    }


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_gone_is_given_up_at_once(ada: User, receiver: Receiver, sweep: Sweep, status: int) -> None:
    add_browser(ada, receiver.url("/push"))
    hook = add_hook(ada, receiver.url("/hook"))
    AccountMail.objects.all().delete()
    receiver.status = status
    for outlet in Outlet.objects.all():
        enqueue_test(ada, NOW, outlet)
    assert len(sweep(0)) == 2
    (left,) = Outlet.objects.all()
    assert (left.pk, left.off_at, left.trouble) == (hook.pk, NOW, "gone")
    assert states(hook) == [("outlet-test", "held-back", "switched-off")]
    assert AccountMail.objects.get().template == "outlet_off"
    assert not Notice.objects.filter(state="waiting").exists()


def test_a_host_that_is_not_public_is_given_up_at_once(
    ada: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = add_hook(ada, receiver.url())
    monkeypatch.setattr(outlets, "call_all", lambda calls: dict.fromkeys(calls, Answer(Trouble.PRIVATE)))
    enqueue_test(ada, NOW, hook)
    assert outlets.call_due(NOW) == 0
    hook.refresh_from_db()
    assert (hook.off_at, hook.trouble) == (NOW, "private")
    assert states(hook) == [("outlet-test", "held-back", "switched-off")]


@pytest.mark.parametrize("secret", ["x" * 21, "!!!" + "A" * 22, "A" * 22 + "\n", "A" * 23, "é" * 22, ""])
def test_keys_that_can_not_seal_a_push_are_refused(secret: str) -> None:
    good = Browser("https://push.example/one").form()
    assert are_keys(good["public_key"], good["secret"])
    assert not are_keys(good["public_key"], secret)
    assert not are_keys(good["public_key"][:-2] + "AA", good["secret"])


def test_a_call_that_may_have_got_through_is_made_again_with_the_same_number(
    ada: User, receiver: Receiver, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.delivery.outbound.WHOLE", 0.5)
    hook = add_hook(ada, receiver.url())
    enqueue_test(ada, NOW, hook)
    receiver.delay = 2
    sweep(0)
    receiver.delay = 0
    enqueue_test(ada, after(0.5), hook)
    (second,) = sweep(1)
    first = receiver.taken[0]
    assert second.headers["webhook-id"] == first.headers["webhook-id"]
    assert len(second.content["data"]["notices"]) == 1
    (third,) = sweep(1.1)
    assert third.headers["webhook-id"] != first.headers["webhook-id"]


def test_a_worker_that_dies_after_a_call_costs_a_repeat_with_the_same_number(
    ada: User, receiver: Receiver, sweep: Sweep
) -> None:
    hook = add_hook(ada, receiver.url())
    enqueue_test(ada, NOW, hook)
    bundle = claim(ada.pk, NOW, outlet_id=hook.pk)
    assert bundle is not None
    assert sweep(1) == []  # it is still being sent, as far as anybody knows
    (call,) = sweep(6)
    assert call.headers["webhook-id"] == bundle.message_id


def test_who_may_not_be_told_any_more_is_not(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    hook = add_hook(ada, receiver.url())
    start_game([ada, bo])
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert sweep(DELAY) == []
    assert {cause for topic, _state, cause in states(hook) if topic in {"turn", "started"}} == {"no-account"}


# --- Who has which --------------------------------------------------------------------------------------------------


def test_a_browser_is_notified_as_long_as_its_person_is_signed_in_there(ada: User, receiver: Receiver) -> None:
    for session in ("one", "two", "three"):
        add_browser(ada, receiver.url(f"/{session}"), session=session)
    number = UserSession.objects.get(session_key=f"two-{ada.pk}").pk
    assert end_session(ada, number, current=f"one-{ada.pk}")
    assert {*Outlet.objects.values_list("address", flat=True)} == {receiver.url("/one"), receiver.url("/three")}
    assert end_other_sessions(ada, current=f"one-{ada.pk}")
    assert [*Outlet.objects.values_list("address", flat=True)] == [receiver.url("/one")]


def test_a_browser_notifies_whom_it_was_turned_on_for_last(ada: User, bo: User, receiver: Receiver) -> None:
    add_browser(ada, receiver.url("/push"))
    add_browser(bo, receiver.url("/push"))
    assert Outlet.objects.get().user == bo


def test_a_session_has_one_subscription(ada: User, receiver: Receiver) -> None:
    add_browser(ada, receiver.url("/old"))
    add_browser(ada, receiver.url("/new"))
    assert Outlet.objects.get().address == receiver.url("/new")


def test_of_too_many_browsers_the_first_goes_and_hooks_are_refused(ada: User, receiver: Receiver) -> None:
    for number in range(MOST_DEVICES + 2):
        add_browser(ada, receiver.url(f"/{number}"), session=str(number))
    kept = [*Outlet.objects.order_by("pk").values_list("address", flat=True)]
    assert kept == [receiver.url(f"/{number}") for number in range(2, MOST_DEVICES + 2)]
    for number in range(MOST_HOOKS):
        add_hook(ada, receiver.url(f"/hook/{number}"))
    with pytest.raises(GameError) as refused:
        add_hook(ada, receiver.url("/one-more"))
    assert refused.value.code == GameCode.TOO_MANY_HOOKS


def test_a_hook_is_told_of_by_a_mail_and_needs_a_confirmed_address(ada: User, receiver: Receiver) -> None:
    add_hook(ada, receiver.url())
    assert AccountMail.objects.get().template == "webhook_made"
    new = make_user("Newcomer")
    User.objects.filter(pk=new.pk).update(confirmed_address="")
    new.refresh_from_db()
    with pytest.raises(GameError) as refused:
        add_hook(new, receiver.url())
    assert refused.value.code == GameCode.HOOK_UNCONFIRMED


def test_what_an_outlet_had_goes_with_it_and_mails_stay(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    hook = add_hook(ada, receiver.url())
    start_game([ada, bo])
    before = Notice.objects.filter(outlet=None).count()
    assert commands.drop_outlet(user=ada, number=hook.pk)
    assert not commands.drop_outlet(user=bo, number=hook.pk)
    assert sweep(DELAY) == []
    assert Notice.objects.count() == before


# --- At once ----------------------------------------------------------------------------------------------------


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_call_each_outlet_once(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    receiver.delay = 0.3
    hooks = [add_hook(person, receiver.url(f"/{person.pk}/{n}")) for person in (ada, bo) for n in range(3)]
    start_game([ada, bo])
    barrier = Barrier(2)

    def call(_number: int) -> int:
        barrier.wait()
        try:
            return outlets.call_due(after(DELAY))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(call, range(2))) == len(hooks)
    assert sorted(receiver.url(taken.path) for taken in receiver.taken) == sorted(hook.address for hook in hooks)


def test_retries_end_with_the_game(ada: User, bo: User, receiver: Receiver, sweep: Sweep) -> None:
    hook = add_hook(ada, receiver.url())
    receiver.status = 500
    game = start_game([ada, bo])
    sweep(DELAY)
    commands.resign(game_key=game.key, user=ada, seq=game.seq, now=after(DELAY))
    assert Game.objects.get(pk=game.pk).status == "finished"
    receiver.status = 204
    (call,) = sweep(DELAY + timedelta(hours=1).total_seconds() / 60)
    assert "turn" not in [notice["topic"] for notice in call.content["data"]["notices"]]
    assert ("turn", "held-back", "game-over") in states(hook)
