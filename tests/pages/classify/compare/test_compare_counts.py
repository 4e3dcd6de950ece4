"""The page of comparisons where a file of counts is open."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[4]


def test_two_tables_of_counts_are_compared_as_independent_samples() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.run()  # two pages share this file name: a first run learns which is which
    test.query_params.update({"data": "four_methods", "system": "A", "other": "D"})
    test.switch_page("pages/classify/compare.py").run()
    assert not test.exception
    said = "\n".join(element.value for element in (*test.main.markdown, *test.main.caption))
    assert "**No clear answer: D is better than A by specificity" in said
    assert "but worse by recall" in said
    assert "compared as independent samples" in said
    test.button(key="swap").click().run()
    assert test.query_params["system"] == "D"
    assert "A is better than D by recall" in "\n".join(element.value for element in test.main.markdown)
