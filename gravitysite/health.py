"""``/healthz``, ``/readyz`` and ``/metrics``: for the machines that watch the site.

They are answered before hosts, sessions and redirects are looked at, so that a container can ask its own web server.
"""

import hmac
from collections.abc import Callable, Mapping
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST

from accounts.figures import account_mail_trouble
from games.queries import due
from games.queries.relay import mail_trouble
from gravitysite.errors import RETRY_AFTER
from gravitysite.metrics import write_live_metrics, write_metrics

BROKER_TIMEOUT: Final = 1.0
OK: Final = "ok"


class HealthMiddleware:
    """Answers the watchers' addresses and passes every other request on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.answers: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
            "/healthz": healthz,
            "/readyz": readyz,
            "/metrics": metrics,
        }

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        answer = self.answers.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        return watched(request, answer)


def watched(request: HttpRequest, answer: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
    """Return an answer to who only looks, of which nobody keeps a copy."""
    response = HttpResponse(status=405) if request.method not in {"GET", "HEAD"} else answer(request)
    response["Cache-Control"] = "no-store"
    return response


def healthz(_request: HttpRequest) -> HttpResponse:
    """Say that this process lives. It asks nobody, so that a restart is never the answer to a database that is away."""
    return HttpResponse(OK, content_type="text/plain")


def readyz(_request: HttpRequest) -> HttpResponse:
    """Say whether everything that the site needs is there: 200, or 503 with what is lacking."""
    found = {
        "database": database_health(),
        "broker": broker_health(),
        "heartbeats": heartbeat_health(),
        "turns": turn_health(),
        "mails": mail_health(),
        "account mails": account_mail_health(),
        "clocks": clock_health(),
    }
    if all(state == OK for state in found.values()):
        return JsonResponse(found)
    response = JsonResponse(found, status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    return response


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the site's figures for Prometheus to who has ``METRICS_TOKEN``; without one they exist only with DEBUG."""
    return _not_for(request) or _site_figures()


def live_metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures of this process ``live`` to who may have those of the site."""
    return _not_for(request) or HttpResponse(write_live_metrics(), content_type=CONTENT_TYPE_LATEST)


def _not_for(request: HttpRequest) -> HttpResponse | None:
    """Return the refusal to who may not have figures, None for who may."""
    token: str = settings.METRICS_TOKEN
    if not token and not settings.DEBUG:
        return HttpResponse(status=404)
    if token and not hmac.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return None


def _site_figures() -> HttpResponse:
    try:
        return HttpResponse(write_metrics(timezone.now()), content_type=CONTENT_TYPE_LATEST)
    except DatabaseError:
        return HttpResponse("the database is away\n", status=503, content_type="text/plain")


def database_health() -> str:
    """Return ``ok``, or what is wrong with the database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "away"
    return OK


def broker_health() -> str:
    """Return ``ok``, or what is wrong with the broker; the one inside the process is always there."""
    if not settings.REDIS_URL:
        return OK
    wait = BROKER_TIMEOUT
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=wait, socket_timeout=wait)
    try:
        client.ping()
    except redis.RedisError:
        return "away"
    finally:
        client.close()
    return OK


def heartbeat_health() -> str:
    """Return ``ok``, or which of the sweeps has not been heard of for more than three minutes."""
    try:
        old = due.old_heartbeats(timezone.now())
    except DatabaseError:
        return "unknown"
    return f"old: {', '.join(heartbeat.name for heartbeat in old)}" if old else OK


def turn_health() -> str:
    """Return ``ok``, or how many turns should have ended minutes ago, or fail again and again; or a late rating."""
    try:
        now = timezone.now()
        unrated = 1 if due.unsettled_game(now) else 0
        return _counts({"overdue": due.overdue_count(now), "stuck": due.stuck_count(), "not rated": unrated})
    except DatabaseError:
        return "unknown"


def mail_health() -> str:
    """Return ``ok``, or what is wrong with mails: they are refused, late, or given up."""
    try:
        found = mail_trouble(timezone.now())
    except DatabaseError:
        return "unknown"
    return _counts({"refused": found.refused, "late": found.late, "given up": found.given_up})


def account_mail_health() -> str:
    """Return ``ok``, or what is wrong with mails about accounts: they are late, or given up."""
    try:
        found = account_mail_trouble(timezone.now())
    except DatabaseError:
        return "unknown"
    return _counts({"late": found.late, "given up": found.given_up})


def clock_health() -> str:
    """Return ``ok``, or that the clocks stand still, or that outages have not been given back."""
    try:
        pauses = due.open_pauses(timezone.now())
    except DatabaseError:
        return "unknown"
    if not pauses:
        return OK
    return "stopped" if any(pause.end is None for pause in pauses) else f"outages not given back: {len(pauses)}"


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{word}: {count}" for word, count in found.items() if count) or OK
