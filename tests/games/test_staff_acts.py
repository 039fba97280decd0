"""What the staff does in the admin: it asks why, is done by commands, and is written down, whatever it is."""

from datetime import timedelta
from typing import Any, Final

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import mails, tokens
from accounts.acts import ReadOnly, Reasoned
from accounts.audit import Staff
from accounts.hints import hints_about
from accounts.models import AccountMail, Scope, StaffAct, StaffAction, User
from games import commands
from games.models import Game, Report, ReportKind, ReportOutcome, ReportState
from games.models.choices import RemarkKind, Status
from games.notices.models import Notice
from tests.flows.play import make_user, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.contexts]

ASKED: Final[dict[str, Any]] = {
    "why": "for the tests",
    "words": "Please be kind.",
    "days": 3,
    "minutes": 60,
    "seat": 1,
    "outcome": ReportOutcome.NOTHING,
    "public_why": "The mail server was away.",
}
"""What every page that asks why may ask besides."""


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")


@pytest.fixture
def staff(boss: User) -> Client:
    client = Client()
    client.force_login(boss)
    return client


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo, make_user("Cy")], name="Friday night")


def act_on(client: Client, row: Any, name: str, **asked: Any) -> Any:
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_act", args=[row.pk, name])
    return client.post(address, {**ASKED, **asked})


def report_of(person: User, by: User) -> Report:
    return commands.report_person(
        user=by, number=person.pk, kind=ReportKind.CONDUCT, text="They insult me", now=timezone.now()
    )


def rows_for(model: type[Any], ada: User, bo: User, game: Game) -> Any:
    """Return a row to which all acts of a table fit."""
    if model is Report:
        return report_of(ada, bo)
    if model is Notice:
        notice = Notice.objects.filter(user=ada).first()
        assert notice is not None
        Notice.objects.filter(pk=notice.pk).update(state="failed", cause="gave-up", closed_at=timezone.now())
        return Notice.objects.get(pk=notice.pk)
    User.objects.filter(pk=ada.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    tokens.make(ada, name="Bot", scopes=[Scope.READ], life=None, now=timezone.now())
    return {User: User.objects.get(pk=ada.pk), Game: game}[model]


ACTS: Final = [
    pytest.param(model, act.name, id=f"{model._meta.model_name}-{act.name}")
    for model, shown in admin.site._registry.items()
    for act in getattr(shown, "acts", ())
]


@pytest.mark.parametrize(("model", "name"), ACTS)
def test_every_act_asks_why_and_is_written_down(
    model: type[Any], name: str, staff: Client, boss: User, ada: User, bo: User, game: Game
) -> None:
    row = rows_for(model, ada, bo, game)
    if name == "start-clock":
        commands.pause_game(game_key=game.key, now=timezone.now())
    if name == "remove-factors":
        Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={"secret": "x"})
    before = StaffAction.objects.count()
    refused = act_on(staff, row, name, why="")
    assert refused.status_code == 200
    assert "why" in refused.context["form"].errors
    assert StaffAction.objects.count() == before
    assert act_on(staff, row, name).status_code == 302
    done = StaffAction.objects.order_by("pk")[before:]
    assert len(done) >= 1
    assert {(action.by, action.by_number, action.why) for action in done} == {("Staff", boss.pk, "for the tests")}


def test_nothing_in_the_admin_changes_but_by_an_act_or_a_form_that_asks_why() -> None:
    for model, shown in admin.site._registry.items():
        assert isinstance(shown, ReadOnly | Reasoned), model
        assert not [name for name in shown.actions or () if name != "delete_selected"], model
        if not isinstance(shown, ReadOnly):
            assert "why" in shown.form.base_fields, model
            assert "why" in getattr(shown, "add_form", shown.form).base_fields, model


def test_no_row_is_deleted_in_the_admin(boss: User, rf: Any) -> None:
    request = rf.get("/")
    request.user = boss
    for model, shown in admin.site._registry.items():
        assert not shown.has_delete_permission(request), model


