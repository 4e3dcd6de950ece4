"""The page of sets: the worked example of two methods, macro against micro, typed sizes, and names nobody trusts."""

import json
import runpy
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers.samples import samples
from evalcore.wording.escaping import plain
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[4]
RANKED = [sample.id for sample in samples().values() if sample.kind == "run + judgments"]
# Query 1 has one document, found; query 2 finds one of four among four; query 3 finds nothing.
THREE = "query,document,score,grade\n" + "".join(
    f"{query},{document},{score},{grade}\n"
    for query, document, score, grade in (
        ("1", "a", 1, 1), ("2", "a", 4, 1), ("2", "b", 3, 0), ("2", "c", 2, 0), ("2", "d", 1, 0), ("2", "e", "", 1),
        ("2", "f", "", 1), ("2", "g", "", 1), ("3", "h", "", 1),
    )
)  # fmt: skip


def sets(data: str | None = None, **parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(({"data": data} if data else {}) | parameters)
    test.session_state["formulas"] = True  # unfolded
    test.switch_page("pages/retrieve/sets.py").run()
    assert not test.exception
    assert not test.error
    return test


def text(test: AppTest) -> str:
    parts = [element.value for element in (*test.main.markdown, *test.main.caption)]
    return "\n".join([*parts, *tables(test)]).replace("\u202f", " ")


def tables(test: AppTest) -> list[str]:
    return [html.proto.body for html in test.get("html") if 'class="averages"' in html.proto.body]


def row(table: str, name: str) -> list[str]:
    """The first row of a name: its bold numbers, and what stands behind them."""
    line = next(line for line in table.split("<tr>") if line.startswith(f"<td>{name}</td>"))
    return [cell.split("</b>")[0].removeprefix("<b>").split("</td>")[0] for cell in line.split("<td>")[2:]]


@pytest.mark.parametrize("data", RANKED)
def test_every_sample_has_a_picture_for_each_of_two_systems(data: str) -> None:
    test = sets(data)
    regions = [chart for chart in test.get("plotly_chart") if '"outcome"' in chart.proto.spec]
    several = any(box.key == "system beside" for box in test.main.selectbox)
    assert len(regions) == (2 if several else 1)
    assert several == (data in ("two_methods", "image_retrieval", "image_retrieval_graded"))


def test_methods_a_and_b_as_they_are_printed() -> None:
    # Weber prints precision .50 and .67, recall .35 and .20, F1 .41 and .31.
    test = sets("two_methods")
    table = tables(test)[0]
    assert row(table, "precision") == ["0.500", "0.667", "+0.167"]
    assert row(table, "recall") == ["0.350", "0.200", "−0.150"]
    assert row(table, "F1") == ["0.412", "0.308", "−0.104"]
    assert "7 / 14" in table
    assert "4 / 20" in table
    assert "7 found · 7 false alarms · 13 missed · 2 dismissed" in text(test)


def test_the_identity_is_filled_with_the_numbers() -> None:
    said = text(sets("two_methods", collection="1000"))
    assert r"f \cdot p \cdot (1-g) = r \cdot g \cdot (1-p)" in said
    assert r"A: $0.0071 \cdot 0.5000 \cdot (1-0.0200) = 0.3500 \cdot 0.0200 \cdot (1-0.5000) = 0.0035$" in said


def test_the_size_of_the_collection_is_typed_or_that_of_the_data() -> None:
    test = sets("two_methods")
    assert "collection of 29 documents, all that occur in the data" in text(test)
    test.number_input(key="documents in the collection").set_value(1000).run()
    assert test.query_params["collection"] == "1000"
    assert "973 dismissed" in text(test)
    assert row(tables(test)[0], "fall-out")[:2] == ["0.007", "0.002"]
    test.number_input(key="documents in the collection").set_value(29).run()
    assert "collection" not in test.query_params


@pytest.mark.parametrize("size", ["3", "-7", "nan", "inf", "many", "1e300"])
def test_a_size_that_cannot_be_is_that_of_the_data(size: str) -> None:
    assert "collection of 29 documents" in text(sets("two_methods", collection=size))


def test_beta_weighs_recall() -> None:
    test = sets("two_methods", set_beta="2")
    assert row(tables(test)[0], "F2")[0] == "0.372"  # 5 · 0.5 · 0.35 / (4 · 0.5 + 0.35)


def test_a_system_is_set_beside_or_stands_alone() -> None:
    test = sets("image_retrieval", system="projection", beside="pixels")
    assert "**projection**" in text(test)
    assert "**pixels**" in text(test)
    test.selectbox(key="system beside").select("").run()
    assert test.query_params["beside"] == ""
    assert "**pixels**" not in text(test)
    assert len(test.get("plotly_chart")) == 2  # the sets, and the pulls


def test_macro_against_micro_and_the_query_that_pulls_them_apart() -> None:
    test = sets(stored(THREE))
    table = tables(test)[1]
    # Precision 1, 1/4 and 0 by convention; 2 of 5 retrieved documents are relevant, and 2 of 6 relevant are found.
    assert row(table, "precision") == ["0.417", "0.400", "+0.0167"]
    assert row(table, "recall") == ["0.417", "0.333", "+0.0833"]
    test.segmented_control(key="pulled").set_value("recall").run()
    # Without 1: macro 1/8, micro 1/5. Without 2: 1/2 both. Without 3: 5/8 and 2/5.
    assert test.dataframe[0].value["pull on recall"].tolist() == pytest.approx([19 / 120, 1 / 12, -17 / 120])
    assert "Without query **1**, the gap of recall would change most: from +0.083 to −0.075." in text(test)


def test_what_counts_0_by_convention_is_said() -> None:
    said = text(sets(stored(THREE), picked="3"))
    assert "nothing was retrieved, so precision counts 0." in said
    assert "no numbers, because one of the four is 0/0 here." in said


def test_a_query_is_chosen_in_the_list_or_the_table_and_stays_in_the_address() -> None:
    test = sets("image_retrieval")
    test.selectbox(key="query of the page").select("q007").run()
    assert test.query_params["picked"] == "q007"
    assert test.session_state["table of queries"]["selection"]["rows"] == [7]
    assert "57 found" in text(test)
    assert "57 found" in text(sets("image_retrieval", picked="q007"))


def test_a_query_that_is_not_there_is_the_first() -> None:
    assert "99 found" in text(sets("image_retrieval", picked="nobody"))


def test_queries_without_a_list_count_0_or_are_left_out() -> None:
    data = stored("query,document,A,B,grade\n1,a,1,1,1\n2,a,,1,1\n2,b,,2,0\n")
    test = sets(data, system="A", picked="2")
    assert "1 without a list, counted as 0" in text(test)
    assert row(tables(test)[1], "recall")[0] == "0.500"
    left_out = sets(data, system="A", missing="leave")
    assert len(left_out.dataframe[0].value) == 1
    # The other system has the query, and this one has not.
    other = sets(data, system="B", beside="A", missing="leave", picked="2")
    assert "This run has no list for the query" in text(other)
    assert other.dataframe[0].value["recall B − A"].isna().tolist() == [False, True]


def test_the_level_of_relevance_changes_the_sets() -> None:
    assert "relevant" in text(sets("image_retrieval_graded"))
    low, high = (tables(sets("image_retrieval_graded", grade=level))[0] for level in ("1", "3"))
    assert float(row(low, "precision")[0]) > float(row(high, "precision")[0])


def test_formulas_hold_the_numbers() -> None:
    said = text(sets("two_methods"))
    assert r"\frac{h}{n} = \frac{7}{14} = 0.500" in said
    assert r"\frac{n - h}{N - R} = \frac{14 - 7}{29 - 20} = 0.778" in said


@pytest.mark.parametrize(
    ("data", "parameters"),
    [
        ("two_methods", {}),
        ("image_retrieval", {"set_beta": "2", "collection": "5000", "picked": "q012", "system": "cosine"}),
        ("graded_10", {"grade": "2"}),
    ],
)
def test_the_python_to_take_away_finds_the_same_numbers(data: str, parameters: dict, tmp_path: Path) -> None:
    code = sets(data, **parameters).code[0].value
    script = tmp_path / "sets.py"
    script.write_text(code)
    runpy.run_path(str(script))
    script.write_text(code.replace("'set_precision': (", "'set_precision': (9 + "))
    with pytest.raises(AssertionError, match="set_precision"):
        runpy.run_path(str(script))


def test_nothing_open_offers_what_fits() -> None:
    test = sets()
    assert {f"offer {data}" for data in RANKED} <= {button.key for button in test.main.button}


@pytest.mark.parametrize("first", range(0, len(NASTY), 18))
def test_names_from_a_file_do_nothing(first: int) -> None:
    names = NASTY[first : first + 18]
    quoted = [name.replace('"', '""') for name in names]
    rows = "".join(f'"{name}","d{place}",{place},{place % 2}\n"{name}",e,1,1\n' for place, name in enumerate(quoted))
    test = sets(stored("query,document,score,grade\n" + rows))
    charts = "".join(chart.proto.spec for chart in test.get("plotly_chart"))
    for name in {name.strip() for name in names}:
        if plain(name) != name:
            markdown = [element.value for element in (*test.main.markdown, *test.main.caption)]
            assert not any(f"query **{name}**" in said or f"Query {name}," in said for said in markdown)
        if name.startswith("<"):
            assert json.dumps(name)[1:-1] not in charts
