"""The page that compares systems: its controls, its address, its folds, and names that do nothing."""

import json
import re
import runpy
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.wording.escaping import plain
from tests.pages.application import tables, unfold
from tests.pages.nasty_names import NASTY
from tests.pages.test_every_page import problem, started
from tests.pages.uploads import stored
from tests.words import sentence_with

PAGE = "pages/classify/compare.py"


def compare(data: str, **parameters: str) -> AppTest:
    test = started(PAGE, data=data, **parameters)
    assert problem(test) == ""
    return test


def text(test: AppTest) -> str:
    parts = [element.value for element in (*test.main.markdown, *test.main.caption)]
    parts += [element.proto.body for element in test.get("html")]
    return "\n".join(parts).replace("\u202f", " ")


def verdict(test: AppTest) -> str:
    """The finding: the headline and what stands below it, without the links of its terms."""
    words = "\n".join(element.value for element in (*test.main.header, test.main.markdown[0]))
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", words).replace("\u202f", " ").replace("&#95;", "_")


def frame_with(page: AppTest, column: str) -> pd.DataFrame:
    """The table on the page that has a column."""
    return next(table for table in tables(page) if column in table)


def three_systems() -> str:
    rows = [("yes", 0.9, 0.8, 0.95), ("no", 0.4, 0.3, 0.6), ("yes", 0.4, 0.7, 0.9), ("no", 0.1, 0.6, 0.2)] * 9
    return stored("actual,old,new,third\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def test_swapped_the_other_one_is_better() -> None:
    page = compare("breast_cancer", by="Recall")
    assert verdict(page).startswith("nearest_neighbours is better by recall: +3.3 pt\n")
    page.button(key="swap").click().run()
    assert page.query_params["system"] in ("nearest_neighbours", ["nearest_neighbours"])
    assert page.query_params["other"] in ("logistic_regression", ["logistic_regression"])
    assert verdict(page).startswith("nearest_neighbours is better by recall: +3.3 pt\n")
    assert "−3.3 pt" in verdict(page)
    assert "7 fewer of the 212 malignant" in verdict(page)


def test_a_link_shows_the_same_screen() -> None:
    page = compare(
        "breast_cancer", system="nearest_neighbours", other="logistic_regression", cut="youden", by="Specificity",
        level="90 %", correction="Bonferroni", among="malignant",
    )  # fmt: skip
    assert page.selectbox(key="system control").value == "nearest_neighbours"
    assert page.selectbox(key="cut control").value == "youden"
    assert page.selectbox(key="by").value == "specificity"
    assert (page.selectbox(key="level").value, page.selectbox(key="correction").value) == (0.9, "bonferroni")
    assert sentence_with(text(page), "flatters both")
    assert "90 % interval" in verdict(page)


def test_cut_and_threshold_are_chosen() -> None:
    page = compare("breast_cancer", t="0.4")
    assert "scores ≥ 0.4." in text(page)
    page.selectbox(key="cut control").select("flagged").run()
    page.number_input(key="threshold field").set_value(0.9).run()
    assert page.query_params["t"] in ("0.9", ["0.9"])
    assert "malignant at scores ≥ 0.9 (A) and ≥" in text(page)


def test_what_is_not_as_at_first_stands_on_the_button() -> None:
    def label(**parameters: str) -> str:
        popovers = [block.proto.popover for block in compare("breast_cancer", **parameters).get("popover")]
        return unescape(next(popover.label for popover in popovers if "tune" in popover.icon))

    assert label() == "What is compared"
    assert label(cut="flagged", t="0.4") == "Each flagging as many as A · ≥ 0.4"
    assert label(beside="groups") == "another group of these rows"


def test_an_old_link_opens_the_table_of_all_measures() -> None:
    page = compare("breast_cancer", compare_part="Every measure", search_differences="hit rate")
    assert page.query_params["compare_part"] in ("All measures", ["All measures"])
    assert "Recall" in text(page)


def test_a_class_is_chosen_among_several() -> None:
    page = compare("digits", compare_part="All measures")
    assert "McNemar–Bowker" in text(page)
    assert len(frame_with(page, "class")) == 10
    one = compare("digits", **{"class": "3"})
    assert "of the 183 rows that are “3”" in verdict(one)
    assert "3 or not" in one.selectbox(key="class control").options


def test_the_rows_of_a_disagreement_are_shown() -> None:
    page = compare("breast_cancer", selected="between~b")
    shown = frame_with(page, "line")
    assert f">{len(shown)}</a></b><small>only B" in text(page)
    assert re.findall('<td class="([^"]*) opened".*?selected=between~(.*?)["&]', text(page)) == [("only", "b")]
    page.segmented_control(key="among").set_value("positive").run()
    assert set(frame_with(page, "line")["actual"]) == {"malignant"}
    assert compare("breast_cancer", between="A right, B wrong").query_params["selected"] == "between~a"


def test_all_pairs_of_systems_are_compared() -> None:
    page = compare(three_systems(), against="all pairs", by="Accuracy", compare_part="All systems")
    assert len(frame_with(page, "difference")) == 3
    assert "Holm-corrected for 3 comparisons" in verdict(page)
    page.selectbox(key="against").select("first").run()
    assert frame_with(page, "difference")["B"].tolist() == ["new", "third"]
    page.selectbox(key="correction").select("none").run()
    assert "uncorrected for 2 comparisons" in verdict(page)


@pytest.mark.parametrize("part", ["All measures", "Threshold-free"])
def test_systems_that_share_no_row_break_no_fold(part: str) -> None:
    page = compare(stored("actual,old,new\nyes,0.9,\nno,0.2,\nyes,,0.8\nno,,0.3\n"), compare_part=part)
    assert verdict(page).startswith("Nothing to compare\n")


def test_one_system_is_told_what_it_lacks() -> None:
    page = compare("roc_20")
    assert "Comparing needs two systems" in text(page)
    assert {"offer breast_cancer", "offer digits"} <= {button.key for button in page.main.button}
    assert "Comparing needs two systems" in text(compare("digits_probabilities"))


@pytest.mark.parametrize("data", ["breast_cancer", "digits"])
def test_the_python_to_take_away_runs(data: str, tmp_path: Path) -> None:
    script = tmp_path / "compare.py"
    script.write_text(unfold(compare(data)).code[0].value, encoding="utf-8")
    assert len(runpy.run_path(str(script))["comparison"].rows) > 0


@pytest.mark.parametrize("first", range(0, len(NASTY), 12))
def test_names_from_a_file_do_nothing(first: int) -> None:
    names = NASTY[first : first + 12]
    header = ",".join(["actual", *(f'"{name}"' for name in names)])
    rows = [(names[0], 0.85), ("other", 0.6), (names[0], 0.35), ("other", 0.15)] * 3
    csv = "".join(f'"{label}",' + ",".join([str(score)] * len(names)) + "\n" for label, score in rows)
    page = compare(stored(f"{header}\n{csv}"), system=names[-1], other=names[0])
    active = [name for name in names if plain(name) != name and len(name) > 2]
    for element in (*page.main.markdown, *page.main.caption):
        assert not [name for name in active if name in element.value]
    drawn = json.dumps([json.loads(chart.proto.spec) for chart in page.get("plotly_chart")])
    assert "<script" not in drawn
    assert "<b>x</b>" not in drawn
    tables = "".join(one.proto.body for one in page.get("html") if "<table" in one.proto.body)
    assert 'class="disagreements"' in tables
    assert "<script" not in tables
    assert "<b>x</b>" not in tables


def test_a_search_that_finds_nothing_says_so() -> None:
    page = compare("breast_cancer", compare_part="All measures")
    page.text_input(key="search_differences").set_value("no such measure").run()
    assert sentence_with(text(page), "No measure")
    page.text_input(key="search_differences").set_value("hit rate").run()
    assert "Recall" in text(page)


def test_how_to_read_it_is_there() -> None:
    labels = [expander.label for expander in compare("breast_cancer").main.expander]
    assert (labels[0], labels[-2:]) == ("All 27 measures", ["How to read this", "Formulas with these numbers"])


@pytest.mark.parametrize(
    ("page", "settings", "made"),
    [
        ("classify/compare", {"compare_part": "Groups", "by": "Recall"}, "GroupComparison"),
        ("classify/classes", {"classes_part": "Groups", "t": "0.4"}, "ClassGroups"),
    ],
)
def test_the_python_of_a_page_with_groups_finds_them_too(page: str, settings: dict, made: str, tmp_path: Path) -> None:
    test = started(f"pages/{page}.py", data="breast_cancer", **settings)
    assert problem(test) == ""
    code = next(block.value for block in unfold(test).code if made in block.value)
    (tmp_path / "groups.py").write_text(code)
    runpy.run_path(str(tmp_path / "groups.py"))


@pytest.mark.parametrize(("page", "part"), [("compare", "compare_part"), ("classes", "classes_part")])
def test_with_one_group_there_is_nothing_to_compare(page: str, part: str) -> None:
    test = started(f"pages/classify/{page}.py", data="breast_cancer", shape="only~size_band~small", **{part: "Groups"})
    assert problem(test) == ""
    assert unescape(text(test)).count("All rows have the same size_band; there is nothing to compare.") == 1
    assert "1 groups" not in text(test)


def test_clusters_have_one_test_and_one_interval() -> None:
    rows = [(f"P{i // 6}", i % 2, (i * 7) % 11 + 3 * (i % 2), (i * 5) % 13 + 4 * (i % 2)) for i in range(60)]
    data = stored("patient,actual,old,new\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    controls = {"McNemar’s test", "Interval of a difference of shares"}
    for cluster in ("", "~~cluster~patient"):
        page = compare(data, roles=f"actual~actual~~score~old~new~~positive~1{cluster}", mcnemar="mid_p")
        shown = controls & {box.label for box in page.selectbox}
        assert shown == (set() if cluster else controls)
