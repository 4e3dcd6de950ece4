"""The page that compares rankings: every number beside the core's, hidden judgments, odd data, and nasty addresses."""

import html
import math
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.SelectWidgetFilterMode_pb2 import SelectWidgetFilterMode
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from evalcore.inference import adjusted, paired_t, randomization
from evalcore.readers import read_table
from evalcore.readers.judged_files import read_files
from evalcore.readers.samples import read_sample, samples
from evalcore.retrieval import WAYS, PerQuery, evaluate, orders_kept
from evalcore.wording import p_text
from evalcore.wording.escaping import plain
from pages.widgets.retrieve.compare import judgment_reduction
from tests.pages.nasty_names import NASTY
from tests.pages.test_every_page import BAD, problem
from tests.pages.uploads import saved, stored

ROOT = Path(__file__).parents[4]
PAGE = "pages/retrieve/compare.py"
RANKED = [sample.id for sample in samples().values() if sample.kind == "run + judgments"]
TABS = ("Query by query", "Judgments", "All comparisons")
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 b 1\nq3 0 c 0\n"
ONE = "q1 Q0 a 1 3 one\nq1 Q0 b 2 2 one\nq2 Q0 z 1 2 one\nq2 Q0 a 2 1 one\n"
TWO = "q1 Q0 b 1 3 two\nq1 Q0 a 2 2 two\nq2 Q0 a 1 2 two\nq3 Q0 b 1 2 two\n"


def compare(data: str | None, unfolded: tuple[str, ...] = (), **parameters: str) -> AppTest:
    # After a first run: two pages are files called compare.py, and only then they are told apart.
    test = AppTest.from_file(ROOT / "app.py", default_timeout=90).run()
    test.query_params.update(({"data": data} if data else {}) | parameters)
    for key in unfolded:
        test.session_state[key] = True
    test.switch_page(PAGE).run()
    assert not test.exception
    return test


def text(test: AppTest) -> str:
    said = "\n".join(element.value for element in (*test.main.markdown, *test.main.caption))
    return html.unescape(said.replace("\u202f", " ").replace("\u2060", ""))


def table(test: AppTest) -> dict[str, list[str]]:
    """The cells of the table of systems, by the name of their line."""
    (body,) = (one.proto.body for one in test.get("html") if '<table class="rivals"' in one.proto.body)
    lines = re.findall(r"<tr>(<th>.*?)</tr>", body.replace("\u202f", " "))
    name = re.compile(r"<[^>]+>")
    return {
        name.sub("", re.search(r"<th>(.*?)</th>", line)[1]): [
            name.sub(" ", cell).split() for cell in re.findall(r"<td.*?>(.*?)</td>", line)
        ]
        for line in lines
        if "<td" in line
    }


def frame(test: AppTest, column: str):
    return next(one.value for one in test.main.dataframe if column in one.value.columns)


def expected(sample: str, names: list[str], **options) -> dict[str, PerQuery]:
    data = read_sample(sample)
    return {system: evaluate(data.judgments(), data.run(system), names, **options) for system in data.systems}


def two_systems(queries: int = 30, same: bool = False) -> str:
    """A table of two systems: each query has a relevant and another document; the second may swap them."""
    lines = ["query,document,one,two,grade"]
    for query in range(queries):
        turned = not same and query % 3 == 0
        lines += [f"q{query},a,2,{1 if turned else 2},1", f"q{query},b,1,{2 if turned else 1},0"]
    return stored("\n".join(lines) + "\n")


