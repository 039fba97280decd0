"""The way out of invitations by mail, for who has no account."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games import commands
from games.delivery.invitation import read_stop_token


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_invitations(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether invitations to an address are to end (GET), or end them (POST), as mail programs do by themselves.

    The signed word in the address of the page is what gives the right; it gives no other.
    """
    address = _address(token)
    if request.method == "POST":
        commands.refuse_invitations(address=address, now=timezone.now())
    return _show(request, token, address, "stopped" if request.method == "POST" else "asked")


@csrf_exempt
@never_cache
@require_POST
def allow_invitations(request: HttpRequest, token: str) -> HttpResponse:
    """The way back from `stop_invitations`."""
    address = _address(token)
    commands.allow_invitations(address=address)
    return _show(request, token, address, "allowed")


def _address(token: str) -> str:
    address = read_stop_token(token)
    if address is None:
        raise Http404
    return address


def _show(request: HttpRequest, token: str, address: str, step: str) -> HttpResponse:
    return render(request, "games/stop_invitations.html", {"step": step, "token": token, "address": address})
