"""Access tokens at the API: whom they sign in, what their scopes allow, and that nothing takes one for a session."""

import io
import json
import logging
from collections.abc import Iterator, Mapping
from datetime import timedelta
from http import HTTPStatus
from itertools import combinations
from logging.config import dictConfig
from types import SimpleNamespace
from typing import Any, ClassVar, Final

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings as site_settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import path
from django.utils import timezone, translation
from django.views.debug import ExceptionReporter
from pytest_django import DjangoAssertNumQueries, Settings
from redis.exceptions import ConnectionError as RedisConnectionError
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import tokens
from accounts.models import AccessToken, Scope, Trace, User
from accounts.token_text import START, draw
from accounts.tokens import USED_EVERY
from games.api.access import Scoped, ScopeError, TokenAuthentication, TokenThrottle, WrongTokenThrottle
from games.api.problems import api_problem
from gravitysite import logs
from gravitysite.urls import urlpatterns as site_urls
from tests.flows.play import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.anydb, pytest.mark.urls(__name__)]

METHODS: Final = {"GET": Scope.READ, "POST": Scope.PLAY, "PUT": Scope.CREATE, "PATCH": None}
"""What each method of the probe needs; PATCH is one for which it forgot to say so."""
SETS: Final = [chosen for size in (1, 2, 3) for chosen in combinations(Scope, size)]


class ProbeThrottle(TokenThrottle):
    scope = "probe"
    rate = "3/min"


class ProbeView(APIView):
    """Says who asked, in which language, zone and with what."""

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    permission_classes = (IsAuthenticated, Scoped)
    scopes: ClassVar[Mapping[str, str]] = {method: scope for method, scope in METHODS.items() if scope is not None}

    def get(self, request: Request) -> Response:
        return Response(
            {
                "person": request.user.pk,
                "token": getattr(request.auth, "pk", None),
                "language": translation.get_language(),
                "zone": timezone.get_current_timezone_name(),
            }
        )

    post = put = patch = get


class OpenView(ProbeView):
    permission_classes = (Scoped,)  # type: ignore[assignment]


class LimitedView(OpenView):
    throttle_classes = (ProbeThrottle,)


class BrokenView(ProbeView):
    def get(self, request: Request) -> Response:
        raise RuntimeError(f"it broke with {request.headers['Authorization']}")


urlpatterns = [
    *site_urls,
    path("probe", ProbeView.as_view()),
    path("open", OpenView.as_view()),
    path("limited", LimitedView.as_view()),
    path("broken", BrokenView.as_view()),
]


def make(user: User, *scopes: Scope, life: timedelta | None = None) -> str:
    name = f"bot {AccessToken.objects.count()}"
    _token, text = tokens.make(user, name=name, scopes=scopes or [*Scope], life=life, now=timezone.now())
    return text


def ask(text: str, method: str = "GET", place: str = "/probe", client: Client | None = None, language: str = "") -> Any:
    browser = client or Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {text}", "Accept-Language": language}
    return browser.generic(method, place, headers=headers)


def signed_in(user: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return client


# --- Whom a token signs in -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "  Bearer  "])
def test_a_token_signs_in_its_person_without_a_cookie(ada: User, scheme: str) -> None:
    text = make(ada)
    answer = Client(enforce_csrf_checks=True).get("/probe", headers={"Authorization": f"{scheme} {text} "})
    assert answer.json()["person"] == ada.pk
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]
    assert not Session.objects.exists()


def expired(ada: User) -> str:
    text = make(ada, life=timedelta(days=30))
    AccessToken.objects.update(expires_at=timezone.now())
    return text


def revoked(ada: User) -> str:
    text = make(ada)
    tokens.revoke_all(ada)
    return text


def of_someone_inactive(ada: User) -> str:
    text = make(ada)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    return text


def of_nobody_any_more(ada: User) -> str:
    text = make(ada)
    ada.delete()
    return text


WRONG: Final = {
    "another": lambda _ada: draw(),
    "with another checksum": lambda ada: make(ada)[:-1] + "!",
    "in part": lambda ada: make(ada)[:-1],
    "doubled": lambda ada: f"{make(ada)} {make(ada)}",
    "none": lambda _ada: "",
    "very long": lambda _ada: "gst_" + "x" * 9000,
    "in no letters": lambda _ada: "gst_\xe9\xff",
    "expired": expired,
    "revoked": revoked,
    "inactive": of_someone_inactive,
    "deleted": of_nobody_any_more,
}


