"""Groups of rows that share clusters: the covariance of what is the same patients' on both sides."""

import numpy as np
import pytest
from scipy.stats import t as student

from evalcore import METRICS
from evalcore.analyses import Scores, Source, subgroups_of
from evalcore.classification import ConfusionCounts, ScoredLabels, roc_auc, scored_by_group
from evalcore.inference import IntervalChoice, compare_independent_auc, compare_shares, delong
from evalcore.inference.base.clustered import clustered_area_variance
from evalcore.inference.base.intervals import delong_variance
from evalcore.readers import DataSet, roles_of
from tests.words import sentence_with

pd = pytest.importorskip("pandas")


def patients(seed: int = 0, rows: int = 240, count: int = 30):
    random = np.random.default_rng(seed)
    clusters, labels = random.integers(0, count, rows), random.random(rows) < 0.4
    scores = random.normal(size=rows) + labels + random.normal(size=count)[clusters]
    return labels, scores.round(1), clusters, random.choice(["a", "b"], rows)


def test_the_variance_of_a_difference_of_areas_is_that_of_a_loop() -> None:
    labels, scores, clusters, groups = patients(rows=120)
    first, second = (
        ScoredLabels.from_arrays(labels[part], scores[part], clusters=clusters[part])
        for part in (groups == "a", groups == "b")
    )
    spread = []
    for code in range(30):
        sums = []
        for part in (groups == "a", groups == "b"):
            own, others = scores[part & labels], scores[part & ~labels]
            area = np.mean([(x > y) + (x == y) / 2 for x in own for y in others])
            total = 0.0
            for row in np.flatnonzero(part & (clusters == code)):
                x = scores[row]
                if labels[row]:
                    total += (np.mean((x > others) + (x == others) / 2) - area) / len(own)
                else:
                    total += (np.mean((own > x) + (own == x) / 2) - area) / len(others)
            sums.append(total)
        spread.append(sums)
    covariance = sum(a * b for a, b in spread) * 30 / 29
    variance = sum(clustered_area_variance(state, roc_auc(state))[0] for state in (first, second))
    compared = compare_independent_auc(first, second, shared=True)
    assert compared.estimate / compared.statistic == pytest.approx((variance - 2 * covariance) ** 0.5, rel=1e-9)
    alone = compare_independent_auc(first, second)
    assert alone.estimate / alone.statistic == pytest.approx(variance**0.5, rel=1e-9)


def test_a_sample_of_clusters_and_one_of_rows_have_the_degrees_of_each() -> None:
    labels, scores, clusters, _ = patients()
    few = ScoredLabels.from_arrays(labels, scores, clusters=clusters // 6)
    rows = ScoredLabels.from_arrays(labels, scores - 0.3 * labels)
    (of_few, degrees), of_rows = clustered_area_variance(few, roc_auc(few)), delong_variance(rows)
    together = (of_few + of_rows) ** 2 / (of_few**2 / degrees + of_rows**2 / (len(labels) - 1))
    for compared in (compare_independent_auc(few, rows), compare_independent_auc(rows, few)):
        assert compared.method == "Obuchowski, unpaired and clustered"
        assert compared.p_value == pytest.approx(2 * student.sf(abs(compared.statistic), together))


def test_groups_without_a_common_cluster_are_independent() -> None:
    labels, scores, clusters, _ = patients()
    first, second = (
        ScoredLabels.from_arrays(labels[part], scores[part], clusters=clusters[part])
        for part in (clusters < 15, clusters >= 15)
    )
    apart, shared = (compare_independent_auc(first, second, shared=shared) for shared in (False, True))
    assert (apart.p_value, apart.interval.low) == (shared.p_value, shared.interval.low)


def test_shares_that_vary_together_differ_more_surely() -> None:
    alone, alike, opposed = (compare_shares(56, 70, 48, 80, correlation=rho) for rho in (0.0, 0.5, -0.5))
    widths = [float(one.interval.high - one.interval.low) for one in (alike, alone, opposed)]
    assert widths == sorted(widths)
    assert float(alike.p_values) < float(alone.p_values) < float(opposed.p_values)
    # Wilson's intervals of 7/10 and 3/10, joined with a correlation of 1 by hand.
    whole = compare_shares(7, 10, 3, 10, correlation=1.0).interval
    assert float(whole.low) == pytest.approx(0.4 - abs((0.7 - 0.396775) - (0.603225 - 0.3)), abs=1e-5)


def test_a_slice_of_counts_keeps_its_clusters() -> None:
    labels, scores, clusters, groups = patients()
    counts = [state.counts_at(0.5) for state in scored_by_group(labels, scores, groups, clusters=clusters).values()]
    states = scored_by_group(labels, scores, groups, clusters=clusters)
    stacked = ConfusionCounts(*np.transpose([[float(getattr(one, cell)) for cell in vars(one)] for one in counts]),
                              clusters=lambda at: counts[at].clusters)  # fmt: skip
    recall = METRICS["recall"]
    for part in (slice(None), slice(1), [1, 0], np.array([False, True])):
        interval = IntervalChoice().of_shares(recall, stacked[part])[0]
        expected = [IntervalChoice().of(recall, one)[0].low for one in np.array(counts, dtype=object)[part]]
        assert interval.low.tolist() == pytest.approx([float(low) for low in expected])
    scored = ScoredLabels.from_arrays(labels, scores, clusters=clusters)
    table = scored.counts_at(np.array([0.1, 0.5, 0.9]))
    assert table[1:].moments.products == pytest.approx(table.moments.products[1:])
    assert len(states) == 2


def test_groups_on_a_page_take_whole_patients() -> None:
    labels, scores, clusters, groups = patients(rows=600, count=60)
    frame = pd.DataFrame({"y": labels, "score": scores, "patient": clusters, "site": groups})
    low = {}
    for role in ({}, {"cluster": "patient"}):
        roles = roles_of(actual="y", score=("score",), positive=True, group="site", **role)
        result = subgroups_of(Scores.of(Source.of(DataSet.of(frame, roles=roles)), "score"), 0.5)
        low[len(role)] = float(result.rate(METRICS["specificity"], 2)[0].low[0])
        if role:
            assert sentence_with(result.difference_note(METRICS["recall"]), "on both sides")
            part = groups == result.names[0]
            alone = ScoredLabels.from_arrays(labels[part], scores[part], clusters=clusters[part])
            assert result.areas.low[0] == pytest.approx(float(delong(alone).low))
    assert low[1] < low[0]
