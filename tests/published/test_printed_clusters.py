"""Areas of clustered rows as Obuchowski printed them, and her test and Durkalski's of pairs in clusters."""

import numpy as np
import pytest
from scipy.stats import norm

from evalcore.inference import PairedClasses, clustered_symmetry, correlated_areas
from evalcore.inference.base.clustered import numbers_of_clusters
from tests.published.clustered_rows import (
    AREAS,
    CHI_SQUARES,
    COMPONENTS,
    DIFFERENCE,
    ERROR_OF_DIFFERENCE,
    ERRORS,
    FIRST_READER,
    INTERVAL_OF_FIRST,
    NUMBERS,
    P_OF_DIFFERENCE,
    PATIENTS,
    SECOND_READER,
    STENOSED,
    pairs_of,
)

READERS = correlated_areas(STENOSED, [FIRST_READER, SECOND_READER], positive=1, clusters=PATIENTS)


def test_areas_of_both_readers_and_their_errors() -> None:
    sides = STENOSED == 1, STENOSED == 0
    assert numbers_of_clusters([PATIENTS[side] for side in sides], None) == NUMBERS
    assert READERS.estimates == pytest.approx(AREAS, abs=5e-5)
    errors = np.sqrt(np.diagonal(READERS.covariance))
    assert errors == pytest.approx(ERRORS, abs=5e-5)
    bounds = READERS.estimates[0] + norm.ppf([0.025, 0.975]) * errors[0]  # printed by the normal law, not cut at 1
    assert bounds == pytest.approx(INTERVAL_OF_FIRST, abs=5e-4)


@pytest.mark.parametrize("place", COMPONENTS)
def test_components_of_their_covariance(place: tuple[int, int]) -> None:
    positives, negatives = int((STENOSED == 1).sum()), int((STENOSED == 0).sum())
    of_positives, of_negatives, of_both = COMPONENTS[place]
    printed = of_positives / positives + of_negatives / negatives + of_both / (positives * negatives)
    assert READERS.covariance[place] == READERS.covariance[place[::-1]] == pytest.approx(printed, abs=1e-11)


def test_difference_of_the_readers() -> None:
    variances = READERS.covariance
    error = float(variances[0, 0] + variances[1, 1] - 2 * variances[0, 1]) ** 0.5
    difference = float(READERS.estimates[1] - READERS.estimates[0])
    assert (difference, error) == pytest.approx((DIFFERENCE, ERROR_OF_DIFFERENCE), abs=5e-5)
    assert 2 * norm.sf(difference / error) == pytest.approx(P_OF_DIFFERENCE, abs=5e-5)


@pytest.mark.parametrize("name", CHI_SQUARES)
def test_pairs_in_clusters(name: str) -> None:
    first, second, clusters = pairs_of(name)
    printed, rows = CHI_SQUARES[name], np.bincount(clusters)

    def statistic(codes: np.ndarray | None, weights: np.ndarray | None = None) -> float:
        paired = PairedClasses.from_codes(
            np.zeros(len(clusters), dtype=int), np.array(first) * 1, np.array(second) * 1, (0, 1), weights, codes
        )
        return clustered_symmetry(paired)[0].statistic

    assert statistic(None) == pytest.approx(printed["McNemar"], abs=5e-4)
    # Obuchowski's variance is larger by one part in so many as there are clusters.
    assert statistic(clusters) * (len(rows) - 1) / len(rows) == pytest.approx(printed["Obuchowski"], abs=5e-3)
    # Durkalski's test takes the share of each cluster, whatever its size.
    assert statistic(clusters, 1 / rows[clusters]) == pytest.approx(printed["Durkalski"], abs=5e-3)
