"""The page that compares systems: its verdict, its tests, its rows, and files that are awkward."""

import json
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.inference import PairedCounts, compare_auc, holm, mcnemar
from evalcore.readers import read_table
from evalcore.readers.samples import read_sample
from evalcore.wording.escaping import plain
from tests.pages.nasty_names import NASTY
from tests.pages.test_every_page import problem, started
from tests.pages.uploads import saved, stored

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
    return next(part.value for part in test.main.markdown if part.value.startswith("**")).replace("\u202f", " ")


def frame_with(page: AppTest, column: str) -> pd.DataFrame:
    """The table on the page that has a column."""
    return next(element.value for element in page.dataframe if column in element.value.columns)


def scored(n: int = 400, seed: int = 1, **columns) -> str:
    """A stored table of labels, two systems of scores and more columns, each a function of (labels, noise, scores)."""
    random = np.random.default_rng(seed)
    labels, noise = random.random(n) < 0.3, random.normal(size=(3, n))
    old = 1 / (1 + np.exp(-(noise[0] + noise[1] + 1.5 * labels - 0.5)))
    new = 1 / (1 + np.exp(-(noise[0] + noise[2] + 2.5 * labels - 0.5)))
    frame = pd.DataFrame({"actual": np.where(labels, "ill", "healthy"), "old": old, "new": new})
    for name, column in columns.items():
        frame[name] = column(labels, random, frame)
    return saved(read_table(frame.to_csv(index=False).encode(), "scores.csv"))


def test_the_verdict_says_what_b_finds_what_it_costs_and_whether_that_is_chance() -> None:
    data = read_sample("breast_cancer")
    a, b = data.scored_arrays("logistic_regression"), data.scored_arrays("nearest_neighbours")
    paired = PairedCounts.from_labels(a.labels, a.scores >= 0.5, b.scores >= 0.5)
    test = mcnemar((a.scores >= 0.5)[a.labels], (b.scores >= 0.5)[a.labels])
    more, alarms = paired.b.tp - paired.a.tp, paired.b.fp - paired.a.fp
    said = verdict(compare("breast_cancer"))
    assert "Yes: nearest&#95;neighbours is better than logistic&#95;regression by recall." in said
    assert f"finds {more:.0f} more of the 212 malignant and raises {alarms:.0f} more false alarm." in said
    assert f"**p = {test.p_value:.3f}**" in said
    assert "+3.3 pt** (95 % interval +1.5 to +6.7)" in said


def test_swapped_the_other_one_is_better() -> None:
    page = compare("breast_cancer")
    page.button(key="swap").click().run()
    assert page.query_params["system"] in ("nearest_neighbours", ["nearest_neighbours"])
    assert page.query_params["other"] in ("logistic_regression", ["logistic_regression"])
    assert "fewer of the 212 malignant" in verdict(page)
    assert "−3.3 pt" in verdict(page)


def test_a_link_shows_the_same_screen() -> None:
    page = compare(
        "breast_cancer", system="nearest_neighbours", other="logistic_regression", cut="youden", by="Specificity",
        level="90 %", correction="Bonferroni", among="malignant",
    )  # fmt: skip
    assert page.selectbox(key="compare A").value == "nearest_neighbours"
    assert page.selectbox(key="compare cut").value == "youden"
    assert page.selectbox(key="by").value == "specificity"
    assert (page.selectbox(key="level").value, page.selectbox(key="correction").value) == (0.9, "bonferroni")
    assert "very rows, which flatters both" in text(page)
    assert "90 % interval" in verdict(page)


def test_each_cut_calls_what_it_says() -> None:
    data = scored()
    page = compare(data, t="0.4")
    assert "scores ≥ 0.4." in text(page)
    page.selectbox(key="compare cut").select("flagged").run()
    frame = read_frame(page)
    flagged = frame.loc[frame["measure"] == "Predicted prevalence"].iloc[0]
    assert flagged["B minus A"] <= 0
    assert abs(flagged["B minus A"]) < 0.01
    page.number_input(key="compare threshold").set_value(0.9).run()
    assert page.query_params["t"] in ("0.9", ["0.9"])
    assert "ill at scores ≥ 0.9 (A) and ≥" in text(page)


