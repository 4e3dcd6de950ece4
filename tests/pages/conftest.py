"""A workspace without uploads for every test of a page, and samples that are read once."""

import os
import shutil
from collections.abc import Iterator
from functools import cache

import pytest


@pytest.fixture(scope="session", autouse=True)
def samples_are_read_once() -> None:
    """A server has eight tables in memory: tests that go round all samples on every page would read each every time."""
    from pages.widgets.session import current_dataset  # here, because what Streamlit says of it is captured here

    current_dataset.read_sample = cache(current_dataset.read_sample)


@pytest.fixture(autouse=True)
def no_uploads() -> Iterator[None]:
    """The data page draws a row for each stored upload: those of other tests made it slower with every test."""
    yield
    shutil.rmtree(os.environ["EVALCORE_WORKSPACE"], ignore_errors=True)


@pytest.fixture(autouse=True)
def sentences_without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests read verdicts and notes as they are written; the links in them have a test of their own."""
    from pages.widgets.session import loaded as entry_links

    monkeypatch.setattr(entry_links, "linked_mentions", lambda text, _: text)
