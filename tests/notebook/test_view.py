"""Views of notebooks: the numbers of Python in a frame that reaches nothing, and a threshold that both ends know."""

import html
import re
from collections.abc import Callable
from contextlib import nullcontext
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore.analyses import Source
from evalcore.engines import summary_dataset
from evalcore.notebook import show, view
from evalcore.readers import DataSet, ReadProblem, Unloaded, read_sample, roles_of
from tests.figures.view_payload import written
from tests.pages.nasty_names import NASTY

EVERY_KIND = ("breast_cancer", "digits", "digits_probabilities", "digits_labels", "digits_label_sets", "diabetes")
EVERY_KIND += ("cancer_test", "four_methods", "image_retrieval", "image_retrieval_graded", "roc_20", "eight_labels")


def of_sample(name: str, **settings: object) -> view.View:
    return show(Source.of(read_sample(name), sample=name), **settings)


def of_frame(frame: pd.DataFrame) -> view.View:
    return show(Source.of(DataSet.of(frame)))


class Frames(HTMLParser):
    """The frames of a piece of HTML, and the scripts that are no part of one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.frames: list[dict[str, str]] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attrs))


@pytest.mark.parametrize("name", EVERY_KIND)
def test_a_view_is_one_frame_that_runs_its_script_and_fetches_nothing(name: str) -> None:
    shown = Frames(of_sample(name)._repr_html_())
    assert shown.tags == ["div", "style", "p", "iframe"]
    [frame] = shown.frames
    assert frame["sandbox"].split() == ["allow-scripts", "allow-downloads"]
    document = frame["srcdoc"]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', document)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert not re.search(r"(?:src|href)=[\"']?(?!data:|#)\w", document.replace("default-src", "").split("<script")[0])


def test_names_of_a_file_end_neither_the_frame_nor_its_script() -> None:
    rows = {f"{nasty}'\">": [0.2, 0.9, 0.4, 0.8] for nasty in NASTY[:4]}
    frame = pd.DataFrame({"actual": ["</script>'", 'b">&amp;', "</script>'", 'b">&amp;'], **rows})
    named = of_frame(frame)
    assert isinstance(named, view.ScoresView)
    shown = Frames(named._repr_html_())
    assert shown.tags == ["div", "style", "p", "iframe"]
    inside = Frames(shown.frames[0]["srcdoc"])
    assert inside.tags.count("script") == 2
    assert "img" not in inside.tags


def test_text_is_all_that_a_terminal_gets() -> None:
    text = repr(of_sample("breast_cancer"))
    assert text.splitlines()[-1] == "Finds 87.7\u202f% of the malignant, with 1 false alarm."
    assert "<" not in text
    assert html.unescape(text) == text


def test_rows_of_all_outcomes_are_the_rows_of_the_table() -> None:
    shown = of_sample("roc_20", threshold=0.54)
    parts = {name: shown.rows(name) for name in ("found", "missed", "false alarms", "correct rejections")}
    assert [len(part) for part in parts.values()] == [5, 5, 1, 9]
    assert sorted(row for part in parts.values() for row in part.index) == list(range(20))
    assert parts["missed"].equals(shown.rows("FN"))
    scores = shown.source.frame[shown.source.system]
    assert shown.rows((0.3, 0.54)).equals(shown.source.frame[scores.between(0.3, 0.54)])
    shown.threshold = 0.3
    assert len(shown.rows("missed")) < 5


def test_what_cannot_be_shown_or_asked_is_told(tmp_path: Path) -> None:
    shown = of_sample("roc_20")
    with pytest.raises(ValueError, match="outcome='lost' is not one of 'found', 'missed'"):
        shown.rows("lost")
    with pytest.raises(ValueError, match="threshold=nan"):
        shown.threshold = float("nan")
    with pytest.raises(ReadProblem, match="no view of masks, only of scores, labels, counts, rankings and estimates"):
        of_sample("digit_masks")
    with pytest.raises(AttributeError, match="A view of labels has no threshold; scores have one"):
        of_sample("digits").rows("missed")
    with pytest.raises(TypeError, match="shake=True needs scores"):
        of_sample("digits", shake=True)
    with pytest.raises(TypeError, match="treshold"):
        of_sample("roc_20", treshold=0.3)
    assert shown.save(tmp_path / "view.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_table_that_was_counted_has_a_view_and_no_rows() -> None:
    table = pa.table({"ill": [1, 0, 1, 0], "score": [0.9, 0.2, 0.6, 0.7]})
    roles = roles_of(actual="ill", score=("score",), positive=1)
    shown = show(Source.of(summary_dataset(table, roles, name="log", unloaded=Unloaded("path", "log.parquet"))))
    assert "iframe" in shown._repr_html_()
    with pytest.raises(ReadProblem, match="counted and not loaded"):
        shown.rows("found")


def test_pins_are_ghosts_in_a_view_whose_numbers_differ_from_the_first() -> None:
    data = of_sample("roc_20", threshold=0.54, pins=[0.3, 0.5]).document.data
    assert [one["name"] for one in data["over"]["pins"]] == ["0.3", "0.5"]
    assert written(data["now"]["row"]["changes"]["cells"]["tp"]) == ["−5"]
    assert "pins" not in of_sample("roc_20").document.data["over"]


class Model(SimpleNamespace):
    """The widget of a view as Python sees it."""

    def observe(self, hear: Callable, name: str) -> None:
        assert name == "stop"
        self.hear = hear

    def hold_sync(self) -> nullcontext:
        return nullcontext()

    def left_at(self, stop: int) -> None:
        self.stop = stop
        self.hear({"new": stop})


def test_the_hand_moves_the_threshold_and_the_threshold_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_new_model", lambda name, row: Model(view=name, now=row, stop=-1))
    shown = of_sample("breast_cancer")
    model = shown.widget
    assert model.view in model.frame
    thresholds = np.sort(read_sample("breast_cancer").scored("logistic_regression").thresholds())
    for stop in (0, 7, len(thresholds) - 1):
        model.left_at(stop)
        assert shown.threshold == thresholds[stop]
    for stray in (-1, len(thresholds)):
        model.left_at(stray)
        assert shown.threshold == thresholds[-1]
    shown.threshold = 0.7
    assert model.stop == -1
    counts = read_sample("breast_cancer").scored("logistic_regression").counts_at(0.7)
    for cell, count in {"tp": counts.tp, "fn": counts.fn, "fp": counts.fp, "tn": counts.tn}.items():
        assert written(model.now["row"]["cells"][cell]) == [f"{count:.0f}"]
    assert written(model.now["row"]["t"]) == ["0.7"]


def test_without_anywidget_the_view_is_the_same_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "find_spec", lambda name: None)
    shown = of_sample("roc_20", threshold=0.4)
    assert "iframe" in shown._repr_html_()
    shown.threshold = 0.5
    assert shown.threshold == 0.5
    with pytest.raises(ModuleNotFoundError, match=r"evalcore\[notebook\]"):
        _ = shown.widget


MILLION = 1_000_000
MOST = 400_000
"""Bytes of a view, which a notebook keeps with each output."""


def test_a_view_of_a_million_scores_is_small() -> None:
    rng = np.random.default_rng(30)
    ill = rng.random(MILLION) < 0.3
    shown = of_frame(pd.DataFrame({"ill": ill.astype(int), "score": rng.normal(1.2 * ill)}))
    assert len(shown._repr_html_().encode()) < 0.6 * MOST


@pytest.mark.parametrize("classes", [100, 500])
def test_a_view_of_a_million_labels_is_small(classes: int) -> None:
    rng = np.random.default_rng(31)
    actual = rng.integers(0, classes, MILLION)
    predicted = np.where(rng.random(MILLION) < 0.8, actual, rng.integers(0, classes, MILLION))
    names = np.array([f"class {name}" for name in range(classes)])
    shown = of_frame(pd.DataFrame({"actual": names[actual], "predicted": names[predicted]}))
    assert len(shown._repr_html_().encode()) < MOST


def test_a_view_of_many_points_and_of_many_queries_is_small() -> None:
    rng = np.random.default_rng(32)
    truth = rng.normal(size=5_000)
    shown = of_frame(pd.DataFrame({"truth": truth, "estimate": truth + rng.normal(size=5_000)}))
    assert len(shown._repr_html_().encode()) < MOST
    queries, ranks = 5_000, 20
    rows = {
        "query": np.repeat([f"q{query}" for query in range(queries)], ranks),
        "document": np.tile([f"d{rank}" for rank in range(ranks)], queries),
        "score": rng.random(queries * ranks),
        "relevance": rng.integers(0, 2, queries * ranks),
    }
    assert len(of_frame(pd.DataFrame(rows))._repr_html_().encode()) < MOST
