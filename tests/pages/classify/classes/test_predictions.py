"""The page of classes with two systems, with probabilities, and its exported Python."""

import pandas as pd
import pytest

from evalcore.readers import roles_of
from tests.pages.application import unfold
from tests.pages.classify.classes.classes_page import captions, count, opened, picture, stored, table_of, told
from tests.words import sentence_with


def test_two_systems_show_their_difference_with_a_corrected_test() -> None:
    test = opened(data="digits", other="naive_bayes")
    shown = told(test)
    assert shown[2][2] == f"−{count('2', '2') - count('2', '2', 'naive_bayes')}"
    table = table_of(test, "corrected p").replace("< 0.001", 0.001).astype({"p": float, "corrected p": float})
    assert (table["corrected p"] >= table["p"]).all()
    assert table["corrected p"].is_monotonic_increasing
    marks = {(place // 10, place % 10) for place in picture(test)["marks"]}
    beyond = table[table["corrected p"] <= 0.05]
    assert marks == set(zip(beyond["actual"].astype(int), beyond["predicted"].astype(int), strict=True))
    words = " ".join(text.value for text in test.markdown)
    assert "−18.6" in words
    assert "beyond chance" in words


def test_a_class_that_only_the_other_system_names_is_in_the_difference() -> None:
    test = opened(
        data=stored("actual,predicted_1,predicted_2\na,a,zebra\nb,b,b\na,a,a\n"), other="predicted_2", actual="rows"
    )
    assert picture(test)["names"] == ["a", "b", "zebra"]
    assert told(test)[0] == ["−1", "0", "+1"]


def probabilities(stated: bool = True) -> str:
    table = pd.DataFrame(
        {"actual": ["cat", "dog", "cat", "dog"], "p_cat": [0.5, 0.2, 0.7, 0.6], "p_dog": [0.5, 0.8, 0.3, 0.4]}
    )
    return stored(table.assign(predicted=["dog", "dog", "cat", "dog"]) if stated else table)


def test_of_probabilities_the_highest_is_taken_ties_go_to_the_first_and_are_counted() -> None:
    test = opened(data=probabilities(stated=False), actual="rows")
    assert told(test) == [["2", "0"], ["1", "1"]]
    assert sentence_with(captions(test), "1", "resolved")


def test_beside_a_stated_prediction_the_source_is_said_and_can_be_switched() -> None:
    test = opened(data=probabilities(), actual="rows")
    assert told(test) == [["2", "0"], ["1", "1"]]
    assert sentence_with(captions(test), "2", "predicted")
    test.segmented_control(key="prediction control").set_value("predicted").run()
    assert test.query_params["said"] == "predicted"
    assert told(test) == [["1", "1"], ["0", "2"]]
    assert sentence_with(captions(test), "predicted", "column")


def test_where_classes_are_merged_the_most_probable_one_was_taken_before() -> None:
    columns = {"p_cat": [0.5, 0.2, 0.3], "p_dog": [0.3, 0.7, 0.3], "p_fox": [0.2, 0.1, 0.4]}
    table = stored(pd.DataFrame({"actual": ["cat", "dog", "fox"], "predicted": ["cat", "dog", "fox"]} | columns))
    words = captions(opened(data=table, actual="rows", groups="pet~cat~dog"))
    assert sentence_with(words, "most probable one before merging")
    assert sentence_with(words, "agrees in every row")


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
def test_the_python_of_the_page_finds_the_same_matrix(parameters, monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    code = unfold(opened(**parameters)).code[-1].value
    assert "assert np.array_equal" in code
    exec(compile(code, "classes.py", "exec"), {})  # noqa: S102
    assert "Overall accuracy" in capsys.readouterr().out
