"""Stories of retrieved documents: two sets, and one ranked list."""

import math

import numpy as np

from evalcore.classification import ConfusionCounts
from evalcore.estimation import DistributionPair, Estimates, entropy, kl_divergence, root_mean_squared_error
from evalcore.learning.questions import Comparison, value_of
from evalcore.learning.stories.story import Steps, beside, choice, compared, count, example, index, mark, number, story
from evalcore.retrieval import Hits, average_precision_at, eleven_point_average, graded_table, r_precision, ranked_curve
from evalcore.wording import number_text, share_text


@story("boolean-methods-a-b")
def _two_methods() -> Steps:
    worked = example("boolean-methods-a-b")
    given, printed = worked["input"], worked["printed"]
    relevant = given["relevant_total"]
    retrieved = {name: given[name]["retrieved"] for name in "AB"}
    hits = {name: given[name]["relevant_retrieved"] for name in "AB"}
    tables = {n: ConfusionCounts(hits[n], retrieved[n] - hits[n], relevant - hits[n], 0) for n in "AB"}
    p, r, f = ({n: value_of(table, key) for n, table in tables.items()} for key in ("precision", "recall", "f1"))
    alone = ConfusionCounts(1, 0, 0, 0)
    macro, micro = (p["A"] + value_of(alone, "precision")) / 2, value_of(tables["A"] + alone, "precision")
    union = retrieved["A"] + relevant - hits["A"]
    of_p = {"recall": r["A"], "sizes": retrieved["A"] / relevant, "union": hits["A"] / union}
    of_r = {"precision": p["B"], "missed": 1 - r["B"], "of A": hits["B"] / hits["A"]}
    of_f = {"arithmetic mean": (p["A"] + r["A"]) / 2, "product": p["A"] * r["A"], "smaller": r["A"]}

    def printed_of(name: str, *keys: str) -> list[Comparison]:
        return beside(tables[name], printed[name], *keys, of=f" of {name}")

    return locals(), (
        number(p["A"], of_p, *printed_of("A", "precision", "recall")),
        number(r["B"], of_r, *printed_of("B", "precision", "recall")),
        index(f["A"], of_f, *printed_of("A", "f1"), *printed_of("B", "f1")),
        choice(),
        number(micro, {"macro": macro, "first query": p["A"], "other query": 1.0}),
    )


@story("pr-table-14")
def _ranking() -> Steps:
    given, printed = example("pr-table-14")["input"], example("pr-table-14")["printed"]
    relevant, total, at = given["relevant"], given["relevant_total"], 6
    hits = Hits.of_grades(relevant)
    curve = ranked_curve(hits)
    p, r, axes = curve.precision, curve.recall, ("precision", "recall")
    half, closest = int((r < 0.5).sum()), curve.closest + 1
    found, found_at_total, length = sum(relevant[:at]), sum(relevant[:total]), len(relevant)
    exact, ap, eleven = (float(of(hits)[0]) for of in (r_precision, average_precision_at, eleven_point_average))
    level, previous, precision_there = float(curve.interpolated[half]), float(p[half - 1]), p[at - 1]
    ranks = [rank for rank, one in enumerate(relevant, 1) if one]
    best_rank = half + 1 + int((p[half:] == level).argmax())
    terms = " + ".join(number_text(float(p[rank - 1])) for rank in ranks)
    of_p = {"recall": r[at - 1], "whole list": found / length, "irrelevant": 1 - p[at - 1]}
    of_precision, of_recall = (
        compared(f"{name.capitalize()}, rank 1 to 14", printed[name], getattr(curve, name), 2) for name in axes
    )
    here, before, after = ((r[place], p[place]) for place in (at - 1, at - 2, at))
    of_point = {"swapped": here[::-1], "rank before": before, "rank after": after}
    return locals(), (
        index(p[at - 1], of_p, of_precision, of_recall),
        mark(here, ("recall", "precision"), of_point, percent=False),
        index(level, {"last before": previous, "between": (previous + level) / 2, "last": p[-1]}),
        index(exact, {"at ten": p[9], "at the end": 1.0, "average precision": ap}),
        index(ap, {"all ranks": p.mean(), "R-precision": exact, "eleven points": eleven}),
    )


