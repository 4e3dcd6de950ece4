"""The counts of several systems beside each other."""

import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.analyses import RATES, Source, SystemRates
from evalcore.inference import IntervalChoice
from evalcore.readers import DataSet, read_sample


def four() -> Source:
    counts = {"TP": [80, 85, 60, 0], "FP": [20, 35, 5, 0], "FN": [20, 15, 40, 100], "TN": [180, 165, 195, 200]}
    return Source.of(DataSet.of(pd.DataFrame({"system": ["alpha", "beta", "gamma", "never"], **counts})), "beta")


@pytest.mark.parametrize("method", ["wilson", "clopper", "bootstrap"])
def test_every_system_has_its_rates_and_intervals(method: str) -> None:
    intervals = IntervalChoice(method, 0.9)
    table = SystemRates(four(), intervals).table
    assert table["system"] == ["alpha", "beta", "gamma", "never"]
    for place, system in enumerate(table["system"]):
        counts = four().dataset.counts(system)
        for measure in (METRICS[key] for key in RATES):
            found = intervals.of(measure, counts)
            assert table[measure.short][place] == pytest.approx(float(measure(counts)), nan_ok=True)
            if found is not None:
                ends = table[f"{measure.short} low"][place], table[f"{measure.short} high"][place]
                assert ends == pytest.approx((float(found[0].low), float(found[0].high)))


def test_the_open_system_is_marked_and_what_is_undefined_is_said() -> None:
    cells = SystemRates(four()).cells
    assert cells["open"] == ["", "●", "", ""]
    assert cells["precision"][3] == "undefined"
    assert cells["recall"][0].replace("\u202f", " ") == "80.0 % (71.1–86.7)"


def test_a_system_below_the_diagonal_is_followed_by_its_opposite_which_opens_it() -> None:
    rates = SystemRates(Source.of(read_sample("four_methods")))
    assert rates.cells["system"] == rates.table["system"] == ["A", "B", "not B", "C", "D"]
    assert [rates.table[cell][2] for cell in ("tp", "fp", "fn", "tn")] == [60, 20, 40, 80]
    assert (rates.table["recall"][2], rates.table["accuracy"][2]) == (0.6, 0.7)
    assert [rates.system_of(row) for row in range(5)] == ["A", "B", "B", "C", "D"]


def test_only_files_of_counts_of_several_systems_have_it() -> None:
    assert SystemRates.offered(four())
    assert not SystemRates.offered(Source.of(read_sample("breast_cancer")))
    assert not SystemRates.offered(None)