def test_scores_on_other_scales_are_not_cut_at_one_threshold() -> None:
    data = scored(wide=lambda labels, random, frame: 100 * frame["new"] - 20)
    assert compare(data, other="wide").selectbox(key="compare cut").value == "flagged"
    assert compare(data, other="new").selectbox(key="compare cut").value == "page"


def read_frame(page: AppTest, all_pairs: bool = False) -> pd.DataFrame:
    """The numbers as they are taken away from a page at this address: of two systems, or of all."""
    test = AppTest.from_function(_taken_away, default_timeout=60)
    for key, values in page.query_params.items():
        test.query_params[key] = values[0] if isinstance(values, list) else values
    test.run()
    assert not test.exception
    return test.session_state["all frame" if all_pairs else "frame"]


def _taken_away() -> None:
    import streamlit as st

    from pages.widgets.classify.compare.comparison import open_contest
    from pages.widgets.classify.compare.forest import pairs_frames
    from pages.widgets.classify.compare.measures import differences_frame
    from pages.widgets.session import address

    address.restore()
    contest = open_contest()
    st.session_state["frame"] = differences_frame(contest)
    for frame in pairs_frames(contest).values():
        st.session_state["all frame"] = frame()


def test_the_areas_are_compared_by_delong() -> None:
    data = read_sample("breast_cancer")
    a, b = data.scored_arrays("logistic_regression"), data.scored_arrays("nearest_neighbours")
    expected = compare_auc(a.labels, a.scores, b.scores)
    page = compare("breast_cancer", by="Area under the ROC curve")
    assert f"**p = {expected.p_value:.3f}**" in verdict(page)
    frame = read_frame(page).set_index("symbol")
    assert frame.loc["AUC", "B minus A"] == expected.estimate
    assert frame.loc["AUC", "p"] == expected.p_value
    assert 0 < frame.loc["AP", "p"] <= 1


def test_the_two_by_two_table_and_the_rows_behind_it_are_the_same_rows() -> None:
    data = read_sample("breast_cancer")
    a, b = data.scored_arrays("logistic_regression"), data.scored_arrays("nearest_neighbours")
    right_a, right_b = (a.scores >= 0.5) == a.labels, (b.scores >= 0.5) == a.labels
    page = compare("breast_cancer", compare_part="Rows they disagree on")
    found = frame_with(page, "row")
    assert found["row"].tolist() == (np.flatnonzero(right_b & ~right_a) + 1).tolist()
    assert f"<b>{(right_b & ~right_a).sum()}</b><small>only B" in text(page)
    page.selectbox(key="between").select("a").run()
    assert frame_with(page, "row")["row"].tolist() == (np.flatnonzero(right_a & ~right_b) + 1).tolist()
    page.selectbox(key="between").select("differ").run()
    assert len(frame_with(page, "row")) == (right_a != right_b).sum()
    page.segmented_control(key="among").set_value("positive").run()
    assert set(frame_with(page, "row")["actual"]) == {"malignant"}


def test_a_copy_is_said_to_be_identical() -> None:
    data = scored(copy=lambda labels, random, frame: frame["new"])
    for by in ("Recall", "Area under the ROC curve", "Average precision", "Matthews correlation"):
        said = verdict(compare(data, system="new", other="copy", by=by))
        assert "they are identical here" in said
        assert "exactly 0, p = 1" in said


def test_equal_areas_of_other_rankings_are_not_called_identical() -> None:
    # Both have three of four pairs right, but not the same three.
    csv = "actual,first,second\np,1.0,0.5\nn,0.75,0.25\np,0.5,1.0\nn,0.25,0.75\n"
    said = verdict(compare(stored(csv), by="Area under the ROC curve"))
    assert "identical" not in said
    assert "Not shown: the two have the same area under the ROC curve." in said


def test_a_constant_system_is_compared_too() -> None:
    data = scored(constant=lambda labels, random, frame: 0.2)
    page = compare(data, other="constant", by="Precision")
    assert "cannot tell them apart" in verdict(page)
    assert "nothing was predicted positive" in verdict(page)
    assert "old is better than constant by recall" in verdict(compare(data, other="constant"))


