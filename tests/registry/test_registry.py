"""The registry: a measure that lacks something fails here, and every name of the field is understood."""

import re

import pytest

from evalcore import METRICS, MetricDef, find, metric
from evalcore.classification import ConfusionCounts
from tests.classification.definitions import OF_COUNTS, OF_SCORES
from tests.classification.label_definitions import OF_LABELS
from tests.classification.matrix_definitions import OF_MATRIX
from tests.classification.probability_definitions import OF_PROBABILITIES
from tests.estimation.definitions import OF_ESTIMATES, OF_INTERVALS
from tests.estimation.distance_definitions import OF_DISTRIBUTIONS
from tests.estimation.mask_definitions import OF_MASKS
from tests.published.rows import ROWS
from tests.retrieval.definitions import OF_LISTS

PROOFS = {
    "counts": (OF_COUNTS, "classification/definitions"),
    "scores": (OF_SCORES, "classification/definitions"),
    "matrix": (OF_MATRIX, "classification/matrix_definitions"),
    "probabilities": (OF_PROBABILITIES, "classification/probability_definitions"),
    "label sets": (OF_LABELS, "classification/label_definitions"),
    "label scores": (OF_LABELS, "classification/label_definitions"),
    "retrieval": (OF_LISTS, "retrieval/definitions"),
    "estimates": (OF_ESTIMATES, "estimation/definitions"),
    "prediction intervals": (OF_INTERVALS, "estimation/definitions"),
    "distributions": (OF_DISTRIBUTIONS, "estimation/distance_definitions"),
    "masks": (OF_MASKS, "estimation/mask_definitions"),
}
"""By family: the slow definitions of its measures, and their file under tests/."""
DEFINITIONS = list(METRICS.values())
each_measure = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.key)


@each_measure
def test_a_measure_is_proved_by_a_print_or_by_its_definition(definition: MetricDef) -> None:
    printed = {find(row.measure).key for row in ROWS}
    defined, file = PROOFS[definition.family]
    assert definition.key in printed.union(defined), (
        f"{definition.name}: add a row to tests/published/rows.py or a slow definition to tests/{file}.py"
    )


@each_measure
def test_a_measure_explains_itself(definition: MetricDef) -> None:
    doc = definition.function.__doc__
    assert definition.summary.endswith("."), "the docstring starts with one sentence"
    assert len(definition.reading) > 20, 'the docstring has a paragraph "How to read it: …"'
    assert ">>>" in doc, "the docstring has an example"
    assert definition.function.__name__ in doc.split(">>>", 1)[1], "the example calls the measure"
    assert definition.formula.count("{") == definition.formula.count("}")
    assert definition.formula.strip()


@each_measure
def test_a_measure_has_a_source_with_a_year(definition: MetricDef) -> None:
    assert re.search(r"\(\d{4}\)", definition.source)


@each_measure
def test_a_measure_knows_its_range_and_its_better_side(definition: MetricDef) -> None:
    assert definition.lowest < definition.highest
    if definition.best is not None:
        assert definition.lowest <= definition.best <= definition.highest
        assert definition.better == {definition.lowest: "lower", definition.highest: "higher"}.get(definition.best)
    assert definition.better in {"higher", "lower", None}
    assert definition.family
    for param in definition.params:
        assert param.default in param.choices if param.choices else param.lowest <= param.default <= param.highest
        assert param.meaning.endswith(".")


@each_measure
def test_a_share_of_rows_reads_the_cells_of_its_formula(definition: MetricDef) -> None:
    cells = {"tp", "fp", "fn", "tn"}
    above, below = set(definition.numerator), set(definition.denominator)
    assert above <= below <= cells
    if definition.reads:
        counts = {"tp": 2.0, "fp": 3.0, "fn": 5.0, "tn": 7.0}
        share = sum(counts[c] for c in above) / sum(counts[c] for c in below)
        assert float(definition(ConfusionCounts(**counts))) == share


def spellings(definition: MetricDef) -> list[str]:
    names = [definition.key, definition.name, definition.label, *definition.aliases]
    return [name for name in names if "{" not in name]


@each_measure
def test_every_name_is_understood_in_any_case_and_with_any_blanks(definition: MetricDef) -> None:
    for name in spellings(definition):
        for written in (name, name.upper(), name.lower(), f"  {name} ", name.replace(" ", "-"), name.replace(" ", "_")):
            # The names of rankings are a list of their own: AP is a measure of both.
            family = "retrieval" if definition.family == "retrieval" else None
            assert find(written, family=family).key == definition.key, written


def test_no_two_measures_share_a_name() -> None:
    taken: dict[tuple[bool, str], str] = {}
    for definition in DEFINITIONS:
        for name in spellings(definition):
            place = definition.family == "retrieval", name.casefold()
            assert taken.setdefault(place, definition.key) == definition.key, name


