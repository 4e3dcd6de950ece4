"""Formulas filled with numbers: whoever types one into a calculator gets the value that stands beside it."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import find
from evalcore.classification import ConfusionCounts, filled_formula
from tests.classification.small_inputs import thorough
from tests.registry.families import of_family

OF_COUNTS = of_family("counts")
SETTINGS = {
    "beta": 2.0, "probability": 0.2, "fp_cost": 1.5, "fn_cost": 7.0, "tp_cost": -3.0, "tn_cost": -0.25,
}  # fmt: skip
CELL = st.integers(0, 2000)


def calculated(latex: str) -> float:
    """The value of a simple LaTeX formula; of one with its letters explained after it, letters and all."""
    formula, *where = re.split(r",\s*\\;", latex)
    letters = {}
    for definition in where:
        letter, meaning = definition.split("=")
        letters[letter.strip()] = eval(_python(meaning), {"sqrt": math.sqrt})  # noqa: S307
    return eval(_python(formula), {"sqrt": math.sqrt, **letters})  # noqa: S307


def _python(latex: str) -> str:
    while r"\frac" in latex or r"\sqrt" in latex:
        latex = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1) / (\2))", latex)
        latex = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", latex)
    return latex.replace(r"\cdot", "*").replace("^", "**").replace("\\", "").strip()


def with_settings(measure):
    return measure.with_params(**{p.name: SETTINGS[p.name] for p in measure.params})


def filled(measure, counts: ConfusionCounts) -> str:
    bracketed = lambda number: f"({number!r})"  # noqa: E731  a negative price needs its brackets
    return filled_formula(measure, counts, bracketed, lambda _, value: bracketed(value))


@pytest.mark.parametrize("measure", OF_COUNTS, ids=lambda m: m.key)
@pytest.mark.parametrize("cells", [(20, 180, 10, 1820), (6, 4, 4, 6), (595, 4965, 105, 94335), (0.5, 2.25, 8, 3)])
def test_the_filled_formula_gives_the_value_of_the_measure(measure, cells) -> None:
    measure, counts = with_settings(measure), ConfusionCounts(*cells)
    assert calculated(filled(measure, counts)) == pytest.approx(float(measure(counts)), rel=1e-12)


@thorough
@given(st.sampled_from(OF_COUNTS), CELL, CELL, CELL, CELL)
def test_it_does_for_any_counts_with_which_it_is_defined(measure, tp, fp, fn, tn) -> None:
    measure, counts = with_settings(measure), ConfusionCounts(tp, fp, fn, tn)
    value = float(measure(counts))
    written = filled(measure, counts)
    # A part may be undefined or infinite where the whole, which is one division, is neither.
    if not math.isfinite(value) or "nan" in written or "inf" in written:
        return
    try:
        found = calculated(written)
    except ZeroDivisionError:
        return
    assert found == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("measure", OF_COUNTS, ids=lambda m: m.key)
def test_no_letter_is_left_where_a_number_belongs(measure) -> None:
    written = filled_formula(measure, ConfusionCounts(20, 180, 10, 1820))
    words = set(re.findall(r"(?<![\\A-Za-z])[A-Za-z]\w*", re.sub(r"\\[A-Za-z]+", "", written)))
    assert words <= {"p_o", "p_e"}


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("recall", r"\frac{20}{20 + 10}"),
        ("MCC", r"\frac{20 \cdot 1820 - 180 \cdot 10}{\sqrt{200 \cdot 1830 \cdot 30 \cdot 2000}}"),
        ("F2", r"\frac{(1 + 2^2)\cdot 20}{(1 + 2^2)\cdot 20 + 2^2\cdot 10 + 180}"),
        ("cost(fn_cost=5)", r"\frac{0\cdot 20 + 1\cdot 180 + 5\cdot 10 + 0\cdot 1820}{2030}"),
        ("NB", r"\frac{20}{2030} - \frac{0.5}{1 - 0.5} \cdot \frac{180}{2030}"),
        ("LR+", r"\frac{0.6667}{0.09}"),
        ("E-measure", r"1 - 0.1739"),
    ],
)
def test_formulas_as_they_are_written(name, written) -> None:
    assert filled_formula(find(name), ConfusionCounts(20, 180, 10, 1820)) == written


def test_the_e_measure_shows_the_f_of_its_own_beta() -> None:
    counts = ConfusionCounts(20, 180, 10, 1820)
    assert filled_formula(find("e_measure(beta=2)"), counts) == f"1 - {float(find('F2')(counts)):.4g}"
