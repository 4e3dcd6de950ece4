"""The page of rankings shows its analyses, keeps its settings in the address, and bears data that is odd."""

import html
import json
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from evalcore.analyses import COUNT_COLUMNS, Rankings, RankingSummary, Source
from evalcore.readers import read_sample, read_table, samples
from evalcore.readers.join.files_together import read_files
from evalcore.wording.escaping import plain
from pages.widgets.session.address import written
from tests.analyses.ranked import QRELS, RUN
from tests.pages.application import application, tables
from tests.pages.linked_names import headline
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved
from tests.words import sentence_with

RANKED = [sample.id for sample in samples().values() if sample.offered and sample.kind == "run + judgments"]


def ranking(data: str | None, unfolded: tuple[str, ...] = (), **parameters: str) -> AppTest:
    test = application()
    test.query_params.update(({"data": data} if data else {}) | parameters)
    for key in unfolded:
        test.session_state[key] = True
    test.switch_page("pages/retrieve/ranking.py").run()
    assert not test.exception
    return test


def uploaded(**files: str) -> str:
    return saved(read_files({name: text.encode() for name, text in files.items()}))


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.markdown, *test.main.caption))
    return html.unescape(said.replace("\u202f", " ").replace("\u2060", ""))


def opened_list(test: AppTest) -> pd.DataFrame:
    """The list in the drawer."""
    (frame,) = tables(test, "list of the drawer")
    return frame


def title(test: AppTest) -> str:
    """The heading of the drawer."""
    found = (one.value for one in test.main.markdown if one.value.startswith("**Query "))
    return html.unescape(next(found, "")).replace("\u2060", "")


def means(test: AppTest) -> dict[str, str]:
    return headline(test)


def component(test: AppTest, name: str) -> dict:
    """What a component of the page is told."""
    (told,) = (one.proto.json for one in test.get("bidi_component") if one.proto.component_name == name)
    return json.loads(told)


def test_the_list_its_measures_and_its_curve_stand_on_the_page() -> None:
    assert title(ranking("two_methods", drawer="closed")) == ""
    test = ranking("ranking_14")  # the list of the only query is open
    lines = opened_list(test)
    assert lines["rank"].tolist() == list(range(1, 15))
    assert lines["document"].tolist()[:4] == [588, 589, 576, 590]
    assert "".join(lines["relevant"]) == "●●·●·●······●·"
    (levels,) = component(test, "ranking_selection")["means"]
    assert levels["name"] == "11 points"
    assert "AP = (1/1 + 2/2 + 3/4 + 4/6 + 5/13) / 5 = 0.760" in text(test)
    assert means(test)["MAP"] == "0.760"
    assert means(test)["P@10"] == "0.400"


def test_strips_are_sent_only_to_an_open_gallery() -> None:
    assert not component(ranking("image_retrieval"), "ranking_selection")["gallery"]  # the one message there is
    test = ranking("image_retrieval", gallery="on", beside="cosine", sort="-AP difference")
    told = [
        json.loads(one.proto.json)
        for one in test.get("bidi_component")
        if one.proto.component_name == "ranking_selection"
    ]
    assert [one["strips"]["system"] for one in told if "strips" in one] == ["pixels"]
    assert [one["other"]["system"] for one in told if "other" in one] == ["cosine"]
    names = [column["heading"] for column in component(test, "rankings")["columns"]]
    assert told[0]["sort"] == [len(names) + 1 + names.index("AP"), True]  # after the columns and "missed"
    odd = ranking("image_retrieval", gallery="x", beside="nobody", sort="AP difference")
    assert component(odd, "ranking_selection")["sort"] == [names.index("AP"), False]


def test_missing_queries_are_counted_and_may_be_left_out() -> None:
    data = uploaded(qrels=QRELS, run=RUN)
    test = ranking(data)
    assert "1 without a list, counted as 0 (q2)" in text(test).replace("*", "")
    assert sentence_with(text(test), "1", "judgments")
    assert "1 with no list, 1 with no relevant document" in text(test)
    assert means(test)["MAP"] == "0.278"  # (1 + 2/3) / 2 of three queries
    test.segmented_control(key="missing queries").set_value("leave").run()
    assert test.query_params["missing"] in ("leave", ["leave"])
    assert means(test)["MAP"] == "0.417"
    assert "left out (q2)" in text(test).replace("*", "")


