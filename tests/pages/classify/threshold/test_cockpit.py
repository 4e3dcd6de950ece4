"""The cockpit: what goes to the browser, what comes back from it, and what a goal lays over it."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from evalcore.classification import ScoredLabels, threshold_grid
from evalcore.readers import DataSet
from pages.widgets.classify.threshold.cockpit import surface
from pages.widgets.classify.threshold.cockpit.columns import codes, texts
from pages.widgets.classify.threshold.cockpit.overlay import overlay
from pages.widgets.classify.threshold.cockpit.threshold_query import NotUnderstood, threshold_for
from tests.pages.classify.threshold.cockpit_page import (
    INF,
    THIN,
    cells_of,
    four,
    of_scores,
    opened,
    payload,
    places,
    state,
    thresholds,
    written,
)
from tests.pages.uploads import saved


def asked(scored: ScoredLabels, message: object, monkeypatch) -> tuple[list[float], dict]:
    """What a message from the browser puts into the address, and what the session keeps of it."""
    put, session = [], {}
    monkeypatch.setattr(surface, "put_threshold", put.append)
    monkeypatch.setattr(surface.st, "session_state", session)
    scores = SimpleNamespace(table=scored.table(), higher=True, text=str)
    surface._go(
        scores,
        threshold_grid(scores.table),
        "this one",
        {"of": "this one", "n": 7, **message} if isinstance(message, dict) else message,
    )
    return put, session


# More scores than stops


@pytest.fixture(scope="module")
def many() -> str:
    return of_scores([k / 4 for k in range(8001)], [1 / 4])


@pytest.mark.parametrize("distinct", [999, 1000, 1001])
def test_up_to_a_thousand_distinct_scores_each_is_a_stop(distinct) -> None:
    found = payload(opened(data=of_scores([k / 4 for k in range(distinct)], [1 / 4])))
    assert found["sheet"]["complete"] == (distinct <= 1000)
    if distinct <= 1000:
        assert thresholds(found["sheet"]["stops"]) == [*(k / 4 for k in range(distinct)), INF]


@pytest.mark.parametrize("threshold", [0.0, 0.25, 777.25, 777.3, 2000.0, INF])
def test_of_more_the_neighbours_come_for_the_keys_with_their_exact_numbers(many, threshold) -> None:
    test = opened(data=many, t=repr(threshold))
    assert "near" not in payload(test)["now"]
    test.session_state["cockpit keys"] = True
    now = payload(test.run())["now"]
    scored = ScoredLabels.from_arrays([1] * 8001 + [0], [k / 4 for k in range(8001)] + [1 / 4])
    table = scored.table()
    near = thresholds(now["near"])
    assert near == table.thresholds[now["first"] : now["first"] + now["length"]][::-1].tolist()
    assert len(near) <= 2 * surface.NEIGHBOURS + 1
    assert cells_of(now["near"]) == [four(scored.counts_at(t)) for t in near]
    assert table.thresholds[now["place"]] >= threshold
    assert near[now["length"] - 1 - (now["place"] - now["first"])] == table.thresholds[now["place"]]
    assert now["last"] == len(table) - 1


@pytest.mark.parametrize("sign", [1, -1])
def test_every_stop_says_its_row_of_the_table_and_its_exact_share_of_flagged_rows(sign) -> None:
    data = of_scores([sign * k / 4 for k in range(0, 4001, 2)], [sign * k / 4 for k in range(1, 4001, 2)])
    stops = payload(opened(data=data))["sheet"]
    scored = ScoredLabels.from_arrays([k % 2 == 0 for k in range(4001)], [sign * k / 4 for k in range(4001)])
    table = scored.table()
    assert [table.thresholds[row] for row in stops["rows"]] == thresholds(stops["stops"])
    flagged = scored.counts_at(thresholds(stops["stops"])).predicted_positives
    assert np.allclose(stops["stops"]["flagged"], flagged / 4001, atol=1e-7, rtol=0)
    assert payload(opened(data="roc_20"))["sheet"]["rows"] == []


def test_the_payload_is_small_for_many_rows() -> None:
    rng = np.random.default_rng(3)
    labels = rng.random(300_000) < 0.3
    dataset = DataSet.of(pd.DataFrame({"actual": labels.astype(int), "score": rng.normal(labels)}), "large.csv")
    sent = [element.proto.json.encode() for element in opened(data=saved(dataset)).get("bidi_component")]
    assert sum(map(len, sent)) < 200_000
    assert len(sent[1]) < 15_000  # what a release sends


# What is let go and what is typed


@pytest.mark.parametrize("message", [{"stop": 11}, {"row": 7}, {"typed": "0.52"}])
def test_what_is_let_go_is_put_into_the_address_and_its_number_comes_back(message, monkeypatch) -> None:
    scored = state("roc_20")
    stops = scored.table().thresholds[::-1]
    expected = {"stop": stops[11], "row": scored.table().thresholds[7], "typed": 0.52}[next(iter(message))]
    kept = {"cockpit heard": 7, "cockpit answer": None, "cockpit keys": False}
    assert asked(scored, message, monkeypatch) == ([expected], kept)


@pytest.mark.parametrize("moved", [{}, {"stop": 11}, {"row": 7}])
def test_keys_ask_for_the_neighbours_and_a_release_by_hand_does_not(moved, monkeypatch) -> None:
    put, session = asked(state("roc_20"), {**moved, "near": True}, monkeypatch)
    assert len(put) == len(moved)
    assert session["cockpit keys"]


@pytest.mark.parametrize(
    "message",
    [
        None, "x", 7, {"stop": 99}, {"stop": -1}, {"stop": "3"}, {"row": 1e9}, {"row": 10**9}, {"typed": 4},
        {"stop": None}, {"stop": 3, "of": "another data set"},
    ],
)  # fmt: skip
def test_what_no_browser_of_ours_sends_changes_nothing(message, monkeypatch) -> None:
    assert asked(state("roc_20"), message, monkeypatch)[0] == []


def test_a_wish_that_is_not_understood_is_answered_with_a_sentence(monkeypatch) -> None:
    assert asked(state("roc_20"), {"typed": "recall = 0.9"}, monkeypatch)[0] == [0.34]
    put, session = asked(state("roc_20"), {"typed": "recall = 9"}, monkeypatch)
    assert put == []
    assert session["cockpit answer"] == f"Recall lies between 0 and 1: did you mean 9{THIN}%?"


@pytest.mark.parametrize(
    ("typed", "threshold"),
    [
        ("0.62", 0.62), ("0,62", 0.62), (" −3 ", -3), ("1e3", 1000), ("∞", INF), ("-inf", -INF), (".5", 0.5),
        ("recall = 0.9", 0.34), ("recall 90 %", 0.34), ("RECALL ≥ 0.85", 0.34), ("sensitivity >= 1", 0.3),
        ("specificity <= 0", 0.1), ("flag 3", 0.7), ("flag 15%", 0.7), ("flag 0", INF), ("precision = 1", 0.8),
        ("F2 at", None), ("beauty = 3", None), ("", None), ("recall", None), ("recall = 2", None), ("flag -1", None),
        ("AUC = 0.9", None), ("precision ≥ 0.99 please", None), ("1 2 3 four", None), ("recall = nan", None),
    ],
)  # fmt: skip
def test_what_can_be_typed(typed, threshold) -> None:
    scored = state("roc_20")
    scores = SimpleNamespace(table=scored.table(), text=str)
    if threshold is None:
        with pytest.raises(NotUnderstood, match=r"\w"):
            threshold_for(scores, typed)
    else:
        assert threshold_for(scores, typed) == threshold


def test_a_wish_that_nothing_grants_says_how_near_it_gets() -> None:
    scored = ScoredLabels.from_arrays([0, 1, 0, 1], [0.9, 0.8, 0.2, 0.1])
    scores = SimpleNamespace(table=scored.table(), text=str)
    with pytest.raises(NotUnderstood) as told:
        threshold_for(scores, "precision >= 95 %")
    assert str(told.value) == f"Precision is never at least 95.0{THIN}%; the nearest is 50.0{THIN}%, at 0.8."


# What a goal lays over it


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
    scored = state("roc_20", higher=higher)
    scores = SimpleNamespace(higher=higher, text=str)
    axis = surface.score_axis(scored)
    grid = threshold_grid(scored.table())
    stops = np.sort(grid.thresholds)
    found = overlay(scores, axis, stops, np.array(allowed), "x", None, None, None)["allowed"]
    np.testing.assert_allclose(
        np.reshape(found["shades"], (-1, 2)),
        np.reshape(
            [[0 if a == -INF else axis.places(a), 1 if b == INF else axis.places(b)] for a, b in shades], (-1, 2)
        ),
        atol=1e-5,
    )
    assert [bit == "1" for bit in found["inside"]] == [
        any((low < t <= high) if higher else (low <= t < high) for low, high in np.reshape(allowed, (-1, 2)).tolist())
        for t in stops.tolist()
    ]
    assert found["words"] == "not allowed: x"


def test_the_spread_of_the_choice_and_bands_come_along() -> None:
    scored = state("roc_20")
    scores = SimpleNamespace(higher=True, text=lambda t: f"{t:g}", counts_at=scored.counts_at)
    axis = surface.score_axis(scored)
    grid = threshold_grid(scored.table())
    spread = SimpleNamespace(
        thresholds=np.array([0.3, 0.5, INF]), shares=np.array([0.25, 0.5, 0.25]), ends=(0.3, 0.5), is_defined=True,
        bootstrap=SimpleNamespace(plateau=np.array([[0.3, 0.4]])), title="where it falls", range_text="from 0.3 to 0.5",
    )  # fmt: skip
    band = (np.linspace(0, 1, len(grid)), np.ones(len(grid)))
    found = overlay(scores, axis, grid.thresholds[::-1], None, "", spread, {"recall": band}, 0.54)
    assert [bar[1] for bar in found["spread"]["bars"]] == [0.5, 1, 0.5]
    assert found["spread"]["title"] == "where it falls"
    assert found["spread"]["range"] == "from 0.3 to 0.5"
    assert places(found["bands"]["recall"][0])[0] == 1  # from left to right
    assert found["goal"]["point"] == [0.1, 0.5, 0.83333]


def test_the_program_writes_names_as_text_only() -> None:
    program = "".join(path.read_text(encoding="utf-8") for path in Path(surface.__file__).parent.glob("*.js"))
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "import(", "fetch("):
        assert way not in program


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
