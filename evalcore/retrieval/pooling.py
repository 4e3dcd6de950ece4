"""What comparing systems depends on: which documents were judged, and whether fewer would order the systems alike."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, ratio
from evalcore.retrieval.id_table import IdTable
from evalcore.retrieval.joining import joined
from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.runs import Run

__all__ = ["check_match", "hide_judgments", "kendall_tau", "pool"]

SEED = 20


def pool(judgments: Judgments, runs: Mapping[str, Run], depth: int) -> Judgments:
    """The judgments that would be known if only the first documents of each system had been judged.

    Parameters
    ----------
    judgments : Judgments
    runs : mapping of str to Run
    depth : int
        How many ranks of each list go into the pool.

    Returns
    -------
    Judgments
        Of the same queries where any document of them is left.

    Examples
    --------
    >>> judged = Judgments.from_arrays(["q"] * 3, ["a", "b", "c"], [1, 0, 1])
    >>> run = Run.from_arrays(["q"] * 3, ["a", "b", "c"], [3, 2, 1])
    >>> pool(judged, {"one": run}, depth=2).documents.texts()
    ['a', 'b']
    """
    kept = np.zeros(len(judgments), dtype=bool)
    for run in runs.values():
        places, judged = joined(judgments, run)
        rank, _, _ = run.ranks(places)
        kept[judged[rank <= depth]] = True
    return _some(judgments, kept)


def hide_judgments(judgments: Judgments, share: float, seed: int = SEED) -> Judgments:
    """The judgments without a random share of them, as if fewer had been made.

    Parameters
    ----------
    judgments : Judgments
    share : float in 0 … 1
        What is hidden. A larger share hides the same ones and more, so that a series of shares is one story.
    seed : int

    Examples
    --------
    >>> judged = Judgments.from_arrays(["q"] * 10, range(10), [1] * 10)
    >>> len(hide_judgments(judged, 0.3)), len(hide_judgments(judged, 0))
    (7, 10)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"The share to hide is {share:g}; it must lie in 0 … 1.")
    order = np.random.default_rng(seed).permutation(len(judgments))
    kept = np.ones(len(judgments), dtype=bool)
    kept[order[: round(share * len(judgments))]] = False
    return _some(judgments, kept)


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """How alike two lists of values order the same systems: tau-b, from −1 to 1.

    Parameters
    ----------
    a, b : array_like of float, shape (m,)
        A value a system, such as MAP with all and with fewer judgments.

    Returns
    -------
    float
        1 for the same order, −1 for the reverse; nan where a list has one value only.

    References
    ----------
    M. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33, 239–251. doi:10.1093/biomet/33.3.239

    Examples
    --------
    >>> round(kendall_tau([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), 4)
    0.3333
    """
    one, two = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"The shapes are {one.shape} and {two.shape}; give one value a system in each.")
    return float(agreement(one, two))


def agreement(one: Array, several: Array) -> Array:
    """Kendall's tau-b of a list with each of several, which stand along the last axis.

    Parameters
    ----------
    one : Array, shape (m,)
    several : Array, shape (…, m)

    Examples
    --------
    >>> agreement(np.array([1.0, 2, 3]), np.array([[4.0, 5, 6], [6, 5, 4], [5, 5, 5]])).tolist()
    [1.0, -1.0, nan]
    """
    i, j = np.triu_indices(len(one), 1)
    first, second = (np.sign(values[..., i] - values[..., j]) for values in (one, several))
    pairs = np.count_nonzero(first) * np.count_nonzero(second, axis=-1).astype(np.float64)
    return ratio((first * second).sum(axis=-1), np.sqrt(pairs))


def check_match(judgments: Judgments, run: Run, name: str = "the run") -> str | None:
    """What is wrong when judgments and a run do not fit, in a sentence; None when they share queries and documents.

    Parameters
    ----------
    judgments : Judgments
    run : Run
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


def _some(judgments: Judgments, kept: npt.NDArray[np.bool_]) -> Judgments:
    rows = np.flatnonzero(kept)
    queries, codes = np.unique(judgments.codes[rows], return_inverse=True)
    documents: IdTable = judgments.documents.take(rows)
    names = tuple(judgments.queries[place] for place in queries.tolist())
    return Judgments(names, codes.astype(np.int32), documents, judgments.grades[rows])


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
