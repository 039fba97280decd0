"""One locked row, one insert, one update, one page of 10 kB."""

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST

from benchmarks.floor.models import Line, Row


@require_POST
@login_required
def turn(request: HttpRequest, pk: int) -> HttpResponse:
    """Note a turn and show a page."""
    with transaction.atomic(durable=True):
        row = Row.objects.select_for_update(no_key=True).get(pk=pk)
        row.version += 1
        Line.objects.create(row=row, seq=row.version, turn=request.POST["steps"], at=timezone.now())
        Row.objects.filter(pk=pk).update(version=row.version)
    return render(request, "floor.html", {"row": row})
