"""Notices are counted by result for each scrape of the figures."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0009_burdens")]

    operations = [migrations.AddIndex("notice", models.Index(fields=["state", "cause"], name="notice_result"))]
