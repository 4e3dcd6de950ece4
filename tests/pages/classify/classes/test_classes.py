"""The page of classes: its picture, its collapse, its rows and its numbers are those of the open data."""

import html
import json
import os
from base64 import b64decode
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import Workspace, read_table, roles_of
from evalcore.readers.samples import samples
from pages.widgets.session.address import written
from tests.pages.nasty_names import NASTY

ROOT = Path(__file__).parents[4]
DIGITS = pd.read_csv(ROOT / "sample_data" / "digits.csv", dtype=str)


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/classes.py").run()
    assert not test.exception
    return test


def stored(table: pd.DataFrame | str) -> str:
    content = table if isinstance(table, str) else table.to_csv(index=False)
    return Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).save(read_table(content.encode(), "table.csv"))


def components(test: AppTest) -> list[dict]:
    return [json.loads(component.proto.json) for component in test.get("bidi_component")]


def picture(test: AppTest) -> dict:
    return next(data for data in components(test) if "shade" in data)


def frames(test: AppTest) -> list[list[float]]:
    """TP, FP, FN and TN of each collapse on the page."""
    return [[cell["value"] for cell in data["cells"]] for data in components(test) if "ratios" in data]


def told(test: AppTest, layer: int = 0) -> list[list[str]]:
    data = picture(test)
    chosen = data["layers"][layer]
    index = np.frombuffer(b64decode(chosen["index"]), dtype={2: "<u2", 4: "<u4"}[chosen["bytes"]])
    return [[chosen["texts"][place] for place in row] for row in index.reshape(data["k"], -1).tolist()]


def captions(test: AppTest) -> str:
    return " ".join(caption.value for caption in test.main.caption)


def table_of(test: AppTest, key: str) -> pd.DataFrame:
    return next(frame.value for frame in test.dataframe if key in frame.value.columns)


def count(actual: str, predicted: str, system: str = "logistic_regression") -> int:
    return int(((DIGITS.actual == actual) & (DIGITS[system] == predicted)).sum())


def test_the_picture_holds_the_counts_of_the_rows() -> None:
    test = opened(data="digits")
    names = picture(test)["names"]
    assert names == list("0123456789")
    assert told(test) == [[str(count(a, p)) for p in names] for a in names]


@pytest.mark.parametrize("sample", samples())
def test_every_sample_is_shown_or_answered_with_an_offer(sample: str) -> None:
    test = opened(data=sample)
    assert not test.error
    assert any("This page needs" in text.value for text in test.markdown) == (
        samples()[sample].kind in ("estimates", "run + judgments")
    )


@pytest.mark.parametrize(("sample", "first"), [("cat_fish_hen", [4, 9, 2, 10]), ("woman_man_child", [13, 6, 7, 74])])
@pytest.mark.parametrize("side", ["actual", "predicted"])
def test_a_printed_matrix_gives_its_numbers_whichever_way_it_is_shown(sample, first, side) -> None:
    name = "Cat" if sample == "cat_fish_hen" else "Woman"
    test = opened(data=sample, side=side, **{"class": name})
    assert frames(test) == [first]
    shown = told(test)
    assert [shown[0][0], shown[1][0]] == [
        str(first[0]),
        str({"actual": {"Cat": 6, "Woman": 4}, "predicted": {"Cat": 1, "Woman": 2}}[side][name]),
    ]


def test_two_classes_four_counts_and_scores_at_the_threshold_work_too() -> None:
    assert told(opened(data="cancer_test")) == [["20", "10"], ["180", "1\u202f820"]]
    assert told(opened(data="roc_20", t="0.54")) == [["5", "5"], ["1", "9"]]
    assert told(opened(data="eight_labels")) == [["4", "1"], ["2", "1"]]


