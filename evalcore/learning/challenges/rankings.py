"""Challenges of ranked lists: what each measure counts, at which ranks, and what it ignores."""

import math
from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np

from evalcore.learning.challenges.challenge import Draw, built_question, challenge, number_question, written
from evalcore.learning.questions import Question, Values
from evalcore.retrieval import Judgments, Run, evaluate
from evalcore.wording import number_text, share_text

BOOK_RANKS = (1, 2, 4, 6, 13)
"""Ranks of the relevant documents in the textbook's list of 14."""


def values_of(grades: Sequence[float], names: Sequence[str], missing: Sequence[float] = ()) -> list[float]:
    """Measures of a list of documents by their grades in this order; the missing ones are judged and not retrieved."""
    return values_of_lists([grades], names, missing)[0]


def values_of_lists(
    lists: Sequence[Sequence[float]], names: Sequence[str], missing: Sequence[float] = ()
) -> list[list[float]]:
    """Compute measures of several lists of one length."""
    length, everything = len(lists[0]), len(lists[0]) + len(missing)
    documents = [f"d{place:02}" for place in range(everything)]
    queries = [f"q{place:03}" for place in range(len(lists))]
    judgments = Judgments.from_arrays(
        [query for query in queries for _ in range(everything)],
        documents * len(lists),
        [grade for one in lists for grade in (*one, *missing)],
    )
    scores = list(range(length, 0, -1)) * len(lists)
    run = Run.from_arrays([query for query in queries for _ in range(length)], documents[:length] * len(lists), scores)
    values = evaluate(judgments, run, names).values
    return np.transpose([values[name] for name in names]).tolist()


def _drawn_ranks(draw: Draw) -> list[int]:
    """Ranks of five relevant documents among 14."""
    ranks = [draw.whole(book, low, high) for book, low, high in
             zip(BOOK_RANKS, (1, 2, 4, 6, 10), (2, 3, 5, 9, 14), strict=True)]  # fmt: skip
    return sorted(set(ranks))


def list_of(ranks: Sequence[float], length: int) -> list[float]:
    """The grades of a list that has its relevant documents at these ranks."""
    return [float(rank in ranks) for rank in range(1, length + 1)]


@challenge("r_precision", "R-precision is not P@10", "rankings")
def _r_precision(draw: Draw) -> Question:
    ranks = _drawn_ranks(draw)
    relevant = len(ranks)
    grades = list_of(ranks, 14)
    r_precision, average, at_10, recall_10 = values_of(grades, ("Rprec", "AP", "P@10", "R@10"))
    found = sum(rank <= relevant for rank in ranks)
    return number_question(
        f"A search returns 14 documents. The relevant ones are at ranks {', '.join(map(str, ranks))}; there are no "
        "others in the collection. What is the **R-precision**?",
        r_precision,
        [
            ("p at 10", at_10, "That is P@10. R-precision cuts the list at a rank that depends on the query: which "
             "one?"),
            ("recall at 10", recall_10, "That is the recall at rank 10. R-precision is a precision at an earlier "
             "rank."),
            ("whole list", relevant / 14, "That is the precision of the whole list. Where does R-precision cut it?"),
            ("average precision", average, "That is the average precision. R-precision looks at a single rank."),
        ],
        f"R = {relevant} documents are relevant, and {found} of the first {relevant} ranks hold one: "
        f"{found}/{relevant} = {number_text(r_precision)}. At this rank precision and recall are equal.",
        page="retrieve/ranking", settings={"data": "ranking_14"},
    )  # fmt: skip


