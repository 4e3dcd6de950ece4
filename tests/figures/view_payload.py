"""What goes to the browser of the threshold view, made without a page and read back as the browser reads it."""

import base64
import json
import zlib

import numpy as np
import pytest

from evalcore.analyses import Scores, best_threshold
from evalcore.classification import ConfusionCounts, youden_goal
from evalcore.figures.threshold_view import Drawing, current_row, make_threshold_view, overlay
from evalcore.inference import IntervalChoice

CELLS = ("tp", "fp", "fn", "tn")
INF = float("inf")
THIN = "\u202f"


def strict_json(text: str) -> dict:
    """JSON as a browser reads it: nan is refused."""
    return json.loads(text, parse_constant=lambda constant: pytest.fail(f"{constant} in the payload"))


def sent(scores: Scores, threshold: float = 0.5, neighbours: bool = False, method: str = "wilson", level: float = 0.95,
         **drawing: object) -> dict:  # fmt: skip
    """The view, the row of the threshold and the overlay, as they go to the browser."""
    view = make_threshold_view(scores, Drawing(**drawing), IntervalChoice(method, level))
    over = json.dumps(overlay(view, best_threshold(scores, youden_goal())))
    now = json.dumps(current_row(scores, threshold, view, neighbours))
    return {"view": strict_json(view.text), "now": strict_json(now), "over": strict_json(over)}


def places(text: str) -> list[float]:
    """Codes read back as the browser reads them."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    pairs = [text[k : k + 2] for k in range(0, len(text), 2)]
    return [np.nan if p == ".." else (letters.index(p[0]) * 64 + letters.index(p[1])) / 4095 for p in pairs]


def written(column: list[str]) -> list[str]:
    """Texts read back as the browser reads them."""
    if len(column) == 3:
        return [column[1]] * int(column[2])
    texts, before = [], ""
    for part in column[1].split("|"):
        before = before[: int(part[0])] + part[1:]
        texts.append(before if before == "undefined" else before.replace("_", THIN) + column[0])
    return texts


def number(text: str) -> float:
    return float(text.replace(THIN, "").replace("−", "-").replace("∞", "inf"))


def cells_of(columns: dict) -> list[tuple[float, ...]]:
    return list(zip(*(map(number, written(columns["cells"][cell])) for cell in CELLS), strict=True))


def thresholds(columns: dict) -> list[float]:
    return list(map(number, written(columns["t"])))


def drawn(density: dict) -> tuple[float, float]:
    """Rows above and below the base line, as a reader of the picture would add them up."""
    if density["kind"] == "dots":
        return float(sum(density["up"])), float(len(density["up"]) - sum(density["up"]))
    counts = [text.rpartition(": ")[2].split(", ") for text in density["tips"]]
    return tuple(float(sum(number(pair[k].split(" ")[0]) for pair in counts)) for k in (0, 1))


def four(counts: ConfusionCounts) -> tuple[float, ...]:
    return tuple(float(getattr(counts, cell)) for cell in CELLS)


def inflated(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def samples_in(data: dict) -> tuple[np.ndarray, np.ndarray]:
    """True and false positives of each sample at each row that was sent, (samples, rows), read as the browser does."""
    shape = (data["samples"], 2, data["length"])
    planes = np.frombuffer(inflated(data["packed"]), np.uint8).reshape(-1, *shape).astype(np.float64)
    hits = sum(plane * 256**place for place, plane in enumerate(planes)).cumsum(axis=-1) * data["unit"]
    return hits[:, 0], hits[:, 1]


def sample_counts(data: dict) -> ConfusionCounts:
    """The counts of each sample at each stop of the view, (samples, stops)."""
    stops, (tp, fp) = data["stops"], samples_in(data)
    return ConfusionCounts(tp[:, stops], fp[:, stops], tp[:, -1:] - tp[:, stops], fp[:, -1:] - fp[:, stops])
