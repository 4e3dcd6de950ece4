"""The page of regression: every part on a sample, what it needs, and a link with choices."""

from streamlit.testing.v1 import AppTest

from tests.pages.application import application

PARTS = {
    "Distribution": "excess kurtosis",
    "Bland–Altman": "mean error ± 1.96",
    "Prediction intervals": "All 4 quantiles",
    "Decision": "within ±30",
    "Compare systems": "In the order of time",
    "Other columns": "Error over q25",
}


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.header, *test.main.markdown, *test.main.caption))
    return said + "".join(table.proto.body for table in test.get("html"))


def test_every_part_is_drawn_and_a_link_holds_what_was_chosen() -> None:
    test = application()
    test.query_params.update({"data": "diabetes", "brush": "100.0~150.0~50.0~200.0~truth", "tolerance": "30"})
    test.query_params.update({"row_order": "file", "column": "q25", "system": "nearest_neighbours"})
    test.query_params["regression_part"] = "All measures"  # as links had it
    test.switch_page("pages/estimate/regression.py").run()
    assert "Concordance correlation" in text(test)
    for part, words in PARTS.items():
        test.query_params["regression_part"] = test.session_state["regression_part"] = part
        test.run()
        assert not test.exception
        assert not test.error
        shown = text(test)
        assert words in shown, part
        assert "in the rectangle" in shown
        assert len(test.get("plotly_chart")) >= 2
    assert "brush" not in test.query_params  # as links had it
    assert test.query_params["selected"] == "brush~100.0~150.0~50.0~200.0~truth"
    test.query_params["selected"] = "brush~1~2~nowhere"
    assert "in the rectangle" not in text(test.run())
    assert "selected" not in test.query_params
    test.button(key="worst rows").click().run()
    assert "of the sum of squared errors" in text(test)
    assert test.query_params["selected"] == "worst"
    test.query_params["data"] = "roc_20"
    assert "This page needs a true number and an estimate in each row" in text(test.run())
