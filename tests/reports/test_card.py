"""The card of a finding: one picture of 1200 × 630 that says the sentence, its numbers, of which data, and how many."""

import html
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import evalcore as ec
from evalcore.__main__ import main
from evalcore.analyses import Source
from evalcore.classification import ConfusionMatrix
from evalcore.figures import confusion_map_figure, ink
from evalcore.readers import ReadProblem, read_sample, read_table, samples
from evalcore.reports import ReportSettings, card_text, chapters_of
from evalcore.reports.front import card_svg
from evalcore.wording import THIN

pytestmark = pytest.mark.usefixtures("fewer_resamples")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>&\"'\u202e **bold** [x](http://e.com) "
ONE_OF_A_KIND = {one.kind: id for id, one in reversed(samples().items())}


def drawn(svg: str) -> tuple[ElementTree.Element, str]:
    """The picture and its own words, without those of the figure inside."""
    root = ElementTree.fromstring(svg)
    return root, " ".join("".join(text.itertext()) for text in root.findall(f"{SVG}text"))


def sample(id: str) -> Source:
    return Source.of(read_sample(id), sample=id)


@pytest.mark.parametrize("id", ONE_OF_A_KIND.values())
def test_each_finding_has_a_card_with_its_rows_that_needs_nothing_else(id: str) -> None:
    source = sample(id)
    for page in chapters_of(source):
        try:
            svg = card_text(source, [page])
        except ReadProblem:  # one system only
            assert page.endswith("/compare")
            continue
        root, words = drawn(svg)
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1200", "630", "0 0 1200 630")
        assert html.unescape(source.size) in words
        assert "var(" not in svg
        assert not re.search(r'(?:href|src)="(?!data:image/png)', svg)
        places = [[float(text.get(way)) for way in "xy"] for text in root.findall(f"{SVG}text")]
        assert all(0 <= x <= 1200 and 0 < y < 630 for x, y in places)


def test_the_card_of_a_threshold_says_the_sentence_the_rates_with_intervals_and_the_rule() -> None:
    _, words = drawn(card_text(sample("breast_cancer"), ["classify/threshold"]))
    assert words.startswith(f"Finds 87.7{THIN}% of the malignant, with 1 false alarm")
    assert f"Recall 87.7{THIN}% (82.6–91.5{THIN}%) Precision 99.5{THIN}% (97.0–99.9{THIN}%)" in words
    assert f"95{THIN}% intervals" in words
    assert "Breast cancer: two models · logistic_regression · malignant when score ≥ 0.5" in words
    settings = ReportSettings(threshold=0.3648)
    assert "when score ≥ 0.3648" in drawn(card_text(sample("breast_cancer"), ["classify/threshold"], settings))[1]


def test_names_of_a_file_are_words_of_a_card_and_long_ones_lose_their_middle() -> None:
    table = f'actual,"{HOSTILE.replace(chr(34), chr(34) * 2)}"\n' + f"{'x<b>' * 30},0.9\nwell,0.2\n" * 4
    source = Source.of(read_table(table.encode(), f"{HOSTILE * 9}.csv"))
    for page in chapters_of(source):
        if page == "classify/compare":
            continue
        root, words = drawn(card_text(source, [page]))
        assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
            *("svg", "title", "rect", "text", "tspan", "path", "defs", "clipPath", "g", "pattern", "circle", "line")
        }
        assert "…" in words
        assert "**bold**" in words
        assert html.unescape(source.size) in words


def test_a_long_sentence_ends_in_dots_before_the_foot() -> None:
    root, words = drawn(card_svg(f"**{'A word and another. ' * 60}** More.", "data " * 80, "3 rows"))
    assert words.count("…") == 2
    assert "3 rows" in words
    assert max(float(one.get("y")) for one in root.findall(f"{SVG}text")) < 630


def test_a_figure_for_dark_ground_is_drawn_in_the_colours_of_light_ground() -> None:
    counts = ConfusionMatrix(("a", "b"), [[3, 1], [0, 4]])
    figures = [confusion_map_figure(counts, ink(dark)) for dark in (False, True)]
    light, dark = (card_svg("**Good.**", "", "", figure) for figure in figures)
    for colour in (ink(True).text, ink(True).grey, ink(True).grid, ink(True).paper):
        assert colour.lower() not in dark.lower()
    assert drawn(light)[1] == drawn(dark)[1]


def test_an_answer_and_the_command_write_a_card(tmp_path: Path) -> None:
    answer = ec.threshold([1, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.6], goal="recall >= 0.9")
    _, words = drawn(answer.save(tmp_path / "card.svg").read_text(encoding="utf-8"))
    assert words.startswith(f"Finds all of the positives, with 1 false alarm Recall 100.0{THIN}%")
    file = tmp_path / "counts.csv"
    file.write_text("TP,FP,FN,TN\n20,180,10,1820\n")
    assert main(["report", str(file), "-o", str(tmp_path / "counts.svg")]) == 0
    assert f"PPV is 10.0{THIN}% (6.6–14.9{THIN}%)" in drawn((tmp_path / "counts.svg").read_text(encoding="utf-8"))[1]
    with pytest.raises(ValueError, match=r"card\.svg for a card"):
        answer.save(tmp_path / "card.png")
