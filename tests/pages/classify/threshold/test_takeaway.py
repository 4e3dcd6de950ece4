"""What is taken away is what the page shows: as text, as JSON, and as Python that finds all of it again."""

import html
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import find
from evalcore.analyses import Scores
from evalcore.classification import ScoredLabels, best, cost_goal
from evalcore.inference import bootstrap, clopper_pearson, delong, wilson
from evalcore.readers import Roles, read_table
from evalcore.readers.samples import read_sample
from evalcore.wording.numbers import count_text, share_text
from pages.widgets.classify.threshold import takeaway
from pages.widgets.classify.threshold.report import stretch_text
from pages.widgets.export.downloads import csv_of
from tests.pages.classify.threshold.panels import panels
from tests.pages.uploads import saved

ROOT = Path(__file__).parents[4]
CELLS = ("tp", "fp", "fn", "tn")
NASTY_FILE = "na$ty 'quoted' [x](y) Größe.csv"
NASTY_CSV = (
    'actual "label",*score*,it\'s a weight\n'
    + "".join(f"{'**ill**' if i % 3 == 0 else '<b>well</b>'},{(i * 37) % 101 / 7},{i % 4 + 0.5}\n" for i in range(200))
    + "**ill**,,1\n"
)
NASTY_ROLES = Roles(
    'actual "label"',
    score=("*score*",),
    weight="it's a weight",
    positive="**ill**",
    higher_is_positive=False,
)


def codes(test) -> dict[str, str]:
    found = dict(zip(("text", "json", "python"), (c.value for c in test.code), strict=True))
    return found | {"languages": [c.language for c in test.code]}


def nasty() -> dict[str, str]:
    return {"data": saved(read_table(NASTY_CSV.encode(), NASTY_FILE)), "roles": NASTY_ROLES.to_text()}


def state(data) -> ScoredLabels:
    rows = data.scored_arrays()
    return ScoredLabels.from_arrays(
        rows.labels, rows.scores, weights=rows.weights, higher_is_positive=data.roles.higher_is_positive
    )


def run(code: str, folder: Path, monkeypatch) -> None:
    """Run what was taken away beside its file; its assertions are the test."""
    monkeypatch.chdir(folder)
    exec(compile(code, "taken away.py", "exec"), {"__name__": "__main__"})  # noqa: S102


# Python


def test_the_python_is_a_program_of_its_own(monkeypatch, tmp_path) -> None:
    (tmp_path / "taken away.py").write_text(codes(panels(monkeypatch, data="roc_20", t="0.5"))["python"])
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "taken away.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("decision", ["none", "F2", "cost", "impossible"])
@pytest.mark.parametrize("method", ["wilson", "clopper", "bootstrap"])
def test_the_python_of_a_sample_runs_and_asserts_it_all(monkeypatch, tmp_path, decision: str, method: str) -> None:
    code = codes(panels(monkeypatch, data="breast_cancer", t="0.4", decision=decision, method=method))["python"]
    assert ("choice.threshold ==" in code) == (decision in ("F2", "cost"))
    run(code, tmp_path, monkeypatch)


@pytest.mark.parametrize("threshold", ["3.3", "inf", "-inf", "0", "-4"])
def test_so_does_that_of_an_upload_with_everything_changed(monkeypatch, tmp_path, threshold: str) -> None:
    (tmp_path / NASTY_FILE).write_text(NASTY_CSV, encoding="utf-8")
    code = codes(panels(monkeypatch, **nasty(), t=threshold, decision="cost", level="0.9"))["python"]
    assert repr(NASTY_FILE) in code
    assert "Roles.from_text(" in code
    run(code, tmp_path, monkeypatch)


def test_lower_is_positive_by_its_name_too(monkeypatch, tmp_path) -> None:
    text = "actual,distance\n" + "".join(f"{int(i % 5 < 2)},{(i * 7) % 31}\n" for i in range(80))
    (tmp_path / "d.csv").write_text(text)
    data = saved(read_table(text.encode(), "d.csv"))
    found = codes(panels(monkeypatch, data=data, t="9", decision="F2"))
    assert json.loads(found["json"])["rule"]["comparison"] == "<="
    run(found["python"], tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "line", ["assert (counts.tp", "'recall': (", "assert same(delong(scored, 0.95), (", "assert choice.threshold == "]
)
def test_a_number_that_is_off_is_found_by_the_python(monkeypatch, tmp_path, line: str) -> None:
    code = codes(panels(monkeypatch, data="breast_cancer", t="0.4", decision="F2"))["python"]
    start = code.index(line) + len(line)
    end = code.index("\n", start)
    changed = (
        code[start:end].replace("0.", "0.1", 1) if "counts.tp" not in line else code[start:end].replace(".0", ".5")
    )
    assert changed != code[start:end]
    with pytest.raises(AssertionError):
        run(code[:start] + changed + code[end:], tmp_path, monkeypatch)


# JSON


