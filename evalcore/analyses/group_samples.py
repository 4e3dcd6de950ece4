"""Two groups of the rows of one table, such as two hospitals, as two independent samples."""

import numpy as np

from evalcore.analyses.compared_sample import COMPARABLE
from evalcore.analyses.source import Source
from evalcore.readers import DataSet, Filter, ReadProblem, Shape, SliceColumn, Title, named, slice_columns

__all__ = ["group_columns", "group_of", "groups_apart", "may_have_groups"]


def may_have_groups(source: Source) -> bool:
    """Whether a table has a column that could name groups, without a look at its cells."""
    used = {name for part in source.roles.parts.values() for name in (part if isinstance(part, tuple) else (part,))}
    free = [name for name in source.frame.columns if name not in used or name == source.roles.get("group")]
    return source.kind in COMPARABLE and source.kind != "counts" and bool(free)


def group_columns(source: Source) -> dict[str, dict[str, Filter]]:
    """The groups of each column that has two or more without a common row, by the text of the step that keeps them.

    They are those of `slice_columns`, the column of groups first. Names come from a file: escape them.

    >>> from evalcore.readers import read_sample
    >>> groups = group_columns(Source.of(read_sample("breast_cancer")))
    >>> [one.condition for one in groups["size_band"].values()]
    ['size_band small', 'size_band large', 'size_band medium']
    """
    if not may_have_groups(source):
        return {}
    columns = {one.name: one for one in slice_columns(source.dataset)[0]}
    first = [name for name in columns if name == source.roles.get("group")]
    order = [*first, *(name for name in columns if name not in first)]
    return {name: _groups(columns[name]) for name in order if _apart(columns[name]).any()}


def groups_apart(source: Source, column: str, group: str) -> list[str]:
    """The groups of a column, by their texts, that have no row in common with one of them."""
    cut = next(one for one in slice_columns(source.dataset)[0] if one.name == column)
    texts = [*_groups(cut)]
    return [texts[place] for place in np.flatnonzero(_apart(cut)[texts.index(group)]).tolist()]


def group_of(source: Source, group: Filter) -> Source:
    """The rows of a group with the same roles and system, named after it.

    Raises ReadProblem where they cannot have these roles, such as where a class is missing.

    >>> from evalcore.readers import read_sample
    >>> source = Source.of(read_sample("breast_cancer"))
    >>> small = group_of(source, next(iter(group_columns(source)["size_band"].values())))
    >>> small.title, small.rows, small.positives
    ('size_band small', 191, 6)
    """
    shape = Shape((*source.dataset.shape.steps, group, Title(group.condition)))

    def build() -> tuple[DataSet, DataSet]:
        detected = source.dataset.shaped(shape)
        return detected, detected.with_roles(source.roles.to_text())

    try:
        # Its findings take as long as opening a file.
        detected, dataset = source.dataset.once(f"group {shape.to_text()}", None, build)
        tally = dataset.tally(source.system)
    except ReadProblem as problem:
        why = str(problem).partition(". ")[0]
        raise ReadProblem(f"{named(group.condition)} cannot be compared: {why}. Choose another group.") from problem
    return Source(source.id, group.condition, dataset, source.system, *tally, detected.roles)


def _groups(column: SliceColumn) -> dict[str, Filter]:
    return {one.to_text(): one for one in column.filters}


def _apart(column: SliceColumn) -> np.ndarray:
    """Which pairs of slices have no code in common, shape (slices, slices)."""
    members = column.members.astype(np.int64)
    return members @ members.T == 0
