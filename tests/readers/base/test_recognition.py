"""The kind of a table and the roles of its columns are found from names, and from values where names say nothing."""

import io

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses.data.shaping import offer_word
from evalcore.readers import DataSet, read_table, reassigned, roles_of
from evalcore.readers.base.column_names import class_in, is_predicted, is_probability, is_score, simple
from evalcore.readers.base.values import positive_value, text_of, value_of
from tests.words import sentence_with

SCORES = [f"{n / 37:.4f}" for n in range(1, 9)]
TRUE = [1, 0, 0, 1, 0, 1, 0, 0]


def table(**columns: object) -> DataSet:
    return read_table(pd.DataFrame(columns).to_csv(index=False).encode(), "x.csv")


@pytest.mark.parametrize(
    "actual", ["actual", "Label", "y_true", "yTrue", "Ground Truth", "target", "class", "gold", "y"]
)
@pytest.mark.parametrize("score", ["score", "Probability", "y_score", "p", "prob_1", "score_b", "confidence", "model"])
def test_names_of_scores_tables(actual: str, score: str) -> None:
    dataset = table(**{score: SCORES, actual: TRUE})
    assert (dataset.kind, dataset.roles.actual, dataset.roles.score) == ("scores", actual, (score,))
    assert dataset.roles.positive == 1


@pytest.mark.parametrize("predicted", ["predicted", "y_pred", "Prediction", "pred_model", "forest_pred", "yhat"])
def test_names_of_labels_tables(predicted: str) -> None:
    dataset = table(**{predicted: list("abcabcaa"), "actual": list("abccbaab")})
    assert (dataset.kind, dataset.roles.actual, dataset.roles.predicted) == ("labels", "actual", (predicted,))
    assert dataset.roles.positive is None


def test_scores_are_found_without_names() -> None:
    dataset = table(outcome_at_discharge=["ill", "well"] * 4, lactate=SCORES)
    assert dataset.kind == "scores"
    assert dataset.roles == roles_of(actual="outcome_at_discharge", score=("lactate",), positive="ill")


def test_labels_are_found_without_names() -> None:
    dataset = table(first=list("abcabcaa"), second=list("abccbaab"))
    assert dataset.roles == roles_of(actual="first", predicted=("second",))


def test_several_systems() -> None:
    dataset = table(actual=TRUE, forest=SCORES, logistic=SCORES[::-1])
    assert dataset.systems == ("forest", "logistic")
    dataset = table(actual=TRUE, one=[1, 0, 0, 0, 0, 0, 0, 0], two=[0, 1] * 4)
    assert (dataset.kind, dataset.systems) == ("labels", ("one", "two"))


def test_beside_a_named_score_systems_are_read_and_other_shares_are_offered() -> None:
    assert table(truth=TRUE, model_old=SCORES, bureau_score=SCORES[::-1]).systems == ("model_old", "bureau_score")
    dataset = table(
        truth=TRUE, xgb=SCORES, bureau_score=SCORES[::-1], income=[round(9e3 * float(one)) for one in SCORES]
    )
    assert dataset.systems == ("bureau_score",)
    (offer,) = [one for one in dataset.findings if one.code == "unused scores"]
    assert offer_word(offer) == "Read it as a system"
    roles = reassigned(dataset.roles, str(offer.role), offer.columns, dataset.frame)
    assert roles.get("score") == ("xgb", "bureau_score")
    features = {f"measured_{name}": [10 * float(one) + 0.5 for one in SCORES] for name in ("height", "width", "depth")}
    beside = table(truth=TRUE, share=SCORES[::-1], score=SCORES, **features)
    assert [one.role for one in beside.findings if one.code == "unused scores"] == [None]


@pytest.mark.parametrize("name", ["Betrag", "amount", "montant", "importe", "prezzo", "cost", "order_value", "loss"])
def test_an_amount_is_a_score_only_where_nothing_else_is(name: str) -> None:
    amounts = [1000 * float(one) + 0.5 for one in SCORES]
    dataset = table(truth=TRUE, risiko=SCORES, **{name: amounts})
    assert dataset.systems == ("risiko",)
    assert "unused scores" not in {one.code for one in dataset.findings}
    assert table(truth=TRUE, **{name: amounts}).systems == (name,)