def test_the_list_that_is_opened_first_has_a_curve_if_any_has() -> None:
    # By AP q2, without a list, and q3, without a relevant document, stand before it.
    first = lambda test: component(test, "ranking_selection")["selected"][0]["place"]  # noqa: E731
    assert first(ranking(uploaded(qrels=QRELS, run=RUN))) == 0  # q1
    assert first(ranking(uploaded(qrels="q3 0 d 0\n", run="q3 Q0 d 1 1 x\n"))) == 0


def test_the_list_of_a_query_leads_to_the_next_as_sorted_and_found_and_is_a_filter() -> None:
    test = ranking("image_retrieval", picked="q004~q005", sort="-AP", find="q00")
    assert title(test) == "**Query q005** · pixels"
    values = RankingSummary(Rankings(source := Source.of(read_sample("image_retrieval")), source.system), ("AP",))
    names = [values.rankings.queries()[place] for place in values.order(len(COUNT_COLUMNS), descending=True)]
    order = [name for name in names if name.startswith("q00")]
    test.button(key="next-list").click().run()
    assert title(test) == f"**Query {order[order.index('q005') + 1]}** · pixels"
    assert ranking("image_retrieval", picked=order[-1], sort="-AP", find="q00").button(key="next-list").disabled
    test.button(key="filter-rows").click().run()
    assert len(component(test, "rankings")["names"]) == 1
    assert test.button(key="filter-rows").disabled
    test.button(key="close-rows").click().run()
    assert title(test) == ""
    assert test.query_params["drawer"] in ("closed", ["closed"])


def test_beside_a_second_system_both_lists_are_open() -> None:
    test = ranking("image_retrieval", gallery="on", beside="cosine", picked="q005")
    assert title(test) == "**Query q005** · A is pixels, B is cosine"
    lines = opened_list(test)
    assert lines["rank in A"].tolist()[:3] == [1, 2, 3]
    assert {*range(1, 101)} <= {*lines["rank in B"]}


def test_files_that_share_no_query_are_told_with_examples_of_both() -> None:
    test = ranking(uploaded(qrels="301 0 a 1\n", run="q301 Q0 a 1 1 x\n"))
    assert sentence_with(html.unescape(test.error[0].value), "prefix")
    shown = "\n".join(element.value for element in test.main.text)
    assert "queries: 301" in shown
    assert "queries: q301" in shown


@pytest.mark.parametrize(
    "csv",
    [
        "query,document,score,grade\nq,a,,1\nq,b,,0\n",
        "query,document,score,grade\nq,a,1,0\nq,b,2,0\n",
        "query,document,score,grade\nq,a,1,\nq,b,2,\nr,c,1,1\n",
        "query,document,score,grade\nq,a,1,1\nq,a,2,1\n",
        "query,document,system,score,grade\nq,a,,1,1\nq,b,,2,0\n",
        "query,document,score,grade\nq,a,inf,1\nq,b,2,-1\n",
    ],
    ids=["empty run", "none relevant", "one side each", "twice", "no system", "infinite and negative"],
)
def test_odd_lists_are_told_in_words_and_never_break(csv: str) -> None:
    test = ranking(saved(read_table(csv.encode(), "table.csv")), gallery="on")
    assert test.title[0].value == "Ranking"
    assert not any("went wrong" in error.value for error in test.error)
    assert test.error or means(test) or "This page needs" in text(test)


@pytest.mark.parametrize("data", RANKED)
def test_every_sample_of_lists_is_ranked(data: str) -> None:
    assert means(ranking(data))


def test_a_column_is_typed_by_any_of_its_names_and_a_wrong_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    test = ranking("ranking_14", ("formulas",))
    chosen = test.multiselect(key="columns control")
    # A browser sends what was typed as it is, and what was chosen as it is shown; the test frame knows no typing.
    shown = {"AP": "AP · Average precision"}
    monkeypatch.setattr(Multiselect, "format_func", property(lambda box: lambda name: shown.get(name, name)))
    chosen.set_value(["AP", "ndcg_cut_20", "RBP(p=0.5)", "presicion"]).run()
    assert "(nDCG@20)" in text(test)
    assert "(RBP(p=0.5))" in text(test)
    assert "Did you mean" in html.unescape(test.error[0].value)
    assert test.multiselect(key="columns control").value == ["AP", "ndcg_cut_20", "RBP(p=0.5)"]


def test_k_is_that_of_the_address_and_of_all_columns() -> None:
    test = ranking("image_retrieval", ("formulas",), k="7")
    assert {"P@7", "nDCG@7", "judged@7"} <= set(means(test))
    test.number_input(key="depth").set_value(3).run()
    assert "(P@3)" in text(test)


