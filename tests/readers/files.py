"""Files as analysts have them, one function each: the bytes of a small one, made from a seed."""

import numpy as np
import pandas as pd

ANIMALS = ["cat", "dog", "horse"]


def csv(frame: pd.DataFrame, **options: object) -> bytes:
    return frame.to_csv(index=False, **options).encode()


def labels(rows: int = 200, seed: int = 1) -> tuple[pd.Series, pd.Series]:
    """True and predicted animals, mostly alike."""
    rng = np.random.default_rng(seed)
    actual = rng.choice(ANIMALS, rows)
    predicted = np.where(rng.random(rows) < 0.7, actual, rng.choice(ANIMALS, rows))
    return pd.Series(actual, name="actual"), pd.Series(predicted, name="predicted")


def matrix(**options: object) -> bytes:
    """A crosstab of true and predicted classes, with the options of `pandas.crosstab`."""
    return pd.crosstab(*labels(), **options).to_csv().encode()


def matrix_of_prefixed_classes() -> bytes:
    """A crosstab whose rows are called "true_…" and whose columns are called "pred_…"."""
    frame = pd.crosstab(*labels())
    return frame.rename(index="true_{}".format, columns="pred_{}".format).to_csv().encode()