@challenge("interpolated_precision", "Interpolated precision", "rankings")
def _interpolated_precision(draw: Draw) -> Question:
    ranks = _drawn_ranks(draw)
    level = draw.one_of(7, (3, 5, 7)) / 10
    relevant, grades = len(ranks), list_of(ranks, 14)
    (answer,) = values_of(grades, (f"IPrec@{level:g}",))
    precisions = [place / rank for place, rank in enumerate(ranks, 1)]
    needed = math.ceil(round(level * relevant, 9))
    share = level * relevant - (needed - 1)
    before, at = ([1.0, *precisions][needed - 1], precisions[needed - 1])
    return number_question(
        f"A search returns 14 documents. The relevant ones are at ranks {', '.join(map(str, ranks))}; there are no "
        f"others. What is the **interpolated precision at a recall of {level:g}**, two decimals?",
        answer,
        [
            ("straight line", before + share * (at - before),
             "You drew a straight line between two points. Interpolated precision is a step: the best precision at any "
             "recall at or above the level."),
            ("level before", before, "You stopped at the last point *below* this recall. Only points that reach it "
             "count."),
            ("precision at the level as a rank", sum(rank <= round(10 * level) for rank in ranks) / round(10 * level),
             "You took the level of recall for a rank. How many relevant documents have to be found for this recall?"),
            ("at the end", precisions[-1], "That is the precision once everything is found. The question asks for a "
             "lower recall."),
        ],
        f"A recall of {level:g} needs {needed} of the {relevant} relevant documents. From rank {ranks[needed - 1]} on, "
        f"the best precision is {number_text(answer)}.",
        page="retrieve/ranking", settings={"data": "ranking_14"},
    )  # fmt: skip


@challenge("average_precision", "Average precision and what was never found", "rankings")
def _average_precision(draw: Draw) -> Question:
    ranks = sorted({draw.whole(1, 1, 2), draw.whole(3, 3, 5), draw.whole(6, 6, 9)})
    lost = draw.whole(1, 1, 3)
    (answer,) = values_of(list_of(ranks, 10), ("AP",), [1] * lost)
    terms = [place / rank for place, rank in enumerate(ranks, 1)]
    return number_question(
        f"A search returns ten documents. The relevant ones are at ranks {', '.join(map(str, ranks))}; {lost} more in "
        f"the collection {('is' if lost == 1 else 'are')} relevant and not retrieved. What is the **average "
        "precision**, two decimals?",
        answer,
        [
            ("only found", sum(terms) / 3, "You divided by the documents that were found. What becomes of a relevant "
             "document that never appears?"),
            ("all ranks", sum(terms) / 10, "You divided by the length of the list. Average precision is a mean over "
             "the *relevant* documents."),
            ("reciprocal ranks", sum(1 / rank for rank in ranks) / (3 + lost),
             "You added up 1/rank. At each relevant document take the precision so far: how many of the documents up "
             "to it are relevant?"),
            ("precision", 0.3, "That is the precision of the list. It does not look at the order."),
        ],
        f"({' + '.join((f'{place}/{rank}' for place, rank in enumerate(ranks, 1)))} + {' + '.join('0' * lost)}) / "
        f"{3 + lost} = {number_text(answer)}. What is not retrieved counts 0.",
        is_share=False, page="retrieve/ranking", settings={"data": "ranking_14"},
    )  # fmt: skip


@challenge("ndcg_ideal", "The ideal of nDCG", "rankings")
def _ndcg_ideal(draw: Draw) -> Question:
    grades = draw.shuffled((2, 0, 1, 0, 0))
    missing = draw.one_of(3, (2, 3))
    (answer,) = values_of(grades, ("nDCG@5",), (missing,))

    def dcg(gains: Sequence[float], discounted: bool = True) -> float:
        return sum(gain / (math.log2(rank + 1) if discounted else 1) for rank, gain in enumerate(gains, 1))

    ideal = sorted((*grades, missing), reverse=True)[:5]
    return number_question(
        f"The five documents of a list have the grades {', '.join(map(str, grades))}. One more document of the "
        f"collection has grade {missing}; it was not retrieved. What is **nDCG@5** (gain = grade, discount 1/log₂(rank "
        "+ 1)), two decimals?",
        answer,
        [
            ("ideal of the list", dcg(grades) / dcg(sorted(grades, reverse=True)),
             "Your ideal list holds only what was retrieved. The ideal puts the best *judged* documents first, "
             "wherever they are."),
            ("no discount", dcg(grades, False) / dcg(ideal, False),
             "That is the normalised CG without a discount: it does not look at the order."),
            ("not normalised", dcg(grades), "That is the DCG. Divide by the DCG of the ideal list."),
            ("ideal not discounted", dcg(grades) / dcg(ideal, False),
             "You discounted the list but not the ideal. Both get the same discount."),
        ],
        f"DCG {number_text(dcg(grades))}; the ideal list {', '.join(map(str, ideal))} has {number_text(dcg(ideal))}: "
        f"nDCG {number_text(answer)}.",
        is_share=False, page="retrieve/graded", settings={"data": "graded_10"},
    )  # fmt: skip


