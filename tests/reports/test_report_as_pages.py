"""A report holds what the pages show, with whatever settings the address has."""

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses import Source, compare_systems
from evalcore.readers import ReadProblem, read_sample
from evalcore.registry import PAGES
from evalcore.reports import CHAPTERS, ReportSettings, chapters_of
from evalcore.reports.parts import Table, Words
from evalcore.wording import number_text
from pages.widgets.session.address import REWORDED
from tests.pages.application import application, parts_of, unfold
from tests.pages.application import tables as sorted_tables

pytestmark = pytest.mark.usefixtures("fewer_resamples")
SETTINGS = {
    "breast_cancer": {"t": "0.286", "system": "nearest_neighbours", "level": "90 %", "interval": "clopper_pearson"},
    "digits": {"system": "naive_bayes", "level": "99 %", "class": "8", "by": "recall"},
    "digits_probabilities": {"system": "p_3", "t": "0.3", "level": "90 %"},
    "image_retrieval": {"system": "cosine", "other": "projection", "k": "5", "test": "wilcoxon", "measure": "RR"},
    "image_retrieval_graded": {"system": "projection", "gain": "exp", "k": "5", "discount": "original"},
    "diabetes": {
        "system": "nearest_neighbours", "tau": "0.25", "level": "90 %", "error_by": "root_mean_squared_error",
        "other": "linear_regression", "tolerance_unit": "in percent of the truth", "tolerance_percent": "30",
        "end_low": "q25", "end_high": "q95", "nominal": "0.7",
    },
    "digits_labels": {"t": "0.3", "level": "90 %"},
    "four_methods": {"level": "90 %", "system": "method B"},
    "digit_masks": {"level": "90 %"},
}  # fmt: skip
SETTINGS["in use"] = SETTINGS["breast_cancer"] | {"t2": "0.6", "miss_cost": "3", "prevalence": "0.2"}
"""Of each sample another system, threshold, level and measure than a page starts with."""
CALLED = {"Costs": "If costs are not known", "What to expect in use": "In use", "Net benefit": "In use"}
"""Parts of a report that stand on a tab of another name."""


def visited(page: str, address: dict[str, str]) -> AppTest:
    """A page with all that is folded, but for its parts."""
    test = application()
    test.query_params.update(address)
    assert not unfold(test.switch_page(page)).exception
    return test


def address_of(sample: str) -> dict[str, str]:
    return {"data": "breast_cancer" if sample == "in use" else sample} | SETTINGS[sample]


@cache
def seen(page: str, sample: str) -> tuple[set[str], dict[str, tuple[set[str], set[str]]]]:
    """The numbers that a page shows, and those that it shows and that are copied where each of its parts is open."""
    test = visited(f"pages/{page}.py", address := address_of(sample))
    whole, parts = shown(test), {}
    test.query_params.update(address)  # of which a page takes out what its open part does not ask for
    for part in parts_of(PAGES[page], test):
        parts[part] = shown(test), copied(test)
        test.query_params.update(address)
    assert not test.exception
    return whole, parts