@pytest.mark.parametrize("method", ["wilson", "clopper", "bootstrap"])
def test_the_json_is_the_state(monkeypatch, method: str) -> None:
    found = json.loads(codes(panels(monkeypatch, data="breast_cancer", t="0.4", method=method, level="0.9"))["json"])
    data = read_sample("breast_cancer")
    scored = state(data)
    counts = scored.counts_at(0.4)
    assert found["counts"] == {cell: float(getattr(counts, cell)) for cell in CELLS}
    assert (found["rule"]["threshold"], found["rule"]["comparison"]) == (0.4, ">=")
    stretch = found["rule"]["same_counts"]
    assert stretch["lowest"] < 0.4 <= stretch["highest"]
    for at in (np.nextafter(stretch["lowest"], 1), stretch["highest"]):
        assert float(scored.counts_at(at).tp) == found["counts"]["tp"]
        assert float(scored.counts_at(at).fp) == found["counts"]["fp"]
    for key, measure in found["measures"].items():
        if key == "roc_auc":
            continue
        assert measure["value"] == float(find(key)(counts))
    hits, n = float(counts.tp), float(counts.actual_positives)
    ways = {"wilson": wilson, "clopper": clopper_pearson}
    interval = ways[method](hits, n, 0.9) if method in ways else bootstrap(find("recall"), counts, 0.9)
    recall = found["measures"]["recall"]
    assert (recall["low"], recall["high"], recall["n"]) == (float(interval.low), float(interval.high), n)
    area = found["measures"]["roc_auc"]
    assert (area["value"], area["low"]) == (float(delong(scored, 0.9).estimate), float(delong(scored, 0.9).low))
    assert found["data"]["rows"] == 569
    assert found["goal"] is None


def test_the_json_tells_the_goal_and_whether_it_is_served(monkeypatch) -> None:
    table = state(read_sample("breast_cancer")).table()
    choice = cost_goal(fn_cost=3).choose(table)
    for threshold, served in ((choice.threshold, True), (0.9, False)):
        goal = json.loads(codes(panels(monkeypatch, data="breast_cancer", t=repr(threshold), decision="cost"))["json"])[
            "goal"
        ]
        assert goal["is_best"] is served
        assert goal["best"]["threshold"] == choice.threshold
        assert goal["best"]["value"] == choice.value
    limit = json.loads(codes(panels(monkeypatch, data="breast_cancer", t="0.4", decision="F2"))["json"])["limits"][0]
    assert (limit["measure"], limit["at_least"], limit["at_most"], limit["met"]) == ("PPV", 0.4, None, True)


@pytest.mark.parametrize("threshold", ["inf", "-inf", "3.3"])
def test_the_json_is_json_to_any_reader(monkeypatch, threshold: str) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    written = codes(panels(monkeypatch, **nasty(), t=threshold, decision="impossible"))["json"]
    found = json.loads(written, parse_constant=refuse)
    assert float(found["rule"]["threshold"]) == float(threshold)
    assert found["data"]["file"] == NASTY_FILE
    assert found["data"]["left_out"] == 1
    assert found["goal"]["best"] is None


def test_the_keys_are_the_same_whatever_the_data(monkeypatch) -> None:
    def keys(value: object) -> object:
        return {key: keys(of) for key, of in value.items()} if isinstance(value, dict) else None

    one_class = saved(read_table(b"actual,score\n" + b"no,0.9\nno,0.5\n", "x.csv"))
    found = [
        keys(json.loads(codes(panels(monkeypatch, **parameters))["json"]))
        for parameters in ({"data": "breast_cancer"}, {"data": one_class}, {**nasty(), "t": "inf"})
    ]
    assert found[0] == found[1] == found[2]


# Text


def test_the_text_has_the_numbers_of_the_page(monkeypatch) -> None:
    found = codes(panels(monkeypatch, data="breast_cancer", t="0.4", decision="cost"))
    text, record = found["text"], json.loads(found["json"])
    assert "569 tumours, 212 malignant (37.3\u202f%), none left out" in text
    assert "A case is called malignant when logistic_regression is at least 0.4." in text
    words = (f"{count_text(record['counts'][c])} {w}" for c, w in (("tp", "found"), ("fn", "missed")))
    assert ", ".join(words) in text
    for key in ("recall", "specificity", "precision", "negative_predictive_value", "accuracy"):
        m = record["measures"][key]
        bounds = f"({share_text(m['low'])} to {share_text(m['high'])}, n = {count_text(m['n'])})"
        assert f"{share_text(m['value'])} {bounds}" in text
    assert "The goal is the lowest cost, a miss at 3; this threshold does not serve it best" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        ("inf", "at most ∞. Every threshold from 14.2857143 gives the same counts"),
        ("-inf", "at most −∞. Every threshold below 0 gives the same counts"),
        ("0.1", "Every threshold from 0 to below 0.142857 gives the same counts"),
    ],
)
def test_the_thresholds_of_the_same_counts_are_said(monkeypatch, threshold: str, said: str) -> None:
    text = codes(panels(monkeypatch, **nasty(), t=threshold))["text"]
    assert said in text
    assert "1 without a label or a score left out" in text
    assert "counted by their it's a weight" in text


