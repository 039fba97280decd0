"""Views and tasks leave the database to queries and commands, and no view leans on another one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VIEWS = "games/web/views"
TASKS = "games/tasks"
MODULES = sorted(str(path.relative_to(ROOT)) for room in (VIEWS, TASKS) for path in (ROOT / room).glob("*.py"))
ORM = {"objects", "filter", "exclude", "aggregate", "annotate", "select_related", "prefetch_related", "values_list"}
SHORTCUTS = {"get_object_or_404", "get_list_or_404", "aget_object_or_404", "aget_list_or_404"}
BREAKS = [
    "from django.db import transaction",
    "from django.db.models import Q",
    "import django.db.models.functions",
    "from django import db",
    "rows = Game.objects.all()",
    "rows = game.entries.filter(seq=3)",
    "game.save()",
    "row = get_object_or_404(Game, key=key)",
]


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case ast.ImportFrom(module=module, names=names):
                yield f"relative {module or ''}"


def uses_of_the_database(source: str) -> list[str]:
    tree = ast.parse(source)
    found = [name for name in imported(tree) if name == "django.db" or name.startswith("django.db.")]
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if name in ORM:
                found.append(f".{name}")
            case ast.Call(func=ast.Attribute(attr="save" | "delete" | "create" | "update_or_create" as name)):
                found.append(f".{name}()")
            case ast.Name(id=name) if name in SHORTCUTS:
                found.append(name)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_a_view_or_task_asks_queries_and_commands_never_the_database(module: str) -> None:
    assert uses_of_the_database((ROOT / module).read_text()) == []


@pytest.mark.parametrize("broken", BREAKS)
def test_a_planted_use_of_the_database_is_noticed(broken: str) -> None:
    source = (ROOT / VIEWS / "lobby.py").read_text()
    assert uses_of_the_database(f"{source}\n{broken}\n")


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith(VIEWS)])
def test_no_view_imports_from_another_views_module(module: str) -> None:
    names = imported(ast.parse((ROOT / module).read_text()))
    assert [name for name in names if name.startswith(("games.web.views", "relative"))] == []
