"""Every link of home's questions and of the samples opens a page that can use the data, with settings that it reads."""

import pytest

from evalcore.readers import KINDS, read_sample, samples
from evalcore.retrieval import DISCOUNT
from pages.widgets.start.home.home import QUESTIONS


@pytest.mark.parametrize(("question", "page", "data"), [(one[0], one[2], one[3]) for one in QUESTIONS])
def test_a_question_opens_what_answers_it(question, page, data) -> None:
    sample = samples()[data]
    kind = KINDS[sample.kind]
    assert read_sample(data).kind == sample.kind
    assert page in kind.pages
    if page.endswith("/compare"):
        assert len(read_sample(data).systems) > 1


@pytest.mark.parametrize("data", sorted(data for data, sample in samples().items() if sample.settings))
def test_settings_of_a_sample_are_values_that_its_page_offers(data) -> None:
    assert set(samples()[data].settings) == {"discount"}
    assert samples()[data].settings["discount"] in DISCOUNT.choices
