"""The record of a decision is the state of its scores: as text, as JSON, and as Python that finds all of it again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import find
from evalcore.analyses import DecisionRecord, Scores, Source, best_threshold, threshold_columns
from evalcore.classification import Limit, cost_goal, measure_goal
from evalcore.inference import IntervalChoice, bootstrap, clopper_pearson, delong, wilson
from evalcore.readers import read_table, roles_of
from evalcore.wording import count_text, range_text, share_text
from tests.analyses.small_scores import scores_of, small_scores
from tests.words import sentence_with

CELLS = ("tp", "fp", "fn", "tn")
NASTY_FILE = "na$ty 'quoted' [x](y) Größe.csv"
NASTY_CSV = (
    'actual "label",*score*,it\'s a weight\n'
    + "".join(f"{'**ill**' if i % 3 == 0 else '<b>well</b>'},{(i * 37) % 101 / 7},{i % 4 + 0.5}\n" for i in range(200))
    + "**ill**,,1\n"
)
NASTY_ROLES = roles_of(
    actual='actual "label"', score=("*score*",), weight="it's a weight", positive="**ill**", higher_is_positive=False
)
GOALS = {
    "F2": measure_goal(find("F2")).within(Limit(find("precision"), at_least=0.4)),
    "cost": cost_goal(fn_cost=3),
    "impossible": measure_goal(find("recall")).within(Limit(find("precision"), at_least=1.1)),
}
CANCER = scores_of("breast_cancer")


def nasty() -> Scores:
    """Scores of a file whose roles were changed by hand."""
    data = read_table(NASTY_CSV.encode(), NASTY_FILE)
    scores = scores_of(data.with_roles(NASTY_ROLES))
    current = scores.current
    source = Source(current.id, current.title, current.dataset, current.system, current.rows, None, data.roles)
    return Scores.of(source, scores.system)


def record(scores: Scores, t: float, goal: str = "", method: str = "wilson", level: float = 0.95) -> DecisionRecord:
    chosen = best_threshold(scores, GOALS[goal]) if goal else None
    return DecisionRecord(scores, t, IntervalChoice(method, level), chosen)


def run(code: str, folder: Path, monkeypatch) -> None:
    """Run what was taken away beside its file; its assertions are the test."""
    monkeypatch.chdir(folder)
    exec(compile(code, "taken away.py", "exec"), {"__name__": "__main__"})  # noqa: S102


# Python


def test_the_python_is_a_program_of_its_own(tmp_path) -> None:
    (tmp_path / "taken away.py").write_text(record(scores_of("roc_20"), 0.5).code)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "taken away.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("goal", ["", "F2", "cost", "impossible"])
@pytest.mark.parametrize("method", ["wilson", "clopper", "bootstrap"])
def test_the_python_of_a_sample_runs_and_asserts_it_all(monkeypatch, tmp_path, goal: str, method: str) -> None:
    code = record(CANCER, 0.4, goal, method).code
    assert ("choice.threshold ==" in code) == (goal in ("F2", "cost"))
    run(code, tmp_path, monkeypatch)


@pytest.mark.parametrize("threshold", [3.3, np.inf, -np.inf, 0, -4])
def test_so_does_that_of_an_upload_with_everything_changed(monkeypatch, tmp_path, threshold: float) -> None:
    (tmp_path / NASTY_FILE).write_text(NASTY_CSV, encoding="utf-8")
    code = record(nasty(), threshold, "cost", level=0.9).code
    assert repr(NASTY_FILE) in code
    assert "data.with_roles(" in code
    run(code, tmp_path, monkeypatch)


def test_lower_is_positive_by_its_name_too(monkeypatch, tmp_path) -> None:
    text = "actual,distance\n" + "".join(f"{int(i % 5 < 2)},{(i * 7) % 31}\n" for i in range(80))
    (tmp_path / "d.csv").write_text(text)
    taken = record(scores_of(read_table(text.encode(), "d.csv")), 9, "F2")
    assert taken.record["rule"]["comparison"] == "<="
    run(taken.code, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "line",
    ["assert (counts.tp", "'recall': (", "(area.estimate, area.low, area.high), (", "assert choice.threshold == "],
)
def test_a_number_that_is_off_is_found_by_the_python(monkeypatch, tmp_path, line: str) -> None:
    code = record(CANCER, 0.4, "F2").code
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
def test_the_json_is_the_state(method: str) -> None:
    found = json.loads(record(CANCER, 0.4, method=method, level=0.9).json)
    scored = CANCER.scored
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


def test_the_json_tells_the_goal_and_whether_it_is_served() -> None:
    choice = GOALS["cost"].choose(CANCER.table)
    for threshold, served in ((choice.threshold, True), (0.9, False)):
        goal = json.loads(record(CANCER, threshold, "cost").json)["goal"]
        assert goal["is_best"] is served
        assert goal["best"]["threshold"] == choice.threshold
        assert goal["best"]["value"] == choice.value
    limit = json.loads(record(CANCER, 0.4, "F2").json)["limits"][0]
    assert (limit["measure"], limit["at_least"], limit["at_most"], limit["met"]) == ("PPV", 0.4, None, True)


@pytest.mark.parametrize("threshold", [np.inf, -np.inf, 3.3])
def test_the_json_is_json_to_any_reader(threshold: float) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    found = json.loads(record(nasty(), threshold, "impossible").json, parse_constant=refuse)
    assert float(found["rule"]["threshold"]) == threshold
    assert found["data"]["file"] == NASTY_FILE
    assert found["data"]["left_out"] == 1
    assert found["goal"]["best"] is None


def test_the_keys_are_the_same_whatever_the_data() -> None:
    def keys(value: object) -> object:
        return {key: keys(of) for key, of in value.items()} if isinstance(value, dict) else None

    only = scores_of(read_table(b"actual,score\n" + b"no,0.9\nno,0.5\n", "x.csv"))
    found = [record(*one) for one in ((CANCER, 0.4), (only, 0.5), (nasty(), np.inf))]
    assert keys(found[0].record) == keys(found[1].record) == keys(found[2].record)


# Text


def test_the_text_has_the_numbers_of_the_record() -> None:
    taken = record(CANCER, 0.4, "cost")
    text, found = taken.text, taken.record
    assert "569 tumours, 212 malignant (37.3\u202f%), none left out" in text
    assert sentence_with(text, "0.4", "malignant")
    words = (f"{count_text(found['counts'][c])} {w}" for c, w in (("tp", "found"), ("fn", "missed")))
    assert ", ".join(words) in text
    for key in ("recall", "specificity", "precision", "negative_predictive_value", "accuracy"):
        m = found["measures"][key]
        bounds = f"({range_text(share_text(m['low']), share_text(m['high']))}, n = {count_text(m['n'])})"
        assert f"{share_text(m['value'])} {bounds}" in text
    assert sentence_with(text, "1", "3")
    assert "\n" not in text


@pytest.mark.parametrize(
    ("threshold", "said"),
    [(np.inf, "threshold from 14.2857143 gives"), (-np.inf, "threshold below 0 gives"), (0.1, "0 to below 0.142857")],
)
def test_the_thresholds_of_the_same_counts_are_said(threshold: float, said: str) -> None:
    text = record(nasty(), threshold).text
    assert said in text
    assert sentence_with(text, "1", "without")
    assert "weighted by it's a weight" in text


def test_a_goal_that_is_served_or_cannot_be_is_said() -> None:
    choice = GOALS["F2"].choose(CANCER.table)
    assert sentence_with(record(CANCER, choice.threshold, "F2").text, "the best threshold")
    assert sentence_with(record(CANCER, 0.5, "impossible").text, "1.1", "precision")


def test_what_is_undefined_is_said_with_its_reason() -> None:
    assert sentence_with(record(CANCER, np.inf).text, "precision undefined")


def test_the_ends_of_a_range_are_rounded_inwards() -> None:
    for higher in (True, False):
        scores = small_scores([1, 0, 1], [1 / 7, 2 / 3, 5 / 7], higher_is_positive=higher)
        for row in range(1, 3):
            at = float(scores.table.thresholds[row])
            low, high = scores.range_of(at)
            ends = [float(word.replace("−", "-")) for word in scores.range_text(low, high).split() if "." in word]
            assert all(low <= end <= high for end in ends)
            assert scores.table.index(ends[1] if higher else ends[0]) == row


def test_names_from_a_file_are_one_line_of_text() -> None:
    frame = pd.DataFrame({"actual": ["a\nb", "c"] * 20, "s\u202ecore": np.arange(40.0)})
    roles = roles_of(actual="actual", score=("s\u202ecore",), positive="a\nb")
    text = record(scores_of(read_table(frame.to_csv(index=False).encode(), "x\u202e.csv").with_roles(roles)), 3).text
    assert "\u202e" not in text
    assert sentence_with(text, "202", "3")


def test_a_positive_class_that_is_no_word_stands_behind_one() -> None:
    scores = small_scores([int(k % 4 == 0) for k in range(40)], np.arange(40.0), names=("1", "0"))
    assert "40 rows, 10 positive (1) (25.0" in record(scores, 3).text


# Tables


def test_the_table_has_every_distinct_score_and_thins_evenly() -> None:
    for higher in (True, False):
        scores = scores_of("breast_cancer", higher_is_positive=higher)
        table = threshold_columns(scores, 0.4)
        assert len(table["threshold"]) == len(scores.table)
        counts = scores.counts_at(table["threshold"][50])
        assert (float(counts.tp), float(counts.fp)) == (table["tp"][50], table["fp"][50])
        assert table["Recall"][50] == table["tp"][50] / 212
        thin = threshold_columns(scores, 0.4, most=20)
        assert len(thin["threshold"]) <= 20
        assert {table["threshold"][0], table["threshold"][-1]} <= set(thin["threshold"])
        assert (thin["tp"] == float(scores.counts_at(0.4).tp)).any()
