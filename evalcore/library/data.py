"""Data sets from files, frames and arrays, with a card that shows what was read."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.classification.binary.labels import positive_label
from evalcore.library.states import (
    column,
    has_fractions,
    in_one_order,
    judgments_of,
    refuse_exchanged,
    refuse_exchanged_runs,
    run_of,
)
from evalcore.retrieval import Judgments, Run

__all__ = ["numbers", "read", "report", "show", "source_of"]


_NAMES = {"truth": "actual", "weights": "weight", "clusters": "cluster", "groups": "group"}
"""Keywords of arrays, and the roles that such columns have in a table."""

_FEW = 20
"""Different numbers up to which a truth may be labels."""


def read(data: Any, *more: Any, kind: str | None = None, **roles: Any) -> Any:
    """Read a table, or judgments and runs, as a data set with roles, kind and findings.

    Parameters
    ----------
    data, *more : path, DataFrame, mapping or state
        A file of any format that the application reads, or several that belong together; a DataFrame of pandas or
        Polars; judgments, then runs: TREC files, dictionaries of dictionaries, frames or states.
    kind : str, optional
        Of the table, where its columns fit several: "labels", "scores", "probabilities", "estimates", …
    **roles
        Columns by role, instead of those that are recognized: truth, predicted, score, estimate, query, document,
        grade, weights, clusters, groups; and positive, the positive label.

    Returns
    -------
    evalcore.readers.DataSet

    Raises
    ------
    evalcore.readers.ReadProblem
        If it cannot be read; says what is wrong where, and what to do.

    Examples
    --------
    >>> import pandas as pd
    >>> data = read(pd.DataFrame({"ill": ["yes", "no", "yes"], "score": [0.9, 0.4, 0.7]}))
    >>> data.kind, data.roles.positive
    ('scores', 'yes')
    """
    readers = import_module("evalcore.readers")
    if isinstance(data, readers.DataSet):
        made = data
    elif isinstance(data, (str, Path)) and all(isinstance(one, (str, Path)) for one in more):
        made = readers.read_files({Path(one).name: Path(one).read_bytes() for one in (data, *more)})
        steps = readers.opening_steps(made.findings)
        made = made.shaped(steps) if steps else made
    elif isinstance(data, Mapping) and not more and not any(isinstance(one, Mapping) for one in data.values()):
        made = _of_table(import_module("pyarrow").table({name: column(one, name) for name, one in data.items()}))
    elif more or isinstance(data, (Mapping, Judgments)):
        made = _rankings(data, *more)
    elif hasattr(data, "columns"):
        made = _of_table(_arrow(data))
    else:
        raise TypeError(f"read takes files, frames, or judgments and runs, not {type(data).__name__}.")
    if kind is not None:
        if kind not in readers.KINDS:
            raise ValueError(f"kind={kind!r} is not one of {', '.join(map(repr, readers.KINDS))}.")
        made = made.with_roles(readers.as_kind(made.roles, kind, made.frame))
    return with_named(made, roles) if roles else made


def _arrow(frame: Any) -> Any:
    """A frame of pandas, Polars or any library that speaks Arrow, as a table of Arrow."""
    pa = import_module("pyarrow")
    if hasattr(frame, "iloc"):
        return pa.Table.from_pandas(frame.rename(columns=str), preserve_index=False)
    return frame.to_arrow() if hasattr(frame, "to_arrow") else pa.table(frame)


def _of_table(table: Any, parts: dict[str, Any] | None = None) -> Any:
    """A data set of an Arrow table, whose columns are read as those of a Parquet file."""
    readers, frames = import_module("evalcore.readers"), import_module("evalcore.readers.files.frames")
    assignment = import_module("evalcore.readers.dataset.assignment")
    lines = import_module("evalcore.readers.base.problems").Lines(0, "row")
    frame, lines, findings = frames.content_of(table, table.column_names, lines, [])
    roles = None if parts is None else readers.roles_of(**assignment.with_positive(parts, frame))
    return readers.DataSet.of(frame, "rows", roles=roles, lines=lines, read_findings=tuple(findings))


def _rankings(judged: Any, *runs: Any) -> Any:
    if not runs:
        raise TypeError("Judgments come first, then one run or several; only judgments were given.")
    named = runs[0] if len(runs) == 1 and _holds_runs(runs[0]) else {}
    names = [*named] or [_name_of(run, f"Run {place}" if len(runs) > 1 else "Run") for place, run in enumerate(runs, 1)]
    judgments, each = judgments_of(judged), dict[str, Run]()
    for name, run in zip(names, named.values() or runs, strict=True):
        each[name] = run_of(run)
        if not (judgments is judged or each[name] is run):
            refuse_exchanged_runs(judgments, each[name])
    return import_module("evalcore.readers.trec.trec").ranked_dataset(judgments, each, "rankings")


def _holds_runs(given: Any) -> bool:
    """Whether a dictionary has a run for each system: query → document → score stands one level deeper."""
    if not isinstance(given, Mapping) or not given:
        return False
    first = next(iter(given.values()))
    deeper = next(iter(first.values()), None) if isinstance(first, Mapping) else first
    return isinstance(deeper, Mapping) or isinstance(first, (str, Path, Run)) or hasattr(first, "columns")


def _name_of(given: Any, other: str) -> str:
    if isinstance(given, (str, Path)):
        return Path(given).stem
    name = getattr(given, "name", None)
    return str(name) if isinstance(name, (str, int)) and str(name) else other


def with_named(dataset: Any, given: Mapping[str, Any], word: Callable[[str], str] = str) -> Any:
    """The data set with columns in the roles that a user names, the others as they are; None takes a role away.

    Raises ValueError, with the word for the role as the user knows it, for a column or a label that is not there.
    """
    assignment, readers = import_module("evalcore.readers.dataset.assignment"), import_module("evalcore.readers")
    frame, parts, whole = dataset.frame, dict[str, Any](), dataset.roles.parts
    named, listed = readers.named, readers.listed
    for name, value in given.items():
        part = _part_of(name, dataset, given)
        if part not in assignment.PARTS:
            known = ", ".join(sorted({*assignment.PARTS, *_NAMES}))
            raise TypeError(f"{word(name)} is no role of a column; roles are {known}.")
        form = assignment.PARTS[part].form
        if form in ("columns", "classes") and value is not None:
            value = (value,) if isinstance(value, str) else tuple(value.items() if form == "classes" else value)
        for each in assignment.PARTS[part].columns(value) if value is not None else ():
            if each not in frame.columns:
                raise ValueError(f"{word(name)}: {named(dataset.name)} has no {named(each)}, only {listed(frame)}.")
        parts[part] = value
    columns = {part: assignment.PARTS[part].columns(value) for part, value in (*whole.items(), *parts.items()) if value}
    used = {each for part in parts for each in columns.get(part, ())}
    parts |= {part: value for part, value in whole.items() if part not in parts and not used & {*columns[part]}}
    positive = parts.pop("positive", None) if "positive" in given else None
    made = dataset.with_roles(readers.roles_of(**assignment.with_positive(parts, frame)))
    if made.kind == "unknown" and dataset.kind != "unknown":
        raise ValueError(
            f"{', '.join(map(word, given))}: with these roles {named(dataset.name)} is no table of a kind."
        )
    return made if positive is None else _with_positive(made, positive, word("positive"))


def _part_of(name: str, dataset: Any, given: Mapping[str, Any]) -> str:
    """Part of the roles that a name means: the truth of numbers is another than that of labels."""
    frame, column = dataset.frame, given[name]
    are_numbers = "estimate" in given or dataset.kind == "estimates"
    truth = given.get("truth")
    if not are_numbers and dataset.kind == "unknown" and isinstance(truth, str) and truth in frame.columns:
        are_numbers = frame[truth].dtype.kind == "f" and frame[truth].nunique() > 2
    if name == "truth":
        return "truth" if are_numbers else "actual"
    if name == "system" and isinstance(column, str) and column in frame.columns:
        values = frame[column]
        is_label = values.dtype.kind not in "iuf" or {*values.dropna()} <= {*dataset.labels}
        return "estimate" if are_numbers else "predicted" if is_label else "score"
    return _NAMES.get(name, "score" if name == "system" else name)


def label_of(dataset: Any, column: str, text: str, word: str) -> Any:
    """The label of a column with this text. Raises ValueError, with the labels there are, for another one."""
    readers, values = import_module("evalcore.readers"), import_module("evalcore.readers.base.values")
    try:
        return values.value_of(text, dataset.frame[column])
    except ValueError:
        labels = readers.listed(dataset.frame[column].dropna().unique().tolist())
        raise ValueError(
            f"No row of {readers.named(dataset.name)} has the label {readers.named(text)} in column "
            f"{readers.named(column)}, only {labels}. Name the positive class with {word}."
        ) from None


def _with_positive(dataset: Any, positive: Any, word: str) -> Any:
    readers = import_module("evalcore.readers")
    named = readers.named
    if "positive" not in readers.KINDS[dataset.kind].parts:
        kind = readers.KINDS[dataset.kind].title
        raise ValueError(f"{word}: {named(dataset.name)} holds {kind}, without a positive class.")
    label = label_of(dataset, dataset.roles.get("actual"), readers.text_of(positive), word)
    return dataset.with_roles(replace(dataset.roles, positive=label))


def source_of(kind: str | None, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The `Source` of an analysis: of a data set, a file or a frame, or of truth and systems as columns.

    Where the kind is None, the values tell it. Takes `positive`, `weights`, `clusters`, `groups`, `classes` and
    `higher_is_positive` out of the keywords.
    """
    analyses = import_module("evalcore.analyses")
    readers = import_module("evalcore.readers")
    beside = {name: keywords.pop(name) for name in _BESIDE if name in keywords}
    first, *others = given
    if isinstance(first, analyses.Source):
        if beside:
            raise TypeError(f"{', '.join(beside)}: an analysis has its roles; name them where the data are read.")
        return first
    if not others or isinstance(first, (str, Path, Mapping, Judgments)) or _is_frame_of_ids(first):
        for name in beside.keys() - _ROLES:
            if beside[name] is not None and not isinstance(beside[name], str):
                raise TypeError(f"{name}: a data set has columns; give the name of one.")
        made = read(first, *others, **beside)
        source = analyses.Source.of(made)  # and what had no file has roles of its own
        return source if "." in made.name else replace(source, detected_roles=readers.roles_of())
    made = _of_table(*_columns_of(kind or _kind_of(first, others), first, others, beside))
    return replace(analyses.Source.of(made), detected_roles=readers.roles_of())


