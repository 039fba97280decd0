"""Two tables that the benchmark makes and drops."""

from django.db import models


class Row(models.Model):
    """What is locked and updated."""

    version = models.PositiveIntegerField(default=0)

    class Meta:
        managed = False
        db_table = "floor_row"

    def __str__(self) -> str:
        return f"{self.pk}"


class Line(models.Model):
    """What is inserted."""

    row = models.ForeignKey(Row, on_delete=models.CASCADE)
    seq = models.PositiveIntegerField()
    turn = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "floor_line"

    def __str__(self) -> str:
        return f"{self.seq}"