def test_the_numbers_are_those_of_the_core() -> None:
    names = ["AP", "nDCG@10", "P@10", "R@10", "RR", "bpref"]
    found = expected("image_retrieval", names)
    test = compare("image_retrieval", other="projection", rankings_part="All comparisons")
    shown = frame(test, "corrected p")
    tests = {
        (second, name): paired_t(found["pixels"].values[name], found[second].values[name])
        for second in ("cosine", "projection")
        for name in names
    }
    corrected = adjusted([one.p_value for one in tests.values()], "holm")
    assert len(shown) == 12
    for row, ((second, name), one), p in zip(shown.itertuples(), tests.items(), corrected, strict=True):
        assert (row.measure, row.first, row.second) == (name, "pixels", second)
        assert row.difference == one.estimate
        assert (row.low, row.high) == (one.interval.low, one.interval.high)
        assert (row.p, row.d_z) == (one.p_value, one.effect_size)
        assert row[shown.columns.get_loc("corrected p") + 1] == p
        assert (row.wins, row.ties, row.losses, row.queries) == (one.wins, one.ties, one.losses, 300)
    lines = table(test)
    assert lines["A pixels"][0][0] == "0.506"
    assert lines["B projection"][0][:3] == ["0.661", "▲", "+0.155"]
    assert lines["cosine"][0][1] == "▼"
    assert lines["cosine"][2][1] != "▼"
    assert "projection ranks better than pixels by AP" in text(test)
    assert "wins 252, ties 17 and loses 31 of 300 queries" in text(test)


def test_test_and_correction_are_chosen_and_the_swap_turns_the_difference() -> None:
    found = expected("image_retrieval", ["RR"])
    test = compare("image_retrieval", measure="RR", test="randomisation", measures="RR")
    one = randomization(found["pixels"].values["RR"], found["cosine"].values["RR"])
    test.selectbox(key="correction").set_value("bonferroni").run()
    assert "Bonferroni for 2 comparisons" in text(test)
    assert "Not shown: the difference in RR may be chance." in text(test)
    assert f"{p_text(min(2 * one.p_value, 1))} after Bonferroni" in text(test).replace("*", "")
    test.button(key="swap").click().run()
    assert "pixels minus cosine: **+0.002**" in text(test)
    assert test.query_params["system"] in ("cosine", ["cosine"])


@pytest.mark.parametrize("name", ["t", "randomisation", "wilcoxon", "sign"])
def test_identical_systems_have_no_difference_and_p_is_1(name: str) -> None:
    test = compare(two_systems(same=True), test=name, rankings_part="All comparisons")
    assert "one and two are equal by AP for every one of 30 queries." in text(test)
    shown = frame(test, "corrected p")
    assert (shown["difference"] == 0).all()
    assert (shown["p"] == 1).all()
    assert (shown["ties"] == 30).all()
    for part in TABS[:2]:
        assert problem(compare(two_systems(same=True), test=name, rankings_part=part)) == ""


def test_all_pairs_are_tested_together() -> None:
    test = compare("image_retrieval", rankings_part="All comparisons")
    test.selectbox(key="against").set_value("pairs").run()
    shown = frame(test, "corrected p")
    assert len(shown) == 18
    assert shown[["first", "second"]].drop_duplicates().to_numpy().tolist() == [
        ["pixels", "cosine"], ["pixels", "projection"], ["cosine", "projection"]
    ]  # fmt: skip
    assert shown["corrected p"].tolist() == adjusted(shown["p"], "holm").tolist()
    assert "after Holm for 18 comparisons" in text(test)
    test.selectbox(key="system control").set_value("projection").run()  # now A comes after the others in their pairs
    assert table(test)["A projection"]
    assert table(test)["B cosine"][0][:2] == ["0.499", "▼"]


def test_few_and_many_queries_are_warned_of() -> None:
    assert "10 queries are few" in text(compare(two_systems(10)))
    assert "are few" not in text(compare(two_systems(25)))
    assert "are many" not in text(compare(two_systems(1000)))
    assert "1 001 queries are many" in text(compare(two_systems(1001)))


def test_one_query_is_compared_without_a_test() -> None:
    test = compare("two_methods", rankings_part="All comparisons")
    assert "One query says nothing about others" in text(test)
    assert frame(test, "corrected p")["p"].isna().all()


def test_queries_that_a_system_lacks_count_0_or_are_left_out_for_all() -> None:
    data = saved(read_files({"qrels": QRELS.encode(), "one": ONE.encode(), "two": TWO.encode()}))
    test = compare(data, other="two", system="one")
    assert "1 without a list, counted as 0 (q3)" in text(test).replace("*", "")
    assert table(test)["A one"][0][0] == "0.500"  # (1 + ½ + 0) / 3
    assert table(test)["B two"][0][0] == "0.833"  # (½ + 1 + 1) / 3
    left = compare(data, system="two", missing="leave")
    assert "All systems together have lists for 2 of them" in text(left)
    assert table(left)["A two"][0][0] == "0.750"
    for part in TABS:
        assert problem(compare(data, system="two", missing="leave", rankings_part=part)) == ""


