"""The same test among other people: what its counts become at another prevalence, and among a thousand."""

import math

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.rates import fall_out, recall

__all__ = ["among", "at_prevalence", "with_margin"]

_MARGINS = {"P": ("tp", "fn"), "N": ("fp", "tn"), "T": ("tp", "fp"), "F": ("fn", "tn")}


def at_prevalence(counts: ConfusionCounts, prevalence: float) -> ConfusionCounts:
    """Counts expected where another share is positive and the test errs as often in each class.

    Recall and specificity stay; every other measure of the result says what it would be there.

    Parameters
    ----------
    counts : ConfusionCounts, any shape
    prevalence : float
        Share of positives, 0 … 1.

    Returns
    -------
    ConfusionCounts
        Of the same shape and total; nan where a class whose rate is needed is absent.

    Raises
    ------
    ValueError
        When the prevalence is outside 0 … 1.

    Examples
    --------
    >>> from evalcore.classification import precision
    >>> common = at_prevalence(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), 0.5)
    >>> round(float(precision(common)), 3)
    0.881
    """
    if not 0 <= prevalence <= 1:
        raise ValueError(f"The prevalence is {prevalence:g}; it is a share of the people, between 0 and 1.")
    positives, negatives = counts.total * prevalence, counts.total * (1 - prevalence)
    tp, fp = recall(counts) * positives, fall_out(counts) * negatives
    return ConfusionCounts(tp, fp, positives - tp, negatives - fp)


def with_margin(counts: ConfusionCounts, margin: str, size: float) -> ConfusionCounts:
    """The counts when one margin had another size and its two cells kept their proportion.

    A new number of actual positives or negatives keeps recall and specificity; a new number of predicted ones keeps
    what a prediction is worth.

    Parameters
    ----------
    counts : ConfusionCounts
        Of shape ().
    margin : {"P", "N", "T", "F"}
        Actual positives, actual negatives, predicted positives, predicted negatives.
    size : float
        Its new size, not negative. A margin of 0 is filled in equal halves.

    Raises
    ------
    ValueError
        For another margin or a negative size.

    Examples
    --------
    >>> doubled = with_margin(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), "P", 60)
    >>> float(doubled.tp), float(doubled.fn), float(doubled.fp)
    (40.0, 20.0, 180.0)
    """
    if margin not in _MARGINS:
        raise ValueError(f"{margin!r} is no margin; use one of {', '.join(_MARGINS)}.")
    if not 0 <= size < math.inf:
        raise ValueError(f"A margin is a number of rows, 0 or more, not {size:g}.")
    cells = {cell: float(getattr(counts, cell)) for cell in ("tp", "fp", "fn", "tn")}
    first, second = _MARGINS[margin]
    present = cells[first] + cells[second]
    cells[first] = size * (cells[first] / present if present else 0.5)
    cells[second] = size - cells[first]
    return ConfusionCounts(**cells)


def among(counts: ConfusionCounts, people: int = 1000) -> ConfusionCounts:
    """Natural frequencies: the four outcomes among so many people, in whole people.

    Rounded from the top of the tree down, positives first, so that each branch adds up to its stem.

    Parameters
    ----------
    counts : ConfusionCounts
        Of shape () and with at least one row.

    Examples
    --------
    >>> thousand = among(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820))
    >>> [int(cell) for cell in (thousand.tp, thousand.fn, thousand.fp, thousand.tn)]
    [10, 5, 89, 896]
    """
    positives = _nearest(people * float(counts.actual_positives), float(counts.total))
    tp = _nearest(positives * float(counts.tp), float(counts.actual_positives))
    fp = _nearest((people - positives) * float(counts.fp), float(counts.actual_negatives))
    return ConfusionCounts(tp, fp, positives - tp, people - positives - fp)


def _nearest(numerator: float, denominator: float) -> int:
    return math.floor(numerator / denominator + 0.5) if denominator else 0
