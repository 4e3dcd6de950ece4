"""The application in a test without a browser."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from evalcore.registry import Page

ROOT = Path(__file__).parents[2]
_SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "pages").rglob("*.py")))
FOLDS = ["share page", *re.findall(r'st\.expander\([^\n]*key="([\w -]+)", on_change="rerun"\)', _SOURCES)]
"""The keys of what is folded and made when somebody unfolds it, but for the parts of pages; of popovers one is open."""


def unfold(test: AppTest) -> AppTest:
    """Draw the page once more, with all that is folded."""
    return set_folds(test, True).run()


def set_folds(test: AppTest, unfolded: bool) -> AppTest:
    for key in FOLDS:
        test.session_state[key] = unfolded
    return test


def parts_of(page: Page, test: AppTest) -> Iterator[str]:
    """Open the parts of a page one after the other, those that stand under another part too; their names."""
    seen: set[str] = set()
    while page.parts:
        control = next((one.options for one in test.main.button_group if str(one.key).startswith(page.parts)), [])
        rows = [one for one in test.main.get("tab_container") if one.proto.id.endswith(f"-{page.parts}")]
        tabs = [tab.label for row in rows for tab in row.children.values()]
        folds = [one.proto.id.partition(f"-{page.parts} ")[2] for one in test.main.expander]
        part = next((name for name in (*folds, *control, *tabs) if name and name not in seen), None)
        if part is None:
            break
        seen.add(part)
        test.query_params[page.parts] = part
        test.run()
        yield part
    test.query_params.pop(page.parts, None)


def tables(test: AppTest, key: str = "") -> list[pd.DataFrame]:
    """The tables that can be sorted as they are shown, numbers to their digits; the rows at the end are attributes."""
    found = (one for one in test.main.get("bidi_component") if one.proto.component_name == "table")
    return [_table(json.loads(one.proto.json)) for one in found if key in ("", one.key)]


def _table(data: dict) -> pd.DataFrame:
    cells, foot = {}, {}
    for column in data["columns"]:
        index = np.frombuffer(b64decode(column["index"]), f"<u{column['width']}")
        texts = [*map(_number, column["texts"])] if column["right"] else column["texts"]
        cells[column["name"]] = [texts[place] for place in index.tolist()]
        foot[column["name"]] = [_number(text) for text in column["foot"]]
    frame = pd.DataFrame(cells)
    frame.attrs = {"foot": foot, **data}
    return frame


def _number(text: str) -> float | str:
    """The number that a cell shows, nan where it is undefined; any other text as it is."""
    plain = text.replace("\u202f", "").replace("−", "-").replace("∞", "inf").replace("undefined", "nan")
    try:
        return float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        return text


def facts(test: AppTest) -> str:
    """What the head of a page says of the open data."""
    heads = [block.proto.popover.label for block in test.get("popover") if "read-as" in block.proto.popover.id]
    heads += [caption.value for caption in test.main.caption if " · " in caption.value]
    return heads[0].replace("&#46;", ".")


def application() -> AppTest:
    """It has not run, but knows its pages: two are files called compare.py, which only a first run tells apart."""
    test = AppTest.from_file(ROOT / "app.py", default_timeout=90)
    test._registered_pages = _pages()
    return test


@cache
def _pages() -> dict:
    """What a run of a page that draws little has registered."""
    return AppTest.from_file(ROOT / "app.py").switch_page("pages/estimate/overlap.py").run(timeout=90)._registered_pages
