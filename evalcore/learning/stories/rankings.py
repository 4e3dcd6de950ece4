"""Stories of retrieved documents: two sets, and one ranked list."""

import math

import numpy as np

from evalcore.classification import ConfusionCounts, f_beta, precision, recall
from evalcore.estimation import DistributionPair, Estimates, entropy, kl_divergence, root_mean_squared_error
from evalcore.learning.questions import Comparison
from evalcore.learning.stories.story import Answers, choice, compared, count, example, index, mark, number, story
from evalcore.retrieval import Hits, average_precision_at, eleven_point_average, graded_table, r_precision, ranked_curve
from evalcore.wording import number_text, share_text


@story("boolean-methods-a-b")
def _two_methods() -> Answers:
    worked = example("boolean-methods-a-b")
    given, printed = worked["input"], worked["printed"]
    relevant = given["relevant_total"]
    retrieved = {name: given[name]["retrieved"] for name in "AB"}
    hits = {name: given[name]["relevant_retrieved"] for name in "AB"}
    tables = {
        name: ConfusionCounts(hits[name], retrieved[name] - hits[name], relevant - hits[name], 0) for name in "AB"
    }
    p, r, f = (
        {name: float(measure(table)) for name, table in tables.items()} for measure in (precision, recall, f_beta)
    )
    alone = ConfusionCounts(1, 0, 0, 0)
    macro, micro = (p["A"] + float(precision(alone))) / 2, float(precision(tables["A"] + alone))
    union = retrieved["A"] + relevant - hits["A"]
    return locals(), (
        number(
            p["A"],
            {"recall": r["A"], "sizes": retrieved["A"] / relevant, "union": hits["A"] / union},
            compared("Precision of A", printed["A"]["precision"], p["A"]),
            compared("Recall of A", printed["A"]["recall"], r["A"]),
        ),
        number(
            r["B"],
            {"precision": p["B"], "missed": 1 - r["B"], "of A": hits["B"] / hits["A"]},
            compared("Precision of B", printed["B"]["precision"], p["B"]),
            compared("Recall of B", printed["B"]["recall"], r["B"]),
        ),
        index(
            f["A"],
            {"arithmetic mean": (p["A"] + r["A"]) / 2, "product": p["A"] * r["A"], "smaller": r["A"]},
            compared("F1 of A", printed["A"]["f1"], f["A"]),
            compared("F1 of B", printed["B"]["f1"], f["B"]),
        ),
        choice(),
        number(micro, {"macro": macro, "first query": p["A"], "other query": 1.0}),
    )


@story("pr-table-14")
def _ranking() -> Answers:
    given, printed = example("pr-table-14")["input"], example("pr-table-14")["printed"]
    relevant, total, at = given["relevant"], given["relevant_total"], 6
    hits = Hits.of_grades(relevant)
    curve = ranked_curve(hits)
    p, r = curve.precision, curve.recall
    half, closest = int((r < 0.5).sum()), curve.closest + 1
    found, found_at_total, length = sum(relevant[:at]), sum(relevant[:total]), len(relevant)
    exact, ap, eleven = (float(of(hits)[0]) for of in (r_precision, average_precision_at, eleven_point_average))
    level, previous, precision_there = float(curve.interpolated[half]), float(p[half - 1]), p[at - 1]
    ranks = [rank for rank, one in enumerate(relevant, 1) if one]
    best_rank = half + 1 + int((p[half:] == level).argmax())
    terms = " + ".join(number_text(float(p[rank - 1])) for rank in ranks)
    return locals(), (
        index(
            p[at - 1],
            {"recall": r[at - 1], "whole list": found / length, "irrelevant": 1 - p[at - 1]},
            compared("Precision, rank 1 to 14", printed["precision"], p, 2),
            compared("Recall, rank 1 to 14", printed["recall"], r, 2),
        ),
        mark(
            (r[at - 1], p[at - 1]),
            ("recall", "precision"),
            {"swapped": (p[at - 1], r[at - 1]), "rank before": (r[at - 2], p[at - 2]), "rank after": (r[at], p[at])},
            percent=False,
        ),
        index(level, {"last before": previous, "between": (previous + level) / 2, "last": p[-1]}),
        index(exact, {"at ten": p[9], "at the end": 1.0, "average precision": ap}),
        index(ap, {"all ranks": p.mean(), "R-precision": exact, "eleven points": eleven}),
    )