def test_a_cell_of_the_address_opens_its_rows_and_both_collapses() -> None:
    test = opened(data="digits", cell="8~1", **{"class": "8", "beside": "1"})
    rows = table_of(test, "row")
    assert len(rows) == count("8", "1") == 5
    assert set(rows["actual"]) == {8}
    assert set(rows["logistic_regression"]) == {1}
    assert (
        rows["row"].tolist()
        == (DIGITS.index[(DIGITS.actual == "8") & (DIGITS.logistic_regression == "1")] + 1).tolist()
    )
    right, said, is_8 = count("8", "8"), (DIGITS.logistic_regression == "8").sum(), (DIGITS.actual == "8").sum()
    assert frames(test)[0][:3] == [right, said - right, is_8 - right]
    assert len(frames(test)) == 2
    assert picture(test)["picked"] == [8, 1]
    assert picture(opened(data="digits", cell="8~1", side="predicted"))["picked"] == [1, 8]


def test_a_confusion_of_the_list_opens_its_cell_and_closing_leaves_the_classes() -> None:
    test = opened(data="cat_fish_hen")
    test.button(key="confusion 0").click().run()
    assert dict(test.query_params) == {"data": "cat_fish_hen", "cell": "Fish~Cat", "class": "Fish", "beside": "Cat"}
    assert any("rows behind it are not known" in text.value for text in test.markdown)
    test.button(key="close the cell").click().run()
    assert "cell" not in test.query_params
    assert "class" in test.query_params


@pytest.mark.parametrize(
    ("order", "names"),
    [("as given", "Cat Fish Hen"), ("by size", "Fish Hen Cat"), ("by error", "Fish Cat Hen"), ("clustered", None)],
)
def test_an_order_moves_the_picture_and_the_table_of_classes_alike(order: str, names: str | None) -> None:
    test = opened(data="cat_fish_hen", order=order)
    shown = picture(test)["names"]
    assert names is None or shown == names.split()
    assert table_of(test, "MCC")["class"].tolist() == shown
    place = {name: i for i, name in enumerate(shown)}
    assert told(test)[place["Fish"]][place["Cat"]] == "6"


def test_by_hand_the_chosen_classes_come_first() -> None:
    test = opened(data="digits", order="by hand", first="7~2")
    assert picture(test)["names"] == list("7201345689")
    test.multiselect(key="classes that come first").set_value(["9"]).run()
    assert picture(test)["names"][:3] == ["9", "0", "1"]


def test_classes_are_merged_into_a_group_and_split_again() -> None:
    test = opened(data="digits")
    test.multiselect(key="members of a group").set_value(["8", "1"]).run()
    test.text_input(key="name of a group").set_value("round & straight").run()
    test.button(key="merge chosen").click().run()
    names = picture(test)["names"]
    assert names == ["0", "round & straight", *"2345679"]
    both = ("1", "8")
    together = sum(count(a, p) for a in both for p in both)
    assert told(test)[1][1] == str(together)
    again = opened(
        **{k: v[0] if isinstance(v, list) else v for k, v in test.query_params.items()}, cell="round & straight~7"
    )
    assert len(again.dataframe) >= 1
    test.button(key="split all").click().run()
    assert picture(test)["names"] == list("0123456789")


def test_labels_that_differ_by_case_or_blanks_are_merged_with_one_click() -> None:
    table = pd.DataFrame(
        {"actual": ["Cat", "cat", " cat", "dog", "Cat", "dog"], "predicted": ["cat", "Cat", "Cat", "dog", "dog", "dog"]}
    )
    test = opened(data=stored(table))
    assert any("differ only in case or blanks" in text.value for text in test.markdown)
    test.button(key="merge spellings").click().run()
    assert len(picture(test)["names"]) == 2
    assert told(test) == [["3", "1"], ["0", "2"]]
    assert not any("differ only in case or blanks" in text.value for text in test.markdown)


def test_a_class_that_is_never_predicted_is_said_and_left_out_of_the_means() -> None:
    test = opened(data=stored("actual,predicted\na,a\nb,a\nc,c\na,c\n"))
    assert "b is never predicted, so its precision is undefined" in captions(test)
    assert np.isnan(table_of(test, "MCC")["precision"].iloc[1])
    assert "precision for 1" in captions(test)
    # 1/2 for a, 1/2 for c; b is left out.
    body = next(e.proto.body for e in test.get("html") if 'class="averages"' in e.proto.body)
    assert "macro" in body
    assert "<b>0.500</b>" in body


