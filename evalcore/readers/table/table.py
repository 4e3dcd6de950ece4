"""A table with the roles of its columns, its rows that can be used, and the cache of what is built from them."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property, partial, wraps
from threading import Lock
from typing import Any, ClassVar, Generic, TypeVar
from urllib.parse import quote

import numpy as np
import pandas as pd

from evalcore.classification import ScoredLabels
from evalcore.classification.binary.labels import can_be_multiplied, total_weight
from evalcore.numeric import Array, Flags, Indices, effective_rows
from evalcore.readers.base import Finding, Lines, ReadProblem, listed, named, text_of

__all__ = ["NO_GROUP", "STATES", "WEIGHTS_ARE", "Part", "Roles", "ScoredArrays", "Weighting", "clusters_at"]
__all__ += ["clusters_of", "codes_of", "counted_rows", "each_counts_alike", "group_codes", "in_bands", "line_counts"]
__all__ += ["ordered", "weighting", "worth_of"]

_ORDER = (
    "actual predicted score probability weight weights_are group cluster truth estimate counts rows_are positive "
    "higher_is_positive query document grade rank system"
).split()
"""The order of the parts in links; others come last."""


@dataclass(frozen=True)
class Part:
    """Definition of a part of a kind of table."""

    form: str  # "column", "columns", "classes" (columns, each with its class), "value" (a label), "flag" or "choice"
    question: str = ""  # how the data page asks for it, if it does
    word: str = ""  # what a column in this part is called
    numbers: bool = False  # whether its columns must hold numbers
    sole: bool = False  # whether a column can play only one such part, once
    choices: tuple[str, ...] = ()
    is_face: bool = False  # whether its column holds what ids look like, which changes no number
    default: Any = None  # what plays it where nothing is said; None also where the kind needs it

    def columns(self, value: Any) -> list[str]:
        """Columns among the values of this part."""
        if self.form == "classes":
            return [name for name, _ in value]
        return list(value) if self.form == "columns" else [value] if self.form == "column" else []


def part(form: str, question: str = "", word: str = "", *, default: Any = MISSING, **rest: Any) -> Any:
    """Declare a part of a kind of table as a field of its roles; without a default the part is required."""
    usual = None if default is MISSING else default
    return field(default=default, metadata={"part": Part(form, question, word, default=usual, **rest)})


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Roles of the columns of a table: the class is the kind of table, the fields are its parts."""

    kind: ClassVar[str]

    @classmethod
    def lacking(cls, parts: Mapping[str, object]) -> list[str]:
        """Required parts of this kind that have no column."""
        return [part.name for part in fields(cls) if part.default is MISSING and not parts.get(part.name)]

    @property
    def parts(self) -> dict[str, Any]:
        """Columns and values by the name of their part, without those that equal the default."""
        values = ((part, getattr(self, part.name)) for part in fields(self))
        # 1 and True are equal, and different labels
        return {one.name: value for one, value in values if (value, type(value)) != (one.default, type(one.default))}

    def get(self, part: str, default: Any = None) -> Any:
        """Return the column or value of a part; the default if the kind has no such part."""
        return getattr(self, part, default)

    def check(self, rows: int) -> None:
        """Raise ReadProblem if the parts do not fit each other, or the number of rows."""

    def to_text(self) -> str:
        """The roles as a short text for a link; `DataSet.with_roles` reads it."""
        return self._text

    @cached_property
    def _text(self) -> str:  # it is part of the key of every state
        pieces = []
        for name, value in sorted(self.parts.items(), key=lambda item: [*_ORDER, item[0]].index(item[0])):
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


