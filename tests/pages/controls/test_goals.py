"""The goals of the threshold page: each answer is what trying every threshold by hand finds."""

import csv
import html
import os
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import Workspace, read_table
from evalcore.readers.samples import FOLDER, read_sample

ROOT = Path(__file__).parents[3]
YOUDEN, MEASURE, COST = "Highest recall + specificity (Youden)", "Best of a measure", "Lowest cost"
CORNER, WEIGHTED = "Closest to the perfect corner of the ROC curve", "Weighted recall and specificity"
LIMITS, ROWS, SHARE = "Best of a measure within limits", "Flag at most so many rows", "Flag at most a share of the rows"
OUT, IN = "Rule out: trust a negative result", "Rule in: trust a positive result"

Counts = tuple[int, int, int, int]


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    return test


def stored(content: str) -> str:
    """Upload a table; its id."""
    return Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).save(read_table(content.encode(), "table.csv"))


def answer(test: AppTest) -> str:
    """What is said under the goal."""
    texts = (m.value for m in test.main.markdown)
    said = next(text for text in texts if "serves" in text or "No threshold" in text or "undefined at every" in text)
    return html.unescape(said).replace("\u202f", "")


# Trying every threshold by hand


def tried(sample: str, positive: str, column: str) -> list[tuple[float, Counts]]:
    """Infinity and every distinct score from high to low, with the counts when all from it on are called positive."""
    with (FOLDER / f"{sample}.csv").open(newline="") as file:
        rows = [(row["actual"] == positive, float(row[column])) for row in csv.DictReader(file)]
    every = [float("inf"), *sorted({score for _, score in rows}, reverse=True)]
    return [(cut, counted([(is_positive, score >= cut) for is_positive, score in rows])) for cut in every]


def counted(rows: list[tuple[bool, bool]]) -> Counts:
    return tuple(rows.count(outcome) for outcome in ((True, True), (False, True), (True, False), (False, False)))


def share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def recall(c: Counts) -> Fraction | None:
    return share(c[0], c[0] + c[2])


def specificity(c: Counts) -> Fraction | None:
    return share(c[3], c[1] + c[3])


def precision(c: Counts) -> Fraction | None:
    return share(c[0], c[0] + c[1])


def npv(c: Counts) -> Fraction | None:
    return share(c[3], c[2] + c[3])


def accuracy(c: Counts) -> Fraction | None:
    return share(c[0] + c[3], sum(c))


def f1(c: Counts) -> Fraction | None:
    return share(2 * c[0], 2 * c[0] + c[1] + c[2])


def corner(c: Counts) -> Fraction:
    return -((1 - recall(c)) ** 2) - (1 - specificity(c)) ** 2


def reaches(measure: Callable[[Counts], Fraction | None], least: str) -> Callable[[Counts], bool]:
    return lambda c: measure(c) is not None and measure(c) >= Fraction(least)


def always(c: Counts) -> bool:
    return True