def numbers(text: str) -> set[str]:
    """The numbers in a text of Markdown or HTML, without those of links."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>|\]\([^)]*\)|</?[a-zA-Z][^>]*>", " ", text, flags=re.S)
    text = re.sub(r"(?<=\d)[\u2009\u202f\u00a0 ](?=\d{3})", "", html.unescape(text)).replace("\u2060", "")
    return set(re.findall(r"−?\d+(?:\.\d+)?", text))


def shown(test: AppTest) -> set[str]:
    """Every number in the words and tables of a page."""
    kinds = ("markdown", "caption", "title", "header", "subheader")
    texts = [str(one.value) for kind in kinds for one in test.get(kind)]
    texts += [one.proto.body for one in test.get("html")] + [one.proto.alt for one in test.get("plotly_chart")]
    columns = [column for one in sorted_tables(test) for column in one.attrs["columns"]]
    texts += [str(text) for column in columns for text in (*column["texts"], *column["foot"])]
    texts += [one.value for one in test.metric] + [number_text(one.value) for one in test.number_input if one.value]
    return numbers("\n".join(texts))


def unrounded(columns: Iterable[Iterable[object]]) -> set[str]:
    """The finite numbers of columns, to nine digits."""
    values = (value for column in columns for value in column if isinstance(value, (int, float, np.number)))
    return {f"{float(value):.9g}" for value in values if np.isfinite(value)}


def copied(test: AppTest) -> set[str]:
    """The numbers of the tables of a page as they are copied for a spreadsheet, to nine digits."""
    bodies = " ".join(one.proto.body for one in test.get("html"))
    tables = map(html.unescape, re.findall(r'data-copy="([^"]*)" data-format="CSV"', bodies))
    cells = (cell for table in tables for cell in re.split(r"[,\n]", table))
    return unrounded([[float(cell) for cell in cells if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", cell)]])


@cache
def asked_of_the_report(sample: str) -> tuple[Any, ReportSettings]:
    """Of what and with which settings the page of reports makes one."""
    asked: list[tuple[Any, ReportSettings]] = []
    module = "pages.widgets.start.report.report.show_report"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, lambda source, pages, settings, _: asked.append((source, settings)))
        visited("pages/start/report.py", address_of(sample))
    return asked[-1]


@pytest.mark.parametrize("sample", [sample for sample in SETTINGS if sample != "in use"])
def test_every_number_of_a_verdict_and_of_a_written_table_stands_on_its_page(sample: str) -> None:
    source, settings = asked_of_the_report(sample)
    assert settings != ReportSettings()
    for page in chapters_of(source):
        try:
            chapter = CHAPTERS[page](source, settings)
        except ReadProblem:
            assert page == "classify/compare"
            assert sample in ("four_methods", "digits_probabilities")  # of these the page compares other rows
            continue
        whole, parts = seen(page, sample)
        own = whole.union(*(shown for shown, _ in parts.values()))
        assert not numbers(chapter.verdict) - own, page
        tables = [part for part in chapter.parts if isinstance(part, Table) and part.title and part.rows]
        tables += [part for part in chapter.parts if isinstance(part, Table) and page.endswith("/compare")][:1]
        for table in tables:
            assert not numbers(table.html("table")) - own, (page, table.title)


@pytest.mark.parametrize("sample", ["in use", "digits", "digits_probabilities", "diabetes"])
def test_every_number_of_a_part_stands_on_the_tab_that_shows_it(sample: str) -> None:
    source, settings = asked_of_the_report(sample)
    hidden, looked_up = set[str](), 0
    # The other curves are one part of a report, and a tab each on their page.
    for page in (page for page in chapters_of(source) if PAGES[page].parts and page != "classify/curves"):
        try:
            parts = CHAPTERS[page](source, settings).tabs
        except ReadProblem:
            continue
        whole, tabs = seen(page, sample)
        for title, part in ((title, part) for title, made in parts.items() for part in made):
            tab = CALLED.get(title, title)
            tab = REWORDED.get(PAGES[page].parts, {}).get(tab, tab)
            if page == "classify/classes" and tab not in tabs:
                continue  # in the picture and beside it, and in a report as tables
            shown, frames = tabs.get(tab, (whole, set[str]()))
            own = whole | shown
            if isinstance(part, Table) and part.columns:
                looked_up += 1
                assert not unrounded(part.columns.values()) - frames, (page, tab)
            elif isinstance(part, (Words, Table)):
                looked_up += 1
                assert not numbers(part.html("part")) - own, (page, tab)
                hidden |= numbers(part.html("part")) - whole
    assert looked_up
    assert hidden or sample == "digits"  # whose parts are on the tab that is open at first


def test_a_comparison_takes_the_threshold_that_was_chosen() -> None:
    """At ½ the second system finds more, at the chosen threshold fewer."""
    source = Source.of(read_sample("breast_cancer"), "logistic_regression")
    chapters = [CHAPTERS["classify/compare"](source, ReportSettings(threshold=t)) for t in (0.286, 0.5)]
    alone = [compare_systems(source, threshold=t).verdict for t in (0.286, 0.5)]
    assert [one.verdict for one in chapters] == alone
    assert alone[0] != alone[1]
