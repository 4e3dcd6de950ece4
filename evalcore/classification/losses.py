"""Proper losses of stated probabilities: the logarithm and the square, each in the two forms that are taught."""

import math

from evalcore.classification.probabilities import ProbabilityTable
from evalcore.classification.row_losses import CLIP, squares, surprise, surprise_over_classes
from evalcore.numeric import over_rows, ratio
from evalcore.registry import SEVERAL_CLASSES, TWO_CLASSES, Param, metric

__all__ = ["brier_score", "brier_skill", "half_brier_score", "log_loss", "log_loss_over_classes"]

_NO_ROWS = "there are no rows"
_BASE = Param("base", math.e, 2.0, 10.0, "Base of the logarithm: e gives nats, 2 gives bits.")
_CLIP = Param("clip", CLIP, 0.0, 0.5, "Probabilities are kept between this δ and 1 − δ; with 0, sure errors cost ∞.")


@metric(
    name="Log-loss", symbol="log-loss", family="probabilities", formula=r"-\frac{1}{n} \sum_i \ln q_{i, y_i}",
    highest=math.inf, best=0, undefined_when=_NO_ROWS, params=(_BASE, _CLIP),
    aliases=("logarithmic loss", "logistic loss", "negative log-likelihood", "ignorance score"), reference="good1952",
    interval="bootstrap", help="Mean of −ln q of the actual class",
)  # fmt: skip
def log_loss(table: ProbabilityTable, base: float = math.e, clip: float = CLIP) -> float:
    """Mean of minus the logarithm of the probability that each row gave to its actual class.

    How to read it: 0 is certain and correct; ln k is giving all k classes the same probability. One row called nearly
    impossible can cost as much as a thousand others, so check the worst rows and how many were clipped.

    Examples
    --------
    >>> table = ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1)
    >>> log_loss(table, base=2)
    1.5
    """
    own = table.of_actual
    return table.mean(over_rows(lambda rows: surprise(own[rows], clip), len(own))) / math.log(base)


@metric(
    name="Log-loss, sum over the classes", symbol="log-loss Σ", family="probabilities",
    formula=r"-\frac{1}{n} \sum_i \sum_c \left[ y_{ic} \ln q_{ic} + (1 - y_{ic}) \ln(1 - q_{ic}) \right]",
    highest=math.inf, best=0, undefined_when=_NO_ROWS, params=(_BASE, _CLIP),
    aliases=("binary cross-entropy, sum over the classes",), reference="rifkin2004", interval="bootstrap",
    help="Sum of the yes/no losses of all classes",
)  # fmt: skip
def log_loss_over_classes(table: ProbabilityTable, base: float = math.e, clip: float = CLIP) -> float:
    """Log-loss of the yes/no question whether a row has the class, summed over the classes.

    How to read it: unlike the log-loss, it also depends on how the remaining probability is spread over the wrong
    classes. With two classes it is twice the log-loss.

    Examples
    --------
    >>> table = ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1)
    >>> log_loss_over_classes(table, base=2)
    3.0
    """
    return table.mean(surprise_over_classes(table, clip)) / math.log(base)


@metric(
    name="Brier score", symbol="Brier", family="probabilities",
    formula=r"\frac{1}{n} \sum_i \sum_c (q_{ic} - y_{ic})^2", highest=2, best=0, undefined_when=_NO_ROWS,
    aliases=("quadratic score", "Brier score, sum over the classes"), reference="brier1950", group=SEVERAL_CLASSES,
    interval="bootstrap", help="Sum over the classes",
)  # fmt: skip
def brier_score(table: ProbabilityTable) -> float:
    """Mean squared distance between the probabilities and the outcome, summed over all classes.

    How to read it: Brier's original form, from 0 to 2. It depends on how uncertain the outcomes are: compare it with
    the score of the base rates, as the skill score does. No single row can cost more than 2.

    Examples
    --------
    >>> table = ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1)
    >>> brier_score(table)
    0.8125
    """
    return table.mean(squares(table))


@metric(
    name="Brier score, two classes", symbol="½ Brier", family="probabilities",
    formula=r"\frac{1}{2n} \sum_i \sum_c (q_{ic} - y_{ic})^2", best=0, undefined_when=_NO_ROWS,
    aliases=("half Brier score", "binary Brier score", "Brier score of the positive class",
    "mean squared error of the probability"), reference="wilks2011", group=TWO_CLASSES, interval="bootstrap",
    help="Mean squared error of the probability",
)  # fmt: skip
def half_brier_score(table: ProbabilityTable) -> float:
    """Half the Brier score: for two classes, the mean squared error of the probability of the positive class.

    How to read it: the form that most programs call the Brier score of a yes/no question; always saying ½ gives ¼.

    Examples
    --------
    >>> half_brier_score(ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1))
    0.40625
    """
    return brier_score(table) / 2


@metric(
    name="Brier skill score", symbol="BSS", family="probabilities", formula=r"1 - \frac{BS}{BS_{base\ rates}}",
    lowest=-math.inf, best=1, undefined_when="there are no rows, or all rows have one class", aliases=("Brier skill",),
    reference="wilks2011", interval="bootstrap",
)  # fmt: skip
def brier_skill(table: ProbabilityTable) -> float:
    """Share of the Brier score of the base rates that is saved.

    How to read it: 0 is always stating the base rates, 1 is certain and correct; below 0, stating the base rates would
    be better.

    Examples
    --------
    >>> brier_skill(ProbabilityTable.from_event([1, 0], [0.75, 0.25], positive=1))
    0.75
    """
    shares = table.base_rates
    uncertainty = float((shares * (1 - shares)).sum())
    return float(1 - ratio(brier_score(table), uncertainty)) if uncertainty > 0 else float("nan")
