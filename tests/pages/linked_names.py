"""Names of measures on a page that is tested, which are links to their entries."""

import html
import re

from streamlit.testing.v1 import AppTest

from evalcore.wording import measure_links
from tests.pages.application import tables

_LINKED = re.compile(r"\[([^\]]*)\]\(measures\?[^)]*\)|<a class=\"entry\"[^>]*>([^<]*)</a>")
_CELLS = re.compile(r"<t[hd][^>]*>(?:<b>)?([^<]+)(?=<)")
_DOCUMENT = re.compile(r"r\d+")
"""Documents of samples that have names of measures: R at so many ranks."""


def plain_name(label: str) -> str:
    """A name as it is read, linked or not."""
    name = _LINKED.fullmatch(label)
    return html.unescape(name[1] if name else label).replace("\u2060", "")


def headline(test: AppTest) -> dict[str, str]:
    """The numbers over a page by their names."""
    return {plain_name(metric.label): metric.value for metric in test.main.metric}


def names_without_link(test: AppTest) -> list[str]:
    """Names of measures in tables, over numbers and in bold letters of a reading, that open no entry."""
    texts = [one.value for kind in (test.main.markdown, test.main.caption) for one in kind]
    readings = [text for text in texts if "](measures?" in text]
    bodies = [one.proto.body for one in test.main.get("html")]
    labels = [metric.label for metric in test.main.metric]
    pairs = [pair for text in (*texts, *bodies, *labels) for pair in _LINKED.findall(text)]
    linked = {plain_name("".join(pair)).strip("*") for pair in pairs}
    own = test.title[0].value == "Data"  # the columns of the file itself
    columns = [] if own else [column for one in tables(test) for column in one.attrs["columns"]]
    linked |= {column["heading"] for column in columns if column["measure"]}
    shown = [column["heading"] for column in columns]
    for column in (column for column in columns if column["name"] == "measure"):
        keys = column.get("keys", [True])  # a click on a row opens its entry
        shown += [text for text, key in zip(column["texts"], keys, strict=False) if not key]
    shown += [name for text in bodies for name in _CELLS.findall(text)]
    shown += [label for label in labels if not _LINKED.fullmatch(label)]
    shown += [name for text in readings for name in re.findall(r"\*\*([^*\[]+)\*\*", text)]
    names = {name for name in map(plain_name, shown) if not _DOCUMENT.fullmatch(name)} - linked
    return sorted(name for name in names if measure_links([name]))
