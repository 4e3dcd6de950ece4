"""Retrieved sets: the worked example of two methods, macro and micro average, and what counts 0 by convention."""

from pathlib import Path

import numpy as np
import pytest

from evalcore.analyses import QuerySets, RetrievedSets
from tests.analyses.ranked import THREE, rankings, run_script
from tests.words import facts, sentence_with

MISSING = "query,document,A,B,grade\n1,a,1,1,1\n2,a,,1,1\n2,b,,2,0\n"


def row(rows: list, name: str) -> list[str]:
    """The first row of a name: its texts."""
    return [cell.text for cell in next(one.cells for one in rows if one.cells and one.cells[0].text == name)[1:]]


def column(table: tuple[list, list], name: str) -> list[str]:
    """The texts below a heading."""
    heads, rows = table
    place = [getattr(head, "text", head) for head in heads].index(name)
    return [cells[place].text for cells in rows]


def two_methods(**settings: float) -> QuerySets:
    return QuerySets(RetrievedSets(rankings("two_methods", "A"), "B", **settings), "1")


def test_methods_a_and_b_as_they_are_printed() -> None:
    # Weber prints precision .50 and .67, recall .35 and .20, F1 .41 and .31.
    one = two_methods()
    _, rows = one.table
    assert [cells[0] for cells in rows] == ["A", "B", "difference"]
    assert column(one.table, "precision") == ["0.500", "0.667", "+0.167"]
    assert column(one.table, "recall") == ["0.350", "0.200", "−0.150"]
    assert column(one.table, "F1") == ["0.412", "0.308", "−0.104"]
    assert [cell.below for cell in rows[0][1:]] == ["7 / 14", "7 / 20", "", "7 / 9", "20 / 29"]
    assert rows[1][2].below == "4 / 20"
    assert one.outcomes("A") == "7 found · 7 false alarms · 13 missed · 2 dismissed"


def test_the_identity_is_filled_with_the_numbers() -> None:
    general, first, second = two_methods(collection=1000).identities
    assert r"f \cdot p \cdot (1-g) = r \cdot g \cdot (1-p)" in general
    assert first == r"A: $0.00714286 \cdot 0.5 \cdot (1-0.02) = 0.35 \cdot 0.02 \cdot (1-0.5) = 0.0035$"
    assert second.startswith("B: ")


def test_the_collection_is_that_of_the_data_unless_it_is_larger() -> None:
    assert sentence_with(two_methods().note(to_scale=True), "29", "documents")
    larger = two_methods(collection=1000)
    assert sentence_with(larger.note(to_scale=False), "1000", "documents")
    assert column(larger.table, "fall-out")[:2] == ["0.007", "0.002"]


def test_beta_weighs_recall() -> None:
    assert column(two_methods(beta=2).table, "F2")[0] == "0.372"  # 5 · 0.5 · 0.35 / (4 · 0.5 + 0.35)


def test_macro_against_micro_and_the_query_that_pulls_them_apart() -> None:
    sets = RetrievedSets(rankings(THREE))
    # Precision 1, 1/4 and 0 by convention; 2 of 5 retrieved documents are relevant, and 2 of 6 relevant are found.
    assert row(sets.averages_table, "precision") == ["0.417", "0.400", "+0.0167"]
    assert row(sets.averages_table, "recall") == ["0.417", "0.333", "+0.0833"]
    # Without 1: macro 1/8, micro 1/5. Without 2: 1/2 both. Without 3: 5/8 and 2/5.
    assert sets.table("set_recall")["pull on recall"].tolist() == pytest.approx([19 / 120, 1 / 12, -17 / 120])
    assert facts(sets.pull_verdict("set_recall")) == "1 +0.083 -0.075"


def test_what_counts_0_by_convention_is_said() -> None:
    one = QuerySets(RetrievedSets(rankings(THREE)), "3")
    assert sentence_with(one.note(to_scale=True), "0", "retrieved")
    assert facts(one.identities[1]) == "0 0"


def test_queries_without_a_list_count_0_or_are_left_out() -> None:
    counted = RetrievedSets(rankings(MISSING, "A"), "B")
    assert "1 without a list, counted as 0" in counted.rankings.coverage
    assert row(counted.averages_table, "recall")[0] == "0.500"
    assert len(RetrievedSets(rankings(MISSING, "A", only_common=True)).table("set_f")["query"]) == 1
    # The other system has the query, and this one has not.
    other = RetrievedSets(rankings(MISSING, "B", only_common=True), "A")
    assert sentence_with(QuerySets(other, "2").problem("A"), "no list")
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
