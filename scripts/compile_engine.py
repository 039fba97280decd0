"""Compile the engine's busiest modules: ``make engine-fast``. Needs a C compiler and Python's headers."""

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["ENGINE"] = "plain"

from engine.compiled import BUILDS, LIBRARY, MODULES, folder  # noqa: E402 - the build it makes must not be in use

NOT_HERE = 75
"""The exit status where something that a build needs is not there."""
LACKING = "needs a C compiler and Python's headers (Debian: gcc, libc6-dev, and python3.13-dev for Debian's own Python)"


def main() -> int:
    """Compile, unless it is done already, in place of any older build."""
    build = folder()
    if build.is_dir():
        return 0
    if not can_compile():
        print(f"The compiled engine {LACKING}", file=sys.stderr)
        return NOT_HERE
    with tempfile.TemporaryDirectory() as name:
        made = compile_into(Path(name))
        shutil.rmtree(BUILDS, ignore_errors=True)
        ready = BUILDS / f".{build.name}"
        ready.mkdir(parents=True)
        for module in (*MODULES, LIBRARY):
            file = module.replace(".", "/") + sysconfig.get_config_var("EXT_SUFFIX")
            shutil.copy(made / file, ready / file.replace("/", "."))
        ready.rename(build)
    return 0


def can_compile() -> bool:
    """Return whether there is what a build needs."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(compiler) is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


def compile_into(work: Path) -> Path:
    """Compile the modules in a folder of work; return the folder with what was made."""
    from mypyc.build import mypycify  # noqa: PLC0415 - only where there is a compiler
    from setuptools import Distribution  # noqa: PLC0415 - the same

    os.chdir(ROOT)
    sources = [f"{module.replace('.', '/')}.py" for module in MODULES]
    extensions = mypycify(
        ["--strict", "--config-file=", f"--cache-dir={work / 'cache'}", *sources],
        opt_level="3",
        debug_level="0",
        group_name=LIBRARY.removesuffix("__mypyc"),
        target_dir=str(work / "c"),
    )
    command = Distribution({"name": "engine", "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(work / "made"), str(work / "temp")
    command.ensure_finalized()
    command.run()
    return work / "made"


if __name__ == "__main__":
    sys.exit(main())
