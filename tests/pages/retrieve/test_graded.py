"""The page of graded relevance asks for gains and discounts, and shows its analyses of a query and of all systems."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore.analyses import Rankings, Source
from evalcore.readers import read_sample, samples
from evalcore.wording import number_text
from evalcore.wording.escaping import plain
from pages.widgets.retrieve import graded as graded_list
from tests.analyses.ranked import list_of
from tests.pages.application import application, tables
from tests.pages.linked_names import headline
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[3]
RANKED = [sample.id for sample in samples().values() if sample.offered and sample.kind == "run + judgments"]
HEADS = {
    "cg": "CG",
    "normalised_cg": "normalised CG",
    "discount": "discount",
    "discounted_gain": "gain × discount",
    "dcg": "DCG",
    "idcg": "IDCG",
    "ndcg": "nDCG",
}


def graded(data: str | None = None, **parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update({"graded_part": "Rank by rank"} | ({"data": data} if data else {}) | parameters)
    test.session_state["formulas"] = True  # unfolded
    test.switch_page("pages/retrieve/graded.py").run()
    assert not test.exception
    assert not test.error
    return test


def text(test: AppTest) -> str:
    parts = [element.value for element in (*test.main.markdown, *test.main.caption)]
    return "\n".join(parts).replace("\u202f", " ")


def table(test: AppTest) -> pd.DataFrame:
    return next(frame for frame in tables(test) if "gain" in frame)


def test_a_sample_is_opened_with_the_settings_of_its_source() -> None:
    test = graded()
    test.button(key="offer graded_classic_10").click().run()
    assert test.query_params["discount"] in ("original", ["original"])
    assert table(test)["DCG"].tolist()[-1] == pytest.approx(9.605, abs=0.0005)
    test.selectbox(key="sidebar data").select("graded_10").run()
    assert "discount" not in test.query_params


@pytest.mark.parametrize("data", RANKED)
def test_every_sample_has_its_pictures_and_tables(data: str) -> None:
    test = graded(data)
    assert len(test.get("plotly_chart")) == 3
    assert len(table(test)) == 10


def test_a_gain_of_its_own_for_each_grade() -> None:
    test = graded("graded_10")
    test.segmented_control(key="gain of a grade").set_value("own").run()
    assert test.query_params["gain"] == "1:1;2:2;3:3"  # nothing has changed yet
    assert table(test)["DCG"].iloc[-1] == pytest.approx(5.880923, abs=5.1e-4)
    test.number_input(key="worth of grade 3").set_value(10.0).run()
    assert test.query_params["gain"] == "1:1;2:2;3:10"
    assert table(test)["gain"].tolist() == [0, 2, 1, 10, 0, 2, 0, 10, 1, 10]
    test.segmented_control(key="gain of a grade").set_value("linear").run()
    assert "gain" not in test.query_params


@pytest.mark.parametrize(
    ("page", "data", "setting"),
    [("ranking", "image_retrieval_graded", "gain=exp"), ("compare", "image_retrieval", "discount=none")],
)
def test_the_other_pages_take_gain_and_discount_and_say_so(page: str, data: str, setting: str) -> None:
    test = application()
    test.query_params.update({"data": data, **dict([setting.split("=")])})
    test.switch_page(f"pages/retrieve/{page}.py").run()
    assert not test.exception
    source, name = Source.of(read_sample(data)), f"nDCG({setting})@10"
    values = Rankings(source, source.dataset.systems[0]).per_query([name, "nDCG@10"])
    assert values.mean(name) != pytest.approx(values.mean("nDCG@10"), abs=0.001)
    sent = (*(one.proto.body for one in test.get("html")), *(one.proto.json for one in test.get("bidi_component")))
    shown = re.sub("<wbr>|\u2060", "", "\n".join(sent))
    assert (name in shown, number_text(values.mean(name)) in shown, "nDCG@10" in shown) == (True, True, False)
    if page == "ranking":
        assert headline(test)[name] == number_text(values.mean(name))


def test_a_gain_that_cannot_be_is_the_grade() -> None:
    assert table(graded("graded_10", gain="1:x", discount="none"))["gain"].tolist() == [0, 2, 1, 3, 0, 2, 0, 3, 1, 3]


def test_a_discount_can_be_left_out() -> None:
    test = graded("graded_10", discount="none")
    assert table(test)["DCG"].tolist() == table(test)["CG"].tolist()
    assert not any(box.key == "base of the logarithm" for box in test.number_input)


def test_grades_with_decimals() -> None:
    data = stored(list_of(0.5, 2.25, 1.5))
    found = table(graded(data, k="3"))
    assert found["ideal gain"].tolist() == [2.25, 1.5, 0.5]
    own = graded(data, k="3", gain="0.5:4;1.5:0;2.25:1")
    assert table(own)["ideal gain"].tolist() == [4, 1, 0]
    assert own.number_input(key="worth of grade 2.25").value == 1


def test_many_grades_are_weighed_in_one_line() -> None:
    test = graded(stored(list_of(*range(1, 31))), gain="30:100")
    assert table(test)["ideal gain"].iloc[0] == 100
    test.text_input(key="worth of grade").set_value("30:7;29:8").run()
    assert test.query_params["gain"] == "30:7;29:8"


def test_grades_too_high_for_powers_are_not_offered_them() -> None:
    test = graded(stored(list_of(2000, 5, 1)), gain="exp")
    assert table(test)["gain"].iloc[0] == 2000
    assert "exp" not in test.segmented_control(key="gain of a grade").options


def test_the_table_of_queries_has_all_systems_and_its_row_is_the_query() -> None:
    test = graded("image_retrieval_graded", k="20", picked="q003")
    (found,) = tables(test, "table of queries")
    assert [name for name in found if name.startswith("nDCG")] == ["nDCG@20", "nDCG@20 cosine", "nDCG@20 projection"]
    row = found.iloc[3]
    assert row["nDCG@20"] == pytest.approx(row["DCG@20"] / row["IDCG@20"], abs=1e-3)
    assert row["nDCG@20"] == pytest.approx(table(test)["nDCG"].iloc[-1])
    assert found.attrs["chosen"] == 3


def test_the_curves_are_means_over_the_queries_or_of_this_one() -> None:
    def curve(test: AppTest, system: int) -> dict[int, str]:
        chart = json.loads(test.get("plotly_chart")[2].proto.spec)
        (line,) = (trace for trace in chart["data"] if trace["meta"]["system"] == system)
        return dict(zip(line["x"], line["customdata"], strict=True))

    test = graded("image_retrieval_graded", system="cosine", picked="q003")
    mean = headline(test)["nDCG@10"]
    assert curve(test, 1)[10] == mean
    test.segmented_control(key="ranks_of").set_value("this query").run()
    assert float(curve(test, 1)[10]) == pytest.approx(table(test)["nDCG"].iloc[-1], abs=5e-4)
    test.segmented_control(key="over").set_value("DCG").run()
    assert float(curve(test, 1)[10]) == pytest.approx(table(test)["DCG"].iloc[-1], abs=5e-3)


def test_nothing_open_offers_what_fits() -> None:
    test = graded()
    assert {f"offer {data}" for data in RANKED} <= {button.key for button in test.main.button}


@pytest.mark.parametrize("first", range(0, len(NASTY), 18))
def test_names_from_a_file_do_nothing(first: int) -> None:
    names = NASTY[first : first + 18]
    quoted = [name.replace('"', '""') for name in names]
    rows = "".join(f'"{name}","{name}",{place % 5},{place}\n' for place, name in enumerate(quoted))
    test = graded(stored("query,document,score,grade\n" + rows), picked="")
    charts = "".join(chart.proto.spec for chart in test.get("plotly_chart"))
    first_query = test.selectbox(key="query of the page").value
    if plain(first_query) != first_query:
        assert f"query {first_query} ·" not in text(test)
    assert "<script>" not in charts


def test_the_pictures_are_drawn_once_for_all_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    first = graded("two_methods", k="7")
    for name in ("gains_figure", "cumulated_figure", "over_ranks_figure"):
        monkeypatch.setattr(graded_list, name, lambda *_: pytest.fail("drawn again"))
    pictures = [
        [chart.proto.spec for chart in test.get("plotly_chart")] for test in (first, graded("two_methods", k="7"))
    ]
    assert pictures[0] == pictures[1]
    assert len(set(pictures[0])) == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"k": "8"},
        {"system": "cosine"},
        {"picked": "q003"},
        {"gain": "exp"},
        {"discount": "none"},
        {"ranks_of": "this query"},
    ],
)
def test_each_setting_draws_pictures_of_its_own(changed: dict[str, str]) -> None:
    before, after = graded("image_retrieval_graded"), graded("image_retrieval_graded", **changed)
    drawn = [[chart.proto.spec for chart in test.get("plotly_chart")] for test in (before, after)]
    assert drawn[0] != drawn[1]
    st.cache_resource.clear()
    afresh = graded("image_retrieval_graded", **changed)
    assert [chart.proto.spec for chart in afresh.get("plotly_chart")] == drawn[1]
