"""What a period will bring: exact means, and ranges that hold as many periods as they say."""

import numpy as np
import pytest
from scipy.stats import betabinom, binom

from evalcore.classification import ConfusionCounts
from evalcore.inference import forecast

COUNTS = ConfusionCounts(tp=80, fp=90, fn=20, tn=810)


def test_the_expected_counts_are_the_rates_times_the_cases() -> None:
    coming = forecast(COUNTS, volume=10_000, prevalence=0.02)
    cells = [float(getattr(coming.expected, cell)) for cell in ("tp", "fp", "fn", "tn")]
    assert cells == pytest.approx([160, 980, 40, 8820])
    assert float(coming.by_chance["alarms"].estimate) == pytest.approx(1140)


@pytest.mark.parametrize(("key", "chance"), [("tp", 0.05 * 0.8), ("fn", 0.05 * 0.2), ("fp", 0.95 * 0.1)])
def test_by_chance_alone_a_count_is_binomial(key, chance) -> None:
    found = forecast(COUNTS, volume=2000, prevalence=0.05).by_chance[key]
    exact = binom(2000, chance)
    # The bounds are quantiles of what was drawn: they hold 95 % up to the error of 20,000 draws.
    held = exact.cdf(float(found.high)) - exact.cdf(float(found.low) - 1)
    assert 0.945 <= held <= 0.965


def test_with_unsure_rates_a_count_is_beta_binomial() -> None:
    found = forecast(COUNTS, volume=2000, prevalence=1.0).with_rates["tp"]
    exact = betabinom(2000, 80.5, 20.5)
    assert exact.cdf(float(found.high)) - exact.cdf(float(found.low) - 1) == pytest.approx(0.95, abs=0.01)


def test_the_same_seed_gives_the_same_range() -> None:
    once, again = (forecast(COUNTS, 500, 0.1).with_rates["alarms"] for _ in range(2))
    assert (float(once.low), float(once.high)) == (float(again.low), float(again.high))


def test_no_cases_bring_nothing() -> None:
    coming = forecast(COUNTS, volume=0, prevalence=0.5)
    assert float(coming.expected.total) == 0
    assert [float(coming.with_rates["alarms"].low), float(coming.with_rates["alarms"].high)] == [0, 0]


def test_what_needs_the_rate_of_an_absent_class_is_undefined() -> None:
    coming = forecast(ConfusionCounts(tp=3, fp=0, fn=1, tn=0), volume=100, prevalence=0.5)
    assert float(coming.expected.tp) == 37.5
    assert np.isnan(float(coming.expected.fp))
    assert np.isnan(float(coming.by_chance["alarms"].high))
    assert float(coming.by_chance["tp"].low) > 0


@pytest.mark.parametrize(
    ("volume", "share", "level"), [(-1, 0.5, 0.95), (np.inf, 0.5, 0.95), (9, 1.5, 0.95), (9, 0.5, 1)]
)
def test_what_cannot_be_is_refused(volume, share, level) -> None:
    with pytest.raises(ValueError, match=r"must|between"):
        forecast(COUNTS, volume, share, level)
