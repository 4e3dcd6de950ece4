"""Challenges in which a ranked list is built that two measures disagree about."""

from collections.abc import Callable, Sequence
from itertools import permutations

from evalcore.learning.answers import Values
from evalcore.learning.challenges.challenge import Draw, challenge
from evalcore.learning.challenges.rankings import list_of, values_of, values_of_lists
from evalcore.learning.questions import Misconception, Question
from evalcore.wording import number_text

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

    def numbers(grades: Ranks) -> list[tuple[str, str]]:
        return [(name, number_text(value)) for name, value in zip(names, values(grades), strict=True)]

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
    return Question(
        f"System A lists five documents with the grades {', '.join(map(str, first))} (AP counts every grade above 0 as "
        f"relevant): nDCG@5 {number_text(ndcg)}, AP {number_text(average)}. Put **the same five** into an order with "
        "a **better nDCG and a worse AP**.",
        Values(
            tuple(f"Rank {rank}" for rank in range(1, 6)), right, solution, highest=9, numbers=numbers, ranked=first
        ),
        (
            Misconception(
                "other documents", lambda one: not same(one),
                f"These are not the same documents: use each of the grades {', '.join(map(str, sorted(first)))} once.",
                (9, 9, 9, 9, 9),
            ),
            *(Misconception(code, kind, hint, example(kind)) for code, kind, hint in kinds[:2]),
            Misconception(*kinds[2], first),
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
        if not distinct(ranks):
            return [("Ranks", "three different ones")]
        return [(name, number_text(value)) for name, value in zip(names, values(ranks), strict=True)]

    return Question(
        f"Three documents are relevant. System A has them at ranks {', '.join(map(str, first))} of ten: reciprocal "
        f"rank {number_text(reciprocal)}, average precision {number_text(average)}. At which ranks does a system B "
        "have them with a **higher reciprocal rank and a lower average precision**?",
        Values(
            ("First", "Second", "Third"), right, (1, 9, 10), 1, 10, numbers=numbers,
            ranked=[int(rank in first) for rank in range(1, 11)], of_list=ranks_of,
        ),
        (
            Misconception(
                "same rank twice", lambda ranks: not distinct(ranks),
                "Two documents cannot share a rank. Give three different ranks.", (1, 1, 10),
            ),
            Misconception(
                "both better", lambda ranks: values(ranks)[0] > reciprocal,
                "B is better by both. The reciprocal rank looks at one of the three only: what may happen to the "
                "others?",
                (1, 2, 3),
            ),
            Misconception(
                "both worse", lambda ranks: values(ranks)[1] < average,
                "The average precision fell, but the reciprocal rank did not rise. At which rank is B’s first hit?",
                (8, 9, 10),
            ),
            Misconception("no change", lambda ranks: True, "Neither of the two moves the way the question "
                                                           "asks.", first),
        ),
        f"Ranks 1, 9, 10: RR 1, AP (1 + 2/9 + 3/10) / 3 = {number_text((1 + 2 / 9 + 0.3) / 3)}. After the first hit, "
        "RR looks at nothing.",
        "retrieve/ranking", {"data": "first_hit"},
    )  # fmt: skip
