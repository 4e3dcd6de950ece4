"""Create `rare_digit.csv`: a rare digit, recognised by one model that was trained in four ways.

`python sample_data/make_rare_digit.py` recreates it byte for byte with NumPy 2.4. It needs scikit-learn; README.md
names its origin.
"""

import argparse
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
FOLDS, SEED = 10, 2024


def rare_digit(folder: Path) -> None:
    """Cross-validated probabilities of a rare digit by one model, trained on the rows as they are and with remedies.

    Only every third 8 is left, so that one image in thirty is an 8. The remedies change the rows or the weights that a
    model learns from; all are tested on the same rows.
    """
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data, rng = load_digits(), np.random.default_rng(SEED)
    eights = rng.permutation(np.flatnonzero(data.target == 8))
    chosen = np.setdiff1d(np.arange(len(data.target)), eights[len(eights) // 3 :])
    pixels, rare = data.data[chosen], data.target[chosen] == 8
    scores = {name: np.empty(len(rare)) for name in ("as_they_are", "oversampled", "undersampled", "cost_sensitive")}
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(pixels, rare):
        few, many = train[rare[train]], train[~rare[train]]
        learned = dict.fromkeys(scores, train)
        learned["oversampled"] = np.concatenate([many, rng.choice(few, len(many))])
        learned["undersampled"] = np.concatenate([few, rng.choice(many, len(few), replace=False)])
        for name, used in learned.items():
            weights = "balanced" if name == "cost_sensitive" else None
            model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000, class_weight=weights))
            scores[name][test] = model.fit(pixels[used], rare[used]).predict_proba(pixels[test])[:, 1]
    columns = ([f"{score:.5f}" for score in each] for each in scores.values())
    rows = zip(np.where(rare, "eight", "other"), *columns, strict=True)
    text = "".join(",".join(line) + "\n" for line in [("actual", *scores), *rows])
    (folder / "rare_digit.csv").write_bytes(text.encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write the file")
    rare_digit(parser.parse_args().folder)
