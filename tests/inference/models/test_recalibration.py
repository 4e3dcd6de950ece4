"""Recalibration: the curves against scikit-learn and their definitions, and that no row judges itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

from evalcore.classification import EventProbabilities
from evalcore.inference import PlattCurve, isotonic, recalibrated
from evalcore.inference.models import PlattFitter, _folds
from tests.classification.small_inputs import thorough


def platt(scores, happened: np.ndarray, weights: np.ndarray | None = None, of: str = "logit") -> PlattCurve:
    return PlattFitter(EventProbabilities(np.asarray(scores, dtype=np.float64), happened, weights), of).curve()


def overconfident(n: int, seed: int = 1) -> EventProbabilities:
    random = np.random.default_rng(seed)
    true = random.random(n)
    return EventProbabilities(true**3 / (true**3 + (1 - true) ** 3), random.random(n) < true)


@pytest.mark.parametrize("weighted", [False, True])
def test_platt_as_scikit_learn(weighted: bool) -> None:
    random = np.random.default_rng(2)
    happened = random.random(800) < 0.3
    scores = 5 * random.normal(size=800) + 3 * happened + 100
    weights = random.integers(1, 4, 800).astype(float) if weighted else None
    curve = platt(scores, happened, weights, of="score")
    peer = _SigmoidCalibration().fit(scores, happened, weights)
    if not weighted:  # with weights the peer counts rows for its targets, and here a weight of 2 is a row twice
        np.testing.assert_allclose(curve(scores), peer.predict(scores), atol=2e-4)
    else:
        rows = np.repeat(np.arange(800), weights.astype(int))
        repeated = platt(scores[rows], happened[rows], of="score")
        assert (curve.slope, curve.intercept) == pytest.approx((repeated.slope, repeated.intercept), rel=1e-8)


def test_platt_undoes_a_known_distortion() -> None:
    """The log-odds were stated three times too large: the slope is a third, the intercept nothing."""
    event = overconfident(200_000)
    curve = platt(event.probability, event.happened)
    assert curve.slope == pytest.approx(1 / 3, abs=0.01)
    assert curve.intercept == pytest.approx(0, abs=0.02)
    calibrated = platt(
        np.linspace(0.01, 0.99, 50_000), np.random.default_rng(1).random(50_000) < np.linspace(0.01, 0.99, 50_000)
    )
    assert calibrated.slope == pytest.approx(1, abs=0.05)


def test_a_perfect_order_and_a_constant_have_a_curve() -> None:
    perfect = platt([0.0, 0.1, 0.9, 1.0], np.array([False, False, True, True]))
    assert np.isfinite([perfect.slope, perfect.intercept]).all()
    assert perfect([0.0, 1.0])[0] < 0.5 < perfect([0.0, 1.0])[1]
    constant = platt([0.5] * 4, np.array([True, False, False, False]))
    assert constant.slope == 0
    assert constant([0.1, 0.9]).tolist() == pytest.approx([0.35 - 0.05] * 2, abs=0.06)


@thorough
@given(found=st.lists(st.tuples(st.integers(0, 6), st.booleans(), st.integers(1, 3)), min_size=1, max_size=25))
def test_isotonic_as_scikit_learn(found) -> None:
    scores, happened, weights = (np.array([row[i] for row in found]) for i in range(3))
    happened = happened.astype(bool)
    for weight in (None, weights.astype(float)):
        curve = isotonic(scores, happened, weight)
        peer = IsotonicRegression(out_of_bounds="clip").fit(scores.astype(float), happened.astype(float), weight)
        places = np.linspace(-1, 7, 33)
        np.testing.assert_allclose(curve(places), peer.predict(places), atol=1e-12)
        assert (np.diff(curve.probabilities) >= 0).all()


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_recalibration_makes_overconfident_probabilities_better(method: str) -> None:
    found = recalibrated(overconfident(5000), method)
    before, after = (((e.probability - e.happened) ** 2).mean() for e in (found.before, found.after))
    assert after < before - 0.01
    assert (found.after.happened == found.before.happened).all()
    assert ((found.after.probability >= 0) & (found.after.probability <= 1)).all()
    again = recalibrated(overconfident(5000), method)
    assert (again.after.probability == found.after.probability).all()
    assert found.folds == 5


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_no_row_has_a_say_in_its_own_probability(method: str) -> None:
    """Turning round what came true in one fold changes nothing of what that fold is given."""
    event = overconfident(400)
    place = _folds(event.happened, np.ones(400, dtype=bool), 5, 20)
    found = recalibrated(event, method)
    learnt = {"platt": platt, "isotonic": isotonic}[method]
    for fold in range(5):
        others = place != fold
        curve = learnt(event.probability[others], event.happened[others])
        np.testing.assert_array_equal(found.after.probability[~others], curve(event.probability[~others]))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rate", [0.002, 0.3, 0.998])
def test_the_curve_of_a_rare_outcome_is_the_likeliest(rate: float, weighted: bool) -> None:
    """Where the likelihood is highest both its slopes are 0: what is expected adds up to the targets."""
    random = np.random.default_rng(8)
    happened, scores = random.random(8000) < rate, random.normal(size=8000)
    scores += happened
    counts = random.integers(0, 3, 8000).astype(float) if weighted else np.ones(8000)
    curve = platt(scores, happened, counts if weighted else None, of="score")
    yes, no = counts[happened].sum(), counts[~happened].sum()
    off = counts * (curve(scores) - np.where(happened, (yes + 1) / (yes + 2), 1 / (no + 2)))
    assert off.sum() == pytest.approx(0, abs=1e-9)
    assert (off * scores).sum() == pytest.approx(0, abs=1e-8)


def test_many_rows_have_the_curve_of_the_same_rows_counted() -> None:
    """With ties the likelihood is that of a few hundred weighted rows; many rows are searched in another way."""
    random = np.random.default_rng(5)
    said = random.random(250_000).round(2)
    happened = random.random(len(said)) < said**2
    cells, weights = np.unique(np.column_stack([said, happened]), axis=0, return_counts=True)
    few = platt(cells[:, 0], cells[:, 1] == 1, weights.astype(float), of="score")
    many = platt(said, happened, of="score")
    assert (many.slope, many.intercept) == pytest.approx((few.slope, few.intercept), rel=1e-10)
    event = EventProbabilities(said, happened)
    found = recalibrated(event, "isotonic", folds=2)
    place = _folds(happened, np.ones(len(said), dtype=bool), 2, 20)
    learnt = isotonic(said[place == 1], happened[place == 1])
    np.testing.assert_array_equal(found.after.probability[place == 0], learnt(said[place == 0]))


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_counts_of_rows_are_judged_as_their_rows(method: str) -> None:
    """Few entries stand for many rows: held out as a whole, each would be judged by what is left of its neighbours."""
    random = np.random.default_rng(9)
    said = random.random(40_000).round(1)
    happened = random.random(len(said)) < said
    cells, weights = np.unique(np.column_stack([said, happened]), axis=0, return_counts=True)
    counted = recalibrated(EventProbabilities(cells[:, 0], cells[:, 1] == 1, weights.astype(float)), method)
    rows = recalibrated(EventProbabilities(said, happened), method)
    by_rows = [
        rows.after.probability[(said == score) & (happened == outcome)].mean() for score, outcome in cells.tolist()
    ]
    assert counted.after.probability == pytest.approx(by_rows, abs=0.003)
    one = EventProbabilities(np.array([0.5, 0.5]), np.array([True, False]), np.array([300.0, 700.0]))
    assert recalibrated(one, method).after.probability == pytest.approx([0.3, 0.3], abs=0.002)


def test_folds_share_out_both_outcomes_evenly() -> None:
    happened = np.arange(103) < 13
    place = _folds(happened, np.ones(103, dtype=bool), 5, 1)
    for outcome in (True, False):
        sizes = np.bincount(place[happened == outcome], minlength=5)
        assert sizes.max() - sizes.min() <= 1
    few = EventProbabilities(np.linspace(0, 1, 20), np.arange(20) > 16)
    assert recalibrated(few).folds == 3


def test_what_cannot_be_learnt_is_refused() -> None:
    event = EventProbabilities(np.array([0.1, 0.2, 0.3]), np.array([False, False, True]))
    with pytest.raises(ValueError, match="Only 1 row"):
        recalibrated(event)
    with pytest.raises(ValueError, match="No row"):
        recalibrated(EventProbabilities(event.probability, np.zeros(3, dtype=bool)))
    with pytest.raises(ValueError, match="No recalibration is called 'beta'"):
        recalibrated(event, "beta")
    with pytest.raises(ValueError, match="two folds or more"):
        recalibrated(event, folds=1)


def test_an_isotonic_curve_of_no_row_has_no_corner() -> None:
    curve = isotonic([], np.array([], dtype=bool))
    assert (len(curve.scores), len(curve.probabilities)) == (0, 0)


@pytest.mark.parametrize(("said", "weights"), [([], None), ([0.5, 0.2], np.zeros(2))])
def test_a_logistic_curve_of_no_row_is_undefined(said: list[float], weights: np.ndarray | None) -> None:
    curve = platt(said, np.array([True, False][: len(said)], dtype=bool), weights)
    assert np.isnan(curve([0.5])).all()


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_where_lower_scores_are_positive_the_curve_is_mirrored(method: str) -> None:
    random = np.random.default_rng(7)
    happened = random.random(400) < 0.4
    scores = random.normal(size=400).round(1) - happened
    low = recalibrated(EventProbabilities(scores, happened), method, of="score", higher_is_positive=False)
    high = recalibrated(EventProbabilities(-scores, happened), method, of="score")
    assert low.after.probability == pytest.approx(high.after.probability, abs=1e-9)
    assert low.curve(np.array([-1.0, 0.5])) == pytest.approx(high.curve(np.array([1.0, -0.5])), abs=1e-9)
