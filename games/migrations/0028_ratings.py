"""Ratings, what games do to them, and whom open games take."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0027_removed_seats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Punctuality",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("played", models.PositiveIntegerField(default=0, verbose_name="turns in time")),
                ("missed", models.PositiveIntegerField(default=0, verbose_name="turns missed")),
            ],
            options={
                "verbose_name": "turns played in time",
                "verbose_name_plural": "turns played in time",
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "pool",
                    models.CharField(
                        choices=[("duel", "2 players"), ("table", "3 to 6 players")], max_length=8, verbose_name="games"
                    ),
                ),
                ("mu", models.FloatField(default=25.0, verbose_name="mean")),
                ("sigma", models.FloatField(default=8.333333333333334, verbose_name="deviation")),
                ("games", models.PositiveIntegerField(default=0, verbose_name="rated games")),
                ("played_at", models.DateTimeField(blank=True, null=True, verbose_name="last rated game")),
                ("least", models.FloatField(default=8.333333333333332, verbose_name="rating at least")),
                ("listed", models.BooleanField(default=False, verbose_name="on leaderboards")),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(verbose_name="number")),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                ("mu_before", models.FloatField(verbose_name="mean before")),
                ("sigma_before", models.FloatField(verbose_name="deviation before")),
                ("mu_after", models.FloatField(verbose_name="mean after")),
                ("sigma_after", models.FloatField(verbose_name="deviation after")),
                ("games", models.PositiveIntegerField(verbose_name="rated games")),
                ("at", models.DateTimeField(verbose_name="end of the game")),
            ],
            options={
                "verbose_name": "change of a rating",
                "verbose_name_plural": "changes of ratings",
            },
        ),
        migrations.CreateModel(
            name="RatingCounter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("last", models.PositiveBigIntegerField(default=0, verbose_name="last number")),
            ],
            options={
                "verbose_name": "counter of rated games",
                "verbose_name_plural": "counters of rated games",
            },
        ),
        migrations.CreateModel(
            name="RatingMonth",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "pool",
                    models.CharField(
                        choices=[("duel", "2 players"), ("table", "3 to 6 players")], max_length=8, verbose_name="games"
                    ),
                ),
                ("month", models.DateField(verbose_name="month")),
                ("games", models.PositiveIntegerField(verbose_name="rated games")),
                ("gain", models.IntegerField(verbose_name="gain")),
            ],
            options={
                "verbose_name": "month of a rating",
                "verbose_name_plural": "months of ratings",
            },
        ),
        migrations.AddField(
            model_name="game",
            name="punctual_from",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="turns in time, in per cent"),
        ),
        migrations.AddField(
            model_name="game",
            name="rated",
            field=models.BooleanField(db_default=False, default=False, verbose_name="rated"),
        ),
        migrations.AddField(
            model_name="game",
            name="rating_from",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="rating from"),
        ),
        migrations.AddField(
            model_name="game",
            name="rating_number",
            field=models.PositiveBigIntegerField(
                blank=True, null=True, unique=True, verbose_name="number among rated games"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="rating_to",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="rating to"),
        ),
        migrations.AddField(
            model_name="game",
            name="settled",
            field=models.BooleanField(db_default=False, default=False, verbose_name="settled"),
        ),
        migrations.AddField(
            model_name="game",
            name="unrated",
            field=models.CharField(
                blank=True,
                choices=[
                    ("bots", "with a computer player"),
                    ("guests", "with a guest"),
                    ("household", "within one household"),
                    ("unplayed", "ended before everyone had a turn"),
                ],
                db_default="",
                default="",
                max_length=10,
                verbose_name="why not rated",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("settled", False), ("status", "finished")),
                fields=["-rated", "finished_at", "id"],
                name="game_to_settle",
            ),
        ),
        migrations.AddField(
            model_name="punctuality",
            name="user",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="punctuality",
                to=settings.AUTH_USER_MODEL,
                verbose_name="person",
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="ratings",
                to=settings.AUTH_USER_MODEL,
                verbose_name="person",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="rating",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.rating",
                verbose_name="rating",
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="rating",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="changes",
                to="games.rating",
                verbose_name="rating",
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="seat",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rating_change",
                to="games.seat",
                verbose_name="seat",
            ),
        ),
        migrations.AddField(
            model_name="ratingmonth",
            name="rating",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="months",
                to="games.rating",
                verbose_name="rating",
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=models.Q(("listed", True)), fields=["pool", "-least", "id"], name="rating_best"
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(condition=models.Q(("listed", True)), fields=["played_at"], name="rating_listed"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("user", "pool"), name="rating_once_a_pool"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("pool__in", ["duel", "table"])), name="rating_pool_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(condition=models.Q(("sigma__gt", 0)), name="rating_sigma_positive"),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(fields=("rating", "number"), name="rating_change_once_a_game"),
        ),
        migrations.AddIndex(
            model_name="ratingmonth",
            index=models.Index(
                condition=models.Q(("games__gte", 3)), fields=["pool", "month", "-gain", "id"], name="rating_month_best"
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingmonth",
            constraint=models.UniqueConstraint(fields=("rating", "month"), name="rating_month_once"),
        ),
    ]
