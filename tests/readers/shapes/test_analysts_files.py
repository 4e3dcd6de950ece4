"""Files as analysts have them open with the roles that an analyst would choose, and say what they rest on."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, opening_steps, read_table, roles_of
from tests.readers import made_files as files
from tests.words import sentence_with


def read(data: bytes | pd.DataFrame) -> DataSet:
    return read_table(files.csv(data) if isinstance(data, pd.DataFrame) else data, "x.csv")


def sentences(dataset: DataSet) -> str:
    return "\n".join(finding.sentence for finding in dataset.findings)


def test_a_distance_is_lower_for_the_positive_class() -> None:
    dataset = read(files.distances())
    assert dataset.roles == roles_of(actual="actual", score=("distance",), positive="ill", higher_is_positive=False)
    assert sentence_with(sentences(dataset), "distance", "because")


def test_of_a_good_outcome_its_absence_may_be_the_event() -> None:
    dataset = read(files.survivors())
    assert (dataset.roles.get("actual"), dataset.roles.get("score")) == ("survived", ("risk_score",))
    assert sentence_with(sentences(dataset), "0", "Positive is")
    assert sentence_with(sentences(dataset), "the other value")


def test_rounded_probabilities_need_no_consent() -> None:
    dataset = read(files.class_probabilities())
    assert dataset.kind == "probabilities"
    assert [text for _, text in dataset.roles.get("probability")] == files.ANIMALS
    assert sentence_with(sentences(dataset), "74", "1", "0.00015")
    assert len(dataset.probabilities().probabilities) == 300
    assert read(files.class_probabilities(stated=True)).roles.get("predicted") == ("predicted",)


def test_a_class_column_that_is_missing_is_no_rounding() -> None:
    frame = pd.DataFrame({"y": list("abc") * 3, "p_a": [0.5] * 9, "p_b": [0.3] * 9, "p_c": [0.18] * 9})
    with pytest.raises(ReadProblem, match="1 in 9 rows"):
        read(frame).probabilities()


def test_counts_of_four_systems() -> None:
    assert read(files.four_counts()).systems == ("A", "B", "C", "D")


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_measures_without_counts_say_what_is_missing(rows: int) -> None:
    dataset = read(b"\n".join(files.measures().splitlines()[:rows]) + b"\n")
    assert dataset.kind == "unknown"
    assert 'holds measures ("precision", "recall", "f1")' in sentences(dataset)
    assert sentence_with(sentences(dataset), "Confusion page")


def test_a_column_of_estimates_is_found() -> None:
    dataset = read(files.estimates())
    assert dataset.roles == roles_of(truth="y", estimate=("yhat",))


def test_indices_dates_and_ids_are_no_scores() -> None:
    text = files.indexed().decode()
    for named in (text, text.removeprefix("Unnamed: 0"), text.replace("score", "x")):
        assert len(read(named.encode()).roles.get("score")) == 1


def test_codes_1_and_2_do_not_say_which_is_positive() -> None:
    dataset = read(files.coded_1_2())
    assert dataset.kind == "scores"
    assert sentence_with(sentences(dataset), "codes")


def test_log_odds_and_two_rankings_are_scores() -> None:
    assert read(files.log_odds()).roles.get("score") == ("logit",)
    assert read(files.same_ranking()).roles.get("score") == ("a", "b")
    assert read(files.two_models_with_groups()).systems == ("score_a", "score_b")
    assert read(files.two_models_with_groups()).roles.get("group") == "age_band"


@pytest.mark.parametrize("whole", [False, True])
def test_a_body_weight_is_offered_but_not_used(whole: bool) -> None:
    dataset = read(files.kilograms(whole))
    assert dataset.roles.get("weight") is None
    assert dataset.roles.get("score") == ("score",)
    assert sentence_with(sentences(dataset), "weight", "weights")
    chosen = dataset.with_roles(roles_of(actual="y", score=("score",), positive=1, weight="weight"))
    assert "used as weights" not in sentences(chosen)


@pytest.mark.parametrize("name", ["weight", "w", "sample_weight", "frequency", "n", "count"])
@pytest.mark.parametrize("values", [[20, 180, 10, 1820], [1, 2, 1, 3], [0, 1, 5, 2]])
def test_weights_of_rows_and_counts_are_used(name: str, values: list[int]) -> None:
    frame = pd.DataFrame({"actual": [1, 1, 0, 0], "predicted": [1, 0, 1, 0], name: values})
    assert read(frame).roles.get("weight") == name


@pytest.mark.parametrize("values", [[0.8, 1.1, 1.3, 0.9], [0.5, 2.5, 90.25, 300.5]])
def test_weights_with_fractions_are_used_under_their_name_only(values: list[float]) -> None:
    frame = pd.DataFrame({"actual": [1, 1, 0, 0], "score": [0.5, 0.4, 0.3, 0.1], "weight": values})
    assert read(frame).roles.get("weight") == "weight"
    assert read(frame.rename(columns={"weight": "n"})).roles.get("weight") is None


def test_a_count_in_a_table_of_single_rows_is_no_weight() -> None:
    frame = files.labelled_scores(count=np.random.default_rng(1).integers(1, 9, 200))
    repeated = frame.assign(score=frame["score"].round(1))
    assert read(repeated).roles.get("weight") is None


def test_a_long_table_says_so_and_becomes_systems() -> None:
    table = files.long()
    dataset = read(table)
    assert sentence_with(sentences(dataset), "id", "model", "2")
    wide = dataset.shaped(opening_steps(dataset.findings) or "")
    assert wide.roles == roles_of(actual="y", score=tuple(dict.fromkeys(table["model"])), positive=1)
    assert len(wide) == 120
    assert opening_steps(wide.findings) is None


def test_a_long_table_of_predictions() -> None:
    table = files.long(("A", "B", "C"), "prediction")
    table["prediction"] = (table["prediction"] > 0.5).astype(int)
    dataset = read(table.rename(columns={"model": "Classifier"}))
    assert set(dataset.shaped(opening_steps(dataset.findings) or "").roles.get("predicted")) == {"A", "B", "C"}


def test_two_rows_of_a_system_for_one_case_are_named() -> None:
    table = files.long()
    dataset = read(pd.concat([table, table.iloc[:1]]))
    assert opening_steps(dataset.findings) is None
    assert sentence_with(sentences(dataset), "2", "242")


@pytest.mark.parametrize("frame", [
    files.labelled_scores(model=["A", "B"] * 100), files.labelled_scores(id=range(200), model=["A", "B"] * 100),
    files.labelled_scores(patient=np.repeat(range(40), 5), model=["A"] * 200),
])  # fmt: skip
def test_a_model_beside_single_rows_makes_no_long_table(frame: pd.DataFrame) -> None:
    assert "the rows mix" not in sentences(read(frame))


def test_predictions_that_are_nearly_always_wrong_are_questioned() -> None:
    y = np.random.default_rng(1).integers(0, 2, 200)
    other = np.random.default_rng(2).integers(0, 2, 200)
    right = np.where(np.arange(200) < 160, y, 1 - y)
    swapped = read(pd.DataFrame({"y": y, "pred": 1 - right}))
    assert sentence_with(sentences(swapped), "pred", "20.0%", "200")
    for predicted in (right, other, np.zeros(200, int)):
        assert "swapped" not in sentences(read(pd.DataFrame({"y": y, "pred": predicted})))


def test_any_rater_can_be_the_truth() -> None:
    dataset = read(files.raters())
    assert dataset.roles == roles_of(actual="rater_1", predicted=("rater_2", "rater_3"))
    assert sentence_with(sentences(dataset), "rater_1", "column")
    assert 'Column "rater_2" has no label in 8 rows' in sentences(dataset)


def test_a_judge_is_measured_on_the_rows_with_a_label() -> None:
    dataset = read(files.judge())
    assert dataset.roles == roles_of(actual="human_label", score=("judge_score",), positive=1)
    assert dataset.left_out() == 4700
    assert 'Column "human_label" has no label in 4\u202f700 rows' in sentences(dataset)


def test_rows_of_one_patient_belong_together() -> None:
    dataset = read(files.rows_of_patients())
    assert dataset.roles.get("score") == ("score",)
    assert 'Column "patient" names 60 cases with 10 rows each' in sentences(dataset)
    assert "cases with" not in sentences(read(files.labelled_scores(patient=range(200))))


def test_what_was_not_recognized_is_told_column_by_column() -> None:
    dataset = read(b"height,id,place,kind,z\n1.7,1,a,x,\n1.8,2,b,x,\n1.9,4,c,x,\n")
    assert "none holds true labels" in sentences(dataset)
    assert sentence_with(sentences(dataset), "height", "1.700", "1.900", "id", "place", "a", "b", "c", "kind", "x", "z")
    lacking = read(b"label,text\nx,aa\ny,bb\nx,cc\nz,dd\n")
    assert sentence_with(sentences(lacking), "label", "column")


def test_a_probability_named_after_the_truth_is_the_score_among_features() -> None:
    for data in (files.features(), files.features().replace(b"x3,", b"class,")):
        dataset = read(data)
        assert dataset.roles == roles_of(actual="churn", score=("churn_proba",), positive=1)
        assert sentence_with(sentences(dataset), "churn_proba", "19")
    guessed = sentences(read(files.features().replace(b"churn_proba", b"proba")))
    assert sentence_with(guessed, "is_member", "churn")


@pytest.mark.parametrize("names", [("y", "y_score"), ("survived", "p_survived"), ("Label", "score (label)")])
def test_a_truth_is_matched_with_what_is_named_after_it(names: tuple[str, str]) -> None:
    frame = files.labelled_scores(sex=[0, 1] * 100, age=[30, 50, 20, 40] * 50).rename(
        columns={"y": names[0], "score": names[1]}
    )
    roles = read(frame[["sex", "age", names[1], names[0]]]).roles
    assert (roles.get("actual"), roles.get("score")) == (names[0], names[1:])


def test_of_several_truths_the_first_is_measured_with_its_own_column() -> None:
    words = np.random.default_rng(1).choice(["p", "q", "r"], (200, 4))
    dataset = read(pd.DataFrame(words, columns=["y_color", "y_shape", "pred_shape", "pred_color"]))
    assert dataset.roles == roles_of(actual="y_color", predicted=("pred_color",))
    assert sentence_with(sentences(dataset), "2", "y_color", "pred_color")


def test_of_probabilities_beside_a_prediction_it_is_told_which_is_used() -> None:
    same = sentences(read(files.class_probabilities(stated=True)))
    assert sentence_with(same, "predicted", "Classes")
    other = files.class_probabilities(stated=True).replace(b",cat\n", b",dog\n")
    assert 'column "predicted" instead, which differs in ' in sentences(read(other))