BY_HAND = [
    (YOUDEN, {}, lambda c: recall(c) + specificity(c), always),
    (MEASURE, {"best": "Accuracy"}, accuracy, always),
    (MEASURE, {}, f1, always),
    (COST, {"miss": "5"}, lambda c: -(5 * c[2] + c[1]), always),
    (COST, {"miss": "1", "alarm": "3", "hit": "-2", "dismissal": "0.5"},
     lambda c: -(c[2] + 3 * c[1] - 2 * c[0] + Fraction(1, 2) * c[3]), always),
    (COST, {"miss": "0", "alarm": "0"}, lambda c: 0, always),
    (CORNER, {}, corner, always),
    (WEIGHTED, {}, lambda c: recall(c) + specificity(c), always),
    (WEIGHTED, {"weight": "0.8"}, lambda c: 4 * recall(c) + specificity(c), always),
    (WEIGHTED, {"weight": "0"}, specificity, always),
    (WEIGHTED, {"weight": "1"}, recall, always),
    (LIMITS, {}, recall, reaches(precision, "0.9")),
    (LIMITS, {"best_of": "Specificity", "limit1": "TPR ≥", "value1": "0.7", "limit2": "PPV ≥", "value2": "0.6"},
     specificity, lambda c: reaches(recall, "0.7")(c) and reaches(precision, "0.6")(c)),
    (LIMITS, {"best_of": "Recall", "limit1": "FPR ≤", "value1": "0.3"}, recall, reaches(specificity, "0.7")),
    (ROWS, {}, lambda c: c[0] + c[1], lambda c: c[0] + c[1] <= 100),
    (ROWS, {"rows": "7"}, lambda c: c[0] + c[1], lambda c: c[0] + c[1] <= 7),
    (ROWS, {"rows": "0"}, lambda c: c[0] + c[1], lambda c: c[0] + c[1] <= 0),
    (SHARE, {}, lambda c: c[0] + c[1], lambda c: 10 * (c[0] + c[1]) <= sum(c)),
    (SHARE, {"percent": "35"}, lambda c: c[0] + c[1], lambda c: 100 * (c[0] + c[1]) <= 35 * sum(c)),
    (OUT, {}, specificity, reaches(recall, "0.95")),
    (OUT, {"by out": "NPV", "least out": "0.8"}, specificity, reaches(npv, "0.8")),
    (IN, {}, recall, reaches(specificity, "0.95")),
    (IN, {"by in": "PPV", "least in": "0.8"}, recall, reaches(precision, "0.8")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sample", "positive", "column"), [("roc_20", "P", "score"), ("breast_cancer", "malignant", "logistic_regression")]
)
@pytest.mark.parametrize(("goal", "asked", "value", "allowed"), BY_HAND)
def test_each_goal_answers_what_trying_all_thresholds_finds(
    sample, positive, column, goal, asked, value, allowed
) -> None:
    every = [(cut, c) for cut, c in tried(sample, positive, column) if allowed(c) and value(c) is not None]
    top = max(value(c) for _, c in every)
    equal = [(cut, c) for cut, c in every if value(c) == top]
    first, counts = min(equal, key=lambda pair: pair[1][1] + pair[1][2])
    test = opened(data=sample, goal=goal, **asked)
    assert test.selectbox(key="goal").value is not None
    chosen = "∞" if first == float("inf") else f"{first:g}"
    alarms = "1 false alarm" if counts[1] == 1 else f"{counts[1]} false alarms"
    inside = " inside the limit" if goal == LIMITS else ""
    inside += "s" if "limit2" in asked else ""
    assert answer(test).startswith(f"**{chosen}** serves it best{inside}:")
    assert f"; {counts[2]} missed and {alarms}." in answer(test).split("Now")[0].split("That")[0]
    worse = [c[1] >= counts[1] and c[2] >= counts[2] for _, c in equal]
    for words, kind in (("Just as good", False), ("The same value, with more errors", True)):
        tied = [cut for (cut, _), is_worse in zip(equal, worse, strict=True) if cut != first and is_worse == kind][:5]
        named = ", ".join("∞" if cut == float("inf") else f"{cut:g}" for cut in tied)
        assert (f"{words}: {named}" in answer(test)) if tied else (f"{words}:" not in answer(test))


@pytest.mark.parametrize(
    ("goal", "asked", "threshold"),
    [(YOUDEN, {}, "0.54"), (MEASURE, {"best": "Accuracy"}, "0.54"), (CORNER, {}, "0.51"), (COST, {"miss": "5"}, "0.3")],
)
def test_the_printed_optima_of_the_twenty_instances(goal, asked, threshold) -> None:
    assert answer(opened(data="roc_20", goal=goal, **asked)).startswith(f"**{threshold}** serves it best:")


def test_two_thresholds_are_equally_close_to_the_corner() -> None:
    assert "Just as good: 0.4." in answer(opened(data="roc_20", goal=CORNER))


def test_the_cost_is_said_in_all_and_a_row() -> None:
    # 9 false alarms at 1, no miss.
    assert "cost 9.00 in all, 0.450 a row; 0 missed and 9 false alarms." in answer(
        opened(data="roc_20", goal=COST, miss="5")
    )


def test_costs_of_nothing_make_every_threshold_as_good() -> None:
    said = answer(opened(data="roc_20", goal=COST, miss="0", alarm="0"))
    assert "cost 0.000 in all" in said
    # Of 21: the chosen one, fifteen with more errors of one kind for fewer of the other, five with more and no fewer.
    assert "Just as good: ∞, 0.9, 0.8, 0.51, 0.5 and 10 more." in said
    assert "The same value, with more errors: 0.7, 0.6, 0.55, 0.53, 0.52." in said


# Going there


def test_go_to_writes_the_threshold_into_the_address_and_says_that_it_stands_there() -> None:
    test = opened(data="roc_20", goal=CORNER)
    assert test.button(key="go").label == "Go to 0.51"
    test.button(key="go").click().run()
    assert test.query_params["t"] == "0.51"
    assert "That is where the threshold stands." in answer(test)
    assert test.button(key="go").disabled


def test_go_to_may_lead_to_infinity() -> None:
    test = opened(data="roc_20", goal=ROWS, rows="0")
    test.button(key="go").click().run()
    assert test.query_params["t"] == "inf"
    assert "That is where the threshold stands." in answer(test)


@pytest.mark.parametrize("threshold", ["0.1", "0.05", "-7", "-inf"])
def test_any_threshold_with_the_same_counts_is_already_there(threshold) -> None:
    assert "That is where the threshold stands." in answer(opened(data="roc_20", goal=ROWS, t=threshold))


def test_what_would_change_is_said() -> None:
    said = answer(opened(data="roc_20", goal=YOUDEN, t="0.7"))
    assert "Now, at 0.7: Youden's J 0.100; 8 missed and 1 false alarm." in said


def test_every_threshold_of_the_interval_gives_the_same_counts() -> None:
    assert "Every threshold above 0.53 up to 0.54 gives the same counts." in answer(opened(data="roc_20"))


def test_where_lower_scores_are_positive_thresholds_are_those_of_the_file() -> None:
    roles = replace(read_sample("roc_20").roles, positive="N", higher_is_positive=False)
    test = opened(data="roc_20", roles=roles.to_text(), goal=YOUDEN, t="0.2")
    # The mirrored problem: at or below 0.53 lie nine of the ten N and five of the ten P.
    assert answer(test).startswith("**0.53** serves it best: Youden's J 0.400; 1 missed and 5 false alarms.")
    assert "Every threshold from 0.53 to below 0.54 gives the same counts." in answer(test)
    test.button(key="go").click().run()
    assert test.query_params["t"] == "0.53"
    assert "That is where the threshold stands." in answer(test)


@pytest.mark.parametrize("goal", [YOUDEN, CORNER, WEIGHTED])
def test_a_goal_that_one_class_leaves_undefined_says_so(goal) -> None:
    data = stored("actual,score\n1,0.9\n1,0.4\n1,0.3\n")
    assert "undefined" in answer(opened(data=data, goal=goal))


# Prices


def test_costs_are_a_ratio_until_a_price_says_otherwise() -> None:
    test = opened(data="roc_20", goal=COST, miss="5")
    assert [field.label for field in test.number_input if field.key in ("miss", "alarm")] == [
        "A miss costs as many false alarms"
    ]
    test.segmented_control(key="cost way").set_value("four").run()
    assert test.query_params["costs"] == "four"
    assert {field.key for field in test.number_input} >= {"miss", "alarm", "hit", "dismissal"}
    assert "cost 9.00 in all" in answer(test)


@pytest.mark.parametrize(("part", "key"), [("Next month", "month"), ("If costs are not known", "unknown")])
def test_a_part_that_counts_with_other_prices_than_the_goal_says_so(part, key) -> None:
    test = opened(data="roc_20", goal=COST, miss="5", part=part, miss_cost="3")
    field = f"{key} miss" if key == "month" else f"{key} ratio"
    assert test.number_input(key=field).value == 3
    button = test.button(key=f"{key} goal prices")
    assert button.label == "The goal says 5 : 1; take that"
    button.click().run()
    assert test.number_input(key=field).value == 5
    assert "miss_cost" not in test.query_params
    assert f"{key} goal prices" not in {one.key for one in test.button}


@pytest.mark.parametrize("asked", [{"goal": COST, "miss": "3"}, {"miss": "5"}, {"goal": COST, "miss": "-1"}, {}])
def test_prices_that_are_those_of_the_goal_or_of_no_goal_are_left_alone(asked) -> None:
    test = opened(data="roc_20", part="Next month", **({"miss_cost": "3"} if asked else {}), **asked)
    assert "month goal prices" not in {one.key for one in test.button}


# What an address may hold


@pytest.mark.parametrize("goal", [YOUDEN, MEASURE, COST, CORNER, WEIGHTED, LIMITS, ROWS, SHARE, OUT, IN])
@pytest.mark.parametrize("bad", ["-1", "inf", "nan", "abc"])
def test_an_address_nobody_checked_breaks_no_goal(goal, bad) -> None:
    keys = (
        "weight",
        "miss",
        "alarm",
        "hit",
        "dismissal",
        "value1",
        "value2",
        "rows",
        "percent",
        "best",
        "best_of",
        "limit1",
        "costs",
    )
    rest = ("limit2", "by out", "least out", "by in", "least in", "lines", "resample", "resamples", "seed")
    test = opened(data="roc_20", goal=goal, **dict.fromkeys((*keys, *rest), bad))
    assert re.search("serves it best|No threshold", answer(test))


def test_a_goal_that_is_none_counts_as_missing() -> None:
    assert answer(opened(data="roc_20", goal="__class__")).startswith("**0.54**")


def test_an_undefined_goal_says_which_class_has_no_rows() -> None:
    test = opened(data=stored("label,score\n" + "".join(f"1,0.{k}\n" for k in range(1, 9))))
    assert answer(test) == "The highest recall + specificity is undefined at every threshold. All 8 rows are 1."
