"""The threshold page: whatever the cockpit shows, at rest or dragged, is what the server counts there."""

import html
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.inference import clopper_pearson, wilson
from evalcore.readers import DataSet, read_table
from evalcore.readers.samples import read_sample, samples
from evalcore.wording.escaping import one_line
from evalcore.wording.numbers import count_text, share_text, value_text
from pages.widgets.classify.threshold.cockpit.columns import RATES
from tests.pages.classify.threshold.cockpit_page import (
    CELLS,
    INF,
    ROOT,
    THIN,
    cells_of,
    drawn,
    four,
    of_scores,
    opened,
    outcomes,
    payload,
    places,
    state,
    thresholds,
    written,
)
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved, stored

SCORED = [s.id for s in samples().values() if s.kind in ("scores", "probabilities")]


# One threshold, one set of counts


@pytest.mark.parametrize("sample", SCORED)
@pytest.mark.parametrize("threshold", ["0.5", "0.54", "21.5", "-3", "inf", "-inf"])
def test_the_numbers_are_the_counts_at_the_threshold(sample, threshold) -> None:
    test = opened(data=sample, t=threshold)
    scored = state(sample)
    assert outcomes(test) == four(scored.counts_at(float(threshold)))
    assert drawn(test) == (scored.positives, scored.negatives)


@pytest.mark.parametrize("threshold", ["0.5", "0.54", "inf", "-inf"])
def test_they_are_where_lower_scores_are_positive(threshold) -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=False)
    test = opened(data="roc_20", roles=roles.to_text(), t=threshold)
    assert outcomes(test) == four(state("roc_20", higher=False).counts_at(float(threshold)))


def test_the_system_of_the_address_is_shown() -> None:
    test = opened(data="breast_cancer", system="nearest_neighbours", t="0.4")
    assert outcomes(test) == four(state("breast_cancer", "nearest_neighbours").counts_at(0.4))


@pytest.mark.parametrize("threshold", ["nan", "abc", "", "1e999999999x", "--1", "0,5"])
def test_a_threshold_that_is_no_number_counts_as_missing(threshold) -> None:
    assert outcomes(opened(data="roc_20", t=threshold)) == (6, 4, 4, 6)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("interval", ["Wilson", "Clopper–Pearson"])
def test_every_stop_says_to_the_digit_what_the_server_says_there(higher, interval) -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=higher)
    scored = state("roc_20", higher=higher)
    lines = ["recall", "F1", "accuracy", "jaccard index"]
    stops = payload(opened(data="roc_20", roles=roles.to_text(), lines=lines, interval=interval))["sheet"]["stops"]
    distinct = sorted({*read_sample("roc_20").scored_arrays(None).scores.tolist()})
    assert thresholds(stops) == ([*distinct, INF] if higher else [-INF, *distinct])
    assert (np.diff(places(stops["x"])) >= 0).all()
    shown = {key: written(column) for key, column in stops["texts"].items()}
    assert set(shown) == {*RATES, "f_beta", "jaccard"}
    for k, threshold in enumerate(thresholds(stops)):
        counts = scored.counts_at(threshold)
        assert cells_of(stops)[k] == four(counts)
        for key, column in shown.items():
            value = float(METRICS[key](counts))
            assert column[k] == value_text(METRICS[key], value)
            at = places(stops["at"][key])[k]
            assert (np.isnan(at) and np.isnan(value)) or abs(at - value) < 1 / 4000
        for key in RATES:
            n = sum(float(getattr(counts, cell)) for cell in METRICS[key].denominator)
            hits = sum(float(getattr(counts, cell)) for cell in METRICS[key].numerator)
            found = (wilson if interval == "Wilson" else clopper_pearson)(hits, n)
            column = stops["intervals"][key]
            assert written(column["n"])[k] == count_text(n)
            assert [written(part)[k] for part in column["words"]] == [
                share_text(float(found.low)),
                share_text(float(found.high)),
            ]


