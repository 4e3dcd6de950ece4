"""The application in a test without a browser, after a first run."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def facts(test: AppTest) -> str:
    """What the head of a page says of the open data."""
    heads = [block.proto.popover.label for block in test.get("popover") if "read-as" in block.proto.popover.id]
    heads += [caption.value for caption in test.main.caption if " · " in caption.value]
    return heads[0].replace("&#46;", ".")


def application() -> AppTest:
    """It has run once, on a page that draws little, has no settings without data and takes none that come next.

    Two pages are files called compare.py, and only after a first run they are told apart.
    """
    return AppTest.from_file(ROOT / "app.py", default_timeout=90).switch_page("pages/estimate/overlap.py").run()
