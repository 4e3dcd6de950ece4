"""Estimates beside scikit-learn: 1 million rows from a file to the first picture, every measure, and the memory."""

import tracemalloc

import numpy as np
import pandas as pd
from sklearn import metrics as peer

from benchmarks.clock import line, medians, ratio_line, time_line
from evalcore import METRICS
from evalcore.analyses import ErrorSettings, EstimateRows, Regression, Source, cloud_of
from evalcore.estimation import Estimates
from evalcore.figures import cloud_figure, ink
from evalcore.readers import DataSet, roles_of

ROWS = 1_000_000
PEERS = {
    "root_mean_squared_error": peer.root_mean_squared_error,
    "mean_absolute_error": peer.mean_absolute_error,
    "median_absolute_error": peer.median_absolute_error,
    "max_error": peer.max_error,
    "r_squared": peer.r2_score,
    "explained_variance": peer.explained_variance_score,
    "mean_absolute_percentage_error": peer.mean_absolute_percentage_error,
    "mean_pinball_loss": peer.mean_pinball_loss,
    "mean_poisson_deviance": peer.mean_poisson_deviance,
    "mean_gamma_deviance": peer.mean_gamma_deviance,
    "d2_absolute_error": peer.d2_absolute_error_score,
}


def sample(rows: int) -> pd.DataFrame:
    """Positive amounts with errors in proportion to their size."""
    random = np.random.default_rng(20)
    truth = random.gamma(4, 5, rows).round(3) + 0.1
    return pd.DataFrame({"truth": truth, "estimate": (truth * random.lognormal(0, 0.2, rows)).round(3) + 0.1})


def everything(truth: np.ndarray, estimate: np.ndarray) -> list[float]:
    """The measures that scikit-learn has too."""
    state = Estimates.from_arrays(truth, estimate)
    return [float(METRICS[key](state)) for key in PEERS]


def first_pictures(dataset: DataSet) -> Regression:
    """What the page shows first: the verdict, and truth and error against the estimate."""
    rows = EstimateRows.of(Source.of(dataset))
    regression = Regression(rows, ErrorSettings())
    assert regression.verdict
    for name in ("truth", "error"):
        cloud = cloud_of(rows, name)
        assert cloud is not None
        cloud_figure(cloud, rows, ink(dark=False))
    return regression


def opened(table: pd.DataFrame) -> DataSet:
    """A data set of its own, of which no state is cached."""
    roles = roles_of(truth="truth", estimate=("estimate",))
    return DataSet.of(table.copy(), name=f"table {id(table)}").with_roles(roles)


def main() -> None:
    table = sample(ROWS)
    columns = table["truth"].to_numpy(), table["estimate"].to_numpy()
    theirs = [float(measure(*columns)) for measure in PEERS.values()]
    np.testing.assert_allclose(everything(*columns), theirs, rtol=1e-11)
    jobs = {"own": lambda: everything(*columns), "peer": lambda: [measure(*columns) for measure in PEERS.values()]}
    times = medians(jobs, repeats=5)
    time_line(f"{len(PEERS)} measures", times["own"])
    time_line("the same by scikit-learn", times["peer"])
    ratio_line(times["peer"] / times["own"], 1)

    dataset = opened(table)
    times = medians({"first": lambda: first_pictures(dataset)}, repeats=3)
    time_line("verdict and both pictures", times["first"], 2.0)
    regression = first_pictures(dataset)
    time_line("every measure with its interval", medians({"": lambda: Regression(
        regression.estimates, ErrorSettings()).intervals}, repeats=3)[""])  # fmt: skip

    size = len(table.to_csv(index=False).encode())
    fresh = opened(table + 0.001)
    tracemalloc.start()
    assert first_pictures(fresh).table
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    line("memory of all of it, as a multiple of the CSV file", f"{most / size:.1f} ×", "< 4 ×", most < 4 * size)


if __name__ == "__main__":
    main()