@pytest.mark.parametrize("threshold", ["0.1", "0.54", "0.9", "inf"])
def test_at_rest_and_dragged_the_same_is_said(threshold) -> None:
    found = payload(opened(data="roc_20", t=threshold))
    now, stops = found["now"], found["sheet"]["stops"]
    assert now["exact"]
    for part in ("cells", "texts"):
        for key, column in now["row"][part].items():
            assert written(column)[0] == written(stops[part][key])[now["stop"]]
    assert thresholds(now["row"])[0] == thresholds(stops)[now["stop"]] == float(threshold)


@pytest.mark.parametrize(("higher", "stop"), [(True, 0.54), (False, 0.53)])
def test_between_two_scores_it_stands_where_it_is_with_the_counts_that_hold_there(higher, stop) -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=higher)
    found = payload(opened(data="roc_20", roles=roles.to_text(), t="0.535"))
    now, stops = found["now"], found["sheet"]["stops"]
    assert not now["exact"]
    assert thresholds(now["row"]) == [0.535]
    assert thresholds(stops)[now["stop"]] == stop
    assert cells_of(now["row"])[0] == cells_of(stops)[now["stop"]]
    x = places(stops["x"])
    assert x[thresholds(stops).index(0.53)] < places(now["row"]["x"])[0] < x[thresholds(stops).index(0.54)]


def test_resampled_intervals_are_shown_at_rest_only() -> None:
    found = payload(opened(data="roc_20", t="0.54", interval="bootstrap"))
    assert "words" in found["now"]["row"]["intervals"]["recall"]
    assert "words" not in found["sheet"]["stops"]["intervals"]["recall"]
    assert found["sheet"]["with"] == f"With 95{THIN}% intervals (bootstrap, n in grey)"


def test_the_level_that_is_asked_for_is_said() -> None:
    found = payload(opened(data="roc_20", t="0.54", level="80 %"))
    interval = wilson(5, 10, 0.8)
    words = found["now"]["row"]["intervals"]["recall"]["words"]
    assert [written(part)[0] for part in words] == [share_text(float(interval.low)), share_text(float(interval.high))]
    assert found["sheet"]["with"] == f"With 80{THIN}% intervals (Wilson, n in grey)"


def test_the_threshold_is_the_one_of_the_other_pages() -> None:
    test = opened(data="roc_20", t="0.54")
    test.switch_page("pages/classify/confusion.py").run()
    cells = {cell["key"]: cell["value"] for cell in json.loads(test.get("bidi_component")[0].proto.json)["cells"]}
    assert tuple(cells[cell] for cell in CELLS) == (5, 1, 5, 9)


# Settings


def test_the_lines_of_the_address_are_drawn_on_the_first_visit() -> None:
    test = opened(data="roc_20", lines=["accuracy"])
    assert payload(test)["sheet"]["lines"] == [{"key": "accuracy", "word": "accuracy"}]
    test.multiselect(key="lines").set_value([]).run()
    assert payload(test)["sheet"]["lines"] == []
    assert outcomes(test) == (6, 4, 4, 6)


@pytest.mark.parametrize(
    ("sample", "address", "kind"),
    [
        ("roc_20", {}, "dots"),
        ("roc_20", {"density": "Histogram"}, "bars"),
        ("roc_20", {"density": "Smooth"}, "smooth"),
        ("breast_cancer", {}, "bars"),
        ("breast_cancer", {"density": "Rows as dots"}, "bars"),  # too many
        ("breast_cancer", {"density": "Smooth", "height": "Share of the class"}, "smooth"),
        ("breast_cancer", {"density": "nonsense", "axis": "nonsense", "bars": "-4"}, "bars"),
    ],
)
def test_densities_as_the_address_says(sample, address, kind) -> None:
    density = payload(opened(data=sample, **address))["sheet"]["density"]
    assert density["kind"] == kind
    if kind == "smooth":
        assert "bandwidth" in density["notes"][0]


