"""The page that compares rankings: its controls, folds and address, names that do nothing, and nasty addresses."""

import html
import re
import runpy
from pathlib import Path

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.SelectWidgetFilterMode_pb2 import SelectWidgetFilterMode
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from evalcore.analyses.retrieve import judgments as analysis
from evalcore.readers import STATES, read_table, samples
from evalcore.readers.join.files_together import read_files
from evalcore.retrieval import WAYS, order_stability
from evalcore.wording.escaping import plain
from pages.widgets.retrieve import compare as widgets
from tests.pages.application import application, tables, unfold
from tests.pages.nasty_names import NASTY
from tests.pages.test_every_page import BAD, problem
from tests.pages.uploads import saved, stored
from tests.readers.join.test_query_clusters import belonging, ranked
from tests.words import sentence_with

PAGE = "pages/retrieve/compare.py"
RANKED = [sample.id for sample in samples().values() if sample.offered and sample.kind == "run + judgments"]
FOLDS = ("Query by query", "Judgments", "Variance and power", "All comparisons")
FILES = {
    "qrels.txt": "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 b 1\nq3 0 c 0\n",
    "one.run": "q1 Q0 a 1 3 one\nq1 Q0 b 2 2 one\nq2 Q0 z 1 2 one\nq2 Q0 a 2 1 one\n",
    "two.run": "q1 Q0 b 1 3 two\nq1 Q0 a 2 2 two\nq2 Q0 a 1 2 two\nq3 Q0 b 1 2 two\n",
}


def compare(data: str | None, unfolded: tuple[str, ...] = (), **parameters: str) -> AppTest:
    test = application()
    test.query_params.update(({"data": data} if data else {}) | parameters)
    for key in unfolded:
        test.session_state[key] = True
    test.switch_page(PAGE).run()
    assert not test.exception
    return test


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.header, *test.main.markdown, *test.main.caption))
    said = re.sub(r"\[([^]]*)\]\(measures[^)]*\)", r"\1", said)
    return html.unescape(said.replace("\u202f", " ").replace("\u2060", ""))


def table(test: AppTest) -> dict[str, list[list[str]]]:
    """The words in the cells of the table of systems, by the name of their line."""
    (body,) = (one.proto.body for one in test.get("html") if '<table class="systems"' in one.proto.body)
    lines = re.findall(r"<tr>(<th .*?)</tr>", body.replace("\u202f", " "), re.DOTALL)
    tags = re.compile(r"<[^>]+>")
    return {
        tags.sub("", re.search(r"<th .*?>(.*?)</th>", line)[1]): [
            tags.sub(" ", cell).split() for cell in re.findall(r"<td.*?>(.*?)</td>", line, re.DOTALL)
        ]
        for line in lines
        if "<td" in line
    }


def frame(test: AppTest, column: str):
    return next(one for one in tables(test) if column in one)


def two_systems(queries: int) -> str:
    """A table of two systems: each query has a relevant and another document; the second may swap them."""
    lines = ["query,document,one,two,grade"]
    for query in range(queries):
        lines += [f"q{query},a,2,{2 - (query % 3 == 0)},1", f"q{query},b,1,{1 + (query % 3 == 0)},0"]
    return stored("\n".join(lines) + "\n")


def test_test_and_correction_are_chosen_and_the_swap_turns_the_difference() -> None:
    test = compare("image_retrieval", measure="RR", test="randomisation", measures="RR")
    test.selectbox(key="correction").set_value("bonferroni").run()
    assert "Bonferroni-corrected for 2 comparisons" in text(test)
    assert text(test).startswith("pixels ranks best (RR 0.993); the difference from cosine could be chance")
    assert "cosine (B) minus pixels (A): **−0.0017**" in text(test)
    test.button(key="swap").click().run()
    assert text(test).startswith("pixels ranks best (RR 0.993); the difference from cosine could be chance")
    assert "pixels (B) minus cosine (A): **+0.0017**" in text(test)
    assert test.query_params["system"] in ("cosine", ["cosine"])