def test_a_prediction_beside_the_scores() -> None:
    dataset = table(actual=TRUE, score=SCORES, predicted=[0, 0, 0, 0, 1, 1, 1, 1])
    assert (dataset.kind, dataset.roles.score, dataset.roles.predicted) == ("scores", ("score",), ("predicted",))


def test_a_prediction_with_fractions_is_a_score() -> None:
    assert table(actual=TRUE, prediction=SCORES).roles == roles_of(actual="actual", score=("prediction",), positive=1)


def test_a_two_valued_column_beside_named_scores_is_no_prediction() -> None:
    assert table(actual=TRUE, smoker=[0, 1] * 4, score=SCORES).roles.predicted == ()


def test_an_identifier_is_no_system() -> None:
    patient = np.arange(100, 108) * 7.5
    for name, values in {"id": patient, "patient_id": patient, "Unnamed: 0": range(8), "counter": range(1, 9)}.items():
        assert table(**{name: values, "actual": TRUE, "lactate": SCORES}).roles.score == ("lactate",)


def test_a_group_is_the_truth_where_it_alone_is_predicted() -> None:
    rows = pd.DataFrame({"country": ["DE", "FR", "ZA"] * 9, "predicted": ["DE", "ZA", "FR"] * 9})
    assert DataSet.of(rows).roles.to_text() == "actual~country~~predicted~predicted"
    roles = DataSet.of(rows.assign(actual=rows["predicted"])).roles
    assert (roles.get("actual"), roles.group) == ("actual", "country")
    assert DataSet.of(rows.assign(predicted=["x", "y", "z"] * 9)).roles.group == "country"


def test_weight_and_group() -> None:
    dataset = table(actual=TRUE, score=SCORES, sample_weight=[1.5] * 8, Site=list("nnssnnss"))
    assert (dataset.roles.weight, dataset.roles.group) == ("sample_weight", "Site")
    assert dataset.roles.score == ("score",)


def test_a_named_score_over_several_classes_needs_no_probabilities() -> None:
    dataset = table(actual=list("abcabcaa"), score=SCORES)
    assert (dataset.kind, dataset.roles.positive) == ("scores", "c")


def test_features_of_several_classes_are_not_taken_for_systems() -> None:
    dataset = table(species=list("abcabcaa"), length=SCORES)
    assert dataset.kind == "unknown"
    assert any("not recognized" in finding.sentence for finding in dataset.findings)


def test_estimates() -> None:
    assert table(truth=SCORES, pred=SCORES[::-1]).roles == roles_of(truth="truth", estimate=("pred",))
    dataset = table(id=range(8), target=SCORES, linear=SCORES[::-1], forest=SCORES)
    assert (dataset.kind, dataset.roles.truth, dataset.systems) == ("estimates", "target", ("linear", "forest"))


def test_ratings_estimated_with_fractions() -> None:
    stars = [1, 2, 3, 4, 5, 5, 4, 3]
    assert table(actual=stars, predicted=SCORES).kind == "estimates"
    assert table(truth=stars, estimate=stars[::-1]).roles == roles_of(truth="truth", estimate=("estimate",))
    assert table(actual=stars, predicted=stars[::-1]).kind == "labels"


def test_a_few_prices_are_no_classes() -> None:
    price = [120, 450, 99, 230, 310, 780, 560, 205]
    assert table(target=price, prediction=[n + 5 for n in price]).kind == "estimates"


def test_whole_numbers_of_many_values_are_estimated_and_few_are_classes() -> None:
    rng = np.random.default_rng(3)
    price = rng.integers(100, 400, 200)
    assert table(actual=price, predicted=price + 1).kind == "estimates"
    digit = rng.integers(0, 10, 200)
    assert table(actual=digit, predicted=digit[::-1]).kind == "labels"


@pytest.mark.parametrize(
    "names", [("p_a", "p_b", "p_c"), ("a", "b", "c"), ("P(a)", "P(b)", "P(c)"), ("a_prob", "b_prob", "c_prob")]
)
def test_probabilities(names: tuple[str, ...]) -> None:
    rows = np.random.default_rng(1).dirichlet([1, 1, 1], 8)
    dataset = table(actual=list("abcabcaa"), **dict(zip(names, rows.T, strict=True)))
    assert dataset.kind == "probabilities"
    assert dataset.roles.probability == tuple(zip(names, "abc", strict=True))


