"""Data sets from files, frames and arrays, with a card that shows what was read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from evalcore import readers
from evalcore.classification.binary.labels import positive_label
from evalcore.library import states
from evalcore.library.states import column, has_fractions
from evalcore.readers import listed, named
from evalcore.readers.base.problems import Lines
from evalcore.readers.base.values import value_of
from evalcore.readers.dataset.assignment import PARTS, with_positive
from evalcore.readers.files.frames import content_of
from evalcore.readers.trec.trec import ranked_dataset
from evalcore.retrieval import Judgments, Run

__all__ = ["numbers", "read", "report", "show", "source_of"]


_ROLES = ("positive", "higher_is_positive")
_BESIDE = {"weights": "weight", "clusters": "cluster", "groups": "group", "amounts": "amounts"}
"""Keywords that are no columns, and those that are, each with its column."""

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
    if isinstance(data, readers.DataSet):
        made = data
    elif isinstance(data, (str, Path)) and all(isinstance(one, (str, Path)) for one in more):
        made = readers.read_files(contents_of([Path(one) for one in (data, *more)]))
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


def contents_of(paths: Sequence[Path]) -> dict[str, bytes]:
    """The bytes of files by their names. Raises ValueError where two have one name."""
    files: dict[str, bytes] = {}
    for path in paths:
        if path.name in files:
            raise ValueError(f'Two files are named "{path.name}". Give each its own name.')
        files[path.name] = path.read_bytes()
    return files


def _arrow(frame: Any) -> Any:
    """A frame of pandas, Polars or any library that speaks Arrow, as a table of Arrow."""
    pa = import_module("pyarrow")
    if hasattr(frame, "iloc"):
        return pa.Table.from_pandas(frame.rename(columns=str), preserve_index=False)
    return frame.to_arrow() if hasattr(frame, "to_arrow") else pa.table(frame)


def _of_table(table: Any, parts: dict[str, Any] | None = None) -> Any:
    """A data set of an Arrow table, whose columns are read as those of a Parquet file."""
    frame, lines, findings = content_of(table, table.column_names, Lines(0, "row"), [])
    roles = None if parts is None else readers.roles_of(**with_positive(parts, frame))
    return readers.DataSet.of(frame, "rows", roles=roles, lines=lines, read_findings=tuple(findings))


def _rankings(judged: Any, *runs: Any) -> Any:
    if not runs:
        raise TypeError("Judgments come first, then one run or several; only judgments were given.")
    by_name = runs[0] if len(runs) == 1 and _holds_runs(runs[0]) else {}
    names = [*by_name] or [_name_of(run, "Run" if len(runs) == 1 else f"Run {n}") for n, run in enumerate(runs, 1)]
    judgments, each = states.judgments_of(judged), dict[str, Run]()
    for name, run in zip(names, by_name.values() or runs, strict=True):
        each[name] = states.run_of(run)
        if not (judgments is judged or each[name] is run):
            states.refuse_exchanged_runs(judgments, each[name])
    return ranked_dataset(judgments, each, "rankings")


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
    frame, parts, whole = dataset.frame, dict[str, Any](), dataset.roles.parts
    for name, value in given.items():
        part = _part_of(name, dataset, given)
        if part not in PARTS:
            known = ", ".join(sorted({*PARTS, "truth", "weights", "clusters", "groups"}))
            raise TypeError(f"{word(name)} is no role of a column; roles are {known}.")
        form = PARTS[part].form
        if form in ("columns", "classes") and value is not None:
            value = (value,) if isinstance(value, str) else tuple(value.items() if form == "classes" else value)
        for each in PARTS[part].columns(value) if value is not None else ():
            if each not in frame.columns:
                raise ValueError(f"{word(name)}: {named(dataset.name)} has no {named(each)}, only {listed(frame)}.")
        parts[part] = value
    columns = {part: PARTS[part].columns(value) for part, value in (*whole.items(), *parts.items()) if value}
    used = {each for part in parts for each in columns.get(part, ())}
    parts |= {part: value for part, value in whole.items() if part not in parts and not used & {*columns[part]}}
    positive = parts.pop("positive", None) if "positive" in given else None
    made = dataset.with_roles(readers.roles_of(**with_positive(parts, frame)))
    if made.kind == "unknown" and dataset.kind != "unknown":
        words = ", ".join(map(word, given))
        raise ValueError(f"{words}: with these roles {named(dataset.name)} is no table of a kind.")
    if positive is None:
        return made
    if "positive" not in readers.KINDS[made.kind].parts:
        kind = readers.KINDS[made.kind].title
        raise ValueError(f"{word('positive')}: {named(made.name)} holds {kind}, without a positive class.")
    label = label_of(made, made.roles.get("actual"), readers.text_of(positive), word("positive"))
    return made.with_roles(replace(made.roles, positive=label))


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
    return _BESIDE.get(name, "score" if name == "system" else name)


def label_of(dataset: Any, column: str, text: str, word: str) -> Any:
    """The label of a column with this text. Raises ValueError, with the labels there are, for another one."""
    try:
        return value_of(text, dataset.frame[column])
    except ValueError:
        labels = listed(dataset.frame[column].dropna().unique().tolist())
        raise ValueError(
            f"No row of {named(dataset.name)} has the label {named(text)} in column {named(column)}, only {labels}. "
            f"Name the positive class with {word}."
        ) from None


def source_of(kind: str | None, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The `Source` of an analysis: of a data set, a file or a frame, or of truth and systems as columns.

    Where the kind is None, the values tell it. Takes `positive`, `weights`, `clusters`, `groups`, `classes` and
    `higher_is_positive` out of the keywords.
    """
    analyses = import_module("evalcore.analyses")
    names = (*_ROLES, "weights", "clusters", "groups", "classes", "amounts")
    beside = {name: keywords.pop(name) for name in names if name in keywords}
    first, *others = given
    if isinstance(first, analyses.Source):
        if beside:
            raise TypeError(f"{', '.join(beside)}: an analysis has its roles; name them where the data are read.")
        return first
    of_ids = len(getattr(first, "columns", ())) > 2
    if not others or isinstance(first, (str, Path, Mapping, Judgments)) or of_ids:
        for name, value in beside.items():
            if name not in _ROLES and value is not None and not isinstance(value, str):
                raise TypeError(f"{name}: a data set has columns; give the name of one.")
        made = read(first, *others, **beside)
        source = analyses.Source.of(made)  # and what had no file has roles of its own
        return source if "." in made.name else replace(source, detected_roles=readers.roles_of())
    made = _of_table(*_columns_of(kind or _kind_of(first, others), first, others, beside))
    return replace(analyses.Source.of(made), detected_roles=readers.roles_of())


