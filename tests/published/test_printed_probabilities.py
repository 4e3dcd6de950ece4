"""What is printed about stated probabilities, to half a unit of the last decimal."""

import pytest

from evalcore import find
from evalcore.classification import reliability_bins
from evalcore.classification.several.probabilities import EventProbabilities
from tests.published.probability_rows import PROBABILITY_ROWS
from tests.published.rows import Row


@pytest.mark.parametrize("row", PROBABILITY_ROWS, ids=lambda row: f"{row.measure}, {row.source[:30]}")
def test_a_measure_of_probabilities_gives_the_printed_value(row: Row) -> None:
    assert abs(float(find(row.measure)(row.state)) - row.printed) <= row.tolerance, row.source


def test_the_reliability_curve_of_the_manual() -> None:
    """scikit-learn prints for nine rows and three bins: 0, 0.5, 1 of 0.2, 0.525, 0.85."""
    import numpy as np

    event = EventProbabilities(
        np.array([0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1.0]), np.array([0, 0, 0, 0, 1, 1, 1, 1, 1], dtype=bool)
    )
    bins = reliability_bins(event, np.linspace(0, 1, 4))
    assert bins.observed.tolist() == [0, 0.5, 1]
    assert bins.mean_probability.round(12).tolist() == [0.2, 0.525, 0.85]