def test_probabilities_of_two_classes_have_a_positive_one() -> None:
    share = np.linspace(0.1, 0.9, 8)
    dataset = table(actual=TRUE, prob_0=1 - share, prob_1=share)
    assert (dataset.kind, dataset.roles.positive) == ("probabilities", 1)
    assert dataset.roles.probability == (("prob_0", "0"), ("prob_1", "1"))


def test_two_named_scores_that_do_not_add_up_are_two_systems() -> None:
    assert table(actual=TRUE, score_0=SCORES, score_1=SCORES).roles.score == ("score_0", "score_1")


def test_a_class_that_never_occurs_keeps_its_column() -> None:
    rows = np.random.default_rng(1).dirichlet([1, 1, 1], 8)
    dataset = table(actual=list("ababbaaa"), p_a=rows[:, 0], p_b=rows[:, 1], p_c=rows[:, 2])
    assert [text for _, text in dataset.roles.probability] == ["a", "b", "c"]


def test_one_probability_is_a_score() -> None:
    assert table(actual=TRUE, p=SCORES).kind == "scores"


@pytest.mark.parametrize(
    ("values", "positive"),
    [
        ("1 0", "1"), ("True False", "True"), ("yes no", "yes"), ("YES NO", "YES"), ("+ -", "+"), ("P N", "P"),
        ("T F", "T"), ("sick healthy", "sick"), ("benign malignant", "malignant"), ("spam ham", "spam"),
        ("fraud ok", "fraud"), ("1 -1", "1"), ("Pos Neg", "Pos"), ("normal weird", "weird"), ("1 2", "2"),
    ],
)  # fmt: skip
def test_words_for_the_positive_class(values: str, positive: str) -> None:
    first, second = values.split()
    for labels in ((first, second), (second, first)):
        dataset = table(actual=[labels[0]] * 4 + [labels[1]] * 4, score=SCORES)
        assert text_of(dataset.roles.positive) == positive


def test_else_the_rarer_value_is_positive() -> None:
    assert table(actual=list("aaaaabbb"), score=SCORES).roles.positive == "b"
    assert positive_value({"a": 2, "b": 2})[0] == "b"


def test_one_class_only() -> None:
    assert table(actual=[0] * 8, score=SCORES).roles.positive is None
    assert table(actual=[1] * 8, score=SCORES).roles.positive == 1
    assert table(actual=[0] * 8, predicted=TRUE).roles.positive == 1


def test_the_text_of_a_value_and_back() -> None:
    for column in (
        pd.Series([1, 0]),
        pd.Series([1.0, 0.5, np.nan]),
        pd.Series([True, False]),
        pd.Series(["1", "x", None], dtype="str"),
        pd.Series([2**60 + 1, -5]),
    ):
        for value in column.dropna():
            assert value_of(text_of(value), column) == value
        with pytest.raises(ValueError, match="No row"):
            value_of("none of them", column)
        with pytest.raises(ValueError, match="No row"):
            value_of("9" * 400, column)


def test_names_are_read_as_people_write_them() -> None:
    assert simple("  Y-True ") == "y_true"
    assert is_score("score2")
    assert not is_score("scored by")
    assert is_predicted("Predicted label")
    assert is_probability("prob_ill")
    assert not is_probability("problem")
    assert class_in("probability: cat") == "cat"
    assert class_in("score") is None


def test_tables_too_odd_for_a_guess_still_open() -> None:
    for text in ("a,b\nx,y\n", "a,b\n1.5,2.5\n2.5,3.5\n3.5,1.5\n", "height,weight\n1.7,60.5\n1.8,70.5\n1.9,71.5\n"):
        dataset = read_table(text.encode(), "x.csv")
        assert dataset.kind == "unknown"
        assert "error" not in {finding.level for finding in dataset.findings}


def test_recognition_looks_at_many_distinct_texts_only_once() -> None:
    rows = 30_000
    words = [f"document {n}" for n in range(rows)]
    content = io.BytesIO()
    actual = (np.arange(rows) % 3 == 0).astype(int)
    pd.DataFrame({"text": words, "actual": actual, "score": np.arange(rows) / 7}).to_parquet(content)
    assert read_table(content.getvalue()).roles == roles_of(actual="actual", score=("score",), positive=1)