_ROLES = frozenset({"positive", "higher_is_positive"})
_BESIDE = ("positive", "higher_is_positive", "weights", "clusters", "groups", "classes", "amounts")


def _is_frame_of_ids(given: Any) -> bool:
    return len(getattr(given, "columns", ())) > 2


def _kind_of(truth: Any, systems: list[Any]) -> str:
    """Kind of the rows that some columns make."""
    if np.ndim(systems[0]) == 2 or hasattr(systems[0], "columns"):
        return "probabilities"
    actual, said = column(truth, "truth"), column(_columns_in(systems)[0][1], "system")
    if said.dtype.kind in "OUSb" or actual.dtype.kind not in "OUSbiuf":
        return "labels"
    if actual.dtype.kind in "OUSb":
        return "scores"
    if has_fractions(actual) or len(np.unique(actual[np.isfinite(actual)])) > _FEW:
        return "estimates"
    if len(np.unique(actual[np.isfinite(actual)])) > 2 and has_fractions(said):
        return "estimates"
    return "scores" if has_fractions(said) or not np.isin(said, actual).all() else "labels"


def _columns_in(systems: list[Any]) -> list[tuple[str, Any]]:
    """Columns of systems with their names: those of a dictionary or of series, else numbered."""
    if len(systems) == 1 and isinstance(systems[0], Mapping):
        return [(str(name), one) for name, one in systems[0].items()]
    usual = ["system"] if len(systems) == 1 else [f"System {place}" for place, _ in enumerate(systems, 1)]
    names = [_name_of(one, name) for one, name in zip(systems, usual, strict=True)]
    distinct = len({*names, "truth"}) == len(names) + 1
    return [*zip(names if distinct else usual, systems, strict=True)]


