"""Numbers and predictions side by side: which are scores, which are features, and names of other programs."""

import pandas as pd
import pytest

from evalcore.readers import DataSet, read_table


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("bmi", [21.5, 30.2, 25.1, 28.4, 24.9, 27.3, 22.2, 26.0], "labels"),
        ("margin", [-2.5, 1.2, -0.1, 0.4, 2.9, -0.3, 0.2, -6.0], "scores"),  # above 0 where the prediction is 1
        ("xyz", [0.15, 0.82, 0.51, 0.44, 0.39, 0.93, 0.22, 0.61], "scores"),  # shares, as probabilities are
    ],
)
def test_a_number_beside_predictions_is_a_score_if_they_come_from_it_or_it_is_a_share(
    name: str, values: list[float], kind: str
) -> None:
    frame = pd.DataFrame({"actual": [0, 1, 1, 1, 1, 0, 0, 0], "predicted": [0, 1, 0, 1, 1, 0, 1, 0], name: values})
    data = DataSet.of(pd.concat([frame] * 4, ignore_index=True))
    assert data.kind == kind
    told = [one.sentence for one in data.findings if one.code == "unused scores"]
    assert [f'"{name}" is not used' in one for one in told] == [True] * (kind == "labels")


SHARES = {f"pred_{place}": share for place, share in enumerate(([0.7, 0.2, 0.1], [0.2, 0.6, 0.1], [0.1, 0.2, 0.8]))}


@pytest.mark.parametrize(
    ("columns", "roles"),
    [
        ({"label": [0, 1, 2]} | SHARES, "actual~label~~probability~pred_0~0~pred_1~1~pred_2~2"),
        (
            {"gt_class": ["a", "b", "c"], "det_class": ["a", "c", "b"], "conf": [0.9, 0.5, 0.3]},
            "actual~gt_class~~predicted~det_class",
        ),
        (
            {"sentiment": ["+", "-", "-"], "prediction": ["+", "-", "+"], "prediction_score": [0.9, 0.3, 0.7]},
            "actual~sentiment~~predicted~prediction~~score~prediction_score~~positive~%2B",
        ),
        (
            {"werkelijk": ["ja", "nee", "ja"], "voorspeld": ["ja", "ja", "nee"], "kans": [0.9, 0.6, 0.2]},
            "actual~werkelijk~~predicted~voorspeld~~score~kans~~positive~ja",
        ),
        (
            {"foreign": [0, 1, 1], "phat": [0.2, 0.6, 0.9], "mpg": [22.5, 30.1, 18.3]},
            "actual~foreign~~score~phat~~positive~1",
        ),
    ],
)
def test_predictions_as_other_programs_name_them(columns: dict[str, list], roles: str) -> None:
    frame = pd.concat([pd.DataFrame(columns)] * 20, ignore_index=True)
    assert DataSet.of(frame.astype({c: "str" for c in frame if frame[c].dtype == object})).roles.to_text() == roles


def test_ranks_with_ratings_and_counts_in_german_are_known() -> None:
    ranked = pd.DataFrame({"query": ["a"] * 4, "doc_id": [*"wxyz"], "rank": [1, 2, 3, 4], "rating": [3, 0, 1, 2]})
    assert DataSet.of(ranked.astype({"query": "str", "doc_id": "str"})).kind == "run + judgments"
    counts = read_table(b"Modell;richtig positiv;falsch positiv;falsch negativ;richtig negativ\nA;8;1;2;9\n", "x.csv")
    assert counts.counts("A").tp == 8


@pytest.mark.parametrize("labels", [("yes", "no"), ("1", "0"), ("a", "b", "c")])
@pytest.mark.parametrize("right", [("True", "False"), ("1", "0"), ("wrong", "right")])
def test_a_column_that_says_where_the_prediction_is_right_is_no_system(labels: tuple, right: tuple) -> None:
    actual = [labels[row % len(labels)] for row in range(30)]
    predicted = [labels[row % 7 % len(labels)] for row in range(30)]
    correct = [right[a != b] for a, b in zip(actual, predicted, strict=True)]
    frame = pd.DataFrame({"actual": actual, "prediction": predicted, "prediction_correct": correct})
    assert DataSet.of(frame).systems == ("prediction",)
