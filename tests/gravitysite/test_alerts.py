"""The alarms that Prometheus is given name figures that there are, and sections that say what to do."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.notices.models import Notice
from games.notices.outbox import enqueue_test
from gravitysite.metrics import write_live_metrics, write_metrics

ROOT = Path(__file__).resolve().parents[2]
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())["groups"] for rule in group["rules"]
]
OPERATIONS = (ROOT / "docs/operations.md").read_text()
FIGURE = re.compile(r"\b(gravity_\w+)(\{[^}]*\})?")
EACH = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])


def anchors(text: str) -> set[str]:
    """Return what the headings of a page are called in links to them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@EACH
def test_each_alarm_waits_is_graded_says_what_it_is_and_where_to_read_on(rule: dict[str, Any]) -> None:
    assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
    assert re.fullmatch(r"\d+[mh]", rule["for"])
    assert rule["labels"]["severity"] in {"critical", "warning"}
    assert rule["annotations"]["summary"].endswith(".")
    page, _hash, anchor = rule["annotations"]["runbook"].partition("#")
    assert page == "docs/operations.md"
    section = re.split(r"^#+ ", OPERATIONS, flags=re.MULTILINE)
    (found,) = [part for part in section if anchor in anchors(f"# {part.partition('\n')[0]}")]
    assert f"`{rule['alert']}`" in found


def test_no_two_alarms_have_one_name() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names)) > 10


@pytest.mark.django_db
@pytest.mark.redis
def test_each_alarm_asks_for_figures_that_there_are(ada: User, settings: Settings, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    now = timezone.now()
    enqueue_test(ada, now)
    Notice.objects.update(state="failed", cause="gave-up", closed_at=now)
    written = (write_metrics(now) + write_live_metrics()).decode()
    asked = [match.groups() for rule in RULES for match in FIGURE.finditer(rule["expr"])]
    assert {name for name, _labels in asked} <= set(re.findall(r"^# TYPE (\w+)", written, re.MULTILINE))
    for name, labels in asked:
        chosen = [line for line in written.splitlines() if line.startswith(name)]
        assert chosen, name
        if labels is not None:
            alike = [labels.strip("{}").replace("!=", "=") in line for line in chosen]
            assert any(alike), (name, labels)
            assert "!=" not in labels or not all(alike), (name, labels)


@pytest.mark.django_db
@pytest.mark.redis
def test_each_figure_is_in_the_table_of_operations(settings: Settings, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    table = "\n".join(line for line in OPERATIONS.splitlines() if line.startswith("| `gravity_"))
    named = re.findall(r"^# TYPE (\w+)", write_metrics(timezone.now()).decode(), re.MULTILINE)
    assert sorted(named) == sorted(re.findall(r"^\| `(\w+)", table, re.MULTILINE))
