"""Regions that can be trusted: a place lies inside exactly where the counts there reach the value."""

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.classification import (
    ConfusionCounts,
    MeasureField,
    at_prevalence,
    measure_over_roc,
    region_over_pr,
    region_over_roc,
)
from evalcore.classification.binary.axis import MEASURES
from tests.registry.families import of_family


def inside(x: float, y: float, edge: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether a place lies inside a closed edge: a ray to the right crosses it an odd number of times."""
    (x0, y0), (x1, y1) = edge, np.roll(edge, -1, axis=1)
    at = (y0 > y) != (y1 > y)
    return bool(np.sum(x < x0[at] + (y - y0[at]) / (y1[at] - y0[at]) * (x1[at] - x0[at])) % 2)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("least", [0.3, 0.8, 0.95])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7])
def test_a_place_is_inside_exactly_where_the_value_is_reached(measure: str, least: float, share: float) -> None:
    own, rng = 0.25, np.random.default_rng(2)
    over_roc, over_pr = region_over_roc(measure, least, share), region_over_pr(measure, least, own, share)
    for alarms, found in rng.random((200, 2)):
        counts = ConfusionCounts(found * own, alarms * (1 - own), (1 - found) * own, (1 - alarms) * (1 - own))
        value = float(METRICS[measure](at_prevalence(counts, share)))
        if abs(value - least) < 0.01:
            continue
        assert inside(alarms, found, over_roc) == (value > least)
        # The curved sides are drawn in pieces, so close to them a place may lie on the other side.
        precision = float(METRICS["precision"](counts))
        near = [inside(found, precision + d, over_pr) for d in (-0.02, 0.02)]
        if near[0] == near[1]:
            assert near[0] == (value > least)


@pytest.mark.parametrize("edge_of", [region_over_roc, lambda *a: region_over_pr(a[0], a[1], 0.3, a[2])])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("least", [0.0, 1.0])
def test_the_ends_of_the_range_give_an_edge_in_the_plane(edge_of, measure: str, least: float) -> None:
    x, y = edge_of(measure, least, 0.4)
    assert ((x >= -1e-12) & (x <= 1 + 1e-12)).all()
    assert ((y >= -1e-12) & (y <= 1 + 1e-12)).all()


def test_another_measure_is_refused() -> None:
    for refuse in (lambda: region_over_roc("accuracy", 0.5, 0.5), lambda: region_over_pr("accuracy", 0.5, 0.5, 0.5)):
        with pytest.raises(ValueError, match="has no region"):
            refuse()


@pytest.mark.parametrize("key", [m.key for m in of_family("counts")])
def test_contours_of_every_measure_are_drawn_at_round_values_it_holds(key: str) -> None:
    field = measure_over_roc(METRICS[key], 30, 70, 41)
    levels = field.levels()
    held = field.values[np.isfinite(field.values)]
    if key == "prevalence":
        assert not len(levels)
        return
    assert 2 <= len(levels) <= 11
    assert np.allclose(np.diff(levels), levels[1] - levels[0])
    assert held.min() <= levels[0] < levels[-1] <= held.max()


def test_a_field_that_holds_nothing_has_no_levels() -> None:
    axis = np.linspace(0, 1, 3)
    assert not len(MeasureField(axis, axis, np.full((3, 3), np.nan)).levels())
