"""The check of the translations notices what it is there for."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_translations.py"
HEADER = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"\n'
)
GOOD = f'{HEADER}\n#, python-format\nmsgid "Hello %(name)s"\nmsgstr "Hallo %(name)s"\n'
WANTED = {("", "", ""), ("", "Hello %(name)s", "")}


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    if shutil.which("msgfmt") is None:
        pytest.skip("needs gettext: install it (Debian: gettext)")
    spec = importlib.util.spec_from_file_location("check_translations", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def faults(check: ModuleType, catalogue: str, *, compile_it: bool = True) -> list[str]:
    folder = check.ROOT / "locale" / "nl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(catalogue)
    if compile_it:
        check.run("msgfmt", "-o", folder / "django.mo", folder / "django.po")
    return list(check.faults("nl", WANTED, check.ROOT))


def test_a_complete_and_compiled_catalogue_has_no_fault(check: ModuleType) -> None:
    assert faults(check, GOOD) == []


@pytest.mark.parametrize(
    ("catalogue", "said"),
    [
        (HEADER, "lacks"),
        (f'{GOOD}\nmsgid "Gone"\nmsgstr "Weg"\n', "no source says"),
        (GOOD.replace("Hallo %(name)s", ""), "untranslated"),
        (GOOD.replace("#, python", "#, fuzzy, python"), "only-fuzzy"),
        (GOOD.replace("Hallo %(name)s", "Hallo %(naam)s"), "msgstr"),
        (GOOD.replace("Hallo %(name)s", "Hallo ‘%(name)s’"), "write “zo”"),
    ],
)
def test_a_catalogue_with_a_fault_is_reported(check: ModuleType, catalogue: str, said: str) -> None:
    assert any(said in fault for fault in faults(check, catalogue))


def test_a_catalogue_that_was_not_compiled_is_reported(check: ModuleType) -> None:
    assert any("not compiled" in fault for fault in faults(check, GOOD, compile_it=False))


def test_a_language_without_a_catalogue_is_reported(check: ModuleType) -> None:
    assert list(check.faults("nl", WANTED, check.ROOT)) == ["nl: there is no locale/nl/LC_MESSAGES/django.po"]


@pytest.mark.parametrize(
    ("language", "good", "bad"),
    [
        ("fr", "Ici\N{NO-BREAK SPACE}: «\N{NO-BREAK SPACE}lui\N{NO-BREAK SPACE}», à 14:04", "Ici : lui"),
        ("fr", "Et moi\N{NO-BREAK SPACE}?", "Et moi?"),
        ("fr", "https://x.org/", "“lui”"),
        ("de", "Hier: „er“", "Hier: “er”"),
        ("nl", 'Hier: “hij”, <a href=\\"%(url)s\\">daar</a>', 'Hier: \\"hij\\"'),
    ],
)
def test_each_language_keeps_its_own_quotes_and_colons(
    language: str, good: str, bad: str, check: ModuleType, tmp_path: Path
) -> None:
    catalogue = tmp_path / "some.po"
    for text, faults in ((good, 0), (bad, 1)):
        catalogue.write_text(f'msgid "Here"\nmsgstr "{text}"\n')
        assert len(list(check.badly_punctuated(language, catalogue))) == faults, text


def test_french_gets_its_blanks_that_do_not_break(check: ModuleType, tmp_path: Path) -> None:
    catalogue = tmp_path / "django.po"
    source = 'msgid "Go : « on »"\n'
    catalogue.write_text(f'{HEADER}\n{source}msgstr ""\n"Allez : « là » ? Oui"\n')
    check.tidy(catalogue)
    nb = "\N{NO-BREAK SPACE}"
    assert catalogue.read_text() == f'{HEADER}\n{source}msgstr ""\n"Allez{nb}: «{nb}là{nb}»{nb}? Oui"\n'
    assert list(check.badly_punctuated("fr", catalogue)) == []
