"""Roles: which column of a table is the truth, which are the systems, and what counts as positive."""

from __future__ import annotations

from dataclasses import dataclass, fields
from urllib.parse import quote, unquote

import numpy as np
import pandas as pd

from evalcore.readers.names import COUNT_NAMES, simple
from evalcore.readers.problems import Lines, ReadProblem, named
from evalcore.readers.values import Value, text_of, value_of

__all__ = ["Roles", "check_roles"]

KINDS = ("labels", "scores", "probabilities", "counts", "estimates", "run + judgments", "unknown")


@dataclass(frozen=True)
class Roles:
    """Which column of a table plays which part.

    Parameters
    ----------
    actual : str, optional
        The column with the true labels.
    predicted : tuple of str
        Columns with predicted labels, one a system.
    score : tuple of str
        Columns with scores, one a system.
    probability : tuple of (str, str)
        Columns with the probability of a class, each with the text of its class.
    weight : str, optional
        The column that says how many times a row counts.
    group : str, optional
        The column that splits the rows; among counts the one that names each system, or each row of a matrix.
    truth : str, optional
        The column with the true numbers.
    estimate : tuple of str
        Columns with estimated numbers, one a system.
    counts : tuple of str
        The columns TP, FP, FN and TN in this order, or the columns of a square confusion matrix.
    rows_are : {"actual", "predicted"}
        What the rows of a square matrix are.
    positive : value, optional
        The value of the actual column that is the positive class.
    higher_is_positive : bool
        Whether higher scores speak for the positive class; in judged lists, whether they come first.
    query, document : str, optional
        The columns that name the query and the document of a judged list; its scores are under `score`.
    grade : str, optional
        The column with the grade that a judge gave to the document.
    rank : str, optional
        The column with the rank of the document, where there is no score.
    system : str, optional
        The column that names the system that retrieved the document, where not each has its own column of scores.

    Examples
    --------
    >>> Roles(actual="label", score=("model a", "model b"), positive="ill").to_text()
    'actual~label~~score~model%20a~model%20b~~positive~ill'
    """

    actual: str | None = None
    predicted: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    probability: tuple[tuple[str, str], ...] = ()
    weight: str | None = None
    group: str | None = None
    truth: str | None = None
    estimate: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    rows_are: str = "actual"
    positive: Value | None = None
    higher_is_positive: bool = True
    query: str | None = None
    document: str | None = None
    grade: str | None = None
    rank: str | None = None
    system: str | None = None

    @property
    def kind(self) -> str:
        """The kind of table these roles make, one of `KINDS`."""
        if self.counts:
            return "counts"
        if None not in (self.query, self.document, self.grade) and (self.score or self.rank is not None):
            return "run + judgments"
        if self.actual is not None and self.probability:
            return "probabilities"
        if self.actual is not None and self.score:
            return "scores"
        if self.actual is not None and self.predicted:
            return "labels"
        if self.truth is not None and self.estimate:
            return "estimates"
        return "unknown"

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        of_lists = (self.query, self.document, self.grade, self.rank, self.system)
        single = (self.actual, self.weight, self.group, self.truth, *of_lists)
        several = (*self.predicted, *self.score, *(column for column, _ in self.probability), *self.estimate)
        return tuple(name for name in (*single, *several, *self.counts) if name is not None)

    def is_matrix(self, rows: int) -> bool:
        """Whether the counts are a square matrix rather than TP, FP, FN and TN in each of so many rows."""
        if len(self.counts) == 4 and all(
            simple(name) in names for name, names in zip(self.counts, COUNT_NAMES.values(), strict=True)
        ):
            return False
        return len(self.counts) == rows

    def to_text(self) -> str:
        """The roles as one short text for an address; `from_text` reads it back."""
        parts = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value == field.default and type(value) is type(field.default):
                continue
            if field.name == "probability":
                value = [text for pair in value for text in pair]
            texts = value if isinstance(value, (tuple, list)) else [value]
            parts.append("~".join([field.name, *(quote(text_of(text), safe="").replace("~", "%7E") for text in texts)]))
        return "~~".join(parts)

    @classmethod
    def from_text(cls, text: str, frame: pd.DataFrame) -> Roles:
        """The roles that `to_text` wrote.

        Parameters
        ----------
        text : str
            Any text: an address may have been cut or edited.
        frame : pandas.DataFrame
            The table the roles are for.

        Raises
        ------
        ReadProblem
            If the text names no roles, or roles that do not fit the table.

        Examples
        --------
        >>> frame = pd.DataFrame({"label": [1, 0], "model a": [0.9, 0.2]})
        >>> Roles.from_text("actual~label~~score~model%20a~~positive~1", frame).positive
        1
        """
        try:
            roles = _parsed(text, frame)
        except (ValueError, TypeError, KeyError) as error:
            raise ReadProblem("These roles cannot be read. Choose the columns again on the Data page.") from error
        if roles == cls():
            raise ReadProblem("No column has a role. Choose the columns on the Data page.")
        check_roles(roles, frame)
        return roles


