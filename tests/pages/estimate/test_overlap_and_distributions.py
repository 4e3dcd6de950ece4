"""The pages of masks and of distributions: what a link sets, what stands first, and what a wrong link falls back to."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.analyses import Source, usual_distributions
from evalcore.readers.join.samples import read_sample
from tests.words import sentence_with

ROOT = Path(__file__).parents[3]


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.markdown, *test.main.caption))
    return said + "".join(table.proto.body for table in test.get("html"))


def test_a_link_sets_both_pages_and_a_wrong_one_is_ignored() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    test.query_params.update({"data": "digit_masks", "mask_image": "3", "pixel_width": "2", "empty_rule": "7"})
    test.switch_page("pages/estimate/overlap.py").run()
    assert not test.exception
    shown = text(test)
    assert sentence_with(shown, "0.815", "masks")
    assert "**digit 03**" in shown
    assert sentence_with(shown, "empty mask")
    assert "empty_rule" not in test.query_params
    assert next(box for box in test.number_input if box.key == "pixel_width").value == 2

    test.query_params.clear()
    test.query_params.update({"data": "breast_cancer", "smoothing": "0.5", "distance": "kl_divergence", "unit": "bits"})
    test.switch_page("pages/estimate/distributions.py").run()
    assert not test.exception
    assert sentence_with(text(test), "6.95", "divergence")
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
    assert sentence_with("".join(error.value for error in test.run().error), "two numbers")


def test_masks_without_files_are_asked_for() -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).switch_page("pages/estimate/overlap.py").run()
    next(button for button in test.button if button.label == "Compare the masks").click().run()
    assert sentence_with(test.warning[0].value, "both sides")
