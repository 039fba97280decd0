"""The compose file, the settings and the page about operations agree."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

import accounts.tasks
import games.tasks
from tests.stack.stack import SECRETS, MissingVariableError, interpolate, read_compose

ROOT = Path(__file__).resolve().parents[2]
TASKS = (accounts.tasks, games.tasks)
ELSEWHERE = {"DATA_DIR", "PORT", "STATIC_ROOT", "EMAIL_VERIFICATION", "BOT_PROCESSES", "BEAT_SCHEDULE"}
"""Variables that the containers leave at their defaults, or that compose itself uses."""
WORKERS = {f"worker-{queue}" for queue in ("timers", "bots", "mail", "outlets", "reviews")}


def read_by(path: str) -> set[str]:
    """Return the names of the variables that a Python file reads from the environment."""
    names = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        name = ast.unparse(node.func)
        if name.startswith("env.") or name in {"number", "os.environ.get"}:
            names.add(str(node.args[0].value))
    return names


VARIABLES = read_by("gravitysite/settings.py") | read_by("deploy/gunicorn.conf.py")


def test_variables_are_found_at_all() -> None:
    assert {"SECRET_KEY", "DATABASE_URL", "WEB_WORKERS", "METRICS_TOKEN", "DATABASE_POOL"} <= VARIABLES


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_each_variable_is_in_the_table_of_operations(name: str) -> None:
    table = [line for line in (ROOT / "docs/operations.md").read_text().splitlines() if line.startswith("|")]
    assert any(f"`{name}`" in line.split("|")[1] for line in table)


def test_each_variable_reaches_the_containers() -> None:
    passed = set(read_compose()["services"]["web"]["environment"])
    assert VARIABLES - passed - ELSEWHERE == set()


def test_each_required_variable_is_in_the_example_and_the_example_has_no_secret() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    required = set(re.findall(r"\$\{([A-Z_]+):\?", compose))
    lines = [line for line in (ROOT / "deploy/env.example").read_text().splitlines() if "=" in line and line[0] != "#"]
    example = dict(line.split("=", 1) for line in lines)
    assert required <= set(example)
    assert set(example.values()) == {""}


def test_a_missing_secret_stops_the_start_by_name() -> None:
    with pytest.raises(MissingVariableError, match="SECRET_KEY"):
        interpolate(read_compose()["services"]["web"]["environment"]["SECRET_KEY"], {})


def test_every_service_of_the_sites_code_is_bound_and_watched() -> None:
    services = read_compose()["services"]
    ours = {name for name, service in services.items() if service.get("image") == "gravity-site"}
    assert ours == {"migrate", "web", "live", *WORKERS, "beat"}
    for name in ours:
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
        assert "healthcheck" in services[name]
        assert all(
            text.startswith("service_")
            for text in (need["condition"] for need in services[name]["depends_on"].values())
        )


def test_each_foreign_image_can_be_fixed_by_a_variable_that_operations_names() -> None:
    images = {name: service["image"] for name, service in read_compose()["services"].items() if "image" in service}
    foreign = {name: image for name, image in images.items() if image != "gravity-site"}
    foreign["python"] = read_compose()["x-app"]["build"]["args"]["BASE_IMAGE"]
    assert set(foreign) == {"db", "redis", "proxy", "mailpit", "python"}
    operations = (ROOT / "docs/operations.md").read_text()
    for image in foreign.values():
        variable, release = re.fullmatch(r"\$\{([A-Z_]+_IMAGE):-[a-z/]+:([\w.-]+)\}", image).groups()
        assert f"`{variable}`" in operations
        assert re.search(r"\d", release)
        assert interpolate(image, {variable: "other@sha256:0"}) == "other@sha256:0"


def test_each_queue_has_a_worker_of_its_own_that_is_watched() -> None:
    services = read_compose()["services"]
    for queue in settings.CELERY_TASK_QUEUES:
        worker = services[f"worker-{queue.name}"]
        assert f" --queues {queue.name} " in worker["command"]
        assert worker["healthcheck"]["test"][2:] == ["deploy/is_alive.py", "worker", queue.name]
        assert worker["restart"] == "unless-stopped"


def test_networks_hold_what_must_speak_and_only_the_proxy_is_open() -> None:
    compose = read_compose()
    services, networks = compose["services"], compose["networks"]
    on = {name: {service for service in services if name in services[service]["networks"]} for name in networks}
    ours = {"web", "live", *WORKERS}
    assert on["data"] == {"db", "migrate", *ours}
    assert on["broker"] == {"redis", "beat", *ours}
    assert on["front"] == {"web", "live", "proxy"}
    assert on["internet"] == {"web", "worker-mail", "worker-outlets", "worker-timers", "proxy", "mailpit"}
    assert {name for name in networks if not (networks[name] or {}).get("internal")} == {"internet"}
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert set(published) == {"proxy", "mailpit"}
    assert all(port.startswith("127.0.0.1:") for port in published["mailpit"])


def test_each_task_has_an_end() -> None:
    limits = [task.time_limit for module in TASKS for task in vars(module).values() if hasattr(task, "time_limit")]
    assert len(limits) >= 6
    assert all(limits)


def test_no_secret_of_the_tests_is_in_the_compose_file() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    assert not any(secret in compose for secret in SECRETS.values())


def test_the_web_server_imports_every_view_before_the_first_request() -> None:
    look = "import sys, gravitysite.wsgi; sys.exit('games.api.views.games' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look], cwd=ROOT, check=False).returncode == 0
