"""Of two uploads of the same content, each has its own name on every page and in exported Python, never the other's."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

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
        assert (name in code) == ("read_table" in code)
        shown.append("".join(str(element.proto) for element in elements(test)))
    assert ["zebra" in text for text in shown] == [True, False]
    assert ["okapi" in text for text in shown] == [False, True]


def elements(test: AppTest) -> Iterator[Element]:
    blocks = [*test._tree.children.values()]
    while blocks:
        block = blocks.pop()
        if isinstance(block, Block):
            blocks += block.children.values()
        else:
            yield block
