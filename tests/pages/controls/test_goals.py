"""The form of the goals: each asks for what its goal needs, keeps it in the address, and shows the best threshold."""

import html
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore import find
from evalcore.analyses import best_threshold
from evalcore.classification import (
    Limit,
    corner_goal,
    cost_goal,
    flag_goal,
    measure_goal,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from tests.analyses.small_scores import scores_of
from tests.pages.uploads import stored

PAGE = Path(__file__).with_name("goal_page.py")
THRESHOLD = Path(__file__).parents[3] / "app.py"
YOUDEN, MEASURE, COST = "Highest recall + specificity (Youden)", "Best of a measure", "Lowest cost"
CORNER, WEIGHTED = "Closest to the perfect corner of the ROC curve", "Weighted recall and specificity"
LIMITS, ROWS, SHARE = "Best of a measure within limits", "Flag at most n rows", "Flag at most a share of the rows"
PROMISE = "Keep limits on new rows"
OUT, IN = "Rule out: trust a negative result", "Rule in: trust a positive result"


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(PAGE, default_timeout=30)
    test.query_params.update({"data": "roc_20"} | parameters)
    test.run()
    assert not test.exception
    return test


def answer(test: AppTest) -> str:
    """What is said under the goal."""
    texts = (m.value for m in test.main.markdown)
    said = next((t for t in texts if re.search(r"\*\*Best|No threshold|undefined at every", t)), "")
    return html.unescape(said).replace("\u202f", "")


FORMS = [
    (YOUDEN, {}, youden_goal(), ()),
    (MEASURE, {"best": "Accuracy"}, measure_goal(find("accuracy")), ()),
    (MEASURE, {}, measure_goal(find("F1")), ()),
    (COST, {"miss": "5"}, cost_goal(fn_cost=5), ()),
    (COST, {"miss": "1", "alarm": "3", "hit": "-2", "dismissal": "0.5"},
     cost_goal(fn_cost=1, fp_cost=3, tp_cost=-2, tn_cost=0.5), ()),
    (CORNER, {}, corner_goal(), ()),
    (WEIGHTED, {}, weighted_goal(0.5), ()),
    (WEIGHTED, {"weight": "0.8"}, weighted_goal(0.8), ()),
    (LIMITS, {}, measure_goal(find("recall")), (("PPV", 0.9),)),
    (LIMITS, {"best_of": "Specificity", "limit1": "TPR ≥", "value1": "0.7", "limit2": "PPV ≥", "value2": "0.6"},
     measure_goal(find("specificity")), (("recall", 0.7), ("PPV", 0.6))),
    (ROWS, {}, flag_goal(rows=100), ()),
    (ROWS, {"rows": "7"}, flag_goal(rows=7), ()),
    (SHARE, {}, flag_goal(share=0.1), ()),
    (SHARE, {"percent": "35"}, flag_goal(share=0.35), ()),
    (OUT, {}, rule_out_goal(sensitivity=0.95), ()),
    (OUT, {"by out": "NPV", "least out": "0.8"}, rule_out_goal(npv=0.8), ()),
    (IN, {}, rule_in_goal(specificity_of=0.95), ()),
    (IN, {"by in": "PPV", "least in": "0.8"}, rule_in_goal(ppv=0.8), ()),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "asked", "expected", "limits"), FORMS)
def test_each_form_asks_for_its_goal(goal, asked, expected, limits) -> None:
    limits = tuple(Limit(find(name), at_least=value) for name, value in limits)
    said = best_threshold(scores_of("roc_20"), expected, limits).verdict(0.5)
    assert answer(opened(goal=goal, **asked)) == said.replace("\u202f", "")


# The promise for new rows


def promise(test: AppTest) -> str:
    return next(m.value for m in test.main.markdown if "new rows" in m.value).replace("\u202f", "")


def test_the_promise_is_kept_in_the_address_and_its_goal_chooses_from_it() -> None:
    asked = {"data": "breast_cancer", "goal": PROMISE, "best_of": "Precision", "limit1": "recall", "value1": "0.9"}
    test = opened(**asked, confidence="99 %")
    holds = "confidence, recall ≥ 0.90 holds on new rows for thresholds up to"
    assert promise(test).startswith(f"**With 99% {holds} 0.4082")
    assert answer(test).startswith("**Best within the promise: 0.40")
    test.selectbox(key="confidence").set_value(0.8).run()
    assert promise(test).startswith(f"**With 80% {holds} 0.43")
    # Other goals show it beside their own choice, and without limits there is none.
    assert "confidence, recall ≥ 0.90" in promise(opened(**asked | {"goal": YOUDEN}))
    assert "confidence" not in {box.key for box in opened(data="breast_cancer").selectbox}


@pytest.mark.parametrize("measure", ["matthews_correlation", "precision"])
def test_without_a_promise_its_goal_has_nothing_to_choose_from(measure: str) -> None:
    value, said = {
        "matthews_correlation": ("0.2", "Matthews correlation ≥ 0.20 is not a limit on a share of rows"),
        "precision": ("0.9", "no threshold is promised to keep precision ≥ 0.90"),
    }[measure]
    test = opened(goal=PROMISE, limit1=measure, value1=value)
    assert said in promise(test)
    assert "go" not in {button.key for button in test.button}


