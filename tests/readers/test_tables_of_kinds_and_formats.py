"""The table of kinds and the table of formats say what can be opened, and the README and the upload say the same."""

import re
from pathlib import Path

import pytest

from evalcore.readers import FORMATS, KINDS, DataSet, formats_text, roles_of
from evalcore.readers.encodings import USUAL_FORMATS
from pages.widgets.controls import upload

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()


def has_a_page(kind: str) -> bool:
    return any((ROOT / "pages" / f"{page}.py").exists() for page in KINDS[kind].pages)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if has_a_page(kind)])
def test_the_readme_says_what_each_kind_needs(kind: str) -> None:
    assert f"| {KINDS[kind].title} | {KINDS[kind].needs} |" in README


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.names[0])
def test_the_readme_and_the_upload_name_each_format(format) -> None:
    row = " | ".join((", ".join(format.names), ", ".join(format.endings), format.details))
    assert f"| {row} |".replace("|  |", "| |") in README
    assert all(name in formats_text() for name in format.names)
    assert formats_text() in upload._HELP


def test_a_refused_file_is_told_the_usual_formats() -> None:
    assert set(re.split(", | or ", USUAL_FORMATS)) <= {format.names[0] for format in FORMATS}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_gives_are_methods_of_the_data_set(kind: str) -> None:
    assert all(callable(getattr(DataSet, state)) for state in KINDS[kind].states)
    assert KINDS[kind].roles.kind == kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_all_it_needs_or_is_another(kind: str) -> None:
    parts = {name: ("a", "b") if part.form == "columns" else "a" for name, part in KINDS[kind].parts.items()}
    parts |= {name: (("a", "x"),) for name, part in KINDS[kind].parts.items() if part.form == "classes"}
    columns = {name: value for name, value in parts.items() if KINDS[kind].parts[name].form.startswith(("col", "cla"))}
    assert roles_of(**columns).kind == kind
