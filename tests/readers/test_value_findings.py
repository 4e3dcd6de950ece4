"""Findings about values carry the steps that settle them: one click, and the finding is gone."""

import pytest

from evalcore.readers import DataSet, read_sample, read_table, samples

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
