"""What is done ahead of a click: the work is done once, is the same, and is never missed."""

from threading import Event

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet
from pages.widgets.session import loaded_scores, prefetch
from pages.widgets.session.prefetch import PARTS, Ahead
from tests.pages.classify.curves.curves_page import curves
from tests.pages.start.test_data import data_page
from tests.pages.uploads import saved


def test_work_that_was_begun_is_waited_for_and_done_once() -> None:
    at_work, go, calls = Event(), Event(), []

    def work() -> int:
        at_work.set()
        go.wait(10)
        calls.append(1)
        return 42

    begun = Ahead(2)
    begun.start("a", work)
    begun.start("a", work)
    assert at_work.wait(10)
    go.set()
    assert begun.take("a", lambda: 0) == 42
    assert begun.take("a", lambda: 7) == 7
    assert len(calls) == 1


def test_a_problem_is_met_where_the_result_is_taken() -> None:
    begun = Ahead(1)
    begun.start("a", lambda: 1 / 0)
    begun._worker.submit(int).result()  # one after the other, so the first has been done by then
    with pytest.raises(ZeroDivisionError):
        begun.take("a", lambda: 0)


def test_the_oldest_go_and_everything_can_be_let_go() -> None:
    begun = Ahead(1)
    begun.start("a", lambda: 1)
    begun.start("b", lambda: 2)
    assert begun.take("a", lambda: 0) == 0
    begun.clear()
    assert begun.take("b", lambda: 0) == 0


def test_what_was_taken_is_begun_again_only_after_everything_was_let_go() -> None:
    begun, calls = Ahead(2), []
    begun.take("a", lambda: 0)
    begun.start("a", lambda: calls.append(1))
    begun._worker.submit(int).result()
    assert not calls
    begun.clear()
    begun.start("a", lambda: calls.append(1))
    begun._worker.submit(int).result()
    assert calls


def test_the_page_has_the_parts_that_are_loaded_ahead() -> None:
    for part in PARTS:
        assert len(list(prefetch._SCRIPTS.glob(f"{part}.*.js"))) == 1, "Streamlit has renamed it"


def test_scores_sorted_on_the_data_page_are_those_of_the_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_scores, "WORTH_SORTING_AHEAD", 1)
    random = np.random.default_rng(11)
    frame = pd.DataFrame({"actual": random.integers(0, 2, 60), "one": random.random(60), "two": random.random(60)})
    data = saved(DataSet.of(frame, "sixty.csv"))
    done = []
    sort = loaded_scores._sorted
    monkeypatch.setattr(loaded_scores, "_sorted", lambda current, system: done.append(system) or sort(current, system))
    data_page(data=data)
    test = curves(data)
    assert not test.exception
    assert sorted(done) == ["one", "two"]