@challenge("unjudged", "What unjudged documents could be", "rankings")
def _unjudged(draw: Draw) -> Question:
    marks = [draw.one_of(mark, "RN?") for mark in "RN?R?NR?N?"]
    relevant, unknown = marks.count("R"), marks.count("?")
    return number_question(
        f"The first ten documents of a list are: {' '.join(marks)} (R relevant, N not relevant, ? never judged). What "
        "is the **highest P@10** that this list can truly have?",
        (relevant + unknown) / 10,
        [
            ("unjudged as wrong", relevant / 10, "That is the value that programs print: they count what nobody judged "
             "as not relevant. It is the lowest possible one."),
            ("left out", relevant / (10 - unknown), "You left out the unjudged ones: a condensed list. That is an "
             "estimate, not the highest possible value."),
            ("unjudged alone", unknown / 10, "That is the share of unjudged documents. Some of the others are relevant "
             "as well."),
        ],
        f"If all {unknown} unjudged documents are relevant: ({relevant} + {unknown}) / 10 = "
        f"{share_text((relevant + unknown) / 10)}. The truth lies between {share_text(relevant / 10)} and this.",
        page="retrieve/ranking", settings={"data": "unjudged"},
    )  # fmt: skip


Ranks = Sequence[float]


@challenge("ndcg_up_ap_down", "Better nDCG, worse AP", "rankings")
def _ndcg_up_ap_down(draw: Draw) -> Question:
    first = tuple(
        draw.shuffled(
            draw.one_of((1, 1, 0, 3, 0), ((3, 1, 1, 0, 0), (3, 2, 1, 0, 0), (4, 1, 1, 0, 0), (3, 1, 1, 1, 0)))
        )
    )
    names = ("nDCG@5", "AP")
    orders = sorted(set(permutations(first)))
    known = dict(zip(orders, values_of_lists(orders, names), strict=True))
    ndcg, average = known[first]

    def same(grades: Ranks) -> bool:
        return tuple(grades) in known

    def values(grades: Ranks) -> list[float]:
        return known.get(tuple(grades)) or values_of(grades, names)  # type: ignore[arg-type]

    def right(grades: Ranks) -> bool:
        return same(grades) and values(grades)[0] > ndcg + 1e-9 and values(grades)[1] < average - 1e-9

    def example(wanted: Callable[[Ranks], bool]) -> Ranks:
        """A list of the kind; the solution, which is no example of it, where there is none."""
        return next((one for one in orders if wanted(one)), solution)

    # A's best document has to stand below the first rank, so that it can move up.
    solution = next((one for one in orders[::-1] if right(one) and first[0] < one[0]), first)
    kinds: tuple[tuple[str, Callable[[Ranks], bool], str], ...] = (
        ("both better", lambda one: same(one) and values(one)[0] > ndcg and values(one)[1] > average - 1e-9,
         "Both are at least as good as A’s. Put the best document further up, and let the other relevant ones pay for "
         "it."),
        ("both worse", lambda one: same(one) and values(one)[0] < ndcg + 1e-9 and values(one)[1] < average - 1e-9,
         "AP is lower, but nDCG does not rise. Which document does nDCG reward most at the top?"),
        ("wrong way", lambda one: same(one),
         "AP does not fall. AP counts each relevant document the same, whatever its grade; nDCG does not."),
    )  # fmt: skip
    return built_question(
        f"System A lists five documents with the grades {', '.join(map(str, first))} (AP counts every grade above 0 as "
        f"relevant): nDCG@5 {number_text(ndcg)}, AP {number_text(average)}. Put **the same five** into an order with a "
        "**better nDCG and a worse AP**.",
        Values(
            tuple(f"Rank {rank}" for rank in range(1, 6)), right, solution, highest=9,
            numbers=lambda grades: written(names, values(grades)), ranked=first,
        ),
        (
            ("other documents", lambda one: not same(one), "These are not the same documents: use each of the grades "
             f"{', '.join(map(str, sorted(first)))} once.", (9, 9, 9, 9, 9)),
            *((code, kind, hint, example(kind)) for code, kind, hint in kinds[:2]), (*kinds[2], first),
        ),
        f"{', '.join(map(str, solution))}: the best document moves up (nDCG@5 {number_text(known[solution][0])}), the "
        f"others spread downwards (AP {number_text(known[solution][1])}). AP does not know grades.",
        "retrieve/graded", {"data": "graded_10"},
    )  # fmt: skip


