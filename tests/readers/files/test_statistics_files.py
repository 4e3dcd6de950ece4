"""Files of SPSS, Stata and SAS open with value labels as class names and without codes of missing values."""

import datetime
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from evalcore.readers import DataSet, ReadProblem, read_table
from evalcore.readers.files import columnar

TABLE = pd.DataFrame(
    {
        "relapse": [2.0, 1, 2, 1, 9, 1],
        "score": [0.9, 0.2, 0.6, 0.1, 0.5, 0.3],
        "age": [40.0, 50, 60, 99, 30, 35],
        "ward": ["a", "b", "", "a", "b", "b"],
        "day": [datetime.date(2024, 1, 2)] * 6,
    }
)
LABELS = {"relapse": {1: "no", 2: "yes", 9: "unknown"}, "age": {99: "no answer"}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def same(dataset: DataSet) -> bool:
    assert dataset.frame["score"].tolist() == TABLE["score"].tolist()
    assert dataset.frame["ward"].fillna("").tolist() == TABLE["ward"].tolist()
    assert dataset.frame["day"].tolist() == ["2024-01-02"] * 6
    assert dataset.frame["age"].tolist() == [40, 50, 60, 99, 30, 35]
    return True


@pytest.mark.parametrize("ending", ["sav", "zsav"])
def test_spss(path: Path, ending: str) -> None:
    missing = {"relapse": [9]}
    pyreadstat.write_sav(TABLE, path, compress=ending == "zsav", variable_value_labels=LABELS, missing_ranges=missing)
    dataset = read_table(path.read_bytes(), f"x.{ending}")
    assert same(dataset)
    assert dataset.frame["relapse"].fillna("-").tolist() == ["yes", "no", "yes", "no", "-", "no"]
    assert (dataset.kind, dataset.roles.actual, dataset.roles.positive) == ("scores", "relapse", "yes")
    sentences = [finding.sentence for finding in dataset.read_findings]
    assert any("shows the value labels" in sentence for sentence in sentences)
    assert any('"99" is labelled "no answer"' in sentence for sentence in sentences)


def test_spss_portable(path: Path) -> None:
    pyreadstat.write_por(TABLE.rename(columns=str.upper), path)
    frame = read_table(path.read_bytes(), "x.por").frame.rename(columns=str.lower)
    assert same(DataSet.of(frame))
    assert frame["relapse"].tolist() == [2, 1, 2, 1, 9, 1]


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_stata(path: Path, version: int) -> None:
    labels = {column: {int(code): label for code, label in words.items()} for column, words in LABELS.items()}
    pyreadstat.write_dta(TABLE.astype({"relapse": int}), path, version=version, variable_value_labels=labels)
    dataset = read_table(path.read_bytes(), "x.dta")
    assert same(dataset)
    assert dataset.frame["relapse"].tolist() == ["yes", "no", "yes", "no", "unknown", "no"]


@pytest.mark.parametrize("version", [5, 8])
def test_sas_transport(path: Path, version: int) -> None:
    pyreadstat.write_xport(TABLE, path, file_format_version=version)
    assert same(read_table(path.read_bytes(), "x.xpt"))


@pytest.mark.parametrize("ending", ["sav", "por", "dta", "xpt"])
def test_damaged_files_are_refused_by_a_child(path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "is_child", False)
    write = {"sav": "write_sav", "por": "write_por", "dta": "write_dta", "xpt": "write_xport"}[ending]
    getattr(pyreadstat, write)(TABLE, path)
    with pytest.raises(ReadProblem, match=r"damaged|no rows"):
        read_table(path.read_bytes()[: 640 if ending == "xpt" else 700], f"x.{ending}")


def test_a_child_reads_them_without_pandas(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading it would take longer than all the rest."""
    monkeypatch.setattr(columnar, "is_child", False)
    (tmp_path / "pandas.py").write_text("open(__file__ + '.asked', 'w').close()")
    monkeypatch.syspath_prepend(tmp_path)
    pyreadstat.write_dta(TABLE, path)
    assert same(read_table(path.read_bytes(), "x.dta"))
    assert not (tmp_path / "pandas.py.asked").exists()
