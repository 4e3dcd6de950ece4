"""Rows that belong together: which columns are offered, and findings about clusters that allow no interval."""

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.analyses import Source
from evalcore.analyses.confusion import Ruling
from evalcore.classification import ConfusionCounts
from evalcore.inference import PairedCounts, delong, paired_differences
from evalcore.readers import DataSet, Finding, reassigned, roles_of
from tests.words import facts, sentence_with

CODES = ("rows together", "rows alone", "one cluster", "no cluster", "one class per cluster")


def table(**columns: object) -> DataSet:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 200)
    score = (y + random.normal(size=200)).round(3)
    return DataSet.of(pd.DataFrame({"y": y, "score": score, **columns}))


def belonging(values: object, name: str = "patient") -> DataSet:
    data = table(**{name: values})
    return data.with_roles(reassigned(data.roles, "cluster", name, data.frame))


def said(data: DataSet) -> dict[str, Finding]:
    return {one.code: one for one in data.findings if one.code in CODES}


@pytest.mark.parametrize(
    ("name", "each", "level"),
    [
        ("session", 10, "warning"),
        ("session_id", 10, "warning"),
        ("Document ID", 10, "warning"),
        ("userId", 10, "warning"),
        ("user", 10, "warning"),
        ("patient", 10, "warning"),
        ("id", 10, "warning"),
        ("cv_fold", 40, "info"),
        ("fold", 40, "info"),
        ("encounter_id", 8, "info"),
        ("order_no", 4, "info"),
        ("site_id", 50, None),  # four sites are groups
        ("colour", 10, None),
        ("encounter_id", 1, None),
    ],
)
def test_names_of_who_or_what_rows_belong_to(name: str, each: int, level: str | None) -> None:
    values = [f"x{row // each}" for row in range(200)]
    found = said(table(**{name: values})).get("rows together")
    assert (None if found is None else found.level) == level
    if found is not None:
        assert (found.column, found.role) == (name, "cluster")
        assert f"use whole {'folds' if 'fold' in name else 'cases'}." in found.sentence


def test_few_clusters_are_named_with_their_t_quantiles() -> None:
    few, many = belonging(np.arange(200) % 30), belonging(np.arange(200) % 40)
    assert facts(Source.of(few).rows_note) == "30"
    assert facts(Source.of(many).rows_note) == "40"
    folds = belonging(np.arange(200) % 5, "fold")
    assert "200 rows of 5 folds" in Source.of(folds).size


def test_one_cluster_alone_bears_no_interval() -> None:
    data = belonging(["p1"] * 200)
    (finding,) = said(data).values()
    assert (finding.code, finding.level) == ("one cluster", "warning")
    assert sentence_with(finding.sentence, "patient", "belong")
    interval = delong(data.scored("score"))
    assert not np.isnan(interval.estimate)
    assert np.isnan(interval.low)
    assert facts(Source.of(data).rows_note) == "1"
    labels = np.arange(60) % 3 > 0
    paired = PairedCounts.from_labels(labels, np.arange(60) % 4 > 0, labels, clusters=np.zeros(60, int))
    for compared in paired_differences([METRICS[key] for key in ("recall", "precision")], paired):
        assert compared.estimate > 0.2
        assert np.isnan([compared.p_value, float(compared.interval.low)]).all()
    ruled = Ruling.of("in", ConfusionCounts.from_labels(labels, labels, True, clusters=np.zeros(60, int)))
    assert sentence_with(ruled.sentence, "PPV", "100.0%", "(no interval)")


def test_ids_that_differ_in_each_row_change_nothing() -> None:
    data = belonging([f"p{row}" for row in range(200)])
    (finding,) = said(data).values()
    assert (finding.code, finding.level) == ("rows alone", "info")
    assert "nothing changes" in finding.sentence
    assert Source.of(data).rows_note == ""


def test_rows_without_a_cluster_count_as_their_own() -> None:
    values = pd.array([None if row in (3, 7) else f"p{row % 20}" for row in range(200)], dtype="string")
    data = belonging(values)
    sentence = said(data)["no cluster"].sentence
    assert sentence_with(sentence, "patient", "2", "5")
    assert "of 22 patients" in Source.of(data).size


def test_clusters_of_one_class_each_say_how_many_each_class_has() -> None:
    data = table()
    y = data.frame["y"].to_numpy()
    patients = np.where(y == 1, np.arange(200) % 9, 9 + np.arange(200) % 21)
    finding = said(belonging(patients))["one class per cluster"]
    assert "9 are positive and 21 negative" in finding.sentence
    assert "one class per cluster" not in said(belonging(np.arange(200) % 30))


def test_equal_scores_of_clusters_are_told_and_have_no_interval() -> None:
    data = table(patient=np.arange(200) % 20)
    frame = data.frame.assign(score=0.5)
    equal = DataSet.of(frame, roles=data.roles)
    equal = equal.with_roles(reassigned(equal.roles, "cluster", "patient", equal.frame))
    assert "equal scores" in {one.code for one in equal.findings}
    assert np.isnan(delong(equal.scored("score")).low)


def test_labels_and_scores_of_clusters_that_never_vary_are_told() -> None:
    patient = np.arange(60) // 6
    frame = pd.DataFrame({"patient": patient, "true_a": (patient < 4) * 1, "true_b": np.arange(60) % 2})
    frame["m_a"], frame["m_b"] = 0.5, np.linspace(0, 1, 60)
    roles = roles_of(true_labels=("true_a", "true_b"), label_score=("m_a", "m_b"), cluster="patient")
    found = {one.code: one for one in DataSet.of(frame, roles=roles).findings}
    assert sentence_with(found["equal scores"].sentence, "m_a", "scores")
    assert sentence_with(found["one class per cluster"].sentence, "patient", "a")
    both = DataSet.of(frame.assign(m_b=0.5), roles=roles).findings
    assert any('columns "m_a", "m_b"' in one.sentence for one in both)
