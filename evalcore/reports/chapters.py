"""Which chapters a report can have: one for each page that shows the open data."""

from collections.abc import Callable, Iterable

from evalcore.analyses import Source
from evalcore.readers import KINDS
from evalcore.reports.of_estimates import distributions_chapter, overlap_chapter, regression_chapter
from evalcore.reports.of_labels import classes_chapter, compare_chapter, confusion_chapter, multilabel_chapter
from evalcore.reports.of_rankings import compare_rankings_chapter, graded_chapter, ranking_chapter, sets_chapter
from evalcore.reports.of_scores import curves_chapter, probabilities_chapter, threshold_chapter
from evalcore.reports.parts import Chapter
from evalcore.reports.settings import ReportSettings

__all__ = ["CHAPTERS", "chapter_titles", "chapters_of"]

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


def chapter_titles(pages: Iterable[str]) -> dict[str, str]:
    """What the chapters of some pages are called, by page.

    >>> chapter_titles(["retrieve/compare", "classify/threshold"])
    {'retrieve/compare': 'Compare rankings', 'classify/threshold': 'Threshold'}
    """
    return {page: _TITLES.get(page) or page.partition("/")[2].capitalize() for page in pages}


_TITLES = {
    "classify/confusion": "Confusion matrix",
    "classify/multilabel": "Multi-label",
    "classify/compare": "Compare systems",
    "retrieve/graded": "Graded relevance",
    "retrieve/compare": "Compare rankings",
}
