"""Slices of rows that belong together: halves of whole clusters, tests and rates as loops over clusters have them."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from evalcore import METRICS
from evalcore.analyses import ClassTable, LabelPairs, Slices, Source, search_slices
from evalcore.classification import ClusterCounts
from evalcore.inference import effective_shares, worse_slices
from evalcore.inference.independent import clustered_greater, fisher_greater, share_correlation
from evalcore.readers import DataSet, roles_of
from tests.words import sentence_with

EACH = np.eye(4, dtype=bool)
ALL = np.full(4000, True)


def patients(seed: int, worse: bool = False) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Twenty rows of each of 200 patients, who err more or less often; columns by patient and by row."""
    random = np.random.default_rng(seed)
    patient = np.repeat(np.arange(200), 20)
    by_patient = [random.integers(0, 4, 200)[patient] for _ in range(6)]
    risk = random.beta(0.4, 1.6, 200)[patient]
    columns = [*by_patient, random.integers(0, 4, 4000)]
    bad = random.random(4000) < np.where(worse & (columns[6] == 2), np.minimum(risk + 0.3, 1), risk)
    return columns, bad, patient


def test_chance_that_is_of_patients_is_no_slice() -> None:
    listed_as_rows = 0
    for seed in range(5):
        columns, bad, patient = patients(seed)
        members = [EACH] * len(columns)
        assert not worse_slices(columns, members, bad, ALL, clusters=patient, seed=seed).slices
        listed_as_rows += bool(worse_slices(columns, members, bad, ALL, seed=seed).slices)
    assert listed_as_rows > 2


def test_a_slice_that_is_worse_within_patients_is_found_with_its_numbers() -> None:
    columns, bad, patient = patients(3, worse=True)
    search = worse_slices(columns, [EACH] * 7, bad, ALL, clusters=patient, seed=1)
    (one,) = search.slices
    assert one.parts == ((6, 2),)
    held = ~(np.random.default_rng(1).random(200) < 0.5)[patient]
    inside = held & (columns[6] == 2)
    assert (one.rows, one.bad) == (inside.sum(), (bad & inside).sum())
    assert one.rest == pytest.approx(bad[held & ~inside].mean())
    assert one.rate.low < one.rate.estimate <= one.bad / one.rows < one.rate.high


def test_the_test_is_that_of_a_loop_over_clusters() -> None:
    random = np.random.default_rng(4)
    for _ in range(20):
        clusters, first = random.integers(0, 12, 300), random.random(300) < 0.4
        bad = random.random(300) < random.random(12)[clusters] * np.where(first, 1, 0.6)
        counts = ClusterCounts.of(np.where(first, 0, 2) + ~bad, clusters, 4)
        codes, spread, apart = sorted(set(clusters.tolist())), 0.0, float(bad[first].mean() - bad[~first].mean())
        for code in codes:
            of_first, of_rest = (float((bad[part] - bad[part].mean())[clusters[part] == code].sum()) / part.sum()
                                 for part in (first, ~first))  # fmt: skip
            spread += (of_first - of_rest) ** 2
        error = (spread * len(codes) / (len(codes) - 1)) ** 0.5
        held = min(len(set(clusters[part].tolist())) for part in (first, ~first))
        p = float(t.sf(apart / error, held - 1))
        cells = []
        for part in (first, ~first):
            share, n, own = bad[part].mean(), part.sum(), codes
            sums = [float((bad[part] - share)[clusters[part] == code].sum()) for code in own]
            variance = sum(x * x for x in sums) / n**2 * len(own) / (len(own) - 1)
            worth = effective(ClusterCounts.of(np.where(bad[part], 0, 1), clusters[part], 4), bad[part].sum(), n)
            assert worth <= share * (1 - share) / variance * 1.001
            cells += [share * worth, (1 - share) * worth]
        assert clustered_greater(counts) == pytest.approx(max(p, fisher_greater(*cells)))


def effective(counts: ClusterCounts, hits: float, rows: float) -> float:
    return float(effective_shares(counts.moments, [1, 0, 0, 0], [1, 1, 0, 0], np.array(hits), np.array(rows))[1])


def test_one_cluster_of_a_slice_shows_nothing_and_alike_rows_count_once() -> None:
    cells = np.zeros((30, 4))
    cells[:, 3] = 10
    cells[0] = 20, 0, 0, 0
    assert clustered_greater(ClusterCounts(cells)) == 1
    cells[:3] = 20, 0, 0, 0
    # Three clusters whose rows are all bad tell what three rows would, or less.
    assert clustered_greater(ClusterCounts(cells)) >= fisher_greater(3, 0, 0, 27)


def test_the_correlation_of_two_parts_is_that_of_their_residuals() -> None:
    random = np.random.default_rng(7)
    first, second = (ClusterCounts(random.integers(0, 9, (c, 4)).astype(float)) for c in (40, 50))
    residuals = []
    for part in (first, second):
        tp, _, fn, _ = part.cells.T
        recall = tp.sum() / (tp + fn).sum()
        residuals.append([float(hit - recall * (hit + miss)) for hit, miss in zip(tp, fn, strict=True)])
    shared = sum(one * other for one, other in zip(*residuals, strict=False))
    size = (sum(x * x for x in residuals[0]) * sum(x * x for x in residuals[1])) ** 0.5
    assert share_correlation(first, second, [1, 0, 0, 0], [1, 0, 1, 0]) == pytest.approx(shared / size)


def test_the_page_says_that_patients_are_halved_and_tested() -> None:
    columns, bad, patient = patients(3, worse=True)
    actual = np.arange(4000) % 2 == 0
    frame = pd.DataFrame({"actual": actual, "predicted": actual ^ bad, "patient": patient, "ward": columns[6]})
    roles = roles_of(actual="actual", predicted=("predicted",), positive=True, cluster="patient")
    source = Source.of(DataSet.of(frame.astype({"ward": str}), roles=roles))
    table, measure = ClassTable.of(source, "predicted", LabelPairs.of(source, "predicted")), METRICS["error_rate"]
    slices = Slices(table, "True", measure, search_slices(table, "True", measure))
    assert [slices.condition(one) for one in slices.search.slices] == ["ward 2"]
    assert sentence_with(slices.note, "half of the patients")
    assert sentence_with(slices.note, "whole patients")
