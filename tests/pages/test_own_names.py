"""Of two uploads of the same content, each has its own name on every page and in exported Python."""

from dataclasses import replace

import pytest

from evalcore.readers.samples import read_sample
from tests.pages.test_every_page import PAGES, started, suitable
from tests.pages.uploads import saved


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith("pages/start/")])
def test_a_page_names_the_upload_that_is_open(page: str) -> None:
    sample = "breast_cancer" if page.startswith("pages/classify/") else suitable(page)
    shown = []
    for name in ("zebra", "okapi"):
        test = started(page, data=saved(replace(read_sample(sample), name=name)))
        assert not test.exception
        code = "\n".join(element.value for element in test.code)
        texts = [element.value for element in (*test.markdown, *test.caption)]
        assert (name in code) == ("read_table" in code)
        shown.append("\n".join([code, *texts]))
    assert ["zebra" in text for text in shown] == [True, False]
    assert ["okapi" in text for text in shown] == [False, True]