@pytest.mark.parametrize(("model", "name"), ACTS)
def test_an_act_takes_its_own_right(
    model: type[Any], name: str, ada: User, bo: User, game: Game, client: Client
) -> None:
    helper = make_user("Helper", is_staff=True)
    view = Permission.objects.get(codename=f"view_{model._meta.model_name}", content_type__model=model._meta.model_name)
    helper.user_permissions.add(view)
    client.force_login(helper)
    row = rows_for(model, ada, bo, game)
    if name == "start-clock":
        commands.pause_game(game_key=game.key, now=timezone.now())
    before = StaffAction.objects.count()
    assert act_on(client, row, name).status_code == 403
    assert StaffAction.objects.count() == before
    page = client.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk]))
    assert page.status_code == 200
    assert page.context["acts"] == []


@pytest.mark.parametrize("is_superuser", [False, True])
@pytest.mark.parametrize("whose", ["game", "about-them", "by-them"])
def test_nobody_acts_on_a_game_or_report_of_their_own_unless_a_superuser(
    whose: str, is_superuser: bool, client: Client, ada: User, bo: User
) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True, is_superuser=is_superuser)
    ada.user_permissions.set(Permission.objects.filter(content_type__model__in=("game", "report")))
    client.force_login(ada)
    rows = {
        "game": lambda: start_game([ada, bo]),
        "about-them": lambda: report_of(ada, bo),
        "by-them": lambda: report_of(bo, ada),
    }
    row, name = rows[whose](), "give-time" if whose == "game" else "close"
    page = client.get(reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk]))
    assert bool(page.context["acts"]) == is_superuser
    assert act_on(client, row, name).status_code == (302 if is_superuser else 403)
    assert StaffAction.objects.exists() == is_superuser


def test_changing_an_account_asks_why_and_says_what_was_changed(staff: Client, ada: User) -> None:
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    form = {"email": ada.email, "display_name": "Ada L", "language": "de", "time_zone": "UTC", "digest_hour": 18}
    form |= {"is_active": "on"}
    assert staff.post(page, form).status_code == 200
    assert StaffAction.objects.count() == 0
    answer = staff.post(page, {**form, "why": "asked by mail"})
    assert answer.status_code == 302, answer.context["errors"]
    action = StaffAction.objects.get()
    assert (action.act, action.person, action.why) == (StaffAct.CHANGE_PERSON, ada.pk, "asked by mail")
    assert action.details["columns"] == ["display_name", "language"]


def test_nobody_sets_another_persons_password(staff: Client, ada: User) -> None:
    page = reverse("admin:auth_user_password_change", args=[ada.pk])
    new = {"password1": "another long one", "password2": "another long one"}
    assert staff.get(page).status_code == 403
    assert staff.post(page, new).status_code == 403
    assert User.objects.get(pk=ada.pk).password == ada.password
    assert "password" not in staff.get(reverse("admin:accounts_user_change", args=[ada.pk])).context["adminform"].fields


def test_who_may_change_accounts_gives_nobody_rights_and_leaves_the_staff_alone(
    client: Client, ada: User, boss: User
) -> None:
    helper = make_user("Helper", is_staff=True)
    for codename in ("view_user", "change_user"):
        helper.user_permissions.add(Permission.objects.get(codename=codename))
    client.force_login(helper)
    form = {"email": ada.email, "display_name": "Ada", "language": "en", "time_zone": "UTC", "digest_hour": 18}
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    client.post(page, {**form, "why": "to see", "is_superuser": "on", "is_staff": "on"})
    changed = User.objects.get(pk=ada.pk)
    assert (changed.is_superuser, changed.is_staff, changed.is_active) == (False, False, True)
    other = reverse("admin:accounts_user_change", args=[boss.pk])
    assert client.post(other, {**form, "email": "mine@example.org", "why": "mine"}).status_code == 403
    for name in ("warn", "silence", "suspend", "take-name", "remove-factors"):
        assert act_on(client, boss, name).status_code == 404


def test_a_group_is_changed_with_a_reason(staff: Client) -> None:
    assert staff.post(reverse("admin:auth_group_add"), {"name": "helpers"}).status_code == 200
    assert not Group.objects.exists()
    assert staff.post(reverse("admin:auth_group_add"), {"name": "helpers", "why": "two of us"}).status_code == 302
    assert StaffAction.objects.get().act == StaffAct.CHANGE_GROUP


