"""The site's real processes: the very commands of docker-compose.yml, run against the servers of a test.

Nothing here knows how to start the site by itself: commands and environment are read from the compose file, its
``${VARIABLES}`` filled in as Docker would, and only the addresses of the servers are replaced.
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests import leftovers
from tests.services import HOST, PATIENCE, free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]
COMPOSE_FILE = ROOT / "docker-compose.yml"
SITE_HOST = "gravity.example"
WORKER = "worker"
"""What the names of all services begin with that work on a queue."""
OUTLETS = "worker-outlets"
SECRETS = {
    "SECRET_KEY": "stack-secret-key-that-must-never-be-logged-0123456789-abcdef",
    "POSTGRES_PASSWORD": "stack-database-password",
    "REDIS_PASSWORD": "stack/broker#password",
    "METRICS_TOKEN": "stack-metrics-token",
}
_VARIABLE = re.compile(r"\$\{(?P<name>[A-Z_]+)(?:(?P<how>:-|:\?)(?P<rest>[^}]*))?\}|\$\$")


class MissingVariableError(Exception):
    """The compose file asks for a variable that is not set."""


def interpolate(text: str, variables: Mapping[str, str]) -> str:
    """Fill in ``${NAME}``, ``${NAME:-default}`` and ``${NAME:?message}`` as Docker Compose does."""

    def value(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return "$"
        found = variables.get(name, "")
        if not found and match["how"] == ":?":
            raise MissingVariableError(match["rest"])
        return found or (match["rest"] if match["how"] == ":-" else "")

    return _VARIABLE.sub(value, text)


def read_compose() -> dict[str, Any]:
    """Return the compose file."""
    content: dict[str, Any] = yaml.safe_load(COMPOSE_FILE.read_text())
    return content


@dataclass
class Stack:
    """The site as docker-compose.yml runs it, with servers of the test's choosing."""

    home: Path
    database_url: str
    redis_url: str
    mail_url: str
    static_root: Path
    variables: dict[str, str] = field(default_factory=dict)
    redis_password: str = ""
    port: int = field(default_factory=free_port)
    live_port: int = field(default_factory=free_port)
    is_migrated: bool = False
    """Whether the database has the site's tables already; only who shares a stack lets its own service make them."""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.compose = read_compose()
        self.variables = {
            **SECRETS,
            "SITE_HOST": SITE_HOST,
            "MAIL_URL": self.mail_url,
            "BEAT_SCHEDULE": str(self.sign_of_life("beat")),
            "LIVE_PORT": str(self.live_port),
            "LOG_LEVEL": "DEBUG",
            "RATE_WRITES": "100000",
            "RATE_PREVIEWS": "100000",
            **self.variables,
        }

    # Commands and environment

    def command(self, service: str) -> list[str]:
        """Return a service's command; its program is the one that belongs to this Python."""
        program, *rest = shlex.split(interpolate(self.compose["services"][service]["command"], self.variables))
        return [str(Path(sys.executable).parent / program), *rest]

    def environment(self, service: str = "web") -> dict[str, str]:
        """Return a service's environment, with the addresses of the test's servers."""
        stated = {
            name: interpolate(value, self.variables)
            for name, value in self.compose["services"][service]["environment"].items()
        }
        replaced = {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "REDIS_PASSWORD": self.redis_password,
            "PORT": str(self.port),
            "PROBE_URL": f"http://{HOST}:{self.port}",
            "STATIC_ROOT": str(self.static_root),
            "SIGN_OF_LIFE": str(self.sign_of_life(service)),
        }
        return leftovers.environment(**{**stated, **replaced})

    # Processes

    def start(self, service: str, *, name: str | None = None, more: Mapping[str, str] | None = None) -> None:
        """Start a service, called ``name`` if there are two of it, with ``more`` in its environment.

        ``worker`` stands for all workers, one a queue; they write to one log.
        """
        if service == WORKER:
            for one in self.workers():
                self.start(one, more=more)
            return
        name = name or service
        with self.log(name).open("ab") as output:
            self.processes[name] = subprocess.Popen(
                self.command(service),
                cwd=ROOT,
                env={**self.environment(service), **(more or {})},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def start_site(self) -> None:
        """Migrate where it is still to be done, start web, worker and beat; wait until pages are served."""
        if not self.is_migrated:
            self.migrate()
        for service in ("web", WORKER, "beat"):
            self.start(service)
        self.wait_for_web()

    def migrate(self) -> None:
        """Run the one-shot service that migrates."""
        self.run(*self.command("migrate"))

    def wait_for_web(self) -> None:
        """Wait until the web server's own health check, as the compose file states it, is content."""
        wait_until(
            lambda: self.is_listening() and self.is_healthy("web"),
            what=f"the web server ({self.log('web').read_text()[-2000:]})",
        )

    def is_listening(self) -> bool:
        """Return whether anything listens at the web server's port: cheaper to ask than its health."""
        with socket.socket() as client:
            return client.connect_ex((HOST, self.port)) == 0

    def is_healthy(self, service: str) -> bool:
        """Return what a service's health check says, as the compose file states it; it must not end anything."""
        _kind, _python, *check = self.compose["services"][service]["healthcheck"]["test"]
        env = {**self.environment(service), "MAIN_PID": "0"}
        return (
            subprocess.run([sys.executable, *check], cwd=ROOT, env=env, capture_output=True, check=False).returncode
            == 0
        )

    def stop(self, name: str, *, how: int = signal.SIGTERM, seconds: float = 30) -> None:
        """Stop a process with its children and wait for its end; SIGKILL is a crash. ``worker`` stands for all."""
        if name == WORKER:
            for one in self.workers():
                self.stop(one, how=how, seconds=seconds)
            return
        process = self.processes.pop(name)
        group = process.pid
        if how == signal.SIGKILL:
            os.killpg(group, how)
        else:
            process.send_signal(how)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(group, signal.SIGKILL)
            process.wait()

    def stop_all(self) -> None:
        """End everything that was started, at once."""
        for name in list(self.processes):
            self.stop(name, how=signal.SIGKILL)

    def manage(self, *arguments: str, input_text: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run ``manage.py`` with the site's settings; returns also when it fails."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**self.environment(), "LOG_LEVEL": "ERROR"},
            input=input_text,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *command: str) -> None:
        """Run a command with the site's settings; raises `RuntimeError` with its output if it fails."""
        result = subprocess.run(
            command, cwd=ROOT, env=self.environment(), capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        if result.returncode:
            raise RuntimeError(f"{shlex.join(command)} failed:\n{result.stdout}\n{result.stderr}")

    # What can be seen of it

    def log(self, name: str) -> Path:
        """Return the file with all that a process wrote."""
        return self.home / f"{WORKER if name.startswith(WORKER) else name}.log"

    def sign_of_life(self, service: str) -> Path:
        """Return the file that a worker, or beat, touches."""
        return self.home / f"{service}.alive"

    def workers(self) -> list[str]:
        """Return the services that work on a queue, but for one: nobody here has an outlet who does not start it."""
        return [service for service in self.compose["services"] if service.startswith(WORKER) and service != OUTLETS]

    def all_logs(self) -> str:
        """Return all that was logged by anything so far."""
        return "\n".join(path.read_text() for path in sorted(self.home.glob("*.log")))

    def verify(self) -> None:
        """Assert that replaying every log gives exactly what is stored."""
        result = self.manage("verify_games")
        assert result.returncode == 0, result.stdout + result.stderr

    def wait(self, ready: Any, *, what: str, seconds: float = PATIENCE) -> None:
        """Wait for something that the site does; on failure show its last log lines."""
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not happen in {seconds} s\n{self.all_logs()[-4000:]}")
            time.sleep(0.2)


def address(stack: Stack) -> tuple[str, int]:
    """Return where the web server listens."""
    return HOST, stack.port