@pytest.mark.parametrize(
    "parameters",
    [
        {"k": "0", "grade": "-1", "missing": "x", "sort": "-nobody", "picked": "nobody~q003", "columns": "x~~"},
        {"k": "1e99", "grade": "nan", "picture": "x", "line": "x", "mean": "x", "distance": "x", "find": "x" * 999},
        {"picked": "!!~", "sort": "", "columns": "%ff~AP~AP", "picture": "ROC", "distance": "true"},
    ],
)
def test_an_address_that_nobody_checked(parameters: dict[str, str]) -> None:
    assert means(ranking("image_retrieval", **parameters))


def test_names_from_a_file_do_nothing() -> None:
    names = [name for name in NASTY if not re.search(r"\s", name) and name]
    qrels = "".join(f"{name} 0 {name} 1\n" for name in dict.fromkeys(names) if not name.startswith("#"))
    run = "".join(f"{line.split()[0]} Q0 {line.split()[0]} 1 1 x\n" for line in qrels.splitlines())
    data = uploaded(qrels=qrels, run=run)
    active = [name for name in names if plain(name) != name and len(name) > 2]
    for name in [name for name in names if not name.startswith("#")][:6]:
        test = ranking(data, picked=written([[name]]))
        assert title(test).endswith(" · run")
        assert opened_list(test)["document"].map(str).tolist() == [name]
        for element in (*test.main.markdown, *test.main.caption, *test.main.header, *test.main.subheader):
            shown = re.sub(r"\(measures\?[^)]*\)", "", element.value)  # an address is not read as text
            assert not [odd for odd in active if odd in shown]


def test_without_lists_the_page_offers_the_samples_that_fit() -> None:
    test = ranking(None)
    assert "This page needs" in text(test)
    test.button(key="offer ranking_14").click().run()
    assert means(test)["MAP"] == "0.760"


def test_the_open_sample_is_offered_as_it_was_before_its_rows_were_read_as_something_else() -> None:
    test = ranking("ranking_14", roles="asked~probabilities")
    assert "This page needs" in text(test)
    assert "Positive is" not in {one.label for one in (*test.main.selectbox, *test.main.get("button_group"))}
    test.button(key="offer ranking_14").click().run()
    assert means(test)["MAP"] == "0.760"


def test_a_list_is_edited_by_a_link_however_its_numbers_are_written() -> None:
    page = ranking("ranking_14", picked="1", list_part="Edit this list", shape="grade~grade~query,1,document,576~1.0")
    assert "6 relevant · 6 found" in text(page)
    assert "What if" in text(page)


def test_a_column_of_the_table_of_queries_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Table, foot, file, sorting and the link take it from there, and the columns after it stay in their places."""

    about = "Relevant documents that are not in the list"
    at = len(COUNT_COLUMNS)
    monkeypatch.setitem(COUNT_COLUMNS, "missed", (about, lambda relevant: relevant.total - relevant.retrieved))
    qrels = "a 0 x 1\nb 0 x 1\nb 0 y 1\nb 0 z 1\nc 0 x 1\nc 0 y 1\n"
    data = uploaded(**{"qrels.txt": qrels, "made.run": "a Q0 x 1 3 m\nb Q0 x 1 3 m\nc Q0 w 1 3 m\nc Q0 y 2 2 m\n"})

    def shown(sort: str) -> tuple[str, str, list[int], dict]:
        test = ranking(data, sort=sort)
        table, selection = component(test, "rankings"), component(test, "ranking_selection")
        return test.query_params["sort"], selection["selected"][0]["place"], selection["sort"], table

    address, query, sort, table = shown("-missed")
    headings = [column["heading"] for column in table["columns"]]
    assert headings[: at + 2] == [*COUNT_COLUMNS, "AP"]
    assert [line["cells"][at : at + 2] for line in table["foot"]] == [["3", "0.528"], ["1", "0"]]
    assert (address, query, sort) == ("-missed", 1, [at, True])  # b misses two
    assert shown("AP")[1:3] == (2, [at + 1, False])  # AP of c is 1/4, the lowest
    source = Source.of(read_files({"qrels.txt": qrels.encode(), "made.run": b"a Q0 x 1 3 m\nb Q0 x 1 3 m\n"}))
    assert RankingSummary(Rankings(source, source.system), ("AP",)).table["missed"].tolist() == [0, 2, 2]
