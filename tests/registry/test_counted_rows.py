"""A table of counts gives what its rows give: every measure with its interval, every report, bins and pictures."""

import html
import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.analyses import (
    BestConstants,
    BinChoice,
    DecisionRecord,
    DistanceSettings,
    DistributionComparison,
    ErrorDistribution,
    EstimateRows,
    LossSetting,
    Scores,
    Source,
    TwoDistributions,
    cloud_of,
    compare_systems,
    numbers_of,
)
from evalcore.classification import Limit
from evalcore.estimation import BIN_RULES, TwoSamples
from evalcore.inference import promised_thresholds, recalibrated_table
from evalcore.inference.base import comparison
from evalcore.readers import DataSet, read_sample
from evalcore.reports import write_report

SAMPLES = ("breast_cancer", "hospitals", "roc_20", "digits", "patients", "digits_probabilities", "diabetes")
SAMPLES += ("digits_labels", "digits_label_sets")
pytestmark = pytest.mark.usefixtures("fewer_resamples")
RESAMPLED = "bootstrap"
"""How intervals are called whose draws are others where rows stand in other places."""


@cache
def tables(sample: str, rows: int = 150, clustered: bool = False) -> tuple[DataSet, DataSet]:
    """Rows of a sample with counts of 0 to 3, perhaps of cases of unequal sizes, and the same rows one by one."""
    data, random = read_sample(sample), np.random.default_rng(1)
    some = np.sort(random.choice(len(data), min(rows, len(data)), replace=False))
    frame = data.frame.iloc[some].reset_index(drop=True)
    frame = frame.round(2) if data.kind != "probabilities" else frame
    times = random.integers(0, 4, len(frame))
    roles = data.roles
    if clustered:
        times = np.maximum(times, 1)  # a case of no rows would be none of the cases
        frame = frame.assign(case=np.resize(np.repeat(np.arange(45), [*[1] * 40, 12, 15, 15, 30, 30]), len(frame)))
        roles = replace(roles, cluster="case")
    counted = replace(roles, weight="times", weights_are="counts")
    written = frame.loc[np.repeat(np.arange(len(frame)), times)].reset_index(drop=True)
    return (DataSet.of(frame.assign(times=times), "x.csv", roles=counted), DataSet.of(written, "x.csv", roles=roles))


def alike(one: Any, two: Any, where: str = "") -> None:
    """Two documents are the same, their numbers but for the last digits."""
    assert type(one) is type(two), where
    if isinstance(one, dict):
        assert one.keys() == two.keys(), where
        for key in one:
            alike(one[key], two[key], f"{where}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(two), where
        for place, pair in enumerate(zip(one, two, strict=True)):
            alike(*pair, f"{where}[{place}]")
    elif isinstance(one, float):
        assert one == pytest.approx(two, rel=1e-9, abs=1e-12, nan_ok=True), where
    else:
        assert one == two, where


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_measure_with_its_interval_and_its_rows(sample: str, clustered: bool) -> None:
    counted, written = (numbers_of(data) for data in tables(sample, clustered=clustered))
    for document in (counted, written):
        del document["versions"], document["data"]["digest"], document["data"]["roles"]
        for system in document["systems"]:
            # Steps of time are no copies of one another: the naive forecast of a series is no count of rows.
            system["measures"].pop("mean_absolute_scaled_error", None)
            for entry in system["measures"].values():
                if RESAMPLED in entry.get("interval", "") and not clustered:  # cases are drawn alike
                    entry.pop("low"), entry.pop("high")
    alike(counted, written)


def report_lines(data: DataSet, folder: Path) -> list[str]:
    """What a report says, without what only tells how the table stores its rows."""
    text = write_report(data, folder / "x.html").read_text(encoding="utf-8")
    text = re.sub(r"<(style|script|svg).*?</\1>", "", text, flags=re.S)
    text = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"</(td|th|p|li|h\d|tr|div)>", "\n", text)))
    for words in (
        r"Rows are weighted by times; intervals treat weights as row counts\.",
        r"weighted by times, ",
        r" · weighted by times \(counts of rows: sum \d+\)",
        r"\b[0-9a-f]{32}\b",
        r"\b\d\d:\d\d\b",
    ):
        text = re.sub(words, "", text)
    return [line for line in map(str.strip, text.splitlines()) if line]


def different_lines(one: list[str], two: list[str]) -> list[str]:
    """The lines that stand in only one of two reports."""
    return sorted({*one} ^ {*two})


@pytest.mark.parametrize("sample", ["digits", "diabetes"])
def test_a_report_says_the_same_of_counts_and_of_rows(sample: str, tmp_path: Path) -> None:
    counted, written = (report_lines(data, tmp_path) for data in tables(sample))
    # Findings about copies of a row, which counts are not, and how roles are told.
    told = r"duplicate rows?|^(Weights?( are)?|times|counts|info|level|finding|Findings)$|Nothing"
    assert [line for line in different_lines(counted, written) if not re.search(told, line)] == []


