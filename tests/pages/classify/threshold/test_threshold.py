"""The threshold page: settings of the address reach the threshold view, and what is moved there reaches the address."""

import html
import json
from dataclasses import replace

import pandas as pd
import pytest

from evalcore.figures.threshold_view import Drawing, make_threshold_view
from evalcore.inference import IntervalChoice
from evalcore.readers import DataSet, read_sample
from evalcore.wording import one_line
from pages.widgets.classify.confusion import confusion
from pages.widgets.classify.threshold import threshold as view
from tests.analyses.small_scores import scores_of
from tests.figures.view_payload import CELLS, INF, THIN, four
from tests.pages.application import unfold
from tests.pages.classify.threshold.threshold_page import ROOT, of_scores, opened, outcomes, payload
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved, stored
from tests.words import facts, sentence_with

PROGRAM = ROOT / "evalcore" / "figures" / "threshold_view" / "program"

# The address


@pytest.mark.parametrize(
    ("asked", "threshold"),
    [
        ({"data": "roc_20"}, 0.54),
        ({"data": "roc_20"}, INF),
        ({"data": "roc_20"}, -INF),
        ({"data": "breast_cancer", "system": "nearest_neighbours"}, 0.4),
    ],
)
def test_the_threshold_and_the_system_of_the_address_are_shown(asked, threshold) -> None:
    test = opened(**asked, t=repr(threshold))
    scores = scores_of(asked["data"], asked.get("system"))
    assert outcomes(test) == four(scores.counts_at(threshold))


def test_where_lower_scores_are_positive_the_view_is_turned() -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=False)
    test = opened(data="roc_20", roles=roles.to_text(), t="0.54")
    assert outcomes(test) == four(scores_of("roc_20", higher_is_positive=False).counts_at(0.54))


def test_samples_are_sent_while_the_address_asks_for_them_and_by_a_part_of_their_own() -> None:
    still, shaking = (opened(data="roc_20", **link) for link in ({}, {"shake": "1"}))
    sent = [
        [part for part in test.get("bidi_component") if "threshold_view-shake" in str(part.proto)]
        for test in (still, shaking)
    ]
    assert [len(parts) for parts in sent] == [0, 1]
    assert payload(still)["shake"] == {"name": None}
    assert payload(shaking)["shake"]["name"] in str(sent[1][0].proto)
    assert payload(opened(data="roc_20", shake="7"))["shake"] == {"name": None}


@pytest.mark.parametrize("threshold", ["nan", "abc", "", "1e999999999x", "--1", "0,5"])
def test_a_threshold_that_is_no_number_counts_as_missing(threshold) -> None:
    assert outcomes(opened(data="roc_20", t=threshold)) == (6, 4, 4, 6)


def test_the_page_starts_at_a_half_for_scores_between_0_and_1_and_at_youdens_threshold_else() -> None:
    assert outcomes(opened(data="roc_20")) == (6, 4, 4, 6)
    assert outcomes(opened(data=of_scores([7.0, 8.0], [5.0, 6.0]))) == (2, 0, 0, 2)


def test_the_threshold_is_the_one_of_the_other_pages() -> None:
    test = opened(data="roc_20", t="0.54")
    test.switch_page("pages/classify/confusion.py").run()
    cells = {cell["key"]: cell["value"] for cell in json.loads(test.get("bidi_component")[0].proto.json)["cells"]}
    assert tuple(cells[cell] for cell in CELLS) == (5, 1, 5, 9)


def test_the_lines_and_intervals_of_the_address_are_drawn_on_the_first_visit() -> None:
    test = opened(data="roc_20", lines=["accuracy", "jaccard index"], interval="Clopper–Pearson", level="80 %")
    view = payload(test)["view"]
    assert view["lines"] == [
        {"key": "accuracy", "word": "accuracy"}, {"key": "jaccard", "word": "jaccard index"},
    ]  # fmt: skip
    assert view["with"] == f"With 80{THIN}% intervals (Clopper–Pearson, n in grey)"
    test.multiselect(key="lines").set_value([]).run()
    assert payload(test)["view"]["lines"] == []
    assert outcomes(test) == (6, 4, 4, 6)


@pytest.mark.parametrize(
    ("sample", "address", "kind"),
    [
        ("roc_20", {}, "dots"),
        ("roc_20", {"density": "Histogram"}, "bars"),
        ("roc_20", {"density": "Smooth", "axis": "Logarithmic"}, "smooth"),
        ("breast_cancer", {}, "bars"),
        ("breast_cancer", {"density": "Rows as dots"}, "bars"),  # too many
        ("breast_cancer", {"density": "Smooth", "height": "Share of the class"}, "smooth"),
        ("breast_cancer", {"density": "nonsense", "axis": "nonsense", "bars": "-4"}, "bars"),
    ],
)
def test_densities_as_the_address_says(sample, address, kind) -> None:
    density = payload(opened(data=sample, **address))["view"]["density"]
    assert density["kind"] == kind
    if kind == "smooth":
        assert "bandwidth" in density["notes"][0]


# Data at the edge


def test_one_class_only_still_draws() -> None:
    test = opened(data=stored("actual,score\n1,0.9\n1,0.4\n1,0.3\n"), t="0.35")
    assert sorted(outcomes(test)) == [0, 0, 1, 2]
    assert [text[:14] for text in payload(test)["view"]["reasons"].values()] == ["All 3 rows are"]


