"""Names of measures on a page that is tested, which are links to their entries."""

import html
import json
import re

from streamlit.testing.v1 import AppTest

from evalcore.wording import measure_links

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


def _hidden(looks: str) -> set[str]:
    """Columns of a table that its menu can show."""
    return {name for name, look in json.loads(looks or "{}").items() if look and look.get("hidden")}


def names_without_link(test: AppTest) -> list[str]:
    """Names of measures in tables, over numbers and in bold letters of a reading, that open no entry."""
    texts = [one.value for kind in (test.main.markdown, test.main.caption) for one in kind]
    columns = [column for one in test.main.dataframe for column in json.loads(one.proto.columns or "{}").values()]
    texts += [column["help"] for column in columns if column.get("help")]
    readings = [text for text in texts if "](measures?" in text]
    tables = [one.proto.body for one in test.main.get("html")]
    labels = [metric.label for metric in test.main.metric]
    pairs = [pair for text in (*texts, *tables, *labels) for pair in _LINKED.findall(text)]
    linked = {plain_name("".join(pair)).strip("*") for pair in pairs}
    own = test.title[0].value == "Data"  # the columns of the file itself
    frames = [] if own else [one.value for one in test.main.dataframe]
    hidden = [] if own else [_hidden(one.proto.columns) for one in test.main.dataframe]
    shown = [str(head) for frame, names in zip(frames, hidden, strict=True) for head in {*frame.columns} - names]
    shown += [str(cell) for frame in frames if "measure" in frame for cell in frame["measure"]]
    shown += [name for text in tables for name in _CELLS.findall(text)]
    shown += [label for label in labels if not _LINKED.fullmatch(label)]
    shown += [name for text in readings for name in re.findall(r"\*\*([^*\[]+)\*\*", text)]
    names = {name for name in map(plain_name, shown) if not _DOCUMENT.fullmatch(name)} - linked
    return sorted(name for name in names if measure_links([name]))
