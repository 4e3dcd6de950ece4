"""The list of one query: its marks, the sum behind its average precision, and what its ties leave open."""

import pytest

from evalcore.analyses import RankedList, SideBySideRankings
from evalcore.readers import read_files
from tests.analyses.ranked import QRELS, rankings, text, trec
from tests.words import facts, sentence_with


def cells(ranked) -> dict[str, list[str]]:
    """The texts of the strip by the name of their line."""
    return {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in ranked.strip(60)}


def test_the_table_of_the_textbook_to_the_printed_digit() -> None:
    ranked = RankedList(rankings("ranking_14"), "1")
    lines = cells(ranked)
    assert lines["rank"] == [str(rank) for rank in range(1, 15)]
    assert lines["precision"] == ("1.00 1.00 0.67 0.75 0.60 0.67 0.57 0.50 0.44 0.40 0.36 0.33 0.38 0.36".split())
    assert lines["recall"] == "0.20 0.40 0.40 0.60 0.60 0.80 0.80 0.80 0.80 0.80 0.80 0.80 1.00 1.00".split()
    assert [rank for rank, mark in enumerate(lines["relevant"], 1) if mark == "●"] == [1, 2, 4, 6, 13]
    assert lines["document"][:4] == ["588", "589", "576", "590"]
    assert "AP = (1/1 + 2/2 + 3/4 + 4/6 + 5/13) / 5 = 0.760" in ranked.average_precision


def test_unjudged_documents_are_marked_and_those_not_retrieved_are_named() -> None:
    ranked = RankedList(trec(QRELS + "q1 0 y 1\n"), "q1")
    assert cells(ranked)["relevant"] == ["●", "?", "●"]
    assert ranked.verdict == "3 documents · 3 relevant · 2 found · 1 unjudged, marked ? · not retrieved: y"
    assert ranked.table["grade"] == ["1", "unjudged", "2"]


def test_a_file_of_ranks_has_no_scores() -> None:
    rows = "query,document,rank,grade\n1,a,0,1\n1,b,1,0\n1,c,2,1\n"
    lines = {"qrels.tsv": b"1 0 a 1\n1 0 c 1\n", "mine.tsv": b"1\ta\t1\n1\tb\t2\n1\tc\t3\n"}
    for ranks in (rankings(rows), rankings(read_files(lines))):
        assert ranks.run().scores.tolist()[0] > ranks.run().scores.tolist()[1]
        assert "score" not in RankedList(ranks, "1").table
        assert "score in A" not in SideBySideRankings(ranks, ranks.system, "1").table
    assert "score" in RankedList(trec(), "q1").table


def test_a_query_without_a_list_and_one_without_a_relevant_document() -> None:
    assert facts(RankedList(trec(), "q2").verdict) == "0 1"
    assert sentence_with(RankedList(trec(), "q3").verdict, "no document")


@pytest.mark.parametrize(
    ("more", "numbers"),
    [("", "1 1 2 3 2 0.833"), ("q1 0 y 1\n", "1 1 2 3 3 0.556 0"), ("q1 0 y 1\nq1 0 x 1\n", "1 1 2 3 4 0.417 2 0")],
)
def test_average_precision_is_told_with_what_is_missing(more: str, numbers: str) -> None:
    assert facts(RankedList(trec(QRELS + more), "q1").average_precision) == numbers


def test_ties_leave_a_range() -> None:
    ranked = RankedList(trec("q 0 a 1\nq 0 b 0\n", "q Q0 a 1 1 x\nq Q0 b 2 1 x\n"), "q")
    assert sentence_with(text(ranked.tie_note), "0.500", "1.000")
    same = RankedList(trec("q 0 a 1\nq 0 b 1\n", "q Q0 a 1 1 x\nq Q0 b 2 1 x\n"), "q")
    assert facts(same.tie_note) == "2"
    assert not RankedList(trec(), "q1").tie_note
