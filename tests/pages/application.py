"""The application in a test without a browser, after a first run."""

import re
from collections.abc import Iterator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.registry import Page

ROOT = Path(__file__).parents[2]
_SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "pages").rglob("*.py")))
FOLDS = ["share page", *re.findall(r'st\.expander\([^\n]*key="([\w -]+)", on_change="rerun"\)', _SOURCES)]
"""The keys of what is folded and made when somebody unfolds it, but for the parts of pages; of popovers one is open."""


def unfold(test: AppTest, unfolded: bool = True) -> AppTest:
    """Draw the page once more, with all that is folded or without."""
    for key in FOLDS:
        test.session_state[key] = unfolded
    return test.run()


def parts_of(page: Page, test: AppTest) -> Iterator[str]:
    """Open the parts of a page one after the other, those that stand under another part too; their names."""
    seen: set[str] = set()
    while page.parts:
        control = next((one.options for one in test.main.button_group if str(one.key).startswith(page.parts)), [])
        rows = [one for one in test.main.get("tab_container") if one.proto.id.endswith(f"-{page.parts}")]
        tabs = [tab.label for row in rows for tab in row.children.values()]
        folds = [one.label for one in test.main.expander if f"-{page.parts} " in one.proto.id]
        part = next((name for name in (*folds, *control, *tabs) if name not in seen), None)
        if part is None:
            break
        seen.add(part)
        test.query_params[page.parts] = part
        test.run()
        yield part
    test.query_params.pop(page.parts, None)


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
