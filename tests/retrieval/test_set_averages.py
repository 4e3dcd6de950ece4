"""The gap between macro and micro average is the difference of the averages, and pulls are what leaving out does."""

import numpy as np
import pytest
from hypothesis import given

from evalcore.classification import ConfusionCounts
from evalcore.registry import METRICS
from evalcore.retrieval import (
    Hits,
    fall_out_identity,
    generality,
    set_averages,
    set_counts,
    set_fall_out,
    set_precision,
    set_recall,
)
from tests.retrieval.small_runs import Case, cases, thorough

KEYS = ("set_precision", "set_recall", "set_f", "set_fall_out", "generality")


@thorough
@given(cases())
def test_the_pull_of_a_query_is_what_leaving_it_out_does_to_the_gap(case: Case) -> None:
    hits = Hits.of(case.judgments, case.run)
    whole = set_averages(hits, beta=2, size=50)
    for key in KEYS:
        found, settings = whole[key], {"beta": 2, "size": 50}
        measure = METRICS[key].with_params(**{name: settings[name] for name in METRICS[key].takes & settings.keys()})
        assert found.macro == pytest.approx(measure(hits).mean(), nan_ok=True)
        assert found.gap == pytest.approx(found.macro - found.micro, abs=1e-12, nan_ok=True)
        for place in range(len(hits)):
            others = np.arange(len(hits)) != place
            if len(hits) == 1:
                assert np.isnan(found.pull[place])
                continue
            rest = set_averages(hits.only(others), beta=2, size=50)[key]
            expected = found.gap - (rest.macro - rest.micro)
            assert found.pull[place] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_what_rounding_leaves_over_is_no_gap() -> None:
    found = set_averages(Hits.of_grades([1] * 4 + [0] * 2, unretrieved=[1] * 16))["set_f"]
    assert found.macro == pytest.approx(8 / 26)
    assert found.gap == 0


def test_the_identity_holds_for_the_measures_of_any_set() -> None:
    rng = np.random.default_rng(3)
    counts = ConfusionCounts(*rng.integers(1, 50, (4, 200)))
    left, right = fall_out_identity(counts)
    assert left == pytest.approx(right)


def test_the_identity_is_made_of_the_measures_of_retrieval() -> None:
    hits = Hits.of_grades([1, 0, 1, 0, 0], unretrieved=[1, 1])
    f, p = set_fall_out(hits, size=100), set_precision(hits)
    r, g = set_recall(hits), generality(hits, size=100)
    left, right = fall_out_identity(set_counts(hits, size=100))
    assert left == pytest.approx(f * p * (1 - g))
    assert right == pytest.approx(r * g * (1 - p))


def test_without_a_retrieved_document_the_identity_has_no_sides() -> None:
    left, right = fall_out_identity(ConfusionCounts(0, 0, 3, 7))
    assert np.isnan(left)
    assert np.isnan(right)
