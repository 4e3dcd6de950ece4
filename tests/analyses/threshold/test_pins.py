"""Pins: what differs from them is the difference of exact values, and two are compared by their paired test."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore import METRICS
from evalcore.analyses import (
    Pin,
    PinComparison,
    Scores,
    band_table,
    count_change,
    filters_text,
    pinned,
    value_change,
    with_changes,
)
from evalcore.classification import ScoredLabels, cost_goal, measure_goal
from evalcore.engines import summary_dataset
from evalcore.inference import PairedChoice, PairedCounts, mcnemar_differences
from evalcore.readers import DataSet, Shape, Unloaded, roles_of
from tests.analyses.small_scores import one_class, plain_text, scores_of, small_scores

RATES = ["accuracy", "recall", "specificity", "precision", "negative_predictive_value"]


def many(**beside: object) -> Scores:
    random = np.random.default_rng(7)
    labels = random.integers(0, 2, 120)
    scores = labels * 0.3 + random.random(120) * 0.7
    frame = pd.DataFrame({"actual": labels, "a": scores, "b": scores[::-1].copy(), "w": random.integers(1, 4, 120)})
    frame["c"] = np.arange(120) // 3
    roles = roles_of(actual="actual", score=("a", "b"), positive=1, **beside)
    return scores_of(DataSet.of(frame, "x.csv", roles=roles))


@pytest.mark.parametrize("beside", [{}, {"weight": "w"}, {"cluster": "c"}, {"higher_is_positive": False}])
@pytest.mark.parametrize("second", [Pin(0.35), Pin(0.45, "b")])
def test_two_pins_have_the_paired_tests_of_their_decisions(beside: dict, second: Pin) -> None:
    scores = many(**beside)
    a, b = pinned(scores, [0.5, second])
    frame, higher = scores.current.frame, scores.higher
    calls = [frame[one.scores.system] >= one.pin.threshold for one in (a, b)]
    if not higher:
        calls = [frame[one.scores.system] <= one.pin.threshold for one in (a, b)]
    columns = {
        "weights": frame["w"] if "weight" in beside else None,
        "clusters": frame["c"] if "cluster" in beside else None,
    }
    paired = PairedCounts.from_labels(frame["actual"], *(call.astype(int) for call in calls), positive=1, **columns)
    tests = mcnemar_differences([METRICS[key] for key in RATES], paired, PairedChoice(0.95))
    comparison = PinComparison(a, b, 0.95)
    assert comparison.reason == ""
    for one, test in zip(comparison.differences, tests, strict=True):
        assert (one.estimate, one.low, one.high) == pytest.approx(
            (test.estimate, test.interval.low, test.interval.high)
        )
        assert one.test.p_value == pytest.approx(test.p_value)
    _, only_a, only_b, _ = paired.right()
    assert f"{only_a:g} right only at A, {only_b:g} only at B" in comparison.verdict
    for one in (a, b):
        assert one.counts.tp == one.scores.counts_at(one.pin.threshold).tp


def test_two_pins_are_compared_by_the_goal_first_and_named_by_their_systems() -> None:
    frame = pd.DataFrame({"actual": [1] * 2 + [0] * 8, "a": [0.4] * 2 + [0.1] * 8, "b": [0.4] * 5 + [0.1] * 5})
    dataset = DataSet.of(frame, "x.csv", roles=roles_of(actual="actual", score=("a", "b"), positive=1))
    here = scores_of(dataset, "b")
    pins = pinned(here, [Pin(0.5, "a"), 0.3])
    # At a 0.5 both positives are missed; at b 0.3 both are found with 3 false alarms.
    words = plain_text(PinComparison(*pins, 0.95, cost_goal(fn_cost=10)).verdict)
    sides = "(a at 0.5 cost 2000 per 1000 cases; b at 0.3 cost 300 per 1000 cases; not tested)"
    assert words.startswith(f"By the goal, b at 0.3 is better in this sample {sides}. No clear winner by accuracy")
    assert "By the goal" not in PinComparison(*pins, 0.95, measure_goal(METRICS["accuracy"])).verdict


def test_pins_whose_costs_differ_by_rounding_alone_are_equally_good() -> None:
    # One miss costs as much as three false alarms, and 3 · 0.1 is more than 0.3 in floating point.
    scores = small_scores([1, 1, 0, 0, 0, 0], [0.9, 0.2, 0.6, 0.5, 0.4, 0.1])
    words = PinComparison(*pinned(scores, [0.9, 0.2]), 0.95, cost_goal(fn_cost=0.3, fp_cost=0.1)).verdict
    assert plain_text(words).startswith("By the goal, neither is better (0.9 cost 50.0 per 1000 cases; 0.2 cost 50.0 ")


def test_two_pins_may_make_the_same_decisions() -> None:
    scores = small_scores([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1])
    a, b = pinned(scores, [0.5, 0.55])
    comparison = PinComparison(a, b, 0.95)
    assert comparison.verdict == "**Both make the same decision on all 4 rows.**"


def test_pins_of_other_rows_have_numbers_and_no_paired_test() -> None:
    scores = small_scores([1, 1, 0, 0, 1], [0.9, 0.6, 0.4, 0.1, 0.2])
    shape = Shape.from_text("range~score~0.3~*")
    kept, here = pinned(scores, [Pin(0.5, filters=shape.to_text()), 0.5])
    assert filters_text(kept.scores.current.dataset.shape) == shape.to_text()
    assert (float(kept.counts.total), float(here.counts.total)) == (3, 5)
    assert (kept.label, here.label) == ("0.5, score ≥ 0.3", "0.5")
    comparison = PinComparison(kept, here, 0.95)
    assert "different rows" in comparison.verdict
    assert comparison.table is None
    assert comparison.note == ""


def test_a_pin_of_a_column_that_is_not_there_is_left_out() -> None:
    scores = many()
    pins = [Pin(0.5, "gone"), Pin(0.25, "b"), Pin(0.5, name="Spring"), Pin(0.25, "b", name="Spring")]
    assert [one.label for one in pinned(scores, pins)] == ["b at 0.25", "Spring", "Spring (b)"]


@pytest.mark.parametrize("texts", [["abc"], ["nan", "", "", ""], ["0.5", "a"], []])
def test_what_is_no_pin_in_a_link_is_none(texts: list[str]) -> None:
    assert Pin.of_texts(texts) is None


def test_a_pin_is_read_as_it_was_written() -> None:
    pin = Pin(float("inf"), "a~b", "range~score~0.3~*", "<b>!")
    assert Pin.of_texts(pin.texts) == pin
    assert repr(pin) == """Pin(float("inf"), 'a~b', 'range~score~0.3~*', '<b>!')"""


def test_a_change_is_of_the_values_and_not_of_what_is_written() -> None:
    recall = METRICS["recall"]
    # 87.749 % and 87.651 % are written 87.7 %; their difference is no 0.0.
    assert plain_text(value_change(recall, 0.87749, 0.87651)) == "+0.1pt"
    assert plain_text(value_change(recall, 0.5, 1 / 3)) == "+16.7pt"
    assert value_change(recall, 0.1 + 0.2, 0.3) == ""
    assert value_change(recall, float("nan"), 0.5) == "–"
    assert count_change(0.1 + 0.2, 0.3) == ""
    assert [count_change(*pair) for pair in ((12, 0), (0, 3), (1.5, 1), (4, 4))] == ["+12", "−3", "+0.50", ""]


def test_what_does_not_differ_from_a_pin_is_not_named() -> None:
    scores = small_scores([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1])
    (pin,) = pinned(scores, [0.7])
    words = "Compared with the pin 0.7: found +1, missed −1, recall +50.0pt."
    assert plain_text(pin.change_text(scores.counts_at(0.5))) == words
    assert plain_text(pin.change_text(pin.counts)) == "Compared with the pin 0.7: no difference."


def test_a_table_says_beside_its_values_what_differs_from_a_pin() -> None:
    scores = small_scores([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1])
    (pin,) = pinned(scores, [0.7])
    table = band_table(scores, 0.3, {"recall": (0.0, 1.0), "precision": (0.0, 1.0)})
    heads, rows = with_changes(table, pin.row_changes(table[1], scores.counts_at(0.3)))
    assert heads == table[0]
    # Recall from 1/2 to 1, precision from 1 to 2/3.
    assert [plain_text(row.cells[1].aside) for row in rows] == ["+50.0pt", "−33.3pt"]
    assert with_changes(table, pin.row_changes(table[1], pin.counts)) is table


@pytest.mark.parametrize(
    ("goal", "last"),
    [(measure_goal(METRICS["recall"]), "recall +50.0pt"), (cost_goal(fn_cost=2), "cost per 1000 cases −250")],
)
def test_the_value_of_the_goal_is_compared_with_that_at_a_pin(goal, last: str) -> None:
    scores = small_scores([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1])
    (pin,) = pinned(scores, [0.7])
    changes = pin.goal_changes(scores, goal, 0.3)
    # One more found of two, one more false alarm; a miss costs two of these.
    assert list(changes.values())[:2] == ["−1", "+1"]
    assert plain_text(pin.changes_text(changes)).endswith(f"{last}.")


@pytest.mark.parametrize("label", [0, 1])
def test_of_one_class_what_is_undefined_has_no_difference(label: int) -> None:
    scores = one_class(label)
    (one,) = pinned(scores, [0.5])
    words = one.change_text(scores.counts_at(0.1))
    assert ("recall –" in words) == (label == 0)


def test_counts_without_rows_have_differences_and_a_reason_for_no_test() -> None:
    known = small_scores([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1])
    state = ScoredLabels.from_counts(np.array([0.9, 0.5, 0.1]), np.array([5.0, 2.0, 1.0]), np.array([1.0, 2.0, 5.0]))
    counted = Scores(known.current, "counted", state, "ill", "well", 0)
    a, b = pinned(counted, [0.7, 0.3])
    assert a.change_text(b.counts).startswith("Compared with the pin 0&#46;7: found +2, missed −2, false alarms +2")
    assert PinComparison(a, b, 0.95).verdict == "Only counts are known, and a paired test needs the rows behind them."


def test_a_table_that_was_counted_compares_its_rows() -> None:
    frame = pa.table({"ill": [1, 0, 1, 0, 1, 0], "score": [0.9, 0.2, 0.6, 0.7, 0.3, 0.3]})
    roles = roles_of(actual="ill", score=("score",), positive=1)
    data = summary_dataset(frame, roles, name="log", unloaded=Unloaded("path", "log.parquet"))
    comparison = PinComparison(*pinned(scores_of(data), [0.5, 0.25]), level=0.95)
    assert "differ on 2 of 6 rows: 1 right only at A, 1 only at B" in (comparison.verdict)
