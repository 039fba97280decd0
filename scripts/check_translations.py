"""Checks the catalogues in ``locale/``: in step with the sources, complete in every language, and compiled.

Exit status 1 and one line for each thing that is wrong. With the argument ``tidy`` it only brings in what nobody types:
the French blanks that do not break. Needs gettext (Debian: gettext).
"""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("de", "fr", "nl")
"""The languages that need a whole catalogue; English is what the sources say, but for what libraries say in ours."""

PUNCTUATION = {
    "de": ("„so“", r'[”«»‘]|(?<!=)\\"(?!>)'),
    "fr": (
        "« ainsi » et : ainsi ! avec des espaces insécables",
        r'[\w)] [:;!?»]|[\w)][;!?](?!\w)|\w:\s|« |[“”„]|(?<!=)\\"(?!>)',
    ),
    "nl": ("“zo”", r'[„«»‘]|(?<!=)\\"(?!>)'),
}
"""How each language quotes and punctuates, and what shows that a text does otherwise."""


def messages_of(catalogue: Path) -> set[tuple[str, str, str]]:
    """Return context, text and plural text of each message of a catalogue."""
    found = set()
    for block in catalogue.read_text().split("\n\n"):
        if "\nmsgid " not in f"\n{block}" or "\n#~ " in f"\n{block}":
            continue
        found.add(tuple(field_of(block, name) for name in ("msgctxt", "msgid", "msgid_plural")))
    return found  # type: ignore[return-value]


def field_of(block: str, name: str) -> str:
    """Return the text of one field of a message, its lines joined."""
    match = re.search(rf'^{name} ((?:"(?:[^"\\]|\\.)*"\s*)+)', block, re.MULTILINE)
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1])) if match else ""


def badly_punctuated(language: str, catalogue: Path) -> Iterator[str]:
    """Yield a line for each text whose quotes, colons and question marks are not its language's."""
    right, wrong = PUNCTUATION[language]
    for block in catalogue.read_text().split("\n\n"):
        if field_of(block, "msgid"):
            texts = (field_of(block, field) for field in ("msgstr", r"msgstr\[0\]", r"msgstr\[1\]"))
            yield from (f"{language}: write {right}: {text}" for text in texts if re.search(wrong, text))


def tidy(catalogue: Path) -> None:
    """Give a French catalogue the blanks that do not break, which keyboards lack; the texts of the sources stay."""
    blocks = catalogue.read_text().split("\n\n")
    for number, block in enumerate(blocks):
        sources, mark, words = block.partition("\nmsgstr")
        if field_of(block, "msgid"):
            words = re.sub(r"(?<=[\w)»…]) (?=[:;!?»])|(?<=«) ", "\N{NO-BREAK SPACE}", words)
        blocks[number] = sources + mark + words
    catalogue.write_text("\n\n".join(blocks))


def faults_of_english(wanted: set[tuple[str, str, str]], folder: Path) -> Iterator[str]:
    """Yield a line for each fault of what is said in English instead of a library's English."""
    catalogue = ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"
    yield from (f"en: no source says {text!r} any more" for _c, text, _p in sorted(messages_of(catalogue) - wanted))
    yield from faults_of_compiled("en", catalogue, folder)


def faults_of_compiled(language: str, catalogue: Path, folder: Path) -> Iterator[str]:
    """Yield what the compiler complains of, and whether what is committed is what it makes."""
    compiled = folder / f"{language}.mo"
    complaints = run("msgfmt", "--check-format", "--check-domain", "-o", compiled, catalogue)
    yield from (f"{language}: {line}" for line in complaints.splitlines())
    committed = catalogue.with_suffix(".mo")
    if not committed.exists() or not compiled.exists() or not filecmp.cmp(compiled, committed, shallow=False):
        yield f"{language}: {committed.relative_to(ROOT)} is not compiled from its catalogue; run `make messages`"


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a program; return what it wrote to standard output and standard error."""
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)
    return done.stdout + done.stderr


def extract_messages(folder: Path) -> Path:
    """Write the messages of the sources, as they are now, into a catalogue of a copy of the tree, and return it."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.html", "*.txt", "*.js", "engine/*.json")
    for name in listed.splitlines():
        source = ROOT / name
        if source.exists() and not name.startswith(("tests/", "docs/", "benchmarks/", "scripts/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / name)
    (folder / "locale" / "xx" / "LC_MESSAGES").mkdir(parents=True)
    os.environ |= {"DEBUG": "1", "DATABASE_URL": "sqlite://:memory:"}
    said = run(
        sys.executable, "manage.py", "makemessages", "--locale", "xx", "--no-obsolete", "-e", "html,txt,py", cwd=folder
    )
    catalogue = folder / "locale" / "xx" / "LC_MESSAGES" / "django.po"
    if not catalogue.exists():
        sys.exit(f"makemessages failed: {said}")
    return catalogue


def faults(language: str, wanted: set[tuple[str, str, str]], folder: Path) -> Iterator[str]:
    """Yield a line for each fault of one language's catalogue."""
    catalogue = ROOT / "locale" / language / "LC_MESSAGES" / "django.po"
    if not catalogue.exists():
        yield f"{language}: there is no {catalogue.relative_to(ROOT)}"
        return
    there = messages_of(catalogue)
    yield from (f"{language}: lacks {text!r}" for _context, text, _plural in sorted(wanted - there))
    yield from (f"{language}: no source says {text!r} any more" for _context, text, _plural in sorted(there - wanted))
    for kind in ("--untranslated", "--only-fuzzy"):
        left = run("msgattrib", kind, "--no-obsolete", "--no-wrap", catalogue)
        yield from (f"{language}: {kind[2:]}: {text}" for text in re.findall(r'^msgid "(.+)"$', left, re.MULTILINE))
    yield from badly_punctuated(language, catalogue)
    yield from faults_of_compiled(language, catalogue, folder)


def main() -> int:
    """Check every language; return the exit status."""
    if shutil.which("msgfmt") is None:
        print("Checking the translations needs gettext (Debian: apt install gettext).", file=sys.stderr)
        return 1
    if sys.argv[1:] == ["tidy"]:
        tidy(ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po")
        return 0
    if not (ROOT / "locale").exists():
        print("There are no catalogues yet: the site speaks English only.")
        return 0
    with tempfile.TemporaryDirectory() as name:
        wanted = messages_of(extract_messages(Path(name)))
        found = [fault for language in LANGUAGES for fault in faults(language, wanted, Path(name))]
        found += faults_of_english(wanted, Path(name))
    for fault in found:
        print(fault)
    print(f"{len(wanted)} texts, {len(LANGUAGES)} languages beside English, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
