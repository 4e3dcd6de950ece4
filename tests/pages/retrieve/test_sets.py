"""The page of sets shows its analyses for a query, a second system and a size of the collection."""

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import samples
from evalcore.wording.escaping import plain
from tests.analyses.ranked import THREE
from tests.pages.application import tables as shown_tables
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[3]
RANKED = [sample.id for sample in samples().values() if sample.offered and sample.kind == "run + judgments"]


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
    return [html.proto.body for html in test.get("html") if 'class="averages' in html.proto.body]


def row(table: str, name: str) -> list[str]:
    """The first row of a name: its bold numbers, and what stands behind them."""
    line = next(line for line in table.split("<tr>") if re.match(f"<td>(<a [^>]*>)?{re.escape(name)}<", line))
    return [cell.split("</b>")[0].removeprefix("<b>").split("</td>")[0] for cell in line.split("<td>")[2:]]


@pytest.mark.parametrize("data", RANKED)
def test_every_sample_has_a_picture_for_each_of_two_systems(data: str) -> None:
    test = sets(data)
    regions = [chart for chart in test.get("plotly_chart") if '"outcome"' in chart.proto.spec]
    several = any(box.key == "system beside" for box in test.main.selectbox)
    assert len(regions) == (2 if several else 1)
    assert several == (data in ("two_methods", "large_and_small", "image_retrieval", "image_retrieval_graded"))


def test_the_size_of_the_collection_is_typed_or_that_of_the_data() -> None:
    test = sets("two_methods")
    assert "collection of 29 documents of the data" in text(test)
    test.number_input(key="documents in the collection").set_value(1000).run()
    assert test.query_params["collection"] == "1000"
    assert "973 dismissed" in text(test)
    assert [row(tables(test)[0], system)[3] for system in "AB"] == ["0.007", "0.002"]
    test.number_input(key="documents in the collection").set_value(29).run()
    assert "collection" not in test.query_params


def test_a_size_that_cannot_be_is_that_of_the_data() -> None:
    test = sets("two_methods")
    for size in ("3", "-7", "nan", "inf", "many", "1e300"):
        test.query_params["collection"] = size
        assert "collection of 29 documents" in text(test.run())


def test_averages_and_pulls_follow_beta_and_the_measure() -> None:
    test = sets(stored(THREE), set_beta="2")
    assert row(tables(test)[1], "precision") == ["0.417", "0.400", "+0.0167"]
    assert row(tables(test)[1], "F2")
    assert "pull on F2" in shown_tables(test)[0]
    test.segmented_control(key="pulled").set_value("recall").run()
    assert "pull on recall" in shown_tables(test)[0]
    assert "Without query **1** the gap of recall" in text(test)
    assert r"\frac{h}{n} = " in text(test)


def test_a_system_is_set_beside_or_stands_alone() -> None:
    test = sets("image_retrieval", system="projection", beside="pixels")
    assert "**projection**" in text(test)
    assert "**pixels**" in text(test)
    test.selectbox(key="system beside").select("").run()
    assert test.query_params["beside"] == ""
    assert "**pixels**" not in text(test)
    assert len(test.get("plotly_chart")) == 2  # the sets, and the pulls


def test_a_second_system_that_cannot_be_read_is_told_in_words() -> None:
    rows = "q,a,A,1,1\nq,b,A,2,0\nq,a,B,1,1\nq,a,B,2,1\n"
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update({"data": stored("query,document,system,score,grade\n" + rows), "system": "A"})
    test.switch_page("pages/retrieve/sets.py").run()
    assert not test.exception
    assert "is retrieved twice" in test.error[0].value


def test_a_query_is_chosen_in_the_list_or_the_table_and_stays_in_the_address() -> None:
    test = sets("image_retrieval")
    test.selectbox(key="query of the page").select("q007").run()
    assert test.query_params["picked"] == "q007"
    assert shown_tables(test)[0].attrs["chosen"] == 7
    assert "57 found" in text(test)
    assert "57 found" in text(sets("image_retrieval", picked="q007"))


def test_a_query_that_is_not_there_is_the_first() -> None:
    assert "99 found" in text(sets("image_retrieval", picked="nobody"))


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
