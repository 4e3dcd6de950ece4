"""Scores in bins say what is certain, and become exact at a threshold by the table itself."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from evalcore.analyses import (
    BinnedScores,
    Binning,
    Calibration,
    DecisionCheck,
    DecisionRecord,
    KeptDecision,
    Losses,
    ProbabilitySource,
    Reliability,
    Scores,
    Source,
    best_threshold,
    bins_of,
    bounds_note,
    numbers_of,
    refined_at,
    threshold_note,
)
from evalcore.classification import average_precision, roc_auc, youden_goal
from evalcore.engines import open_stored, summary_dataset
from evalcore.engines import scores as score_keys
from evalcore.readers import DataSet, ReadProblem, Shape, roles_of
from evalcore.reports import ReportSettings
from evalcore.reports.of_scores import curves_chapter
from evalcore.reports.parts import Words
from tests.words import sentence_with

pytestmark = pytest.mark.usefixtures("fewer_resamples")
N = 2000


@pytest.fixture(params=[(True, None), (False, "site")], ids=["higher", "lower, by group"])
def log(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Scores in bins, those of all rows, and the table."""
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    higher, group = request.param
    random = np.random.default_rng(8)
    ill = random.random(N) < 0.4
    score = random.beta(2 + ill, 3) if higher else 1 - random.beta(2 + ill, 3)
    table = pa.table({"ill": np.where(ill, "yes", "no"), "score": score, "site": random.choice(["a", "b"], N)})
    parquet.write_table(table, tmp_path / "log.parquet")
    stored = open_stored(tmp_path / "log.parquet")
    roles = roles_of(actual="ill", score=("score",), positive="yes", group=group, higher_is_positive=higher)
    whole = DataSet.of(table.to_pandas(), roles=roles)
    return *(Scores.of(Source.of(data), "score") for data in (summary_dataset(stored.frame, roles), whole)), stored


def cells(scores: Scores, threshold: float) -> list[float]:
    counts = scores.counts_at(threshold)
    return [float(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]


def inside(scores: Scores) -> float:
    """A threshold within a bin."""
    bins = bins_of(scores).bins
    low, high = bins.sums["lowest"], bins.sums["highest"]
    at = int(np.argmax(high - low))
    return float((low[at] + high[at]) / 2)


def test_a_threshold_within_a_bin_becomes_exact_and_the_link_keeps_it(log) -> None:
    binned, whole, stored = log
    threshold = inside(binned)
    assert cells(binned, threshold) != cells(whole, threshold)
    note, can_ask = threshold_note(binned, threshold)
    assert can_ask
    assert "divides a bin of" in note
    shape = Shape((refined_at(binned, threshold, stored),))
    data = binned.current.dataset.shaped(shape.to_text())
    exact = Scores.of(Source.of(data), "score")
    assert cells(exact, threshold) == cells(whole, threshold)
    assert threshold_note(exact, threshold)[0].endswith("are exact.")
    assert data.tally() == binned.current.dataset.tally()
    assert [one.code for one in data.findings] == ["counted rows"]


def test_bounds_hold_what_the_rows_have(log) -> None:
    binned, whole, _ = log
    bins = BinnedScores(bins_of(binned))
    for measure in (roc_auc, average_precision):
        bounds = bins.measures[measure.__name__]()
        assert bounds.low <= measure(whole.scored) <= bounds.high
    assert sentence_with(bounds_note(binned, "roc_auc"), "certainly lies between")
    both = bounds_note(binned, "roc_auc", "half_brier_score", edges=np.linspace(0, 1, 6))
    assert ("the Brier score certainly" in both) is bins.counts.higher_is_positive
    assert both.endswith(bins.calibration_sentence(np.linspace(0, 1, 6)))
    assert "best threshold" in bounds_note(binned, goal=youden_goal())
    assert not bounds_note(whole, "roc_auc")


def test_a_threshold_that_is_written_shorter_has_the_counts_that_are_shown(log) -> None:
    binned, whole, _ = log
    for threshold in binned.table.thresholds[1:60:7].tolist():
        written = float(binned.text(threshold))
        assert cells(whole, written) == cells(whole, threshold) == cells(binned, threshold)
        low, high = binned.range_of(threshold)
        middle = (low + high) / 2 if np.isfinite(low + high) else threshold
        assert cells(whole, middle) == cells(whole, threshold)


def test_a_table_that_changed_is_not_used(log) -> None:
    binned, _, stored = log
    half = stored.frame.limit(N // 2)
    with pytest.raises(ReadProblem, match="has changed"):
        refined_at(binned, inside(binned), type(stored)(half, stored.connection, "log"))


@pytest.mark.parametrize(
    "text", ["split~score~x~rows~ill~0.5~0.4~0.6~1", "split~score~site~rows~ill~0.5~0.4~0.6~1,9", "split~a"]
)
def test_a_step_that_was_edited_is_refused(log, text: str) -> None:
    with pytest.raises(ReadProblem):
        log[0].current.dataset.shaped(text)


def test_numbers_and_records_tell_the_bounds(log) -> None:
    binned, whole, stored = log
    threshold, goal = inside(binned), youden_goal()
    scores = BinnedScores(bins_of(binned))
    (system,) = numbers_of(binned.current, threshold)["systems"]
    assert system["counts_exact"] is False
    low, high = system["measures"]["average_precision"]["bounds"]
    assert low < average_precision(whole.scored) < high
    assert system["measures"]["roc_auc"]["bounds"] == [*vars(scores.measures["roc_auc"]()).values()]
    assert "bounds" not in system["measures"]["recall"]
    decision = DecisionRecord(binned, threshold, chosen=best_threshold(binned, goal))
    certain = decision.record["certain"]
    assert certain["thresholds"][0] <= goal.choose(whole.table).threshold <= certain["thresholds"][1]
    assert certain["measures"]["roc_auc"] == system["measures"]["roc_auc"]["bounds"]
    assert (decision.record["data"]["rows"], decision.record["data"]["weight"]) == (N, None)
    assert "curve certainly lies between" in decision.text
    assert sentence_with(decision.text, "not exact")
    check = DecisionCheck(KeptDecision.of(decision, "Audit", "", "", "2026-11-23T10:20Z"), binned)
    assert "divides a bin" in check.note
    assert not check.untested
    exact = Source.of(binned.current.dataset.shaped(Shape((refined_at(binned, threshold, stored),))))
    assert numbers_of(exact, threshold)["systems"][0]["counts_exact"] is True
    assert DecisionRecord(Scores.of(exact, "score"), threshold).text.endswith("The counts are exact.")
    assert "certain" not in DecisionRecord(whole, threshold).record


def test_curves_of_a_report_and_probabilities_tell_the_bounds(log) -> None:
    source = log[0].current
    words = [part.text for part in curves_chapter(source, ReportSettings()).parts if isinstance(part, Words)]
    assert "certainly lies between" in " ".join(words)
    if log[0].higher:
        probabilities = ProbabilitySource.of(source)
        calibration = Calibration(Reliability.of(probabilities, Binning()), Losses.of(probabilities.table))
        assert sentence_with(calibration.certain, "certainly lies between")
