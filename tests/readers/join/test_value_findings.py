"""Findings about values carry the steps that settle them: one click, and the finding is gone."""

import pytest

from evalcore.analyses import offer_word
from evalcore.readers import DataSet, read_sample, read_table, samples
from tests.words import sentence_with

ROWS = [("Yes", 0.9), ("yes", 0.8), ("NO", 0.3), ("no", 0.2), ("no ", 0.1), ("yes", 0.4)] * 4


def read(rows: list[tuple], header: str = "truth,score") -> DataSet:
    return read_table((header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)).encode(), "x.csv")


def of(data: DataSet, code: str):
    (finding,) = [one for one in data.findings if one.code == code]
    return finding


def settled(data: DataSet, code: str) -> DataSet:
    shaped = data.shaped(data.shape.and_then(of(data, code).action))
    assert not [one for one in shaped.findings if one.code == code]
    return shaped


def test_one_click_merges_all_labels_that_differ_by_case_or_blanks() -> None:
    merged = settled(read(ROWS), "spellings")
    assert sorted(merged.labels) == ["no", "yes"]
    assert merged.roles.get("positive") == "yes"
    predicted = settled(read([(a, a.upper()) for a, _ in ROWS], "truth,predicted"), "spellings")
    assert predicted.matrix().classes == ("NO", "YES")
    assert predicted.matrix().counts.trace() == len(ROWS)


@pytest.mark.parametrize("code", ["-99", "999", "-9", "9999", "-99.0"])
def test_a_code_far_from_the_scores_is_excluded_by_one_click(code: str) -> None:
    data = read([*ROWS, ("yes", code), ("no", code)])
    assert of(data, "codes").count == 2
    shaped = settled(data, "codes")
    assert shaped.left_out() == 2
    assert shaped.frame["score"].max() == 0.9


def test_two_codes_and_several_columns() -> None:
    rows = [(truth, score, score / 2) for truth, score in ROWS]
    data = read([*rows, ("yes", -99, -99), ("no", 999, 0.5)], "truth,score_a,score_b")
    first, second = [one for one in data.findings if one.code == "codes"]
    assert {first.action, second.action} == {"exclude~score_a,score_b~-99", "exclude~score_a~999"}


@pytest.mark.parametrize("scores", [range(0, 100, 5), [-1, 1] * 10, [9, 1, 2, 3] * 5, [99, 98, 90] * 6, [99] * 20])
def test_usual_numbers_are_no_codes(scores) -> None:
    data = read([(("yes", "no")[row % 2], score) for row, score in enumerate(scores)])
    assert not [one for one in data.findings if one.code == "codes"]


def test_words_and_numbers_for_missing_values_among_labels() -> None:
    data = read([("ill", 0.9), ("well", 0.1), ("?", 0.4), ("ill", 0.8), ("-99", 0.2), ("well", 0.3)])
    shaped = settled(data, "codes")
    assert sorted(shaped.labels) == ["ill", "well"]
    numbers = settled(read([(1, 0.9), (0, 0.1), (99, 0.4), (1, 0.8), (0, 0.2)]), "codes")
    assert sorted(numbers.labels) == [0, 1]
    digits = read([(row % 10, row % 9) for row in range(60)], "truth,predicted")
    assert not [one for one in digits.findings if one.code == "codes"]


def test_words_among_scores_are_excluded_by_one_click_and_the_score_is_one() -> None:
    data = read([*ROWS, ("yes", "n.d."), ("no", "failed")])
    shaped = settled(data, "words")
    assert shaped.frame["score"].dtype == float
    assert shaped.roles.get("score") == ("score",)


def test_percentages_and_log_odds_become_probabilities_by_one_click() -> None:
    percent = settled(read([(truth, round(score * 100)) for truth, score in ROWS], "truth,risk_score"), "scale")
    assert percent.frame["risk_score"].max() == 0.9
    named = settled(read([(truth, score * 100) for truth, score in ROWS], "truth,prob"), "not in 0 … 1")
    assert named.frame["prob"].max() == pytest.approx(0.9)
    logits = settled(read([(truth, score * 8 - 4) for truth, score in ROWS], "truth,logit"), "scale")
    assert 0 < logits.frame["logit"].min() < logits.frame["logit"].max() < 1


def test_no_sample_offers_an_action() -> None:
    for id, sample in samples().items():
        assert not sample.offered or not [finding.sentence for finding in read_sample(id).findings if finding.action]


