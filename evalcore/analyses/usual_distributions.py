"""The two distributions of a table that are compared where nobody chose others."""

from collections.abc import Sequence

from evalcore.analyses.distributions import BinChoice, TwoDistributions, column_options, ways_to_compare
from evalcore.analyses.source import Source
from evalcore.readers import comparable_columns, group_names, grouping_columns, kinds_on, text_of

__all__ = ["usual_distributions"]


def usual_distributions(source: Source) -> TwoDistributions | None:
    """Those that the page of distributions starts from; None where the table holds no two.

    >>> from evalcore.readers import read_sample
    >>> usual_distributions(Source.of(read_sample("breast_cancer"))).names
    ('malignant', 'benign')
    """
    way = next(iter(ways_to_compare(source)))
    if way == "typed" or source.kind not in kinds_on("estimate/distributions"):
        return None
    if way == "groups":
        by = _first(grouping_columns(source.dataset), source.roles.get("actual"), source.roles.get("group"))
        values = [name for name in comparable_columns(source.dataset) if name != by]
        value = _first(values, source.system, source.roles.get("truth"))
        names = group_names(source.dataset, by)
        first = _first(names, text_of(source.positive))
        second = next(name for name in names if name != first)
        return TwoDistributions.of_groups(source, value, by, (first, second), BinChoice())
    first = _first(column_options(source, way), source.roles.get("truth"), source.roles.get("actual"))
    alike = [name for name in column_options(source, way, first) if name != first]
    if not alike:
        return None
    second = _first(alike, source.system)
    if way == "columns":
        return TwoDistributions.of_columns(source, first, second, BinChoice())
    labels = [name for name in map(str, source.frame.columns) if name not in (first, second)]
    return TwoDistributions.of_counts(source, first, second, next(iter(labels), None))


def _first(options: Sequence[str], *wanted: object) -> str:
    return next((option for option in wanted if isinstance(option, str) and option in options), options[0])
