"""The page of rankings: the textbook's table to the printed digit, every measure as a column, and data that is odd."""

import html
import json
import re
import runpy
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from evalcore import METRICS
from evalcore.readers import read_table
from evalcore.readers.judged_files import read_files
from evalcore.readers.samples import samples
from evalcore.wording.escaping import plain
from pages.widgets.session.address import written
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved

ROOT = Path(__file__).parents[4]
RANKED = [sample.id for sample in samples().values() if sample.kind == "run + judgments"]
QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq3 0 d 0\n"
RUN = "q1 Q0 a 1 3 x\nq1 Q0 z 2 2 x\nq1 Q0 c 3 1 x\nq3 Q0 d 1 1 x\nq9 Q0 a 1 1 x\n"


def ranking(data: str | None, unfolded: tuple[str, ...] = (), **parameters: str) -> AppTest:
    # The first run is of another page, which has no use for the settings of this one.
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
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


def strip(test: AppTest) -> dict[str, list[str]]:
    """The cells of the list that is open, by the name of their line."""
    (body,) = (element.proto.body for element in test.get("html") if 'class="ranked-list"' in element.proto.body)
    lines = re.findall(r"<tr[^>]*><th>(.*?)</th>(.*?)</tr>", body)
    return {name: [html.unescape(cell) for cell in re.findall(r">([^<]*)</td>", cells)] for name, cells in lines}


def means(test: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in test.main.metric}


def test_the_table_of_the_textbook_to_the_printed_digit() -> None:
    test = ranking("ranking_14")
    lines = strip(test)
    assert lines["rank"] == [str(rank) for rank in range(1, 15)]
    assert lines["precision"] == ("1.00 1.00 0.67 0.75 0.60 0.67 0.57 0.50 0.44 0.40 0.36 0.33 0.38 0.36".split())
    assert lines["recall"] == "0.20 0.40 0.40 0.60 0.60 0.80 0.80 0.80 0.80 0.80 0.80 0.80 1.00 1.00".split()
    assert [rank for rank, mark in enumerate(lines["relevant"], 1) if mark == "●"] == [1, 2, 4, 6, 13]
    assert lines["document"][:4] == ["588", "589", "576", "590"]
    assert "AP = (1.00 + 1.00 + 0.75 + 0.67 + 0.38) / 5 = 0.760" in text(test)
    assert means(test)["MAP"] == "0.760"
    assert means(test)["P@10"] == "0.400"


def test_the_eleven_points_of_one_query_are_marked_on_its_line() -> None:
    now = json.loads(ranking("ranking_14").get("bidi_component")[-1].proto.json)
    (points,) = now["means"]
    assert (points["name"], points["line"]) == ("11 points", False)
    levels = [precision for _, precision in (point["at"] for point in points["points"])]
    # From the table: the highest precision at this recall or further right.
    assert levels == pytest.approx([1] * 5 + [0.75] * 2 + [2 / 3] * 2 + [5 / 13] * 2)
    several = json.loads(ranking("image_retrieval").get("bidi_component")[-1].proto.json)
    assert several["means"][0]["line"]


def test_the_level_of_relevance_holds_for_the_page() -> None:
    data = uploaded(qrels=QRELS, run=RUN)
    assert means(ranking(data, k="3"))["P@3"] == "0.222"  # two of three, none, none
    assert means(ranking(data, k="3", grade="2"))["P@3"] == "0.111"


def test_missing_queries_are_counted_and_may_be_left_out() -> None:
    data = uploaded(qrels=QRELS, run=RUN)
    test = ranking(data)
    assert "1 without a list, counted as 0 (q2)" in text(test).replace("*", "")
    assert "1 of the run without judgments, ignored (q9)" in text(test)
    assert "1 without a list, 1 without a relevant document" in text(test)
    assert means(test)["MAP"] == "0.278"  # (1 + 2/3) / 2 of three queries
    test.segmented_control(key="missing queries").set_value("leave").run()
    assert test.query_params["missing"] in ("leave", ["leave"])
    assert means(test)["MAP"] == "0.417"
    assert "left out (q2)" in text(test).replace("*", "")


def test_what_nobody_judged_is_marked_and_what_is_missing_named() -> None:
    test = ranking(uploaded(qrels=QRELS + "q1 0 y 1\n", run=RUN), picked="q1")
    assert strip(test)["relevant"] == ["●", "?", "●"]
    assert "1 unjudged, marked ? · not retrieved: y" in text(test)


def test_a_query_without_a_list_and_one_without_a_relevant_document_can_be_opened() -> None:
    data = uploaded(qrels=QRELS, run=RUN)
    assert "The run has no list for this query, so every measure counts 0 · 1 relevant" in text(
        ranking(data, picked="q2")
    )
    assert "no document is judged relevant" in text(ranking(data, picked="q3"))


def test_the_list_that_is_opened_first_has_a_curve_if_any_has() -> None:
    # By AP q2, without a list, and q3, without a relevant document, stand before it.
    assert ranking(uploaded(qrels=QRELS, run=RUN)).main.subheader[0].value == "Query q1: ranked list"
    none = ranking(uploaded(qrels="q3 0 d 0\n", run="q3 Q0 d 1 1 x\n"))
    assert none.main.subheader[0].value == "Query q3: ranked list"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "the mean precision at the ranks of the relevant documents\n"),
        ("q1 0 y 1\n", "documents; the one not retrieved counts 0\n"),
        ("q1 0 y 1\nq1 0 x 1\n", "documents; the 2 not retrieved count 0\n"),
    ],
)
def test_average_precision_is_told_with_what_is_missing(more: str, said: str) -> None:
    assert said in text(ranking(uploaded(qrels=QRELS + more, run=RUN), picked="q1"))


