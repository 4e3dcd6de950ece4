"""Data sets from files, frames and arrays, with a card that shows what was read."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.classification.binary.labels import positive_label
from evalcore.library.states import column, has_fractions, in_one_order, judged_run, judgments_of
from evalcore.retrieval import Judgments, Run

__all__ = ["read", "source_of"]


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
    elif isinstance(data, (str, Path)) and not more:
        made = readers.read_table(data)
    elif isinstance(data, (str, Path)) and all(isinstance(one, (str, Path)) for one in more):
        made = readers.read_files({Path(one).name: Path(one).read_bytes() for one in (data, *more)})
    elif more or isinstance(data, (Mapping, Judgments)):
        made = _rankings(data, *more)
    elif hasattr(data, "columns"):
        made = _of_table(_arrow(data))
    else:
        raise TypeError(f"read takes files, frames, or judgments and runs, not {type(data).__name__}.")
    return _with_roles(made, kind, roles) if roles or kind else made


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
    each = {name: judged_run(judged, run)[1] for name, run in zip(names, named.values() or runs, strict=True)}
    return import_module("evalcore.readers.trec.trec").ranked_dataset(judgments_of(judged), each, "rankings")


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


def _with_roles(dataset: Any, kind: str | None, roles: dict[str, Any]) -> Any:
    assignment = import_module("evalcore.readers.dataset.assignment")
    if kind is not None:
        dataset = dataset.with_roles(assignment.as_kind(dataset.roles, kind, dataset.frame))
    for name, value in roles.items():
        part = "truth" if name == "truth" and dataset.kind == "estimates" else _NAMES.get(name, name)
        if part not in assignment.PARTS:
            raise TypeError(f"read takes no {name}; roles are {', '.join(sorted({*assignment.PARTS, *_NAMES}))}.")
        many = assignment.PARTS[part].form in ("columns", "classes")
        value = ((value,) if isinstance(value, str) else tuple(value)) if many else value
        missing = [one for one in assignment.PARTS[part].columns(value) if one not in dataset.frame.columns]
        if missing:
            columns = ", ".join(map(repr, dataset.frame.columns[:20]))
            raise ValueError(f"{name}={missing[0]!r} is no column; there are {columns}.")
        dataset = dataset.with_roles(assignment.reassigned(dataset.roles, part, value, dataset.frame))
    return dataset


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
        return first
    if not others or isinstance(first, (str, Path, Mapping, Judgments)) or _is_frame_of_ids(first):
        roles = {name: value for name, value in beside.items() if name in _ROLES}
        return analyses.Source.of(read(first, *others, **roles))
    made = _of_table(*_columns_of(kind or _kind_of(first, others), first, others, beside))
    return replace(analyses.Source.of(made), detected_roles=readers.roles_of())


_ROLES = ("positive", "higher_is_positive")
_BESIDE = (*_ROLES, "weights", "clusters", "groups", "classes")


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
        names = [*map(readers.text_of, np.unique(columns["truth"]) if names is None else names)]
        if len(names) != table.shape[1]:
            raise ValueError(f"There are {table.shape[1]} columns of probabilities and {len(names)} classes.")
        columns |= {f"p {name}": table[:, place] for place, name in enumerate(names)}
        roles["probability"] = tuple((f"p {name}", name) for name in names)
    else:
        named = _columns_in(systems)
        in_one_order(truth=truth, **dict(named))
        columns |= {name: column(one, name) for name, one in named}
        part = {"labels": "predicted", "scores": "score", "estimates": "estimate"}[kind]
        roles[part] = tuple(name for name, _ in named)
    for name in ("weights", "clusters", "groups"):
        if beside.get(name) is not None:
            role = _NAMES[name]
            columns[role], roles[role] = column(beside[name], name), role
    lengths = {name: len(one) for name, one in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"The columns differ in length: {', '.join(f'{name} {n}' for name, n in lengths.items())}.")
    table = pa.table({name: pa.array(one, from_pandas=True) for name, one in columns.items()})
    given = beside.get("positive")
    present = [label for label in columns["truth"].tolist() if label is not None and label == label]
    if kind == "scores" or given is not None:
        found = positive_label(True if given is None else given, np.array(present, columns["truth"].dtype))
        roles["positive"] = 1 if found is True and columns["truth"].dtype != bool else found
    if kind == "scores":
        roles["higher_is_positive"] = beside.get("higher_is_positive", True)
    return table, {"positive": None, **roles} if kind in ("labels", "scores") else roles
