"""Stories of graded lists: two tables of discounted cumulated gain."""

import math

from evalcore.retrieval import Hits, graded_table
from evalcore.wording import number_text

from ..questions import Step
from .asking import choose, count, work_out
from .story import Story, compared, example

__all__ = ["STORIES"]

_PAGE = "retrieve/graded"


def _pool() -> Story:
    worked = example("ndcg-table-10")
    given, printed, state = worked["input"], worked["printed"], {"data": "graded_10"}
    grades, pool = given["grades"], {int(grade): many for grade, many in given["judged_pool"].items()}
    rest = [grade for grade, many in pool.items() for _ in range(many - grades.count(grade))]
    table = graded_table(Hits.of_grades(grades, rest))
    powered = graded_table(Hits.of_grades(grades, rest), gain="exp")
    alone = graded_table(Hits.of_grades(grades))
    highest, rank = given["highest_grade"], 5
    discount, ndcg = table.discount, table.ndcg
    written = ", ".join(map(str, grades))
    steps = (
        Step(
            "Cumulated gain",
            f"Ten results have the grades {written}. The highest grade is {highest}.",
            work_out(
                f"What is the normalised cumulated gain at rank {rank}: the sum of the grades so far, as a share of "
                f"{rank} times the highest grade?",
                table.normalised_cg[rank - 1],
                f"{table.cg[rank - 1]:g} of {rank * highest}: {number_text(float(table.normalised_cg[rank - 1]))}.",
                ("precision", sum(grade > 0 for grade in grades[:rank]) / rank, f"You counted the documents with a "
                                                                                f"grade above 0. That is P@{rank}; "
                                                                                f"use the grades themselves."),
                ("sum of all", float(table.cg[-1]) / (len(grades) * highest), "You went down to rank 10."),
                ("not normalised", float(table.cg[rank - 1]) / 100, "That is the sum. Divide it by the most that "
                                                                    "five documents can have."),
            ),
            f"With the grades 0 and 1 alone, normalised cumulated gain is precision at k. Like precision, it does "
            f"not see the order within the first k. P@{len(grades)}, with every grade above 0 as relevant, is "
            f"{number_text(sum(grade > 0 for grade in grades) / len(grades))} here.",
            _PAGE, state,
            (compared("CG", printed["cg"], table.cg, 0),
                compared("Normalised CG", printed["normalised_cg"], table.normalised_cg, 2)),
        ),
        Step(
            "The discount",
            "Readers rarely get far down. A gain at rank i is multiplied by 1 / log₂(i + 1).",
            work_out(
                f"By how much is a gain at rank {rank} multiplied? (to two decimals)", discount[rank - 1],
                f"1 / log₂ {rank + 1} = {number_text(float(discount[rank - 1]))}.",
                ("rank", 1 / rank, "You divided by the rank itself. The logarithm falls more slowly."),
                ("no shift", 1 / math.log2(rank), "You took the logarithm of the rank. One is added first, so that "
                                                  "rank 1 can count whole."),
                ("natural", 1 / math.log(rank + 1), "You took the natural logarithm. Use the one to base 2."),
                tolerance=0.006,
            ),
            "The discount falls quickly at the top and slowly later: from rank 1 to 2 it loses more than from 2 to 10.",
            _PAGE, state,
            (
                compared("Discount", printed["discount"], discount, 2, "One copy has 0.38 at rank 5; 1 / log₂ 6 is "
                                                                       "0.387."),
                compared("DCG", printed["dcg"], table.dcg, 2),
            ),
        ),
        Step(
            "The ideal list",
            f"A DCG is judged by dividing it by that of the ideal list. The collection holds {pool[3]} documents of "
            f"grade 3 and {pool[2]} of grade 2.",
            choose(
                "What are the first ten grades of the ideal list?", "3 five times, then 2 five times",
                {
                    ", ".join(map(str, sorted(grades, reverse=True))): "These are the ten grades of this list, "
                                                                       "sorted. The ideal list also holds the good "
                                                                       "documents that the search missed.",
                    "3 ten times": "There are only five documents of grade 3.",
                    "3, 2, 1, 0 and so on": "The ideal list holds all documents of the highest grade first.",
                },
                "The best ten documents of the collection in the best order.", at=2,
            ),
            "An ideal made from the retrieved documents alone forgives everything the search did not find.",
            _PAGE, state, (compared("Ideal DCG", printed["idcg"], table.idcg, 2),),
        ),
        Step(
            "nDCG",
            f"DCG at rank 10 is {number_text(float(table.dcg[-1]))}, that of the ideal list "
            f"{number_text(float(table.idcg[-1]))}.",
            work_out(
                "What is nDCG at rank 10? (to two decimals)", ndcg[-1],
                f"{number_text(float(table.dcg[-1]))} / {number_text(float(table.idcg[-1]))} = "
                f"{number_text(float(ndcg[-1]))}.",
                ("own ideal", float(alone.ndcg[-1]), "You sorted the ten grades of the list itself. The ideal list "
                                                     "comes from the whole collection."),
                ("no discount", float(table.normalised_cg[-1]), "That is cumulated gain without a discount."),
                ("exponential", float(powered.ndcg[-1]), "That is nDCG with the gain 2^grade − 1. Here a grade is "
                                                         "its own gain."),
            ),
            f"With the gain 2^grade − 1, nDCG would be {number_text(float(powered.ndcg[-1]))}: the missed documents "
            f"of grade 3 weigh more. A report must name the gain and the discount.",
            _PAGE, state, (compared("nDCG", printed["ndcg"], ndcg, 2),),
        ),
    )  # fmt: skip
    return Story(
        "ndcg-table-10",
        "Ten graded results",
        "Graded retrieval",
        "Are the best ones at the top?",
        worked["source"],
        steps,
    )


