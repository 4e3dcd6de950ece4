"""Proper losses of probabilities, divergences, and costs of decisions."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from evalcore.classification.several.matrix import ConfusionMatrix
from evalcore.classification.several.probabilities import CLIP, ProbabilityTable, surprise
from evalcore.numeric import Array, Flags, Indices, over_rows, ratio, relative_entropies
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, Param, metric

__all__ = ["Divergences", "brier_score", "brier_skill", "cheapest_decisions", "divergences", "equivalent_threshold"]
__all__ += ["half_brier_score", "log_loss", "log_loss_over_classes", "mean_cost", "reweighted"]

_NO_ROWS = "there are no rows"
_loss = partial(metric, family="probabilities", best=0, undefined_when=_NO_ROWS, interval="bootstrap")
_BASE = Param("base", math.e, 2.0, 10.0, "Base of the logarithm: e gives nats, 2 gives bits.")

_CLIP = Param(
    "clip", CLIP, 0.0, 0.5, "Probabilities are kept between this δ and 1 − δ; with 0, certain and wrong answers cost ∞."
)


@_loss(name="Log-loss", symbol="log-loss", formula=r"-\frac{1}{n} \sum_i \ln q_{i, y_i}", highest=math.inf,
       params=(_BASE, _CLIP),
       aliases=("logarithmic loss", "logistic loss", "negative log-likelihood", "ignorance score"),
       reference="good1952", help="Mean of −ln q of the actual class")  # fmt: skip
def log_loss(table: ProbabilityTable, base: float = math.e, clip: float = CLIP) -> float:
    """Mean of minus the logarithm of the probability given to the actual class of each row.

    How to read it: 0 is certain and correct; ln k is giving all k classes the same probability. One row called nearly
    impossible can cost as much as a thousand others, so check the worst rows and how many were clipped.

    >>> table = ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1)
    >>> log_loss(table, base=2)
    1.5
    """
    own = table.of_actual
    return table.mean(over_rows(lambda rows: surprise(own[rows], clip), len(own))) / math.log(base)


@_loss(name="One-vs-rest log-loss", symbol="log-loss Σ",
       formula=r"-\frac{1}{n} \sum_i \sum_c \left[ y_{ic} \ln q_{ic} + (1 - y_{ic}) \ln(1 - q_{ic}) \right]",
       highest=math.inf, params=(_BASE, _CLIP),
       aliases=("binary cross-entropy, sum over the classes", "log-loss, sum over the classes"), reference="rifkin2004",
       help="Binary cross-entropies of each class against the rest, added up")  # fmt: skip
def log_loss_over_classes(table: ProbabilityTable, base: float = math.e, clip: float = CLIP) -> float:
    """Log-loss of the yes/no question whether a row has the class, summed over the classes.

    How to read it: unlike the log-loss, it also depends on how the remaining probability is spread over the wrong
    classes. With two classes it is twice the log-loss.

    >>> table = ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1)
    >>> log_loss_over_classes(table, base=2)
    3.0
    """
    return table.mean(surprise_over_classes(table, clip)) / math.log(base)


@_loss(name="Brier score", symbol="Brier", formula=r"\frac{1}{n} \sum_i \sum_c (q_{ic} - y_{ic})^2", highest=2,
       aliases=("quadratic score", "Brier score, sum over the classes"), reference="brier1950", group=SEVERAL_CLASSES,
       help="Sum over the classes")  # fmt: skip
def brier_score(table: ProbabilityTable) -> float:
    """Mean squared distance between the probabilities and the outcome, summed over all classes.

    How to read it: Brier's original form, from 0 to 2. It depends on how uncertain the outcomes are: compare it with
    the score of the base rates, as the skill score does. No single row can cost more than 2.

    >>> table = ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1)
    >>> brier_score(table)
    0.8125
    """
    return table.mean(squares(table))


@_loss(name="Brier score, two classes", symbol="½ Brier", formula=r"\frac{1}{2n} \sum_i \sum_c (q_{ic} - y_{ic})^2",
       aliases=("half Brier score", "binary Brier score", "Brier score of the positive class",
       "mean squared error of the probability"), reference="wilks2011", group=TWO_CLASSES,
       help="Mean squared error of the probability")  # fmt: skip
def half_brier_score(table: ProbabilityTable) -> float:
    """Half the Brier score: for two classes, the mean squared error of the probability of the positive class.

    How to read it: the form that most programs call the Brier score of a yes/no question; always saying ½ gives ¼.

    >>> half_brier_score(ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1))
    0.40625
    """
    return brier_score(table) / 2


@metric(name="Brier skill score", symbol="BSS", family="probabilities", formula=r"1 - \frac{BS}{BS_{base\ rates}}",
        lowest=-math.inf, best=1, undefined_when="there are no rows, or all rows have one class",
        aliases=("Brier skill",), reference="wilks2011", interval="bootstrap")  # fmt: skip
def brier_skill(table: ProbabilityTable) -> float:
    """Improvement over predicting the base rate.

    How to read it: 0 is always stating the base rates, 1 is certain and correct; below 0, stating the base rates would
    be better.

    >>> brier_skill(ProbabilityTable.from_event([1, 0], [0.75, 0.25], positive=1))
    0.75
    """
    sizes, total = table.sizes, table.sizes.sum()  # not of the rows, whose weights round to another sum
    uncertainty = float(ratio(sizes * (total - sizes), total * total).sum())
    return float(1 - ratio(brier_score(table), uncertainty)) if uncertainty > 0 else float("nan")


def surprise_over_classes(table: ProbabilityTable, clip: float = CLIP) -> Array:
    """Surprise of the yes/no question whether the row has each class, summed over the classes, shape (n,)."""
    return _added_up(lambda predicted, has: surprise(np.where(has, predicted, 1 - predicted), clip), table)


def squares(table: ProbabilityTable) -> Array:
    """Squared distance of the probabilities from the outcome, added up over the classes, shape (n,)."""
    return _added_up(lambda predicted, has: (predicted - has) ** 2, table)


def _added_up(of_class: Callable[[Array, Flags], Array], table: ProbabilityTable) -> Array:
    """Sum over the classes of a function of the class's probability and indicator, shape (n,)."""

    def of_rows(rows: slice) -> Array:
        # Class by class: numpy adds up long columns far faster than many short rows.
        predicted, actual = table.probabilities[rows], table.actual[rows]
        total = np.zeros(len(actual))
        for index in range(len(table.classes)):
            total += of_class(predicted[:, index], actual == index)
        return total

    return over_rows(of_rows, len(table.actual))


