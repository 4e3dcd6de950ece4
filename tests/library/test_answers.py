"""Answers: what the pages show, from arrays; a number is the page's to the last bit."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import polars as pl
import pytest

import evalcore as ec
from evalcore import analyses, reports
from evalcore.__main__ import main
from evalcore.classification import flag_goal
from evalcore.readers import read_sample

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.random(300) < 0.3
SCORES = np.round(np.clip(0.3 * TRUTH + RANDOM.random(300) * 0.7, 0, 1), 3)
OTHER = np.round(RANDOM.random(300), 3)
NUMBERS = RANDOM.normal(10, 3, 300)
QRELS = {f"q{q}": {f"d{d}": int(d < 3) for d in range(8)} for q in range(6)}
RUNS = [{q: {d: float(RANDOM.random()) for d in one} for q, one in QRELS.items()} for _ in range(2)]

ANSWERS: dict[str, Callable[[], ec.Answer]] = {
    "confusion": lambda: ec.confusion(TRUTH, SCORES > 0.4),
    "confusion of scores": lambda: ec.confusion(TRUTH, SCORES, threshold=0.4),
    "classes": lambda: ec.confusion(list("abcabcabc"), list("abcabbacc")),
    "threshold": lambda: ec.threshold(TRUTH, SCORES, goal="recall >= 0.95"),
    "curves": lambda: ec.curves(TRUTH, SCORES),
    "calibration": lambda: ec.calibration(TRUTH, SCORES),
    "calibration of classes": lambda: ec.calibration(list("abca") * 5, [[0.6, 0.3, 0.1]] * 20),
    "ranking": lambda: ec.ranking(QRELS, RUNS[0], k=5),
    "regression": lambda: ec.regression(NUMBERS, NUMBERS + 0.3 * RANDOM.normal(size=300)),
    "a constant error": lambda: ec.regression(NUMBERS, NUMBERS + 0.1),
    "systems of scores": lambda: ec.compare(TRUTH, SCORES, OTHER),
    "systems of labels": lambda: ec.compare(TRUTH, {"old": SCORES > 0.5, "new": SCORES > 0.4}, measure="recall"),
    "systems of estimates": lambda: ec.compare(NUMBERS, NUMBERS + 1, NUMBERS * 1.05),
    "rankings": lambda: ec.compare(QRELS, *RUNS, measure="nDCG@5"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_shows_itself(name: str) -> None:
    answer = ANSWERS[name]()
    assert repr(answer).startswith(answer.verdict)
    assert len(answer.verdict.split()) > 3
    assert not any(mark in answer.verdict for mark in ("**", "<b", "&#", "]("))
    frame = answer.frame()
    assert len(frame) > 0
    assert isinstance(answer.figure(), go.Figure)
    shown = answer._repr_html_()
    assert shown.startswith('<div class="evalcore-answer"><style>')
    assert shown.count("<script") == 0
    assert "http" not in shown.replace("http://www.w3.org/2000/svg", "")
    compile(answer.code(), name, "exec")


def test_what_a_threshold_answers() -> None:
    answer = ec.threshold(TRUTH, SCORES, goal="recall >= 95 %")
    table = ec.curves(TRUTH, SCORES).frame()
    allowed = table[table.recall >= 0.95]
    assert float(answer) == answer.threshold
    assert float(answer.counts.fp) == allowed.fp.min()
    low, high = answer.range
    assert low < answer.threshold == high
    assert ec.recall(TRUTH, SCORES, threshold=answer.threshold) == float(answer.counts.tp) / TRUTH.sum() >= 0.95
    assert answer.certainty.ends[0] <= answer.certainty.ends[1]
    assert "67" in answer.verdict
    assert "Without the limit" not in answer.verdict
    assert "Without the limit" in ec.threshold(TRUTH, SCORES, goal="precision, recall >= 0.95").verdict


GOALS = {"youden": "J", "F2": "F2", "MCC": "MCC", "lowest": "FPR, recall >= 0.5"}


def test_goals_in_words() -> None:
    scored = analyses.Scores.of(ec.threshold(TRUTH, SCORES).source, "system")
    best = {name: ec.threshold(TRUTH, SCORES, goal=goal).counts for name, goal in GOALS.items()}
    for name in ("F2", "MCC"):
        measure = ec.find(name)
        assert float(measure(best[name])) == pytest.approx(np.nanmax(measure(scored.table.counts)))
    cost = ec.threshold(TRUTH, SCORES, miss_cost=5, alarm_cost=2).counts
    costs = 5 * scored.table.counts.fn + 2 * scored.table.counts.fp
    assert float(5 * cost.fn + 2 * cost.fp) == costs.min()
    assert ec.threshold([1, 0, 1, 1], [0.3, 0.4, 0.9, 0.35], miss_cost=0).counts.fp == 0
    flagged = ec.threshold(TRUTH, SCORES, goal=flag_goal(rows=20)).counts
    assert float(flagged.predicted_positives) <= 20
    promised = ec.threshold(TRUTH, SCORES, goal="recall >= 0.8", on_new_rows=True)
    assert promised.threshold < ec.threshold(TRUTH, SCORES, goal="recall >= 0.8").threshold


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: ec.threshold(TRUTH, SCORES, goal="precision >= 0.999, recall >= 0.9"),
            ValueError,
            "the closest value",
        ),
        (lambda: ec.threshold(TRUTH, SCORES, goal="F1, F2"), ValueError, "one measure"),
        (lambda: ec.threshold(TRUTH, SCORES, goal="F1", miss_cost=5), ValueError, "two goals"),
        (lambda: ec.threshold(TRUTH, SCORES, goal="cost"), ValueError, "miss_cost"),
        (lambda: ec.threshold(TRUTH, SCORES, goal="recall > 90"), ValueError, "did you mean 90 %?"),
        (lambda: ec.compare(TRUTH, SCORES, OTHER, measure="log_loss"), ValueError, "not compared by Log-loss"),
        (lambda: ec.curves(TRUTH, SCORES).save("curves.png"), ValueError, "curves.html"),
        (lambda: ec.threshold(TRUTH, SCORES, goal="AUC"), ValueError, "does not depend on the threshold"),
        (lambda: ec.threshold(TRUTH, SCORES, gaol="F2"), TypeError, "gaol"),
        (lambda: ec.threshold(["cat", "dog"] * 5, np.arange(10)), ValueError, "Which label is positive?"),
        (lambda: ec.compare(TRUTH, SCORES), ValueError, "two systems"),
        (lambda: ec.compare(NUMBERS, NUMBERS + 1), ValueError, "two systems"),
        (lambda: ec.regression(NUMBERS, NUMBERS[1:]), ValueError, "differ in length"),
        (lambda: ec.curves(ec.read(pd.DataFrame({"truth": NUMBERS, "estimate": NUMBERS + 1}))), ValueError, "curves"),
    ],
)
def test_what_cannot_be_answered_says_why(call: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        _ = call().verdict
    assert words in str(raised.value)


def test_a_measure_is_compared_once_however_it_is_called() -> None:
    measures = ec.compare(QRELS, *RUNS, measure="nDCG@10").frame().measure
    assert measures.is_unique
    assert measures[0] == "nDCG@10"
    assert "nDCG@10" in set(ec.compare(QRELS, *RUNS, measure="nDCG@5").frame().measure)


def test_a_number_of_a_page_is_that_of_the_notebook(tmp_path: Path) -> None:
    data = read_sample("breast_cancer")
    source = analyses.Source.of(data, sample="breast_cancer")
    truth, scores = data.frame[data.roles.actual], data.frame[source.system]
    of_arrays = ec.curves(truth, scores, positive=data.roles.positive)
    pd.testing.assert_frame_equal(of_arrays.frame(), ec.curves(data).frame())
    assert of_arrays.verdict == ec.curves(data).verdict
    assert ec.calibration(data).verdict == ec.calibration(truth, scores, positive=data.roles.positive).verdict
    chapter = reports.CHAPTERS["classify/curves"](source, reports.ReportSettings())
    assert ec.curves(data).verdict.split(".")[0] in chapter.verdict
    script = tmp_path / "answer.py"
    script.write_text(ec.curves(source).code())
    runpy.run_path(str(script))
    assert ec.curves(data).save(tmp_path / "answer.html").stat().st_size < 2_000_000


def test_frames_and_files_are_read_with_their_roles(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"ill": ["yes", "no", "yes", "no"], "model_a": [0.9, 0.4, 0.7, 0.1], "model_b": [0.2, 0.3, 0.9, 0.1]}
    )
    frame.to_csv(tmp_path / "scores.csv", index=False)
    for given in (frame, pl.from_pandas(frame), tmp_path / "scores.csv", str(tmp_path / "scores.csv")):
        data = ec.read(given)
        assert (data.kind, data.roles.positive, data.systems) == ("scores", "yes", ("model_a", "model_b"))
        assert ec.read(given, positive="no", score="model_b").systems == ("model_b",)
    assert ec.read(frame.rename(columns={"model_a": 7})).systems == ("7", "model_b")
    assert "scores, 4 rows" in repr(ec.read(frame))
    assert "<table" in ec.read(frame)._repr_html_()
    assert ec.roc_auc(ec.read(frame)) == 1
    assert ec.numbers(frame)["data"]["rows"] == 4
    assert ec.numbers((frame.ill, frame.model_a))["data"]["positives"] == 2
    assert ec.report(frame, tmp_path / "report.html").exists()


def test_the_script_of_arrays_says_what_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ec.threshold(TRUTH, SCORES)
    script = ec.curves(TRUTH, SCORES).code()
    assert "rows.parquet" in script
    answer.source.frame.to_parquet(tmp_path / "rows.parquet")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "again.py").write_text(script)
    runpy.run_path("again.py")


def test_a_decision_is_recorded_and_held_against_new_rows(tmp_path: Path) -> None:
    answer = ec.threshold(TRUTH, SCORES, goal="recall >= 0.9")
    answer.record(tmp_path / "decision.json")
    pd.DataFrame({"truth": TRUTH, "system": SCORES}).to_csv(tmp_path / "rows.csv", index=False)
    assert main(["check", str(tmp_path / "decision.json"), str(tmp_path / "rows.csv")]) in (0, 3)
    assert "best_threshold" in answer.code() or "choose(table)" in answer.code()


def test_the_level_asked_for_is_that_of_the_numbers() -> None:
    frame = ec.regression(NUMBERS, NUMBERS + 0.1 * np.arange(300) % 7, level=0.9).frame()
    assert set(frame.level.dropna()) == {0.9}


def test_rows_without_a_number_are_said_to_be_left_out() -> None:
    answer = ec.regression(NUMBERS, np.where(NUMBERS > 14, np.nan, NUMBERS + 1))
    left = int((NUMBERS > 14).sum())
    assert repr(answer).endswith(f"{left} rows without a label or number left out.")


def test_weights_clusters_and_groups_have_their_roles() -> None:
    half = np.arange(300) // 2
    answer = ec.confusion(TRUTH, SCORES > 0.4, clusters=half, groups=half % 3)
    assert answer.source.clusters.startswith(" of 150 clusters")
    assert ec.accuracy(answer.source) == ec.accuracy(TRUTH, SCORES > 0.4)
    twice = ec.confusion(TRUTH, SCORES > 0.4, weights=np.full(300, 2)).frame()
    assert twice.n.max() == 600


def test_a_saved_comparison_of_estimates_has_its_chapter(tmp_path: Path) -> None:
    report = ec.compare(NUMBERS, NUMBERS + 1, NUMBERS * 1.05).save(tmp_path / "two.html").read_text("utf-8")
    assert "B minus A; filled: excludes 0" in report
    assert "No correction is called" not in report
