"""The spectators' room, reactions, marks of what is read, and mutes of messages."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.models.append_only import append_only, installing, removing

STATEMENTS = append_only("games_spectatormessage", "messages of spectators are append-only")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_ended_seats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Spectator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "spectator",
                "verbose_name_plural": "spectators",
            },
        ),
        migrations.CreateModel(
            name="SpectatorMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("text", models.CharField(max_length=1000, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spectator_messages",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "spectator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="games.spectator",
                        verbose_name="spectator",
                    ),
                ),
            ],
            options={
                "verbose_name": "spectator’s message",
                "verbose_name_plural": "spectators’ messages",
            },
        ),
        migrations.CreateModel(
            name="Reaction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("move", models.PositiveIntegerField(blank=True, null=True, verbose_name="number of the entry")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("thumb", "thumbs up"),
                            ("star", "a star"),
                            ("laugh", "laughter"),
                            ("wow", "surprise"),
                            ("sad", "a tear"),
                            ("heart", "a heart"),
                        ],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.message",
                        verbose_name="message",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "spectator_message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.spectatormessage",
                        verbose_name="spectator’s message",
                    ),
                ),
            ],
            options={
                "verbose_name": "reaction",
                "verbose_name_plural": "reactions",
            },
        ),
        migrations.AddField(
            model_name="report",
            name="spectator_message",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.spectatormessage",
                verbose_name="spectator’s message",
            ),
        ),
        migrations.CreateModel(
            name="TalkMute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("player", "the messages of one player"),
                            ("messages", "news of the players’ messages"),
                            ("spectators", "the spectators’ messages"),
                        ],
                        max_length=10,
                        verbose_name="what",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(default=0, verbose_name="seat")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "mute of messages",
                "verbose_name_plural": "mutes of messages",
            },
        ),
        migrations.CreateModel(
            name="SeenMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("up_to", models.BigIntegerField(verbose_name="up to the message")),
                ("at", models.DateTimeField(blank=True, null=True, verbose_name="at")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "mark of what is read",
                "verbose_name_plural": "marks of what is read",
                "constraints": [models.UniqueConstraint(fields=("user", "game"), name="seen_mark_once_a_game")],
            },
        ),
        migrations.AddConstraint(
            model_name="spectator",
            constraint=models.UniqueConstraint(fields=("user", "game"), name="spectator_once_a_game"),
        ),
        migrations.AddIndex(
            model_name="spectatormessage",
            index=models.Index(fields=["spectator", "at"], name="spectator_message_at"),
        ),
        migrations.AddConstraint(
            model_name="spectatormessage",
            constraint=models.UniqueConstraint(fields=("game", "number"), name="spectator_message_once"),
        ),
        migrations.AddConstraint(
            model_name="spectatormessage",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="spectator_message_numbered"
            ),
        ),
        migrations.AddConstraint(
            model_name="spectatormessage",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="spectator_message_not_empty"
            ),
        ),
        migrations.AddIndex(
            model_name="reaction",
            index=models.Index(fields=["game", "move"], name="reaction_to_move"),
        ),
        migrations.AddConstraint(
            model_name="reaction",
            constraint=models.UniqueConstraint(fields=("user", "message", "kind"), name="reaction_to_message_once"),
        ),
        migrations.AddConstraint(
            model_name="reaction",
            constraint=models.UniqueConstraint(fields=("user", "game", "move", "kind"), name="reaction_to_move_once"),
        ),
        migrations.AddConstraint(
            model_name="reaction",
            constraint=models.UniqueConstraint(
                fields=("user", "spectator_message", "kind"), name="reaction_to_spectator_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="reaction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("message__isnull", False), ("move__isnull", True), ("spectator_message__isnull", True)),
                    models.Q(("message__isnull", True), ("move__isnull", False), ("spectator_message__isnull", True)),
                    models.Q(("message__isnull", True), ("move__isnull", True), ("spectator_message__isnull", False)),
                    _connector="OR",
                ),
                name="reaction_to_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="talkmute",
            constraint=models.UniqueConstraint(fields=("user", "game", "what", "seat"), name="talk_mute_once"),
        ),
        migrations.AddConstraint(
            model_name="talkmute",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("seat__gte", 1), ("what", "player")),
                    models.Q(models.Q(("what", "player"), _negated=True), ("seat", 0)),
                    _connector="OR",
                ),
                name="talk_mute_of_a_seat",
            ),
        ),
        migrations.RunPython(installing(STATEMENTS), removing(STATEMENTS)),
    ]