def test_ties_are_counted_with_the_range_they_leave_open() -> None:
    test = ranking(uploaded(qrels="q 0 a 1\nq 0 b 0\n", run="q Q0 a 1 1 x\nq Q0 b 2 1 x\n"))
    assert "2 of 2 documents share their score" in text(test)
    assert "AP 0.500 … 1.000" in text(test)
    assert "Other orders would give an AP of 0.500 … 1.000" in text(test)
    assert means(test)["MAP"] == "0.500"  # b stands first: the last id does


def test_scores_that_only_32_bits_make_equal_are_told() -> None:
    close = "q Q0 a 1 0.5000000001 x\nq Q0 b 2 0.5 x\nq Q0 c 3 0.25 x\n"
    test = ranking(uploaded(qrels="q 0 a 1\n", run=close))
    assert "trec_eval 9 rounds scores to 32 bits, which ties 2 documents; here their scores differ" in text(test)
    assert means(test)["MAP"] == "1.000"
    assert "rounds scores to 32 bits" not in text(
        ranking(uploaded(qrels="q 0 a 1\n", run=close.replace("01 x", "00 x")))
    )


def test_a_range_that_nobody_knows_is_not_told() -> None:
    lists = "q Q0 a 1 1 x\nq Q0 b 2 1 x\nq Q0 c 3 1 x\n"
    judged = "q 0 a 1\nq 0 b 0\nq 0 c 0\n"
    for qrels, told in ((judged, True), (judged.replace("c 0", "c -1"), False)):
        test = ranking(uploaded(qrels=qrels, run=lists), columns="infAP")
        assert ("infAP 0." in text(test)) is told
        assert "AP 0.333 … 1.000" in text(test)


def test_the_options_of_trec_eval_that_the_export_answers_to_are_named() -> None:
    data = uploaded(qrels=QRELS, run=RUN)
    assert "`trec_eval -q -c -l 1`, version 9.0.4" in text(ranking(data))
    assert "`trec_eval -q -l 2`" in text(ranking(data, missing="leave", grade="1.5"))


def test_the_range_of_a_geometric_mean_is_geometric_too() -> None:
    lists = "q Q0 a 1 1 x\nq Q0 b 2 1 x\np Q0 a 1 2 x\np Q0 b 2 1 x\n"
    test = ranking(uploaded(qrels="q 0 a 1\nq 0 b 0\np 0 a 1\n", run=lists), columns="GMAP")
    # Of ½ … 1 and 1: √½ … 1, not ¾ … 1.
    assert "AP 0.750 … 1.000 · GMAP 0.707 … 1.000" in text(test)


def test_files_that_share_no_query_are_told_with_examples_of_both() -> None:
    test = ranking(uploaded(qrels="301 0 a 1\n", run="q301 Q0 a 1 1 x\n"))
    assert "do the ids differ by a prefix?" in html.unescape(test.error[0].value)
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
    test = ranking(saved(read_table(csv.encode(), "table.csv")))
    assert test.title[0].value == "Ranking"
    assert not any("defect" in error.value for error in test.error)
    assert test.error or means(test) or "This page needs" in text(test)


def test_every_measure_can_be_a_column() -> None:
    names = [measure.label for measure in METRICS.values() if measure.family == "retrieval"]
    for some in (names[:20], names[20:]):
        test = ranking("graded_10", ("formulas",), columns=written([some]))
        for name in some:
            assert f"({name})" in text(test)


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


def test_the_python_finds_the_numbers_of_a_sample_again(tmp_path: Path) -> None:
    test = ranking("two_methods", system="B", columns="AP~set_F~fallout")
    run(test.main.code[0].value, tmp_path)


def run(code: str, folder: Path) -> None:
    script = folder / "ranking.py"
    script.write_text(code)
    runpy.run_path(str(script))


def test_the_python_finds_the_numbers_of_two_files_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"qrels.txt": QRELS, "mine.run": RUN}
    test = ranking(uploaded(**files), missing="leave", grade="2")
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    code = test.main.code[0].value
    assert "read_files" in code
    run(code, tmp_path)
    (tmp_path / "mine.run").write_text(RUN.replace("a 1 3", "a 1 0"))
    with pytest.raises(AssertionError):
        run(code, tmp_path)


def test_names_from_a_file_do_nothing() -> None:
    names = [name for name in NASTY if not re.search(r"\s", name) and name]
    qrels = "".join(f"{name} 0 {name} 1\n" for name in dict.fromkeys(names) if not name.startswith("#"))
    run = "".join(f"{line.split()[0]} Q0 {line.split()[0]} 1 1 x\n" for line in qrels.splitlines())
    data = uploaded(qrels=qrels, run=run)
    active = [name for name in names if plain(name) != name and len(name) > 2]
    for name in [name for name in names if not name.startswith("#")][:6]:
        test = ranking(data, picked=written([[name]]))
        assert html.unescape(test.main.subheader[0].value).replace("\u2060", "").endswith(": ranked list")
        for element in (*test.main.markdown, *test.main.caption, *test.main.subheader):
            assert not [odd for odd in active if odd in element.value]
        (body,) = (element.proto.body for element in test.get("html") if 'class="ranked-list"' in element.proto.body)
        assert "<script" not in body
        assert "<img" not in body


def test_without_lists_the_page_offers_the_samples_that_fit() -> None:
    test = ranking(None)
    assert "This page needs" in text(test)
    test.button(key="offer ranking_14").click().run()
    assert means(test)["MAP"] == "0.760"
