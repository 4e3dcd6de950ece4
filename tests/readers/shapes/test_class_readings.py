"""Columns that say something else of classes than they seem to are told, and read so by one click."""

import json

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import Source, compare_systems, offer_word
from evalcore.readers import DataSet, Finding, Shape, opening_steps, read_table
from evalcore.retrieval import success_at
from tests.words import facts, sentence_with

ROWS = 60
NAMES = ["cat", "dog", "horse"]


def read(columns: dict[str, object]) -> DataSet:
    return read_table(pd.DataFrame(columns).to_csv(index=False).encode(), "x.csv")


def said(data: DataSet, code: str) -> Finding:
    (finding,) = [finding for finding in data.findings if finding.code == code]
    assert offer_word(finding) not in ("", "Apply") or finding.action is None
    return finding


def random() -> np.random.Generator:
    return np.random.default_rng(7)


def one_hot(codes: np.ndarray, prefix: str) -> dict[str, np.ndarray]:
    return {f"{prefix}_{name}": (codes == place).astype(int) for place, name in enumerate(NAMES)}


# answers


def test_columns_that_say_which_answers_are_right_are_no_predictions() -> None:
    rng = random()
    columns = {"doc_id": range(ROWS), "target": rng.integers(0, 4, ROWS)}
    columns |= {name: rng.integers(0, 2, ROWS) for name in ("acc", "acc_norm")}
    data = read(columns)
    assert data.kind == "unknown"
    finding = said(data, "answers")
    assert sentence_with(finding.sentence, "acc", "acc_norm", "1")
    shaped = data.shaped(finding.action or "")
    assert (shaped.kind, shaped.systems, shaped.roles.get("positive")) == ("labels", ("acc", "acc_norm"), "correct")
    for name in ("acc", "acc_norm"):
        matrix = shaped.matrix(name)
        assert matrix.counts.tolist() == [[columns[name].sum(), ROWS - columns[name].sum()], [0, 0]]
    pairs = compare_systems(Source.of(shaped)).rows
    right = [np.array(answers) == pairs.actual for answers in pairs.answers]
    assert [one.tolist() for one in right] == [(columns[name] == 1).tolist() for name in ("acc", "acc_norm")]


