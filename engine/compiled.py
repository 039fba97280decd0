"""The optional build of the engine's busiest modules, by mypyc and from the very same sources.

It is never needed: without it the sources run. A build lies in a folder named after the sources that it was made from,
so one that is out of date is not found. ``ENGINE=plain`` in the environment leaves a build aside, ``ENGINE=fast``
insists on one; `running` tells which it is.
"""

import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

MODULES: Final = (
    "engine.gravity.board",
    "engine.gravity.bots.face_down",
    "engine.gravity.bots.greedy",
    "engine.gravity.bots.turns",
    "engine.gravity.chances",
    "engine.gravity.movement",
    "engine.gravity.notation",
    "engine.gravity.rules",
    "engine.gravity.state",
    "engine.gravity.view",
)
"""What is compiled: modules that import no other way than at their head, fully typed."""
LIBRARY: Final = "engine_fast__mypyc"
"""The module that holds the code of all of them."""
ENGINE: Final = Path(__file__).parent
BUILDS: Final = ENGINE / "fast"


def folder() -> Path:
    """Return where the build of the present sources, for this Python, is or would be."""
    digest = sha256(EXTENSION_SUFFIXES[0].encode())
    for source in sorted(ENGINE.rglob("*.py")):
        digest.update(b"%s\0%s\0" % (source.relative_to(ENGINE).as_posix().encode(), source.read_bytes()))
    return BUILDS / digest.hexdigest()[:20]


def use_build() -> None:
    """Let the compiled modules be imported in place of their sources, if there is a build of these.

    Raises `ImportError` where the environment insists on a build and there is none.
    """
    wanted = os.environ.get("ENGINE", "")
    if wanted == "plain":
        return
    if BUILDS.is_dir() and (build := folder()).is_dir():
        sys.meta_path.insert(0, _Finder(build))
    elif wanted == "fast":
        raise ImportError("There is no build of these sources of the engine: make engine-fast")


def running() -> str:
    """Return ``fast`` if the compiled modules are in use, else ``plain``."""
    return "fast" if any(isinstance(finder, _Finder) for finder in sys.meta_path) else "plain"


class _Finder:
    """Finds the compiled modules, which lie in a folder by their full names."""

    def __init__(self, build: Path) -> None:
        self.files = {name: build / f"{name}{EXTENSION_SUFFIXES[0]}" for name in (*MODULES, LIBRARY)}

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None,  # noqa: ARG002 - Python's
        target: ModuleType | None = None,  # noqa: ARG002 - Python's
    ) -> ModuleSpec | None:
        """Return how a compiled module is loaded, None for any other."""
        if name not in self.files:
            return None
        file = self.files[name]
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, str(file)))