def check_roles(roles: Roles, frame: pd.DataFrame, lines: Lines | None = None) -> None:
    """Refuse roles that name a column the table has not, or ask numbers of words.

    Raises
    ------
    ReadProblem
        With the column, the first cell that does not fit, and what to choose in its place.
    """
    for name in roles.columns:
        if name not in frame.columns:
            raise ReadProblem(f"There is no column {named(name)} in this table. Choose one of its columns.")
    of_lists = (roles.query, roles.document, roles.grade, roles.rank, roles.system)
    truth_and_systems = (roles.actual, roles.truth, *roles.predicted, *roles.score, *roles.estimate, *of_lists)
    systems = [name for name in truth_and_systems if name is not None]
    for name in systems:
        if systems.count(name) > 1:
            raise ReadProblem(f"Column {named(name)} has two roles. A column can be the truth or one system, not both.")
    numeric = (*roles.score, *(column for column, _ in roles.probability), roles.weight, roles.truth)
    numeric = (*numeric, roles.grade, roles.rank)
    for name in (*numeric, *roles.estimate, *roles.counts):
        if name is not None and frame[name].dtype.kind not in "iufb":
            no_number = pd.to_numeric(frame[name], errors="coerce").isna() & frame[name].notna()
            words = np.flatnonzero(no_number.to_numpy(bool))
            first = f", first {named(frame[name].iloc[words[0]])}" if len(words) else ""
            where = f" in {lines.at(words[0])}" if first and lines is not None else ""
            raise ReadProblem(
                f"Column {named(name)} holds text where numbers are needed{first}{where}. Choose a column of numbers, "
                "or correct such cells."
            )
    if roles.rows_are not in ("actual", "predicted"):
        raise ReadProblem('The rows of a matrix are either "actual" or "predicted".')
    if roles.counts and len(roles.counts) != 4 and not roles.is_matrix(len(frame)):
        raise ReadProblem(
            f"{len(roles.counts)} columns of counts and {len(frame)} rows make no square matrix. "
            "Choose as many columns as there are rows, or the four columns TP, FP, FN and TN."
        )
    classes = [text for _, text in roles.probability]
    if len(set(classes)) < len(classes):
        raise ReadProblem("Two probability columns are for the same class. Keep one column for each class.")
    if roles.positive is not None:
        _positive_in(frame, roles, text_of(roles.positive))


def _parsed(text: str, frame: pd.DataFrame) -> Roles:
    found: dict[str, object] = {}
    kinds = {field.name: field.default for field in fields(Roles)}
    for part in text.split("~~"):
        name, *texts = part.split("~")
        values = tuple(unquote(value, errors="strict") for value in texts)
        if name not in kinds or name in found or not values:
            raise ValueError(name)
        if name == "probability":
            found[name] = tuple(zip(values[::2], values[1::2], strict=True))
        elif isinstance(kinds[name], tuple):
            found[name] = values
        else:
            (found[name],) = values
    if "higher_is_positive" in found:
        found["higher_is_positive"] = {"True": True, "False": False}[str(found["higher_is_positive"])]
    if "positive" in found:
        found["positive"] = _positive_in(frame, Roles(**(found | {"positive": None})), str(found["positive"]))
    return Roles(**found)


def _positive_in(frame: pd.DataFrame, roles: Roles, text: str) -> Value:
    for name in (roles.actual, *roles.predicted):
        if name is not None:
            try:
                return value_of(text, frame[name])
            except ReadProblem:
                continue
    raise ReadProblem(f"No row has the label {named(text)}. Choose a positive class that occurs in the labels.")
