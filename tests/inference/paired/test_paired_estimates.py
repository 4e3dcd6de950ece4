"""Two systems of estimates compared: scipy's paired test, clusters, Diebold–Mariano by its definition."""

import math

import numpy as np
import pytest
import scipy.stats

from evalcore import MetricDef, find
from evalcore.estimation import Estimates
from evalcore.inference import compare_estimates, diebold_mariano
from tests.registry.families import of_family

RANDOM = np.random.default_rng(4)
TRUTH = RANDOM.gamma(3, 4, 90)
A, B = (Estimates.from_arrays(TRUTH, TRUTH * RANDOM.lognormal(shift, 0.3, 90)) for shift in (0.0, 0.1))
TESTED = [measure for measure in of_family("estimates") if measure.paired_test == "influence"]


@pytest.mark.parametrize(("name", "loss"), [("MAE", np.abs), ("MSE", np.square)])
def test_means_of_losses_have_the_paired_test_of_scipy(name: str, loss) -> None:
    own = scipy.stats.ttest_rel(loss(B.error), loss(A.error))
    compared = compare_estimates(find(name), A, B)
    assert (compared.statistic, compared.p_value) == pytest.approx((own.statistic, own.pvalue), rel=1e-9)
    bounds = own.confidence_interval(0.95)
    assert (compared.interval.low, compared.interval.high) == pytest.approx((bounds.low, bounds.high), rel=1e-9)


@pytest.mark.parametrize("measure", TESTED, ids=lambda measure: measure.key)
def test_swapping_turns_the_sign_and_equal_systems_do_not_differ(measure: MetricDef) -> None:
    there, back = compare_estimates(measure, A, B), compare_estimates(measure, B, A)
    assert there.estimate == pytest.approx(-back.estimate, rel=1e-9)
    assert there.p_value == pytest.approx(back.p_value, rel=1e-9)
    assert 0 < there.p_value < 1
    assert compare_estimates(measure, A, A).p_value == 1


def test_copies_of_rows_in_clusters_prove_nothing_more() -> None:
    codes = np.repeat(np.arange(90), 3)
    a, b = (
        Estimates.from_arrays(np.repeat(one.truth, 3), np.repeat(one.estimate, 3), clusters=codes) for one in (A, B)
    )
    for name in ("MAE", "RMSE", "R2"):
        assert compare_estimates(find(name), a, b).p_value == pytest.approx(
            compare_estimates(find(name), A, B).p_value, rel=1e-6
        )


def test_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="different true numbers"):
        compare_estimates(find("MAE"), A, Estimates.from_arrays(TRUTH[::-1], TRUTH))


@pytest.mark.parametrize("horizon", [1, 2, 4])
def test_diebold_and_mariano_by_the_definition(horizon: int) -> None:
    a, b = RANDOM.gamma(2, 1, 40), RANDOM.gamma(2, 1.3, 40)
    d = [y - x for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    n, mean = len(d), math.fsum(d) / len(d)
    covariances = [math.fsum((d[t] - mean) * (d[t - k] - mean) for t in range(k, n)) / n for k in range(horizon)]
    long_run = covariances[0] + 2 * math.fsum(covariances[1:])
    statistic = mean / math.sqrt(long_run / n)
    statistic *= math.sqrt((n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n)
    compared = diebold_mariano(a, b, horizon)
    assert compared.statistic == pytest.approx(statistic, rel=1e-12)
    assert compared.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(statistic), n - 1), rel=1e-9)


def test_one_step_ahead_is_the_paired_t_test() -> None:
    a, b = np.abs(A.error), np.abs(B.error)
    own = scipy.stats.ttest_rel(b, a)
    assert diebold_mariano(a, b).statistic == pytest.approx(own.statistic, rel=1e-9)
    assert math.isnan(diebold_mariano([1.0], [2.0]).p_value)
    assert diebold_mariano([1.0, 2, 3], [1.0, 2, 3]).p_value == 1


def test_series_are_neighbours_of_themselves_alone_and_weights_count() -> None:
    a, b = RANDOM.gamma(2, 1, (2, 30)), RANDOM.gamma(2, 1.3, (2, 30))
    d, w = b - a, RANDOM.uniform(0.5, 2, (2, 30))
    mean = (w * d).sum() / w.sum()
    apart = w / w.mean() * (d - mean)
    long_run = sum(one @ one + 2 * (one[1:] @ one[:-1]) + 2 * (one[2:] @ one[:-2]) for one in apart) / 60
    short = (61 - 6 + 6 / 60) / 60
    mixed = np.arange(60).reshape(2, 30).T.ravel()  # both series in turns
    both = diebold_mariano(a.ravel()[mixed], b.ravel()[mixed], 3, weights=w.ravel()[mixed], series=mixed // 30)
    assert both.estimate == pytest.approx(mean, rel=1e-12)
    assert both.statistic == pytest.approx(mean / math.sqrt(long_run / 60 / short), rel=1e-12)
    one = diebold_mariano(a[0], b[0], 3)
    again = diebold_mariano(a[0], b[0], 3, weights=np.full(30, 7.0), series=["x"] * 30)
    assert (again.statistic, again.p_value) == pytest.approx((one.statistic, one.p_value), rel=1e-12)
