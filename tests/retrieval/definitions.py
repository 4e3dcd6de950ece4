"""Every measure of rankings once more, as slowly and plainly as it is defined, over one list of grades.

A list is the grades down the ranks, None where nobody judged; `others` are the judged documents that it lacks;
`collection` is every grade of the judgments.
"""

import math
from fractions import Fraction

Grades = list[float | None]


def relevance(grades: Grades, rel: float) -> list[bool]:
    return [grade is not None and grade >= rel for grade in grades]


def total(grades: Grades, others: list[float], rel: float) -> int:
    return sum(relevance([*grades, *others], rel))


def over(a: float, b: float) -> float:
    return a / b if b else 0.0


def precision(grades, others, collection, k=10, rel=1):
    return sum(relevance(grades, rel)[:k]) / k


def recall(grades, others, collection, k=10**9, rel=1):
    return over(sum(relevance(grades, rel)[:k]), total(grades, others, rel))


def success(grades, others, collection, k=10, rel=1):
    return float(any(relevance(grades, rel)[:k]))


def r_precision(grades, others, collection, multiple=1, rel=1):
    cut = int(multiple * total(grades, others, rel) + (0.9 if multiple != 1 else 0))
    return over(sum(relevance(grades, rel)[:cut]), cut)


def average_precision(grades, others, collection, k=10**9, rel=1):
    hit = relevance(grades, rel)
    return over(sum(sum(hit[:i]) / i for i in range(1, min(k, len(hit)) + 1) if hit[i - 1]), total(grades, others, rel))


def floored(grades, others, collection, rel=1):
    return max(average_precision(grades, others, collection, rel=rel), 1e-5)


def reciprocal_rank(grades, others, collection, k=10**9, rel=1):
    return next((1 / i for i, hit in enumerate(relevance(grades, rel)[:k], 1) if hit), 0.0)


def fall_out(grades, others, collection, k=10**9, rel=1, size=0):
    return (
        sum(not hit for hit in relevance(grades, rel)[:k]) / (size - total(grades, others, rel)) if size else math.nan
    )


def interpolated(grades, others, collection, recall=0, rel=1, rule="exact"):
    hit, everything = relevance(grades, rel), total(grades, others, rel)
    need = {
        "exact": math.ceil(Fraction(str(recall)) * everything),
        "trec9": int(recall * everything + 0.9),
        "trec10": math.floor(recall * everything + 0.5),
    }[rule]
    return max((sum(hit[:j]) / j for j in range(1, len(hit) + 1) if sum(hit[:j]) >= need), default=0.0)


def eleven_points(grades, others, collection, rel=1, rule="exact"):
    return sum(interpolated(grades, others, collection, level / 10, rel, rule) for level in range(11)) / 11


def efficiency(grades, others, collection, rel=1):
    hit, everything = relevance(grades, rel), total(grades, others, rel)
    if not any(hit):
        return 0.0
    points = [(sum(hit[:i]) / i, sum(hit[:i]) / everything) for i in range(1, len(hit) + 1)]
    return 1 - min(math.dist(point, (1, 1)) for point in points) / math.sqrt(2)


def bpref(grades, others, collection, rel=1):
    everything = total(grades, others, rel)
    irrelevant = sum(0 <= g < rel for g in [*grades, *others] if g is not None)
    kept, before = 0.0, 0
    for grade in grades:
        if grade is not None and grade >= rel:
            kept += 1 - min(before, everything) / min(irrelevant, everything) if before else 1
        elif grade is not None and grade >= 0:
            before += 1
    return over(kept, everything)


def inferred(grades, others, collection, rel=1):
    found = 0.0
    for j, grade in enumerate(grades):
        if grade is None or grade < rel:
            continue
        above = [g for g in grades[:j] if g is not None]
        r, s, u = sum(g >= rel for g in above), sum(0 <= g < rel for g in above), sum(g < 0 for g in above)
        part = (j / (j + 1)) * ((r + s + u) / j) * ((r + 1e-5) / (r + s + 2e-5)) if j else 0
        found += 1 / (j + 1) + part
    return over(found, total(grades, others, rel))


def judged(grades, others, collection, k=10):
    return over(sum(g is not None and g >= 0 for g in grades[:k]), min(k, len(grades)))


def rank_biased(grades, others, collection, p=0.8, k=10**9, rel=1):
    return (1 - p) * sum(p ** (i - 1) for i, hit in enumerate(relevance(grades, rel)[:k], 1) if hit)


def residual(grades, others, collection, p=0.8):
    unknown = sum(p ** (i - 1) for i, g in enumerate(grades, 1) if g is None or g < 0)
    return p ** len(grades) + (1 - p) * unknown


