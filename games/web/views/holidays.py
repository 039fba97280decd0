"""A person's holidays."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from games import commands, queries
from games.clock import ClockError
from games.errors import GameError
from games.web.answers import reader_of
from games.web.forms.time import HolidayForm
from games.words.refusals import explain


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def holidays(request: HttpRequest) -> HttpResponse:
    """List the reader's holidays with what is left of the year, and set another one."""
    form = HolidayForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        first, last = form.days()
        try:
            commands.add_holiday(user=reader_of(request), first=first, last=last, now=timezone.now())
        except ClockError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("Your holiday has been saved."))
            return redirect("holidays")
    return show_holidays(request, form, HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK)


@login_required
@require_POST
def drop_holiday(request: HttpRequest, number: int) -> HttpResponse:
    """Take back what is still to come of a holiday."""
    try:
        commands.drop_holiday(user=reader_of(request), holiday_id=number, now=timezone.now())
    except (ClockError, GameError) as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, gettext("The remaining days of this holiday were cancelled."))
    return redirect("holidays")


def show_holidays(request: HttpRequest, form: HolidayForm, status: int) -> HttpResponse:
    """Render the page."""
    context = {"form": form, "holidays": queries.holidays_of(reader_of(request), timezone.now())}
    return render(request, "account/holidays.html", context, status=status)
