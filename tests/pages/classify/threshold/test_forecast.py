"""Next month: expected counts, work, cost and the best threshold, each against a sum on paper."""

import pytest

from tests.pages.classify.threshold.price_panels import cells, one_class, panels, table, words

# At 0.5: 8 of 10 are found, 9 of 90 alarm.
LABELS = [1] * 10 + [0] * 90
SCORES = [0.9] * 8 + [0.2] * 2 + [0.7] * 9 + [0.1] * 81


def month(**parameters: str):
    parameters.setdefault("data", table(LABELS, SCORES))
    parameters.setdefault("t", "0.5")
    return panels(panel="month", **parameters)


def metrics(test) -> dict[str, str]:
    return {metric.label: metric.value.replace("\u202f", "") for metric in test.metric}


def test_the_counts_are_the_rates_times_the_cases() -> None:
    expected = {row[0].split(" ")[0]: row[1] for row in cells(month(volume="1000", prevalence="0.2"))}
    # 200 positives, 80 % found; 800 negatives, 10 % alarm.
    assert expected == {"alarms": "240", "hits": "160", "false": "80.0", "misses": "40.0", "dismissals": "720"}


def test_ranges_hold_the_expected_and_unsure_rates_widen_them() -> None:
    for row in cells(month()):
        (low, high), (lower, higher) = ([float(end) for end in text.split(" to ")] for text in row[2:])
        assert lower <= low <= float(row[1]) <= high <= higher
        assert higher - lower > 1.5 * (high - low)


def test_work_and_worth_of_an_answer() -> None:
    shown = metrics(month(volume="1000", prevalence="0.2", minutes="30", per="week"))
    # 240 alarms at half an hour are 120 hours, three people of 40 hours.
    assert shown == {"alarms a week": "240", "hours": "120", "people": "3.00", "PPV": "66.7%", "NPV": "94.7%"}


def test_cost_and_what_would_be_cheaper() -> None:
    test = month(volume="1000", prevalence="0.2", miss_cost="10")
    # 40 misses at 10 and 80 alarms; with everybody alarmed 800; at 0.2 nobody is missed and 80 alarm.
    assert "Misses and false alarms cost 480 a day of 1000 cases." in words(test)
    assert "The cheapest threshold there is ≥ 0.2: it costs 83.3% less." in words(test)
    test.button(key="cheapest there").click().run()
    assert test.query_params["t"] == "0.2"
    assert "No other threshold costs less there." in words(test)


def test_prices_and_prevalence_are_those_of_the_other_panels() -> None:
    test = panels(data=table(LABELS, SCORES), t="0.5")
    test.number_input(key="month prevalence").set_value(25.0).run()
    test.number_input(key="month miss").set_value(6.0).run()
    test.number_input(key="month alarm").set_value(2.0).run()
    assert [test.query_params[key] for key in ("prevalence", "miss_cost", "alarm_cost")] == ["0.25", "6.0", "2.0"]
    assert test.number_input(key="unknown ratio").value == 3
    assert test.number_input(key="decision prevalence").value == 25
    test.number_input(key="decision ratio").set_value(5.0).run()
    assert test.query_params["miss_cost"] == "10.0"
    assert test.number_input(key="band miss").value == 10


def test_without_alarms_precision_is_undefined_with_its_reason() -> None:
    test = month(t="inf")
    assert metrics(test)["PPV"] == "undefined"
    assert "PPV is undefined: nothing was predicted positive" in words(test)


@pytest.mark.parametrize(("labels", "unknown"), [([1], "false positive rate is unknown"), ([0], "recall is unknown")])
def test_one_class_alone_leaves_the_other_rate_unknown(labels, unknown) -> None:
    test = month(data=one_class(labels[0]))
    assert unknown in words(test)
    assert "undefined" in {row[1] for row in cells(test)}


def test_no_cases_bring_nothing() -> None:
    assert {row[1] for row in cells(month(volume="0"))} == {"0.000"}


@pytest.mark.parametrize("value", ["x", "nan", "inf", "-1", "1e99"])
def test_nonsense_in_the_address_counts_as_nothing(value) -> None:
    shown = metrics(month(volume=value, minutes=value, per=value, prevalence=value))
    assert next(iter(shown)) == "alarms a day"
