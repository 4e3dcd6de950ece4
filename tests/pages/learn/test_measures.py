"""The page of measures: what is searched for or linked to is open, beside its value on the open data."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[3]


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    return test.switch_page("pages/learn/measures.py").run()


def entry(test: AppTest) -> str:
    return "\n".join(text.value for text in test.main.markdown)


def test_a_name_finds_its_entry_and_what_it_leads_to_opens_by_a_click() -> None:
    test = opened(data="cancer_test", measure="PPV")
    assert "## Precision" in entry(test)
    assert "**10.0\u202f%** on Cancer test" in entry(test)
    test.text_input(key="look_up").set_value("alpha").run()
    assert "## F and E with α" in entry(test)
    assert "measure" not in test.query_params
    test.text_input(key="look_up").set_value("qwertz").run()
    assert "Nothing is called “qwertz”. Recall is shown instead." in [note.value for note in test.main.caption]
    test.text_input(key="look_up").set_value("presicion").run()
    assert "Nothing is called “presicion”. Closest:" in [note.value for note in test.main.caption]
    assert "## Precision" in entry(test)
    assert any(button.key == "match r_precision" for button in test.button)
    test.text_input(key="look_up").set_value("alpha").run()
    test.button(key="related e_measure").click().run()
    assert "## E" in entry(test)
    assert test.query_params == {"data": "cancer_test", "measure": "e_measure"}
    test.selectbox(key="have control").select("rankings").run()
    assert any(button.key == "advice reciprocal_rank" for button in test.button)
    assert not test.exception


def test_sums_of_cells_in_a_formula_are_told_on_its_card() -> None:
    sums = "P = TP + FN, N = FP + TN, T = TP + FP, F = FN + TN"
    assert f"**In the formula** {sums}." in entry(opened(measure="matthews_correlation"))
    assert f"**In the formula** {sums}, n = TP + FP + FN + TN." in entry(opened(measure="cohen_kappa"))
    assert "In the formula" not in entry(opened(measure="f_beta"))