def test_a_goal_that_is_served_or_cannot_be_is_said(monkeypatch) -> None:
    choice = best(state(read_sample("breast_cancer")).table(), find("F2"))
    text = codes(panels(monkeypatch, data="breast_cancer", t=repr(choice.threshold), decision="F2"))["text"]
    assert "this threshold serves it best." in text
    text = codes(panels(monkeypatch, data="breast_cancer", decision="impossible"))["text"]
    assert "The goal is a precision above 1; no threshold meets its limits." in text


def test_what_is_undefined_is_said_with_its_reason(monkeypatch) -> None:
    text = codes(panels(monkeypatch, data="breast_cancer", t="inf"))["text"]
    assert "precision undefined because nothing was predicted positive" in text


def test_the_ends_of_the_stretch_are_rounded_inwards() -> None:
    for higher in (True, False):
        rows = ScoredLabels.from_arrays([1, 0, 1], [1 / 7, 2 / 3, 5 / 7], positive=1, higher_is_positive=higher)
        data = read_sample("roc_20")
        data = data.with_roles(replace(data.roles, higher_is_positive=higher))
        scores = Scores(_Current(data), "score", rows, "P", "N", 0)
        for row in range(1, 3):
            low, high = sorted(scores.table.thresholds[row : row + 2].tolist())
            ends = [float(word.replace("−", "-")) for word in stretch_text(scores, low, high).split() if "." in word]
            assert all(low <= end <= high for end in ends)
            assert scores.table.index(ends[1] if higher else ends[0]) == row


# Tables and files


def test_the_table_has_every_distinct_score_and_thins_evenly() -> None:
    data = read_sample("breast_cancer")
    for higher in (True, False):
        data = data.with_roles(replace(data.roles, higher_is_positive=higher))
        scores = Scores(_Current(data), "logistic_regression", state(data), "malignant", "benign", 0)
        frame = takeaway.threshold_frame(scores, 0.4)
        assert len(frame) == len(scores.table)
        row = frame.iloc[50]
        assert float(scores.counts_at(row["threshold"]).tp) == row["tp"]
        assert float(scores.counts_at(row["threshold"]).fp) == row["fp"]
        assert row["Recall"] == row["tp"] / 212
        thin = takeaway.threshold_frame(scores, 0.4, most=20)
        assert len(thin) <= 20
        assert {frame["threshold"].iloc[0], frame["threshold"].iloc[-1]} <= set(thin["threshold"])
        assert (thin["tp"] == float(scores.counts_at(0.4).tp)).any()
        assert csv_of(thin).startswith(b"\xef\xbb\xbfthreshold,tp")


class _Current:
    """As much of an open data set as the scores ask for."""

    def __init__(self, dataset) -> None:
        self.dataset, self.higher_is_positive = dataset, dataset.roles.higher_is_positive

    def key_of(self, system: str) -> str:
        return repr((id(self), system))


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("breast_cancer.csv", "breast_cancer"),
        (NASTY_FILE, "na ty quoted x y Größe"),
        ("../../x.csv", "x"),
        ("$$.csv", "data"),
    ],
)
def test_files_are_named_by_the_data(name: str, stem: str) -> None:
    data = replace(read_sample("roc_20"), name=name)
    scores = Scores(_Current(data), "score", state(data), "P", "N", 0)
    assert takeaway.file_stem(scores) == stem


def test_each_kind_can_be_copied_and_saved(monkeypatch) -> None:
    test = panels(monkeypatch, data="breast_cancer", t="0.4")
    assert codes(test)["languages"][1:] == ["json", "python"]
    labels = {e.proto.label for e in test.get("download_button")}
    assert {
        "Text as a file", "JSON as a file", "Python as a file", "Numbers as CSV", "Every threshold as CSV",
    } <= labels  # fmt: skip


def test_names_from_a_file_are_one_line_of_text(monkeypatch) -> None:
    frame = pd.DataFrame({"actual": ["a\nb", "c"] * 20, "s\u202ecore": np.arange(40.0)})
    roles = Roles("actual", score=("s\u202ecore",), positive="a\nb")
    data = saved(read_table(csv_of(frame), "x\u202e.csv").with_roles(roles))
    text = html.unescape(codes(panels(monkeypatch, data=data, t="3"))["text"])
    assert "\u202e" not in text
    assert "a b when score is at least 3" in text


def test_a_positive_class_that_is_no_word_stands_behind_one(monkeypatch) -> None:
    rows = "".join(f"{k % 4 == 0:d},{k}\n" for k in range(40))
    data = saved(read_table(("label,score\n" + rows).encode(), "numbers.csv"))
    assert "40 rows, 10 positive (1) (25.0" in codes(panels(monkeypatch, data=data))["text"]
