"""Create the sample files whose rows are invented: traps, in which a number hides something, and other examples.

`python sample_data/make_traps.py` recreates them byte for byte with NumPy 2.4; other versions may draw other numbers.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
NUMPY = "2.4"
"""The version whose random numbers these are."""
Line = Sequence[object]


def crossing_curves() -> list[Line]:
    """Two systems with the same area: one is sure of some positives, the other of some negatives."""
    rng = np.random.default_rng(3)
    positive = np.arange(120) < 50
    a = rng.normal(0, 1, 120)
    a[positive] = np.where(np.arange(50) < 28, 3 + rng.random(50), rng.normal(-0.15, 1, 50))
    b = rng.normal(1, 0.5, 120)
    b[~positive] = np.where(rng.random(70) < 0.58, -2 - rng.random(70), rng.normal(1.1, 0.5, 70))
    rows = zip(np.where(positive, "ill", "well"), np.round(a, 2), np.round(b, 2), strict=True)
    return [("actual", "A", "B"), *rows]


def kappa_paradox() -> list[Line]:
    """Two pairs of raters with the same agreement, of which one says yes nearly always."""
    return [("raters", "tp", "fp", "fn", "tn"), ("balanced", 40, 9, 6, 45), ("nearly all yes", 80, 10, 5, 5)]


def leak() -> list[Line]:
    """A score that was recorded after the outcome was known."""
    rng = np.random.default_rng(1)
    relapse = rng.permuted(np.arange(90) < 30)
    days = np.where(relapse, rng.integers(5, 90, 90), 0)
    return [("actual", "days_of_second_therapy"), *zip(np.where(relapse, "relapse", "none"), days, strict=True)]


def noise() -> list[Line]:
    """Scores that have nothing to do with the class."""
    rng = np.random.default_rng(29)
    ill = rng.permuted(np.arange(40) < 16)
    return [("actual", "score"), *zip(np.where(ill, "ill", "well"), np.round(rng.random(40), 3), strict=True)]


def first_hit() -> list[Line]:
    """System B has one relevant document first and the others last; system A has none first and all soon after."""
    lines: list[Line] = [("query", "document", "A", "B", "grade")]
    for query in range(1, 31):
        shift = query % 3
        ranks = {"A": [2 + (shift == 2), 3 + (shift == 2), 4 + (shift > 0), 5 + (shift > 0)],
                 "B": [1 + (query % 5 == 0), 7 + shift, 10, 11 + (shift > 0)]}  # fmt: skip
        rest = {name: [rank for rank in range(1, 13) if rank not in taken] for name, taken in ranks.items()}
        for place in range(12):
            at = {name: ranks[name][place] if place < 4 else rest[name][place - 4] for name in ranks}
            lines.append((f"q{query:02}", f"d{place:02}", 13 - at["A"], 13 - at["B"], int(place < 4)))
    return lines


def unjudged() -> list[Line]:
    """The judgments are of the documents that the old system retrieved; half of the new one's were never judged."""
    rng = np.random.default_rng(5)
    lines: list[Line] = [("query", "document", "old", "new", "grade")]
    for query in range(1, 26):
        relevant = rng.permuted(np.arange(10) < 5)
        shared = set(rng.permutation(np.flatnonzero(relevant))[:3].tolist())
        shared |= set(rng.permutation(np.flatnonzero(~relevant))[: 1 + query % 3].tolist())
        order = rng.permutation(10).tolist()
        new = dict(zip(sorted(shared), order, strict=False))
        for place, grade in enumerate(relevant.astype(int).tolist()):
            lines.append((f"q{query:02}", f"d{place:02}", 10 - place, new.get(place, -1) + 1 or "", grade))
        for extra, rank in enumerate(order[len(shared) :]):
            lines.append((f"q{query:02}", f"n{extra:02}", "", rank + 1, ""))
    return lines


def patients() -> list[Line]:
    """Fifteen images of each of twenty patients: the test is right in nearly all images of a patient, or in few."""
    rng = np.random.default_rng(4)
    lines: list[Line] = [("patient", "actual", "predicted")]
    for patient in range(20):
        ill, easy = patient % 2 == 0, patient % 5 != 3
        for _ in range(15):
            right = rng.random() < (0.96 if easy else 0.25)
            lines.append((f"p{patient + 1:02}", "ill" if ill else "well", "ill" if ill == right else "well"))
    return lines