def test_a_code_among_labels_and_scores_is_excluded_by_one_click() -> None:
    rows = [("ill" if row % 2 else "well", row / 50) for row in range(50)]
    dataset = read([*rows, ("-99", -99), ("ill", -99)], "truth,score")
    clean = dataset.shaped(next(one.action for one in dataset.findings if one.code == "codes"))
    assert "codes" not in [one.code for one in clean.findings]
    assert clean.left_out() == 2


@pytest.mark.parametrize("name", ["score", "prob"])
def test_shares_among_percentages_are_told_and_divided_by_one_click(name: str) -> None:
    rows = [
        ("yes", score) if row % 2 else ("no", round(score / 3, 3)) for row, score in enumerate([0.2, 0.6, 0.9] * 10)
    ]
    data = read([*rows, ("yes", 87.5), ("yes", 62), ("no", 21)], f"truth,{name}")
    finding = of(data, "mixed scales")
    assert sentence_with(finding.sentence, f"{name}", "1", "87.5", "3", "32")
    assert not [one for one in data.findings if one.code in ("scale", "not in 0 … 1")]
    shaped = settled(data, "mixed scales")
    assert shaped.frame[name].tolist()[-4:] == [0.9, 0.875, 0.62, 0.21]
    assert data.shaped(finding.other).frame[name].tolist()[-2:] == [0.62, 0.21]


@pytest.mark.parametrize("scores", [[row * 3.3 for row in range(30)], [0.1 * 1.26**row for row in range(30)]])
def test_percentages_and_long_tails_are_no_mixed_scales(scores: list[float]) -> None:
    data = read([("yes" if row % 2 else "no", score) for row, score in enumerate(scores)])
    assert not [one for one in data.findings if one.code == "mixed scales"]


def minus(row: int, rare: int) -> int:
    return -1 if row % rare == 0 else 1


@pytest.mark.parametrize("truth", [("1", "0"), ("anomaly", "normal"), ("yes", "no")])
def test_either_meaning_of_minus_one_in_a_prediction_is_one_click(truth: tuple[str, str]) -> None:
    rows = [(truth[row % 8 > 0], minus(row, 8)) for row in range(64)]
    data = read(rows, "truth,predicted")
    finding = of(data, "anomalies")
    assert 'Column "predicted" holds −1 (8 rows) and 1' in finding.sentence
    assert "no common label" not in [one.code for one in data.findings]
    assert [offer_word(finding, steps) for steps in finding.answers] == [f"−1 is {label}" for label in truth]
    shaped = settled(data, "anomalies")
    assert (shaped.frame["predicted"] == shaped.frame["truth"]).all()
    other = data.shaped(finding.other)
    assert (other.frame["predicted"] != other.frame["truth"]).all()
    turned = read([(truth[row % 8 == 0], code) for row, (_, code) in enumerate(rows)], "truth,predicted")
    assert offer_word(of(turned, "anomalies")) == f"−1 is {truth[1]}"


def test_minus_one_in_the_truth_becomes_the_positive_class_by_one_click() -> None:
    data = read([(minus(row, 9), minus(row, 8)) for row in range(60)], "y_true,y_pred")
    assert data.roles.positive == 1
    assert offer_word(of(data, "anomalies")) == "−1 is the anomaly"
    assert 'Columns "y_true", "y_pred" hold −1 (7 rows of "y_true") and 1.' in of(data, "anomalies").sentence
    shaped = settled(data, "anomalies")
    assert (shaped.roles.positive, shaped.frame["y_pred"].value_counts()["anomaly"]) == ("anomaly", 8)
    assert shaped.matrix().counts.trace() == sum(minus(row, 9) == minus(row, 8) for row in range(60))
    machine = read([(-minus(row, 3), -minus(row, 4)) for row in range(60)], "y,predicted")
    assert "anomalies" not in [one.code for one in machine.findings]
    assert "anomalies" not in [
        one.code for one in data.with_roles("actual~y_true~~predicted~y_pred~~positive~-1").findings
    ]


def test_anomaly_scores_are_reversed_by_one_click() -> None:
    rows = [(int(row % 9 == 0), -0.2 - row / 1000 if row % 9 == 0 else 0.1 + row / 1000) for row in range(60)]
    data = read(rows, "is_outlier,score")
    finding = of(data, "worse than chance")
    assert offer_word(finding) == "Reverse the scores"
    shaped = settled(data, "worse than chance")
    assert shaped.frame["score"].tolist() == [-score for _, score in rows]
    assert of(read(rows, "ill,score"), "worse than chance").action is None
