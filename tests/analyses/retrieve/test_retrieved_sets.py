"""Retrieved sets: the worked example of two methods, macro and micro average, and what counts 0 by convention."""

from pathlib import Path

import numpy as np
import pytest

from evalcore.analyses import QuerySets, RetrievedSets
from tests.analyses.ranked import THREE, rankings, run_script, text

MISSING = "query,document,A,B,grade\n1,a,1,1,1\n2,a,,1,1\n2,b,,2,0\n"


def row(rows: list, name: str) -> list[str]:
    """The first row of a name: its texts."""
    cells = next(cells for one in rows if getattr((cells := getattr(one, "cells", one))[0], "text", "") == name)
    return [cell.text for cell in cells[1:]]


def two_methods(**settings: float) -> QuerySets:
    return QuerySets(RetrievedSets(rankings("two_methods", "A"), "B", **settings), "1")


def test_methods_a_and_b_as_they_are_printed() -> None:
    # Weber prints precision .50 and .67, recall .35 and .20, F1 .41 and .31.
    one = two_methods()
    heads, rows = one.table
    assert [head.text for head in heads[1:]] == ["precision", "recall", "F1", "fall-out", "generality"]
    assert [name for name, *_ in rows] == ["A", "B", "difference"]
    first, second, difference = ([cell.text for cell in cells[:3]] for _, *cells in rows)
    assert first == ["0.500", "0.350", "0.412"]
    assert second == ["0.667", "0.200", "0.308"]
    assert difference == ["+0.167", "−0.150", "−0.104"]
    assert [cell.below for cell in rows[0][1:]] == ["7 / 14", "7 / 20", "", "7 / 9", "20 / 29"]
    assert rows[1][2].below == "4 / 20"
    assert one.verdict.startswith("**Finds 7 of 20 relevant documents for query 1, with 7 false alarms.**")
    assert one.outcomes("A") == "7 found · 7 false alarms · 13 missed · 2 dismissed"


def test_the_identity_is_filled_with_the_numbers() -> None:
    general, first, second = two_methods(collection=1000).identities
    assert r"f \cdot p \cdot (1-g) = r \cdot g \cdot (1-p)" in general
    assert first == r"A: $0.00714286 \cdot 0.5 \cdot (1-0.02) = 0.35 \cdot 0.02 \cdot (1-0.5) = 0.0035$"
    assert second.startswith("B: ")


def test_the_collection_is_that_of_the_data_unless_it_is_larger() -> None:
    assert "29 documents of the data" in two_methods().note(to_scale=True)
    larger = two_methods(collection=1000)
    assert "1 000 documents, not to scale" in text(larger.note(to_scale=False))
    assert [cells[4].text for cells in larger.table[1][:2]] == ["0.007", "0.002"]


def test_beta_weighs_recall() -> None:
    assert two_methods(beta=2).table[1][0][3].text == "0.372"  # 5 · 0.5 · 0.35 / (4 · 0.5 + 0.35)


def test_macro_against_micro_and_the_query_that_pulls_them_apart() -> None:
    sets = RetrievedSets(rankings(THREE))
    # Precision 1, 1/4 and 0 by convention; 2 of 5 retrieved documents are relevant, and 2 of 6 relevant are found.
    assert row(sets.averages_table, "precision") == ["0.417", "0.400", "+0.0167"]
    assert row(sets.averages_table, "recall") == ["0.417", "0.333", "+0.0833"]
    # Without 1: macro 1/8, micro 1/5. Without 2: 1/2 both. Without 3: 5/8 and 2/5.
    assert sets.table("set_recall")["pull on recall"].tolist() == pytest.approx([19 / 120, 1 / 12, -17 / 120])
    told = sets.pull_verdict("set_recall")
    assert all(part in told for part in ("query **1**", "recall", "from +0.083 to −0.075"))


def test_what_counts_0_by_convention_is_said() -> None:
    one = QuerySets(RetrievedSets(rankings(THREE)), "3")
    assert "nothing was retrieved, so precision counts 0." in one.note(to_scale=True)
    assert one.identities[1] == "no numbers, because one of the four is 0/0 here."


def test_queries_without_a_list_count_0_or_are_left_out() -> None:
    counted = RetrievedSets(rankings(MISSING, "A"), "B")
    assert "1 without a list, counted as 0" in counted.rankings.coverage
    assert row(counted.averages_table, "recall")[0] == "0.500"
    assert len(RetrievedSets(rankings(MISSING, "A", only_common=True)).table("set_f")["query"]) == 1
    # The other system has the query, and this one has not.
    other = RetrievedSets(rankings(MISSING, "B", only_common=True), "A")
    assert "This run has no list for the query" in QuerySets(other, "2").problem("A")
    assert np.isnan(other.table("set_f")["recall B − A"]).tolist() == [False, True]
    assert QuerySets(RetrievedSets(rankings(MISSING, "A", only_common=True)), "2").formulas.endswith("for the query.")


def test_the_level_of_relevance_changes_the_sets() -> None:
    low, high = (RetrievedSets(rankings("image_retrieval_graded", level=level)) for level in (1, 3))
    query = low.rankings.queries()[0]
    assert low.values(query, low.systems[0])["set_precision"] > high.values(query, high.systems[0])["set_precision"]


def test_formulas_hold_the_numbers() -> None:
    assert r"\frac{h}{n} = \frac{7}{14} = 0.500" in two_methods().formulas
    assert r"\frac{n - h}{N - R} = \frac{14 - 7}{29 - 20} = 0.778" in two_methods().formulas


@pytest.mark.parametrize(
    ("sets", "query"),
    [
        (RetrievedSets(rankings("two_methods", "A"), "B"), "1"),
        (RetrievedSets(rankings("image_retrieval", "cosine"), "projection", 2, 5000), "q012"),
        (RetrievedSets(rankings("graded_10", level=2)), "1"),
        (RetrievedSets(rankings("two_methods", "B", only_common=True)), "1"),
    ],
    ids=["two methods", "image retrieval", "graded", "only common"],
)
def test_the_script_finds_the_same_numbers(sets: RetrievedSets, query: str, tmp_path: Path) -> None:
    code = sets.code(query)
    run_script(code, tmp_path)
    with pytest.raises(AssertionError, match="set_precision"):
        run_script(code.replace("'set_precision': (", "'set_precision': (9 + "), tmp_path)