_LEAST_ROWS = 10_000
R = TypeVar("R", bound=Roles, covariant=True)
State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A frame (columns of bool, int64, float64 and str), its roles, and a name from a file, to be escaped."""

    frame: pd.DataFrame
    roles: R
    name: str = "table"
    lines: Lines = Lines()  # noqa: RUF009
    digest: str = ""

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", _frame_digest(self.frame))

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def kind(self) -> str:
        """The kind of table that the roles make."""
        return self.roles.kind

    def once(self, state: str, system: str | None, build: Callable[[], State], rows: int | None = None) -> State:
        """A state of this content in these roles, built when first used; it counts as so many rows, or all."""
        # small states count too, as there may be very many of them
        rows = max(len(self.frame) if rows is None else rows, _LEAST_ROWS)
        return STATES.once((self.digest, self.roles.to_text(), state, system), rows, build)


def choose(system: str | None, choices: Iterable[str], part: str) -> str:
    """The requested system, by default the first. Raises ReadProblem if it is not among the choices."""
    if not (names := list(choices)):
        raise ReadProblem(f"This data set has no {part}. Choose one of its columns.")
    if system is not None and system not in names:
        raise ReadProblem(f"{named(system)} is not a {part} of this data set. Choose {listed(names)}.")
    return names[0] if system is None else system


def kept(
    state: str, systems: Callable[[Any], Iterable[str]] | None = None, part: str = "",
    rows: Callable[[Any], int] | None = None,
) -> Callable[[Callable[..., State]], Callable[..., State]]:  # fmt: skip
    """Decorate a function of a table, and of a system (see `choose`), to build its result once; see `Table.once`."""

    def decorate(build: Callable[..., State]) -> Callable[..., State]:
        @wraps(build)
        def of_table(table: Table[Any], system: str | None = None) -> State:
            name = choose(system, systems(table), part) if systems else None
            return table.once(state, name, partial(build, table, *([name] if systems else [])), rows and rows(table))

        return of_table

    return decorate


def _frame_digest(frame: pd.DataFrame) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name, column in frame.items():
        digest.update(f"{name}\0{column.dtype}\0{len(column)}\0".encode(errors="surrogatepass"))
        content = column if column.dtype.kind in "iufb" else pd.util.hash_pandas_object(column, index=False)
        digest.update(content.to_numpy().tobytes())
    return digest.hexdigest()


class StateCache:
    """States by key; the oldest go when all exceed a number of rows. Who asks for one that is being built waits."""

    def __init__(self, most_rows: int) -> None:
        self.most_rows, self._rows = most_rows, 0
        self._lock = Lock()
        self._states: OrderedDict[Hashable, tuple[int, Future]] = OrderedDict()

    def once(self, key: Hashable, rows: int, build: Callable[[], State]) -> State:
        """The state of a key, built unless it exists or is being built. An error is raised and not stored."""
        with self._lock:
            _, state = self._states.get(key, (0, None))
            if is_new := state is None:
                state = Future()
                self._states[key] = rows, state
                self._rows += rows
                while len(self._states) > 1 and self._rows > self.most_rows:
                    self._rows -= self._states.popitem(last=False)[1][0]
            self._states.move_to_end(key)
        if is_new:
            try:
                state.set_result(build())
            except BaseException as error:
                state.set_exception(error)
                with self._lock:
                    if self._states.get(key, (0, None))[1] is state:
                        self._rows -= self._states.pop(key)[0]
        return state.result()

    def clear(self) -> None:
        """Forget all states."""
        with self._lock:
            self._states.clear()
            self._rows = 0


# A sorted state with its staircase takes 32 bytes per row, a run 28: at most 1.6 GB for all data sets of a process.
STATES = StateCache(50_000_000)

WEIGHTS_ARE = {"counts": "counts of rows", "importance": "importance"}  # what weights can be, in words


@dataclass(frozen=True)
class Weighting:
    """The weights of a table: a key of `WEIGHTS_ARE`, their sum and effective number of rows (Kish)."""

    are: str
    total: float
    effective: float
    ones: bool = field(default=False, repr=False)  # whether each of them is 1


def weighting(table: Table[Any]) -> Weighting | None:
    """The weights of a table and how they are used: as chosen, else as counts if all are whole numbers."""
    return None if table.roles.get("weight") is None else _weighting(table)


@kept("weighting")
def _weighting(table: Table[Any]) -> Weighting:
    weights = numbers_of(table, table.roles.weight)
    weights = weights[np.isfinite(weights) & (weights >= 0)]
    usual = "counts" if (weights == np.rint(weights)).all() else "importance"
    are, ones = table.roles.get("weights_are") or usual, bool((weights == 1).all())
    return Weighting(are, total_weight(weights), effective_rows(weights), ones)


def numbers_of(table: Table[Any], column: str) -> Array:
    """A column as floats, nan where it is missing, shape (rows,)."""
    return table.frame[column].to_numpy(np.float64, na_value=np.nan)


def worth_of(table: Table[Any], weights: Array | None) -> float:
    """Effective rows per unit of the weights of some rows of a table: 1 without weights, or where they count rows."""
    kind = weighting(table)
    if weights is None or kind is None or kind.are == "counts" or np.isnan(rows := effective_rows(weights)):
        return 1.0
    return rows / float(weights.sum())


def counted_rows(table: Table[Any], *rows: np.ndarray) -> int:
    """The rows for which all masks are true; where weights count rows, their sum. One without a usable weight is 1."""
    chosen, counts = np.logical_and.reduce((np.ones(len(table), dtype=bool), *rows)), line_counts(table)
    return int(np.count_nonzero(chosen)) if counts is None else round(float(counts[chosen].sum()))


def line_counts(table: Table[Any]) -> Array | None:
    """Number of rows that each line of a table represents, shape (lines,); None if it is one each."""
    kind = weighting(table)
    if kind is None or kind.are != "counts":
        return None
    weights = numbers_of(table, table.roles.weight)
    return np.where(np.isfinite(weights) & (weights >= 0) & can_be_multiplied(kind.total), weights, 1.0)


def complete_in(table: Table[Any], *columns: str | None) -> np.ndarray:
    """Whether each row has a label, or a finite number, in all these columns and in the weights."""
    known = np.ones(len(table), dtype=bool)
    for name in {*columns, table.roles.get("weight")} & {*table.frame.columns}:
        is_number = table.frame[name].dtype.kind in "iuf"
        known &= np.isfinite(numbers_of(table, name)) if is_number else table.frame[name].notna().to_numpy(bool)
    return known


def each_counts_alike(table: Table[Any]) -> bool:
    """Whether weights count rows: without weights, with counts, or with weights of 1."""
    kind = weighting(table)
    return kind is None or kind.are == "counts" or kind.ones


@dataclass(frozen=True, eq=False)
class Rows:
    """Complete rows of a table: rows with all values that the state needs."""

    complete: Flags
    weights: Array | None
    clusters: Indices | None  # what each of them belongs to, as codes from 0; None: each is on its own

    @property
    def left_out(self) -> int:
        """Number of rows that are not complete."""
        return int(self.complete.size - np.count_nonzero(self.complete))


def complete_rows(table: Table[Any], *present: np.ndarray) -> tuple[Flags, Array | None, Indices | None]:
    """Which rows have everything, and their weights and clusters. Raises ReadProblem for unusable weights."""
    complete, weights, clusters = np.logical_and.reduce(present), None, clusters_of(table)
    if (name := table.roles.get("weight")) is not None:
        weights = numbers_of(table, name)
        if problem := weight_problem(table, weights):
            raise ReadProblem(problem.sentence)
        complete = complete & ~np.isnan(weights)
        weights = weights[complete]
    if clusters is not None:
        clusters = np.unique(clusters[complete], return_inverse=True)[1].astype(np.intp)
    return complete, weights, clusters


def weight_problem(table: Table[Any], weights: Array) -> Finding | None:
    """Find weights that are negative, infinite, or too large or small to compute with."""
    name = table.roles.weight
    bad = np.flatnonzero((weights < 0) | np.isinf(weights))
    if bad.size:
        sentence = f"Column {named(name)} holds the weight {text_of(weights[bad[0]])} in {table.lines.at(bad[0])}. "
        sentence += "A weight is how many times a row counts, 0 or more; correct the file or choose no weight column."
        return Finding("error", sentence, int(bad.size), name, code="bad weights")
    if not can_be_multiplied(total := total_weight(weights)):
        sentence = f"The weights of column {named(name)} add up to {total:.3g}, which cannot be computed with. Rescale "
        return Finding("error", f"{sentence}them, or choose no weight column.", len(weights), name, code="bad weights")
    return None


def clusters_of(table: Table[Any]) -> Indices | None:
    """The cluster of each row as a code from 0 (without one its own); None if rows are independent.

    Rows with importance weights are clusters of their own, because what each of them adds is what varies.
    """
    if (name := table.roles.get("cluster")) is not None:
        return table.once("clusters", name, lambda: _clusters(table, name))
    if each_counts_alike(table):
        return None
    unloaded = getattr(table, "unloaded", None)
    if unloaded is not None and unloaded.pieces in table.frame:
        return np.unique(table.frame[unloaded.pieces], return_inverse=True)[1].astype(np.intp)
    return np.arange(len(table))


def _clusters(table: Table[Any], name: str) -> Indices | None:
    codes, values = pd.factorize(table.frame[name])
    missing = np.flatnonzero(codes < 0)
    codes = codes.astype(np.intp)
    codes[missing] = len(values) + np.arange(len(missing))
    if len(values) + len(missing) < len(codes):
        return codes
    # A row that counts several times is a cluster of as many.
    return None if each_counts_alike(table) and table.roles.get("weight") is None else np.arange(len(codes))


def clusters_at(table: Table[Any], rows: np.ndarray) -> Indices | None:
    """Return the clusters of some rows of the table, given by number or as flags; None if rows are independent."""
    codes = clusters_of(table)
    return None if codes is None else codes[rows]


def codes_of(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """The code of each row's label, -1 where it is missing, and the text of each code."""
    codes, values = pd.factorize(column)
    texts = tuple(text_of(value) for value in values)
    distinct = tuple(dict.fromkeys(texts))
    if len(distinct) == len(texts):
        return codes, texts
    # a column made by hand may hold 1 and "1", which are one label
    indices = np.array([distinct.index(text) for text in texts], dtype=np.int64)
    return np.where(codes >= 0, indices[codes], -1), distinct


