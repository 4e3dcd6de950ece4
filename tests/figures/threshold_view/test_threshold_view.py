"""The threshold view as data: whatever it shows, at rest or dragged, is what its scores count there."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.analyses import Pin, best_threshold, pinned
from evalcore.classification import Limit, ScoredLabels, youden_goal
from evalcore.figures.threshold_view import (
    NEIGHBOURS,
    RATES,
    Drawing,
    codes,
    current_row,
    make_threshold_view,
    overlay,
    pin_changes,
    texts,
)
from evalcore.inference import IntervalChoice, clopper_pearson, wilson
from evalcore.readers import read_table, samples
from evalcore.registry import find
from evalcore.wording import count_text, difference_text, share_text, value_text
from tests.analyses.small_scores import scores_of, small_scores
from tests.figures.view_payload import INF, THIN, cells_of, drawn, four, places, sent, thresholds, written
from tests.words import facts, sentence_with

SCORED = [s.id for s in samples().values() if s.kind in ("scores", "probabilities")]


# One threshold, one set of counts


@pytest.mark.parametrize("sample", SCORED)
@pytest.mark.parametrize("threshold", [0.5, 0.54, 21.5, -3, INF, -INF])
def test_the_numbers_are_the_counts_at_the_threshold(sample, threshold) -> None:
    scores = scores_of(sample)
    found = sent(scores, threshold)
    assert cells_of(found["now"]["row"])[0] == four(scores.scored.counts_at(threshold))
    assert drawn(found["view"]["density"]) == (scores.scored.positives, scores.scored.negatives)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("method", ["wilson", "clopper"])
def test_every_stop_says_to_the_digit_what_is_counted_there(higher, method) -> None:
    scores = scores_of("roc_20", higher_is_positive=higher)
    lines = ("recall", "f_beta", "accuracy", "jaccard")
    stops = sent(scores, method=method, lines=lines)["view"]["stops"]
    distinct = sorted({*scores.current.dataset.scored_arrays(None).scores.tolist()})
    assert thresholds(stops) == ([*distinct, INF] if higher else [-INF, *distinct])
    assert (np.diff(places(stops["x"])) >= 0).all()
    shown = {key: written(column) for key, column in stops["texts"].items()}
    assert set(shown) == {*RATES, "f_beta", "jaccard"}
    for k, threshold in enumerate(thresholds(stops)):
        counts = scores.counts_at(threshold)
        assert cells_of(stops)[k] == four(counts)
        for key, column in shown.items():
            value = float(METRICS[key](counts))
            assert column[k] == value_text(METRICS[key], value)
            at = places(stops["at"][key])[k]
            assert (np.isnan(at) and np.isnan(value)) or abs(at - value) < 1 / 4000
        for key in RATES:
            n = sum(float(getattr(counts, cell)) for cell in METRICS[key].denominator)
            hits = sum(float(getattr(counts, cell)) for cell in METRICS[key].numerator)
            found = {"wilson": wilson, "clopper": clopper_pearson}[method](hits, n)
            column = stops["intervals"][key]
            assert written(column["n"])[k] == count_text(n)
            assert [written(part)[k] for part in column["words"]] == [
                share_text(float(found.low)),
                share_text(float(found.high)),
            ]


@pytest.mark.parametrize("higher", [True, False])
def test_every_stop_says_to_the_digit_what_differs_from_a_pin(higher) -> None:
    scores = scores_of("roc_20", higher_is_positive=higher)
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    (pin,) = pinned(scores, [0.54])
    found, now = pin_changes(view, pin), current_row(scores, 0.3, view, pin=pin.counts)["row"]["changes"]
    for k, threshold in enumerate(view.thresholds.tolist()):
        counts = scores.counts_at(threshold)
        for cell in ("tp", "fp", "fn", "tn"):
            change = float(getattr(counts, cell)) - float(getattr(pin.counts, cell))
            assert written(found["cells"][cell])[k] == (f"{change:+.0f}".replace("-", "−") if change else "")
        for key in {*RATES, *Drawing().lines}:
            value, before = float(METRICS[key](counts)), float(METRICS[key](pin.counts))
            told = (
                "–"
                if np.isnan(value - before)
                else ""
                if value == before
                else difference_text(METRICS[key], value - before)
            )
            assert written(found["texts"][key])[k] == told
    at = view.thresholds.tolist().index(0.3)
    assert written(now["cells"]["tp"]) == [written(found["cells"]["tp"])[at]]


def test_a_pin_of_another_system_has_rings_and_no_line() -> None:
    scores = scores_of("breast_cancer")
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    pins = pinned(scores, [0.5, Pin(0.37, "nearest_neighbours")])
    over = overlay(view, best_threshold(scores, youden_goal()), pins=pins)["pins"]
    assert [one["x"] is None for one in over] == [False, True]
    other = pins[1].counts
    assert over[1]["at"]["recall"] == pytest.approx(float(METRICS["recall"](other)), abs=1e-5)
    assert "pins" not in overlay(view, best_threshold(scores, youden_goal()))


@pytest.mark.parametrize("threshold", [0.1, 0.54, 0.9, INF])
def test_at_rest_and_dragged_the_same_is_said(threshold) -> None:
    found = sent(scores_of("roc_20"), threshold)
    now, stops = found["now"], found["view"]["stops"]
    assert now["exact"]
    for part in ("cells", "texts"):
        for key, column in now["row"][part].items():
            assert written(column)[0] == written(stops[part][key])[now["stop"]]
    assert thresholds(now["row"])[0] == thresholds(stops)[now["stop"]] == threshold


@pytest.mark.parametrize(("higher", "stop"), [(True, 0.54), (False, 0.53)])
def test_between_two_scores_it_stands_where_it_is_with_the_counts_that_hold_there(higher, stop) -> None:
    found = sent(scores_of("roc_20", higher_is_positive=higher), 0.535)
    now, stops = found["now"], found["view"]["stops"]
    assert not now["exact"]
    assert thresholds(now["row"]) == [0.535]
    assert thresholds(stops)[now["stop"]] == stop
    assert cells_of(now["row"])[0] == cells_of(stops)[now["stop"]]
    x = places(stops["x"])
    assert x[thresholds(stops).index(0.53)] < places(now["row"]["x"])[0] < x[thresholds(stops).index(0.54)]


def test_resampled_intervals_are_shown_at_rest_only() -> None:
    found = sent(scores_of("roc_20"), 0.54, method="bootstrap")
    assert "words" in found["now"]["row"]["intervals"]["recall"]
    assert "words" not in found["view"]["stops"]["intervals"]["recall"]
    assert found["view"]["with"] == f"With 95{THIN}% intervals (bootstrap, n in grey)"


def test_the_level_that_is_asked_for_is_said() -> None:
    found = sent(scores_of("roc_20"), 0.54, level=0.8)
    interval = wilson(5, 10, 0.8)
    words = found["now"]["row"]["intervals"]["recall"]["words"]
    assert [written(part)[0] for part in words] == [share_text(float(interval.low)), share_text(float(interval.high))]
    assert found["view"]["with"] == f"With 80{THIN}% intervals (Wilson, n in grey)"
    assert found["view"]["sampled"] == f"With 80{THIN}% intervals (Wilson)"


# More scores than stops

MANY = small_scores([1] * 8001 + [0], [k / 4 for k in range(8001)] + [1 / 4])


@pytest.mark.parametrize("distinct", [999, 1000, 1001])
def test_up_to_a_thousand_distinct_scores_each_is_a_stop(distinct) -> None:
    found = sent(small_scores([1] * distinct + [0], [*(k / 4 for k in range(distinct)), 1 / 4]))
    assert found["view"]["complete"] == (distinct <= 1000)
    if distinct <= 1000:
        assert thresholds(found["view"]["stops"]) == [*(k / 4 for k in range(distinct)), INF]


@pytest.mark.parametrize("threshold", [0.0, 0.25, 777.25, 777.3, 2000.0, INF])
def test_of_more_the_neighbours_come_for_the_keys_with_their_exact_numbers(threshold) -> None:
    assert "near" not in sent(MANY, threshold)["now"]
    now, table = sent(MANY, threshold, neighbours=True)["now"], MANY.table
    near = thresholds(now["near"])
    assert near == table.thresholds[now["first"] : now["first"] + now["length"]][::-1].tolist()
    assert len(near) <= 2 * NEIGHBOURS + 1
    assert cells_of(now["near"]) == [four(MANY.counts_at(t)) for t in near]
    assert table.thresholds[now["place"]] >= threshold
    assert near[now["length"] - 1 - (now["place"] - now["first"])] == table.thresholds[now["place"]]
    assert now["last"] == len(table) - 1


@pytest.mark.parametrize("sign", [1, -1])
def test_every_stop_says_its_row_of_the_table_and_its_exact_share_of_flagged_rows(sign) -> None:
    scores = small_scores([k % 2 == 0 for k in range(4001)], [sign * k / 4 for k in range(4001)])
    view = sent(scores)["view"]
    assert [scores.table.thresholds[row] for row in view["rows"]] == thresholds(view["stops"])
    flagged = scores.counts_at(thresholds(view["stops"])).predicted_positives
    assert np.allclose(view["stops"]["flagged"], flagged / 4001, atol=1e-7, rtol=0)
    assert sent(scores_of("roc_20"))["view"]["rows"] == []


def test_the_payload_is_small_for_many_rows() -> None:
    rng = np.random.default_rng(3)
    labels = rng.random(300_000) < 0.3
    found = sent(small_scores(labels, rng.normal(labels)))
    parts = {part: len(json.dumps(content, ensure_ascii=False).encode()) for part, content in found.items()}
    assert sum(parts.values()) < 200_000
    assert parts["now"] + parts["over"] < 15_000  # what a release sends


def test_a_million_rows_of_few_scores_answer_like_a_few() -> None:
    rng = np.random.default_rng(3)
    labels, values = rng.random(1_000_000) < 0.3, rng.integers(0, 11, 1_000_000) / 10
    scored = ScoredLabels.from_arrays(labels, values)
    found = sent(small_scores(labels, values), 0.5)
    assert cells_of(found["now"]["row"])[0] == four(scored.counts_at(0.5))
    assert drawn(found["view"]["density"]) == (labels.sum(), (~labels).sum())
    assert found["view"]["length"] == 12


# Scores at the edge


@pytest.mark.parametrize("density", ["histogram", "smooth", "dots"])
@pytest.mark.parametrize("extent", ["all", "central", "log"])
@pytest.mark.parametrize(
    ("positives", "negatives", "threshold", "counts"),
    [
        ([0.4] * 3, [0.4] * 2, 0.4, (3, 2, 0, 0)),  # all scores equal
        ([0.4] * 3, [0.4] * 2, 0.41, (0, 0, 3, 2)),
        ([1.0, 1.0, 0.0], [0.0, 0.0], 1, (2, 0, 1, 2)),  # two distinct scores
        ([0.7], [0.1, 0.2, 0.9], 0.5, (1, 1, 0, 2)),  # one row of a class
        ([1e300, 2e300], [-1e300], 0, (2, 0, 0, 1)),
        ([1e300, 1e-300], [1e-300, -1e-300], 1e-300, (2, 1, 0, 1)),
        ([1e-300, 3e-300], [2e-300], 2e-300, (1, 1, 1, 0)),
        ([1.7e308], [-1.7e308], 1e308, (1, 0, 0, 1)),
        ([0.1, 0.2, 0.3], [0.7, 0.8, 0.9], 0.5, (0, 3, 3, 0)),  # an AUC below ½
        ([-5.0, -4.0], [-6.0, 3.0], -4.5, (1, 1, 1, 1)),
        ([0.5, 0.5 + 2**-53], [0.5], 0.5 + 2**-53, (1, 0, 1, 1)),  # neighbours
    ],
)
def test_edges_of_what_scores_can_be(positives, negatives, threshold, counts, density, extent) -> None:
    scores = small_scores([1] * len(positives) + [0] * len(negatives), [*positives, *negatives])
    found = sent(scores, threshold, density=density, extent=extent)
    assert cells_of(found["now"]["row"])[0] == counts
    for key, value in found["view"]["density"].items():
        if isinstance(value, str) and key in {"left", "right", "up", "down", "x"}:
            assert ".." not in value


def test_what_the_axis_leaves_out_is_said() -> None:
    def note(labels: list[int], values: list[float]) -> str:
        return sent(small_scores(labels, values), extent="log")["view"]["density"]["notes"][-1]

    assert facts(note([1, 1, 1, 0, 0], [1.0, 10.0, 100.0, 0.0, -1.0])) == "2 0"
    assert facts(note([1, 0, 0], [-1.0, -2.0, -3.0])) == "0"


@pytest.mark.parametrize(
    ("label", "reasons"), [(1, {"roc": "All 3 rows"}), (0, dict.fromkeys(("roc", "pr"), "None of 3 rows"))]
)
def test_one_class_only_still_draws_and_says_why_a_curve_is_not_there(label, reasons) -> None:
    scores = small_scores([label] * 3 + [1 - label], [0.9, 0.4, 0.3, np.nan])
    found = sent(scores, 0.35)
    assert sorted(cells_of(found["now"]["row"])[0]) == [0, 0, 1, 2]
    assert found["view"]["reasons"].keys() == reasons.keys()
    assert all(sentence_with(found["view"]["reasons"][curve], reason) for curve, reason in reasons.items())


def test_weights_count_and_rows_of_weight_0_do_not() -> None:
    scores = small_scores([1, 1, 0, 0, 0], [0.9, 0.4, 0.8, 0.1, 0.95], weights=[2, 0, 3, 1, 0])
    found = sent(scores, density="dots")
    assert cells_of(found["now"]["row"])[0] == (2, 3, 0, 1)
    assert thresholds(found["view"]["stops"]) == [0.1, 0.8, 0.9, INF]
    assert found["view"]["density"]["notes"] == ["One dot per row; its area is the weight"]
    assert drawn(sent(scores)["view"]["density"]) == (2, 4)
    assert sent(scores, density="smooth")["view"]["density"]["kind"] == "smooth"


def test_weights_that_are_all_0_are_told_and_break_nothing() -> None:
    table = read_table(b"actual,score,weight\n1,0.9,0\n0,0.4,0\n0,0.8,0\n", "weighted.csv")
    scores = scores_of(table, score=("score",), weight="weight")
    for density in ("histogram", "smooth", "dots"):
        found = sent(scores, density=density)
        assert cells_of(found["now"]["row"])[0] == (0, 0, 0, 0)
        assert set(found["view"]["reasons"]) == {"roc", "pr"}


# What a goal lays over it


def laid_over(scores, allowed=None, certainty=None, bands=None) -> dict:
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    limited = best_threshold(scores, youden_goal(), (Limit(find("precision"), at_least=0.8),))
    return overlay(view, limited, allowed, certainty, bands), view


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize(
    ("allowed", "shades"),
    [
        ([[0.3, 0.5]], [(-INF, 0.3), (0.5, INF)]),
        ([[0.3, 0.4], [0.6, 0.7]], [(-INF, 0.3), (0.4, 0.6), (0.7, INF)]),
        ([[-INF, 0.4], [0.6, INF]], [(0.4, 0.6)]),
        ([[-INF, INF]], []),
        (np.empty((0, 2)), [(-INF, INF)]),
    ],
)
def test_what_is_not_allowed_is_shaded_and_the_rest_is_strong(higher, allowed, shades) -> None:
    found, view = laid_over(scores_of("roc_20", higher_is_positive=higher), np.array(allowed))
    np.testing.assert_allclose(
        np.reshape(found["allowed"]["shades"], (-1, 2)),
        np.reshape(
            [[0 if a == -INF else view.axis.x(a), 1 if b == INF else view.axis.x(b)] for a, b in shades], (-1, 2)
        ),
        atol=1e-5,
    )
    assert [bit == "1" for bit in found["allowed"]["inside"]] == [
        any((low < t <= high) if higher else (low <= t < high) for low, high in np.reshape(allowed, (-1, 2)).tolist())
        for t in view.thresholds.tolist()
    ]
    assert found["allowed"]["words"] == "not allowed: precision < 0.80"


def test_the_spread_of_the_choice_and_bands_come_along() -> None:
    certainty = SimpleNamespace(
        thresholds=np.array([0.3, 0.5, INF]), shares=np.array([0.25, 0.5, 0.25]), ends=(0.3, 0.5), is_defined=True,
        bootstrap=SimpleNamespace(plateau=np.array([[0.3, 0.4]])), title="where it falls", range_text="from 0.3 to 0.5",
    )  # fmt: skip
    band = (np.linspace(0, 1, 21), np.ones(21))
    found, _ = laid_over(scores_of("roc_20"), certainty=certainty, bands={"recall": band})
    assert [bar[1] for bar in found["spread"]["bars"]] == [0.5, 1, 0.5]
    assert found["spread"]["title"] == "where it falls"
    assert found["spread"]["range"] == "from 0.3 to 0.5"
    assert places(found["bands"]["recall"][0])[0] == 1  # from left to right
    assert found["goal"]["point"] == [0.1, 0.5, 0.83333]


def test_codes_and_texts_can_be_read_back() -> None:
    values = [0.0, 1.0, np.nan, 0.25]
    np.testing.assert_allclose(places(codes(values)), values, atol=1 / 8190)
    for column in (
        ["12.5", "undefined", "12.7"],
        [f"1{THIN}820", f"1{THIN}821"],
        ["7", "7"],
        [f"5{THIN}%", "undefined"],
    ):
        assert written(texts(column)) == column