@story("ndcg-table-10")
def _pool() -> Answers:
    worked = example("ndcg-table-10")
    given, printed = worked["input"], worked["printed"]
    grades, pool = given["grades"], {int(grade): many for grade, many in given["judged_pool"].items()}
    rest = [grade for grade, many in pool.items() for _ in range(many - grades.count(grade))]
    table, powered = (graded_table(Hits.of_grades(grades, rest), gain=gain) for gain in ("linear", "exp"))
    alone = graded_table(Hits.of_grades(grades))
    highest, rank, length = given["highest_grade"], 5, len(grades)
    discount, ndcg = table.discount, table.ndcg
    cg, normalised, factor = table.cg[rank - 1], table.normalised_cg[rank - 1], discount[rank - 1]
    most, next_rank, sorted_grades = rank * highest, rank + 1, sorted(grades, reverse=True)
    precision_at_end = sum(grade > 0 for grade in grades) / length
    dcg, idcg, last_ndcg, powered_ndcg = table.dcg[-1], table.idcg[-1], ndcg[-1], powered.ndcg[-1]
    positive = sum(grade > 0 for grade in grades[:rank])
    return locals(), (
        index(
            normalised,
            {"precision": positive / rank, "sum of all": table.cg[-1] / (length * highest), "not normalised": cg / 100},
            compared("CG", printed["cg"], table.cg, 0),
            compared("Normalised CG", printed["normalised_cg"], table.normalised_cg, 2),
        ),
        index(
            factor,
            {"rank": 1 / rank, "no shift": 1 / math.log2(rank), "natural": 1 / math.log(rank + 1)},
            compared("Discount", printed["discount"], discount, 2, "One copy has 0.38 at rank 5; 1 / log₂ 6 is 0.387."),
            compared("DCG", printed["dcg"], table.dcg, 2),
            tolerance=0.006,
        ),
        choice(compared("Ideal DCG", printed["idcg"], table.idcg, 2)),
        index(
            ndcg[-1],
            {"own ideal": alone.ndcg[-1], "no discount": table.normalised_cg[-1], "exponential": powered.ndcg[-1]},
            compared("nDCG", printed["ndcg"], ndcg, 2),
        ),
    )


@story("dcg-classic-10")
def _classic() -> Answers:
    worked = example("dcg-classic-10")
    grades, printed = worked["input"]["grades"], worked["printed"]
    table, newer = (graded_table(Hits.of_grades(grades), discount=discount) for discount in ("original", "log"))
    bare, whole = (graded_table(Hits.of_grades([1, 0, 0], rest), discount="original") for rest in ([], [3, 3]))
    rank, (of_ndcg, of_ideal) = 4, worked["errata"]
    dcg, idcg, ndcg = (float(column[rank - 1]) for column in (table.dcg, table.idcg, table.ndcg))
    as_printed, by_newer, whole_ndcg = printed["ndcg"][rank - 1], newer.ndcg[rank - 1], whole.ndcg[-1]
    slips = {"whole collection": whole_ndcg, "share of grades": 1 / 3, "none": 0.0}
    return locals(), (
        count(
            table.dcg[2],
            {"sum": table.cg[2], "newer": newer.dcg[2], "by rank": grades[0] + grades[1] + grades[2] / 3},
            compared("Discounted gain", printed["discounted_gain"], table.discounted_gain, 2),
            compared("DCG", printed["dcg"], table.dcg, 2),
            tolerance=0.005,
        ),
        index(
            ndcg,
            {"as printed": as_printed, "newer": by_newer, "end of the ideal": dcg / table.idcg[-1]},
            compared("Ideal DCG", printed["idcg"], table.idcg, 2, of_ideal.replace("idcg", "IDCG")),
            compared("nDCG", printed["ndcg"], table.ndcg, 2, of_ndcg),
            tolerance=0.002,
        ),
        count(bare.ndcg[-1], slips, tolerance=0.005),
    )


@story("print-errata")
def _errata() -> Answers:
    errors, half = np.array([1.0, -1.0, 3.0, -3.0]), np.array([0.5, 0.5])
    pair, n, total = DistributionPair(half, half), len(errors), float((errors**2).sum())
    divergence, own = float(kl_divergence(pair)), float(entropy(pair))
    rmse = float(root_mean_squared_error(Estimates.from_arrays(np.zeros(n), errors)))
    never = float(precision(ConfusionCounts(0, 0, 10, 9990)))
    whole, own_list = (graded_table(Hits.of_grades([2, 1, 0], rest)) for rest in ([3], []))
    written = ", ".join(f"{error:g}".replace("-", "−") for error in errors)
    dcg, idcg, ndcg, ndcg_of_list = whole.dcg[-1], whole.idcg[-1], float(whole.ndcg[-1]), float(own_list.ndcg[-1])
    doubled = math.sqrt(2 * total / n)
    why = "The ideal list must not be cut to what was retrieved."
    of_rmse = {"as printed": doubled, "no root": total / n, "no mean": math.sqrt(total), "absolute": abs(errors).mean()}
    return locals(), (
        count(
            divergence,
            {"entropy": own, "one": 1.0, "two": 2.0},
            Comparison("KL of equal distributions", "> 0", number_text(divergence), "The print has > in place of ≥."),
            tolerance=0.005,
        ),
        count(
            rmse,
            of_rmse,
            Comparison(
                "RMSE of the four errors", f"{doubled:.2f}", f"{rmse:.2f}", "With E = Σ e² the formula is √(E/N)."
            ),
            tolerance=0.01,
        ),
        choice(Comparison("PPV of 0 / 0", "0 %", share_text(never), "The share of nothing is not 0.")),
        count(
            ndcg,
            {"own list": ndcg_of_list, "no discount": whole.cg[-1] / 6, "one rank": 2 / 3},
            Comparison("nDCG@3", f"{ndcg_of_list:.2f}", f"{ndcg:.2f}", why),
            tolerance=0.005,
        ),
    )
