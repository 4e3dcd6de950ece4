"""A report: one file with the digits of the server at every stop, safe whatever names it holds, and small."""

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, report
from evalcore.__main__ import main
from evalcore.analyses import (
    BinChoice,
    Binning,
    Calibration,
    CurveOverlays,
    DecisionRecord,
    KeptDecision,
    Losses,
    LossSettings,
    Margin,
    Pin,
    ProbabilitySource,
    Rankings,
    Reliability,
    Requirement,
    Scores,
    Source,
    best_threshold,
)
from evalcore.classification import Limit, ScoredLabels, cost_goal, measure_goal, youden_goal
from evalcore.readers import KINDS as KINDS_OF_DATA
from evalcore.readers import DataSet, read_sample
from evalcore.registry import PAGES, name_of_today, page_at
from evalcore.reports import ReportSettings, chapters_of, report_html
from evalcore.reports.front import Front
from evalcore.reports.of_scores import threshold_view_chapter
from evalcore.reports.parts import Table
from evalcore.reports.report import checklists, document
from evalcore.wording import count_text, number_text, value_text
from tests.figures.view_payload import written
from tests.pages.nasty_names import NASTY

ROOT = Path(__file__).parents[2]
RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy")


def embedded(text: str) -> dict:
    """What the script of a report draws from, read as a browser reads it."""
    return json.loads(re.search(r'id="view-data">(.*?)</script>', text, re.S)[1])


def many_scores(n: int, system: str = "score") -> Scores:
    """A million distinct scores or so, without the rows of a file."""
    rng = np.random.default_rng(16)
    scores = np.sort(rng.random(n))[::-1]
    positive = rng.random(n) < scores**2
    source = Source.of(read_sample("roc_20"))
    return Scores(source, system, ScoredLabels.from_counts(scores, positive * 1.0, ~positive * 1.0), "ill", "well", 0)