def test_all_pairs_are_tested_together() -> None:
    test = compare("image_retrieval", rankings_part="All comparisons")
    assert len(frame(test, "corrected p")) == 12
    assert frame(test, "corrected p")["p"].tolist().count("< 0.001") == 4
    test.selectbox(key="against").set_value("pairs").run()
    assert len(frame(test, "corrected p")) == 18
    assert "Holm-corrected for 18 comparisons" in text(test)
    test.selectbox(key="system control").set_value("projection").run()  # now A comes after the others in their pairs
    assert table(test)["A projection"]
    assert table(test)["B cosine"][0][:2] == ["0.499", "▼"]


def test_queries_without_a_list_and_the_lists_of_the_picked_one() -> None:
    data = saved(read_files({name: value.encode() for name, value in FILES.items()}))
    test = compare(data, other="two", system="one", picked="q2", rankings_part="Query by query")
    assert "1 without a list, counted as 0 (q3)" in text(test).replace("*", "")
    assert table(test)["A one"][0][0] == "0.500"
    lists = frame(test, "rank in B")
    assert lists[["rank in A", "rank in B", "relevant", "document"]].to_numpy().tolist() == [
        [1, "–", "?", "z"], [2, 1, "●", "a"],
    ]  # fmt: skip
    assert "**Query q2** · A is one, B is two" in text(test)
    for part in FOLDS:
        left = compare(data, system="two", missing="leave", rankings_part=part)
        assert problem(left) == ""
        assert table(left)["A two"][0][0] == "0.750"


def test_a_smaller_difference_takes_more_queries_than_there_are() -> None:
    test = compare("image_retrieval", rankings_part="Variance and power", other="projection")
    assert "11 queries** show a difference of 0.155 in AP" in text(test)
    test.number_input(key="detect control").set_value(0.02).run()
    assert test.query_params["detect"] == "0.02"
    assert "527 queries** show a difference of 0.020" in text(test)
    assert any("QueryVariance(comparison, 0.02)" in code.value for code in unfold(test).code)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_hide_judgments_is_shown(way: str) -> None:
    test = compare("image_retrieval", rankings_part="Judgments")
    test.segmented_control(key="hide").set_value(way).run()
    test.select_slider(key="hidden judgments").set_value(0.5 if way in ("random", "queries") else 5).run()
    assert problem(test) == ""
    assert test.query_params[f"hidden_{way}"] in (["0.5"], ["5"], "0.5", "5")
    assert len(frame(test, "order now")) == 6
    assert ("With 25 373 of 50 745 judgments" in text(test)) == (way == "random")


def test_who_stops_the_draws_is_told_how_far_they_are_and_comes_back_only_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    STATES.clear()  # draws that another test has made
    asked, told, stop = [], [], [True]

    def counted(judged, measures, way, steps, seeds, *rest):
        asked.append(list(seeds))
        return order_stability(judged, measures, way, steps, seeds, *rest)

    def progress(room, share: float, text: str) -> None:
        told.append((share, text))
        if stop[0] and len(told) == 4:
            raise StopException  # as when the reader goes to another page

    monkeypatch.setattr(analysis.retrieval, "order_stability", counted)
    monkeypatch.setattr(widgets, "_PATIENCE", -1.0)
    monkeypatch.setattr(DeltaGenerator, "progress", progress)
    data = two_systems(12)
    test = compare(data, rankings_part="Judgments", draws="10")
    assert told == [(done / 10, f"{done} of 10 draws") for done in range(4)]
    assert "tau" not in [one.key for one in test.get("plotly_chart")]
    stop[0] = False
    test.run()
    assert problem(test) == ""
    assert asked == [list(range(20, 30)), list(range(23, 30))]
    assert told[4:] == [(done / 10, f"{done} of 10 draws") for done in range(3, 10)]
    assert frame(test, "order now")["same order"].iloc[0].endswith("of 10")
    test.run()
    assert len(asked) == 2
    assert len(told) == 11


def test_a_closed_tab_is_not_computed() -> None:
    test = compare("image_retrieval", rankings_part="All comparisons")
    shown = [one.proto.id for one in test.get("plotly_chart")]
    assert len(shown) == 1
    assert not any("order now" in one for one in tables(test))