def ordered(texts: set[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Labels in natural order: by number if all are numbers or bands of one, else by name.

    >>> ordered(("10", "9")), ordered(("b", "a", "10")), ordered(("18-39", "<18", "40+"))
    (('9', '10'), ('10', 'a', 'b'), ('<18', '18-39', '40+'))
    """
    try:
        return tuple(sorted(texts, key=lambda text: (float(text), text)))
    except ValueError:
        return tuple(in_bands(texts) or sorted(texts))


def in_bands(texts: Iterable[str]) -> list[str] | None:
    """Sort the bands of a number, such as ages, from the lowest; None if a text is no band, or two begin alike."""
    lowest: dict[str, tuple[float, int]] = {}
    for text in texts:
        if not (band := _BAND.fullmatch(text.strip())):
            return None
        below, number = band["below"], float(band["number"].replace(",", "."))
        lowest[text] = (number, -1 if below else 1 if band["above"] else 0)
    return sorted(lowest, key=lambda text: lowest[text]) if len(set(lowest.values())) == len(lowest) > 1 else None


# "<40", "under 40", "40-59", "40 to 59", "[40, 60)", "60+", "≥ 60", "over 60", "60 and older", or a number alone
_BAND = re.compile(
    r"(?:(?P<below><=?|≤|under|below|up to)|(?P<above>>=?|≥|over|above))?\s*[\[(]?\s*(?P<number>\d+(?:[.,]\d+)?)"
    r"(?:\s*(?:-|–|—|to|\.\.|…|,)\s*\d+(?:[.,]\d+)?\s*[\])]?|\s*\+|\s+(?:and|or)\s+(?:older|over|more|above|up))?"
    r"(?:\s*(?:years?|yrs?|y))?",
    re.IGNORECASE,
)


NO_GROUP = "(no group)"  # the name of the rows without a group


def group_codes(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """The code of each row's group and the names of the groups; rows without one are the group `NO_GROUP`."""
    codes, names = codes_of(column)
    if not (codes < 0).any():
        return codes, names
    missing = NO_GROUP
    while missing in names:  # a group may really have this name
        missing = f"({missing})"
    return np.where(codes < 0, len(names), codes), (*names, missing)


@dataclass(frozen=True, eq=False)
class ScoredArrays(Rows):
    """Labels (true for the positive class) and scores, as in the file, of the rows that have both, shape (n,)."""

    labels: np.ndarray
    scores: np.ndarray
    group_column: pd.Series | None = None

    @property
    def group_codes(self) -> tuple[np.ndarray, tuple[str, ...]] | None:
        """Group codes and names of the rows (see the function `group_codes`); None without a group column."""
        return None if self.group_column is None else group_codes(self.group_column[self.complete])


@kept("actual labels", rows=lambda table: len(table.frame) // 16)
def _actual_codes(table: Table[Any]) -> tuple[np.ndarray, tuple[str, ...]]:
    """`codes_of` the actual labels, which all systems share, in as few bytes as they need."""
    codes, texts = codes_of(table.frame[table.roles.actual])
    return codes.astype(np.min_scalar_type(-len(texts) - 1)), texts


def scored_arrays(table: Table[Any], system: str | None = None) -> ScoredArrays:
    """See `DataSet.scored_arrays`."""
    classes = table.roles.positive_of_column
    system = choose(system, classes, "score column")
    actual, positive = table.roles.actual, classes[system]
    codes, texts = _actual_codes(table)
    if positive is None and len(texts) > 1:
        raise ReadProblem(f"Column {named(actual)} has {len(texts)} labels. Choose which of them is positive.")
    scores = numbers_of(table, system)
    complete, weights, clusters = complete_rows(table, codes >= 0, np.isfinite(scores))
    # if no row has the positive class, all rows are negative
    code = texts.index(text_of(positive)) if text_of(positive) in texts else -2
    group = None if table.roles.group is None else table.frame[table.roles.group]
    return ScoredArrays(complete, weights, clusters, codes[complete] == code, scores[complete], group)


def scored(table: Table[Any], system: str | None = None) -> ScoredLabels:
    """See `DataSet.scored`."""
    return _scored(table, system)[0]


def left_out(table: Table[Any], system: str | None = None) -> int:
    """Number of rows that `scored` leaves out."""
    return _scored(table, system)[1]


@kept("scored", lambda table: table.roles.positive_of_column, "score column")
def _scored(table: Table[Any], system: str) -> tuple[ScoredLabels, int]:
    rows, higher = scored_arrays(table, system), table.roles.get("higher_is_positive", True)
    beside = {"weights": rows.weights, "clusters": rows.clusters, "higher_is_positive": higher}
    return ScoredLabels.from_arrays(rows.labels, rows.scores, **beside), rows.left_out