def _kind_of(truth: Any, systems: list[Any]) -> str:
    """Kind of the rows that some columns make."""
    if np.ndim(systems[0]) == 2 or hasattr(systems[0], "columns"):
        return "probabilities"
    actual, said = column(truth, "truth"), column(_columns_in(systems)[0][1], "system")
    if said.dtype.kind in "OUSb" or actual.dtype.kind not in "OUSbiuf":
        return "labels"
    if actual.dtype.kind in "OUSb":
        return "scores"
    different = len(np.unique(actual[np.isfinite(actual)]))
    if has_fractions(actual) or different > _FEW or (different > 2 and has_fractions(said)):
        return "estimates"
    return "scores" if has_fractions(said) or not np.isin(said, actual).all() else "labels"


def _columns_in(systems: list[Any]) -> list[tuple[str, Any]]:
    """Columns of systems with their names: those of a dictionary or of series, else numbered."""
    if len(systems) == 1 and isinstance(systems[0], Mapping):
        return [(str(name), one) for name, one in systems[0].items()]
    usual = ["system"] if len(systems) == 1 else [f"System {place}" for place, _ in enumerate(systems, 1)]
    names = [_name_of(one, name) for one, name in zip(systems, usual, strict=True)]
    return [*zip(names if len({*names, "truth"}) == len(names) + 1 else usual, systems, strict=True)]


def _columns_of(kind: str, truth: Any, systems: list[Any], beside: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Table of Arrow with the columns, and their roles."""
    pa = import_module("pyarrow")
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
            states.refuse_exchanged(columns["truth"])
        said = dict(_columns_in(systems))
        states.in_one_order(truth=truth, **said)
        columns |= {name: column(one, name) for name, one in said.items()}
        roles[{"labels": "predicted", "scores": "score", "estimates": "estimate"}[kind]] = tuple(said)
    for name, role in _BESIDE.items():
        if beside.get(name) is not None:
            columns[role] = column(beside[name], name)
            roles |= {role: role} if name != role else {}  # amounts have no role
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