def test_answers_of_several_systems_below_each_other_are_told_of_once() -> None:
    row = np.arange(ROWS)
    data = read({"question_id": row // 2, "model": np.array(["a", "b"])[row % 2], "acc": random().integers(0, 2, ROWS)})
    assert [one.code for one in data.findings if one.action] == ["long"]
    assert data.shaped(said(data, "long").action or "").systems == ("a", "b")


@pytest.mark.parametrize("truth", [np.arange(ROWS) % 4, np.array(list("ABCD"))[np.arange(ROWS) % 4]])
def test_predictions_of_0_and_1_beside_several_labels_may_be_answers(truth: np.ndarray) -> None:
    data = read({"target": truth, "prediction": random().integers(0, 2, ROWS)})
    assert data.kind == "labels"
    finding = said(data, "answers")
    assert 'Column "prediction" holds only ' in finding.sentence
    assert data.shaped(finding.action or "").matrix().classes == ("correct", "wrong")


def test_what_is_correct_may_be_the_truth_of_a_confidence_but_not_of_another_system() -> None:
    rng = random()
    right = rng.integers(0, 2, ROWS)
    data = read({"confidence": rng.random(ROWS), "correct": right})
    assert (data.kind, data.roles.get("actual")) == ("scores", "correct")
    both = read({"id": range(ROWS), "correct_a": right, "correct_b": rng.integers(0, 2, ROWS)})
    assert both.kind == "unknown"
    assert both.shaped(said(both, "answers").action or "").systems == ("correct_a", "correct_b")


def test_answers_with_one_row_per_system_open_with_a_column_of_answers_for_each() -> None:
    right = random().integers(0, 2, (2, ROWS))
    rows = {"id": [*range(ROWS)] * 2, "model": ["a"] * ROWS + ["b"] * ROWS, "correct": right.ravel()}
    data = read(rows)
    shaped = data.shaped(opening_steps(data.findings) or "")
    assert (shaped.kind, shaped.systems) == ("labels", ("a", "b"))
    assert [shaped.matrix(name).counts[0, 0] for name in ("a", "b")] == right.sum(axis=1).tolist()


def test_two_classes_of_two_predicted_labels_are_no_answers() -> None:
    rng = random()
    data = read({"target": rng.integers(0, 2, ROWS), "prediction": rng.integers(0, 2, ROWS)})
    assert not [finding for finding in data.findings if finding.code == "answers"]


# results


@pytest.mark.parametrize(
    "columns",
    [
        {"run": ["a", "b"] * 2, "metric": ["acc", "acc", "f1", "f1"], "value": [0.5, 0.25, 0.75, 0.125]},
        {"model": ["a", "b"] * 2, "dataset": ["x", "x", "y", "y"], "value": [0.5, 0.25, 0.75, 0.125]},
        {"method": ["a", "b"] * 10, "value": np.arange(20) / 32},
        {"system": ["a", "b"] * 10, "step": np.arange(20) // 2, "loss": np.arange(20) / 32},
    ],
)
def test_numbers_of_systems_are_measures_and_the_needed_file_is_named(columns: dict[str, object]) -> None:
    data = read(columns)
    first, *_, last = columns
    assert data.kind == "unknown"
    assert facts(data.findings[0].sentence) == f"{first} {last}"


def test_a_column_named_model_among_features_leaves_the_truth_alone() -> None:
    rng = random()
    columns = {"model": rng.choice(["a", "b"], 200), "churned": rng.integers(0, 2, 200), "p_churned": rng.random(200)}
    assert read(columns).roles.get("actual") == "churned"


# one column per class


def test_truths_with_just_one_1_in_each_row_are_classes() -> None:
    rng = random()
    actual, predicted = rng.integers(0, 3, (2, ROWS))
    data = read(one_hot(actual, "y") | one_hot(predicted, "pred"))
    finding = said(data, "one-hot")
    assert finding.action == opening_steps(data.findings)
    shaped = data.shaped(finding.action or "")
    assert shaped.kind == "labels"
    assert shaped.matrix().classes == ("cat", "dog", "horse")
    assert shaped.matrix().counts.trace() == (actual == predicted).sum()


def test_probabilities_and_a_predicted_class_beside_columns_of_classes_are_used() -> None:
    rng = random()
    actual = rng.integers(0, 3, ROWS)
    shares = rng.dirichlet([1, 1, 1], ROWS).round(4)
    data = read(one_hot(actual, "y") | {f"score_{name}": shares[:, place] for place, name in enumerate(NAMES)})
    assert data.shaped(opening_steps(data.findings) or "").kind == "probabilities"
    data = read(one_hot(actual, "y") | {"prediction": rng.choice(NAMES, ROWS)})
    shaped = data.shaped(opening_steps(data.findings) or "")
    assert (shaped.kind, shaped.roles.get("actual")) == ("labels", "label")


def test_scores_that_add_up_to_anything_are_asked_about_and_labels_that_occur_together_stay_labels() -> None:
    rng = random()
    actual = rng.integers(0, 3, ROWS)
    scores = {f"score_{name}": rng.random(ROWS) for name in NAMES}
    data = read(one_hot(actual, "y") | scores)
    assert (said(data, "one-hot").level, opening_steps(data.findings)) == ("info", None)
    together = one_hot(actual, "y")
    together["y_dog"][np.flatnonzero(together["y_cat"])[0]] = 1
    assert not [finding for finding in read(together | scores).findings if finding.code == "one-hot"]


def test_a_row_without_just_one_1_has_no_class_after_the_step() -> None:
    frame = pd.DataFrame({"y_cat": [1, 0, 1], "y_dog": [0, 0, 1], "p": [0.5, 0.25, 0.75]})
    shaped = DataSet.of(frame).shaped("onehot~y_cat,y_dog~label")
    assert shaped.frame["label"].isna().tolist() == [False, True, True]
    assert facts(shaped.notes) == "2 1"


# rankings of classes

CLASSES = ["dog", "cat", "fox", "owl"]
WRITINGS = {
    "JSON": json.dumps, "Python": str, "bars": "|".join, "blanks": " ".join,
    "NumPy": lambda one: "[" + " ".join(f"'{name}'" for name in one) + "]",
}  # fmt: skip


@pytest.mark.parametrize("writing", WRITINGS)
def test_lists_of_k_classes_are_rankings_whose_success_is_top_k_accuracy(writing: str) -> None:
    rng = random()
    actual = rng.choice(CLASSES, ROWS)
    lists = [[str(name) for name in rng.permutation(CLASSES)[:3]] for _ in range(ROWS)]
    data = read({"label": actual, "top3": [WRITINGS[writing](one) for one in lists]})
    assert said(data, "class ranking").action == opening_steps(data.findings)
    shaped = data.shaped(opening_steps(data.findings) or "")
    assert shaped.kind == "run + judgments"
    assert shaped.judgments().queries.__len__() == ROWS
    hits, _ = shaped.state("placed_hits")
    for k in (1, 2, 3):
        top = np.mean([truth in one[:k] for truth, one in zip(actual, lists, strict=True)])
        assert success_at(hits, k=k).mean() == pytest.approx(top, abs=1e-15)


def test_lists_of_codes_and_of_two_systems_are_ranked_too() -> None:
    rng = random()
    actual = rng.integers(0, 10, ROWS)
    lists = {name: [str(rng.permutation(10)[:5].tolist()) for _ in range(ROWS)] for name in ("a", "b")}
    data = read({"item_id": [f"i{row}" for row in range(ROWS)], "label": actual} | lists)
    shaped = data.shaped(said(data, "class ranking").action or "")
    assert shaped.systems == ("a", "b")
    assert shaped.judgments().queries[0] == "i0"


def test_sets_are_no_rankings() -> None:
    rng = random()
    actual = rng.choice(CLASSES, ROWS)
    ordered = ["|".join(sorted(rng.permutation(CLASSES)[:2])) for _ in range(ROWS)]
    uneven = ["|".join(rng.permutation(CLASSES)[: 1 + row % 3]) for row in range(ROWS)]
    several = ["|".join(rng.permutation(CLASSES)[: 1 + row % 2]) for row in range(ROWS)]
    pairs = ["|".join(rng.permutation(CLASSES)[:2]) for _ in range(ROWS)]
    for truth, predicted in ((actual, ordered), (actual, uneven), (several, pairs)):
        data = read({"label": truth, "predicted": predicted})
        assert data.kind == "label sets"
        assert not [finding for finding in data.findings if finding.code == "class ranking"]


# logits


@pytest.mark.parametrize(("names", "begin"), [("a", 'Column "a_logit" is'), ("ab", 'Columns "a_logit", "b_logit" are')])
def test_one_column_of_log_odds_is_named_and_two_are_listed(names: str, begin: str) -> None:
    logits = [2.5, -2.5, 3.0, -3.5] * 5
    data = read({"actual": [1, 0, 1, 0] * 5} | {f"{name}_logit": logits for name in names})
    assert said(data, "scale").sentence.startswith(begin)


@pytest.mark.parametrize(("shift", "step"), [(0, None), (-3, "softmax~cat,dog,fox")])
def test_columns_of_classes_that_are_negative_are_logits(shift: int, step: str | None) -> None:
    rows = np.arange(ROWS)
    shares = {"cat": (rows % 3 == 0) + shift, "dog": (rows % 3 == 1) + 0.0, "fox": (rows % 3 == 2) + 0.0}
    data = read({**shares, "target": [("cat", "dog", "fox")[row % 3] for row in rows]})
    assert opening_steps(data.findings) == step


@pytest.mark.parametrize(
    ("labels", "names"),
    [((0, 1), ("logit_0", "logit_1")), (("neg", "pos"), ("logit_neg", "logit_pos")),
     (("NEGATIVE", "POSITIVE"), ("logits_0", "logits_1"))],
)  # fmt: skip
def test_two_logits_of_two_classes_are_one_score(labels: tuple[object, ...], names: tuple[str, ...]) -> None:
    rng = random()
    logits = rng.normal(size=(ROWS, 2)).round(3)
    codes = rng.integers(0, 2, ROWS)
    data = read({"label": [labels[code] for code in codes]} | dict(zip(names, logits.T, strict=True)))
    assert sentence_with(said(data, "logits").sentence, "one score")
    assert not [finding for finding in data.findings if finding.code == "scale"]
    shaped = data.shaped(opening_steps(data.findings) or "")
    assert shaped.kind == "probabilities"
    score = shaped.scored_arrays(shaped.first_system)
    assert score.labels.tolist() == (codes == 1).tolist()
    assert score.scores == pytest.approx(1 / (1 + np.exp(-(logits[:, 1] - logits[:, 0]))), abs=1e-12)


def test_logits_of_three_classes_and_in_one_cell_are_probabilities_by_the_softmax() -> None:
    rng = random()
    logits, actual = rng.normal(size=(ROWS, 3)) * 300, rng.integers(0, 3, ROWS)
    for columns in (
        {f"logit_{place}": logits[:, place] for place in range(3)},
        {"logits": [str(row) for row in logits.tolist()]},
    ):
        data = read({"label": actual} | columns)
        shaped = data.shaped(opening_steps(data.findings) or "")
        assert shaped.probabilities().probabilities.argmax(axis=1).tolist() == logits.argmax(axis=1).tolist()


def test_logits_of_two_systems_stay_two_scores() -> None:
    rng = random()
    data = read(
        {"label": rng.integers(0, 2, ROWS), "logit_bert": rng.normal(size=ROWS), "logit_gpt": rng.normal(size=ROWS)}
    )
    assert (data.kind, data.systems) == ("scores", ("logit_bert", "logit_gpt"))
    assert not [finding for finding in data.findings if finding.code == "logits"]


def test_logits_beside_their_score_wait_for_a_click() -> None:
    rng = random()
    columns = {"label": rng.integers(0, 2, ROWS), "score": rng.random(ROWS)}
    columns |= {f"logit_{place}": rng.normal(size=ROWS) for place in (0, 1)}
    data = read(columns)
    assert (said(data, "logits").level, opening_steps(data.findings)) == ("info", None)


@pytest.mark.parametrize(
    "text",
    ["onehot~y_cat,gone~label", "softmax~label,y_cat", "ranked~gone~y_cat", "answers~label~*", "onehot~y_cat~label"],
)
def test_a_step_that_does_not_fit_says_so(text: str) -> None:
    frame = pd.DataFrame({"label": list("abc"), "y_cat": [1, 0, 1], "p": [0.5, 0.25, 0.75]})
    with pytest.raises(ValueError, match=r"\.$"):
        DataSet.of(frame).shaped(Shape.from_text(text))
