"""A ranking over its queries: settings, what counts 0, what ties leave open, and the script that finds it again."""

from pathlib import Path

import pytest

from evalcore import METRICS
from evalcore.analyses import COUNT_COLUMNS, Rankings, RankingSummary
from evalcore.figures import mean_lines, ranking_table
from tests.analyses.ranked import QRELS, RUN, rankings, run_script, text, trec
from tests.words import sentence_with

COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")
CLOSE = "q Q0 a 1 0.5000000001 x\nq Q0 b 2 0.5 x\nq Q0 c 3 0.25 x\n"


def verdict(of: Rankings, *names: str) -> str:
    summary = RankingSummary(of, names or COLUMNS)
    return text(" ".join((summary.verdict, summary.tie_note, summary.details)))


def mean(of: Rankings, title: str) -> str:
    return RankingSummary(of, COLUMNS).headline[title]


def test_the_level_of_relevance_holds_for_all_measures() -> None:
    assert mean(trec(k=3), "P@3") == "0.222"  # two of three, none, none
    assert mean(trec(k=3, level=2), "P@3") == "0.111"


def test_missing_queries_count_0_or_are_left_out() -> None:
    said = verdict(trec())
    assert "1 without a list, counted as 0** (q2)" in said
    assert sentence_with(said, "1", "judgments")
    assert sentence_with(said, "0", "1")
    assert mean(trec(), "MAP") == "0.278"  # (1 + 2/3) / 2 of three queries
    assert mean(trec(only_common=True), "MAP") == "0.417"
    assert "1 without a list, left out** (q2)" in verdict(trec(only_common=True))


def test_the_query_that_is_shown_first_has_a_curve_if_any_has() -> None:
    # By AP q2, without a list, and q3, without a relevant document, stand before it.
    assert RankingSummary(trec(), COLUMNS).first_query(2, descending=False) == 0
    assert RankingSummary(trec("q3 0 d 0\n", "q3 Q0 d 1 1 x\n"), COLUMNS).first_query(2, descending=False) == 0


def test_the_finding_names_the_worst_query() -> None:
    assert RankingSummary(trec(), COLUMNS).verdict.startswith(
        "**Mean average precision 0.278 over 3 queries; q2 is worst with 0.000.** **1 without a list"
    )
    assert RankingSummary(rankings("ranking_14"), COLUMNS).verdict == "**Average precision 0.760 for query 1.**"


def test_a_query_without_a_relevant_document_is_not_the_worst_but_named() -> None:
    said = verdict(
        trec("q1 0 a 1\nq2 0 a 1\nq3 0 d 0\n", "".join(f"q{i} Q0 b 1 2 x\nq{i} Q0 a 2 1 x\n" for i in "123"))
    )
    assert "0.333 over 3 queries; the same for each with a relevant document." in said
    assert "q3 has AP 0 because it has no relevant document." in said
    said = verdict(
        trec("q1 0 a 1\nq2 0 b 1\nq3 0 d 0\n", "".join(f"q{i} Q0 b 1 2 x\nq{i} Q0 a 2 1 x\n" for i in "123"))
    )
    assert "q1 is worst with 0.500" in said


def test_differences_are_b_minus_a_and_zeros_are_counted_where_they_are_not_best() -> None:
    summary = RankingSummary(rankings("image_retrieval"), ("AP",), beside="cosine")
    missed, *differences = summary.gallery_columns
    a, b = (RankingSummary(rankings("image_retrieval", one), ("AP",)).columns[-1].total for one in ("pixels", "cosine"))
    assert differences[-1].heading == "cosine − pixels"
    assert differences[-1].total == pytest.approx(b - a)
    assert (missed.zeros, summary.columns[0].zeros) == ("", "0")


def test_ties_that_change_nothing_stay_out_of_the_note() -> None:
    summary = RankingSummary(rankings("image_retrieval"), COLUMNS)
    assert summary.tie_note == ""
    assert "3 680 of 30 000 documents have tied scores" in text(summary.details)


