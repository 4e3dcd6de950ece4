"""Tests of queries that belong together, beside loops over all exchanges of whole clusters."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalcore.inference import cautious_t, clustered_test, one_sided_p, paired_t, randomization, sign_test, wilcoxon
from evalcore.inference.base.clustered import degrees_by_sizes
from tests.words import facts

ALL = (paired_t, cautious_t, randomization, wilcoxon, sign_test)
tenths = st.integers(0, 10).map(lambda n: n / 10)
few_queries = st.lists(st.tuples(tenths, tenths, st.integers(0, 5)), min_size=3, max_size=14)


def columns(queries: list[tuple[float, float, int]]) -> tuple[np.ndarray, ...]:
    return tuple(np.array(column) for column in zip(*queries, strict=True))


def share_of_exchanges(added: list[float], clusters: list[int]) -> float:
    """How many of all exchanges of whole clusters give a sum at least as far from 0."""
    named = sorted(set(clusters))
    sums = []
    for signs in itertools.product((1, -1), repeat=len(named)):
        sign = dict(zip(named, signs, strict=True))
        sums.append(abs(sum(sign[cluster] * value for value, cluster in zip(added, clusters, strict=True))))
    return sum(total >= sums[0] for total in sums) / len(sums)


@settings(max_examples=40, deadline=None)
@given(queries=few_queries)
def test_all_exchanges_of_whole_clusters_are_tried(queries) -> None:
    a, b, clusters = columns(queries)
    if not 1 < len(set(clusters.tolist())) < len(clusters):
        return
    whole = [round(10 * y) - round(10 * x) for x, y in zip(a, b, strict=True)]
    twice = [round(2 * rank) for rank in stats.rankdata([abs(d) for d in whole])]
    added = {
        randomization: whole,
        wilcoxon: [math.copysign(rank, d) if d else 0 for rank, d in zip(twice, whole, strict=True)],
        sign_test: [(d > 0) - (d < 0) for d in whole],
    }
    for test, values in added.items():
        assert clustered_test(test, a, b, clusters).p_value == share_of_exchanges(values, clusters.tolist())


@settings(max_examples=40, deadline=None)
@given(queries=few_queries, level=st.sampled_from([0.9, 0.95]))
def test_one_query_per_cluster_leaves_every_number_as_it_was(queries, level) -> None:
    a, b, _ = columns(queries)
    for test in ALL:
        alone, own = test(a, b, level), clustered_test(test, a, b, np.arange(len(a))[::-1], level)
        for name in ("method", "estimate", "statistic", "p_value", "n", "effect_size", "wins", "ties", "losses"):
            one, other = getattr(alone, name), getattr(own, name)
            assert one == other or (math.isnan(one) and math.isnan(other))
        assert own.interval.clusters is None
        assert np.array_equal(alone.interval.ends, own.interval.ends, equal_nan=True)


@pytest.mark.parametrize("seed", range(3))
def test_the_error_of_the_mean_is_that_of_a_loop_over_clusters(seed: int) -> None:
    random = np.random.default_rng(seed)
    clusters = random.integers(0, 9, 60)
    a, b = random.random((2, 60)) + random.normal(size=(2, 9))[:, clusters] / 5
    d = b - a
    squares = sum(sum(d[i] - d.mean() for i in range(60) if clusters[i] == one) ** 2 for one in range(9))
    error, degrees = math.sqrt(9 / 8 * squares) / 60, degrees_by_sizes(np.bincount(clusters).astype(float))
    own = clustered_test(paired_t, a, b, clusters)
    assert own.statistic == pytest.approx(d.mean() / error, rel=1e-12)
    assert own.p_value == pytest.approx(2 * stats.t.sf(abs(d.mean()) / error, degrees), rel=1e-10)
    reach = stats.t.ppf(0.975, degrees) * error
    assert own.interval.ends == pytest.approx((d.mean(), d.mean() - reach, d.mean() + reach), rel=1e-9)
    assert (own.method, own.n, own.interval.clusters) == ("Paired t-test, 9 clusters", 60, 9)
    assert one_sided_p(own, 0.0) == pytest.approx(own.p_value / 2 if d.mean() > 0 else 1 - own.p_value / 2, rel=1e-6)


@pytest.mark.parametrize("test", ALL)
def test_copies_of_queries_tell_nothing_new(test) -> None:
    random = np.random.default_rng(5)
    a, b = random.random((2, 12))
    alone = test(a, b)
    copies = clustered_test(test, np.repeat(a, 4), np.repeat(b, 4), np.repeat(np.arange(12), 4))
    assert copies.interval.ends == pytest.approx(alone.interval.ends, rel=1e-10)
    # Copies tie, which shifts all ranks alike, so that those of Wilcoxon's test are no multiples of the former.
    assert copies.p_value == pytest.approx(alone.p_value, rel=0.1 if test is wilcoxon else 1e-9)
    assert test(np.repeat(a, 4), np.repeat(b, 4)).p_value < copies.p_value


def test_few_clusters_trust_t_no_further_than_all_exchanges() -> None:
    clusters = np.repeat(["x", "y", "z"], 4)
    plain, cautious = (
        clustered_test(test, np.zeros(12), np.full(12, 0.1), clusters) for test in (paired_t, cautious_t)
    )
    assert plain.p_value == 0
    assert (cautious.p_value, cautious.interval.low) == (0.25, 0)
    assert facts(cautious.method) == "3"


@pytest.mark.parametrize("test", ALL)
def test_one_cluster_bears_no_interval_and_no_test(test) -> None:
    compared = clustered_test(test, np.zeros(5), np.arange(5.0), ["x"] * 5)
    assert compared.estimate == 2
    assert math.isnan(compared.p_value)
    assert math.isnan(compared.interval.low)


def test_intervals_of_clustered_queries_hold_the_truth() -> None:
    """Of 400 samples of 30 topics with 1 to 9 queries each; taken as independent, they hold it in 75 % or less."""
    random = np.random.default_rng(9)
    held, alone = 0, 0
    for _ in range(400):
        clusters = np.repeat(np.arange(30), random.integers(1, 10, 30))
        d = random.normal(size=30)[clusters] + random.normal(size=len(clusters))
        zeros = np.zeros(len(d))
        for of in (clusters, None):
            interval = clustered_test(paired_t, zeros, d, of).interval
            inside = interval.low <= 0 <= interval.high
            held, alone = held + (of is not None and inside), alone + (of is None and inside)
    assert 0.92 < held / 400 < 0.975
    assert alone / 400 < 0.75