def test_two_infinite_values_are_not_called_undefined() -> None:
    """Without a true negative both negative likelihood ratios are infinite: they are there, their difference is not."""
    rows = "yes,0.9,0.9\nyes,0.8,0.2\nyes,0.3,0.7\nno,0.6,0.7\n" * 5
    page = text(compare(stored("actual,a,b\n" + rows), compare_part="Every measure"))
    line = page[page.index("Negative likelihood ratio") :].split("</tr>")[0]
    assert line.count("∞") == 2
    assert "infinite for both" in line


def test_systems_are_compared_on_the_rows_that_both_have() -> None:
    def with_holes(labels, random, frame):
        return frame["new"].where(random.random(len(frame)) > 0.25)

    data = scored(holes=with_holes)
    frame = pd.read_csv(data_file(data))
    both, ill = int(frame["holes"].notna().sum()), frame["actual"] == "ill"
    page = compare(data, other="holes")
    assert f"Compared on the {both} rows that both systems and the truth have; {400 - both} are left out" in text(page)
    assert f"of {both} rows" in text(page)
    # Another two that lack nothing are not made to lack them; the verdict and the table of all say the same.
    page = compare(data, other="new")
    assert "Compared on the 400 rows" in text(page)
    table = frame_with(page, "B − A")
    assert table["n"].tolist() == [ill.sum(), (ill & frame["holes"].notna()).sum()]
    assert f"({both} are those of all)" in text(page)
    assert f"**p {table['corrected p'][0]}**" in verdict(page)


def test_systems_that_share_no_row_are_said_to_have_nothing_to_compare() -> None:
    rows = [("yes", 0.9, ""), ("no", 0.2, ""), ("yes", "", 0.8), ("no", "", 0.3)]
    data = stored("actual,old,new\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    for part in ("Every measure", "Rows they disagree on", "Whatever the cut"):
        page = compare(data, compare_part=part)
        assert "Nothing to compare." in verdict(page)
        assert "Compared on the 0 rows" in text(page)


def data_file(data: str):
    import io
    import os

    from evalcore.readers import Workspace

    frame = Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).load(data).frame
    return io.StringIO(frame.to_csv(index=False))


def test_many_systems_are_corrected_for_how_many_they_are() -> None:
    data = scored(third=lambda labels, random, frame: np.clip(frame["new"] + random.normal(0, 0.05, len(frame)), 0, 1))
    page = compare(data, by="Accuracy", against="all pairs")
    assert len(frame_with(page, "B − A")) == 3
    every = read_frame(page, all_pairs=True)
    assert every["corrected p"].tolist() == pytest.approx(holm(every["p"]).tolist())
    assert "after Holm for 3 comparisons" in verdict(page)
    page.selectbox(key="against").select("first").run()
    assert len(frame_with(page, "B − A")) == 2
    page.selectbox(key="correction").select("none").run()
    assert "uncorrected for 2 comparisons" in verdict(page)


def test_of_two_hundred_systems_twelve_are_compared_and_the_chosen_ones_first() -> None:
    random = np.random.default_rng(0)
    labels = random.random(120) < 0.4
    columns = {f"s{i}": (random.random(120) + 0.2 * labels) / 1.2 for i in range(200)}
    data = stored(pd.DataFrame({"actual": labels.astype(int), **columns}).to_csv(index=False))
    page = compare(data, system="s150", other="s199")
    assert "12 of 200 systems are compared at once: s150, s199" in text(page)
    assert frame_with(page, "B − A")["B"].tolist()[:2] == ["s199", "s0"]
    slow = compare(data, system="s150", other="s199", by="Average precision")
    assert "6 of 200 systems are compared at once, because each comparison takes a second" in text(slow)


def test_one_system_is_told_what_it_lacks() -> None:
    page = compare("roc_20")
    assert "Comparing needs two systems" in text(page)
    assert {"offer breast_cancer", "offer digits"} <= {button.key for button in page.main.button}
    assert "Comparing needs two systems" in text(compare("digits_probabilities"))


def test_few_rows_have_the_known_coverage_of_their_intervals_said() -> None:
    data = scored(n=60)
    assert "they are wider than they need be" in text(compare(data, by="Recall"))
    assert "simulated samples" not in text(compare("breast_cancer", by="Recall"))