def test_what_the_axis_leaves_out_is_said() -> None:
    data = of_scores([1.0, 10.0, 100.0], [0.0, -1.0])
    assert payload(opened(data=data, axis="Logarithmic"))["sheet"]["density"]["notes"][-1] == (
        "2 of the scores are at or below 0 and not drawn"
    )
    data = of_scores([-1.0], [-2.0, -3.0])
    assert payload(opened(data=data, axis="Logarithmic"))["sheet"]["density"]["notes"][-1] == (
        "No score is above 0, so the axis is not logarithmic"
    )


# Data at the edge


@pytest.mark.parametrize("density", ["Histogram", "Smooth", "Rows as dots"])
@pytest.mark.parametrize("axis", ["All scores", "Where the scores are", "Logarithmic"])
@pytest.mark.parametrize(
    ("positives", "negatives", "threshold", "counts"),
    [
        ([0.4] * 3, [0.4] * 2, "0.4", (3, 2, 0, 0)),  # all scores equal
        ([0.4] * 3, [0.4] * 2, "0.41", (0, 0, 3, 2)),
        ([1.0, 1.0, 0.0], [0.0, 0.0], "1", (2, 0, 1, 2)),  # two distinct scores
        ([0.7], [0.1, 0.2, 0.9], "0.5", (1, 1, 0, 2)),  # one row of a class
        ([1e300, 2e300], [-1e300], "0", (2, 0, 0, 1)),
        ([1e300, 1e-300], [1e-300, -1e-300], "1e-300", (2, 1, 0, 1)),
        ([1e-300, 3e-300], [2e-300], "2e-300", (1, 1, 1, 0)),
        ([1.7e308], [-1.7e308], "1e308", (1, 0, 0, 1)),
        ([0.1, 0.2, 0.3], [0.7, 0.8, 0.9], "0.5", (0, 3, 3, 0)),  # an AUC below ½
        ([-5.0, -4.0], [-6.0, 3.0], "-4.5", (1, 1, 1, 1)),
        ([0.5, 0.5 + 2**-53], [0.5], repr(0.5 + 2**-53), (1, 0, 1, 1)),  # neighbours
    ],
)
def test_edges_of_what_scores_can_be(positives, negatives, threshold, counts, density, axis) -> None:
    test = opened(data=of_scores(positives, negatives), t=threshold, density=density, axis=axis)
    assert outcomes(test) == counts
    assert not test.error
    density = payload(test)["sheet"]["density"]
    for key in {"left", "right", "up", "down", "x"} & {k for k, v in density.items() if isinstance(v, str)}:
        assert ".." not in density[key]


def test_the_page_starts_at_a_half_for_scores_between_0_and_1_and_at_youdens_threshold_else() -> None:
    assert outcomes(opened(data="roc_20")) == (6, 4, 4, 6)
    assert outcomes(opened(data=of_scores([7.0, 8.0], [5.0, 6.0]))) == (2, 0, 0, 2)


@pytest.mark.parametrize(
    ("label", "reasons"),
    [
        ("1", {"roc": "All 3 rows are 1: no false alarm is possible."}),
        ("0", dict.fromkeys(("roc", "pr"), "None of 3 rows is positive.")),
    ],
)
def test_one_class_only_still_draws_and_says_why_a_curve_is_not_there(label, reasons) -> None:
    test = opened(data=stored(f"actual,score\n{label},0.9\n{label},0.4\n{label},0.3\n"), t="0.35")
    assert sorted(outcomes(test)) == [0, 0, 1, 2]
    assert payload(test)["sheet"]["reasons"] == reasons


