"""``manage.py fold_names``."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from accounts.models import User
from accounts.names import skeleton


class Command(BaseCommand):
    """Writes anew what each name looks like, after an update of the library that knows which characters look alike.

    Names that came to look alike are kept; the owner of the later one is asked for another.
    """

    help = "Write anew which names look alike, after an update of disarm."

    @transaction.atomic
    def handle(self, *_args: Any, **_options: Any) -> None:
        rows = list(User.objects.order_by("date_joined", "pk").values_list("pk", "display_name", "name_skeleton"))
        # None may stand in the way of another while they change.
        User.objects.update(name_skeleton=Concat(Value("\n"), Cast("pk", CharField())))
        taken: set[str] = set()
        changed = 0
        for pk, name, before in rows:
            looks = skeleton(name)
            stored = f"{looks}\n{pk}" if looks in taken else looks
            taken.add(looks)
            changed += stored != before
            User.objects.filter(pk=pk).update(name_skeleton=stored)
            if stored not in {looks, before}:
                User.objects.filter(pk=pk).update(name_asked=True)
        self.stdout.write(f"{changed} names look different now.")