@challenge("rr_ignores_the_rest", "A first hit, and nothing after it", "rankings")
def _rr_ignores_the_rest(draw: Draw) -> Question:
    first = draw.one_of((2, 3, 4), ((2, 3, 5), (2, 4, 5), (3, 4, 5), (2, 3, 6), (3, 4, 6)))
    names = ("RR", "AP")
    reciprocal, average = values_of(list_of(first, 10), names)

    def ranks_of(grades: Sequence[int]) -> list[float]:
        return [rank for rank, grade in enumerate(grades, 1) if grade]

    def distinct(ranks: Ranks) -> bool:
        return len(set(ranks)) == 3

    def values(ranks: Ranks) -> list[float]:
        return values_of(list_of(ranks, 10), names)

    def right(ranks: Ranks) -> bool:
        return distinct(ranks) and values(ranks)[0] > reciprocal and values(ranks)[1] < average

    def numbers(ranks: Ranks) -> list[tuple[str, str]]:
        return written(names, values(ranks)) if distinct(ranks) else [("Ranks", "three different ones")]

    return built_question(
        f"Three documents are relevant. System A has them at ranks {', '.join(map(str, first))} of ten: reciprocal "
        f"rank {number_text(reciprocal)}, average precision {number_text(average)}. At which ranks does a system B "
        "have them with a **higher reciprocal rank and a lower average precision**?",
        Values(
            ("First", "Second", "Third"), right, (1, 9, 10), 1, 10, numbers=numbers,
            ranked=[int(rank in first) for rank in range(1, 11)], of_list=ranks_of,
        ),
        (
            ("same rank twice", lambda ranks: not distinct(ranks),
             "Two documents cannot share a rank. Give three different ranks.", (1, 1, 10)),
            ("both better", lambda ranks: values(ranks)[0] > reciprocal,
             "B is better by both. The reciprocal rank looks at one of the three only: what may happen to the others?",
             (1, 2, 3)),
            ("both worse", lambda ranks: values(ranks)[1] < average,
             "The average precision fell, but the reciprocal rank did not rise. At which rank is B’s first hit?",
             (8, 9, 10)),
            ("no change", lambda ranks: True, "Neither of the two moves the way the question asks.", first),
        ),
        f"Ranks 1, 9, 10: RR 1, AP (1 + 2/9 + 3/10) / 3 = {number_text((1 + 2 / 9 + 0.3) / 3)}. After the first hit, "
        "RR looks at nothing.",
        "retrieve/ranking", {"data": "first_hit"},
    )  # fmt: skip
