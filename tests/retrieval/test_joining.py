"""Which documents are judged, against a set of pairs: in any order of rows, and where names share a hash."""

import numpy as np
import pytest
from hypothesis import given

from evalcore import numeric
from evalcore.retrieval import Judgments, Run, evaluate
from evalcore.retrieval.hits import joined
from evalcore.retrieval.id_table import IdTable
from tests.retrieval.small_runs import Case, cases, thorough


def pairs(judgments: Judgments, run: Run) -> set[tuple[str, str, str]]:
    places, judged = joined(judgments, run)
    assert (np.diff(places) > 0).all()
    rows = places if run.order is None else run.order[places]
    return {
        (run.queries[run.codes[row]], run.documents.text(row), judgments.documents.text(which))
        for row, which in zip(rows.tolist(), judged.tolist(), strict=True)
    }


@thorough
@given(case=cases())
def test_what_is_retrieved_and_judged(case: Case) -> None:
    names = zip(case.judgments.codes.tolist(), case.judgments.documents.texts(), strict=True)
    judged = {(case.judgments.queries[code], name) for code, name in names}
    expected = {(q, name, name) for q, scores in case.scores.items() for name in scores if (q, name) in judged}
    assert pairs(case.judgments, case.run) == expected


def crowd(names: IdTable) -> IdTable:
    """The same names with a few hashes between them, so that only their bytes tell them apart."""
    vars(names)["hashes"] = names.hashes & np.uint64(0x3F << 58)
    return names


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("crowded", [False, True])
def test_many_rows_with_hashes_that_clash(shuffled: bool, crowded: bool) -> None:
    random = np.random.default_rng(3)
    listed = [(q, f"d{d}", float(s)) for q in range(40) for s, d in enumerate(random.permutation(90)[:60])]
    judged = [(q, f"d{d}", float(d % 3)) for q in range(5, 45) for d in random.permutation(90)[:30]]

    def made(type_: type, rows: list[tuple]) -> Run | Judgments:
        codes, names, numbers = zip(*rows, strict=True)
        names = crowd(IdTable.of(names)) if crowded else IdTable.of(names)
        queries, codes = np.unique(codes, return_inverse=True)
        return type_.from_codes([f"q{q}" for q in queries], codes.astype(np.int32), names, np.array(numbers))

    rows = random.permutation(len(listed)) if shuffled else np.arange(len(listed))
    judgments, run = made(Judgments, judged), made(Run, [listed[row] for row in rows])
    both = {pair[:2] for pair in listed} & {pair[:2] for pair in judged}
    assert pairs(judgments, run) == {(f"q{q}", d, d) for q, d in both}
    measures = ["AP", "nDCG", "P@10", "RR"]
    once, again = evaluate(judgments, made(Run, listed), measures), evaluate(judgments, run, measures)
    assert all(once.values[name].tobytes() == again.values[name].tobytes() for name in measures)


@pytest.mark.parametrize("worth", [0, 100])
def test_no_query_in_common(worth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numeric, "WORTH_A_THREAD", worth)  # a long run has no part to share out either
    judgments, run = Judgments.from_arrays(["a"], ["d"], [1]), Run.from_arrays(["b"], ["d"], [1])
    assert [len(side) for side in joined(judgments, run)] == [0, 0]