def cross_entropy(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """Cross-entropy of q under p: −Σ p ln q; ∞ where q is 0 and p is not."""
    true, believed = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(true == 0, 0.0, 0.0 - true * np.log(believed) / math.log(base)).sum(axis=-1)


def kl_divergence(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """Kullback–Leibler divergence: Σ p ln(p/q), cross-entropy less entropy; ∞ where q is 0 and p is not."""
    true, believed = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    return relative_entropies(true, believed, true - believed).sum(axis=-1) / math.log(base)


@dataclass(frozen=True)
class Divergences:
    """Entropy of p, cross-entropy of q under p, and the divergences of p from q and of q from p."""

    entropy_p: float
    cross_pq: float
    kl_pq: float
    kl_qp: float


def divergences(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e, normalised: bool = False) -> Divergences:
    """Entropy, cross-entropy and divergences of two distributions, shape (k,); base e gives nats, 2 gives bits.

    The Kullback–Leibler divergence is no distance: with p and q exchanged it is another number. With `normalised` each
    is divided by its sum first, as for counts; else one that does not add up to 1 is a ValueError.
    """
    one, two = (_distribution(values, name, normalised) for values, name in ((p, "p"), (q, "q")))
    if one.shape != two.shape:
        raise ValueError(f"p has {len(one)} values and q {len(two)}; give both for the same outcomes.")
    crossed = cross_entropy(one, one, base), cross_entropy(one, two, base)
    return Divergences(*map(float, (*crossed, kl_divergence(one, two, base), kl_divergence(two, one, base))))


def _distribution(values: npt.ArrayLike, name: str, normalised: bool) -> Array:
    shares = np.asarray(values, dtype=np.float64)
    if shares.ndim != 1 or not len(shares):
        raise ValueError(f"{name} has the shape {shares.shape}; give one share an outcome, shape (k,).")
    if not (shares >= 0).all() or np.isinf(shares).any():
        index = int(np.argmax(~(shares >= 0) | np.isinf(shares)))
        raise ValueError(f"{name} is {shares[index]:g} at place {index}; a share is a number from 0 to 1.")
    total = float(shares.sum())
    if not total or (not normalised and abs(total - 1) > 1e-6):
        raise ValueError(f"{name} adds up to {total:.7g} and not to 1; correct it, or have it divided by its sum.")
    return shares / total


def reweighted(probability: npt.ArrayLike, times: float) -> Array:
    """Probabilities of the positive class after multiplying its odds, as by training with repeated positives."""
    p = np.asarray(probability, dtype=np.float64)
    return times * p / (times * p + (1 - p))


def equivalent_threshold(times: float, threshold: float = 0.5) -> float:
    """Threshold on the original probabilities that decides like another one on the reweighted ones."""
    return threshold / (threshold + times * (1 - threshold))


def cheapest_decisions(table: ProbabilityTable, costs: npt.ArrayLike) -> Indices:
    """Index of the class of lowest expected cost for each row, the first of equal ones; ``costs[actual, decision]``.

    It is right on average only if the probabilities are calibrated. Where all errors cost the same it is the most
    probable class. A gain is a negative cost. C. Elkan (2001). The foundations of cost-sensitive learning. IJCAI,
    973–978.
    """
    matrix = _cost_matrix(costs, len(table.classes))
    return over_rows(lambda rows: (table.probabilities[rows] @ matrix).argmin(axis=1), len(table.actual))


def mean_cost(matrix: ConfusionMatrix, costs: npt.ArrayLike) -> float:
    """Mean cost per row of the decisions of a square table; nan without rows. Costs as `cheapest_decisions`."""
    return float(ratio((matrix.counts * _cost_matrix(costs, len(matrix.classes))).sum(), matrix.counts.sum()))


def _cost_matrix(costs: npt.ArrayLike, k: int) -> Array:
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise ValueError(f"{k} classes need {k} × {k} finite costs: a row per actual class, a column per decision.")
    return matrix
