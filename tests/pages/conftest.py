"""A workspace without uploads for every test of a page."""

import os
import shutil
from collections.abc import Iterator

import pytest


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