def test_weights_count_and_rows_of_weight_0_do_not() -> None:
    dataset = read_table(b"actual,score,weight\n1,0.9,2\n1,0.4,0\n0,0.8,3\n0,0.1,1\n0,0.95,0\n", "weighted.csv")
    data = saved(dataset.with_roles(replace(dataset.roles, score=("score",), weight="weight")))
    test = opened(data=data, t="0.5")
    assert outcomes(test) == (2, 3, 0, 1)
    assert thresholds(payload(test)["sheet"]["stops"]) == [0.1, 0.8, 0.9, INF]
    assert payload(test)["sheet"]["density"]["notes"] == ["A dot is a row, its area the weight"]
    assert drawn(opened(data=data, density="Histogram")) == (2, 4)
    assert payload(opened(data=data, density="Smooth"))["sheet"]["density"]["kind"] == "smooth"


def test_weights_that_are_all_0_are_told_and_break_nothing() -> None:
    dataset = read_table(b"actual,score,weight\n1,0.9,0\n0,0.4,0\n0,0.8,0\n", "weighted.csv")
    dataset = dataset.with_roles(replace(dataset.roles, score=("score",), weight="weight"))
    for density in ("Histogram", "Smooth", "Rows as dots"):
        test = opened(data=saved(dataset), density=density)
        assert outcomes(test) == (0, 0, 0, 0)
        assert set(payload(test)["sheet"]["reasons"]) == {"roc", "pr"}


def test_a_million_rows_of_few_scores_answer_like_a_few() -> None:
    rng = np.random.default_rng(3)
    labels, scores = rng.random(1_000_000) < 0.3, rng.integers(0, 11, 1_000_000) / 10
    dataset = DataSet.of(pd.DataFrame({"actual": labels.astype(int), "score": scores}), "ties.csv")
    test = opened(data=saved(dataset), t="0.5")
    said = scores >= 0.5
    expected = tuple(
        float(np.sum(a & b)) for a, b in ((labels, said), (~labels, said), (labels, ~said), (~labels, ~said))
    )
    assert outcomes(test) == expected
    assert drawn(test) == (labels.sum(), (~labels).sum())
    assert payload(test)["sheet"]["length"] == 12


@pytest.mark.parametrize("name", NASTY)
def test_names_from_a_file_are_shown_as_they_are(name) -> None:
    frame = pd.DataFrame([(name, 0.9), ("zz", 0.2), (name, 0.4), ("zz", 0.6)], columns=["truth", f"score {name}"])
    dataset = DataSet.of(frame, f"{name}.csv")
    test = opened(data=saved(dataset.with_roles(replace(dataset.roles, positive=name))))
    assert not test.error
    assert outcomes(test) == (1, 1, 1, 1)
    # The browser sets them as text, never as HTML: no file of the cockpit has a way to do otherwise.
    assert payload(test)["sheet"]["names"][0] == one_line(name, 24)


def test_nothing_open_offers_what_fits() -> None:
    test = opened()
    assert not test.get("bidi_component")
    test.button(key="offer roc_20").click().run()
    assert outcomes(test) == (6, 4, 4, 6)


def test_labels_without_scores_are_no_place_for_a_threshold() -> None:
    test = opened(data="eight_labels")
    assert "This page needs the actual class of each row and a score." in html.unescape(test.markdown[0].value)


@pytest.mark.parametrize(
    ("sample", "higher", "threshold"),
    [("roc_20", True, "0.54"), ("roc_20", False, "-0.1"), ("glucose_10", True, "inf"), ("breast_cancer", True, "0.5")],
)
def test_the_code_to_take_away_finds_the_same_counts(sample, higher, threshold, monkeypatch) -> None:
    roles = replace(read_sample(sample).roles, higher_is_positive=higher)
    test = opened(data=sample, roles=roles.to_text(), t=threshold, part="Take away")
    monkeypatch.chdir(ROOT)
    found: dict = {}
    code = next(block.value for block in test.code if block.language == "python")
    exec(code, found)  # noqa: S102  its assertions are the test
    assert four(found["counts"]) == outcomes(test)