def test_several_classes_all_at_once_or_one_against_the_rest() -> None:
    data = read_sample("digits")
    a, b = data.label_arrays("logistic_regression"), data.label_arrays("naive_bayes")
    only_a = int(((a.predicted == a.actual) & (b.predicted != a.actual)).sum())
    page = compare("digits")
    assert f"logistic&#95;regression alone {only_a}" in verdict(page)
    assert "McNemar–Bowker" in text(page)
    assert len(frame_with(page, "class")) == 10
    one = compare("digits", **{"class": "3"})
    assert "of the 183 rows that are “3”" in verdict(one)
    assert "3 or not" in one.selectbox(key="compare class").options


def test_labels_of_two_classes_and_rows_with_weights_or_without_a_label() -> None:
    rows = [("yes", "yes", "no", 2), ("no", "no", "no", 1), ("yes", "yes", "yes", 3), ("", "no", "no", 1)]
    csv = "actual,predicted_a,predicted_b,weight\n" + "".join(",".join(map(str, row)) + "\n" for row in rows * 5)
    page = compare(stored(csv), by="Recall")
    assert "finds 10 fewer of the 25 yes" in verdict(page)
    assert "5 are left out" in text(page)
    assert "Rows are weighted by weight" in text(page)


@pytest.mark.parametrize("labels", ["1", "0"])
def test_rows_of_one_class_only(labels: str) -> None:
    csv = "actual,predicted_a,predicted_b\n" + "".join(f"{labels},{i % 2},{i % 3 % 2}\n" for i in range(30))
    assert verdict(compare(stored(csv)))


@pytest.mark.parametrize(
    ("data", "settings"),
    [
        ("breast_cancer", {"by": "Recall"}),
        ("breast_cancer", {"by": "F-measure", "cut": "youden", "level": "90 %"}),
        ("breast_cancer", {"by": "Area under the ROC curve"}),
        ("breast_cancer", {"by": "Average precision", "cut": "flagged"}),
        ("digits", {}),
        ("digits", {"by": "Macro F1"}),
        ("digits", {"by": "Kappa of several classes", "other": "logistic_regression", "system": "naive_bayes"}),
        ("digits", {"class": "8", "by": "Precision"}),
        ("oracle_false", {"by": "Accuracy"}),
    ],
)
def test_the_python_to_take_away_finds_the_same_numbers(data: str, settings: dict, tmp_path: Path) -> None:
    page = compare(data, **settings)
    script = tmp_path / "compare.py"
    script.write_text(page.code[0].value, encoding="utf-8")
    found = runpy.run_path(str(script))
    assert found["found"].n > 0


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


def test_probabilities_beside_a_stated_prediction() -> None:
    random = np.random.default_rng(2)
    actual = random.choice(["cat", "dog", "hen"], 90)
    p = random.dirichlet([1, 1, 1], 90)
    p[np.arange(90), [["cat", "dog", "hen"].index(x) for x in actual]] += 0.5
    p /= p.sum(axis=1, keepdims=True)
    stated = np.where(random.random(90) < 0.5, actual, "cat")
    frame = pd.DataFrame({"actual": actual, "p_cat": p[:, 0], "p_dog": p[:, 1], "p_hen": p[:, 2], "predicted": stated})
    data = saved(read_table(frame.to_csv(index=False).encode(), "p.csv"))
    page = compare(data)
    assert "most probable" in verdict(page)
    right = (np.array(["cat", "dog", "hen"])[p.argmax(axis=1)] == actual) & (stated != actual)
    assert f"most probable alone {right.sum()}" in verdict(page)


def test_a_search_that_finds_nothing_says_so() -> None:
    page = compare("breast_cancer", compare_part="Every measure")
    page.text_input(key="search").set_value("no such measure").run()
    assert "No measure goes by that name." in text(page)
    page.text_input(key="search").set_value("hit rate").run()
    assert "Recall" in text(page)


def test_how_to_read_it_is_there() -> None:
    labels = [expander.label for expander in compare("breast_cancer").main.expander]
    assert labels == ["How to read this", "Formulas with these numbers", "Take away"]


def test_who_is_better_stands_beside_the_p_that_says_so() -> None:
    tables = text(compare("breast_cancer", compare_part="Whatever the cut"))
    assert '<td title="paired bootstrap" class="a">0.030 · A</td><td>569</td>' in tables
    tables = text(compare("digits"))
    assert '<td class="a">&lt; 0.001 · A</td>' in tables
