"""The columns of the table of queries: any measure of rankings, chosen from the list or typed by any of its names."""

from ...controls.measure_names import MeasureNames

COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")
"""Measures in the table where the address names none."""

_NAMES = MeasureNames("Columns", "columns", "columns-of-queries", "columns of the table", COLUMNS, most=24)

columns_of, choose_columns = _NAMES.of, _NAMES.choose
