"""Bands of curves: what they hold, how they widen, and that they cover what they promise."""

from statistics import NormalDist

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, roc_curve
from evalcore.inference import precision_recall_band, roc_band

NORMAL = NormalDist()
AT = np.linspace(0, 1, 101)
INSIDE = slice(1, -1)
ROC = np.array([NORMAL.cdf(1 + NORMAL.inv_cdf(x)) for x in AT[INSIDE]])
ALARMS = np.array([NORMAL.cdf(NORMAL.inv_cdf(y) - 1) for y in AT[INSIDE]])
PURE = 0.3 * AT[INSIDE] / (0.3 * AT[INSIDE] + 0.7 * ALARMS)


def table(n: int, seed: int, decimals: int = 9):
    random = np.random.default_rng(seed)
    labels = random.random(n) < 0.3
    return ScoredLabels.from_arrays(labels, (random.normal(size=n) + labels).round(decimals)).table()


@pytest.mark.parametrize(("band_of", "true"), [(roc_band, ROC), (precision_recall_band, PURE)])
def test_bands_cover_what_they_promise(band_of, true) -> None:
    """Of 60 samples the pointwise band holds each place in about 95 %, the simultaneous one so many whole curves."""
    pointwise, whole = [], []
    for seed in range(60):
        sample = table(300, seed)
        band, wide = (band_of(sample, simultaneous=s, resamples=200) for s in (False, True))
        pointwise.append((band.low[INSIDE] <= true) & (true <= band.high[INSIDE]))
        whole.append(((wide.low[INSIDE] <= true) & (true <= wide.high[INSIDE])).all())
        assert (wide.low <= band.low).all()
        assert (wide.high >= band.high).all()
    assert 0.92 <= np.mean(pointwise) <= 1
    assert np.mean(np.all(pointwise, axis=1)) < 0.9, "the pointwise band does not hold whole curves"
    assert np.mean(whole) >= 0.88


@pytest.mark.parametrize("decimals", [9, 1, 0])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_a_band_holds_its_own_curve_and_stays_in_range(decimals: int, simultaneous: bool) -> None:
    sample = table(400, 3, decimals)
    band = roc_band(sample, simultaneous=simultaneous)
    curve = roc_curve(sample)
    found = np.interp(AT, curve.fpr, curve.tpr)
    assert ((band.low[INSIDE] <= found[INSIDE] + 0.01) & (found[INSIDE] - 0.01 <= band.high[INSIDE])).all()
    for each in (band, precision_recall_band(sample, simultaneous=simultaneous)):
        assert ((each.low >= 0) & (each.high <= 1) & (each.low <= each.high)).all()


def test_the_same_seed_gives_the_same_band_and_a_higher_level_a_wider_one() -> None:
    sample = table(200, 4)
    for band_of in (roc_band, precision_recall_band):
        assert (band_of(sample).low == band_of(sample).low).all()
        assert (band_of(sample).low != band_of(sample, seed=1).low).any()
        assert (band_of(sample, 0.99).low <= band_of(sample, 0.8).low).all()


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("band_of", [roc_band, precision_recall_band])
@pytest.mark.parametrize("resamples", [0, -1])
def test_no_resample_makes_no_band(band_of, simultaneous: bool, resamples: int) -> None:
    with pytest.raises(ValueError, match=f"{resamples} resamples"):
        band_of(table(50, 1), simultaneous=simultaneous, resamples=resamples)


def test_without_a_class_there_is_no_band() -> None:
    sample = ScoredLabels.from_arrays([True, True], [1, 2]).table()
    for band_of in (roc_band, precision_recall_band):
        assert np.isnan(band_of(sample).low).all()
        with pytest.raises(ValueError, match="confidence level"):
            band_of(sample, level=95)


def test_weights_are_taken_as_rows() -> None:
    random = np.random.default_rng(5)
    labels, scores = random.random(100) < 0.5, random.normal(size=100)
    heavy = roc_band(ScoredLabels.from_arrays(labels, scores + labels, weights=np.full(100, 9.0)).table())
    light = roc_band(ScoredLabels.from_arrays(labels, scores + labels).table())
    assert (heavy.high - heavy.low)[30:70].mean() < 0.5 * (light.high - light.low)[30:70].mean()


@pytest.mark.parametrize("band_of", [roc_band, precision_recall_band])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_weights_beyond_the_whole_numbers_of_the_machine_leave_no_width(band_of, simultaneous: bool) -> None:
    heavy = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1], positive=1, weights=[1e25] * 4).table()
    band = band_of(heavy, simultaneous=simultaneous, resamples=50)
    assert np.nanmedian(band.high - band.low) < 1e-3
