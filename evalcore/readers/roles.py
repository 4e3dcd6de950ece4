"""Roles: which column of a table plays which part. Each kind of table has its own class of roles, in `kinds`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import quote

from evalcore.readers.values import text_of

__all__ = ["Part", "Roles"]

_ORDER = (
    *(
        "actual",
        "predicted",
        "score",
        "probability",
        "weight",
        "weights_are",
        "group",
        "cluster",
        "truth",
        "estimate",
        "counts",
        "rows_are",
    ),
    *("positive", "higher_is_positive", "query", "document", "grade", "rank", "system"),
)
"""The order of the parts in links; others come last."""


@dataclass(frozen=True)
class Part:
    """What a part of a kind of table is."""

    form: str  # "column", "columns", "classes" (columns, each with its class), "value" (a label), "flag" or "choice"
    question: str = ""  # how the data page asks for it, if it does
    word: str = ""  # what a column in this part is called
    numbers: bool = False  # whether its columns must hold numbers
    sole: bool = False  # whether a column can play only one such part, once
    choices: tuple[str, ...] = ()
    is_face: bool = False  # whether its column holds what ids look like, which changes no number
    default: Any = None  # what plays it where nothing is said; None also where the kind needs it

    def columns(self, value: Any) -> list[str]:
        """The columns among what plays it."""
        several = value if self.form in ("columns", "classes") else [value] if self.form == "column" else []
        return [name if self.form != "classes" else name[0] for name in several]


def part(form: str, question: str = "", word: str = "", *, default: Any = MISSING, **rest: Any) -> Any:
    """A field of a class of roles; without a default the kind needs it."""
    usual = None if default is MISSING else default
    return field(default=default, metadata={"part": Part(form, question, word, default=usual, **rest)})


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column of a table plays which part; the class says which kind of table the parts make."""

    kind: ClassVar[str]

    @classmethod
    def lacking(cls, parts: Mapping[str, object]) -> list[str]:
        """The parts that this kind needs and that nothing plays."""
        return [part.name for part in fields(cls) if part.default is MISSING and not parts.get(part.name)]

    @property
    def parts(self) -> dict[str, Any]:
        """What plays each part, without parts that equal their default."""
        values = ((part, getattr(self, part.name)) for part in fields(self))
        return {
            part.name: value
            for part, value in values
            if not (value == part.default and type(value) is type(part.default))
        }

    def get(self, part: str, default: Any = None) -> Any:
        """What plays a part; the default if the kind has no such part."""
        return getattr(self, part, default)

    def check(self, rows: int) -> None:
        """Raise ReadProblem if the parts do not fit each other, or a table of so many rows."""

    def to_text(self) -> str:
        """The roles as a short text for a link; `DataSet.with_roles` reads it.

        >>> from evalcore.readers import roles_of
        >>> roles_of(actual="label", score=("model a", "model b"), positive="ill").to_text()
        'actual~label~~score~model%20a~model%20b~~positive~ill'
        """
        return self._text

    @cached_property
    def _text(self) -> str:
        """It is part of the key of every state, and asked for thousands of times by a page of many queries."""
        pieces = []
        for name, value in sorted(self.parts.items(), key=lambda item: (*_ORDER, item[0]).index(item[0])):
            if name == "probability":
                value = [text for pair in value for text in pair]
            texts = value if isinstance(value, (tuple, list)) else [value]
            pieces.append("~".join([name, *(quote(text_of(text), safe="").replace("~", "%7E") for text in texts)]))
        return "~~".join(pieces)


@dataclass(frozen=True, kw_only=True)
class RowRoles(Roles):
    """Roles of a table with one case per row."""

    weight: str | None = part("column", "Weight", "weight", default=None, numbers=True)
    weights_are: str | None = part("choice", default=None, choices=("counts", "importance"))
    group: str | None = part("column", "Group", "group", default=None)
    cluster: str | None = part("column", "Rows belong to", "rows belong to", default=None)