def test_one_class_only_is_said_and_nothing_breaks() -> None:
    test = opened(data=stored("actual,predicted\na,a\na,a\na,a\n"))
    assert "only one class" in captions(test)
    assert "Nothing is taken for anything else" in captions(test)


def test_missing_labels_are_left_out_and_counted() -> None:
    test = opened(data=stored("actual,predicted\na,a\nb,\n,b\nb,b\na,b\n"))
    assert told(test) == [["1", "1"], ["0", "1"]]
    assert "2 rows without a label or a prediction are left out" in captions(test)


def test_ten_thousand_classes_are_called_an_identifier() -> None:
    n = 12_000
    data = stored(pd.DataFrame({"actual": [f"id{i}" for i in range(n)], "predicted": [f"id{i}" for i in range(n)]}))
    test = opened(data=data, roles=roles_of(actual="actual", predicted=("predicted",)).to_text())
    assert "looks like an identifier or a number" in test.error[0].value


@pytest.mark.parametrize(
    ("cell", "sentence"), [("-3", "A count is a number of rows, 0 or more"), ("", "Fill in every cell")]
)
def test_a_matrix_with_a_bad_cell_is_refused_with_its_place(cell: str, sentence: str) -> None:
    roles = roles_of(counts=("a", "b"), group="actual")
    test = opened(data=stored(f"actual,a,b\na,4,{cell}\nb,1,2\n"), roles=roles.to_text())
    assert sentence in html.unescape(test.error[0].value)
    assert "line 2" in html.unescape(test.error[0].value)


def test_fractions_in_a_matrix_are_weights() -> None:
    test = opened(data=stored("actual,a,b\na,4.5,0.5\nb,1,2\n"))
    assert told(test) == [["4.50", "0.50"], ["1", "2"]]


def test_weights_count_in_the_cell_and_rows_are_rows() -> None:
    data = stored("actual,predicted,weight\na,b,2.5\na,b,1\nb,b,1\na,a,1\n")
    test = opened(data=data, cell="a~b", **{"class": "a"})
    assert told(test)[0] == ["1", "3.50"]
    assert any("**2 (3.50 by weight)**" in text.value for text in test.markdown)


NAMES = [*NASTY, " ", "Größe" * 100]


def test_names_that_are_markup_or_very_long_do_nothing() -> None:
    table = pd.DataFrame({"actual": NAMES * 2, "predicted": NAMES + NAMES[1:] + NAMES[:1]})
    test = opened(data=stored(table), cell=written([NASTY[:2]]))
    texts = [
        *(t.value for t in test.main.markdown),
        *(c.value for c in test.main.caption),
        *(b.label for b in test.main.button),
    ]
    for name in ("![x](http", "<script>", "<b>x</b>", "[a](http", ":smile:"):
        assert not any(name in text for text in texts), name
    # The one script is ours: it tells the menu what is open.
    bodies = [e.proto.body for e in test.main.get("html") if "data-run" not in e.proto.body]
    assert not any(name in body for name in ("<script>", "<b>x</b>") for body in bodies)
    assert max(map(len, picture(test)["names"])) <= 80


