"""Report: one HTML file that opens from disk and needs no network."""

import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module, metadata
from pathlib import Path

from evalcore.analyses import Source
from evalcore.readers import KINDS, DataSet, ReadProblem, counted_rows
from evalcore.registry import PAGES
from evalcore.reports.checklists import checklists_chapter, has_checklists
from evalcore.reports.of_estimates import distributions_chapter, overlap_chapter, regression_chapter
from evalcore.reports.of_labels import classes_chapter, compare_chapter, confusion_chapter, multilabel_chapter
from evalcore.reports.of_rankings import compare_rankings_chapter, graded_chapter, ranking_chapter, sets_chapter
from evalcore.reports.of_scores import curves_chapter, probabilities_chapter, threshold_chapter
from evalcore.reports.parts import Chapter, Code, Table, Words, document
from evalcore.reports.settings import ReportSettings
from evalcore.wording import count_text, one_line

__all__ = ["CHAPTERS", "ReportedSource", "chapters_of", "report_html", "write_report"]


CHAPTERS: dict[str, Callable[[Source, ReportSettings], Chapter]] = {
    "classify/confusion": confusion_chapter,
    "classify/classes": classes_chapter,
    "classify/multilabel": multilabel_chapter,
    "classify/threshold": threshold_chapter,
    "classify/curves": curves_chapter,
    "classify/compare": compare_chapter,
    "classify/probabilities": probabilities_chapter,
    "retrieve/sets": sets_chapter,
    "retrieve/ranking": ranking_chapter,
    "retrieve/graded": graded_chapter,
    "retrieve/compare": compare_rankings_chapter,
    "estimate/regression": regression_chapter,
    "estimate/overlap": overlap_chapter,
    "estimate/distributions": distributions_chapter,
}
"""The chapter of each page, by section and name, in the order of the menu."""


def chapters_of(source: Source) -> tuple[str, ...]:
    """The pages that a report of a data set can include.

    >>> from evalcore.readers import read_sample
    >>> chapters_of(Source.of(read_sample("roc_20")))[0]
    'classify/confusion'
    """
    pages = KINDS[source.kind].pages
    return tuple(page for page in CHAPTERS if page in pages)


_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "plotly")


@dataclass(frozen=True, eq=False)
class ReportedSource:
    """A data set with what is chosen for its report."""

    source: Source
    pages: Sequence[str]
    settings: ReportSettings = ReportSettings()  # noqa: RUF009 (frozen)

    @property
    def html(self) -> str:
        """The report as a document."""
        source, chapters, missing = self.source, [], []
        for page in self.pages:
            try:
                chapters.append(CHAPTERS[page](source, self.settings))
            except (ReadProblem, ValueError) as problem:  # what the page would say instead of its numbers
                missing.append([PAGES[page].title, one_line(problem, 600)])
        if has_checklists(source):
            chapters.append(checklists_chapter(source, self.settings, self.pages))
        head, tail = _head(source), _tail(self, missing)
        return document(one_line(source.title, 120), _now(), [head, *chapters, tail])


def report_html(
    data: DataSet | Source, pages: Iterable[str] | None = None, settings: ReportSettings | None = None
) -> str:
    """Report of a data set as HTML, by default with every page that can show it.

    Parameters
    ----------
    data
        A data set as `evalcore.readers.read_table` gives it, or a `Source` with a title and a chosen system.
    pages
        Pages to include, by section and name, of those that `chapters_of` lists.
    settings
        Threshold, goal and intervals; without them those that a page shows first.

    Raises
    ------
    ValueError
        If a page is not one that this kind of data has.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> text = report_html(read_sample("roc_20"), pages=["classify/curves"])
    >>> text.startswith("<!doctype html>"), "AUC" in text
    (True, True)
    """
    source = data if isinstance(data, Source) else Source.of(data)
    known = chapters_of(source)
    chosen = known if pages is None else tuple(pages)
    if unknown := [page for page in chosen if page not in known]:
        raise ValueError(f"A report of {KINDS[source.kind].title} has no page {unknown[0]!r}, only {', '.join(known)}.")
    return ReportedSource(source, [page for page in CHAPTERS if page in chosen], settings or ReportSettings()).html


def write_report(
    data: DataSet | Source, path: str | Path, pages: Iterable[str] | None = None, settings: ReportSettings | None = None
) -> Path:
    """Write `report_html` to a file, and return its path."""
    file = Path(path)
    file.write_text(report_html(data, pages, settings), encoding="utf-8", errors="xmlcharrefreplace")
    return file


def _now() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")


def _head(source: Source) -> Chapter:
    """Description of the data and warnings about them."""
    findings = source.dataset.findings
    counted = f"{source.facts}."
    rows = [[one.level, one_line(one.sentence, 600)] for one in findings]
    table = Table("Findings", heads=["level", "finding"], rows=rows)
    shape, notes = source.dataset.shape, "; ".join(source.dataset.notes)
    steps = [["Steps", one_line(f"{shape.to_text()} ({notes})", 400)]] if shape.steps else []
    parts = [
        Table("", heads=[], rows=[
            ["File", one_line(source.dataset.name, 120)],
            ["Kind", KINDS[source.kind].title],
            *_roles(source),
            *steps,
            ["Digest of the data", source.dataset.digest],
        ]),
        table if rows else Words("Nothing to note about these data."),
    ]  # fmt: skip
    return Chapter("Data", "What are these data, and what should I know before I trust the numbers?", counted, parts)


def _roles(source: Source) -> list[list[str]]:
    """One row per role: its columns, or its value."""
    parts, lines = KINDS[source.kind].parts, []
    for name, value in source.roles.parts.items():
        part = parts.get(name)
        texts = (part.columns(value) if part else []) or [value]
        words = name.replace("_", " ").capitalize()
        lines.append([words, ", ".join(one_line(text, 60) for text in texts[:30]) + (" …" if len(texts) > 30 else "")])
    return lines


def _tail(reported: ReportedSource, missing: list[list[str]]) -> Chapter:
    """Versions behind the numbers, and Python that recomputes them."""
    source, settings = reported.source, reported.settings
    core = import_module("evalcore").__version__
    libraries = [[name, metadata.version(name)] for name in _LIBRARIES]
    rows = [
        *settings.rows,
        *([["System", one_line(source.system, 120)]] if source.system else []),
        ["Rows", count_text(counted_rows(source.dataset))],
    ]
    versions = [["evalcore", core], ["Python", platform.python_version()], *libraries]
    parts = [
        *([Table("Not in this report", rows=missing)] if missing else []),
        Table("Settings", heads=[], rows=rows),
        Table("Versions", heads=[], rows=versions),
        Code("Python that makes this report", settings.code(source, reported.pages)),
    ]
    return Chapter("How this was made", "With what settings and versions?", parts=parts)
