"""Of two uploads of the same content, each has its own name on every page and in exported Python, never the other's."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from evalcore.readers import DataSet, read_sample, roles_of
from tests.pages.application import tables
from tests.pages.test_every_page import FILES, started, suitable
from tests.pages.uploads import saved, stored


@pytest.mark.parametrize("page", [page for page in FILES if not page.startswith("pages/start/")])
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


TURN = "\u202e"
"""Turns the letters that follow it."""
NOT_SHOWN = ("code", "multiselect", "bidi_component")
"""Code writes the control as an escape; the others have it in their ids, or as an escape in what they remember."""


def turned(part: Any) -> Any:
    if isinstance(part, str):
        return TURN + part
    return tuple(map(turned, part)) if isinstance(part, tuple) else part


@pytest.mark.parametrize("page", FILES)
def test_no_page_shows_a_name_or_a_cell_in_another_order_than_its_letters_have(page: str) -> None:
    data = read_sample(suitable(page) or "digits_label_sets")
    frame = data.frame.rename(columns=turned)
    if data.kind != "masks":
        frame = frame.map(turned, na_action="ignore")
    roles = roles_of(**{name: part if name == "rows_are" else turned(part) for name, part in data.roles.parts.items()})
    test = started(page, data=saved(DataSet.of(frame, turned(data.name), roles=roles)))
    assert not test.exception
    shown = [element.proto.SerializeToString() for element in elements(test) if element.type not in NOT_SHOWN]
    shown = [re.sub(rb'data-copy="[^"]*"', b"", text) for text in shown]
    shown += [json.dumps(table.attrs, ensure_ascii=False).encode() for table in tables(test)]
    assert [text for text in shown if TURN.encode() in text] == []
    assert any("‹U+202E›".encode() in text for text in shown)


def test_columns_of_a_file_with_the_names_of_ours_stand_beside_ours() -> None:
    heads = "actual,predicted,line,line of the file,counted as,a\u202e,a‹U+202E›"
    data = stored(f"{heads}\n" + "1,1,x,y,z,p,q\n0,1,x,y,z,p,q\n" * 4)
    (frame,) = tables(started("pages/classify/confusion.py", data=data))
    ours = ["line of the file (2)", "counted as (2)", "actual", "predicted", "line", "line of the file", "counted as"]
    assert [*frame.columns] == [*ours, "a‹U+202E›", "a‹U+202E› (2)"]


def elements(test: AppTest) -> Iterator[Element]:
    blocks = [*test._tree.children.values()]
    while blocks:
        block = blocks.pop()
        if isinstance(block, Block):
            blocks += block.children.values()
        else:
            yield block