@pytest.mark.parametrize(
    ("text", "key", "arguments"),
    [
        ("F2", "f_beta", {"beta": 2}),
        ("f0.5", "f_beta", {"beta": 0.5}),
        ("F2 score", "f_beta", {"beta": 2}),
        ("F0.5-Score", "f_beta", {"beta": 0.5}),
        ("f_beta(beta=2)", "f_beta", {"beta": 2}),
        (" F-measure ( beta = 2 ) ", "f_beta", {"beta": 2}),
        ("E2", "e_measure", {"beta": 2}),
        ("F1", "f_beta", {}),
        ("Dice", "f_beta", {}),
        ("cost(fp_cost=1, fn_cost=-5.5)", "cost", {"fp_cost": 1, "fn_cost": -5.5}),
        ("cost()", "cost", {}),
        ("pAUC(highest_fpr=0.2)", "partial_auc", {"highest_fpr": 0.2}),
        ("pAUC(TPR)", "partial_auc_over_recall", {}),
        ("LR-", "negative_likelihood_ratio", {}),
        ("LR−", "negative_likelihood_ratio", {}),
        ("LR+", "positive_likelihood_ratio", {}),
        ("kolmogorov-smirnov", "ks_statistic", {}),
        ("fallout", "fall_out", {}),
        ("fall-out", "fall_out", {}),
        ("false positive rate", "fall_out", {}),
        ("critical success", "jaccard", {}),
        ("nDCG(dcg='exp-log2')@10", "ndcg", {"gain": "exp", "k": 10}),
        ('nDCG(dcg="log2", cutoff=20)', "ndcg", {"k": 20}),
        ("P(rel=2,cutoff=5)", "precision_at", {"rel": 2, "k": 5}),
    ],
)
def test_parameters_stand_in_the_name(text: str, key: str, arguments: dict[str, float]) -> None:
    found = find(text)
    assert found.key == key
    assert {p.name: found.arguments.get(p.name, p.default) for p in found.params} == {
        p.name: arguments.get(p.name, p.default) for p in found.params
    }


def test_a_label_with_its_parameters_leads_back_to_the_measure() -> None:
    for beta in (0, 0.5, 1, 2, 10):
        for key in ("f_beta", "e_measure"):
            label = METRICS[key].with_params(beta=beta).label
            assert find(label).key == key
            assert find(label).label == label


@pytest.mark.parametrize(
    ("text", "near"),
    [("precsion", "Precision"), ("recal", "Recall"), ("LR", "likelihood ratio"), ("", "such as 'precision'")],
)
def test_an_unknown_name_is_answered_with_the_nearest(text: str, near: str) -> None:
    with pytest.raises(KeyError, match=near):
        find(text)


@pytest.mark.parametrize("text", ["F-2", "Fx", "F2 )", "(beta=2)", "F2(beta=2", "quality", "@10", "F1 F1"])
def test_what_is_no_name(text: str) -> None:
    with pytest.raises(KeyError):
        find(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("f_beta(gamma=2)", "'gamma'; it takes beta"),
        ("precision(beta=2)", "'beta'; it takes no"),
        ("specificity@10", "'k'; it takes no"),
        ("f_beta(beta=two)", "'two' is not a number"),
        ("f_beta(beta=)", "'' is not a number"),
        ("f_beta(2)", "a parameter is written name=number"),
        ("f_beta(beta=-1)", "is -1"),
        ("f_beta(beta=nan)", "is nan"),
        ("NB(probability=1)", "it must lie in 0 … 0.999999"),
        ("F2(beta=3)", "says beta twice"),
        ("F1(beta=2)", "says beta twice"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        find(text)


def test_a_definition_with_parameters_leaves_the_registered_one_alone() -> None:
    plain = METRICS["f_beta"]
    assert plain.with_params(beta=2).with_params(beta=3).arguments == {"beta": 3}
    assert plain.arguments == {}
    assert METRICS["f_beta"] is plain


def test_two_measures_cannot_share_a_name_and_none_lacks_a_reference() -> None:
    blank = {"family": "counts", "formula": "x", "lowest": 0, "highest": 1, "symbol": "new symbol"}
    before = dict(METRICS)
    with pytest.raises(ValueError, match="'precision' of Precision"):

        @metric(name="Precision", reference="powers2011", **blank)
        def another(counts):
            """A second precision."""

    with pytest.raises(ValueError, match="no reference is called 'nobody1900'"):

        @metric(name="Sourceless", reference="nobody1900", **blank)
        def sourceless(counts):
            """A measure out of nowhere."""

    assert before == METRICS