def test_the_lists_of_the_picked_query_stand_beside_each_other() -> None:
    data = saved(read_files({"qrels": QRELS.encode(), "one": ONE.encode(), "two": TWO.encode()}))
    test = compare(data, system="one", picked="q2")
    (body,) = (one.proto.body for one in test.get("html") if '<table class="beside-lists"' in one.proto.body)
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", line) for line in re.findall(r"<tr>(<td.*?)</tr>", body)]
    assert rows == [["1", "?", "z", "–", "●", "a", "2"], ["2", "●", "a", "1", "", "", ""]]
    assert "q2 — both lists" in "\n".join(one.value for one in test.main.subheader)
    # With none picked, the query on which they differ most: one has nothing for q3.
    assert "q3 — both lists" in "\n".join(one.value for one in compare(data, system="one").main.subheader)


def test_hidden_judgments_move_the_measures_and_infap_least() -> None:
    test = compare("image_retrieval", rankings_part="Judgments", hidden_random="0.5")
    assert "With 25 373 of 50 745 judgments" in text(test)
    left = frame(test, "condensed").set_index("system")
    assert float(left.loc["pixels", "AP"]) < 0.3
    assert float(left.loc["pixels", "infAP"]) == pytest.approx(0.506, abs=0.01)
    assert float(left.loc["pixels", "condensed"]) == pytest.approx(0.506, abs=0.02)
    low, high = map(float, left.loc["pixels", "bounds"].split(" … "))
    assert low <= float(left.loc["pixels", "AP"]) < high
    order = frame(test, "order now").set_index("measure")
    assert order.loc["AP", "same order"] == "5 of 5"
    assert order.loc["AP", "order now"] == "projection > pixels > cosine"
    test.select_slider(key="hidden judgments").set_value(0.0).run()
    assert test.query_params["hidden_random"] in ("0.0", ["0.0"])
    assert "With 50 745 of 50 745 judgments" in text(test)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_hide_judgments_is_followed_down(way: str) -> None:
    test = compare("image_retrieval", rankings_part="Judgments")
    test.segmented_control(key="hide").set_value(way).run()
    assert problem(test) == ""
    test.select_slider(key="hidden judgments").set_value(0.9 if way in ("random", "queries") else 5).run()
    assert problem(test) == ""
    assert len(frame(test, "order now")) == 6
    assert not math.isnan(float(frame(test, "order now")["τ, mean"].iloc[0].replace("−", "-")))


def test_who_stops_the_draws_is_told_how_far_they_are_and_comes_back_only_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, told, stop = [], [], [True]

    def counted(judged, measures, way, steps, seeds, *rest):
        asked.append(list(seeds))
        return orders_kept(judged, measures, way, steps, seeds, *rest)

    def progress(room, share: float, text: str) -> None:
        told.append((share, text))
        if stop[0] and len(told) == 4:
            raise StopException  # as when the reader goes to another page

    monkeypatch.setattr(judgment_reduction, "orders_kept", counted)
    monkeypatch.setattr(judgment_reduction, "_PATIENCE", -1.0)
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
    assert asked[2:] == [[]]
    assert len(told) == 11


def test_a_tab_that_is_closed_is_not_worked_out() -> None:
    test = compare("image_retrieval", rankings_part="All comparisons")
    shown = [one.proto.id for one in test.get("plotly_chart")]
    assert len(shown) == 1
    assert not any("order now" in one.value.columns for one in test.main.dataframe)


def test_measures_are_chosen_by_any_name_and_wrong_ones_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    test = compare("image_retrieval")
    shown = {"AP": "AP · Average precision"}
    monkeypatch.setattr(Multiselect, "format_func", property(lambda box: lambda name: shown.get(name, name)))
    test.multiselect(key="measures control").set_value(["AP", "ndcg_cut_5", "GMAP"]).run()
    assert "GMAP is a mean over the queries only" in html.unescape(test.error[0].value)
    assert "12 comparisons" not in text(test)
    assert "4 comparisons" in text(test)
    assert compare("image_retrieval", measures="x~GMAP~AP~AP").selectbox(key="rivals measure").options == ["AP"]


