"""Python that reproduces the comparison of two systems."""

import math

from evalcore.analyses import MOST_PROBABLE

from .comparison import Contest
from .tests import RESAMPLES, difference_of


def contest_code(contest: Contest) -> str:
    """A script that counts the same rows, makes the same test, and asserts both."""
    found = difference_of(contest)
    interval = found.found.interval
    expected = tuple(float(x) for x in (found.found.estimate, interval.low, interval.high, found.found.p_value))
    names, test = _test(contest)
    paired = "PairedClasses" if contest.target is None else "PairedCounts"
    counted = _counts(contest)
    return f"""\
import math

from evalcore.analyses import MOST_PROBABLE

import numpy as np

from evalcore import METRICS
from evalcore.inference import {", ".join(sorted({paired, *names}))}
{contest.current.code}
{_scores(contest) if contest.current.kind == "scores" else _labels(contest)}
{counted}
found = {test}
print(found)
expected = ({", ".join(map(_float, expected))})  # B minus A, its interval, p before any correction
for number, wanted in zip((found.estimate, found.interval.low, found.interval.high, found.p_value), expected):
    assert math.isclose(number, wanted, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(number) and math.isnan(wanted))
"""


def _scores(contest: Contest) -> str:
    sign = ">=" if contest.current.higher_is_positive else "<="
    a, b = map(_float, contest.rows.thresholds)
    return f"""\
a, b = data.scored_arrays({contest.a!r}), data.scored_arrays({contest.b!r})
both = a.kept & b.kept  # rows that both systems have
labels, scores_a, scores_b = a.labels[both[a.kept]], a.scores[both[a.kept]], b.scores[both[b.kept]]
weights = None if a.weights is None else a.weights[both[a.kept]]
actual, said_a, said_b = labels, scores_a {sign} {a}, scores_b {sign} {b}"""


def _labels(contest: Contest) -> str:
    stated = "a" if contest.a != MOST_PROBABLE else "b"
    return f"""\
a, b = {_arrays(contest.a)}, {_arrays(contest.b)}
both = a.kept & b.kept  # rows that both systems have


def names(of, places):
    return np.array(of.classes, dtype=object)[places[both[of.kept]]]


actual = names({stated}, {stated}.actual)
said_a, said_b = names(a, {_predicted("a", contest.a)}), names(b, {_predicted("b", contest.b)})
weights = None if a.weights is None else a.weights[both[a.kept]]"""


def _arrays(system: str) -> str:
    return "data.probability_arrays()" if system == MOST_PROBABLE else f"data.label_arrays({system!r})"


def _predicted(variable: str, system: str) -> str:
    return f"{variable}.probabilities.argmax(axis=1)" if system == MOST_PROBABLE else f"{variable}.predicted"


def _counts(contest: Contest) -> str:
    if contest.target is not None:
        positive = "True" if contest.current.kind == "scores" else repr(contest.target)
        cells = contest.paired.cells.tolist()
        return (
            f"paired = PairedCounts.from_labels(actual, said_a, said_b, positive={positive}, weights=weights)\n"
            f"assert np.allclose(paired.cells, {cells})  # [actual][said by A][said by B]"
        )
    right = contest.paired_classes.right().right()
    return (
        f"classes = {contest.rows.classes!r}\n"
        "place = {name: i for i, name in enumerate(classes)}\n"
        "codes = [[place[name] for name in column] for column in (actual, said_a, said_b)]\n"
        "paired = PairedClasses.from_codes(*codes, classes, weights)\n"
        f"assert np.allclose(paired.right().right(), {right})  # both, only A, only B, neither"
    )


def _test(contest: Contest) -> tuple[set[str], str]:
    """What is imported for the test, and the expression that makes it."""
    measure, level = contest.measure, contest.level
    if measure.family != "scores":
        return {"mcnemar_differences"}, f'mcnemar_differences([METRICS["{measure.key}"]], paired, {level})[0]'
    options = f"weights=weights, higher_is_positive={contest.current.higher_is_positive}, level={level}"
    if measure.paired_test == "delong":
        scale = measure.highest - measure.lowest
        scaled = "" if scale == 1 else f".scaled({scale})"
        return {"compare_auc"}, f"compare_auc(labels, scores_a, scores_b, {options}){scaled}"
    return (
        {"bootstrap_score_differences"},
        f'bootstrap_score_differences(\n    [METRICS["{measure.key}"]], labels, scores_a, scores_b, {options},'
        f" resamples={RESAMPLES}\n)[0]",
    )


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'