@pytest.mark.parametrize(("name", "other"), [*zip(NASTY[::2], NASTY[1::2], strict=True)])
def test_names_from_a_file_are_shown_as_they_are(name, other) -> None:
    frame = pd.DataFrame({"truth": [name, other] * 2, f"score {name} {other}": [0.9, 0.2, 0.4, 0.6]})
    dataset = DataSet.of(frame, f"{name} {other}.csv")
    test = opened(data=saved(dataset.with_roles(replace(dataset.roles, positive=name))))
    assert not test.error
    assert outcomes(test) == (1, 1, 1, 1)
    # The browser sets them as text, never as HTML: no file of the threshold view has a way to do otherwise.
    assert payload(test)["view"]["names"] == [one_line(name, 24), one_line(other, 24)]


def test_the_program_writes_names_as_text_only() -> None:
    program = "".join(path.read_text(encoding="utf-8") for path in PROGRAM.rglob("*.js"))
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "import(", "fetch("):
        assert way not in program


def test_nothing_open_offers_what_fits() -> None:
    test = opened()
    assert not test.get("segmented_control")
    test.button(key="offer roc_20").click().run()
    assert outcomes(test) == (6, 4, 4, 6)


def test_labels_without_scores_are_no_place_for_a_threshold() -> None:
    test = opened(data="eight_labels")
    assert sentence_with(html.unescape(test.markdown[0].value), "and a score")


@pytest.mark.parametrize(
    ("sample", "higher", "threshold"),
    [("roc_20", True, "0.54"), ("roc_20", False, "-0.1"), ("glucose_10", True, "inf")],
)
def test_the_code_to_take_away_finds_the_same_counts(sample, higher, threshold, monkeypatch) -> None:
    roles = replace(read_sample(sample).roles, higher_is_positive=higher)
    test = unfold(opened(data=sample, roles=roles.to_text(), t=threshold))
    monkeypatch.chdir(ROOT)
    found: dict = {}
    code = next(block.value for block in test.code if block.language == "python")
    exec(code, found)  # noqa: S102  its assertions are the test
    assert four(found["counts"]) == outcomes(test)


# What is let go and what is typed in the browser


def asked(message: object, monkeypatch) -> tuple[list[float], dict]:
    """What a message from the browser puts into the address, and what the session remembers of it."""
    put, session = [], {}
    monkeypatch.setattr(view, "put_threshold", put.append)
    monkeypatch.setattr(view.st, "session_state", session)
    scores = scores_of("roc_20")
    message = {"of": "this one", "n": 7, **message} if isinstance(message, dict) else message
    drawn = make_threshold_view(scores, Drawing(), IntervalChoice())
    view._go(scores, drawn, "this one", message)
    return put, session


@pytest.mark.parametrize(
    ("told", "opened"),
    [("fn", ("cell", "fn")), ([12, 8], ("scores", "0.39", "0.52")), ([3, 99], ()), ([1], ()), ("", ()), (7, ())],
)
def test_a_cell_or_two_stops_open_rows_and_anything_else_closes_them(told, opened, monkeypatch) -> None:
    calls = []
    for module in (view, confusion):
        monkeypatch.setattr(module, "open_rows", lambda *parts: calls.append(parts))
    monkeypatch.setattr(confusion, "close_rows", lambda: calls.append(()))
    assert asked({"rows": told}, monkeypatch)[0] == []
    assert calls == [opened]


@pytest.mark.parametrize("message", [{"stop": 11}, {"row": 7}, {"typed": "0.52"}])
def test_what_is_let_go_is_put_into_the_address_and_its_number_comes_back(message, monkeypatch) -> None:
    thresholds = scores_of("roc_20").table.thresholds
    expected = {"stop": thresholds[::-1][11], "row": thresholds[7], "typed": 0.52}[next(iter(message))]
    remembered = {"threshold_view heard": 7, "threshold_view answer": None, "threshold_view keys": False}
    assert asked(message, monkeypatch) == ([expected], remembered)


@pytest.mark.parametrize("moved", [{}, {"stop": 11}, {"row": 7}])
def test_keys_ask_for_the_neighbours_and_a_release_by_hand_does_not(moved, monkeypatch) -> None:
    put, session = asked({**moved, "near": True}, monkeypatch)
    assert len(put) == len(moved)
    assert session["threshold_view keys"]


@pytest.mark.parametrize(
    "message",
    [
        None, "x", 7, {"stop": 99}, {"stop": -1}, {"stop": "3"}, {"row": 1e9}, {"row": 10**9}, {"typed": 4},
        {"stop": None}, {"stop": 3, "of": "another data set"},
    ],
)  # fmt: skip
def test_what_no_browser_of_ours_sends_changes_nothing(message, monkeypatch) -> None:
    assert asked(message, monkeypatch)[0] == []


def test_what_is_typed_and_unclear_is_answered_with_a_sentence(monkeypatch) -> None:
    assert asked({"typed": "recall = 0.9"}, monkeypatch)[0] == [0.34]
    put, session = asked({"typed": "recall = 9"}, monkeypatch)
    assert put == []
    assert facts(session["threshold_view answer"]) == "0 1 9%"


def test_what_was_just_pinned_is_compared_with_the_pin_before_it() -> None:
    at = {"data": "breast_cancer", "t": "0.7", "part": "Pins"}
    pins = [f"{one}~logistic_regression~~" for one in ("0.7", "0.4")]
    for link, options in (("!".join(pins), ["0.4"]), (pins[0], ["the current threshold, 0.7"])):
        test = opened(**at, pins=link)
        (asked,) = (box for box in test.selectbox if box.label.startswith("Compare"))
        assert asked.options == options
