"""The page about the archive of one's own data, and the archive itself."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import archives
from accounts.readers import stored_reader


@login_required
@never_cache
@vary_on_headers("HX-Request")
@require_safe
def your_data(request: HttpRequest) -> HttpResponse:
    """Say what an archive holds, and what became of the reader's own."""
    return _show(request)


@login_required
@never_cache
@require_POST
def make_archive(request: HttpRequest) -> HttpResponse:
    """Ask for an archive; 429 to who got one less than a day ago."""
    try:
        archives.ask(stored_reader(request), now=timezone.now())
    except archives.TooSoonError:
        return _show(request, HTTPStatus.TOO_MANY_REQUESTS)
    return redirect("your_data")


@login_required
@never_cache
@require_safe
def download_archive(request: HttpRequest) -> HttpResponse:
    """Hand the reader their archive; 404 where there is none, or none any more."""
    now = timezone.now()
    data = archives.read(stored_reader(request), now)
    if data is None:
        return _show(request, HTTPStatus.NOT_FOUND)
    response = HttpResponse(data, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="gravity-superstar-{timezone.localdate(now)}.zip"'
    return response


def _show(request: HttpRequest, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    now, archive = timezone.now(), archives.archive_of(stored_reader(request))
    context: dict[str, Any] = {
        "days": archives.KEPT_FOR.days,
        "refused": status == HTTPStatus.TOO_MANY_REQUESTS,
        "gone": status == HTTPStatus.NOT_FOUND,
        "may_ask": True,
    }
    if archive is not None:
        context |= {
            "awaited": archives.is_awaited(archive, now),
            "failed": archive.made_at is None,
            "archive": archive if archives.can_be_had(archive, now) else None,
            "until": archive.made_at + archives.KEPT_FOR if archive.made_at is not None else None,
            "next": archive.asked_at + archives.EVERY,
            "may_ask": now >= archive.asked_at + archives.EVERY,
        }
    fragment = request.headers.get("HX-Request") == "true"
    template = "account/your_data.html#archive" if fragment else "account/your_data.html"
    response = render(request, template, context, status=status)
    if archive is not None and status == HTTPStatus.TOO_MANY_REQUESTS:
        wait = archive.asked_at + archives.EVERY - now
        response["Retry-After"] = str(max(1, int(wait.total_seconds())))
    return response
