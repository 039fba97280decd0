"""The law of imports holds, and each of its rules notices a break.

The breaks that a rule must notice are derived from the rule: one for each two rooms, each pure module, each package.
Those of `REFUSED` are written out, so that a rule that was loosened is noticed too. They are planted into the graph of
the imports, which is built once; that the graph is made of the sources, and that the command says so, is tried with
one break of each contract in a copy of the sources.
"""

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from grimp import ImportGraph, build_graph
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).parent / "lint-imports"
LAW = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
PACKAGES = LAW["root_packages"]
CONTRACTS = {contract["id"]: contract for contract in LAW["contracts"]}
KINDS: dict[str, type[Contract]] = {
    "layers": LayersContract,
    "forbidden": ForbiddenContract,
    "protected": ProtectedContract,
    "acyclic_siblings": AcyclicSiblingsContract,
}
REFUSED = [
    ("houses", "engine.errors", "accounts.names"),
    ("houses", "accounts.names", "engine.errors"),
    ("houses", "accounts.views", "games.models"),
    ("houses", "games.models.choices", "gravitysite.celery"),
    ("engine-pure", "engine.contract", "django"),
    ("rooms", "games.web.context", "games.urls"),
    ("rooms", "games.web.context", "games.tasks"),
    ("rooms", "games.tasks.sweep", "games.web.context"),
    ("rooms", "games.api.documents", "games.web.log_lines"),
    ("rooms", "games.api.documents", "games.delivery.render"),
    ("rooms", "games.delivery.render", "games.tasks"),
    ("rooms", "games.delivery.render", "games.api.documents"),
    ("rooms", "games.presenters.protocol", "games.delivery.content"),
    ("rooms", "games.presenters.protocol", "games.management.demo"),
    ("rooms", "games.admin", "games.presenters.registry"),
    ("rooms", "games.management.demo", "games.admin"),
    ("rooms", "games.queries.lists", "games.presenters.registry"),
    ("rooms", "games.queries.lists", "games.admin"),
    ("rooms", "games.commands._lock", "games.queries.lists"),
    ("rooms", "games.timing.deadlines", "games.commands"),
    ("rooms", "games.timing.deadlines", "games.notices.outbox"),
    ("rooms", "games.notices.outbox", "games.commands"),
    ("rooms", "games.notices.outbox", "games.timing.deadlines"),
    ("rooms", "games.log.table", "games.timing.deadlines"),
    ("rooms", "games.log.table", "games.notices.models"),
    ("rooms", "games.log.table", "games.templatetags.time"),
    ("rooms", "games.templatetags.time", "games.log.table"),
    ("rooms", "games.words.time", "games.log.table"),
    ("rooms", "games.words.time", "games.templatetags.time"),
    ("rooms", "games.models.game", "games.words.time"),
    ("rooms", "games.errors", "games.models"),
    ("rooms", "games.errors", "games.clock"),
    ("rooms", "games.clock.turns", "games.errors"),
    ("no-circles", "games.models.choices", "games.models.game"),
    ("no-circles", "engine.gravity.board", "engine.gravity.state"),
    ("clock-pure", "games.clock.turns", "django"),
    ("clock-pure", "games.clock.turns", "celery"),
    ("clock-pure", "games.clock.turns", "accounts.zones"),
    ("clock-pure", "games.clock.turns", "engine.contract"),
    ("clock-pure", "games.clock.turns", "engine.errors"),
    ("clock-pure", "games.clock.errors", "engine.contract"),
    ("clock-pure", "games.clock.turns", "games.models.choices"),
    ("one-presenter", "games.web.views.game_page", "games.presenters.gravity.board"),
    ("one-engine", "games.commands._lock", "engine.gravity.state"),
]
"""Imports that break a contract: its id, who imports, what is imported."""
PLANTED = {
    "houses": ("accounts/names.py", "import games.models"),
    "engine-pure": ("engine/contract.py", "import django.utils.timezone"),
    "rooms": ("games/log/table.py", "import games.timing.deadlines"),
    "no-circles": ("games/models/choices.py", "import games.models.game"),
    "clock-pure": ("games/clock/turns.py", "import games.models.choices"),
    "one-presenter": ("games/web/views/game_page.py", "import games.presenters.gravity.board"),
    "one-engine": ("games/commands/_lock.py", "import engine.gravity.state"),
}
"""For each contract a file and a line that breaks it there."""
UNPLACED = "games/attic.py"
"""A module that has no place among the rooms."""


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    configure()
    return build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(LINT), "--no-cache", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def of_kind(kind: str) -> list[str]:
    return [name for name, contract in CONTRACTS.items() if contract["type"] == kind]


@cache
def rule(contract: str) -> Contract:
    """Return the contract with this id, read as the command reads it."""
    law = read_user_options(str(ROOT / "pyproject.toml"))
    options = next(options for options in law.contracts_options if options["id"] == contract)
    return KINDS[options["type"]](options["name"], law.session_options, options)


def kept(contract: str, graph: ImportGraph) -> bool:
    """Return whether a contract holds in ``graph``, which is left as it is."""
    return rule(contract).check(deepcopy(graph), verbose=False).kept