def _columns_of(kind: str, truth: Any, systems: list[Any], beside: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Table of Arrow with the columns, and their roles."""
    pa, readers = import_module("pyarrow"), import_module("evalcore.readers")
    columns = {"truth": column(truth, "truth")}
    roles: dict[str, Any] = {"truth" if kind == "estimates" else "actual": "truth"}
    if kind == "probabilities":
        table = np.asarray(systems[0].to_numpy() if hasattr(systems[0], "to_numpy") else systems[0])
        names = beside.get("classes", getattr(systems[0], "columns", None))
        labels = {*map(readers.text_of, dict.fromkeys(columns["truth"].tolist()))}
        names = [*map(readers.text_of, np.unique(columns["truth"]) if names is None else names)]
        if len(names) != table.shape[1]:
            raise ValueError(f"There are {table.shape[1]} columns of probabilities and {len(names)} classes.")
        columns |= {f"p {name}": table[:, place] for place, name in enumerate(names)}
        roles["probability"] = tuple((f"p {name}", name) for name in names)
        if not labels & {*names}:
            raise ValueError(
                f"The columns {', '.join(map(repr, names[:8]))} are no classes of the truth; name them by classes=…."
            )
    else:
        if kind in ("labels", "scores"):
            refuse_exchanged(columns["truth"])
        named = _columns_in(systems)
        in_one_order(truth=truth, **dict(named))
        columns |= {name: column(one, name) for name, one in named}
        part = {"labels": "predicted", "scores": "score", "estimates": "estimate"}[kind]
        roles[part] = tuple(name for name, _ in named)
    for name in ("weights", "clusters", "groups"):
        if beside.get(name) is not None:
            role = _NAMES[name]
            columns[role], roles[role] = column(beside[name], name), role
    if beside.get("amounts") is not None:
        columns["amounts"] = column(beside["amounts"], "amounts")
    lengths = {name: len(one) for name, one in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"The columns differ in length: {', '.join(f'{name} {n}' for name, n in lengths.items())}.")
    table = pa.table({name: pa.array(one, from_pandas=True) for name, one in columns.items()})
    given = beside.get("positive")
    if kind == "scores" or given is not None:
        present = [label for label in columns["truth"].tolist() if label is not None and label == label]
        found = positive_label(True if given is None else given, np.array(present, columns["truth"].dtype))
        roles["positive"] = 1 if found is True and columns["truth"].dtype != bool else found
    if kind == "scores":
        roles["higher_is_positive"] = beside.get("higher_is_positive", True)
    return table, {"positive": None, **roles} if kind in ("labels", "scores") else roles


def show(truth: Any, *system: Any, **settings: Any) -> Any:
    """A view that lives in a notebook: of scores the threshold view, of classes the matrix, of rankings the curves.

    Parameters
    ----------
    truth, *system : array_like
        As for `confusion`, `ranking` or `regression`; or a data set, a frame or a file.
    **settings
        positive, weights, clusters, groups, and those of `evalcore.reports.ReportSettings`, such as ``threshold=0.4``;
        ``shake=True`` for a view of scores that shows 30 samples like its rows one after the other.

    Returns
    -------
    evalcore.notebook.View
        With anywidget, its `threshold` and `rows("missed")` follow the hand.

    Examples
    --------
    >>> view = show([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.5], threshold=0.45)
    >>> view.threshold, len(view.rows("missed"))
    (0.45, 1)
    """
    return import_module("evalcore.notebook").show(source_of(None, (truth, *system), settings), **settings)


def report(data: Any, path: Any, pages: Any = None, settings: Any = None) -> Any:
    """Write a data set with its analyses and pictures as one HTML file that needs no server.

    Parameters
    ----------
    data : DataSet, Source, DataFrame or path
        Or a tuple of truth and systems.
    path : str or pathlib.Path
        Of the file that is written.
    pages : iterable of str, optional
        Pages to include, such as "classify/threshold"; by default all that can show the data.
    settings : evalcore.reports.ReportSettings, optional
        Threshold, goal and intervals.

    Returns
    -------
    pathlib.Path
        Of the file.

    Raises
    ------
    ValueError
        If a page is not one that this kind of data has.

    Examples
    --------
    >>> import tempfile
    >>> from evalcore.readers import read_sample
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = report(read_sample("roc_20"), f"{folder}/report.html")
    ...     1000 < file.stat().st_size < 2_000_000
    True
    """
    source = source_of(None, data if isinstance(data, tuple) else (data,), {})
    return import_module("evalcore.reports").write_report(source, path, pages, settings)


def numbers(
    data: Any, threshold: float | None = None, level: float = 0.95, intervals: Any = None, rankings: Any = None
) -> dict[str, Any]:
    """All measures of a data set with their intervals as one dictionary; see `evalcore.analyses.numbers_of`.

    Parameters
    ----------
    data : DataSet, Source, DataFrame or path
        Or a tuple of truth and systems.
    threshold : float, optional
        Of scores; by default the one that a page starts from.
    level : float
        Of the intervals.
    intervals : evalcore.inference.IntervalChoice, optional
        Other methods, with a level of their own.
    rankings : evalcore.analyses.Rankings, optional
        With k, the relevance level and the other settings of rankings.

    Returns
    -------
    dict
        In types that JSON has; what is undefined or infinite is None, with a reason.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> numbers(read_sample("roc_20"), threshold=0.54)["systems"][0]["counts"]
    {'tp': 5.0, 'fp': 1.0, 'fn': 5.0, 'tn': 9.0}
    """
    if threshold is not None and np.ndim(threshold):
        raise TypeError("numbers takes one data set: give truth and systems as one tuple, numbers((truth, scores)).")
    source = source_of(None, data if isinstance(data, tuple) else (data,), {})
    return import_module("evalcore.analyses").numbers_of(source, threshold, level, intervals, rankings)
