"""The page of comparisons with other rows: those of another data set, and of another system of a file of counts."""

import re

from streamlit.testing.v1 import AppTest

from tests.pages.application import application
from tests.words import sentence_with


def texts(test: AppTest) -> str:
    elements = (*test.main.header, *test.main.markdown, *test.main.caption, *test.main.error)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", "\n".join(element.value for element in elements))


def test_counts_and_data_sets_are_compared_as_independent_samples() -> None:
    test = application()
    test.query_params.update({"data": "four_methods", "system": "A", "other": "D"})
    test.switch_page("pages/classify/compare.py").run()
    assert not test.exception
    assert "A is better by recall, but worse by specificity" in texts(test)
    assert "**−35.0" in texts(test)
    assert test.get("plotly_chart")
    test.button(key="swap").click().run()
    assert test.query_params["system"] == "D"
    assert "A is better by recall, but worse by specificity" in texts(test)
    assert "**+35.0" in texts(test)
    # Another data set is chosen, and stays in the address.
    test.query_params.update({"data": "roc_20"})
    test.run()
    assert sentence_with(texts(test), "needs two systems")
    test.selectbox(key="beside control").set_value("roc_ties_10").run()
    assert test.query_params["beside"] == "roc_ties_10"
    test.selectbox(key="by").set_value("roc_auc").run()
    assert "No clear winner by AUC" in texts(test)
    assert "(A: Twenty scored instances, 20 instances, 10 positive; B: Three scores that are equal, 10" in texts(test)
    test.number_input(key="threshold field").set_value(0.52).run()
    test.selectbox(key="by").set_value("recall").run()
    assert sentence_with(texts(test), "0.52", "Predicted")
    test.selectbox(key="beside control").set_value("woman_man_child").run()
    assert sentence_with(texts(test).replace("&#", ""), "different classes")
    test.selectbox(key="beside control").set_value("").run()
    assert "beside" not in test.query_params


def test_two_groups_of_the_rows_are_chosen_and_stay_in_the_link() -> None:
    test = application()
    test.query_params.update({"data": "breast_cancer"})
    test.switch_page("pages/classify/compare.py").run()
    test.selectbox(key="beside control").set_value("groups").run()
    assert not test.exception
    assert test.selectbox(key="groups_by control").value == "size_band"
    test.selectbox(key="group_a control").set_value("only~size_band~large").run()
    assert test.selectbox(key="group_b control").options == ["small", "medium"]
    assert (test.query_params["beside"], test.query_params["group_a"]) == ("groups", "only~size_band~large")
    assert "A and B are" not in texts(test)
    assert sentence_with(texts(test), "groups of one table")
    assert "190 tumours, 167 malignant" in texts(test).replace("\u202f", " ")
