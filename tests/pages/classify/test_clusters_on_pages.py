"""Rows that belong to a patient: every page says so and takes whole patients."""

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import Disagreement, Source, compare_systems, widening_text
from evalcore.classification import ProbabilityTable, reliability_bins
from evalcore.inference import bootstrap_losses, clustered_frequencies, compare_losses, delong, recalibrated, wilson
from evalcore.readers import DataSet, reassigned


def visits(seed: int = 4, patients: int = 60, rows: int = 10) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    patient = np.repeat(np.arange(patients), rows)
    ill = random.random(patients * rows) < 0.4
    effect = random.normal(size=patients)[patient]
    noise = random.normal(size=(2, patients * rows))
    scores = {f"model_{name}": (ill + effect + one).round(3) for name, one in zip("ab", noise, strict=True)}
    return pd.DataFrame({"patient_id": [f"p{code:03}" for code in patient], "y": ill.astype(int), **scores})


@pytest.fixture(scope="module")
def data() -> DataSet:
    return DataSet.of(visits())


def test_ids_that_repeat_are_offered_with_how_much_an_interval_widens(data: DataSet) -> None:
    (finding,) = [one for one in data.findings if one.code == "rows together"]
    assert (finding.column, finding.role) == ("patient_id", "cluster")
    source = Source.of(data)
    clustered = data.with_roles(reassigned(data.roles, "cluster", "patient_id", data.frame))
    plain, whole = (delong(of.scored("model_a")) for of in (data, clustered))
    factor = float((whole.high - whole.low) / (plain.high - plain.low))
    assert factor > 1.1
    assert f"becomes {factor:.1f} times as wide" in widening_text(source, "patient_id")
    assert not [one for one in clustered.findings if one.code == "rows together"]
    assert "600 rows of 60 patients" in Source.of(clustered).size
    again = data.with_roles(clustered.roles.to_text())
    assert again.roles.get("cluster") == "patient_id"


def test_with_one_row_in_each_cluster_every_number_stays() -> None:
    frame = visits().assign(patient_id=[f"p{row}" for row in range(600)])
    data = DataSet.of(frame)
    alone = data.with_roles(reassigned(data.roles, "cluster", "patient_id", data.frame))
    plain, whole = delong(data.scored("model_a")), delong(alone.scored("model_a"))
    assert (plain.low, plain.high) == (whole.low, whole.high)
    assert Source.of(alone).size == Source.of(data).size


def test_losses_and_calibration_take_whole_patients() -> None:
    """Copies of rows of one patient each leave intervals of losses about as wide as the rows alone do."""
    random = np.random.default_rng(2)
    probability = random.random(150).round(2)
    happened = random.random(150) < probability
    single = ProbabilityTable.from_event(happened, probability)
    many, of_copies, patients = (np.repeat(column, 4) for column in (happened, probability, np.arange(150)))
    copies = ProbabilityTable.from_event(many, of_copies, clusters=patients)
    naive = bootstrap_losses(ProbabilityTable.from_event(many, of_copies))
    for key, interval in bootstrap_losses(copies).items():
        alone = bootstrap_losses(single)[key]
        assert interval.estimate == pytest.approx(alone.estimate)
        assert interval.high - interval.low == pytest.approx(alone.high - alone.low, rel=0.15)
        assert naive[key].high - naive[key].low < 0.7 * (interval.high - interval.low)
    better = ProbabilityTable.from_event(many, (of_copies + many) / 2, clusters=patients)
    change = compare_losses(copies, better)["brier_score"]
    assert change.high < 0
    assert change.clusters == 150
    after = recalibrated(copies.event(1)).after
    assert after.clusters is not None
    bins = reliability_bins(copies.event(1))
    wide, narrow = clustered_frequencies(copies.event(1), bins), wilson(bins.happened, bins.n)
    assert ((wide.high - wide.low) > (narrow.high - narrow.low)).all()


def test_who_is_right_is_tested_by_whole_patients(data: DataSet) -> None:
    """Copies of a table under one patient each do not sharpen the test of the rows on which two systems differ."""
    frame = visits(patients=200, rows=1)
    copies = pd.concat([frame] * 6, ignore_index=True)
    roles = reassigned(DataSet.of(copies).roles, "cluster", "patient_id", copies)
    single, naive = (compare_systems(Source.of(DataSet.of(of))) for of in (frame, copies))
    whole = compare_systems(Source.of(DataSet.of(copies).with_roles(roles)))
    for among in ("all", "positive", "negative"):
        p_values = [Disagreement(of, among).test.p_value for of in (single, whole, naive)]
        assert p_values[2] < p_values[1]
        assert p_values[1] == pytest.approx(p_values[0], abs=0.15)
        assert "clusters" in Disagreement(whole, among).verdict
    assert "whole clusters: 200 patients" in Source.of(DataSet.of(copies).with_roles(roles)).rows_note
