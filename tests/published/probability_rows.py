"""Printed results for stated probabilities: measure, table, printed value, printed decimals, source."""

import math

from evalcore.classification import ProbabilityTable
from tests.published.rows import Row

MANUAL = "F. Pedregosa et al. (2011), scikit-learn, reference of sklearn.metrics, examples of {}"
BRIER = "G. Brier (1950), Verification of forecasts expressed in terms of probability, worked for one forecast"

SPAM = ProbabilityTable.from_arrays(
    ["spam", "ham", "ham", "spam"], [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]], ("ham", "spam")
)
FOUR = ProbabilityTable.from_event([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], positive=1)
BREAKFAST = ProbabilityTable.from_arrays(
    ["eggs", "ham", "spam"], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]], ("eggs", "ham", "spam")
)
RAIN = ProbabilityTable.from_event([1], [0.7], positive=1)
UNIFORM = ProbabilityTable.from_arrays([0, 1, 2, 3], [[0.25] * 4] * 4, (0, 1, 2, 3))

PROBABILITY_ROWS = [
    Row("log-loss", SPAM, 0.21616, 5, MANUAL.format("log_loss")),
    Row("binary Brier score", FOUR, 0.0375, 4, MANUAL.format("brier_score_loss")),
    Row("Brier score", BREAKFAST, 0.44 / 3, None, MANUAL.format("brier_score_loss"), "0.1466 is cut to 0.146 in print"),
    Row("Brier score", RAIN, 0.18, None, BRIER, "(0.7 − 1)² + (0.3 − 0)²"),
    Row("half Brier score", RAIN, 0.09, None, BRIER),
    Row("log-loss(base=2)", UNIFORM, 2.0, None, "C. Shannon (1948): four equal choices are two bits"),
    Row("log-loss", UNIFORM, math.log(4), None, "C. Shannon (1948): four equal choices are two bits"),
]
