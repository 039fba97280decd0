"""Clocks, holidays, pauses, remarks, proposals and heartbeats; and triggers that keep remarks as they are."""

from datetime import timedelta
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

import games.models
from engine.chain import setup_digest
from games.models.append_only import append_only, installing, removing

OPEN_FOR = timedelta(days=14)
RESERVE_OF_RELAXED = 3 * 24 * 60 * 60
STATEMENTS = append_only("games_remark", "remarks are append-only")


def give_clocks(apps: Any, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give games that are there already the default terms; the first sweep starts the clock of who is to move."""
    game, seat = apps.get_model("games", "Game"), apps.get_model("games", "Seat")
    game.objects.filter(status="open").update(expires_at=F("created_at") + OPEN_FOR)
    seat.objects.filter(user__isnull=False).update(reserve=RESERVE_OF_RELAXED)
    for row in game.objects.filter(setup__isnull=False).iterator():
        row.nameless_digest = setup_digest({**row.setup, "players": []})
        row.save(update_fields=["nameless_digest"])


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_append_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("at", models.DateTimeField(verbose_name="at")),
            ],
            options={
                "verbose_name": "consent",
                "verbose_name_plural": "consents",
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=32, unique=True, verbose_name="name")),
                ("at", models.DateTimeField(verbose_name="at")),
            ],
            options={
                "verbose_name": "heartbeat",
                "verbose_name_plural": "heartbeats",
            },
        ),
        migrations.CreateModel(
            name="Holiday",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.DateField(verbose_name="first day")),
                ("last", models.DateField(verbose_name="last day")),
            ],
            options={
                "verbose_name": "holiday",
                "verbose_name_plural": "holidays",
            },
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=10, verbose_name="reason")),
                ("start", models.DateTimeField(verbose_name="from")),
                ("end", models.DateTimeField(blank=True, null=True, verbose_name="to")),
                ("credited", models.BooleanField(default=False, verbose_name="given back")),
            ],
            options={
                "verbose_name": "pause",
                "verbose_name_plural": "pauses",
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("cancel", "to cancel the game"), ("contract", "other terms of time")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(verbose_name="asked by seat")),
                ("contract", models.JSONField(blank=True, null=True, verbose_name="proposed time contract")),
                ("asked_at", models.DateTimeField(verbose_name="asked at")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed at")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("accepted", "accepted"),
                            ("refused", "refused"),
                            ("withdrawn", "withdrawn"),
                            ("lapsed", "lapsed"),
                        ],
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
            ],
            options={
                "verbose_name": "proposal",
                "verbose_name_plural": "proposals",
            },
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("after", models.PositiveIntegerField(verbose_name="after entry")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("outage", "time given back after an outage"),
                            ("paused", "clock stopped by the staff"),
                            ("resumed", "clock started by the staff"),
                            ("asked", "consent asked for"),
                            ("agreed", "consent given"),
                            ("refused", "consent refused"),
                            ("withdrawn", "proposal withdrawn"),
                            ("lapsed", "proposal lapsed"),
                            ("new-contract", "other terms of time"),
                            ("cancelled", "game cancelled"),
                            ("expired", "open game expired"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat")),
                ("params", models.JSONField(default=dict, verbose_name="parameters")),
            ],
            options={
                "verbose_name": "remark",
                "verbose_name_plural": "remarks",
            },
        ),
        migrations.AddField(
            model_name="game",
            name="contract",
            field=models.JSONField(default=games.models.default_time_control, verbose_name="time contract"),
        ),
        migrations.AddField(
            model_name="game",
            name="deadline",
            field=models.DateTimeField(blank=True, null=True, verbose_name="deadline"),
        ),
        migrations.AddField(
            model_name="game",
            name="expires_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="open until"),
        ),
        migrations.AddField(
            model_name="game",
            name="expiry_told",
            field=models.BooleanField(default=False, verbose_name="told that it is about to expire"),
        ),
        migrations.AddField(
            model_name="game",
            name="nameless_digest",
            field=models.CharField(blank=True, max_length=64, verbose_name="digest of the set-up without names"),
        ),
        migrations.AddField(
            model_name="seat",
            name="allowance",
            field=models.PositiveIntegerField(default=0, verbose_name="allowance left"),
        ),
        migrations.AddField(
            model_name="seat",
            name="misses",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="turns missed in a row"),
        ),
        migrations.AddField(
            model_name="seat",
            name="reserve",
            field=models.PositiveIntegerField(default=0, verbose_name="reserve left"),
        ),
        migrations.AddField(
            model_name="seat",
            name="since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="as of"),
        ),
        migrations.AddField(
            model_name="seat",
            name="zone",
            field=models.CharField(blank=True, max_length=64, verbose_name="time zone of the turn"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(condition=models.Q(("deadline__isnull", False)), fields=["deadline"], name="game_due"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("bot_to_move", False), ("deadline__isnull", True), ("status", "active")),
                fields=["id"],
                name="game_without_deadline",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(condition=models.Q(("status", "open")), fields=["expires_at"], name="game_open_until"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deadline__isnull", True), models.Q(("bot_to_move", False), ("status", "active")), _connector="OR"
                ),
                name="game_deadline_of_person_to_move",
            ),
        ),
        migrations.AddField(
            model_name="holiday",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="holidays",
                to=settings.AUTH_USER_MODEL,
                verbose_name="person",
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="game",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="pauses",
                to="games.game",
                verbose_name="game",
            ),
        ),
        migrations.AddField(
            model_name="proposal",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="proposals",
                to="games.game",
                verbose_name="game",
            ),
        ),
        migrations.AddField(
            model_name="consent",
            name="proposal",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="consents",
                to="games.proposal",
                verbose_name="proposal",
            ),
        ),
        migrations.AddField(
            model_name="remark",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="remarks",
                to="games.game",
                verbose_name="game",
            ),
        ),
        migrations.AddField(
            model_name="remark",
            name="pause",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="remarks",
                to="games.pause",
                verbose_name="pause",
            ),
        ),
        migrations.AddIndex(
            model_name="holiday",
            index=models.Index(fields=["user", "last"], name="holiday_by_person"),
        ),
        migrations.AddConstraint(
            model_name="holiday",
            constraint=models.UniqueConstraint(fields=("user", "first"), name="holiday_first_once_a_person"),
        ),
        migrations.AddConstraint(
            model_name="holiday",
            constraint=models.CheckConstraint(
                condition=models.Q(("last__gte", models.F("first"))), name="holiday_not_backwards"
            ),
        ),
        migrations.AddIndex(
            model_name="pause",
            index=models.Index(condition=models.Q(("game__isnull", True)), fields=["end"], name="pause_of_site"),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("game__isnull", False), ("reason", "staff")),
                    models.Q(
                        ("end__isnull", False),
                        ("game__isnull", True),
                        ("reason", "outage"),
                    ),
                    _connector="OR",
                ),
                name="pause_of_game_or_site",
            ),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.CheckConstraint(
                condition=models.Q(("end__isnull", True), ("end__gte", models.F("start")), _connector="OR"),
                name="pause_not_backwards",
            ),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.UniqueConstraint(
                condition=models.Q(("end__isnull", True)), fields=("game",), name="pause_open_once_a_game"
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)), fields=("game",), name="proposal_open_once_a_game"
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["cancel", "contract"])), name="proposal_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("outcome", "")),
                    models.Q(
                        ("closed_at__isnull", False), ("outcome__in", ["accepted", "refused", "withdrawn", "lapsed"])
                    ),
                    _connector="OR",
                ),
                name="proposal_closed_with_outcome",
            ),
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("contract__isnull", True), ("kind", "cancel")),
                    models.Q(("contract__isnull", False), ("kind", "contract")),
                    _connector="OR",
                ),
                name="proposal_terms_to_consent_to",
            ),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.UniqueConstraint(fields=("proposal", "seat"), name="consent_once_a_seat"),
        ),
        migrations.AddIndex(
            model_name="remark",
            index=models.Index(fields=["game", "-at"], name="remark_of_game"),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "outage",
                            "paused",
                            "resumed",
                            "asked",
                            "agreed",
                            "refused",
                            "withdrawn",
                            "lapsed",
                            "new-contract",
                            "cancelled",
                            "expired",
                        ],
                    )
                ),
                name="remark_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.UniqueConstraint(fields=("game", "pause", "kind"), name="remark_kind_once_a_pause"),
        ),
        migrations.RunPython(installing(STATEMENTS), removing(STATEMENTS)),
        migrations.RunPython(give_clocks, migrations.RunPython.noop),
    ]
