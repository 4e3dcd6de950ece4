"""Shared steps are kept, and not without end."""

from evalcore.retrieval import Hits
from evalcore.retrieval.graded import ideal_gain
from evalcore.retrieval.id_table import MOST, once


def test_a_step_is_worked_out_once() -> None:
    kept, calls = {}, []
    for _ in range(3):
        assert once(kept, "step", lambda: calls.append(1)) is None
    assert calls == [1]


def test_the_oldest_step_is_forgotten_when_there_are_many() -> None:
    kept = {}
    for key in range(MOST + 10):
        once(kept, key, lambda key=key: key)
    assert list(kept) == list(range(10, MOST + 10))


def test_asking_for_many_discounts_keeps_few_ideal_lists() -> None:
    pool = Hits.of_grades([2, 0, 1]).pool
    for base in range(2, 300):
        ideal_gain(pool, 3, "linear", "original", float(base))
    assert len(pool._memo) <= MOST
