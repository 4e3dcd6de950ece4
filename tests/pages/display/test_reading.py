"""Every page but those of the start has a text on how to read it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

PAGES = Path(__file__).parents[3] / "pages"
READ = [path for path in sorted(PAGES.glob("[!w]*/*.py")) if path.parent.name != "start"]


@pytest.mark.parametrize("path", READ, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_has_a_text_on_how_to_read_it(path: Path) -> None:
    page = f"{path.parent.name}/{path.stem}"
    assert f'show_reading("{page}")' in path.read_text(encoding="utf-8")
    test = AppTest.from_function(show_page, args=(page,)).run()
    assert test.expander[0].label == "How to read this"
    assert len(test.markdown[0].value) > 300


def show_page(page: str) -> None:
    from pages.widgets.display.reading import show_reading

    show_reading(page)
