"""Systems on the same queries: every number beside the core's, the verdict, the tables, and odd lists."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalcore.analyses import (
    QueryDifferences,
    RankingComparison,
    Rankings,
    SideBySideRankings,
    Source,
    compare_rankings,
)
from evalcore.inference import adjusted, cautious_t, paired_t, randomization
from evalcore.readers import ReadProblem, read_sample, read_table
from evalcore.readers.join.files_together import read_files
from evalcore.retrieval import PerQuery, evaluate
from evalcore.wording import p_text
from tests.words import sentence_with

NAMES = ["AP", "nDCG@10", "P@10", "R@10", "RR", "bpref"]
FILES = {
    "qrels": "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 b 1\nq3 0 c 0\n",
    "one": "q1 Q0 a 1 3 one\nq1 Q0 b 2 2 one\nq2 Q0 z 1 2 one\nq2 Q0 a 2 1 one\n",
    "two": "q1 Q0 b 1 3 two\nq1 Q0 a 2 2 two\nq2 Q0 a 1 2 two\nq3 Q0 b 1 2 two\n",
}


def sample(name: str, system: str, **settings) -> Rankings:
    return Rankings(replace(Source.of(read_sample(name)), id=name), system, **settings)


def table_of(csv: str, system: str = "one") -> Rankings:
    return Rankings(Source.of(read_table(csv.encode(), "table.csv")), system)


def files(system: str, **settings) -> Rankings:
    return Rankings(Source.of(read_files({name: text.encode() for name, text in FILES.items()})), system, **settings)


def two_systems(queries: int = 30, same: bool = False) -> Rankings:
    """Each query has a relevant and another document; the second system may swap them."""
    lines = ["query,document,one,two,grade"]
    for query in range(queries):
        turned = not same and query % 3 == 0
        lines += [f"q{query},a,2,{1 if turned else 2},1", f"q{query},b,1,{2 if turned else 1},0"]
    return table_of("\n".join(lines) + "\n")


def expected(name: str, measures: list[str]) -> dict[str, PerQuery]:
    data = read_sample(name)
    return {system: evaluate(data.judgments(), data.run(system), measures) for system in data.systems}


def cells(comparison: RankingComparison) -> dict[str, list[tuple[str, str]]]:
    """Text and second line of each cell of the table of systems, by the title of its row."""
    return {
        row.cells[0].text: [(cell.text.strip(), cell.below.strip()) for cell in row.cells[1:]]
        for row in comparison.rows
    }  # fmt: skip


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("*", "")


def test_the_numbers_are_those_of_the_core() -> None:
    values = expected("image_retrieval", NAMES)
    comparison = compare_rankings(sample("image_retrieval", "pixels"), "projection")
    tests = [
        (system, name, cautious_t(values["pixels"].values[name], values[system].values[name]))
        for system in ("cosine", "projection")
        for name in NAMES
    ]
    corrected = adjusted([test.p_value for *_, test in tests], "holm").tolist()
    table = comparison.table
    assert table["measure"] == [name for _, name, _ in tests]
    assert table["B"] == [system for system, *_ in tests]
    assert set(table["A"]) == {"pixels"}
    for column, wanted in (("difference", "estimate"), ("p", "p_value"), ("d_z", "effect_size"), ("n", "n")):
        assert table[column] == [getattr(test, wanted) for *_, test in tests]
    for column in ("wins", "ties", "losses"):
        assert table[column] == [getattr(test, column) for *_, test in tests]
    assert table["low"] == [test.interval.low for *_, test in tests]
    assert table["corrected p"] == corrected
    shown = cells(comparison)
    assert shown["A pixels"][0][0] == "0.506"
    assert shown["B projection"][0] == ("0.661 ▲", "+0.155\u2003\n+0.136 to +0.174")
    assert shown["cosine"][0][0].endswith("▼")
    assert not shown["cosine"][2][0].endswith("▼")
    assert comparison.verdict.startswith("**projection ranks best (AP 0.661), better than pixels beyond chance.**")
    assert "wins 252, ties 17 and loses 31 of 300 queries" in comparison.verdict
    assert comparison.means_table["mean"][:2] == [values["pixels"].mean("AP"), values["pixels"].mean("nDCG@10")]
    assert comparison.queries_table["RR of cosine"].tolist() == values["cosine"].values["RR"].tolist()


def test_test_and_correction_are_those_chosen_and_turned_the_difference_is_turned() -> None:
    values = expected("image_retrieval", ["RR"])
    test = randomization(values["pixels"].values["RR"], values["cosine"].values["RR"])
    settings = {"names": ["RR"], "test": "randomisation", "correction": "bonferroni"}
    comparison = compare_rankings(sample("image_retrieval", "pixels"), "cosine", **settings)
    headline = "pixels ranks best (RR 0.993); the difference from cosine could be chance."
    assert comparison.verdict.startswith(f"**{headline}**")
    assert "cosine (B) minus pixels (A): −0.0017" in plain(comparison.verdict)
    assert f"{p_text(min(2 * test.p_value, 1))}, Bonferroni-corrected for 2 comparisons" in plain(comparison.verdict)
    turned = compare_rankings(sample("image_retrieval", "cosine"), "pixels", **settings)
    assert turned.verdict.startswith(f"**{headline}**")
    assert "pixels (B) minus cosine (A): +0.0017" in plain(turned.verdict)


def test_the_headline_names_the_best_of_the_table_though_the_pair_is_another() -> None:
    """Projection is 0.155 above pixels and 0.162 above cosine; what is said of the pair is said of A and B."""
    for a, b, sign in (("pixels", "cosine", "−"), ("cosine", "pixels", "+")):
        comparison = compare_rankings(sample("image_retrieval", a), b)
        headline, reasons = plain(comparison.verdict).split("  \n")
        assert headline == "projection ranks best (AP 0.661). Of A and B, pixels is better than cosine, beyond chance."
        assert reasons.startswith(f"{b} (B) minus {a} (A): {sign}0.0069")
    first = compare_rankings(sample("image_retrieval", "projection"), "cosine")
    assert plain(first.verdict).startswith("projection ranks best (AP 0.661), better than cosine beyond chance.")
    assert "cosine (B) minus projection (A): −0.162" in plain(first.verdict)


@pytest.mark.parametrize("test", ["t", "randomisation", "wilcoxon", "sign"])
def test_identical_systems_have_no_difference_and_p_is_1(test: str) -> None:
    comparison = compare_rankings(two_systems(same=True), test=test)
    assert sentence_with(comparison.verdict, "30", "queries")
    assert set(comparison.table["difference"]) == {0}
    assert set(comparison.table["p"]) == {1}
    assert set(comparison.table["ties"]) == {30}


def test_all_pairs_are_tested_together() -> None:
    comparison = compare_rankings(sample("image_retrieval", "pixels"), all_pairs=True)
    table = comparison.table
    pairs = list(dict.fromkeys(zip(table["A"], table["B"], strict=True)))
    assert pairs == [("pixels", "cosine"), ("pixels", "projection"), ("cosine", "projection")]
    assert table["corrected p"] == adjusted(table["p"], "holm").tolist()
    assert "Holm-corrected for 18 comparisons" in comparison.verdict
    # Here A comes after the others in their pairs.
    last = compare_rankings(sample("image_retrieval", "projection"), "cosine", all_pairs=True)
    assert cells(last)["B cosine"][0][0] == "0.499 ▼"
    assert last.difference_to("pixels", "AP").corrected == comparison.difference_to("projection", "AP").corrected


def test_one_query_is_not_called_few_and_its_legend_tells_of_no_test() -> None:
    alone = compare_rankings(two_systems(1))
    assert not any("few" in note for note in alone.notes)
    assert "▲" not in alone.legend
    assert "▲" in compare_rankings(two_systems(2)).legend


def test_few_and_many_queries_are_warned_of() -> None:
    notes = {count: plain(" ".join(compare_rankings(two_systems(count)).notes)) for count in (10, 25, 1000, 1001)}
    assert "10 queries are few" in notes[10]
    assert "1 001 queries are many" in notes[1001]
    assert not [note for count in (25, 1000) for note in notes[count] if "queries are" in note]


def test_one_query_is_compared_without_a_test() -> None:
    comparison = compare_rankings(sample("two_methods", "A"))
    assert sentence_with(comparison.verdict, "One query")
    assert np.isnan(comparison.table["p"]).all()


def test_queries_that_a_system_lacks_count_0_or_are_left_out_for_all() -> None:
    comparison = compare_rankings(files("one"))
    assert "1 without a list, counted as 0 (q3)" in plain(" ".join(comparison.notes))
    assert cells(comparison)["A one"][0][0] == "0.500"  # (1 + ½ + 0) / 3
    assert cells(comparison)["B two"][0][0] == "0.833"  # (½ + 1 + 1) / 3
    left = compare_rankings(files("two", only_common=True))
    assert sentence_with(" ".join(left.notes), "2", "compared")
    assert cells(left)["A two"][0][0] == "0.750"


def test_the_lists_of_a_query_stand_beside_each_other() -> None:
    comparison = compare_rankings(files("one"))
    table = SideBySideRankings(comparison.rankings, comparison.b, "q2").table
    columns = {name: [str(cell) for cell in cells] for name, cells in table.items()}
    assert columns == {
        "rank in A": ["1.0", "2.0"], "rank in B": ["nan", "1.0"], "document": ["z", "a"], "grade": ["unjudged", "1"],
        "relevant": ["False", "True"], "score in A": ["2.0", "1.0"], "score in B": ["nan", "2.0"],
    }  # fmt: skip
    # The query on which they differ most: one has nothing for q3.
    pair = QueryDifferences.of(comparison)
    assert pair.queries[pair.order[0]] == "q3"
    assert pair.table["B − A"].tolist() == [1.0, -0.5, 0.5]


@pytest.mark.parametrize("test", ["t", "randomisation", "wilcoxon", "sign"])
def test_the_formulas_hold_the_numbers(test: str) -> None:
    values = expected("image_retrieval", ["AP"])
    effect = paired_t(values["pixels"].values["AP"], values["projection"].values["AP"]).effect_size
    comparison = compare_rankings(sample("image_retrieval", "pixels"), "projection", test=test)
    formulas = comparison.formulas
    assert rf"d_z = \frac{{\bar d}}{{s_d}} = {effect:.3f}" in formulas
    assert "undefined" not in formulas


@pytest.mark.parametrize(
    ("name", "system", "settings", "options"),
    [
        ("image_retrieval", "pixels", {"k": 5}, {"test": "wilcoxon"}),
        (
            "image_retrieval_graded", "pixels", {"level": 2.0},
            {"test": "randomisation", "names": ["AP", "nDCG(gain=exp)@10"], "measure": "nDCG(gain=exp)@10"},
        ),
        ("two_methods", "A", {}, {"all_pairs": True}),
    ],
)  # fmt: skip
def test_the_python_gives_the_same_numbers(
    name: str, system: str, settings: dict, options: dict, tmp_path: Path
) -> None:
    script = tmp_path / "compared.py"
    script.write_text(compare_rankings(sample(name, system, **settings), **options).code, encoding="utf-8")
    assert runpy.run_path(str(script))["comparison"].a == system


def test_a_system_alone_and_systems_without_a_common_query_are_refused() -> None:
    with pytest.raises(ReadProblem, match="needs two systems"):
        compare_rankings(sample("ranking_14", "rank"))
    apart = "query,document,one,two,grade\nq,a,1,,1\nr,a,,1,1\n"
    with pytest.raises(ReadProblem, match="No query takes part"):
        compare_rankings(replace(table_of(apart), only_common=True))


@pytest.mark.parametrize(
    "csv",
    [
        "query,document,one,two,grade\nq,a,1,2,0\nq,b,2,1,0\n",
        "query,document,one,two,grade\nq,a,,2,1\nr,b,3,,0\n",
        "query,document,one,two,grade\nq,a,1,2,1\nq,b,1,2,-1\nr,a,inf,1,2\n",
    ],
    ids=["none relevant", "lists of other queries", "ties and a negative grade"],
)
def test_odd_lists_have_a_verdict_and_tables(csv: str) -> None:
    comparison = compare_rankings(table_of(csv))
    assert comparison.verdict.startswith("**")
    assert len(comparison.rows) == 2
    assert SideBySideRankings(comparison.rankings, comparison.b, comparison.queries[0]).notes


def test_five_thousand_queries_are_tested_with_ten_thousand_draws() -> None:
    random = np.random.default_rng(3)
    one, two = random.random(5000), random.random(5000)
    test = randomization(one, two)
    assert test.method == "Randomisation test, 10000 draws"
    assert test.p_value == pytest.approx(paired_t(one, two).p_value, abs=0.02)


def test_a_difference_is_written_in_the_table_as_in_the_verdict() -> None:
    comparison = compare_rankings(sample("image_retrieval", "pixels"), "cosine", ["RR"])
    difference, bounds = cells(comparison)["B cosine"][0][1].replace("\u2003", "").split("\n")
    assert f"minus pixels (A): {difference} (95 % interval {bounds})" in plain(comparison.verdict)