def _classic() -> Story:
    worked = example("dcg-classic-10")
    grades, printed = worked["input"]["grades"], worked["printed"]
    state = {"data": "graded_classic_10", "discount": "original"}
    table = graded_table(Hits.of_grades(grades), discount="original")
    newer = graded_table(Hits.of_grades(grades))
    bare = graded_table(Hits.of_grades([1, 0, 0]), discount="original")
    whole = graded_table(Hits.of_grades([1, 0, 0], [3, 3]), discount="original")
    rank, errata = 4, worked["errata"]
    dcg, idcg, ndcg = (float(column[rank - 1]) for column in (table.dcg, table.idcg, table.ndcg))
    steps = (
        Step(
            "An older discount",
            f"The first paper on DCG divides a gain by log₂ of its rank, and leaves ranks 1 and 2 as they are. The "
            f"grades are {', '.join(map(str, grades))}.",
            count(
                "What is DCG at rank 3? (to two decimals)", table.dcg[2],
                f"{grades[0]} + {grades[1]} + {grades[2]} / log₂ 3 = {number_text(float(table.dcg[2]))}.",
                ("sum", float(table.cg[2]), "You added the grades. The third one is divided by log₂ 3."),
                ("newer", float(newer.dcg[2]), "That is the newer discount 1 / log₂(i + 1), which lowers rank 2 "
                                               "already."),
                ("by rank", grades[0] + grades[1] + grades[2] / 3, "You divided by the rank. Divide by its logarithm."),
                tolerance=0.005,
            ),
            "Under this discount the order of the first two ranks does not matter. Two programs that both print DCG "
            "may mean different things.",
            _PAGE, state,
            (compared("Discounted gain", printed["discounted_gain"], table.discounted_gain, 2),
                compared("DCG", printed["dcg"], table.dcg, 2)),
        ),
        Step(
            "Against the ideal",
            f"DCG at rank {rank} is {number_text(dcg)}. Here the ideal list is the same ten grades, sorted; its DCG "
            f"at rank {rank} is {number_text(idcg)}.",
            work_out(
                f"What is nDCG at rank {rank}? (to three decimals)", ndcg,
                f"{number_text(dcg)} / {number_text(idcg)} = {number_text(ndcg)}.",
                ("as printed", printed["ndcg"][rank - 1], "The slides print this figure. Divide once more by hand."),
                ("newer", float(newer.ndcg[rank - 1]), "That is nDCG with the newer discount."),
                ("end of the ideal", dcg / float(table.idcg[-1]), "You divided by the ideal DCG at rank 10. Cut both "
                                                                  "lists at the same rank."),
                tolerance=0.002,
            ),
            "nDCG may fall and rise again down the list, because the ideal list collects its gain early and then "
            "waits.",
            _PAGE, state,
            (
                compared("Ideal DCG", printed["idcg"], table.idcg, 2, errata[1].replace("idcg", "IDCG")),
                compared("nDCG", printed["ndcg"], table.ndcg, 2, errata[0]),
            ),
        ),
        Step(
            "An ideal without the misses",
            "A search returns documents of the grades 1, 0, 0. It missed two of grade 3.",
            count(
                "What is its nDCG at rank 3 if the ideal list is made of its own three documents?", bare.ndcg[-1],
                "Sorted, the list stays as it is: it is its own ideal, and nDCG is 1.",
                ("whole collection", float(whole.ndcg[-1]), "That is nDCG against the whole collection. Here the "
                                                            "ideal holds only what was retrieved."),
                ("share of grades", 1 / 3, "You compared with the highest grade. The ideal list here holds no "
                                           "document of grade 3."),
                ("none", 0.0, "The one document with a grade stands at rank 1, so there is some gain."),
                tolerance=0.005,
            ),
            f"Against all judged documents nDCG is {number_text(float(whole.ndcg[-1]))}. An ideal cut to the "
            f"retrieved documents gives a search full marks for finding little.",
            _PAGE, state,
        ),
    )  # fmt: skip
    return Story(
        "dcg-classic-10",
        "The original DCG",
        "Graded retrieval",
        "Do two programs mean the same DCG?",
        worked["source"],
        steps,
    )


STORIES = (_pool(), _classic())
