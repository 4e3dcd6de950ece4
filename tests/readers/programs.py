"""Files as programs write them, one function each: a small one with its own names of columns."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 120)
P = np.clip(0.5 + 0.5 * (Y - 0.5) * RNG.random(120) + RNG.normal(0, 0.2, 120), 0.01, 0.99).round(4)
Q = (1 - P).round(4)
PREDICTED = (P > 0.5).astype(int)


def words(values: np.ndarray, negative: str = "no", positive: str = "yes") -> np.ndarray:
    return np.where(values == 1, positive, negative)


def csv(columns: dict[str, object], **options: object) -> bytes:
    return pd.DataFrame(columns).to_csv(index=False, **options).encode()


def caret() -> bytes:
    return csv(
        {"pred": words(PREDICTED, "No", "Yes"), "obs": words(Y, "No", "Yes"), "Yes": P, "No": Q, "rowIndex": range(120)}
    )


def tidymodels() -> bytes:
    columns = {".pred_class": words(PREDICTED, "good", "bad"), ".pred_good": Q, ".pred_bad": P, ".row": range(1, 121)}
    return csv(columns | {"Class": words(Y, "good", "bad")})


def mlr3() -> bytes:
    columns = {"row_ids": range(120), "truth": words(Y, "neg", "pos"), "response": words(PREDICTED, "neg", "pos")}
    return csv(columns | {"prob.pos": P, "prob.neg": Q})


def h2o() -> bytes:
    return csv({"predict": PREDICTED, "p0": Q, "p1": P, "default_flag": Y})


def sas() -> bytes:
    return csv({"default": Y, "_FROM_": Y, "_INTO_": PREDICTED, "IP_0": Q, "IP_1": P})


def azure() -> bytes:
    labels = words(Y, "<=50K", ">50K"), words(PREDICTED, "<=50K", ">50K")
    return csv({"Income": labels[0], "Scored Labels": labels[1], "Scored Probabilities": P})


def rapid_miner() -> bytes:
    columns = {"row no.": range(1, 121), "Survived": words(Y, "No", "Yes")}
    return csv(
        columns | {"prediction(Survived)": words(PREDICTED, "No", "Yes"), "confidence(Yes)": P, "confidence(No)": Q}
    )


def knime() -> bytes:
    columns = {"row ID": [f"Row{i}" for i in range(120)], "Class": words(Y)}
    return csv(columns | {"P (Class=yes)": P, "P (Class=no)": Q, "Prediction (Class)": words(PREDICTED)})


def orange() -> bytes:
    names = ["y", "Logistic Regression", "Logistic Regression (no)", "Logistic Regression (yes)"]
    types = [["no yes", "no yes", "continuous", "continuous"], ["class", "meta", "meta", "meta"]]
    rows = [names, *types, *zip(words(Y), words(PREDICTED), Q, P, strict=True)]
    return "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()


def signs() -> bytes:
    """Probabilities called after a sign beside labels 0 and 1."""
    return csv({"target": Y, "prob_neg": Q, "prob_pos": P})


def weka() -> bytes:
    """Weka: the confidence in the predicted label is called the prediction."""
    labels = [words(values, "1:tested_negative", "2:tested_positive") for values in (Y, PREDICTED)]
    error = np.where(Y == PREDICTED, "", "+")
    columns = {"inst#": range(1, 121), "actual": labels[0], "predicted": labels[1], "error": error}
    return csv(columns | {"prediction": np.maximum(P, Q)})


def pipeline(truth: bool = True) -> bytes:
    """What a text classifier of Hugging Face returns, with or without the true labels."""
    labels = words(PREDICTED, "NEGATIVE", "POSITIVE")
    gold = words(Y, "NEGATIVE", "POSITIVE")
    records = [
        {**({"gold": str(one)} if truth else {}), "label": str(label), "score": float(score)}
        for one, label, score in zip(gold, labels, np.maximum(P, Q), strict=True)
    ]
    return json.dumps(records).encode()


def percentages(classes: int = 3) -> bytes:
    """Class probabilities from 0 to 100."""
    rng = np.random.default_rng(49)
    names = ["cat", "dog", "horse"][:classes]
    p = rng.dirichlet([1] * classes, 150)
    truth = [rng.choice(names, p=row) for row in p]
    return csv({"label": truth} | {f"p_{name}": (100 * p[:, i]).round(1) for i, name in enumerate(names)})


def two_tests() -> bytes:
    """A test and its reference, spelt differently, with names that say nothing of truth or prediction."""
    return csv({"PCR": words(Y, "negative", "positive"), "Antigen": words(PREDICTED, "Negative", "Positive")})


def r_table() -> bytes:
    """R's `write.table`: blanks between the columns, quotes, and row names that the header leaves out."""
    rows = [f'"row {i}" "{word}" {p}' for i, (word, p) in enumerate(zip(words(Y), P, strict=True))]
    return "\n".join(['"actual" "score"', *rows]).encode()


def numpy_text() -> bytes:
    """`numpy.savetxt`: blanks between numbers in the notation of science, without a header."""
    content = io.BytesIO()
    np.savetxt(content, np.column_stack([Y, P]))
    return content.getvalue()


def pandas_print() -> bytes:
    return pd.DataFrame({"actual": words(Y), "score": P}).to_string().encode()


def markdown() -> bytes:
    rows = "".join(f"| {word} | {p} |\n" for word, p in zip(words(Y), P, strict=True))
    return f"| actual | score |\n|:---|---:|\n{rows}".encode()


def psql() -> bytes:
    rows = "".join(f" {word:6} | {p:6}\n" for word, p in zip(words(Y), P, strict=True))
    return f" actual | score  \n--------+--------\n{rows}(120 rows)\n\n".encode()
