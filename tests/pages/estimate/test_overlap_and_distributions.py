"""The pages of masks and of distributions: what a link sets, what stands first, and what a wrong link falls back to."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.analyses import Source, usual_distributions
from evalcore.readers import read_sample

ROOT = Path(__file__).parents[3]


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.header, *test.main.markdown, *test.main.caption))
    return said + "".join(table.proto.body for table in test.get("html"))


def test_a_link_sets_both_pages_and_a_wrong_one_is_ignored() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    test.query_params.update({"data": "digit_masks", "mask_image": "3", "pixel_width": "2", "empty_rule": "7"})
    test.switch_page("pages/estimate/overlap.py").run()
    assert not test.exception
    shown = text(test)
    assert "0.815 (95\u202f% interval 0.795–0.835)" in shown
    assert "**digit 03**" in shown
    assert "empty_rule" not in test.query_params
    assert next(box for box in test.number_input if box.key == "pixel_width").value == 2

    test.query_params.clear()
    test.query_params.update({"data": "breast_cancer", "smoothing": "0.5", "distance": "kl_divergence", "unit": "bits"})
    test.switch_page("pages/estimate/distributions.py").run()
    assert not test.exception
    assert "divergence of P from Q 6.9" in test.header[0].value
    assert "0.5 is added to each bin" in text(test)
    test.query_params["smoothing"] = "lots"
    assert "divergence of P from Q is ∞" in text(test.run())
    assert "smoothing" not in test.query_params
    # What stands beside a distance on the page of measures is what this page starts from.
    for sample in ("breast_cancer", "diabetes", "digits", "patients"):
        test.query_params.clear()
        test.query_params["data"] = sample
        usual = usual_distributions(Source.of(read_sample(sample)))
        assert usual is not None
        assert usual.facts in text(test.run())
    test.query_params.update({"pair": "typed", "typed": "a 3 1\nb 1 x"})
    assert "does not end in two numbers" in "".join(error.value for error in test.run().error)


def test_masks_without_files_are_asked_for() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).switch_page("pages/estimate/overlap.py").run()
    next(button for button in test.button if button.label == "Compare the masks").click().run()
    assert test.warning[0].value == "Choose the files of both sides, or one zip first."