def test_the_formulas_hold_the_numbers() -> None:
    found = expected("image_retrieval", ["AP"])
    effect = paired_t(found["pixels"].values["AP"], found["projection"].values["AP"]).effect_size
    for name in ("t", "randomisation", "wilcoxon", "sign"):
        test = compare("image_retrieval", ("formulas",), test=name, other="projection")
        assert rf"d_z = \frac{{\bar d}}{{s_d}} = {effect:.3f}" in text(test)
        assert "undefined" not in text(test).split("Formulas")[-1]


@pytest.mark.parametrize(
    ("sample", "parameters"),
    [
        ("image_retrieval", {"test": "wilcoxon", "k": "5"}),
        ("image_retrieval_graded", {"test": "randomisation", "grade": "2", "measures": "AP~nDCG(gain=exp)@10"}),
        ("two_methods", {}),
    ],
)
def test_the_python_finds_the_numbers_again(sample: str, parameters: dict[str, str], tmp_path: Path) -> None:
    test = compare(sample, **parameters)
    script = tmp_path / "compared.py"
    script.write_text(test.main.code[-1].value)
    runpy.run_path(str(script))


def test_the_python_of_files_leaves_out_what_the_page_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"qrels.txt": QRELS, "one.run": ONE, "two.run": TWO}
    test = compare(saved(read_files({name: value.encode() for name, value in files.items()})), missing="leave")
    for name, value in files.items():
        (tmp_path / name).write_text(value)
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "compared.py"
    script.write_text(test.main.code[-1].value)
    runpy.run_path(str(script))
    (tmp_path / "two.run").write_text(TWO.replace("q2 Q0 a 1 2", "q2 Q0 c 1 2"))
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
@pytest.mark.parametrize("part", TABS)
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
    for one, two in zip(names[:16:2], names[1:16:2], strict=True):
        lines = ["query,document,system,score,grade"]
        for query in names[:5]:
            lines += [f'"{query}","{name}","{system}",{rank},1' for system in (one, two) for rank, name in
                      enumerate(names[5:9])]  # fmt: skip
        data = saved(read_table("\n".join(lines).encode(), "table.csv"))
        for part in TABS:
            test = compare(data, rankings_part=part)
            assert problem(test) == ""
            for element in (*test.main.markdown, *test.main.caption, *test.main.subheader):
                assert not [odd for odd in active if odd in element.value]
            bodies = (element.proto.body for element in test.get("html"))
            for body in (body for body in bodies if "<table" in body):
                assert "<script" not in body
                assert "<b>x" not in body


@pytest.mark.parametrize(
    "csv",
    [
        "query,document,one,two,grade\nq,a,1,2,0\nq,b,2,1,0\n",
        "query,document,one,two,grade\nq,a,,2,1\nq,b,,1,0\n",
        "query,document,one,two,grade\nq,a,1,2,1\nq,b,1,2,-1\nr,a,inf,1,2\n",
    ],
    ids=["none relevant", "an empty run", "ties and a negative grade"],
)
@pytest.mark.parametrize("part", TABS)
def test_odd_lists_never_break(csv: str, part: str) -> None:
    assert problem(compare(stored(csv), rankings_part=part)) == ""


def test_five_thousand_queries_are_tested_with_ten_thousand_draws() -> None:
    random = np.random.default_rng(3)
    one, two = random.random(5000), random.random(5000)
    found = randomization(one, two)
    assert found.method == "Randomisation test, 10000 draws"
    assert found.p_value == pytest.approx(paired_t(one, two).p_value, abs=0.02)


def test_what_is_typed_as_a_measure_is_not_taken_for_the_nearest_of_the_list() -> None:
    page = compare("image_retrieval")
    box = page.multiselect(key="measures control")
    assert box.proto.filter_mode == SelectWidgetFilterMode.FILTER_MODE_PREFIX