@pytest.mark.parametrize("clustered", [False, True])
def test_two_systems_are_compared_alike(clustered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a class has so few rows, or cases, that answers are exchanged."""
    monkeypatch.setattr(comparison, "DRAWS", 200)
    data = tables("breast_cancer", 70 if clustered else 20, clustered)
    ours, theirs = (compare_systems(Source.of(one)) for one in data)
    pairs = zip(
        [*ours.area_differences, *ours.main_differences],
        [*theirs.area_differences, *theirs.main_differences],
        strict=True,
    )
    exchanged = 0
    for one, two in pairs:
        assert (one.test.method, one.test.n, one.test.interval.caution) == (
            two.test.method, two.test.n, two.test.interval.caution,
        )  # fmt: skip
        assert one.test.estimate == pytest.approx(two.test.estimate, rel=1e-9, abs=1e-12)
        if clustered or "exact" in one.test.method:
            exchanged += "exact" in one.test.method or "exchange" in one.test.method
            assert one.test.p_value == pytest.approx(two.test.p_value, rel=1e-9)
    assert exchanged


def test_promises_and_folds_of_counted_cases() -> None:
    """Few heavy cases are as few where counts are heavy: no threshold is promised, and folds are of the same cases."""
    counted, written = (data.scored() for data in tables("breast_cancer", clustered=True))
    limits = (Limit(METRICS["recall"], at_least=0.7),)
    promises = [promised_thresholds(one, limits) for one in (counted, written)]
    np.testing.assert_array_equal(promises[0].withheld, promises[1].withheld)
    assert promises[0].withheld.all()
    tables_of = [data.probabilities() for data in tables("digits_probabilities", clustered=True)]
    ours, theirs = (recalibrated_table(table) for table in tables_of)
    for key in ("log_loss", "brier_score"):
        assert METRICS[key](ours.after) == pytest.approx(METRICS[key](theirs.after), rel=1e-9)


@pytest.mark.parametrize("rule", [rule for rule in BIN_RULES if rule != "hand"])
def test_bins_their_places_and_all_distances(rule: str) -> None:
    counted, written = tables("diabetes")
    pairs = [
        TwoDistributions.of_columns(Source.of(data), "truth", "linear_regression", BinChoice(rule))
        for data in (counted, written)
    ]
    np.testing.assert_array_equal(pairs[0].edges, pairs[1].edges)
    np.testing.assert_allclose(pairs[0].pair.at, pairs[1].pair.at, rtol=1e-12)
    ours, theirs = (DistributionComparison(pair, DistanceSettings()) for pair in pairs)
    for measure in ours.measures:
        assert ours.value(measure) == pytest.approx(theirs.value(measure), rel=1e-9, abs=1e-12, nan_ok=True)
    assert ours.verdict == theirs.verdict


@pytest.mark.parametrize("rule", [rule for rule in BIN_RULES if rule != "hand"])
def test_two_groups_of_counted_rows(rule: str) -> None:
    random = np.random.default_rng(3)
    p, q = random.normal(size=80).round(1), random.normal(0.5, 2, 60).round(1)
    of_p, of_q = random.integers(0, 5, 80), random.integers(0, 5, 60)
    counted = TwoSamples(p, q, weights_p=of_p.astype(float), weights_q=of_q.astype(float))
    written = TwoSamples(np.repeat(p, of_p), np.repeat(q, of_q))
    edges = counted.edges(rule, 7)
    np.testing.assert_array_equal(edges, written.edges(rule, 7))
    for one, two in ((counted.binned(edges), written.binned(edges)), (counted.exact, written.exact)):
        for measure in METRICS.values():
            if measure.family == "distributions":
                assert float(measure(one)) == pytest.approx(float(measure(two)), rel=1e-9, abs=1e-12), measure.key


def test_pictures_of_errors_and_best_constants() -> None:
    ours, theirs = (EstimateRows.of(Source.of(data)) for data in tables("diabetes"))
    errors = [ErrorDistribution(rows) for rows in (ours, theirs)]
    for one, two in zip(errors[0].histogram, errors[1].histogram, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)
    for one, two in zip(errors[0].quantiles, errors[1].quantiles, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)
    assert errors[0].verdict == errors[1].verdict
    for key in ("truth", "error", "scale", "difference"):
        clouds = [cloud_of(rows, key) for rows in (ours, theirs)]
        trends = [cloud.trend_line for cloud in clouds if cloud is not None]
        for one, two in zip(*trends, strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)
    constants = [BestConstants(rows, LossSetting()) for rows in (ours, theirs)]
    assert constants[0].delta == constants[1].delta


def test_recalibration_judges_each_row_that_is_counted() -> None:
    tables_of = [data.probabilities() for data in tables("digits_probabilities")]
    ours, theirs = (recalibrated_table(table) for table in tables_of)
    np.testing.assert_allclose(ours.after.probabilities, theirs.after.probabilities, rtol=1e-9)
    assert len(ours.rows) == tables_of[0].total
    for key in ("log_loss", "brier_score", "expected_calibration_error"):
        assert METRICS[key](ours.after) == pytest.approx(METRICS[key](theirs.after), rel=1e-9)
        assert not math.isnan(METRICS[key](ours.after))


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("sample", SAMPLES)
def test_findings_and_decisions_count_rows_and_not_lines(sample: str, clustered: bool) -> None:
    counted, written = tables(sample, clustered=clustered)
    said = [{one.sentence for one in data.findings if one.code != "copies"} for data in (counted, written)]
    assert said[0] == said[1]
    if counted.kind == "scores":
        texts = [DecisionRecord(Scores.of(Source.of(data), data.systems[0]), 0.5).text for data in (counted, written)]
        assert texts[0].replace(", weighted by times", "") == texts[1]


def test_cases_of_no_rows_are_not_among_the_cases() -> None:
    counted, _ = tables("breast_cancer", clustered=True)
    frame = counted.frame.assign(times=np.where(counted.frame["case"] < 30, 0, counted.frame["times"]))
    data = DataSet.of(frame, "x.csv", roles=counted.roles)
    assert Source.of(data).clusters == " of 15 cases"
    alone = frame.assign(times=np.where(frame.index % 2, 3, 0), case=frame.index)
    codes = {one.code for one in DataSet.of(alone, "x.csv", roles=counted.roles).findings}
    assert "rows alone" not in codes
    one = frame.assign(times=np.where(frame["case"] == 44, 1, 0))
    assert "one cluster" in {found.code for found in DataSet.of(one, "x.csv", roles=counted.roles).findings}
