"""What people must not foresee comes from the chance of the operating system, never from a seed."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DRAWINGS = {
    "games/commands/search_puzzles.py",
    "games/management/load/fill.py",
    "games/management/load/plays.py",
    "games/delivery/samples.py",
    "games/presenters/gravity/example.py",
    "games/presenters/gravity/land.py",
    "games/web/views/try_out.py",
}
"""What looks the same each time and belongs to no game, or to those that are made up to measure with."""


def seeded(source: str) -> Iterator[str]:
    """Yield what a module calls of ``random`` that is no `SystemRandom`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Name("Random")) | ast.Import([ast.alias("random")]):
                yield ast.unparse(node)
            case ast.ImportFrom("random", names):
                yield from (alias.name for alias in names if alias.name not in {"Random", "SystemRandom"})


def test_the_site_draws_all_chance_of_games_from_the_operating_system():
    modules = [path for folder in ("accounts", "games", "gravitysite") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in modules if [*seeded(path.read_text("utf-8"))]}
    assert len(modules) > 100
    assert found == DRAWINGS


def test_every_way_to_seeded_chance_is_seen():
    for line in ("Random(1)", "play(rng=Random())", "import random", "from random import choice"):
        assert [*seeded(line)], line
    assert not [*seeded("from random import Random, SystemRandom\nplay(rng=SystemRandom())")]
