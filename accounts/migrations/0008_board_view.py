from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_count_refused"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="board_view",
            field=models.CharField(
                choices=[("printed", "as printed"), ("upright", "own pawn upright")],
                db_default="printed",
                default="printed",
                max_length=8,
                verbose_name="view of the board",
            ),
        ),
    ]