@pytest.mark.parametrize("spoil", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("place", ["/probe", "/open"])
def test_whatever_is_wrong_with_a_token_the_answer_is_the_same(ada: User, spoil: Any, place: str) -> None:
    text = spoil(ada)
    expected = ask(draw(), place=place)
    for browser in (None, signed_in(make_user("Zoe"))):
        answer = ask(text, place=place, client=browser)
        assert answer.status_code == HTTPStatus.UNAUTHORIZED
        assert answer["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
        assert answer.data["detail"].code == "invalid-token"
        assert answer.content == expected.content


def test_without_a_header_a_session_signs_in_and_asks_for_its_form_token(ada: User) -> None:
    assert Client().get("/probe").status_code == HTTPStatus.UNAUTHORIZED
    assert Client().get("/probe")["WWW-Authenticate"] == 'Bearer realm="api"'
    assert Client().get("/open").json()["person"] is None
    client = signed_in(ada)
    assert client.get("/probe").json() == {"person": ada.pk, "token": None, "language": "en", "zone": "UTC"}
    assert client.post("/probe").status_code == HTTPStatus.FORBIDDEN
    trusting = Client()
    trusting.force_login(ada)
    assert trusting.post("/probe").status_code == HTTPStatus.OK


def test_another_scheme_is_left_to_others(ada: User) -> None:
    client = signed_in(ada)
    assert client.get("/probe", headers={"Authorization": "Basic YTpi"}).json()["person"] == ada.pk


def test_a_token_in_an_address_or_a_form_opens_nothing(ada: User) -> None:
    text = make(ada)
    for name in ("access_token", "token", "authorization"):
        assert Client().get("/probe", {name: text}).status_code == HTTPStatus.UNAUTHORIZED
        assert Client().post("/probe", {name: text}).status_code == HTTPStatus.UNAUTHORIZED


# --- What its scopes allow -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scopes", SETS, ids=" ".join)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_needs_its_scope(ada: User, method: str, scopes: tuple[Scope, ...]) -> None:
    answer = ask(make(ada, *scopes), method)
    needed = METHODS[method]
    assert (answer.status_code == HTTPStatus.OK) == (needed in scopes)
    if needed is None:
        assert answer.status_code == HTTPStatus.FORBIDDEN
    elif needed not in scopes:
        assert answer.status_code == HTTPStatus.FORBIDDEN
        assert answer.data["detail"].code == "scope"
        assert f"“{needed}”" in answer.data["detail"]


@pytest.mark.parametrize("scopes", SETS, ids=" ".join)
def test_looking_without_the_body_needs_what_looking_needs(ada: User, scopes: tuple[Scope, ...]) -> None:
    answer = ask(make(ada, *scopes), "HEAD")
    assert (answer.status_code == HTTPStatus.OK) == (Scope.READ in scopes)


def test_a_method_that_a_view_has_not_is_said_to_be_none(ada: User) -> None:
    assert ask(make(ada, Scope.READ), "DELETE").status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_a_session_may_do_what_any_scope_allows(ada: User) -> None:
    trusting = Client()
    trusting.force_login(ada)
    assert [trusting.generic(method, "/probe").status_code for method in METHODS] == [HTTPStatus.OK] * len(METHODS)


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_the_refusal_names_the_scope_in_every_language(language: str, db: None) -> None:
    with translation.override(language):
        problem = api_problem(ScopeError("play"), {}).data
    assert problem is not None
    assert (problem["status"], problem["code"], problem["params"]) == (403, "scope", {"scope": "play"})
    assert "play" in problem["detail"]
    assert ("lacks" in problem["detail"]) == (language == "en")


# --- A token is no session -----------------------------------------------------------------------------------------


def test_a_token_leaves_the_session_beside_it_to_whoever_it_is_of(ada: User, bo: User) -> None:
    client = signed_in(bo)
    UserSession.objects.all().delete()
    soon = timezone.now() + timedelta(days=9)
    Session.objects.update(expire_date=soon)
    answer = ask(make(ada), client=client)
    assert answer.json()["person"] == ada.pk
    assert not answer.cookies
    assert Session.objects.get().expire_date == soon, "the token prolongs no session"
    assert not UserSession.objects.exists()
    assert not Trace.objects.exists()
    assert client.get("/probe").json()["person"] == bo.pk
    assert UserSession.objects.get().user == bo


def test_the_answer_is_in_the_language_and_zone_of_the_tokens_person(ada: User, bo: User) -> None:
    User.objects.filter(pk=ada.pk).update(language="de", time_zone="Asia/Tokyo")
    text = make(ada)
    for client in (None, signed_in(bo)):
        answer = ask(text, client=client, language="fr")
        assert (answer.json()["language"], answer.json()["zone"]) == ("de", "Asia/Tokyo")
        assert answer["Content-Language"] == "de"
    assert timezone.get_current_timezone_name() == "UTC"
    other = Client().get("/open", headers={"Accept-Language": "fr"}).json()
    assert (other["language"], other["zone"]) == ("fr", "UTC")
    assert ask("x", language="fr")["Content-Language"] == "fr"


def test_a_request_by_token_costs_one_statement_and_the_first_in_a_while_a_few_more(
    ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = make(ada)
    ask(text)
    with django_assert_num_queries(1):
        ask(text)
    AccessToken.objects.update(used_at=timezone.now() - USED_EVERY)
    with django_assert_num_queries(5):  # the token; begin, look, write, commit
        ask(text)
    with django_assert_num_queries(1):
        ask(text)


def test_a_refused_token_is_not_written_down_as_used(ada: User) -> None:
    ask(of_someone_inactive(ada))
    assert AccessToken.objects.get().used_at is None


# --- How often -----------------------------------------------------------------------------------------------------


def test_a_limit_counts_tokens_people_and_networks_apart(ada: User, bo: User) -> None:
    cache.clear()
    first, second, of_bo = make(ada), make(ada), make(bo)

    def answers(times: int, text: str = "", client: Client | None = None) -> list[int]:
        asked = (client or Client()).get
        headers = {"Authorization": f"Bearer {text}"} if text else {}
        return [asked("/limited", headers=headers).status_code for _ in range(times)]

    assert answers(4, first) == [200, 200, 200, 429]
    assert answers(4, second) == [200, 200, 200, 429]
    assert answers(1, of_bo) == [200]
    assert answers(4, client=signed_in(ada)) == [200, 200, 200, 429]
    assert answers(1, client=signed_in(bo)) == [200]
    assert answers(4) == [200, 200, 200, 429]
    assert int(ask(first, place="/limited")["Retry-After"]) > 0


@pytest.mark.parametrize("kind", ["another", "none", "very long"])
def test_who_sends_wrong_tokens_again_and_again_is_asked_to_wait(kind: str, ada: User) -> None:
    cache.clear()
    wrong = WRONG[kind](ada)
    most, _seconds = WrongTokenThrottle().parse_rate(WrongTokenThrottle.rate)
    assert most is not None
    assert {ask(wrong, place="/open").status_code for _try in range(most)} == {401}
    answer = ask(wrong, place="/open")
    assert (answer.status_code, 0 < int(answer["Retry-After"]) <= 60) == (429, True)
    assert ask(make(ada), place="/open").status_code == 200  # from the same network
    assert signed_in(ada).get("/open").status_code == 200
    assert Client().get("/open").status_code == 200
    assert Client(REMOTE_ADDR="10.9.8.7").get("/open", headers={"Authorization": f"Bearer {wrong}"}).status_code == 401


def test_without_the_cache_nobody_is_held_up(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_more: Any) -> None:
        raise RedisConnectionError

    text = make(ada)
    monkeypatch.setattr(ProbeThrottle, "cache", SimpleNamespace(get=fail, set=fail))
    assert [ask(text, place="/limited").status_code for _ in range(5)] == [200] * 5


# --- What is written down ------------------------------------------------------------------------------------------


@pytest.fixture
def written(settings: Settings) -> Iterator[io.StringIO]:
    """Log all there is, as in production."""
    dictConfig(logs.configure_logs("DEBUG", readable=False))
    console = logging.getHandlerByName("console")
    assert isinstance(console, logging.StreamHandler)
    console.setStream(stream := io.StringIO())
    yield stream
    dictConfig(site_settings.LOGGING)


def test_no_line_of_a_log_has_a_token(ada: User, written: io.StringIO) -> None:
    text = make(ada)
    client = Client(raise_request_exception=False)
    for place in ("/probe", "/broken", "/nowhere", f"/nowhere/{text}", "/limited", "/games/new/"):
        ask(text, place=place, client=client)
    ask(draw())
    logging.getLogger("elsewhere").warning("asked with %s", f"Bearer {text}")
    logging.getLogger("elsewhere").warning(f"asked with {text}", extra={"header": text})  # noqa: G004 - as others may
    said = written.getvalue()
    assert text[START:] not in said
    lines = [json.loads(line) for line in said.splitlines()]
    assert "asked with Bearer …" in [line["event"] for line in lines]
    token = AccessToken.objects.get()
    by_token = [line for line in lines if line.get("route") == "probe" and line["status"] == HTTPStatus.OK]
    assert [(line["person"], line["token"]) for line in by_token] == [(ada.pk, token.pk)]


def test_readable_lines_have_none_either(ada: User, capsys: pytest.CaptureFixture[str]) -> None:
    text = make(ada)
    dictConfig(logs.configure_logs("DEBUG", readable=True))
    console = logging.getHandlerByName("console")
    assert isinstance(console, logging.StreamHandler)
    console.setStream(stream := io.StringIO())
    ask(text, place="/broken", client=Client(raise_request_exception=False))
    dictConfig(site_settings.LOGGING)
    assert "RuntimeError" in stream.getvalue()
    assert text[START:] not in stream.getvalue()


def test_no_report_of_a_fault_has_one(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any) -> None:
        raise RuntimeError

    text = make(ada)
    request = RequestFactory().get("/probe", headers={"Authorization": f"Bearer {text}"})
    monkeypatch.setattr(tokens, "note_used", fail)
    with pytest.raises(RuntimeError) as caught:
        ProbeView.as_view()(request)
    reporter = ExceptionReporter(request, caught.type, caught.value, caught.tb)
    frames = [frame for frame in reporter.get_traceback_frames() if frame["filename"] != __file__]
    assert [frame["function"] for frame in frames if "games/api/access.py" in frame["filename"]] == ["authenticate"]
    assert text[START:] not in str([frame["vars"] for frame in frames])
    assert text[START:] not in str(reporter.filter.get_safe_request_meta(request))
