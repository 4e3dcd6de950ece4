"""Taking the comparison away: formulas with the numbers in them, tables, and Python that asserts every test."""

from __future__ import annotations

import math

import streamlit as st

from evalcore.wording import count_text, number_text, p_text

from ...export.downloads import show_downloads
from .judgment_reduction import hiding_of, order_frame
from .tests import Tested, comparisons_frame, mean_of, means_frame, queries_frame

_FUNCTIONS = {"t": "paired_t", "randomisation": "randomization", "wilcoxon": "wilcoxon", "sign": "sign_test"}


def show_rivals_formulas(done: Tested) -> None:
    """The chosen measure with the means of A and B, and the tests of their difference."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        rivals, (found, p) = done.rivals, done.main
        measure = rivals.definition
        st.markdown(f"**{measure.name}** — {measure.summary}")
        means = [latex(mean_of(rivals, system, rivals.measure).estimate) for system in (rivals.a, rivals.b)]
        st.markdown(
            rf"$\displaystyle {measure.formula}$ $\qquad \bar{{x}}_A = {means[0]}, \quad \bar{{x}}_B = {means[1]}$"
        )
        st.caption(measure.reading)
        n, difference, effect = count(found.n), latex(found.estimate), latex(found.effect_size)
        st.markdown("**The difference of each query**, $d_i = x_{B,i} - x_{A,i}$, its mean and its effect size")
        st.markdown(
            rf"$\displaystyle \bar d = \frac{{1}}{{n}} \sum_i d_i = {difference}, \qquad d_z = "
            rf"\frac{{\bar d}}{{s_d}} = {effect}, \qquad n = {n}$"
        )
        st.markdown(f"**{found.method}**, {p_text(found.p_value)}, corrected {p_text(p)}")
        test = _TESTS[rivals.test].format(n=n, effect=effect, statistic=latex(found.statistic))
        st.markdown(rf"$\displaystyle {test}$")
        st.caption(_READ[rivals.test])


_TESTS = {
    "t": r"t = \frac{{\bar d}}{{s_d / \sqrt n}} = d_z \sqrt n = {effect} \cdot \sqrt{{{n}}} = {statistic}, \qquad "
    r"n - 1 \text{{ degrees of freedom}}",
    "randomisation": r"p = \frac{{1 + \#\{{\text{{draws with }} |\bar d^*| \ge |\bar d|\}}}}{{1 + \text{{draws}}}}, "
    r"\qquad |\bar d| = |{statistic}|",
    "wilcoxon": r"W = \min\left(\sum_{{d_i > 0}} \operatorname{{rank}} |d_i|, \sum_{{d_i < 0}} \operatorname{{rank}} "
    r"|d_i|\right) = {statistic}",
    "sign": r"p = \min\left(1,\ 2 \sum_{{i \le S}} \binom{{m}}{{i}} 2^{{-m}}\right), \qquad S = \min(\text{{wins}}, "
    r"\text{{losses}}) = {statistic}",
}
_READ = {
    "t": "It asks how often equal systems would show so large a mean difference. It stands up well to values that are "
    "not normal once there are some dozens of queries.",
    "randomisation": "If the systems were equal, each query could as well have its two values the other way round. "
    "With fewer than 17 differences all such swaps are counted, and p is exact.",
    "wilcoxon": "It looks at the order of the sizes of the differences, so a single huge one counts little. "
    "Differences of 0 take ranks and are then left out (Pratt).",
    "sign": "It only counts who wins; m is wins plus losses. It asks less of the data and finds less.",
}


def latex(value: float) -> str:
    """A number inside a formula."""
    return number_text(value).replace("\u202f", r"\,").replace("−", "-").replace("undefined", r"\text{undefined}")


def count(value: float) -> str:
    """A count inside a formula."""
    return count_text(value).replace("\u202f", r"\,")


def show_rivals_downloads(done: Tested) -> None:
    """The comparisons, the means, the queries and what hiding judgments did, and the code."""
    rivals = done.rivals
    way, draws = hiding_of(rivals)
    show_downloads(
        "compared rankings",
        lambda: comparisons_frame(done),
        rivals_code(done),
        others={
            "Means": lambda: means_frame(rivals),
            "Queries": lambda: queries_frame(rivals),
            "Fewer judgments": lambda: order_frame(rivals, way, draws),
        },
    )


def rivals_code(done: Tested) -> str:
    """A script that evaluates all systems again, makes the same tests, and asserts every number of them."""
    rivals = done.rivals
    rankings = rivals.rankings
    labels = {name: rankings.measure(name).label for name in rivals.names}
    lines = "".join(
        f"    ({key[0]!r}, {key[1]!r}, {labels[key[2]]!r}): {_numbers(found, done.corrected[key])},\n"
        for key, found in done.found.items()
    )
    function = _FUNCTIONS[rivals.test]
    common = ", only_common=True" if rankings.only_common else ""
    return f"""\
import math

import numpy as np

from evalcore.inference import {", ".join(sorted({"adjusted", function}))}
from evalcore.retrieval import evaluate
{rankings.current.code}
measures = {list(labels.values())!r}
found = {{}}
for system in {list(rivals.systems)!r}:
    found[system] = evaluate(data.judgments(), data.run(system), measures{common})
queries = set.intersection(*(set(one.queries) for one in found.values()))  # those of all systems
assert len(queries) == {len(rivals.queries)}


def values(system, measure):
    kept = [query in queries for query in found[system].queries]
    return found[system].values[measure][kept]


expected = {{  # difference, its interval, p, p after the correction
{lines}}}
p_values = []
for (first, second, measure), numbers in expected.items():
    a, b = values(first, measure), values(second, measure)
    both = np.isfinite(a) & np.isfinite(b)
    test = {function}(a[both], b[both], {rivals.confidence})
    p_values.append(test.p_value)
    print(measure, first, second, test)
    for number, wanted in zip((test.estimate, test.interval.low, test.interval.high, test.p_value), numbers):
        assert math.isclose(number, wanted, rel_tol=1e-9, abs_tol=1e-12) or (number != number and wanted != wanted)
corrected = adjusted(p_values, {rivals.correction!r})
for p, numbers in zip(corrected, expected.values()):
    assert math.isclose(p, numbers[4], rel_tol=1e-9) or (p != p and numbers[4] != numbers[4])
"""


def _numbers(found, corrected: float) -> str:
    numbers = (found.estimate, float(found.interval.low), float(found.interval.high), found.p_value, corrected)
    return f"({', '.join(repr(float(x)) if math.isfinite(x) else f'float({str(float(x))!r})' for x in numbers)})"