def breaks(contract: str, graph: ImportGraph, *imports: tuple[str, str]) -> bool:
    """Return whether ``imports``, pairs of who imports what, are new and break the contract."""
    planted = deepcopy(graph)
    for importer, imported in imports:
        assert importer in graph.modules
        if imported not in graph.modules:
            planted.add_module(imported, is_squashed=True)
        planted.add_import(importer=importer, imported=imported)
    return not kept(contract, planted)


def inmost(graph: ImportGraph, package: str) -> str:
    """Return the last module within ``package``, or the package if it is a module: rules hold all the way down."""
    return max(graph.find_descendants(package), default=package)


def arrows_back(contract: str) -> Iterator[tuple[str, str]]:
    """Yield each two modules of a contract of layers of which the first must not import the second."""
    prefix = "".join(f"{container}." for container in CONTRACTS[contract].get("containers", []))
    layers = [
        [f"{prefix}{name}" for name in layer.replace("|", " ").split()] for layer in CONTRACTS[contract]["layers"]
    ]
    for place, layer in enumerate(layers):
        for importer in layer:
            above = [name for upper in layers[:place] for name in upper]
            for imported in [*above, *layer]:
                if imported != importer:
                    yield importer, imported


def test_the_law_holds(graph: ImportGraph) -> None:
    assert [contract for contract in CONTRACTS if not kept(contract, graph)] == []


def test_the_sources_keep_every_contract(tree: Path) -> None:
    done = lint(tree)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("contract", "importer", "imported"), REFUSED)
def test_a_refused_import_breaks_its_contract(graph: ImportGraph, contract: str, importer: str, imported: str) -> None:
    assert breaks(contract, graph, (importer, imported))


@pytest.mark.parametrize("contract", of_kind("layers"))
def test_nothing_imports_from_a_layer_above_or_beside_it(graph: ImportGraph, contract: str) -> None:
    pairs = list(arrows_back(contract))
    assert pairs
    unnoticed = [
        pair for pair in pairs if not breaks(contract, graph, (inmost(graph, pair[0]), inmost(graph, pair[1])))
    ]
    assert unnoticed == []


@pytest.mark.parametrize("contract", of_kind("forbidden"))
def test_no_module_of_a_pure_package_imports_what_is_forbidden(graph: ImportGraph, contract: str) -> None:
    forbidden = CONTRACTS[contract]["forbidden_modules"]
    pure = {
        module
        for package in CONTRACTS[contract]["source_modules"]
        for module in {package, *graph.find_descendants(package)}
    }
    pairs = [(module, name) for module in sorted(pure) for name in forbidden]
    assert pairs
    assert [pair for pair in pairs if not breaks(contract, graph, pair)] == []


@pytest.mark.parametrize("contract", of_kind("protected"))
def test_a_protected_package_is_imported_only_by_its_own(graph: ImportGraph, contract: str) -> None:
    allowed = {*CONTRACTS[contract]["allowed_importers"], *CONTRACTS[contract]["protected_modules"]}
    own = {name for package in allowed for name in {package, *graph.find_descendants(package)}}
    strangers = sorted(name for name in graph.modules - own if name.partition(".")[0] in PACKAGES)
    assert strangers
    for protected in CONTRACTS[contract]["protected_modules"]:
        inner = inmost(graph, protected)
        assert [name for name in strangers if not breaks(contract, graph, (name, inner))] == []


@pytest.mark.parametrize("contract", of_kind("acyclic_siblings"))
def test_no_package_holds_a_circle(graph: ImportGraph, contract: str) -> None:
    packages = [
        package
        for ancestor in CONTRACTS[contract]["ancestors"]
        for package in sorted({ancestor, *graph.find_descendants(ancestor)})
        if len(graph.find_children(package)) > 1
    ]
    assert packages
    for package in packages:
        one, other = (inmost(graph, child) for child in sorted(graph.find_children(package))[:2])
        assert breaks(contract, graph, (one, other), (other, one)), package


def test_every_contract_has_a_line_that_breaks_it() -> None:
    assert set(PLANTED) == set(CONTRACTS)
    assert {contract for contract, _importer, _imported in REFUSED} == set(CONTRACTS)


@pytest.mark.parametrize("contract", PLANTED)
def test_a_line_planted_in_the_sources_is_noticed(tree: Path, contract: str) -> None:
    module, planted = PLANTED[contract]
    source = tree / module
    before = source.read_text()
    source.write_text(f"{before}\n{planted}\n")
    try:
        done = lint(tree, "--contract", contract)
    finally:
        source.write_text(before)
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout


def test_a_module_without_a_place_among_the_rooms_is_noticed(tree: Path) -> None:
    source = tree / UNPLACED
    source.write_text('"""Nowhere."""\n')
    try:
        done = lint(tree, "--contract", "rooms")
    finally:
        source.unlink()
    assert done.returncode == 1, done.stdout
    assert "attic" in done.stdout


def test_the_engine_imports_only_the_standard_library_and_itself() -> None:
    foreign = set()
    for source in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            match node:
                case ast.Import(names=names):
                    modules = [name.name for name in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    modules = []
            foreign |= {
                module for module in modules if module.split(".")[0] not in {"engine", *sys.stdlib_module_names}
            }
    assert not foreign
