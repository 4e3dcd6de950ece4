"""Two thresholds: zones counted row by row, nested bands, and the narrowest band that keeps a promise."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from evalcore.classification import (
    NoBand,
    ScoredLabels,
    band_of_error,
    band_of_values,
    nested_bands,
    refer,
    threshold_grid,
    zone_bins,
)

INF = float("inf")


def rows(seed: int, n: int = 25, digits: int = 1, shift: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < (0.2, 0.5, 0.8)[seed % 3]
    return truth, np.round(rng.normal(size=n) + shift * truth, digits)


def zones(truth, scores, low: float, high: float) -> tuple[int, ...]:
    """tp, fp, fn, tn of the decided, then referred positives and negatives, one row after the other."""
    up, down = scores >= high, scores < low
    between = ~up & ~down
    return tuple(
        int(np.sum(part))
        for part in (up & truth, up & ~truth, down & truth, down & ~truth, between & truth, between & ~truth)
    )


def counted(band) -> tuple[int, ...]:
    cells = (band.decided.tp, band.decided.fp, band.decided.fn, band.decided.tn, band.positives, band.negatives)
    return tuple(int(cell) for cell in cells)


@pytest.mark.parametrize("seed", range(6))
def test_every_row_falls_into_its_zone(seed) -> None:
    truth, scores = rows(seed)
    table = ScoredLabels.from_arrays(truth, scores).table()
    cuts = [-INF, *np.unique(scores), 0.123, 99.0, INF]
    for low, high in combinations_with_replacement(sorted(cuts), 2):
        assert counted(refer(table, low, high)) == zones(truth, scores, low, high)


def test_a_lower_threshold_above_the_upper_is_refused() -> None:
    with pytest.raises(ValueError, match="lower threshold"):
        refer(ScoredLabels.from_arrays([1, 0], [1, 2], positive=1).table(), 2, 1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("centre", [-INF, -0.3, 0.5, 0.7, 40.0, INF])
def test_nested_bands_take_in_the_nearest_scores_first(seed, centre) -> None:
    truth, scores = rows(seed)
    table = ScoredLabels.from_arrays(truth, scores).table()
    bands = nested_bands(table, centre)
    middle = min(max(centre, scores.min()), scores.max())
    away = np.abs(scores - middle)
    # Nothing referred, then every distinct distance in turn.
    reach = [-1.0, *np.unique(away)]
    assert bands.coverage.tolist() == [np.mean(away > far) for far in reach]
    for place, far in enumerate(reach):
        left = away > far
        wrong = left & (truth != (scores >= centre))
        assert bands.error[place] == pytest.approx(wrong.sum() / left.sum() if left.any() else np.nan, nan_ok=True)


def test_bands_of_a_grid_are_bands_of_the_whole() -> None:
    truth, scores = rows(1, n=20_000, digits=9)
    table = ScoredLabels.from_arrays(truth, scores).table()
    bands = nested_bands(threshold_grid(table), 0.5)
    assert len(bands.coverage) > 900
    for place in range(0, len(bands.coverage), 97):
        again = refer(table, float(bands.low[place]), float(bands.high[place]))
        assert counted(again) == (*counted(again)[:4], int(bands.positives[place]), int(bands.negatives[place]))
        assert float(again.error) == pytest.approx(float(bands.error[place]), nan_ok=True)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.7), (-0.3, 2.5), (0.4, 0.4), (-INF, 0.1), (0.1, INF), (0.5, 0.501)])
def test_bins_add_up_to_their_zones(seed, low, high) -> None:
    truth, scores = rows(seed, n=200, digits=seed % 3 + 1)
    bins = zone_bins(ScoredLabels.from_arrays(truth, scores), low, high)
    assert (np.diff(bins.edges) > 0).all()
    widths = np.diff(bins.edges)[1:-1]
    assert widths.max() == pytest.approx(widths.min())
    sums = [(bins.positives[bins.zone == zone].sum(), bins.negatives[bins.zone == zone].sum()) for zone in range(3)]
    tp, fp, fn, tn, *between = zones(truth, scores, low, high)
    if high - low > 0.1 or high == low:
        assert sums == [(fn, tn), tuple(between), (tp, fp)]
    assert (bins.positives.sum(), bins.negatives.sum()) == (truth.sum(), (~truth).sum())


@pytest.mark.parametrize(
    "scores", [[5.0, 5.0], [1e308, -1e308], [0.0, 5e-324], [1.0, 1.0 + 2**-52], [-1e300, 0.0], [0.1, 1e9]]
)
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.7), (-INF, INF), (5.0, 5.0), (1e300, 2e300)])
def test_bins_of_hard_scores_hold_every_row(scores, low, high) -> None:
    bins = zone_bins(ScoredLabels.from_arrays([True, False], scores), low, high)
    assert np.isfinite(bins.edges).all()
    assert (bins.positives.sum(), bins.negatives.sum()) == (1, 1)


def every_band(table) -> list[tuple[float, float]]:
    cuts = sorted(table.thresholds.tolist())
    return list(combinations_with_replacement(cuts, 2))


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("most", ["0", "0.05", "0.1", "0.29", "0.5", "0.9"])
def test_no_band_that_keeps_the_error_refers_fewer(seed, most) -> None:
    truth, scores = rows(seed, digits=seed % 2 + 1, shift=(1, 0, -1)[seed % 3])
    table = ScoredLabels.from_arrays(truth, scores).table()
    kept = []
    for low, high in every_band(table):
        tp, fp, fn, tn, *referred = zones(truth, scores, low, high)
        if tp + fp + fn + tn and Fraction(fp + fn) <= Fraction(most) * (tp + fp + fn + tn):
            kept.append(sum(referred))
    if not kept:
        with pytest.raises(NoBand) as problem:
            band_of_error(table, float(most))
        reached = [
            Fraction(fp + fn, tp + fp + fn + tn)
            for tp, fp, fn, tn, *_ in (zones(truth, scores, *band) for band in every_band(table))
            if tp + fp + fn + tn
        ]
        assert problem.value.nearest == (("error", pytest.approx(float(min(reached)))),)
        return
    found = band_of_error(table, float(most))
    assert float(found.referred) == min(kept)
    assert float(found.error) <= float(most) + 1e-9


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize(("npv", "ppv"), [(0.9, 0.9), (1, 1), (0.5, 0.7), (0.29, 0.58), (0, 0)])
def test_no_band_that_can_be_trusted_refers_fewer(seed, npv, ppv) -> None:
    truth, scores = rows(seed, digits=seed % 2 + 1, shift=(1, 0, -1)[seed % 3])
    table = ScoredLabels.from_arrays(truth, scores).table()
    kept = []
    for low, high in every_band(table):
        tp, fp, fn, tn, *referred = zones(truth, scores, low, high)
        trusted = tn >= Fraction(repr(float(npv))) * (fn + tn) and tp >= Fraction(repr(float(ppv))) * (tp + fp)
        if tp + fp and fn + tn and trusted:
            kept.append(sum(referred))
    if kept:
        assert float(band_of_values(table, npv, ppv).referred) == min(kept)
    else:
        with pytest.raises(NoBand):
            band_of_values(table, npv, ppv)


def test_what_cannot_be_trusted_is_named_with_the_nearest() -> None:
    table = ScoredLabels.from_arrays([0, 1, 1, 0], [0.9, 0.8, 0.3, 0.1], positive=1).table()
    with pytest.raises(NoBand) as problem:
        band_of_values(table, 0.9, 0.9)
    assert problem.value.nearest == (("PPV", pytest.approx(2 / 3)),)


def test_of_single_cuts_the_one_with_the_fewest_errors_is_taken() -> None:
    table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.7, 0.6, 0.1], positive=1).table()
    found = band_of_error(table, 0.25)
    assert (float(found.low), float(found.high), float(found.error)) == (0.7, 0.7, 0)


@pytest.mark.parametrize("labels", [[1, 1], [0, 0]])
def test_one_class_alone_is_decided_without_a_person(labels) -> None:
    found = band_of_error(ScoredLabels.from_arrays(labels, [0.2, 0.7], positive=1).table(), 0)
    assert float(found.coverage) == 1
    assert float(found.error) == 0


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(share) -> None:
    table = ScoredLabels.from_arrays([1, 0], [1, 2], positive=1).table()
    with pytest.raises(ValueError, match="between 0 and 1"):
        band_of_error(table, share)
    with pytest.raises(ValueError, match="between 0 and 1"):
        band_of_values(table, 0.5, share)