def test_measures_are_chosen_by_any_name_and_wrong_ones_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    test = compare("image_retrieval")
    shown = {"AP": "AP · Average precision"}
    monkeypatch.setattr(Multiselect, "format_func", property(lambda box: lambda name: shown.get(name, name)))
    test.multiselect(key="measures control").set_value(["AP", "ndcg_cut_5", "GMAP"]).run()
    assert sentence_with(html.unescape(test.error[0].value), "GMAP")
    assert "12 comparisons" not in text(test)
    assert "4 comparisons" in text(test)
    assert compare("image_retrieval", measures="x~GMAP~AP~AP").selectbox(key="measure control").options == ["AP"]


def test_the_python_of_files_leaves_out_what_the_page_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = compare(saved(read_files({name: value.encode() for name, value in FILES.items()})), missing="leave")
    for name, value in FILES.items():
        (tmp_path / name).write_text(value)
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "compared.py"
    script.write_text(unfold(test).main.code[-1].value)
    runpy.run_path(str(script))
    (tmp_path / "two.run").write_text(FILES["two.run"].replace("q2 Q0 a 1 2", "q2 Q0 c 1 2"))
    with pytest.raises(AssertionError):
        runpy.run_path(str(script))


def test_one_system_says_what_is_needed_and_offers_it() -> None:
    test = compare("ranking_14")
    assert "Comparing needs two systems" in text(test)
    test.button(key="offer image_retrieval").click().run()
    assert table(test)["A pixels"]


def test_nothing_open_offers_the_samples() -> None:
    test = compare(None)
    assert "This page needs" in text(test)
    test.button(key="offer image_retrieval").click().run()
    assert table(test)["A pixels"]


@pytest.mark.parametrize("data", RANKED)
@pytest.mark.parametrize("part", FOLDS)
def test_every_sample_and_tab_is_whole(data: str, part: str) -> None:
    assert problem(compare(data, rankings_part=part)) == ""


@pytest.mark.parametrize("bad", BAD)
def test_with_values_nobody_checked_in_every_place_of_the_address(bad: str) -> None:
    keys = (
        "system",
        "other",
        "measure",
        "measures",
        "test",
        "correction",
        "confidence",
        "against",
        "rankings_part",
        "picked",
    )
    keys += ("hide", "draws", "hidden_random", "hidden_pool", "k", "grade", "missing")
    assert problem(compare("image_retrieval", **dict.fromkeys(keys, bad))) == ""
    assert problem(compare("image_retrieval", **dict.fromkeys(keys, bad) | {"rankings_part": "Judgments"})) == ""


def test_names_from_a_file_do_nothing() -> None:
    names = [name.replace('"', "") for name in NASTY if name.strip() and "," not in name]
    active = [name for name in names if plain(name) != name and len(name) > 3]
    for one, two, part in zip(names[:16:2], names[1:16:2], FOLDS * 2, strict=True):
        lines = ["query,document,system,score,grade"]
        for query in names[:5]:
            lines += [f'"{query}","{name}","{system}",{rank},1' for system in (one, two) for rank, name in
                      enumerate(names[5:9])]  # fmt: skip
        data = saved(read_table("\n".join(lines).encode(), "table.csv"))
        test = compare(data, rankings_part=part)
        assert problem(test) == ""
        for element in (*test.main.markdown, *test.main.caption, *test.main.header):
            assert not [odd for odd in active if odd in element.value]
        bodies = (element.proto.body for element in test.get("html"))
        for body in (body for body in bodies if "<table" in body):
            assert "<script" not in body
            assert "<b>x" not in body


def test_what_is_typed_as_a_measure_is_not_taken_for_the_nearest_of_the_list() -> None:
    page = compare("image_retrieval")
    box = page.multiselect(key="measures control")
    assert box.proto.filter_mode == SelectWidgetFilterMode.FILTER_MODE_PREFIX


def test_queries_belong_to_topics_in_the_heading_the_verdict_and_the_tests() -> None:
    data = belonging(ranked())
    test = compare(saved(data), roles=data.roles.to_text(), rankings_part="All comparisons")
    assert "60 queries of 12 topics" in text(test)
    assert sentence_with(text(test), "12", "quantiles")
    assert "Paired t-test, 12 clusters" in text(test)
