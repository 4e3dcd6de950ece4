"""The samples open as their catalogue says, hold the numbers of their sources, and come out of their script again."""

import importlib.util
import json
import re

import numpy as np
import pytest

from evalcore.readers import ReadProblem
from evalcore.readers.base.values import text_of
from evalcore.readers.join.files_together import FOLDER, read_sample, samples
from evalcore.readers.kinds import KINDS


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("id", samples())
def test_each_sample_opens_as_the_catalogue_says(id: str) -> None:
    sample, dataset = samples()[id], read_sample(id)
    assert dataset.name == sample.file
    assert dataset.kind == sample.kind
    assert sample.kind in KINDS
    positive = dataset.roles.get("positive")
    assert sample.positive == (None if positive is None else text_of(positive))
    if sample.offered:  # what a trap is made of may be a reason to warn
        assert {finding.code for finding in dataset.findings if finding.level != "info"} <= {"rare class"}
    assert dataset.systems or dataset.kind in ("masks", "unknown") or dataset.roles.is_matrix(len(dataset))


@pytest.mark.parametrize("id", samples())
def test_the_catalogue_is_complete(id: str) -> None:
    sample = samples()[id]
    assert re.fullmatch(r"[a-z0-9_]+", sample.id)
    assert sample.question.endswith("?")
    assert len(sample.title) < 40
    assert sample.unit
    assert len(sample.source) > 20
    assert (sample.positive_word is None) == (sample.negative_word is None)
    assert f"`{sample.file}`" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_what_a_sample_is_opened_with() -> None:
    assert dict(samples()["graded_classic_10"].settings) == {"discount": "original"}
    assert samples()["ranking_14"].settings == {}


def test_every_file_is_in_the_catalogue_once() -> None:
    entries = json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8"))
    files = sorted(path.name for path in FOLDER.glob("*.csv*") if not path.name.startswith("big_"))
    assert sorted(entry["file"] for entry in entries) == files
    assert len(samples()) == len(entries)


def test_a_sample_that_is_not_there() -> None:
    with pytest.raises(ReadProblem, match=r'no sample "\.\./secret"'):
        read_sample("../secret")


def test_the_matrix_of_people_is_turned_to_actual_rows() -> None:
    assert read_sample("woman_man_child").matrix().counts.tolist() == [[13, 2, 5], [4, 15, 1], [2, 1, 57]]
    assert read_sample("cat_fish_hen").matrix().counts.tolist() == [[4, 1, 1], [6, 2, 2], [3, 0, 6]]


def test_the_real_samples_are_as_large_as_their_sources() -> None:
    cancer = read_sample("breast_cancer")
    assert len(cancer) == 569
    assert cancer.scored_arrays().labels.sum() == 212
    assert cancer.roles.group == "size_band"
    assert set(cancer.frame["size_band"]) == {"small", "medium", "large"}
    assert len(read_sample("digits")) == len(read_sample("digits_probabilities")) == 1797
    assert len(read_sample("diabetes")) == 442


@pytest.mark.parametrize("id", ["image_retrieval", "image_retrieval_graded"])
def test_every_image_was_searched_by_three_systems(id: str) -> None:
    dataset = read_sample(id)
    assert dataset.systems == ("pixels", "cosine", "projection")
    judged = dataset.judgments()
    assert set(judged.grades) == ({0, 1} if id == "image_retrieval" else {0, 1, 2, 3})
    for system in dataset.systems:
        run = dataset.run(system)
        assert len(run.queries) == len(judged.queries) == 300
        assert (run.retrieved == 100).all()


def test_the_probabilities_add_up_and_agree_with_the_predictions() -> None:
    found = read_sample("digits_probabilities").probability_arrays()
    assert np.abs(found.probabilities.sum(axis=1) - 1).max() < 1e-6
    predicted = read_sample("digits").frame["logistic_regression"]
    assert (found.probabilities.argmax(axis=1) == predicted).all()


@pytest.mark.parametrize(
    "make", ["worked_examples", "diabetes", "worked_rankings", "digit_masks", "digit_confidence", "traps"]
)
def test_the_script_makes_the_same_files_again(make: str, tmp_path) -> None:
    """Random numbers are those of one version of NumPy; another still makes the same columns and as many rows."""
    scripts = {"digit_masks": "make_masks", "digit_confidence": "make_masks", "traps": "make_traps"}
    module = script(scripts.get(make, "make_samples"))
    getattr(module, make)(tmp_path)
    made = list(tmp_path.glob("*.csv"))
    assert made
    drawn_elsewhere = not f"{np.__version__}.".startswith(f"{getattr(module, 'NUMPY', np.__version__)}.")
    for path in made:
        again, kept = (folder.read_bytes().splitlines() for folder in (path, FOLDER / path.name))
        assert (again[0], len(again)) == (kept[0], len(kept)), path.name
        assert drawn_elsewhere or again == kept, path.name


def test_a_big_sample_is_the_same_each_time(tmp_path) -> None:
    from evalcore.readers import read_table

    big = script("big")
    for name in ("a.csv", "b.csv"):
        big.write_big_sample(tmp_path / name, 3_000)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    dataset = read_table(tmp_path / "a.csv")
    assert (dataset.kind, len(dataset)) == ("scores", 3_000)
    assert (dataset.roles.actual, dataset.roles.group, dataset.roles.get("positive")) == ("actual", "site", "ill")


def test_a_big_sample_says_where_it_is(tmp_path, monkeypatch, capsys) -> None:
    big = script("big")
    monkeypatch.setattr(big, "FOLDER", tmp_path / "sample_data")
    big.FOLDER.mkdir()
    monkeypatch.setattr("sys.argv", ["big.py", "30"])
    big.main()
    assert capsys.readouterr().out.startswith("sample_data/big_30.csv: 30 rows")


def test_python_that_was_exported_before_modules_stood_in_rooms_reads_samples() -> None:
    assert importlib.import_module("evalcore.readers.samples").read_sample is read_sample