def hospitals() -> list[Line]:
    """The score knows which hospital a row is from, and nothing within it."""
    rng = np.random.default_rng(8)
    lines: list[Line] = [("hospital", "actual", "score")]
    for hospital, share, centre in (("North", 0.8, 0.7), ("South", 0.15, 0.3)):
        ill = rng.permuted(np.arange(80) < 80 * share)
        scores = rng.normal(centre, 0.08, 80) - 0.06 * ill
        lines += zip([hospital] * 80, np.where(ill, "ill", "well"), np.round(scores, 4), strict=True)
    return lines


def large_and_small() -> list[Line]:
    """Five queries with few relevant documents, which A answers well, and one with many, which B answers well."""
    # of each query: relevant documents, and how many relevant and other ones A and B retrieve
    queries = {"q1": (4, (4, 1), (2, 3)), "q2": (6, (5, 0), (2, 2)), "q3": (3, (3, 1), (1, 3)),
               "q4": (5, (4, 0), (3, 4)), "q5": (8, (7, 1), (3, 3)), "q6": (120, (30, 70), (100, 12))}  # fmt: skip
    lines: list[Line] = [("query", "document", "A", "B", "grade")]
    for query, (relevant, a, b) in queries.items():
        others = max(a[1], b[1])
        for grade, count, ends in ((1, relevant, (a[0], b[0])), (0, others, (a[1], b[1]))):
            for place in range(count):
                scores = ("" if place >= end else 2 * (count - place) - 1 + grade for end in ends)
                lines.append((query, f"{'r' if grade else 'n'}{place + 1:03}", *scores, grade))
    return lines


def shot_detection() -> list[Line]:
    """A made film: how far the colours of each frame are from those of the frame before, and whether a shot ends there.

    Of its thirty cuts six are dissolves over eight frames, which change little from frame to frame; at eight frames a
    flash changes the colours within a shot.
    """
    rng = np.random.default_rng(12)
    shots = rng.dirichlet(np.ones(16), 31)
    dissolves = set(rng.permutation(30)[:6].tolist())
    frames, cuts = [], set()
    for shot, colours in enumerate(shots):
        frames += [colours] * int(rng.integers(15, 35))
        if shot in dissolves:
            cuts.add(len(frames) + 4)
            frames += [colours + (shots[shot + 1] - colours) * step / 9 for step in range(1, 9)]
        elif shot < 30:
            cuts.add(len(frames))
    calm = [frame for frame in range(len(frames)) if not cuts & set(range(frame - 9, frame + 9))]
    flashes = set(rng.permutation(calm)[:8].tolist())
    bright = np.array([0.01] * 12 + [0.22] * 4)
    seen = []
    for frame, colours in enumerate(frames):
        mixed = 0.55 * colours + 0.45 * bright / bright.sum() if frame in flashes else colours
        moved = mixed * rng.lognormal(0, 0.08, 16)
        seen.append(rng.multinomial(4000, moved / moved.sum()) / 4000)
    lines: list[Line] = [("frame", "actual", "histogram_difference")]
    for frame in range(1, len(frames)):
        one, two = seen[frame - 1], seen[frame]
        difference = (((one - two) ** 2) / np.maximum(one + two, 1e-9)).sum()
        lines.append((frame, "cut" if frame in cuts else "same shot", round(float(difference), 4)))
    return lines


def payments() -> list[Line]:
    """Card payments with their amounts: the largest frauds look most like honest ones."""
    rng = np.random.default_rng(12)
    fraud = rng.permuted(np.arange(800) < 96)
    amount = np.round(np.exp(rng.normal(np.where(fraud, 4.6, 3.7), np.where(fraud, 1.1, 0.9))), 2)
    evidence = rng.normal(np.where(fraud, 0.8 - 0.6 * (np.log(amount) - 4.6), -1.5), 1.2)
    rows = zip(np.where(fraud, "fraud", "honest"), np.round(1 / (1 + np.exp(-evidence)), 4), amount, strict=True)
    return [("actual", "score", "amount"), *rows]


FILES = {
    "large_and_small.csv": large_and_small,
    "shot_detection.csv": shot_detection,
    "crossing_curves.csv": crossing_curves,
    "kappa_paradox.csv": kappa_paradox,
    "leak.csv": leak,
    "noise_40.csv": noise,
    "first_hit.csv": first_hit,
    "unjudged.csv": unjudged,
    "patients.csv": patients,
    "hospitals.csv": hospitals,
    "payments.csv": payments,
}


def traps(folder: Path) -> None:
    """Write every file, with the same line endings on every system."""
    for file, make in FILES.items():
        text = "".join(",".join(map(str, line)) + "\n" for line in make())
        (folder / file).write_bytes(text.encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write the files")
    traps(parser.parse_args().folder)
