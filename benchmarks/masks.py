"""200 pairs of masks of 512 × 512 pixels: overlap and distances of outlines, beside MedPy's distance transforms."""

import numpy as np
from scipy.ndimage import binary_erosion, distance_transform_edt, generate_binary_structure

from benchmarks.clock import line, medians, ratio_line, time_line
from evalcore import find
from evalcore.analyses import MASK_MEASURES
from evalcore.estimation import MaskPair

PAIRS, FOR_PEERS, SIZE = 200, 20, 512
Pair = tuple[np.ndarray, np.ndarray]


def sample(pairs: int) -> list[Pair]:
    """Regions of four ellipses, and the same five pixels away with other ends."""
    random = np.random.default_rng(20)
    down, across = np.mgrid[:SIZE, :SIZE]
    made = []
    for _ in range(pairs):
        masks = [np.zeros((SIZE, SIZE), bool), np.zeros((SIZE, SIZE), bool)]
        for _ in range(4):
            (y, x), (a, b) = random.uniform(120, 390, 2), random.uniform(30, 110, 2)
            for mask, shift in zip(masks, (0, 5), strict=True):
                mask |= ((down - y - shift) / a) ** 2 + ((across - x) / (b + shift)) ** 2 < 1
        made.append((masks[0], masks[1]))
    return made


def measured(pairs: list[Pair]) -> np.ndarray:
    """All measures of the page, shape (pairs, 8)."""
    measures = [find(key) for key in MASK_MEASURES]
    states = [MaskPair.from_arrays(*pair) for pair in pairs]
    return np.array(
        [[float(one(pair.counts if one.family == "counts" else pair)) for one in measures] for pair in states]
    )


def measured_as_medpy(pairs: list[Pair]) -> np.ndarray:
    """Dice, Hausdorff, its 95 % form and the mean surface distance as `medpy.metric.binary` computes them."""
    cross, rows = generate_binary_structure(2, 1), []
    for actual, predicted in pairs:
        outlines = [mask ^ binary_erosion(mask, structure=cross) for mask in (actual, predicted)]
        to_actual, to_predicted = (distance_transform_edt(~outline) for outline in outlines)
        one, two = to_actual[outlines[1]], to_predicted[outlines[0]]
        dice = 2 * np.count_nonzero(actual & predicted) / (np.count_nonzero(actual) + np.count_nonzero(predicted))
        spread = np.percentile(np.hstack([one, two]), 95)
        rows.append((dice, max(one.max(), two.max()), spread, np.hstack([one, two]).mean()))
    return np.array(rows)


def main() -> None:
    """Print the largest difference and the times."""
    pairs = sample(PAIRS)
    some = pairs[:FOR_PEERS]
    keys = ("f_beta", "hausdorff_distance", "hausdorff_95", "mean_surface_distance")
    columns = [list(MASK_MEASURES).index(key) for key in keys]
    gap = np.abs(measured(some)[:, columns] - measured_as_medpy(some)).max()
    line("largest difference from MedPy's way", f"{gap:.1e}", "≤ 1e-12", bool(gap <= 1e-12))
    jobs = {"all": lambda: measured(pairs), "own": lambda: measured(some), "peer": lambda: measured_as_medpy(some)}
    times = medians(jobs, repeats=3)
    time_line(f"{PAIRS} pairs of {SIZE} × {SIZE}, all measures", times["all"], 3)
    ratio_line(times["peer"] / times["own"], what=f"times MedPy's way ({FOR_PEERS} pairs)")


if __name__ == "__main__":
    main()
