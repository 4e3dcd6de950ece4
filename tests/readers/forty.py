"""Forty kinds of files that analysts have: the makers of each, by number and title, as one upload."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from tests.readers import made_files as files
from tests.readers.made_files import csv, labelled_scores, patients

Upload = dict[str, bytes]


def yes_no_percent() -> bytes:
    """Yes and no, and scores such as "67.4%"."""
    frame = labelled_scores()
    share = frame["score"].rank(pct=True)
    return csv(pd.DataFrame({"actual": np.where(frame["y"] == 1, "yes", "no"), "score": share.map("{:.1%}".format)}))


def hundred() -> bytes:
    """Yes and no, and probabilities from 0 to 100."""
    frame = labelled_scores()
    share = (100 * frame["score"].rank(pct=True)).round(1)
    return csv(pd.DataFrame({"actual": np.where(frame["y"] == 1, "yes", "no"), "probability": share}))


def long_names() -> bytes:
    """Thirty classes whose long names begin alike."""
    rng = np.random.default_rng(9)
    names = np.array([f"Musculoskeletal and connective tissue disorders, not specified, part {i}" for i in range(30)])
    actual = rng.choice(names, 900)
    return csv(
        pd.DataFrame({"actual": actual, "predicted": np.where(rng.random(900) < 0.7, actual, rng.choice(names, 900))})
    )


def large(rows: int = 1_000_000) -> bytes:
    """Parquet with three scores, weights and a group."""
    rng = np.random.default_rng(18)
    y = rng.integers(0, 2, rows)
    scores = {
        f"score_{name}": (y * shift + rng.normal(size=rows)).astype(np.float32)
        for name, shift in zip("abc", (1, 2, 0.5), strict=True)
    }
    columns = {
        "y_true": y,
        **scores,
        "sample_weight": rng.integers(1, 5, rows),
        "region": rng.choice(["N", "S", "W"], rows),
    }
    content = io.BytesIO()
    parquet.write_table(pa.table(columns), content)
    return content.getvalue()


def run_and_judgments() -> Upload:
    """Two TREC runs and their qrels."""
    rng = np.random.default_rng(22)
    upload = {}
    for name in ("bm25", "dense"):
        lines = []
        for query in range(1, 9):
            scores = np.sort(rng.random(20))[::-1]
            lines += [
                f"{query} Q0 d{doc} {rank} {score:.4f} {name}"
                for rank, (doc, score) in enumerate(zip(rng.permutation(40)[:20], scores, strict=True), 1)
            ]
        upload[f"{name}.run"] = "\n".join(lines).encode()
    upload["qrels.txt"] = "\n".join(f"{q} 0 d{d} {rng.integers(0, 3)}" for q in range(1, 9) for d in range(40)).encode()
    return upload


def truth_and_predictions() -> Upload:
    """The truth of 200 cases, and predictions of 190 of them in another order."""
    frame = patients().assign(patient_id=np.arange(200) + 4000)
    shuffled = frame[["patient_id", "score"]].sample(190, random_state=26)
    return {"truth.csv": csv(frame[["patient_id", "actual", "ward"]]), "predictions.csv": csv(shuffled)}


def one_file_per_model() -> Upload:
    """The same cases in a file for each of three models."""
    y = labelled_scores()["y"]
    ids = [f"case {i}" for i in range(200)]
    scores = {
        name: labelled_scores(seed=1)["score"] + np.random.default_rng(seed).normal(size=200).round(3)
        for seed, name in enumerate(("logreg", "forest", "boosting"))
    }
    return {
        f"{name}.csv": csv(pd.DataFrame({"id": ids, "y": y, "score": score.round(4)})) for name, score in scores.items()
    }


def messy() -> bytes:
    """Labels in several spellings, with words and codes of missing values, which scores have too."""
    rng = np.random.default_rng(33)
    frame = labelled_scores()
    words = np.where(frame["y"] == 1, rng.choice(["Yes", "yes"], 200), "NO").astype(object)
    words[::25], words[7::40] = "n/a", "-99"
    score = frame["score"].mask(np.arange(200) % 50 == 3, -99)
    return csv(pd.DataFrame({"truth": words, "score": score, "age": rng.integers(20, 90, 200)}))


def thousands(excel: bool = False) -> bytes:
    """Counts of four systems, with "1.499" for 1,499."""
    text = files.four_counts().replace(b"142", b"1.499").replace(b"146", b"1.234")
    rows = [line.split(",") for line in text.decode().splitlines()]
    cells = [[int(cell) if cell.isdecimal() else cell for cell in row] for row in rows]
    return files.workbook(Sheet1=cells) if excel else text


def _csv(make: Callable[[], bytes], name: str = "file.csv") -> Callable[[], Upload]:
    return lambda: {name: make()}


FORTY: dict[str, Callable[[], Upload]] = {
    "1 semicolons, decimal commas, Windows-1252": _csv(files.german),
    "2 Excel below three titles": _csv(files.below_titles, "file.xlsx"),
    "3 Excel, predictions in the second sheet": _csv(files.second_sheet, "file.xlsx"),
    "4 Excel with dates": _csv(files.excel_with_dates, "file.xlsx"),
    "5 yes/no and 67.4%": _csv(yes_no_percent),
    "6 yes/no and 0 … 100": _csv(hundred),
    "7 distance": _csv(files.distances),
    "8 0 is the event (survived)": _csv(files.survivors),
    "9 30 classes with long names": _csv(long_names),
    "10 rounded probabilities": _csv(files.class_probabilities),
    "11 probabilities and a stated prediction": _csv(lambda: files.class_probabilities(stated=True)),
    "12 TP, FP, FN, TN of four systems": _csv(files.four_counts),
    '13 counts with "1.499"': _csv(thousands),
    "13 the same in Excel": _csv(lambda: thousands(excel=True), "file.xlsx"),
    "14 measures without counts": _csv(files.measures),
    "15 square matrix": _csv(files.matrix),
    "16 matrix with prefixes": _csv(files.matrix_of_prefixed_classes),
    "17 matrix with Total": _csv(lambda: files.matrix(margins=True, margins_name="Total")),
    "17 matrix with All": _csv(lambda: files.matrix(margins=True)),
    "18 Parquet, three scores, weights, a group": _csv(lambda: large(20_000), "file.parquet"),
    "19 label sets": _csv(files.label_sets),
    "20 labels beside scores": _csv(files.labels_beside_scores),
    "21 y and yhat": _csv(files.estimates),
    "22 TREC runs and qrels": run_and_judgments,
    "23 JSON Lines": _csv(files.json_lines, "file.jsonl"),
    "24 unnamed index, dates, ids": _csv(files.index_column),
    '24 "Unnamed: 0", dates, ids': _csv(files.indexed),
    "25 coded 1/2": _csv(files.coded_1_2),
    "25 .sav with value labels": _csv(files.spss, "file.sav"),
    "26 truth and predictions": truth_and_predictions,
    "27 a file per model": one_file_per_model,
    "28 log-odds": _csv(files.log_odds),
    "29 comments and a footer": _csv(files.comments_and_footer),
    "30 two models, age bands, sexes": _csv(files.two_models_with_groups),
    "31 weight in kilograms": _csv(files.kilograms),
    "32 20 features and churn_proba": _csv(files.features),
    "33 Yes, yes, NO, n/a, −99": _csv(messy),
    "34 long": _csv(lambda: csv(files.long())),
    "35 the same ranking twice": _csv(files.same_ranking),
    "36 three raters": _csv(files.raters),
    "37 judge": _csv(files.judge),
    "38 60 patients with 10 rows each": _csv(files.rows_of_patients),
    "39 Windows-1251": _csv(files.cyrillic),
    "39 Shift-JIS": _csv(files.japanese),
    **{f"40 {name}": _csv(lambda name=name: files.UNUSABLE[name]) for name in files.UNUSABLE},
    "40 thirty rows": _csv(lambda: csv(patients(30))),
}