def expected_rr(grades, others, collection, k=10**9, vmax=0):
    going_on, found, highest = 1.0, 0.0, vmax or max(0, *collection)
    for i, grade in enumerate(grades[:k], 1):
        stop = (2 ** min(max(grade or 0, 0), highest) - 1) / 2**highest
        found += going_on * stop / i
        going_on *= 1 - stop
    return found


def worth(grade: float | None, gain: str) -> float:
    if gain not in ("linear", "exp") and grade is not None:
        table = dict(entry.split(":") for entry in gain.split(";"))
        if (found := table.get(f"{grade:g}")) is not None:
            return float(found)
    value = max(grade or 0, 0)
    return 2**value - 1 if gain == "exp" else value


def divided(rank: int, discount: str, base: float) -> float:
    if discount == "log":
        return math.log(rank + 1) / math.log(base)
    return 1 if discount == "none" else max(1, math.log(rank) / math.log(base))


def cumulated(grades, others, collection, k=10**9, gain="linear"):
    return sum(worth(grade, gain) for grade in grades[:k])


def normalised(grades, others, collection, k=None, gain="linear"):
    best = max(worth(grade, gain) for grade in [0, *collection])
    return over(cumulated(grades, others, collection, k or 10**9, gain), (k or len(grades)) * best)


def discounted(grades, others, collection, k=10**9, gain="linear", discount="log", base=2):
    return sum(worth(g, gain) / divided(i, discount, base) for i, g in enumerate(grades[:k], 1))


def ndcg(grades, others, collection, k=10**9, gain="linear", discount="log", base=2):
    ideal = sorted((g for g in [*grades, *others] if g is not None), key=lambda g: -worth(g, gain))
    settings = (k, gain, discount, base)
    return over(discounted(grades, others, collection, *settings), discounted(ideal, [], collection, *settings))


def preferences(grades, others, collection):
    places = [(g, i) for i, g in enumerate(grades) if g is not None and g >= 0]
    places += [(g, math.inf) for g in others if g >= 0]
    pairs = [(a, b) for a in places for b in places if a[0] > b[0]]
    return over(sum(1.0 if a[1] < b[1] else 0.5 * (a[1] == b[1]) for a, b in pairs), len(pairs))


def set_precision(grades, others, collection, rel=1):
    return over(sum(relevance(grades, rel)), len(grades))


def set_recall(grades, others, collection, rel=1):
    return recall(grades, others, collection, rel=rel)


def set_f(grades, others, collection, beta=1, rel=1):
    p, r = set_precision(grades, others, collection, rel), set_recall(grades, others, collection, rel)
    return over((1 + beta**2) * p * r, beta**2 * p + r)


def set_fall_out(grades, others, collection, rel=1, size=0):
    return fall_out(grades, others, collection, rel=rel, size=size)


def generality(grades, others, collection, rel=1, size=0):
    return total(grades, others, rel) / size if size else math.nan


OF_LISTS = {
    "precision_at": precision,
    "recall_at": recall,
    "success_at": success,
    "r_precision": r_precision,
    "average_precision_at": average_precision,
    "geometric_average_precision": floored,
    "reciprocal_rank": reciprocal_rank,
    "fall_out_at": fall_out,
    "interpolated_precision_at": interpolated,
    "eleven_point_average": eleven_points,
    "system_efficiency": efficiency,
    "bpref": bpref,
    "inferred_average_precision": inferred,
    "judged_at": judged,
    "rank_biased_precision": rank_biased,
    "rank_biased_residual": residual,
    "expected_reciprocal_rank": expected_rr,
    "cumulated_gain": cumulated,
    "normalised_cumulated_gain": normalised,
    "discounted_cumulated_gain": discounted,
    "ndcg": ndcg,
    "preference_agreement": preferences,
    "set_precision": set_precision,
    "set_recall": set_recall,
    "set_f": set_f,
    "set_fall_out": set_fall_out,
    "generality": generality,
}
"""By the key of the measure."""

SETTINGS = {
    "k": (1, 3, 20),
    "rel": (2, 0.5),
    "multiple": (0.5, 2),
    "size": (100,),
    "recall": (0.1, 0.3, 0.7, 1),
    "rule": ("trec9", "trec10"),
    "p": (0.5, 0.95),
    "vmax": (4, 1),
    "gain": ("exp", "1:5;2:1;3:2"),
    "discount": ("original", "none"),
    "base": (10, 3),
    "beta": (2, 0.5),
}
"""Values of each parameter beside its default."""