def test_ties_are_counted_with_the_range_they_leave_open() -> None:
    of = trec("q 0 a 1\nq 0 b 0\n", "q Q0 a 1 1 x\nq Q0 b 2 1 x\n")
    assert "2 of 2 documents have tied scores" in verdict(of)
    assert "AP 0.500–1.000" in verdict(of)
    assert mean(of, "MAP") == "0.500"  # b stands first: the last id does


def test_scores_that_only_32_bits_make_equal_are_told() -> None:
    of = trec("q 0 a 1\n", CLOSE)
    assert sentence_with(verdict(of), "9", "32", "2")
    assert mean(of, "MAP") == "1.000"
    assert "32 bits" not in verdict(trec("q 0 a 1\n", CLOSE.replace("01 x", "00 x")))


def test_a_range_that_nobody_knows_is_not_told() -> None:
    lists = "q Q0 a 1 1 x\nq Q0 b 2 1 x\nq Q0 c 3 1 x\n"
    judged = "q 0 a 1\nq 0 b 0\nq 0 c 0\n"
    for qrels, told in ((judged, True), (judged.replace("c 0", "c -1"), False)):
        said = verdict(trec(qrels, lists), "infAP")
        assert ("infAP 0." in said) is told
        assert "AP 0.333–1.000" in said


def test_the_range_of_a_geometric_mean_is_geometric_too() -> None:
    lists = "q Q0 a 1 1 x\nq Q0 b 2 1 x\np Q0 a 1 2 x\np Q0 b 2 1 x\n"
    # Of ½ … 1 and 1: √½ … 1, not ¾ … 1.
    assert "AP 0.750–1.000, GMAP 0.707–1.000" in verdict(trec("q 0 a 1\nq 0 b 0\np 0 a 1\n", lists), "GMAP")


def test_the_options_of_trec_eval_that_the_export_answers_to_are_named() -> None:
    assert RankingSummary(trec(), COLUMNS).trec_eval_command == "trec_eval -q -c -l 1"
    assert RankingSummary(trec(only_common=True, level=1.5), COLUMNS).trec_eval_command == "trec_eval -q -l 2"


def test_every_measure_can_be_a_column() -> None:
    names = [measure.label for measure in METRICS.values() if measure.family == "retrieval"]
    summary = RankingSummary(rankings("graded_10"), names)
    assert {"query", *COUNT_COLUMNS, *names} == set(summary.table)
    for name in names:
        assert f"({name})" in summary.formulas


def test_the_eleven_points_of_one_query_are_marked_on_its_line() -> None:
    levels = mean_lines(rankings("ranking_14"))["levels"]
    assert (levels["name"], levels["line"]) == ("11 points", False)
    # From the table: the highest precision at this recall or further right.
    points = [point["at"][1] for point in levels["points"]]
    assert points == pytest.approx([1] * 5 + [0.75] * 2 + [2 / 3] * 2 + [5 / 13] * 2)
    assert mean_lines(rankings("image_retrieval"))["levels"]["line"]
    # Its numbers do not stand a second time under the table.
    feet = [ranking_table(RankingSummary(rankings(name), ["AP"]))["foot"] for name in ("ranking_14", "image_retrieval")]
    assert [line["name"] for line in feet[1]] == ["all 300", "queries at 0"]
    assert feet[0] == []


def test_the_script_finds_the_numbers_of_a_sample_again(tmp_path: Path) -> None:
    run_script(RankingSummary(rankings("two_methods", "B"), ("AP", "set_F", "fallout")).code, tmp_path)


def test_the_script_finds_the_numbers_of_two_files_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = RankingSummary(trec(only_common=True, level=2), COLUMNS).code
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "mine.run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    assert "read_files" in code
    run_script(code, tmp_path)
    (tmp_path / "mine.run").write_text(RUN.replace("a 1 3", "a 1 0"))
    with pytest.raises(AssertionError):
        run_script(code, tmp_path)
