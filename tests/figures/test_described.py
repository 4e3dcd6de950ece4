"""The words for a figure hold values, whatever its traces are made of."""

import math

import numpy as np
import pytest

from evalcore.figures import describe


@pytest.mark.parametrize(
    ("trace", "words"),
    [
        ({"x": ["a", "b"], "y": np.array([2, 3])}, "W. 2 at a, 3 at b"),
        ({"x": [2, 3], "y": ["a", "b"], "orientation": "h", "name": "<b>N &lt;</b>"}, "W. N <: 2 at a, 3 at b"),
        ({"x": [3, 1, 2], "y": [4, 6, None]}, "W. 4 at 3, 6 at 1"),
        ({"x": [3, 1, 2], "y": [4, 6, 5]}, "W. 3 points, 4 to 6 at 1 to 3"),
        ({"z": [[1, None], [0.5, 2]]}, "W. 0.5 to 2"),
        ({"z": np.full((2, 2), math.nan)}, "W"),
        ({"x": [1, 2], "y": [1, 2], "hoverinfo": "skip"}, "W"),
        ({"x": [], "y": []}, "W"),
        ({"x": None, "y": [1]}, "W"),
    ],
)
def test_values_of_a_trace_follow_the_words(trace: dict, words: str) -> None:
    assert describe("W", [{"type": "scatter", **trace}, {"xaxis": {}}]) == words


def test_places_on_hidden_axes_are_no_values() -> None:
    trace = {"type": "scatter", "x": [1, 2], "y": [1, 2], "xaxis": "x2"}
    assert describe("W", [trace, {"yaxis": {"visible": False}}]) == "W"
