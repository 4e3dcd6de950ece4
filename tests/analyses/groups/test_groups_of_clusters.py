"""Cochran's Q where patients have rows in several groups: their differences vary together."""

import numpy as np
import pandas as pd
import pytest

from evalcore import find
from evalcore.analyses import ErrorGroups, EstimateRows, GroupComparison, Source, compare_systems, groups
from evalcore.analyses.groups import area_contributions
from evalcore.inference import Interval, cochran_q, correlated_areas
from evalcore.readers import DataSet

ROLES = "actual~y~~score~a~b~~group~g~~cluster~p~~positive~1"


def table(spans: bool, patients: int = 40) -> pd.DataFrame:
    """Each patient has nine rows, of all three groups or of one; its systems differ by an effect of its own."""
    random, n = np.random.default_rng(4), patients * 9
    patient, y = np.repeat(np.arange(patients), 9), random.random(n) < 0.5
    effect = random.normal(size=(patients, 2))[patient] * np.where(y, 1, -1)[:, None]
    a, b = (1.5 * y + effect[:, k] + random.normal(size=n) for k in (0, 1))
    groups = np.tile(["x", "y", "z"], n // 3) if spans else np.array(list("xyz"))[patient % 3]
    return pd.DataFrame({"y": y.astype(int), "a": a, "b": b, "g": groups, "p": [f"p{one}" for one in patient]})


def compared(frame: pd.DataFrame, measure: str = "AUC") -> GroupComparison:
    return GroupComparison(compare_systems(Source.of(DataSet.of(frame).with_roles(ROLES)), measure=find(measure)))


def from_intervals(groups: GroupComparison, contributions: list | None = None):
    ends = np.array([(one.estimate, one.low, one.high) for one in groups.differences]).T
    return cochran_q(Interval(*ends), 0.95, contributions)


@pytest.mark.parametrize("measure", ["AUC", "accuracy", "F1"])
def test_patients_of_one_group_leave_q_as_it_is_and_those_of_several_make_it_surer(measure: str) -> None:
    apart, together = compared(table(spans=False), measure), compared(table(spans=True), measure)
    assert apart.heterogeneity == from_intervals(apart)
    # What a patient brings to all groups is no difference between them.
    assert together.heterogeneity.statistic > 1.2 * from_intervals(together).statistic
    assert together.heterogeneity.degrees == 2


def test_q_is_that_of_a_loop_that_leaves_each_patient_out() -> None:
    frame = table(spans=True)
    groups = compared(frame, "accuracy")
    cuts = groups.comparison.rows.thresholds
    right = [((frame[one] >= cut) == (frame["y"] == 1)).to_numpy(float) for one, cut in zip("ab", cuts, strict=True)]
    change = right[1] - right[0]
    left_out = [
        [change[of_group & (frame["p"] != patient)].mean() for patient in frame["p"].unique()]
        for of_group in (frame["g"] == name for name in groups.names)
    ]
    values = np.array(left_out)
    alike = np.array([one - change[frame["g"] == name].mean() for one, name in zip(values, groups.names, strict=True)])
    expected = from_intervals(groups, [*alike])
    assert groups.heterogeneity.statistic == pytest.approx(expected.statistic)
    # By the rule for the difference of correlated estimates, of two of the groups.
    two = [0, 1]
    spread = np.array([(one.high - one.low) / (2 * 1.959963984540054) for one in groups.differences])[two]
    estimates = np.array([one.estimate for one in groups.differences])[two]
    r = alike[0] @ alike[1] / np.sqrt((alike[0] @ alike[0]) * (alike[1] @ alike[1]))
    variance = spread[0] ** 2 + spread[1] ** 2 - 2 * r * spread[0] * spread[1]
    ends = Interval(estimates, estimates - 1.959963984540054 * spread, estimates + 1.959963984540054 * spread)
    assert cochran_q(ends, 0.95, [*alike[two]]).statistic == pytest.approx(np.diff(estimates)[0] ** 2 / variance)


def test_very_many_patients_are_left_out_in_bags(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = table(spans=True, patients=200)
    every = compared(frame, "kappa").heterogeneity
    monkeypatch.setattr(groups, "_MOST_TABLES", 100)
    bags = compared(frame, "kappa")
    assert bags.heterogeneity.statistic == pytest.approx(every.statistic, rel=0.15)
    assert bags.heterogeneity.statistic > 1.2 * from_intervals(bags).statistic


def test_what_patients_add_to_areas_gives_their_variance() -> None:
    """Of patients with both classes it is the sum of squares of Obuchowski's variance of the difference."""
    random = np.random.default_rng(2)
    labels, codes = np.tile([True, False, True], 20), np.repeat(np.arange(20), 3)
    a, b = random.normal(size=(2, 60)) + labels
    areas = correlated_areas(labels, [a, b], clusters=codes)
    variance = areas.covariance[0, 0] + areas.covariance[1, 1] - 2 * areas.covariance[0, 1]
    added = area_contributions(labels, a, b, codes)
    assert (added @ added) * 20 / 19 == pytest.approx(variance)


def test_groups_that_are_the_same_rows_differ_by_nothing() -> None:
    frame = table(spans=False)
    frame = pd.concat([frame.assign(g="once"), frame.assign(g="again")], ignore_index=True)
    test = compared(frame).heterogeneity
    assert (test.statistic, test.degrees) == (pytest.approx(0, abs=1e-9), 0)


def test_errors_of_groups_vary_together_too() -> None:
    random = np.random.default_rng(3)
    person, group = np.repeat(np.arange(60), 6), np.tile(list("xyz"), 120)
    size = np.exp(random.normal(size=60))[person]
    truth = random.normal(size=360)
    columns = {"truth": truth, "estimate": truth + size * random.normal(size=360), "g": group, "p": person}
    roles = "truth~truth~~estimate~estimate~~group~g~~cluster~p"
    source = Source.of(DataSet.of(pd.DataFrame(columns)).with_roles(roles))
    groups = ErrorGroups(EstimateRows.of(source, "estimate"), 0.95)
    ends = np.array([one["mean_absolute_error"].ends for one in groups.intervals.values()]).reshape(-1, 3).T
    assert groups.heterogeneity.statistic > 1.05 * cochran_q(Interval(*ends)).statistic
