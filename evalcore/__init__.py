"""Exact measures of predictions: definitions, states and intervals on numpy alone."""

from evalcore import classification as _classification
from evalcore import estimation as _estimation
from evalcore import retrieval as _retrieval

from .numeric import *
from .registry.definition import *
from .registry.registration import *

__version__ = "1.0.0"


def report(data, path, pages=None, settings=None):
    """Write a data set with its analyses and pictures as one HTML file that needs no server; see `evalcore.reports`.

    Parameters
    ----------
    data : evalcore.readers.DataSet or evalcore.analyses.Source
        As `evalcore.readers.read_table` gives it.
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
    from .reports import write_report

    return write_report(data, path, pages, settings)


def numbers(data, threshold=None, level=0.95, intervals=None, rankings=None):
    """All measures of a data set with their intervals as one dictionary; see `evalcore.analyses.numbers_of`.

    Parameters
    ----------
    data : evalcore.readers.DataSet or evalcore.analyses.Source
        As `evalcore.readers.read_table` gives it.
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
    from .analyses import numbers_of

    return numbers_of(data, threshold, level, intervals, rankings)
