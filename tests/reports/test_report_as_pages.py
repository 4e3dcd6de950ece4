"""A report holds what the pages show, with whatever settings the address has."""

import html
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses import Source, compare_systems
from evalcore.readers import ReadProblem, read_sample
from evalcore.reports import CHAPTERS, ReportSettings, chapters_of
from evalcore.reports.parts import Table
from tests.pages.application import application

SETTINGS = {
    "breast_cancer": {"t": "0.286", "system": "nearest_neighbours", "level": "90 %", "interval": "clopper_pearson"},
    "digits": {"system": "naive_bayes", "level": "99 %", "class": "8", "by": "recall"},
    "digits_probabilities": {"system": "p_3", "t": "0.3", "level": "90 %"},
    "image_retrieval": {"system": "cosine", "other": "projection", "k": "5", "test": "wilcoxon", "measure": "RR"},
    "image_retrieval_graded": {"system": "projection", "gain": "exp", "k": "5", "discount": "original"},
    "diabetes": {"system": "nearest_neighbours", "tau": "0.25", "level": "90 %", "error_by": "root_mean_squared_error"},
    "digits_labels": {"t": "0.3", "level": "90 %"},
    "four_methods": {"level": "90 %", "system": "method B"},
    "digit_masks": {"level": "90 %"},
}
"""Of each sample another system, threshold, level and measure than a page starts with."""


def visited(page: str, address: dict[str, str]) -> AppTest:
    test = application()
    test.query_params.update(address)
    return test.switch_page(page).run()


def numbers(text: str) -> set[str]:
    """The numbers in a text of Markdown or HTML, without those of links."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>|\]\([^)]*\)|</?[a-zA-Z][^>]*>", " ", text, flags=re.S)
    text = re.sub(r"(?<=\d)[\u2009\u202f\u00a0 ](?=\d{3})", "", html.unescape(text)).replace("\u2060", "")
    return set(re.findall(r"−?\d+(?:\.\d+)?", text))


def shown(test: AppTest) -> set[str]:
    """Every number in the words and tables of a page, but for those of tables that a browser draws."""
    kinds = ("markdown", "caption", "title", "header", "subheader")
    texts = [str(one.value) for kind in kinds for one in test.get(kind)]
    texts += [one.proto.body for one in test.get("html")] + [one.proto.alt for one in test.get("plotly_chart")]
    return numbers("\n".join(texts))


@pytest.mark.parametrize("sample", SETTINGS)
def test_every_number_of_a_verdict_and_of_a_written_table_stands_on_its_page(
    sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = {"data": sample} | SETTINGS[sample]
    asked: list[tuple[Any, ReportSettings]] = []
    module = "pages.widgets.start.report.report.show_report"
    monkeypatch.setattr(module, lambda source, pages, settings: asked.append((source, settings)))
    assert not visited("pages/start/report.py", address).exception
    source, settings = asked[-1]
    assert settings != ReportSettings()
    for page in chapters_of(source):
        try:
            chapter = CHAPTERS[page](source, settings)
        except ReadProblem:
            assert page == "classify/compare"
            assert sample in ("four_methods", "digits_probabilities")  # of these the page compares other rows
            continue
        own = shown(visited(f"pages/{page}.py", address))
        answer = "" if page == "classify/classes" else chapter.verdict  # that page has the matrix in its place
        assert not numbers(answer) - own, page
        tables = [part for part in chapter.parts if isinstance(part, Table) and part.title and part.rows]
        tables += [part for part in chapter.parts if isinstance(part, Table) and page.endswith("/compare")][:1]
        for table in tables:
            assert not numbers(table.html("table")) - own, (page, table.title)


def test_a_comparison_takes_the_threshold_that_was_chosen() -> None:
    """At ½ the second system finds more, at the chosen threshold fewer."""
    source = Source.of(read_sample("breast_cancer"), "logistic_regression")
    chapters = [CHAPTERS["classify/compare"](source, ReportSettings(threshold=t)) for t in (0.286, 0.5)]
    alone = [compare_systems(source, threshold=t).verdict for t in (0.286, 0.5)]
    assert [one.verdict for one in chapters] == alone
    assert alone[0] != alone[1]
