"""Editing the list of one query: its documents with their grades, and the steps that an edit becomes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from evalcore.analyses.ranked_list import RankedList, grade_text
from evalcore.analyses.source import Source
from evalcore.readers import Grade, Order, RankingRoles, Shape, text_of
from evalcore.wording import one_line

__all__ = ["MOST_EDITED", "ListEdits", "reordered"]

MOST_EDITED = 50
"""Documents up to which a list can be edited, and with them every link to it."""

_MOST_ROWS = 200_000
_FEW_GRADES = 6


@dataclass(frozen=True, eq=False)
class ListEdits:
    """The list of one query as it is edited: documents are moved, and graded anew.

    >>> from evalcore.analyses import Rankings, Source
    >>> from evalcore.readers import read_sample
    >>> data = read_sample("ranking_14")
    >>> edits = ListEdits(RankedList(Rankings(Source.of(data), "rank"), "1"))
    >>> edits.grades, edits.lines[:2]
    ([0.0, 1.0], [{'name': '588', 'grade': 1}, {'name': '589', 'grade': 1}])
    >>> swapped = data.shaped(edits.ordered([1, 0, *range(2, 14)]).to_text())
    >>> RankedList(Rankings(Source.of(swapped), "rank"), "1").documents[:2]
    ['589', '588']
    """

    ranked: RankedList

    @property
    def problem(self) -> str:
        """Why the list cannot be edited; empty if it can."""
        count = len(self.ranked.documents)
        if not count:
            return "The run has no list for this query."
        if not self.ranked.rankings.has_lists:
            return "Lists that are known by their judged documents alone cannot be edited."
        if count > MOST_EDITED or len(self._source.frame) > _MOST_ROWS:
            return f"Lists of up to {MOST_EDITED} documents can be edited; this one has {count}."
        return "" if isinstance(self._source.roles, RankingRoles) else "Lists and grades come from files of their own."

    @cached_property
    def grades(self) -> list[float]:
        """The grades that can be given: those that occur, at least 0 and 1; all whole ones if they are few."""
        known = self.ranked.rankings.judgments.grades
        highest = float(known.max(initial=1))
        if highest < _FEW_GRADES and not np.any(known % 1):
            return [float(grade) for grade in range(int(highest) + 1)]
        return np.unique([0.0, 1.0, *known.tolist()])[:_FEW_GRADES].tolist()

    @property
    def lines(self) -> list[dict]:
        """Each document from first to last, with its grade as a place in `grades`; −1 where it is unjudged."""
        places = {grade: place for place, grade in enumerate(self.grades)}
        names = (one_line(document, 60) for document in self.ranked.documents)
        each = zip(names, self.ranked.grades.tolist(), strict=True)
        return [{"name": name, "grade": places.get(grade, -1)} for name, grade in each]

    @property
    def grade_words(self) -> list[str]:
        """The grades as they are written."""
        return list(map(grade_text, self.grades))

    def ordered(self, order: Sequence[int]) -> Shape:
        """The shape of the data with the documents in another order, given as places in the list of today.

        Raises ValueError if it is no order of all of them.
        """
        documents = self.ranked.documents
        if sorted(order) != list(range(len(documents))):
            raise ValueError("An order holds every place once.")
        roles, system = self._roles, self.ranked.rankings.system
        by = roles.rank or (system if system in roles.score else roles.score[0])
        first = "lowest" if roles.rank or not roles.higher_is_positive else "highest"
        where = self._where if roles.system is None else (*self._where, roles.system, system)
        moved = tuple(documents[place] for place in order)
        return self._source.dataset.shape.edited(Order(by, first, where, roles.document, moved))

    def graded(self, place: int, grade: int) -> Shape:
        """The shape of the data with another grade, a place in `grades`, for the document at a place of the list.

        Raises IndexError if there is none.
        """
        if min(place, grade) < 0:
            raise IndexError("Places count from 0.")
        where = (*self._where, self._roles.document, self.ranked.documents[place])
        return self._source.dataset.shape.edited(Grade(str(self._roles.grade), where, self.grades[grade]))

    @property
    def unedited(self) -> Shape:
        """The shape of the data without any edit of a list."""
        return Shape(tuple(step for step in self._source.dataset.shape.steps if not step.target))

    @property
    def has_edits(self) -> bool:
        """Whether any list was edited."""
        return any(step.target for step in self._source.dataset.shape.steps)

    @property
    def _source(self) -> Source:
        return self.ranked.rankings.current

    @property
    def _roles(self) -> RankingRoles:
        return cast(RankingRoles, self._source.roles)

    @property
    def _where(self) -> tuple[str, ...]:
        return self._roles.query, text_of(self.ranked.query)


def reordered(order: list[int], places: Any) -> list[int]:
    """What stands at these places of an order; the order as it is, where a browser has sent anything else.

    >>> reordered([4, 5, 6], [2, 0, 1]), reordered([4, 5, 6], [0, 0, "x"])
    ([6, 4, 5], [4, 5, 6])
    """
    if not isinstance(places, list) or not all(isinstance(place, int) for place in places):
        return order
    return [order[place] for place in places] if sorted(places) == list(range(len(order))) else order
