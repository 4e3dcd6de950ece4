"""The tables of kinds and formats say what can be opened; README, docs/data.md and the upload say the same."""

import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from evalcore.readers import FORMATS, KINDS, DataSet, Kind, ReadProblem, Roles, formats_text, roles_of
from evalcore.readers.base.encodings import USUAL_FORMATS
from evalcore.readers.dataset import assignment
from evalcore.readers.table.table import part
from pages.widgets.controls import upload

ROOT = Path(__file__).parents[3]
README, DATA = ((ROOT / name).read_text(encoding="utf-8").splitlines() for name in ("README.md", "docs/data.md"))
READS = "\n".join(README).partition("## What it reads\n")[2].partition(":")[0]


def has_a_page(kind: str) -> bool:
    return any((ROOT / "pages" / f"{page}.py").exists() for page in KINDS[kind].pages)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if has_a_page(kind)])
def test_the_readme_says_what_each_kind_needs(kind: str) -> None:
    assert f"| {KINDS[kind].title} | {KINDS[kind].needs} |" in README


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.names[0])
def test_the_page_on_data_and_the_upload_name_each_format(format) -> None:
    row = " | ".join((", ".join(format.names), ", ".join(format.endings), format.details))
    row = f"| {row} |".replace("|  |", "| |")
    assert row in DATA, f"docs/data.md: add this row to the table of files: {row}"
    assert format.names[0] in READS, f"README.md: name {format.names[0]} in the first sentence of What it reads"
    assert all(name in formats_text() for name in format.names)
    assert formats_text() in upload._HELP


def test_a_refused_file_is_told_the_usual_formats() -> None:
    assert set(re.split(", | or ", USUAL_FORMATS)) <= {format.names[0] for format in FORMATS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_the_name_of_its_roles(kind: str) -> None:
    assert KINDS[kind].roles.kind == kind


def test_a_kind_that_stands_in_the_table_alone_is_recognised_and_gives_its_states(monkeypatch) -> None:
    """A kind is a file and a row: nothing else has to name it or its states."""

    @dataclass(frozen=True, kw_only=True)
    class Waits(Roles):
        kind = "waits"
        arrival: str = part("column", "Arrival", "arrival", numbers=True, sole=True)
        served: str = part("column", "Served", "time of service", numbers=True, sole=True)

    waits = Kind(
        title="waits",
        needs="arrival and service",
        roles=Waits,
        states={"waits": lambda table: (table.frame["served"] - table.frame["arrival"]).to_numpy()},
        recognise=lambda columns: (
            {name: name for name in ("arrival", "served")}
            if [column.name for column in columns] == ["arrival", "served"]
            else {}
        ),
    )
    monkeypatch.setitem(KINDS, "waits", waits)
    monkeypatch.setattr(assignment, "PARTS", {**assignment.PARTS, **waits.parts})
    data = DataSet.of(pd.DataFrame({"arrival": [1.0, 2.0], "served": [1.5, 4.0]}))
    assert (data.kind, data.state("waits").tolist()) == ("waits", [0.5, 2.0])
    with pytest.raises(ReadProblem, match="holds waits"):
        data.scored()


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_all_it_needs_or_is_another(kind: str) -> None:
    parts = {name: ("a", "b") if part.form == "columns" else "a" for name, part in KINDS[kind].parts.items()}
    parts |= {name: (("a", "x"),) for name, part in KINDS[kind].parts.items() if part.form == "classes"}
    columns = {name: value for name, value in parts.items() if KINDS[kind].parts[name].form.startswith(("col", "cla"))}
    assert roles_of(**columns).kind == kind
