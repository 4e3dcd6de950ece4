"""Differences of measures of counts on the same rows: the eight cells, Tango's interval, and the bootstrap."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts, LabelSets
from evalcore.inference import (
    Comparison,
    PairedClasses,
    PairedCounts,
    bootstrap_score_differences,
    label_set_differences,
    mcnemar,
    mcnemar_of_counts,
    paired_differences,
)
from evalcore.inference.base.intervals import paired_score_interval
from evalcore.inference.paired.classes import paired_matrix_differences
from tests.classification.small_inputs import thorough
from tests.registry.families import each_of, of_family

rows = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans(), st.integers(0, 3)), max_size=30)


def paired_difference(measure, *rows, **options):
    return paired_differences([measure], *rows, **options)[0]


def columns(found: list) -> tuple[np.ndarray, ...]:
    return tuple(np.array([row[i] for row in found], dtype=bool if i < 3 else float) for i in range(4))


@thorough
@given(found=rows)
def test_the_eight_cells_hold_both_tables(found) -> None:
    actual, a, b, weights = columns(found)
    paired = PairedCounts.from_labels(actual, a, b, weights=weights)
    for said, counts in ((a, paired.a), (b, paired.b)):
        alone = ConfusionCounts.from_labels(actual, said, True, weights=weights)
        assert all(getattr(alone, cell) == getattr(counts, cell) for cell in ("tp", "fp", "fn", "tn"))
    assert paired.n == weights.sum()
    assert paired.ties == weights[a == b].sum()
    for which, of in ((None, slice(None)), (True, actual), (False, ~actual)):
        right_a, right_b, weight = (a == actual)[of], (b == actual)[of], weights[of]
        kinds = (right_a & right_b, right_a & ~right_b, ~right_a & right_b, ~right_a & ~right_b)
        assert paired.right(which) == tuple(weight[kind].sum() for kind in kinds)


def likelihood_score(only_a: float, only_b: float, n: float, difference: float) -> float:
    """The score with the nuisance share found by maximising the likelihood, not by a formula."""

    def slope(q: float) -> float:
        return only_a / q + only_b / (q + difference) - 2 * (n - only_a - only_b) / (1 - 2 * q - difference)

    q = brentq(slope, max(0.0, -difference) + 1e-13, (1 - difference) / 2 - 1e-13, xtol=1e-15)
    return (only_b - only_a - n * difference) / math.sqrt(n * (2 * q + difference * (1 - difference)))


@pytest.mark.parametrize("table", [(2, 12, 50), (20, 40, 160), (7, 1, 44), (5, 5, 30), (1, 99, 400)])
@pytest.mark.parametrize(("level", "z"), [(0.95, 1.959963984540054), (0.8, 1.2815515655446004)])
def test_the_score_interval_is_what_its_test_does_not_reject(table, level: float, z: float) -> None:
    interval = paired_score_interval(*table, level)
    assert likelihood_score(*table, interval.low) == pytest.approx(z, abs=1e-6)
    assert likelihood_score(*table, interval.high) == pytest.approx(-z, abs=1e-6)


def test_the_interval_that_is_printed_for_bronchi_before_and_after() -> None:
    """M. Fagerland, S. Lydersen, P. Laake (2014), Statistics in Medicine 33, 2850–2875: 1 and 7 of 21 pairs."""
    interval = paired_score_interval(only_a=7, only_b=1, n=21)
    assert (round(interval.low, 3), round(interval.high, 3)) == (-0.517, -0.026)


@thorough
@given(only_a=st.integers(0, 30), only_b=st.integers(0, 30), rest=st.integers(0, 40))
def test_interval_and_test_never_disagree_and_turn_around(only_a: int, only_b: int, rest: int) -> None:
    n = only_a + only_b + rest
    if not n:
        return
    interval, back = paired_score_interval(only_a, only_b, n), paired_score_interval(only_b, only_a, n)
    assert (interval.low, interval.high) == (pytest.approx(-back.high, abs=1e-9), pytest.approx(-back.low, abs=1e-9))
    assert -1 <= interval.low <= interval.estimate <= interval.high <= 1
    cells = np.zeros((2, 2, 2))
    cells[1] = [[rest, only_b], [only_a, 0]]
    found = paired_difference(find("recall"), PairedCounts(cells))
    assert found.estimate == interval.estimate
    assert (found.p_value < 0.05) == (interval.low > 0 or interval.high < 0)


@each_of("counts", "measure")
def test_systems_that_are_copies_differ_by_nothing(measure) -> None:
    random = np.random.default_rng(1)
    actual, said = random.random(200) < 0.4, random.random(200) < 0.5
    found = paired_difference(measure, PairedCounts.from_labels(actual, said, said))
    assert (found.estimate, found.p_value) == (1 if measure.factors else 0, 1)
    assert found.null == found.estimate


@each_of("counts", "measure")
def test_every_measure_has_a_difference_with_bounds(measure) -> None:
    random = np.random.default_rng(2)
    actual = random.random(400) < 0.4
    a, b = actual ^ (random.random(400) < 0.3), actual ^ (random.random(400) < 0.2)
    paired = PairedCounts.from_labels(actual, a, b)
    found = paired_difference(measure, paired)
    a, b = float(measure(paired.a)), float(measure(paired.b))
    assert found.estimate == pytest.approx(b / a if measure.factors else b - a, rel=1e-12)
    if measure.key == "prevalence":
        assert (found.estimate, found.p_value) == (0, 1)
    else:
        assert found.interval.low <= found.estimate <= found.interval.high
        assert (found.p_value < 0.05) == (found.interval.low > found.null or found.interval.high < found.null)
        again = paired_difference(measure, paired)
        assert (again.interval.low, again.p_value) == (found.interval.low, found.p_value)


@pytest.mark.parametrize("key", [m.key for m in of_family("counts") if m.paired_test == "share"])
def test_closed_form_and_bootstrap_agree_where_both_hold(key: str) -> None:
    random = np.random.default_rng(3)
    actual = random.random(4000) < 0.4
    paired = PairedCounts.from_labels(
        actual, actual ^ (random.random(4000) < 0.3), actual ^ (random.random(4000) < 0.27)
    )
    measure = METRICS[key]
    score, drawn = paired_differences([measure, lambda counts: measure(counts)], paired)
    assert score.estimate == pytest.approx(drawn.estimate, abs=1e-15)
    assert score.interval.low == pytest.approx(float(drawn.interval.low), abs=0.003)
    assert score.interval.high == pytest.approx(float(drawn.interval.high), abs=0.003)


@pytest.mark.parametrize("measure", [m for m in of_family("counts") if m.factors], ids=lambda m: m.key)
def test_the_ratio_of_two_quotients_is_as_uncertain_as_its_resamples(measure) -> None:
    """The standard error of its logarithm is the spread of the resampled logarithms."""
    random = np.random.default_rng(3)
    actual = random.random(4000) < 0.4
    paired = PairedCounts.from_labels(
        actual, actual ^ (random.random(4000) < 0.3), actual ^ (random.random(4000) < 0.27)
    )
    found, drawn = paired_difference(measure, paired), paired.resampled(4000)
    logarithms = np.log(measure(drawn.b) / measure(drawn.a))
    error = math.log(float(found.interval.high) / found.estimate) / NormalDist().inv_cdf(0.975)
    assert error == pytest.approx(float(logarithms.std()), rel=0.04)
    assert found.statistic == pytest.approx(math.log(found.estimate) / error)


def test_the_ratio_of_likelihood_ratios_by_hand() -> None:
    """Of recall and false positive rate each: rows that one system alone flags, over the product of both totals."""
    paired = PairedCounts(np.array([[[80, 6], [2, 12]], [[5, 9], [1, 35]]]))
    found = paired_difference(find("LR+"), paired)
    tp_a, tp_b, fp_a, fp_b = 36, 44, 14, 18
    assert found.estimate == pytest.approx(tp_b / fp_b * fp_a / tp_a)
    variance = (9 + 1) / (tp_a * tp_b) + (6 + 2) / (fp_a * fp_b)
    assert found.statistic == pytest.approx(math.log(found.estimate) / math.sqrt(variance))


@pytest.mark.parametrize("symbol", ["LR+", "LR−", "DOR", "lift"])
def test_a_ratio_with_an_empty_cell_has_no_interval(symbol: str) -> None:
    """It showed −∞ to +∞."""
    without_alarms = PairedCounts(np.array([[[90, 0], [14, 0]], [[5, 19], [1, 0]]]))
    found = paired_difference(find(symbol), without_alarms)
    if symbol in ("LR+", "DOR"):
        assert found.estimate in (math.inf, 0) or math.isnan(found.estimate)
        assert math.isnan(found.p_value)
        assert np.isnan([found.interval.low, found.interval.high]).all()
        assert found.interval_at is None
    else:
        assert 0 <= found.p_value <= 1


def test_resampling_the_cells_is_resampling_the_rows() -> None:
    """Two thousand draws of rows and of cells have the same middle 95 % of a difference, within the noise of both."""
    random = np.random.default_rng(4)
    actual = random.random(300) < 0.3
    a, b = actual ^ (random.random(300) < 0.3), actual ^ (random.random(300) < 0.2)
    paired, f1 = PairedCounts.from_labels(actual, a, b), find("F1")
    found = paired_difference(f1, paired)
    differences = []
    for _ in range(2000):
        rows = random.integers(300, size=300)
        one = PairedCounts.from_labels(actual[rows], a[rows], b[rows])
        differences.append(float(f1(one.b) - f1(one.a)))
    low, high = np.quantile(differences, [0.025, 0.975])
    assert float(found.interval.low) == pytest.approx(low, abs=0.02)
    assert float(found.interval.high) == pytest.approx(high, abs=0.02)


def test_nothing_to_compare_is_undefined() -> None:
    nothing = PairedCounts(np.zeros((2, 2, 2)))
    for key in ("recall", "f_beta"):
        found = paired_difference(METRICS[key], nothing)
        assert all(math.isnan(x) for x in (found.estimate, found.p_value, found.interval.low))
    without_positives = PairedCounts.from_labels([0, 0, 0], [1, 0, 0], [0, 0, 1], positive=1)
    assert math.isnan(paired_difference(find("recall"), without_positives).p_value)
    assert math.isnan(paired_difference(find("MCC"), without_positives).p_value)


def test_what_cannot_be_asked_is_refused() -> None:
    paired = PairedCounts(np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="confidence level"):
        paired_difference(find("F1"), paired, level=95)
    with pytest.raises(ValueError, match="actual has 2 rows and b 1"):
        PairedCounts.from_labels([1, 0], [1, 0], [1], positive=1)
    with pytest.raises(ValueError, match=r"^a .*row 1"):
        PairedCounts.from_labels([1, 0], [1, None], [1, 0], positive=1)


@thorough
@given(found=st.lists(st.tuples(*[st.integers(0, 2)] * 3), max_size=40))
def test_disagreements_are_mcnemar_class_by_class(found) -> None:
    actual, a, b = np.array(found or np.zeros((0, 3)), dtype=int).reshape(-1, 3).T
    paired = PairedClasses.from_codes(actual, a, b, ("x", "y", "z"))
    tables = paired.right_by_class()
    for c in range(3):
        of_class = actual == c
        alone, test = mcnemar((a == actual)[of_class], (b == actual)[of_class]), mcnemar_of_counts(*tables[c].tolist())
        assert test.p_value == pytest.approx(alone.p_value, nan_ok=True)
        assert test.n == of_class.sum()
    overall = mcnemar_of_counts(*tables.sum(axis=0).tolist())
    assert overall.p_value == pytest.approx(mcnemar(a == actual, b == actual).p_value, nan_ok=True)
    assert tuple(tables.sum(axis=0)) == paired.right().right()
    assert paired.ties == (a == b).sum()
    assert tables.sum() == len(actual)
    twice = PairedClasses.from_codes(actual, a, b, ("x", "y", "z"), weights=np.full(len(actual), 2.0))
    assert (twice.right_by_class() == 2 * tables).all()


@pytest.mark.parametrize("key", ["f_beta", "accuracy"])
def test_weights_beyond_the_whole_numbers_of_the_machine_are_certain(key: str) -> None:
    paired = PairedCounts(np.array([[[80, 6], [2, 12]], [[5, 9], [1, 35]]]) * 1e25)
    found = paired_difference(METRICS[key], paired, resamples=50)
    assert found.interval.low <= found.estimate <= found.interval.high
    assert found.interval.high - found.interval.low < 1e-6


def test_exchanging_the_systems_mirrors_every_resampled_interval() -> None:
    random = np.random.default_rng(4)
    truth = random.integers(0, 3, 90)
    both = [np.where(random.random(90) < share, truth, random.integers(0, 3, 90)) for share in (0.5, 0.8)]
    scores = [(truth > 0) + random.normal(0, spread, 90).round(1) for spread in (1, 2)]
    measures = [METRICS[key] for key in ("precision", "negative_predictive_value", "f_beta", "matthews_correlation")]

    def compared(first: int, second: int) -> list[Comparison]:
        answers, classes = [both[first], both[second]], ("a", "b", "c")
        sets = [
            LabelSets.from_indicators(truth[:, None] == range(3), np.arange(3) <= answer[:, None]) for answer in answers
        ]
        matrix = [METRICS["macro_f1"], METRICS["multiclass_kappa"]]
        return [
            *paired_differences(measures, PairedCounts.from_labels(truth, *answers, 1)),
            *paired_matrix_differences(matrix, PairedClasses.from_codes(truth, *answers, classes)),
            *label_set_differences(*sets).values(),
            *bootstrap_score_differences([METRICS["average_precision"]], truth > 0, scores[first], scores[second]),
        ]

    for one, other in zip(compared(0, 1), compared(1, 0), strict=True):
        bounds = (one.estimate, float(one.interval.low), float(one.interval.high), one.p_value)
        mirrored = (-other.estimate, -float(other.interval.high), -float(other.interval.low), other.p_value)
        assert bounds == pytest.approx(mirrored, rel=1e-12, nan_ok=True), one.method
