"""Cells that hold the probabilities of all classes, as machine learning writes them, and rankings in JSON."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from evalcore.readers import HalfMissing, read_files, read_table
from tests.words import sentence_with

ROWS = 60
RANDOM = np.random.default_rng(0)
CLASSES = ("cat", "dog", "hen")
TRUTH = RANDOM.choice(CLASSES, ROWS).tolist()
SHARES = RANDOM.dirichlet([1, 1, 1], ROWS).round(4)
BINARY, PAIRS = RANDOM.integers(0, 2, ROWS).tolist(), np.column_stack([1 - SHARES[:, 0], SHARES[:, 0]])


def top(k: int) -> list[list[dict]]:
    orders = np.argsort(-SHARES, axis=1)[:, :k]
    return [
        [{"label": CLASSES[place], "score": row[place]} for place in order]
        for order, row in zip(orders.tolist(), SHARES.tolist(), strict=True)
    ]


def lines(**columns: list) -> bytes:
    return "\n".join(
        json.dumps(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)
    ).encode()


def csv(**columns: list) -> bytes:
    return pd.DataFrame({name: list(map(str, cells)) for name, cells in columns.items()}).to_csv(index=False).encode()


def stored(**columns: list) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def zero_shot() -> dict[str, list]:
    labels, scores = ([[one[key] for one in row] for row in top(3)] for key in ("label", "score"))
    return {"sequence": [f"s{row}" for row in range(ROWS)], "labels": labels, "scores": scores, "truth": TRUTH}


SHARES_BY_CLASS = [dict(zip(CLASSES, row, strict=True)) for row in SHARES.tolist()]
OF_CLASSES = {
    "json lines": lines(label=TRUTH, predictions=top(3)),
    "printed by Python": csv(y_true=TRUTH, prediction=top(3)),
    "parquet": stored(label=TRUTH, scores=top(3)),
    "zero-shot printed": csv(**zero_shot()),
    "objects": csv(label=TRUTH, probs=SHARES_BY_CLASS),
}
DENSE = [{"type": 1, "size": None, "indices": None, "values": pair} for pair in PAIRS.tolist()]
OF_PLACES = {
    "spark json": lines(
        label=list(map(float, BINARY)), features=[{"type": 1, "values": [3.5, 4.0]}] * ROWS, probability=DENSE
    ),
    "spark parquet": stored(label=BINARY, probability=DENSE, embedding=[[0.1] * 768] * ROWS),
    "spark csv": csv(label=BINARY, probability=PAIRS.tolist(), prediction=[float(pair[1] > 0.5) for pair in PAIRS]),
    "spark printed": csv(label=BINARY, probability=[f"(2,[0,1],{pair})" for pair in PAIRS.tolist()]),
    "numpy": csv(label=BINARY, proba=list(PAIRS)),
}


@pytest.mark.parametrize("name", OF_CLASSES)
def test_labels_with_their_scores_are_probabilities_of_classes(name: str) -> None:
    data = read_table(OF_CLASSES[name], "predictions")
    assert data.kind == "probabilities"
    table = data.probabilities()
    assert table.classes == CLASSES
    assert np.array_equal(table.probabilities, SHARES / SHARES.sum(axis=1, keepdims=True)) or np.allclose(
        table.probabilities, SHARES, atol=1e-4
    )
    assert [CLASSES[code] for code in table.actual] == TRUTH
    assert "class lists" in {finding.code for finding in data.findings}


@pytest.mark.parametrize("name", OF_PLACES)
def test_vectors_are_probabilities_by_place(name: str) -> None:
    data = read_table(OF_PLACES[name], "predictions")
    assert (data.kind, data.roles.get("positive")) == ("probabilities", 1)
    assert dict(data.roles.get("probability")) == {"p_0": "0", "p_1": "1"}
    assert data.frame["p_1"].to_numpy() == pytest.approx(PAIRS[:, 1], abs=1e-8)


def test_classes_that_a_row_does_not_list_share_the_rest() -> None:
    data = read_table(lines(label=TRUTH, output=top(2)), "x.jsonl")
    assert data.frame[["p_cat", "p_dog", "p_hen"]].to_numpy() == pytest.approx(SHARES, abs=2e-4)
    assert sentence_with(data.findings[0].sentence, "60", "3", "1")
    # Scores of independent labels do not add up to 1, so nothing is left to share.
    sigmoid = [[{"label": "a", "score": 0.9}, {"label": "b", "score": 0.8}], [{"label": "a", "score": 0.1}]] * 5
    frame = read_table(lines(id=[*range(10)], output=sigmoid, label=["a"] * 10), "x.jsonl").frame
    assert frame["p_b"].tolist() == [0.8, 0.0] * 5


def test_a_cell_that_is_no_list_is_missing_and_other_lists_stay() -> None:
    cells = [*PAIRS.tolist()]
    cells[30] = "failed"
    data = read_table(csv(label=BINARY, probability=cells), "x.csv")
    assert np.isnan(data.frame["p_0"][30])
    assert data.left_out() == 1
    assert any("in 1 row (first: line 32)" in finding.sentence for finding in data.findings)
    logits = read_table(csv(label=BINARY, score=list(SHARES[:, 0]), logits=[[-3.0, 2.5]] * ROWS), "x.csv")
    assert (logits.kind, logits.frame.columns.tolist()) == ("scores", ["label", "score", "logits"])


RUN = {f"q{q}": {f"d{d}": float(RANDOM.random()) for d in RANDOM.permutation(30)[:10].tolist()} for q in range(5)}
QRELS = {f"q{q}": {f"d{d}": int(RANDOM.integers(0, 3)) for d in RANDOM.permutation(30)[:12].tolist()} for q in range(5)}


def test_objects_of_queries_and_documents_are_runs_and_judgments() -> None:
    files = {"bm25.json": json.dumps(RUN).encode(), "qrels.json": json.dumps(QRELS).encode()}
    data = read_files(files)
    assert (data.kind, data.systems) == ("run + judgments", ("bm25",))
    assert data.frame["grade"].notna().sum() == sum(map(len, QRELS.values()))
    for name, what in (("bm25.json", "is a run"), ("qrels.json", "holds judgments")):
        with pytest.raises(HalfMissing, match=what):
            read_files({name: files[name]})
    square = {"a": {"a": 5, "b": 1}, "b": {"a": 2, "b": 9}}
    assert read_table(json.dumps(square).encode(), "x.json").kind == "counts"