@story("ndcg-table-10")
def _pool() -> Steps:
    worked = example("ndcg-table-10")
    given, printed = worked["input"], worked["printed"]
    grades, pool = given["grades"], {int(grade): many for grade, many in given["judged_pool"].items()}
    rest = [grade for grade, many in pool.items() for _ in range(many - grades.count(grade))]
    table, powered = (graded_table(Hits.of_grades(grades, rest), gain=gain) for gain in ("linear", "exp"))
    alone = graded_table(Hits.of_grades(grades))
    highest, rank, length = given["highest_grade"], 5, len(grades)
    cg, normalised, factor = table.cg[rank - 1], table.normalised_cg[rank - 1], table.discount[rank - 1]
    most, next_rank, sorted_grades = rank * highest, rank + 1, sorted(grades, reverse=True)
    precision_at_end = sum(grade > 0 for grade in grades) / length
    dcg, idcg, last_ndcg, powered_ndcg = table.dcg[-1], table.idcg[-1], table.ndcg[-1], powered.ndcg[-1]
    positive = sum(grade > 0 for grade in grades[:rank])
    of_cg = {"precision": positive / rank, "sum of all": table.cg[-1] / (length * highest), "not normalised": cg / 100}
    of_factor = {"rank": 1 / rank, "no shift": 1 / math.log2(rank), "natural": 1 / math.log(rank + 1)}
    of_ndcg = {"own ideal": alone.ndcg[-1], "no discount": table.normalised_cg[-1], "exponential": powered_ndcg}
    why = "One copy has 0.38 at rank 5; 1 / log₂ 6 is 0.387."

    def column(name: str, key: str, decimals: int = 2, erratum: str = "") -> Comparison:
        return compared(name, printed[key], getattr(table, key), decimals, erratum)

    return locals(), (
        index(normalised, of_cg, column("CG", "cg", 0), column("Normalised CG", "normalised_cg")),
        index(factor, of_factor, column("Discount", "discount", 2, why), column("DCG", "dcg"), tolerance=0.006),
        choice(column("Ideal DCG", "idcg")),
        index(last_ndcg, of_ndcg, column("nDCG", "ndcg")),
    )


@story("dcg-classic-10")
def _classic() -> Steps:
    worked = example("dcg-classic-10")
    grades, printed = worked["input"]["grades"], worked["printed"]
    table, newer = (graded_table(Hits.of_grades(grades), discount=discount) for discount in ("original", "log"))
    bare, whole = (graded_table(Hits.of_grades([1, 0, 0], rest), discount="original") for rest in ([], [3, 3]))
    rank, (erratum, ideal_erratum) = 4, worked["errata"]
    dcg, idcg, ndcg = (float(column[rank - 1]) for column in (table.dcg, table.idcg, table.ndcg))
    as_printed, by_newer, whole_ndcg = printed["ndcg"][rank - 1], newer.ndcg[rank - 1], whole.ndcg[-1]
    of_gain = {"sum": table.cg[2], "newer": newer.dcg[2], "by rank": grades[0] + grades[1] + grades[2] / 3}
    of_ndcg = {"as printed": as_printed, "newer": by_newer, "end of the ideal": dcg / table.idcg[-1]}
    of_bare = {"whole collection": whole_ndcg, "share of grades": 1 / 3, "none": 0.0}
    gains = compared("Discounted gain", printed["discounted_gain"], table.discounted_gain, 2)
    ideal = compared("Ideal DCG", printed["idcg"], table.idcg, 2, ideal_erratum.replace("idcg", "IDCG"))
    return locals(), (
        count(table.dcg[2], of_gain, gains, compared("DCG", printed["dcg"], table.dcg, 2), tolerance=0.005),
        index(ndcg, of_ndcg, ideal, compared("nDCG", printed["ndcg"], table.ndcg, 2, erratum), tolerance=0.002),
        count(bare.ndcg[-1], of_bare, tolerance=0.005),
    )


@story("print-errata")
def _errata() -> Steps:
    errors, half = np.array([1.0, -1.0, 3.0, -3.0]), np.array([0.5, 0.5])
    pair, n, total = DistributionPair(half, half), len(errors), float((errors**2).sum())
    divergence, own = float(kl_divergence(pair)), float(entropy(pair))
    rmse = float(root_mean_squared_error(Estimates.from_arrays(np.zeros(n), errors)))
    never = value_of(ConfusionCounts(0, 0, 10, 9990), "precision")
    whole, own_list = (graded_table(Hits.of_grades([2, 1, 0], rest)) for rest in ([3], []))
    written = ", ".join(f"{error:g}".replace("-", "−") for error in errors)
    dcg, idcg, ndcg, ndcg_of_list = whole.dcg[-1], whole.idcg[-1], float(whole.ndcg[-1]), float(own_list.ndcg[-1])
    doubled = math.sqrt(2 * total / n)
    of_kl = {"entropy": own, "one": 1.0, "two": 2.0}
    of_rmse = {"as printed": doubled, "no root": total / n, "no mean": math.sqrt(total), "absolute": abs(errors).mean()}
    of_ideal = {"own list": ndcg_of_list, "no discount": whole.cg[-1] / 6, "one rank": 2 / 3}
    kl = ("KL of equal distributions", "> 0", number_text(divergence), "The print has > in place of ≥.")
    root = ("RMSE of the four errors", f"{doubled:.2f}", f"{rmse:.2f}", "With E = Σ e² the formula is √(E/N).")
    of_nothing = ("PPV of 0 / 0", "0 %", share_text(never), "The share of nothing is not 0.")
    ideal = ("nDCG@3", f"{ndcg_of_list:.2f}", f"{ndcg:.2f}", "The ideal list must not be cut to what was retrieved.")
    return locals(), (
        count(divergence, of_kl, Comparison(*kl), tolerance=0.005),
        count(rmse, of_rmse, Comparison(*root), tolerance=0.01),
        choice(Comparison(*of_nothing)),
        count(ndcg, of_ideal, Comparison(*ideal), tolerance=0.005),
    )
