"""The answer to a form whose token is another one by now: nothing is done, and nothing that was typed is lost."""

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.csrf import csrf_failure

FRESH_TOKEN: Final = "X-CSRFToken"  # noqa: S105 - the name of a header
"""The header in which an open page gets the token that its forms are to carry from now on."""


def refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form without the right token (``CSRF_FAILURE_VIEW``).

    Who signs in again in another tab gets a new token, while the pages that are open have the old one. Where the
    browser says that the form came from a page of this site, the answer offers to send it again, as who is signed in.
    """
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        return csrf_failure(request, reason)
    if request.headers.get("HX-Request") == "true":
        response = render(request, "403_csrf.html#again", status=HTTPStatus.FORBIDDEN)
        response[FRESH_TOKEN] = get_token(request)
        return response
    sent = request.POST.lists()
    fields = [(name, value) for name, values in sent for value in values if name != "csrfmiddlewaretoken"]
    context = {"fields": fields, "address": request.get_full_path()}
    return render(request, "403_csrf.html", context, status=HTTPStatus.FORBIDDEN)