@pytest.mark.anydb
def test_the_database_refuses_to_change_or_delete_what_was_done() -> None:
    commands.stop_clocks(now=timezone.now(), staff=Staff("Op", "maintenance"))
    for statement in ("UPDATE accounts_staffaction SET why = 'x'", "DELETE FROM accounts_staffaction"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert StaffAction.objects.get().why == "maintenance"


@pytest.mark.anydb
def test_what_was_done_is_deleted_after_two_years_and_not_before() -> None:
    now = timezone.now()
    for days in (10, 729, 731, 800):
        StaffAction.objects.create(at=now - timedelta(days=days), by="Op", act=StaffAct.WARN, why="x")
    assert commands.prune_traces(size=100, now=now) == 2
    assert StaffAction.objects.count() == 2


@pytest.mark.anydb
def test_players_read_why_in_the_log_of_their_game(staff: Client, game: Game, ada: User, client: Client) -> None:
    for name, kind in (
        ("stop-clock", RemarkKind.PAUSED),
        ("start-clock", RemarkKind.RESUMED),
        ("give-time", RemarkKind.TIME_GIVEN),
        ("retire-seat", RemarkKind.REMOVED),
    ):
        assert act_on(staff, game, name, public_why=f"because of {name}").status_code == 302
        remark = game.remarks.get(kind=kind)
        assert remark.params["why"] == f"because of {name}"
    client.force_login(ada)
    page = client.get(reverse("game", args=[game.key])).content.decode()
    for name in ("stop-clock", "start-clock", "give-time", "retire-seat"):
        assert f"Reason: because of {name}" in page
    assert "for the tests" not in page
    assert game.entries.get().reason == "removed"


def test_a_refusal_is_said_on_the_page_and_nothing_is_written_down(staff: Client, game: Game) -> None:
    answer = act_on(staff, game, "retire-seat", seat=9)
    assert answer.status_code == 200
    assert "Seat 9 is not in the game." in answer.content.decode()
    assert not StaffAction.objects.exists()


@pytest.mark.anydb
def test_reports_wait_the_oldest_first_until_they_are_closed(staff: Client, ada: User, bo: User) -> None:
    first, second = report_of(ada, bo), report_of(bo, ada)
    page = reverse("admin:games_report_changelist")
    assert list(staff.get(page).context["cl"].queryset) == [first, second]
    act_on(staff, first, "take")
    assert Report.objects.get(pk=first.pk).taken_by == "Staff"
    act_on(staff, first, "close")
    assert list(staff.get(page).context["cl"].queryset) == [second]
    assert list(staff.get(page, {"state": "closed"}).context["cl"].queryset) == [first]
    assert set(staff.get(page, {"state": "all"}).context["cl"].queryset) == {first, second}


def test_a_report_shows_what_is_needed_to_judge_it(staff: Client, game: Game, ada: User, bo: User) -> None:
    for number in range(20):
        commands.write_message(game_key=game.key, user=ada, text=f"message {number}.", now=timezone.now())
    report_of(ada, bo)
    message = game.messages.order_by("pk")[10]
    report = commands.report_message(user=bo, game_key=game.key, message_id=message.pk, text="rude", now=timezone.now())
    commands.warn_person(user=ada, words="Once.", staff=Staff("Op", "an earlier time"), now=timezone.now())
    page = staff.get(reverse("admin:games_report_change", args=[report.pk])).content.decode()
    assert [number for number in range(20) if f"message {number}." in page] == list(range(5, 16))
    for words in ("rude", game.key, "an earlier time", "how someone plays or behaves: Ada"):
        assert words in page


@pytest.mark.parametrize("name", ["warn", "silence", "suspend", "take-name"])
def test_a_measure_from_a_report_closes_it_and_tells_both(name: str, staff: Client, ada: User, bo: User) -> None:
    report = report_of(ada, bo)
    assert act_on(staff, report, name).status_code == 302
    closed = Report.objects.get(pk=report.pk)
    assert (closed.state, closed.outcome) == (ReportState.CLOSED, ReportOutcome.ACTED)
    told = {(mail.user, mail.template) for mail in AccountMail.objects.all()}
    assert told >= {(bo, mails.REPORT_CLOSED)}
    assert [user for user, template in told if template != mails.REPORT_CLOSED] == [ada]
    assert "Please be kind." in str(AccountMail.objects.get(user=ada).params)
    assert "Please be kind." not in str(AccountMail.objects.get(user=bo).params)


@pytest.mark.anydb
def test_a_suspension_withdraws_what_has_not_started_and_lets_the_rest_be(
    staff: Client, game: Game, ada: User, bo: User
) -> None:
    terms: dict[str, Any] = {"ruleset": game.ruleset, "size": 3, "options": {}, "public": True, "bots": []}
    own, other = (commands.create_game(user=user, now=timezone.now(), **terms) for user in (ada, bo))
    commands.join_game(game_key=other.key, user=ada, now=timezone.now())
    act_on(staff, ada, "suspend")
    assert Game.objects.get(pk=own.pk).status == Status.CANCELLED
    assert [seat.user for seat in other.seats.all()] == [bo]
    assert game.seats.get(user=ada).retired is False
    act_on(staff, User.objects.get(pk=ada.pk), "lift")
    commands.join_game(game_key=other.key, user=ada, now=timezone.now())


@pytest.mark.anydb
def test_a_name_is_taken_away_in_all_games_too(staff: Client, game: Game, ada: User) -> None:
    act_on(staff, ada, "take-name")
    name = User.objects.get(pk=ada.pk).display_name
    assert name.startswith("Player ")
    assert game.seats.get(user=ada).name == name
    record = Client().get(reverse("game_record", args=[game.key])).json()
    assert name in record["players"]
    assert "Ada" not in record["players"]
    for same in ("Ada", " aDA", "\N{GREEK CAPITAL LETTER ALPHA}da"):
        assert User.objects.name_taken(same)
        assert User.objects.name_taken(same, besides=ada)
    assert not User.objects.name_taken("Adam")


@pytest.mark.anydb
def test_the_name_of_a_game_is_taken_away_from_it_and_from_its_rematch(staff: Client, game: Game, ada: User) -> None:
    assert act_on(staff, game, "take-name").status_code == 302
    assert "Friday night" not in Client().get(reverse("game", args=[game.key])).content.decode()
    done = StaffAction.objects.get()
    assert (done.act, done.person, done.game) == (StaffAct.RENAME_GAME, ada.pk, game.key)
    assert done.details == {"before": "Friday night"}
    assert act_on(staff, game, "take-name").status_code == 404
    commands.take_game_name(game_key=game.key, staff=Staff("Sam", "twice"), now=timezone.now())
    assert StaffAction.objects.count() == 1
    for seq, name in enumerate(("Ada", "Bo")):
        commands.resign(game_key=game.key, user=User.objects.get(display_name=name), seq=seq, now=timezone.now())
    assert commands.rematch(game_key=game.key, user=ada, now=timezone.now()).name == ""


def test_the_staff_alone_sees_who_may_be_the_same_person(staff: Client, ada: User, bo: User, client: Client) -> None:
    cy = make_user("Cy")
    for number, (person, network) in enumerate(
        [(ada, "192.0.2.7"), (bo, "192.0.2.7"), (cy, "192.0.2.70"), (ada, "2001:db8:1:2::5"), (bo, "2001:db8:1:2::9")]
    ):
        UserSession.objects.create(user=person, session_key=f"s{number}", ip=network, user_agent="Firefox")
    (hint,) = hints_about(ada)
    assert (hint.person, hint.networks, hint.same_browser) == (bo, 2, True)
    assert hints_about(cy) == []
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    shown = staff.get(page).content.decode()
    assert reverse("admin:accounts_user_change", args=[bo.pk]) in shown
    assert "192.0.2.7" not in shown
    client.force_login(ada)
    assert client.get(page).status_code == 302
