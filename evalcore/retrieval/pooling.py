"""What comparing systems depends on: which documents were judged, and whether fewer would order the systems alike."""

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, ratio
from evalcore.retrieval.joining import joined
from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.runs import Run

__all__ = ["check_match", "kendall_tau"]

SEED = 20


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """How alike two lists of values order the same systems: tau-b, from −1 to 1.

    Parameters
    ----------
    a : array_like of float, shape (m,)
        A value per system, such as MAP with all judgments.
    b : array_like of float, shape (…, m)
        The same with fewer judgments; several lists along the first axes.

    Returns
    -------
    Array, shape (…)
        1 for the same order, −1 for the reverse; nan where a list has one value only.

    References
    ----------
    M. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33, 239–251. doi:10.1093/biomet/33.3.239

    Examples
    --------
    >>> kendall_tau([1, 2, 3], [[4, 5, 6], [6, 5, 4], [5, 5, 5], [1, 3, 2]]).round(4).tolist()
    [1.0, -1.0, nan, 0.3333]
    """
    one, several = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if one.ndim != 1 or several.shape[-1:] != one.shape:
        raise ValueError(f"The shapes are {one.shape} and {several.shape}; give one value per system in each.")
    i, j = np.triu_indices(len(one), 1)
    first, second = (np.sign(values[..., i] - values[..., j]) for values in (one, several))
    pairs = np.count_nonzero(first) * np.count_nonzero(second, axis=-1).astype(np.float64)
    return ratio((first * second).sum(axis=-1), np.sqrt(pairs))


def check_match(judgments: Judgments, run: Run, name: str = "the run") -> str | None:
    """What is wrong when judgments and a run do not fit, in a sentence; None when they share queries and documents.

    Parameters
    ----------
    name : str
        What to call the run.

    Examples
    --------
    >>> judged = Judgments.from_arrays(["301"], ["a"], [1])
    >>> check_match(judged, Run.from_arrays(["q301"], ["a"], [1]))
    'No query of the judgments is in the run. They are called 301 there and q301 here: do the ids differ by a prefix?'
    """
    places = judgments.places(run.queries)
    if not len(run) or not len(judgments):
        return f"There are no {'judgments' if len(run) else f'rows in {name}'}."
    if (places < 0).all():
        there, here = _few(judgments.queries), _few(run.queries)
        return (
            f"No query of the judgments is in {name}. They are called {there} there and {here} here: "
            f"{_difference(judgments.queries, run.queries)}"
        )
    if not len(joined(judgments, run)[0]):
        both = (names.take(slice(100)).texts() for names in (judgments.documents, run.documents))
        theirs, ours = (list(dict.fromkeys(names)) for names in both)
        return (
            f"No document of {name} is judged. Judged are documents such as {_few(theirs)}, retrieved are "
            f"{_few(ours)}: {_difference(theirs, ours)}"
        )
    return None


def _few(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _difference(theirs: tuple[str, ...] | list[str], ours: tuple[str, ...] | list[str]) -> str:
    known = set(ours)
    for text in theirs[:100]:
        if text.strip().casefold() in {name.strip().casefold() for name in ours[:1000]}:
            return "do they differ in case or blanks?"
        if {text.lstrip("0"), text.zfill(3), f"{text}.0"} & known:
            return "do they differ by zeros in front, or a point?"
    return "do the ids differ by a prefix?"