# Going there


@pytest.mark.parametrize(("goal", "threshold"), [({"goal": CORNER}, "0.51"), ({"goal": ROWS, "rows": "0"}, "inf")])
def test_go_to_writes_the_threshold_into_the_address_and_says_that_it_is_the_current_one(goal, threshold) -> None:
    test = opened(**goal)
    assert test.button(key="go").label == f"Go to {threshold.replace('inf', '∞')}"
    test.button(key="go").click().run()
    assert test.query_params["t"] == threshold
    assert "That is yours." in answer(test)
    assert not test.button(key="go").disabled  # or the focus would be lost


# Costs


def test_all_four_costs_can_be_typed_and_stand_in_the_link() -> None:
    test = opened(goal=COST, miss_cost="5")
    costs = {key: test.number_input(key=f"goal {key}") for key in ("miss", "alarm", "hit", "dismissal")}
    assert {key: field.value for key, field in costs.items()} == {"miss": 5, "alarm": 1, "hit": 0, "dismissal": 0}
    assert "Cost 450 per 1000 cases" in answer(test)
    costs["hit"].set_value(-1).run()
    assert (test.query_params["miss_cost"], test.query_params["hit_cost"]) == ("5", "-1.0")


def test_amounts_of_any_size_give_a_false_alarm_a_cost_that_can_be_typed() -> None:
    rows = "".join(f"{'ill' if n % 3 else 'well'},{n / 40},{n}e11\n" for n in range(1, 31))
    test = opened(data=stored(f"actual,score,amount\n{rows}"), goal=COST)
    test.selectbox(key="amounts").set_value("amount").run()
    assert (test.query_params["amounts"], test.query_params["check"]) == ("amount", "1000000000.0")
    assert test.number_input(key="goal check").value == 1e9


def test_a_false_alarm_costs_a_sum_or_percent_of_its_amount_as_on_the_knob() -> None:
    test = opened(data="payments", goal=COST, amounts="amount", check_share="0.05")
    assert test.number_input(key="goal check").value == 5
    test.number_input(key="goal check").set_value(4.8).run()
    assert float(test.query_params["check_share"]) == 0.048
    test.selectbox(key="alarm by share").set_value("each").run()
    assert "check_share" not in test.query_params
    assert test.number_input(key="goal check").value == float(test.query_params["check"])


def test_a_column_with_a_negative_amount_is_no_choice_and_says_why() -> None:
    rows = "".join(f"{'ill' if n % 3 else 'well'},{n / 40},{-5 if n == 12 else n}\n" for n in range(1, 31))
    test = opened(data=stored(f"actual,score,amount\n{rows}"), goal=COST)
    assert "amounts" not in {box.key for box in test.selectbox}
    assert any("Column amount: line 13 is negative" in one.value for one in test.caption)


def test_a_link_from_before_the_knob_keeps_its_costs() -> None:
    test = page(goal=COST, miss="5", alarm="2")
    assert (test.query_params["miss_cost"], test.query_params["alarm_cost"]) == ("5.0", "2.0")
    assert "miss" not in test.query_params


def page(**parameters: str) -> AppTest:
    test = AppTest.from_file(THRESHOLD, default_timeout=30)
    test.query_params.update({"data": "roc_20"} | parameters)
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    return test


def test_the_parts_count_with_the_costs_of_the_goal_and_ask_for_none() -> None:
    test = page(goal=COST, miss_cost="5", part="If costs are not known")
    assert "unknown ratio" not in {field.key for field in test.number_input}
    assert "At **5 : 1**" in "".join(one.value for one in test.markdown)
    other = page(miss_cost="5", part="If costs are not known")
    assert other.number_input(key="unknown ratio").value == 5


def test_a_part_says_that_it_has_no_use_for_a_free_error() -> None:
    test = page(goal=COST, miss_cost="-1", part="If costs are not known")
    assert any("counts as 1 here" in one.value for one in test.caption)


# What an address may hold


@pytest.mark.parametrize("goal", [YOUDEN, MEASURE, COST, CORNER, WEIGHTED, LIMITS, PROMISE, ROWS, SHARE, OUT, IN])
@pytest.mark.parametrize("bad", ["-1", "inf", "nan", "abc"])
def test_an_address_nobody_checked_breaks_no_goal(goal, bad) -> None:
    keys = "weight miss alarm hit dismissal value1 value2 rows percent best best_of limit1 costs limit2".split()
    keys += ["by out", "least out", "by in", "least in", "confidence"]
    test = opened(goal=goal, **dict.fromkeys(keys, bad))
    assert re.search(r"\*\*Best|[Nn]o threshold", answer(test) or promise(test))


def test_settings_of_the_other_parts_that_nobody_checked_break_no_goal() -> None:
    for bad in ("-1", "inf", "nan", "abc"):
        assert "**Best: " in answer(page(**dict.fromkeys(("lines", "resample", "resamples", "seed"), bad)))


def test_a_goal_that_is_none_counts_as_missing() -> None:
    assert answer(opened(goal="__class__")).startswith("**Best: 0.54**")