def test_two_systems_show_their_difference_with_a_corrected_test() -> None:
    test = opened(data="digits", other="naive_bayes")
    shown = told(test)
    assert shown[2][2] == f"−{count('2', '2') - count('2', '2', 'naive_bayes')}"
    table = table_of(test, "corrected p")
    assert (table["corrected p"] >= table["p"]).all()
    assert table["corrected p"].is_monotonic_increasing
    marks = {(place // 10, place % 10) for place in picture(test)["marks"]}
    beyond = table[table["corrected p"] <= 0.05]
    assert marks == set(zip(beyond["actual"].astype(int), beyond["predicted"].astype(int), strict=True))
    words = " ".join(text.value for text in test.markdown)
    assert "−18.6" in words
    assert "beyond chance" in words


def test_a_class_that_only_the_other_system_names_is_in_the_difference() -> None:
    test = opened(data=stored("actual,predicted_1,predicted_2\na,a,zebra\nb,b,b\na,a,a\n"), other="predicted_2")
    assert picture(test)["names"] == ["a", "b", "zebra"]
    assert told(test)[0] == ["−1", "0", "+1"]


def probabilities(stated: bool = True) -> str:
    table = pd.DataFrame(
        {"actual": ["cat", "dog", "cat", "dog"], "p_cat": [0.5, 0.2, 0.7, 0.6], "p_dog": [0.5, 0.8, 0.3, 0.4]}
    )
    return stored(table.assign(predicted=["dog", "dog", "cat", "dog"]) if stated else table)


def test_of_probabilities_the_highest_is_taken_ties_go_to_the_first_and_are_counted() -> None:
    test = opened(data=probabilities(stated=False))
    assert told(test) == [["2", "0"], ["1", "1"]]
    assert "1 row has several, and the first of them was taken" in captions(test)


def test_beside_a_stated_prediction_the_source_is_said_and_can_be_switched() -> None:
    test = opened(data=probabilities())
    assert told(test) == [["2", "0"], ["1", "1"]]
    assert "predicted names another class in 2 of them" in captions(test)
    test.segmented_control(key="said control").set_value("predicted").run()
    assert test.query_params["said"] == "predicted"
    assert told(test) == [["1", "1"], ["0", "2"]]
    assert "the one stated in the column “predicted”" in captions(test)


def test_a_class_without_a_column_of_probabilities_is_actual_and_never_predicted() -> None:
    table = pd.DataFrame({"actual": ["a", "b", "c", "a"], "p_a": [0.6, 0.2, 0.5, 0.9], "p_b": [0.4, 0.8, 0.5, 0.1]})
    roles = roles_of(actual="actual", probability=(("p_a", "a"), ("p_b", "b")))
    test = opened(data=stored(table), roles=roles.to_text())
    assert picture(test)["names"] == ["a", "b", "c"]
    assert told(test)[2] == ["1", "0", "0"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"data": "digits", "order": "clustered"},
        {"data": "digits", "groups": "round~8~1!others~2~3", "order": "by size"},
        {"data": "digits_probabilities"},
        {"data": "woman_man_child", "order": "by hand", "first": "Child"},
        {"data": "cancer_test"},
        {"data": "roc_20", "t": "0.54"},
        {"data": "glucose_10", "t": "20"},
    ],
)
def test_the_python_of_the_page_finds_the_same_matrix(parameters, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    code = opened(**parameters).code[-1].value
    assert "assert np.array_equal" in code
    exec(compile(code, "classes.py", "exec"), {})  # noqa: S102
    assert "Overall accuracy" in capsys.readouterr().out


@pytest.mark.parametrize(("first", "taken"), [("7~2!9", ["7", "2"]), ("!", []), ("7~7~nobody", ["7"]), ("", [])])
def test_only_names_of_classes_come_first(first: str, taken: list[str]) -> None:
    test = opened(data="digits", order="by hand", first=first)
    assert test.multiselect(key="classes that come first").value == taken
    assert ("first" in test.query_params) == bool(taken)


@pytest.mark.parametrize(
    "key", ["cell", "class", "beside", "groups", "first", "other", "said", "show", "order", "scale", "side"]
)
@pytest.mark.parametrize("bad", ["~", "!", "~~!~!!", "nobody", "8~nobody", "%FF~%", "8~1~2", "x" * 2000, "8!1"])
def test_a_bad_value_in_the_address_counts_as_missing(key: str, bad: str) -> None:
    test = opened(data="digits", **{key: bad})
    assert not test.error
    assert picture(test)["k"] == 10


def test_a_group_may_not_take_the_name_of_a_class_outside_it() -> None:
    assert picture(opened(data="digits", groups="3~8~1"))["names"] == list("0123456789")


def test_blanks_that_tell_two_classes_apart_are_seen() -> None:
    table = pd.DataFrame({"actual": ["cat", "cat ", "dog"], "predicted": ["cat ", "cat", "dog"]})
    test = opened(data=stored(table))
    assert picture(test)["names"] == ["cat", "cat␣", "dog"]
