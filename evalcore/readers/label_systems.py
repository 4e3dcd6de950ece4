"""Several systems that give the same rows several labels: the columns of each, in one table."""

from __future__ import annotations

from dataclasses import replace

from evalcore.readers.columns import Columns
from evalcore.readers.kinds.label_scores import LabelScoreRoles
from evalcore.readers.kinds.label_sets import LabelSetRoles
from evalcore.readers.label_columns import set_columns_like, system_columns
from evalcore.readers.roles import Roles
from evalcore.readers.table import Table

__all__ = ["label_systems"]


def label_systems(table: Table[Roles]) -> dict[str, Roles]:
    """The roles of a table of labels with the columns of each of its systems, by the name of the system.

    They are empty for other tables, and where only one system has a column for every label.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> frame = {"truth": ["a|b", "b"] * 20, "model1": ["a|b", "a"] * 20, "model2": ["b", "b|a"] * 20}
    >>> data = DataSet.of(pd.DataFrame(frame))
    >>> {name: roles.to_text() for name, roles in label_systems(data).items()}["model2"]
    'true_labels~truth~~predicted_labels~model2'
    """
    roles = table.roles
    if not isinstance(roles, (LabelScoreRoles, LabelSetRoles)):
        return {}
    return table.once("label systems", None, lambda: _systems(table, roles), rows=0)


def _systems(table: Table[Roles], roles: LabelScoreRoles | LabelSetRoles) -> dict[str, Roles]:
    columns = Columns(table.frame)
    if isinstance(roles, LabelSetRoles) and roles.of_cells:
        own, others = roles.predicted_labels[0], {roles.weight, roles.group}
        names = [name for name in set_columns_like(roles.true_labels[0], columns) if name not in others]
        systems: dict[str, tuple[str, ...]] = {name: (name,) for name in dict.fromkeys((*names, own))}
    else:
        part = "score" if isinstance(roles, LabelScoreRoles) else "predicted"
        systems = system_columns(roles.true_labels, columns).get(part, {})
    field = "label_score" if isinstance(roles, LabelScoreRoles) else "predicted_labels"
    if len(systems) < 2 or roles.parts[field] not in systems.values():
        return {}
    return {name: replace(roles, **{field: own}) for name, own in systems.items()}
