"""Next month: expected counts, work and cost, each against a sum on paper."""

import pytest

from evalcore.analyses import NamedCounts, PeriodForecast
from evalcore.classification import ConfusionCounts
from evalcore.inference import forecast
from tests.analyses.small_scores import plain_text
from tests.words import facts, sentence_with

# 8 of 10 are found, 9 of 90 alarm.
COUNTS = ConfusionCounts(tp=8, fp=9, fn=2, tn=81)


def period(counts: ConfusionCounts = COUNTS, volume: float = 1000, share: float = 0.2, **settings) -> PeriodForecast:
    return PeriodForecast(NamedCounts(counts, "ill", "well"), forecast(counts, volume, share), **settings)


def test_the_counts_are_the_rates_times_the_cases() -> None:
    # 200 positives, 80 % found; 800 negatives, 10 % alarm.
    assert {row[0].text: row[1].text for row in period().table[1]} == {
        "alarms": "240", "found": "160", "false alarms": "80", "missed": "40", "dismissed": "720",
    }  # fmt: skip


def test_ranges_hold_the_expected_and_estimated_rates_widen_them() -> None:
    for row in period(volume=10_000, share=0.1).table[1]:
        ends = [plain_text(text).split("–") for text in row[2:]]
        (low, high), (lower, higher) = ([float(end) for end in pair] for pair in ends)
        assert lower <= low <= float(plain_text(row[1].text)) <= high <= higher
        assert higher - lower > 1.5 * (high - low)


def test_work_and_worth_of_an_answer() -> None:
    coming = period(minutes=30, period="week")
    # 240 alarms at half an hour are 120 hours, three people of 40 hours.
    assert coming.work == {"Alarms per week": "240", "Hours": "120", "People": "3.00"}
    assert [plain_text(text) for text in coming.worth.values()] == ["66.7%", "94.7%"]


def test_what_errors_cost() -> None:
    # 40 misses at 10 and 80 alarms.
    assert facts(plain_text(period(miss=10).verdict)) == "480 1000"


def test_without_alarms_precision_is_undefined_with_its_reason() -> None:
    coming = period(ConfusionCounts(tp=0, fp=0, fn=10, tn=90))
    assert coming.worth["Precision"] == "undefined"
    assert sentence_with(coming.work_note, "Precision is undefined")


@pytest.mark.parametrize(
    ("counts", "unknown"),
    [
        (ConfusionCounts(tp=1, fp=0, fn=1, tn=0), "no well rows"),
        (ConfusionCounts(tp=0, fp=1, fn=0, tn=1), "no ill rows"),
    ],
)
def test_one_class_alone_leaves_the_other_rate_undefined(counts, unknown) -> None:
    coming = period(counts)
    assert unknown in coming.note
    assert "undefined" in {row[1].text for row in coming.table[1]}


def test_no_cases_bring_nothing() -> None:
    assert {row[1].text for row in period(volume=0).table[1]} == {"0"}
