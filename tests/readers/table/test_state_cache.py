"""States are built once, whoever asks first, and the oldest go."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pandas as pd
import pytest

from evalcore.readers import STATES, DataSet, ReadProblem, read_table, roles_of
from evalcore.readers.table import table as rows
from evalcore.readers.table.table import StateCache


def test_a_state_that_is_being_built_is_waited_for_and_built_once() -> None:
    at_work, go, calls, states = Event(), Event(), [], StateCache(10)

    def build() -> int:
        at_work.set()
        go.wait(10)
        calls.append(1)
        return 42

    with ThreadPoolExecutor(2) as workers:
        first = workers.submit(states.once, "a", 1, build)
        assert at_work.wait(10)
        second = workers.submit(states.once, "a", 1, lambda: 7)
        go.set()
        assert (first.result(), second.result(), len(calls)) == (42, 42, 1)
    assert states.once("a", 1, lambda: 7) == 42


def test_a_problem_is_met_by_whoever_asks_and_is_not_stored() -> None:
    states = StateCache(10)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            states.once("a", 1, lambda: 1 / 0)
    assert states.once("a", 1, lambda: 2) == 2


def test_the_oldest_go_and_everything_can_be_let_go() -> None:
    states = StateCache(10)
    for name in "abc":
        states.once(name, 4, lambda name=name: name)
    assert states.once("b", 4, lambda: "again") == "b"
    assert states.once("a", 4, lambda: "again") == "again"  # it was the oldest of twelve rows
    assert states.once("c", 4, lambda: "again") == "again"  # then c was: b had been asked for
    states.once("large", 100, lambda: 0)
    assert states.once("large", 100, lambda: 1) == 0
    states.clear()
    assert states.once("large", 100, lambda: 1) == 1


def test_findings_and_pages_share_what_was_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    STATES.clear()
    dataset = read_table(b"actual,one,two\n1,0.5,0.1\n0,0.25,0.2\n1,0.125,0.3\n", "x.csv")
    monkeypatch.setattr(rows, "scored_arrays", None)  # nothing is built from rows any more
    assert [dataset.scored(system).positives for system in dataset.systems] == [2, 2]
    assert dataset.scored() is dataset.scored("one")


def test_equal_content_in_other_roles_is_another_state() -> None:
    frame = pd.DataFrame({"actual": ["a", "b", "b"], "score": [1.0, 2.0, 3.0]})
    one, other = (
        DataSet.of(frame, roles=roles_of(actual="actual", score=("score",), positive=positive)) for positive in "ab"
    )
    assert (one.scored().positives, other.scored().positives) == (1, 2)


def test_a_state_that_cannot_be_built_says_why_every_time() -> None:
    dataset = read_table(b"actual,score,weight\n1,0.5,1\n0,0.25,-1\n", "x.csv")
    for _ in range(2):
        with pytest.raises(ReadProblem, match="weight -1 in line 3"):
            dataset.scored()
