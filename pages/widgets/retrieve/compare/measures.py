"""The measures by which several systems are compared: any of rankings with a mean, by any of its names."""

from evalcore.registry import MetricDef

from ...controls.measure_names import MeasureNames

MEASURES = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref")
"""What is compared where the address names nothing."""


def _refused(measure: MetricDef) -> str:
    """Tests of mean differences need to know which of two values is better, and a mean that is that of the queries."""
    if measure.better is not None and measure.mean == "arithmetic" and measure.key != "judged_at":
        return ""
    if measure.mean != "arithmetic":
        return f"{measure.symbol} is a mean over the queries only, and the tests need a value of each. Compare by AP."
    return f"Systems are not better or worse by {measure.name.lower()}."


_NAMES = MeasureNames("Measures", "measures", MEASURES, most=10, refused=_refused)

measures_of, choose_measures = _NAMES.of, _NAMES.choose