def many(names: list[str], numbers: np.ndarray) -> DataSet:
    return table(actual=np.arange(len(numbers)) % 2, **dict(zip(names, numbers.T, strict=True)))


@pytest.mark.parametrize("names", ["model_{}", "system {}"])
def test_numbered_systems_are_all_taken(names: str) -> None:
    scores = np.random.default_rng(1).normal(size=(40, 50))
    dataset = many([names.format(n) for n in range(50)], scores)
    assert len(dataset.systems) == 50
    assert not any("not. If" in finding.sentence for finding in dataset.findings)


def test_unnumbered_scores_between_0_and_1_are_all_taken() -> None:
    names = [f"{first}{second}" for first in "abcdef" for second in "uvwxyz"]
    assert len(many(names, np.random.default_rng(1).random((40, 36))).systems) == 36


@pytest.mark.parametrize(
    ("name", "columns", "taken"), [("model_{}", 230, 200), ("score_{}", 230, 200), ("V{}", 30, 12)]
)
def test_columns_that_are_left_out_for_their_number_are_counted(name: str, columns: int, taken: int) -> None:
    dataset = many([name.format(n) for n in range(columns)], np.random.default_rng(1).normal(size=(40, columns)))
    assert len(dataset.systems) == taken
    (finding,) = [finding for finding in dataset.findings if "Score columns (one per system)" in finding.sentence]
    assert (finding.level, finding.count) == ("warning", columns - taken)
    chosen = dataset.with_roles(roles_of(actual="actual", score=dataset.systems[:1], positive=1))
    assert not any("Score columns (one per system)" in finding.sentence for finding in chosen.findings)


@pytest.mark.parametrize("name", ["distance", "knn_dist", "error", "loss", "p_value", "pvalue", "P-value", "cost"])
def test_a_low_score_is_positive_where_its_name_says_so(name: str) -> None:
    dataset = table(**{"actual": TRUE, name: SCORES})
    assert dataset.roles == roles_of(actual="actual", score=(name,), positive=1, higher_is_positive=False)
    (finding,) = [finding for finding in dataset.findings if "Lower scores" in finding.sentence]
    assert (finding.level, finding.column) == ("info", name)


def test_the_rank_of_a_sorted_list_is_its_score() -> None:
    roles = table(rank=range(1, 41), actual=TRUE * 5).roles
    assert (roles.score, roles.higher_is_positive) == (("rank",), False)
    assert table(rank=range(1, 41), actual=TRUE * 5, lactate=SCORES * 5).roles.score == ("lactate",)


def test_two_directions_are_read_as_the_usual_one() -> None:
    assert table(actual=TRUE, score=SCORES, distance=SCORES[::-1]).roles.higher_is_positive


@pytest.mark.parametrize("values", ["krank gesund", "infiziert frei", "betrug echt", "defekt ganz", "x gesund"])
def test_german_words_for_the_positive_class(values: str) -> None:
    first, second = values.split()
    assert table(actual=[first] * 5 + [second] * 3, score=SCORES).roles.positive == first


@pytest.mark.parametrize("names", [("outcome", "apgar"), ("died", "news2")])
def test_few_points_beside_two_labels_are_a_score(names: tuple[str, str]) -> None:
    points = np.random.default_rng(1).integers(0, 12, 200)
    frame = pd.DataFrame({"mrn": [f"{i:06}" for i in range(200)], names[0]: (points > 5).astype(int), names[1]: points})
    dataset = DataSet.of(frame)
    assert (dataset.kind, dataset.roles.get("actual"), dataset.roles.get("score")) == ("scores", names[0], names[1:])


def test_two_columns_of_numbers_are_distributions_and_no_fault():
    dataset = DataSet.of(pd.DataFrame({"before": [1.5, 2.25, 3.5, 9.75], "after": [1.25, 2.5, 4.5, 6.25]}))
    assert dataset.kind == "unknown"
    assert [finding.level for finding in dataset.findings] == ["info", "info"]
    assert sentence_with(dataset.findings[0].sentence, "Distributions page")