@pytest.mark.parametrize(
    "scores", [Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression"), many_scores(50_000)]
)
def test_the_stops_of_a_report_have_the_digits_of_the_server(scores: Scores) -> None:
    data = threshold_view_chapter(scores, ReportSettings()).data()
    stops = data["view"]["stops"]
    # Samples to shake are held where they are small.
    assert (data["shake"] is None) == (len(scores.table) > 10_000)
    thresholds = {scores.text(t): t for t in scores.table.thresholds.tolist()} if len(scores.table) < 1000 else None
    shown = written(stops["t"])
    chosen = np.unique(np.linspace(0, len(shown) - 1, 200).round().astype(int)).tolist()
    assert len(chosen) == 200
    columns = {key: written(stops["texts"][key]) for key in RATES}
    cells = {cell: written(stops["cells"][cell]) for cell in ("tp", "fp", "fn", "tn")}
    for stop in chosen:
        text = shown[stop]
        threshold = float(text.replace("∞", "inf").replace("−", "-")) if thresholds is None else thresholds[text]
        counts = scores.counts_at(threshold)
        for cell, texts in cells.items():
            assert texts[stop] == count_text(float(getattr(counts, cell)))
        for key, texts in columns.items():
            assert texts[stop] == value_text(METRICS[key], float(METRICS[key](counts)))


def test_a_report_of_many_scores_is_small() -> None:
    text = document("Many", "today", Front("Found"), [threshold_view_chapter(many_scores(300_000), ReportSettings())])
    assert len(text.encode()) < 1_000_000


class Tags(HTMLParser):
    """Every tag and attribute of a document."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen, self.links = set(), set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(f"{tag} {name}" for name, _ in attrs)}
        self.links |= {value for name, value in attrs if name in ("href", "src", "action")}


@cache
def report_of(names: tuple[str, ...], label: str) -> str:
    """A column of scores for each name, in a file and with a class that have names of that sort too."""
    rng = np.random.default_rng(3)
    columns = {name: rng.random(12).round(2) for name in names}
    data = DataSet.of(pd.DataFrame({"actual": [label, "well"] * 6, **columns}), label)
    return report_html(data, ["classify/threshold", "classify/curves", "classify/confusion"])


@pytest.mark.parametrize(
    "label", ["<script>alert(1)</script>", "![x](http://e.com/a.png)", "</style><b>", '"><img src=x>']
)
def test_names_do_nothing_in_a_report(label: str) -> None:
    text = report_of(NASTY, label)
    tags = Tags(text)
    assert tags.seen == Tags(report_of(("first", "second"), "ill")).seen
    assert all(link.startswith("#") for link in tags.links)
    # Nothing in the data ends the element that it stands in.
    assert text.count("</script") == text.count("</style") + 1 == 2
    embedded(text)


def test_a_report_forbids_everything_outside() -> None:
    text = report_html(read_sample("roc_20"), ["classify/threshold"])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert not re.search(r"(src|href)=\"?(https?:)?//", text)


def test_a_report_says_what_was_chosen_and_what_made_it(tmp_path: Path) -> None:
    data = read_sample("breast_cancer")
    file = report(data, tmp_path / "a.html", ["classify/curves"], ReportSettings(threshold=0.25))
    text = file.read_text(encoding="utf-8")
    assert data.digest in text
    assert "0.25" in front(text)
    assert re.search(r"<td>numpy</td><td>\d", text)
    assert "info</td><td>24 duplicate rows" in text
    assert "Where should I set the threshold?" not in text
    with pytest.raises(ValueError, match="'retrieve/sets', only classify"):
        report_html(data, ["retrieve/sets"])


def test_the_curves_of_a_report_are_zoomed_to_their_corner_where_the_threshold_lies_in_it() -> None:
    whole = CurveOverlays(whole=True)
    settings = {"zoomed: recall": ReportSettings(), "guessing: prevalence": ReportSettings(overlays=whole)}
    for words, chosen in {**settings, "prevalence 37.3": ReportSettings(threshold=1.0)}.items():
        text = report_html(read_sample("breast_cancer"), ["classify/curves"], chosen)
        assert words in text
        assert ("zoomed: false positive rate" in text) is words.startswith("zoomed")


def test_a_report_says_in_words_what_was_done_to_the_table() -> None:
    source = Source.of(read_sample("breast_cancer").shaped("only~size_band~large"))
    text = report_html(source, ["classify/confusion"])
    assert "only~" not in text.split("Python that makes this report")[0]
    assert text.count(f"{source.dataset.shape.steps[0].sentence} (") > 1


def test_data_of_one_system_have_no_chapter_that_compares() -> None:
    source = Source.of(read_sample("breast_cancer"))
    assert "classify/compare" in chapters_of(source)
    assert "classify/compare" not in chapters_of(
        Source.of(source.dataset.with_roles(replace(source.roles, score=("logistic_regression",))))
    )


def test_a_report_compares_the_threshold_with_a_pin() -> None:
    settings = ReportSettings(threshold=0.25, pins=(0.5, Pin(0.37, "nearest_neighbours", name="Spring")))
    text = report_html(read_sample("breast_cancer"), ["classify/threshold"], settings)
    assert [one["name"] for one in embedded(text)["over"]["pins"]] == ["0.5", "Spring (nearest_neighbours)"]
    assert "24 of 569 rows: 9 right only at A, 15 only at B" in text
    code = settings.code(Source.of(read_sample("breast_cancer")), ["classify/threshold"])
    assert "pins=(0.5, Pin(0.37, 'nearest_neighbours', '', 'Spring'))" in code


def test_the_goal_of_a_report_is_written_with_its_limits() -> None:
    source = Source.of(read_sample("breast_cancer"))
    limit = Limit(METRICS["recall"], at_least=0.95)
    chosen = best_threshold(Scores.of(source, source.dataset.systems[0]), measure_goal(METRICS["precision"]), (limit,))
    text = front(report_html(source, ["classify/threshold"], ReportSettings(threshold=0.25, chosen=chosen)))
    assert "<td>highest precision, with recall at least 0.95</td>" in text


def test_only_intervals_that_such_data_have_are_named_and_a_grade_is_written_as_it_is() -> None:
    scores, labels, ranked = (
        Source.of(read_sample(name)) for name in ("breast_cancer", "woman_man_child", "image_retrieval")
    )
    settings = ReportSettings()
    assert settings.rows(scores) == [["Intervals", "95 %, Wilson; AUC by DeLong, logit scale"]]
    assert settings.rows(labels) == [["Intervals", "95 %, Wilson"]]
    rows = replace(settings, rankings=Rankings(ranked, ranked.dataset.systems[0])).rows(ranked)
    assert ["Intervals", "95 %"] in rows
    assert ["Relevant from grade", "1"] in rows


def test_the_command_writes_a_report_or_says_why_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.csv"
    file.write_text("actual,score\nill,0.9\nwell,0.4\nill,0.6\nwell,0.1\n")
    assert main(["report", str(file), "--threshold", "0.5"]) == 0
    assert "0.5" in (tmp_path / "a.html").read_text(encoding="utf-8")
    file.write_text("")
    assert main(["report", str(file)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def probabilities() -> DataSet:
    rng = np.random.default_rng(5)
    given = rng.dirichlet([1, 1, 1], 60)
    names = np.array(["a", "b", "c"])
    frame = pd.DataFrame({"actual": names[[rng.choice(3, p=row) for row in given]]})
    return DataSet.of(frame.assign(**dict(zip(("p_a", "p_b", "p_c"), given.T, strict=True))))


def estimates() -> DataSet:
    rng = np.random.default_rng(6)
    truth = rng.normal(size=80)
    return DataSet.of(pd.DataFrame({"truth": truth, "first": truth + 0.1, "second": truth + rng.normal(size=80)}))


KINDS = {
    "labels": lambda: read_sample("oracle_false"),
    "scores": lambda: read_sample("roc_ties_10"),
    "probabilities": probabilities,
    "label sets": lambda: read_sample("digits_label_sets"),
    "label scores": lambda: read_sample("digits_labels"),
    "counts": lambda: read_sample("two_classifiers"),
    "matrix": lambda: read_sample("cat_fish_hen"),
    "estimates": estimates,
    "masks": lambda: read_sample("digit_masks"),
    "run + judgments": lambda: read_sample("two_methods"),
    "graded": lambda: read_sample("graded_10"),
    "unknown": lambda: DataSet.of(pd.DataFrame({"x": np.arange(40.0), "y": np.arange(40.0) ** 1.2})),
}


@cache
def whole_report(kind: str) -> tuple[Source, str]:
    """Data of a kind, and their report with all pages."""
    source = Source.of(KINDS[kind]())
    return source, report_html(source)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_data_has_a_report(kind: str) -> None:
    source, text = whole_report(kind)
    offered = (source.dataset.first_page, *KINDS_OF_DATA[source.kind].pages)
    leading = next(page for page in offered if page in chapters_of(source))
    tags = Tags(text)
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in tags.links)
    for page in chapters_of(source):
        title = PAGES[page].title
        written = next((part for part in text.split("<details") if f"<h2>Appendix: {title}</h2>" in part), "")
        assert written, f"{page} has no chapter"
        if page == leading:
            written += front(text)
        else:
            assert '<div class="verdict">' in written
        drawn = "<svg" in written or source.has_labels or page.endswith(("confusion", "overlap"))
        assert drawn, f"the chapter of {page} has no picture"
        for noise in ("nan", "None", "[", ":gray", "**", "&amp;#", "Cell("):
            assert noise not in re.sub(r"<pre>.*?</pre>|<[^>]*>|\[\d|recall\[", "", written, flags=re.S), (page, noise)


def front(text: str) -> str:
    """What stands before the appendices."""
    return text.split('<article id="front">')[1].split("</article>")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_begins_with_a_page_of_few_words_and_numbers(kind: str) -> None:
    _, text = whole_report(kind)
    words = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", front(text), flags=re.S).split()
    assert 40 < len(words) <= 700
    assert "<h1>" in front(text)
    numbers = front(text).split("Numbers that matter")[1].split("</table>")[0]
    assert 1 <= numbers.count("<tr>") - 1 <= 8
    # All else is folded at first, and nothing stands between or after the folds.
    assert "<details open" not in text
    rest = text.replace(front(text), "")
    assert rest.count('<details class="appendix">') == rest.count("<section") == rest.count("<h2>")


def steps(text: str) -> dict[str, str]:
    """The steps of the decision by their anchors."""
    return dict(re.findall(r'<section class="step" id="(\w+)"[^>]*>(.*?)</section>', front(text), re.S))


def test_the_steps_say_what_their_chapters_say_and_only_once() -> None:
    text = report_html(read_sample("breast_cancer"))
    found = steps(text)
    assert [*found] == ["data", "numbers", "goal", "certain", "costs", "groups", "made"]
    assert "569 rows, 212 malignant" in found["data"]
    assert "Best: 0.3648" in found["goal"]
    for name, words in {"certain": "Best threshold in 67", "costs": "is the cheapest"}.items():
        assert words in found[name]
        assert words not in re.sub(r"<script.*?</script>|<svg.*?</svg>", "", text.split("</article>")[1], flags=re.S)
    assert [*steps(report_html(read_sample("digit_masks")))] == ["data", "numbers", "made"]


@pytest.mark.parametrize("higher", [True, False])
def test_the_line_of_a_step_stands_at_the_very_threshold_that_is_best(higher: bool) -> None:
    """Where the best threshold is none of the stops, its row is sent with exact counts."""
    rng = np.random.default_rng(6)
    values, chance = rng.random(3000), rng.random(3000)
    positive = chance < (values if higher else 1 - values)
    source = Source.of(read_sample("roc_20"))
    state = ScoredLabels.from_arrays(positive, values, higher_is_positive=higher)
    scores = Scores(source, "score", state, "ill", "well", 0)
    data = threshold_view_chapter(scores, ReportSettings()).data()
    chosen = best_threshold(scores, youden_goal())
    row = data["best"]["row"]
    assert written(row["t"]) == [scores.text(chosen.choice.threshold)]
    counts = scores.counts_at(chosen.choice.threshold)
    assert written(row["cells"]["tp"]) == [count_text(float(counts.tp))]
    assert written(row["cells"]["fp"]) == [count_text(float(counts.fp))]
    assert data["sure"]["spread"]["range"].startswith("best threshold in 67")
    few = threshold_view_chapter(Scores.of(source, "score"), ReportSettings())
    stops = few.data()["view"]["stops"]
    assert f"Best: {written(stops['t'])[few.data()['best']]}" in few.verdict


def test_data_of_one_class_have_a_report_without_a_best_threshold() -> None:
    text = report_html(DataSet.of(pd.DataFrame({"actual": ["ill"] * 4, "score": [0.1, 0.2, 0.3, 0.4]}), "ill"))
    assert "best" not in embedded(text)
    assert embedded(text)["sure"]["spread"] is None
    assert "certain" in steps(text)


def test_tables_of_a_report_have_no_text_of_an_image() -> None:
    text = report_html(read_sample("image_retrieval"), ["retrieve/graded", "retrieve/compare"])
    assert "q003" in text
    assert "data:image" not in re.sub(r"<img[^>]*>", "", text)


def test_p_values_of_a_report_are_written_as_on_the_pages() -> None:
    assert "&lt;\xa00.001" in Table("", {"p": [1e-43, 0.5]}).html("")


def test_the_numbers_of_the_front_are_those_at_the_threshold() -> None:
    source, settings = Source.of(read_sample("breast_cancer"), "nearest_neighbours"), ReportSettings(threshold=0.286)
    scores = Scores.of(source, "nearest_neighbours")
    counts = scores.counts_at(0.286)
    # Which pages are included changes none of them.
    for pages in (None, ["classify/threshold"], ["classify/curves", "estimate/distributions"]):
        table = front(report_html(source, pages, settings)).split("Numbers that matter")[1].split("</table>")[0]
        for key in ("recall", "precision", "specificity", "negative_predictive_value", "accuracy", "f_beta"):
            interval, _ = settings.intervals.of(METRICS[key], counts)
            for value in map(float, interval.ends):
                assert value_text(METRICS[key], value).removesuffix("\u202f%") in table
        for value in map(float, settings.intervals.of_area(scores.scored).ends):
            assert number_text(value) in table


def test_the_front_names_the_group_with_the_lowest_recall_beyond_chance() -> None:
    found = {"a": (90, 10), "b": (50, 50), "c": (88, 12)}  # of a hundred positives each: found and missed
    rows = [(group, "ill", 0.9) for group, (hits, _) in found.items() for _ in range(hits)]
    rows += [(group, "ill", 0.1) for group, (_, misses) in found.items() for _ in range(misses)]
    rows += [(group, "well", score) for group in found for score in (0.1, 0.2) for _ in range(50)]
    frame = pd.DataFrame(rows, columns=["group", "actual", "score"])
    text = front(report_html(DataSet.of(frame, "ill"), ["classify/threshold"], ReportSettings(threshold=0.5)))
    sentence = text.split("For whom is it worse?")[1].split("</p>")[0]
    assert "b: 50.0\u202f% against 89.0\u202f%" in sentence
    equal = frame.assign(group=np.tile(["a", "b", "c"], len(frame) // 3))
    text = front(report_html(DataSet.of(equal, "ill"), ["classify/threshold"], ReportSettings(threshold=0.5)))
    assert "76.0\u202f% against" in text.split("For whom is it worse?")[1]


def test_a_report_without_pages_has_the_data_and_their_origin() -> None:
    data = read_sample("digit_masks")
    text = report_html(data, [])
    assert data.digest in front(text)
    assert "Numbers that matter" not in text


def test_checklists_fill_in_what_the_data_answer_and_leave_the_rest_blank() -> None:
    text = report_html(read_sample("cancer_test"), [])
    stard, tripod = text.split("TRIPOD+AI: 27 items")[0], text.split("TRIPOD+AI: 27 items")[1]
    assert "<td>23</td>" in stard
    assert "TP 20, FP 180, FN 10, TN 1\u202f820" in stard
    assert "recall 66.7\u202f% (48.8–80.8\u202f%)" in stard
    assert 'Funding and other support, and the role of funders</td><td class="blank"></td>' in stard
    assert stard.count('class="blank"') > 20
    assert "doi:10.1136/bmj.h5527" in stard
    assert 'Ethics approval, and consent</td><td class="blank"></td>' in tripod
    # How common the outcome is says nothing of methods against imbalance.
    assert 'Methods against class imbalance, and recalibration after them</td><td class="blank"></td>' in tripod
    assert 'Output of the model; why and how thresholds were chosen <span class="names">development only' in tripod
    with_groups = report_html(read_sample("breast_cancer"), ["classify/threshold"])
    assert "accuracy by size_band" in with_groups
    assert "net benefit" in with_groups.split("Measures and plots of performance")[1][:300]
    # Several classes have no index test, and images no participants.
    assert "STARD" not in report_html(read_sample("digit_masks"), [])
    assert "STARD" not in report_html(read_sample("woman_man_child"), [])


def test_the_python_of_a_report_makes_it_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = Source.of(read_sample("breast_cancer"), "nearest_neighbours")
    scores = Scores.of(source, "nearest_neighbours")
    overlays = CurveOverlays(hull=True, requirements=(Requirement("out", "NPV", 0.9),), contours="accuracy")
    settings = ReportSettings(
        threshold=0.3, chosen=best_threshold(scores, cost_goal(fn_cost=5)), miss_cost=5, overlays=overlays,
        binning=Binning("equal count", 5), losses=LossSettings(base=2.0),
        compared={"measure": "recall", "cut": "page", "threshold": 0.3, "margin": Margin("equivalent", 0.05)},
        distributions=("of_columns", "logistic_regression", "nearest_neighbours", BinChoice("width", 5)),
    )  # fmt: skip
    pages = ["classify/threshold", "classify/curves", "classify/compare", "classify/probabilities"]
    pages.append("estimate/distributions")
    monkeypatch.setattr("evalcore.reports.report._now", lambda: "today")
    code = settings.code(source, pages).replace('"report.html"', repr(str(tmp_path / "a.html")))
    read = re.search(r"read_table\('(.*?)'\)", code)
    exec(code.replace(read[0], "read_sample('breast_cancer')").replace("read_table", "read_sample"), {})  # noqa: S102
    assert (tmp_path / "a.html").read_text("utf-8") == report_html(source, pages, settings)
    assert "<td>a miss 5, a false alarm 1</td>" in (tmp_path / "a.html").read_text("utf-8")


def test_errors_by_chance_are_drawn_with_the_chosen_seed() -> None:
    source = Source.of(read_sample("breast_cancer"), "nearest_neighbours")
    settings = ReportSettings(losses=LossSettings(seed=7))
    drawn = Reliability.of(ProbabilitySource.of(source), settings.binning, seed=7)
    said = Calibration(drawn, Losses.of(drawn.probabilities.table, settings.losses)).by_chance
    assert said in report_html(source, ["classify/probabilities"], settings)


def test_checklists_have_the_numbers_of_the_published_lists() -> None:
    """Bossuyt et al. 2015, table 1, and Collins et al. 2024, table 2, with its D (development) and E (evaluation)."""
    stard, tripod = checklists()["stard"], checklists()["tripod"]
    parts = {"10": "ab", "12": "ab", "13": "ab", "21": "ab"}
    assert [*stard["items"]] == [f"{n}{part}" for n in range(1, 31) for part in parts.get(str(n), [""])]
    parts = {"3": "abc", "5": "ab", "6": "abc", "8": "abc", "9": "abc", "12": "abcdefg", "18": "abcdef"}
    parts |= {"20": "abc", "23": "ab", "27": "abc"}
    assert [*tripod["items"]] == [f"{n}{part}" for n in range(1, 28) for part in parts.get(str(n), [""])]
    assert len(tripod["items"]) == 52
    assert tripod["development"] == ["9a", "12a", "12b", "12c", "15", "22", "27a", "27b"]
    assert tripod["evaluation"] == ["12f", "12g", "20c", "24"]


def test_decisions_that_were_kept_stand_beside_the_decision() -> None:
    scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    kept = KeptDecision.of(DecisionRecord(scores, 0.5), "Spring <b>audit", "Ada", "Few misses", "2026-11-23T10:20Z")
    text = report_html(read_sample("roc_20"), ["classify/threshold"], ReportSettings(kept=[kept]))
    shown = text.split("Saved decision")[1].split("</p>")[0]
    assert "Spring &#60;b&#62;audit" in shown
    assert "Ada" in shown
    assert "Few misses" in text


def test_a_page_that_is_part_of_another_now_is_included_by_its_old_name() -> None:
    source = Source.of(read_sample("digits_label_sets"))
    assert "Which labels are right, and how often?" in report_html(source, ["classify/multilabel"])
    assert name_of_today("classify/multilabel") == page_at("multilabel") == page_at("classes") == "classify/classes"
