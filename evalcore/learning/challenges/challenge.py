"""Challenges: questions with drawn numbers, the textbook's for seed 0 and others for each student; of classifiers."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, averages
from evalcore.learning import questions
from evalcore.learning.questions import Answer, Mark, Number, Question, Settings, Values, Wrong, near, value_of
from evalcore.readers import read_sample
from evalcore.registry import find
from evalcore.wording import count_text, number_text, share_text, value_text

__all__ = ["CHALLENGES", "ROUNDING", "TOPICS", "Challenge", "Draw", "challenge", "clash_of", "number"]
__all__ += ["question_of"]

Option = TypeVar("Option")
ROUNDING = "rounding"
_CLOSE = "Nearly. Give as many digits as the question asks for, and round only at the end."

TOPICS = {
    "tables": "2×2 table", "scores": "Scores and thresholds", "classes": "Several classes",
    "rankings": "Ranked lists", "estimates": "Agreement and errors",
}  # fmt: skip
"""Names of the topics, in the order in which they are offered."""


class Draw:
    """The numbers of one variant of a challenge: those of the textbook for seed 0, else drawn."""

    def __init__(self, challenge: str, seed: int) -> None:
        self._random = random.Random(f"{challenge} {seed}") if seed else None

    def whole(self, book: int, lowest: int, highest: int, step: int = 1) -> int:
        """A whole number from the lowest to the highest."""
        return self.one_of(book, range(lowest, highest + 1, step))

    def one_of(self, book: Option, options: Sequence[Option]) -> Option:
        """Choose one of some options."""
        return book if self._random is None else options[int(self._random.random() * len(options))]

    def shuffled(self, book: Sequence[Option]) -> list[Option]:
        """Shuffle the options."""
        return list(book) if self._random is None else sorted(book, key=lambda _: self._random.random())  # type: ignore[union-attr]


@dataclass(frozen=True)
class Challenge:
    """A question that the application checks, of a topic that is a key of `TOPICS`."""

    id: str
    title: str
    topic: str
    make: Callable[[Draw], Question]

    @lru_cache(maxsize=256)  # noqa: B019 (challenges live as long as the program)
    def question(self, seed: int = 0) -> Question:
        """The question with the numbers of a seed, drawn until no wrong way leads to the answer of another way."""
        draw = Draw(self.id, seed)
        for _ in range(2_000):
            question = self.make(draw)
            if not (clash := clash_of(question)):
                return question
        raise RuntimeError(f"Challenge {self.id}, seed {seed}: {clash}. Change its numbers, or what is recognised.")


Asked = tuple[Any, ...]
"""Values that stand in the texts of a challenge, its answer, its wrong ones (code, test, example), and settings."""

CHALLENGES: dict[str, Challenge] = {}
"""All challenges by id, in the order in which they are offered."""


def challenge(id: str) -> Callable[[Callable[[Draw], Asked]], None]:
    """Add the function that draws and asks to the challenges; its texts stand in ``challenges.toml``."""

    def add(make: Callable[[Draw], Asked]) -> None:
        texts = questions.texts_of("challenges.toml")[id]
        CHALLENGES[id] = Challenge(id, texts["title"], texts["topic"], lambda draw: question_of(id, texts, *make(draw)))

    return add


def clash_of(question: Question) -> str:
    """Two answers that cannot be distinguished, in words; empty if each example is recognised as its own mistake."""
    answer = question.answer
    if not answer.right(answer.solution):
        return f"the solution {answer.text(answer.solution)} counts as wrong"
    written = {one.code: f"“{one.code}” ({answer.text(answer.read(one.example))})" for one in question.misconceptions}
    for one in question.misconceptions:
        ruling = question.rule(one.example)
        if ruling.correct:
            return f"{written[one.code]} is taken for the solution ({answer.text(answer.solution)})"
        if ruling.code != one.code:
            return f"{written[one.code]} is taken for {written.get(ruling.code, 'no known mistake')}"
    return ""


def question_of(
    id: str, texts: Mapping[str, Any], values: Mapping[str, Any], answer: Answer, wrong: Wrong,
    settings: Settings | None = None,
) -> Question:  # fmt: skip
    """Question of a challenge with its texts, into which the values are filled."""
    if isinstance(answer, Values):
        answer = replace(answer, rule=id, known={name: value for name, value in values.items() if _is_known(value)})
    hinted, settings = {**texts, "hints": texts["hints"] | {ROUNDING: _CLOSE}}, settings or texts.get("settings")
    return questions.written_question(hinted, values, answer, wrong, texts.get("page", ""), settings)


def _is_known(value: Any) -> bool:
    """Whether a value is a finite number or some of them."""
    some = value if isinstance(value, (tuple, list)) else [value]
    return all(isinstance(one, (int, float)) and math.isfinite(one) for one in some)


def built(
    values: Mapping[str, Any], names: Sequence[str], right: Callable[[Any], bool], solution: Sequence[float],
    wrong: Mapping[str, tuple[Callable[[Any], bool], Any]], settings: Settings | None = None, **look: Any,
) -> Asked:  # fmt: skip
    """Ask for a construction; each kind of wrong one has, by its code, the test that recognises it and an example."""
    answer = Values(tuple(names), right, solution, **look)
    return values, answer, [(code, *kind) for code, kind in wrong.items()], settings


def marked(
    values: Mapping[str, Any], point: tuple[float, float], axes: tuple[str, str], wrong: Mapping[str, Sequence[float]]
) -> Asked:
    """Ask for a point of a plane."""
    return values, Mark(point, axes=axes), [(code, near(at, 0.05), at) for code, at in wrong.items()]


def written(names: Sequence[str], values: Sequence[float]) -> list[tuple[str, str]]:
    """Measures and their values as text."""
    return [(name, number_text(value)) for name, value in zip(names, values, strict=True)]


def number(
    values: Mapping[str, Any], value: float, wrong: Mapping[str, float], is_share: bool = True, percent: bool = True,
    tolerance: float = 0.005, settings: Settings | None = None,
) -> Asked:  # fmt: skip
    """Ask for one number; slips are recognised by their numbers, read as percent where a share is above 1."""
    answer = Number(value, is_share, tolerance, percent)
    # How near a number above 1 has to be typed, once it is read as percent.
    reach = {code: 0.0005 if is_share and one > 1 else tolerance for code, one in wrong.items()}
    known = [(code, near(answer.read(one), reach[code]), one) for code, one in wrong.items()]
    # Last, so that it stands back behind a wrong way that happens to end close by.
    close = value + (-2 if value > 0.5 else 2) * tolerance
    return values, answer, [*known, (ROUNDING, near(value, 4 * tolerance), close)], settings


Numbers = Sequence[float]


def table_text(counts: ConfusionCounts) -> str:
    """Markdown of the 2×2 table of a test for an illness, actual classes in rows."""
    tp, fp, fn, tn = (count_text(float(cell)) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    heads = "| | test positive | test negative |\n|---|---:|---:|"
    return f"{heads}\n| **ill** | {tp} | {fn} |\n| **healthy** | {fp} | {tn} |"


def on_page(cells: Numbers) -> dict[str, str]:
    """The settings that show four counts on the page of the 2×2 table."""
    return {"cells": ",".join(f"{cell:g}" for cell in cells)}


def cells_of(counts: ConfusionCounts) -> dict[str, str]:
    """The settings that show these counts on the page of the 2×2 table."""
    return on_page([float(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)])


def drawn_test(draw: Draw) -> ConfusionCounts:
    """A test of a rare illness; in the textbook, the cancer test."""
    tp, fn = draw.whole(20, 12, 60), draw.whole(10, 4, 30)
    fp, tn = draw.whole(180, 80, 400, 10), draw.whole(1820, 900, 2900, 20)
    return ConfusionCounts(tp, fp, fn, tn)


@challenge("precision")
def _precision(draw: Draw) -> Asked:
    counts = drawn_test(draw)
    tp, alarms, table = float(counts.tp), float(counts.predicted_positives), table_text(counts)
    ppv = tp / alarms
    others = {"recall": "recall", "complement": "false discovery rate", "accuracy": "accuracy", "npv": "npv"}
    wrong = {code: value_of(counts, name) for code, name in others.items()}
    wrong["share of all"] = tp / float(counts.total)
    return number(locals(), ppv, wrong, settings=cells_of(counts))


@challenge("false_positive_rate")
def _false_positive_rate(draw: Draw) -> Asked:
    counts = drawn_test(draw)
    fp, healthy, table = float(counts.fp), float(counts.actual_negatives), table_text(counts)
    rate = fp / healthy
    wrong = {name: value_of(counts, name) for name in ("specificity", "false discovery rate")}
    wrong |= {"share of all": fp / float(counts.total), "miss rate": 1 - value_of(counts, "recall")}
    return number(locals(), rate, wrong, tolerance=0.0005, settings=cells_of(counts))


@challenge("ppv_below_half")
def _ppv_below_half(draw: Draw) -> Asked:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 25) / 100
    answer, recall_percent, specificity_percent = fpr / (tpr + fpr), 100 * tpr, 100 * (1 - fpr)
    wrong = {
        "false positive rate": fpr, "complement": 1 - answer,
        "specificity for its complement": (1 - fpr) / (1 - fpr + tpr), "half": 0.5,
        "misses for hits": fpr / (1 - tpr + fpr),
    }  # fmt: skip
    cells = on_page((1000 * tpr, 1000 * fpr, 1000 - 1000 * tpr, 1000 - 1000 * fpr))
    return number(locals(), answer, wrong, tolerance=0.0015, settings=cells)


@challenge("post_test")
def _post_test(draw: Draw) -> Asked:
    tpr, fpr = draw.whole(85, 60, 98) / 100, draw.whole(5, 2, 20) / 100
    before = draw.whole(10, 4, 30) / 100
    ratio, odds = tpr / fpr, before / (1 - before)
    after = ratio * odds
    recall_percent, specificity_percent, before_percent = 100 * tpr, 100 * (1 - fpr), 100 * before
    not_before, both_odds, probability = 1 - before, 1 + after, after / (1 + after)
    wrong = {
        "odds": after, "ratio times probability": ratio * before,
        "probability as odds": ratio * before / (1 + ratio * before), "recall": tpr, "no test": before,
    }  # fmt: skip
    return number(locals(), probability, wrong)


@challenge("always_no")
def _always_no(draw: Draw) -> Asked:
    ill, miss, alarm = draw.whole(15, 5, 60), draw.whole(10, 3, 40), draw.whole(1, 1, 5)
    cost = ill * miss
    wrong = {
        "no cost per miss": ill, "always yes": (1000 - ill) * alarm, "both errors": cost + (1000 - ill) * alarm,
        "per person": cost / 1000,
    }  # fmt: skip
    settings = on_page((0, 0, ill, 1000 - ill)) | {"miss": str(miss), "alarm": str(alarm)}
    return number(locals(), cost, wrong, is_share=False, tolerance=0.001, settings=settings)


@challenge("cost_threshold")
def _cost_threshold(draw: Draw) -> Asked:
    ratio = draw.whole(10, 3, 24)
    answer = 1 / (1 + ratio)
    wrong = {"complement": 1 - answer, "odds": 1 / ratio, "half": 0.5}
    return number(locals(), answer, wrong, percent=False, tolerance=0.001)


def of_cells(name: str, cells: Numbers) -> float:
    """Compute a measure of four cells; nan where it is undefined."""
    return value_of(ConfusionCounts(*cells), name)  # type: ignore[arg-type]


def built_table(
    values: Mapping[str, Any], satisfies: Callable[[Numbers], bool], solution: Numbers, names: Sequence[str],
    wrong: Mapping[str, tuple[Callable[[Numbers], bool], Numbers]],
) -> Asked:  # fmt: skip
    """Ask for a table of four counts with some property; the named measures follow while it is typed."""

    def numbers(cells: Numbers) -> list[tuple[str, str]]:
        return [(name, value_text(find(name), of_cells(name, cells))) for name in names]

    cells = ("TP", "FP", "FN", "TN")
    return built(values, cells, satisfies, solution, wrong, on_page, highest=1_000_000, numbers=numbers)


@challenge("accuracy_paradox")
def _accuracy_paradox(draw: Draw) -> Asked:
    target = draw.whole(990, 955, 998) / 1000

    def right(cells: Numbers) -> bool:
        return of_cells("accuracy", cells) >= target - 1e-12 and of_cells("recall", cells) == 0

    wrong = {
        "no positives": (lambda cells: cells[0] + cells[2] == 0, (0, 0, 0, 1000)),
        "hits left": (lambda cells: cells[0] > 0, (1, 0, 9, 9990)),
        "false alarms": (lambda cells: cells[1] >= cells[2], (0, 500, 10, 9490)),
        "balanced": (lambda cells: cells[3] < 9 * cells[2], (0, 0, 50, 50)),
    }
    return built_table(locals(), right, (0, 0, 10, 9990), ("Accuracy", "Recall", "Precision"), wrong)


@challenge("kappa_paradox")
def _kappa_paradox(draw: Draw) -> Asked:
    target = draw.whole(90, 84, 96) / 100
    misses = round(1000 * (1 - target)) // 2
    both_no = max(1, round(misses**2 / (1000 - 2 * misses)))
    both_yes, percent, agreements = 1000 - 2 * misses - both_no, 100 * target, 1000 - 2 * misses

    def right(cells: Numbers) -> bool:
        return of_cells("accuracy", cells) >= target - 1e-12 and abs(of_cells("cohen_kappa", cells)) <= 0.05

    wrong = {
        "one class only": (lambda cells: math.isnan(of_cells("cohen_kappa", cells)), (100, 0, 0, 0)),
        "balanced": (lambda cells: of_cells("cohen_kappa", cells) > 0.05, (470, 30, 30, 470)),
        "opposites": (lambda cells: of_cells("cohen_kappa", cells) < -0.05, (10, 45, 45, 0)),
        "too few agreements": (lambda cells: of_cells("accuracy", cells) < target, (25, 25, 25, 25)),
    }
    return built_table(locals(), right, (both_yes, misses, misses, both_no), ("Accuracy", "Cohen's kappa"), wrong)


@challenge("f1_without_mcc")
def _f1_without_mcc(draw: Draw) -> Asked:
    target = draw.whole(90, 80, 96) / 100

    def right(cells: Numbers) -> bool:
        return of_cells("f_beta", cells) >= target - 1e-12 and of_cells("matthews_correlation", cells) <= 0.1

    wrong = {
        "undefined": (lambda cells: math.isnan(of_cells("matthews_correlation", cells)), (950, 50, 0, 0)),
        "good test": (lambda cells: of_cells("f_beta", cells) >= target, (950, 20, 20, 950)),
        "rare positives": (lambda cells: cells[0] + cells[2] <= cells[1] + cells[3], (10, 10, 10, 100)),
        "too many errors": (lambda cells: cells[0] < 5 * (cells[1] + cells[2]), (50, 30, 15, 2)),
    }
    return built_table(locals(), right, (970, 15, 15, 0), ("F1", "MCC", "Accuracy"), wrong)


@challenge("simpson")
def _simpson(draw: Draw) -> Asked:
    easy_a, hard_a = draw.whole(93, 90, 96), draw.whole(73, 66, 76)
    easy_b, hard_b = draw.whole(87, 82, 89), draw.whole(69, 55, 65)

    def overall(share: float, easy: int, hard: int) -> float:
        return (share * easy + (100 - share) * hard) / 1e4

    def gap(mix: Numbers) -> float:
        return overall(mix[1], easy_b, hard_b) - overall(mix[0], easy_a, hard_a)

    def numbers(mix: Numbers) -> list[tuple[str, str]]:
        recalls = (overall(mix[0], easy_a, hard_a), overall(mix[1], easy_b, hard_b))
        return [("Recall of A", share_text(recalls[0])), ("Recall of B", share_text(recalls[1]))]

    recall_a, recall_b = overall(10, easy_a, hard_a), overall(90, easy_b, hard_b)
    wrong = {
        "same mix": (lambda mix: mix[0] == mix[1], (50, 50)),
        "wrong way": (lambda mix: mix[0] > mix[1], (90, 10)),
        "not enough": (lambda mix: gap(mix) < 0.05, (50, 60)),
    }
    names = ("Easy cases of A", "Easy cases of B")
    return built(locals(), names, lambda mix: gap(mix) >= 0.05 - 1e-12, (10, 90), wrong, highest=100, numbers=numbers)


@challenge("random_test")
def _random_test(draw: Draw) -> Asked:
    share = draw.one_of(30, (15, 20, 25, 35, 70, 75, 80)) / 100
    ill = draw.one_of(20, (10, 30)) / 100
    ill_percent, share_percent = 100 * ill, 100 * share
    wrong = {
        "complement": (share, 1 - share), "shares of all": (share * (1 - ill), share * ill), "middle": (0.5, 0.5),
        "corner": (0, 0), "swapped classes": (1 - share, share),
    }  # fmt: skip
    return marked(locals(), (share, share), ("FPR", "TPR"), wrong)


@cache
def tumours() -> ScoredLabels:
    """The scores of the sample of tumours."""
    arrays = read_sample("breast_cancer").scored_arrays("logistic_regression")
    return ScoredLabels.from_arrays(arrays.labels, arrays.scores)


@challenge("reach_both")
def _reach_both(draw: Draw) -> Asked:
    # the usual guess of ½ meets none of them
    least_recall, least_precision = draw.one_of((0.9, 0.6), ((0.95, 0.85), (0.94, 0.95), (0.92, 0.97), (0.97, 0.9)))
    scored, of_scores = tumours(), {"data": "breast_cancer", "system": "logistic_regression"}
    positives, table = float(scored.positives), scored.table()

    def alarms(typed: Numbers) -> float:
        return float(scored.counts_at(float(typed[0])).predicted_positives)

    def rates(typed: Numbers) -> tuple[float, float]:
        hits, called = float(scored.counts_at(float(typed[0])).tp), alarms(typed)
        return hits / positives, hits / called if called else math.nan

    def right(typed: Numbers) -> bool:
        recall, precision = rates(typed)
        return recall >= least_recall and precision >= least_precision

    kept = [float(one) for one in table.thresholds[1:] if right((float(one),))]
    solution, lowest, highest = sorted(kept)[len(kept) // 2], min(kept), max(kept)
    recall, precision = rates((solution,))
    thresholds, found, called = (
        column[1:].tolist() for column in (table.thresholds, table.counts.tp, table.counts.predicted_positives)
    )
    wrong = {
        "percent": (lambda typed: typed[0] > 1, (50,)),
        "too high": (lambda typed: rates(typed)[0] < least_recall and rates(typed)[1] >= least_precision, (0.7,)),
        "too low": (lambda typed: rates(typed)[0] >= least_recall and rates(typed)[1] < least_precision, (0.01,)),
    }
    return built(
        locals(), ("Threshold",), right, (solution,), wrong, lambda typed: of_scores | {"t": f"{float(typed[0]):g}"},
        highest=100, whole=False, numbers=lambda typed: [("Called malignant", f"{alarms(typed):g} of 569")],
    )  # fmt: skip


@challenge("auc_with_ties")
def _auc_with_ties(draw: Draw) -> Asked:
    book = ((0.95, 0.93, 0.85, 0.53, 0.25), (0.87, 0.85, 0.85, 0.76, 0.43))
    grid = [step / 10 for step in range(1, 10)]
    positive, negative = (sorted((draw.one_of(one, grid) for one in side), reverse=True) for side in book)
    pairs = [(one, other) for one in positive for other in negative]
    wins, ties = sum(one > other for one, other in pairs), sum(one == other for one, other in pairs)
    everything = len(pairs)
    area = value_of(ScoredLabels.from_arrays([True] * 5 + [False] * 5, [*positive, *negative]), "roc_auc")
    positives, negatives = (", ".join(f"{score:g}" for score in side) for side in (positive, negative))
    wrong = {
        "ties win": (wins + ties) / everything, "ties lose": wins / everything, "inverted": 1 - area,
        "ties left out": wins / (everything - ties) if everything > ties else math.nan,
    }  # fmt: skip
    return number(locals(), area, wrong, is_share=False)


def _before_first_alarm(ranks: Numbers) -> int:
    """Positives above the best negative, of a list of eight with positives at these ranks."""
    negatives = set(range(1, 9)) - {int(rank) for rank in ranks}
    return sum(rank < min(negatives) for rank in ranks)


def _area(ranks: Numbers) -> float:
    """AUC of a list of eight with positives at four ranks."""
    return value_of(ScoredLabels.from_arrays([rank in ranks for rank in range(1, 9)], range(8, 0, -1)), "roc_auc")


@challenge("same_auc")
def _same_auc(draw: Draw) -> Asked:
    others = ((2, 3, 4, 6), (2, 3, 5, 6), (2, 4, 5, 6), (2, 3, 4, 7), (2, 3, 5, 7), (2, 4, 5, 7))
    first = draw.one_of((2, 3, 4, 5), others)
    area = _area(first)
    lists = combinations(range(1, 9), 4)  # of four positives among eight
    solution = next(one for one in lists if math.isclose(_area(one), area) and _before_first_alarm(one) >= 2)

    def distinct(ranks: Numbers) -> bool:
        return len(set(ranks)) == 4

    def right(ranks: Numbers) -> bool:
        return distinct(ranks) and math.isclose(_area(ranks), area) and _before_first_alarm(ranks) >= 2

    def numbers(ranks: Numbers) -> list[tuple[str, str]]:
        if not distinct(ranks):
            return [("AUC", "four different ranks")]
        found = _before_first_alarm(ranks)
        return [("AUC", number_text(_area(ranks))), ("Recall before the first false alarm", share_text(found / 4))]

    found = _before_first_alarm(solution)
    wrong = {
        "same rank twice": (lambda ranks: not distinct(ranks), (1, 2, 2, 8)),
        "better everywhere": (lambda ranks: _area(ranks) > area + 1e-9, (1, 2, 3, 4)),
        "worse on the whole": (lambda ranks: _area(ranks) < area - 1e-9, (5, 6, 7, 8)),
        "not at the top": (lambda ranks: _before_first_alarm(ranks) < 2, first),
    }
    names = [f"Positive {place}" for place in (1, 2, 3, 4)]
    return built(locals(), names, right, solution, wrong, lowest=1, highest=8, numbers=numbers)


@challenge("useless_at_half")
def _useless_at_half(draw: Draw) -> Asked:
    cut = draw.one_of(50, (30, 40, 45, 55, 60, 70)) / 100

    def of(scores: Numbers) -> tuple[float, float]:
        """The AUC of the scores, and how many of them are called positive."""
        scored = ScoredLabels.from_arrays([True] * 3 + [False] * 3, scores)
        return value_of(scored, "roc_auc"), float(scored.counts_at(cut).predicted_positives)

    def right(scores: Numbers) -> bool:
        area, called = of(scores)
        return area == 1 and called in (0, 6)

    def numbers(scores: Numbers) -> list[tuple[str, str]]:
        area, called = of(scores)
        return [("AUC", number_text(area)), (f"Called positive at {cut:g}", f"{called:g}")]

    low = [round(cut * share, 3) for share in (0.9, 0.8, 0.7, 0.3, 0.2, 0.1)]
    wrong = {
        "turned round": (lambda scores: of(scores)[0] == 0, low[::-1]),
        "all the same": (lambda scores: len(set(scores)) == 1, (0.1,) * 6),
        "order": (lambda scores: of(scores)[0] < 1, (0.1, 0.2, 0.3, 0.25, 0.15, 0.05)),
        "works": (lambda scores: of(scores)[1] == 3, (0.9, 0.91, 0.92, 0.1, 0.11, 0.12)),
        "still something": (lambda scores: True, (0.9, 0.2, 0.15, 0.1, 0.05, 0.01)),
    }
    names = [f"{kind} {place}" for kind in ("Positive", "Negative") for place in (1, 2, 3)]
    return built(locals(), names, right, low, wrong, highest=1, whole=False, numbers=numbers)


@challenge("invert")
def _invert(draw: Draw) -> Asked:
    tpr, fpr = draw.whole(40, 10, 45, 5) / 100, draw.whole(80, 55, 90, 5) / 100
    other_tpr, other_fpr = 1 - tpr, 1 - fpr
    wrong = {
        "swapped axes": (tpr, fpr), "only TPR": (fpr, other_tpr), "only FPR": (other_fpr, tpr),
        "unchanged": (fpr, tpr),
    }  # fmt: skip
    return marked(locals(), (other_fpr, other_tpr), ("FPR", "TPR"), wrong)


def drawn_matrix(draw: Draw) -> tuple[ConfusionMatrix, str]:
    """Three classes, actual ones in rows, and their text; in the textbook, the matrix of cats, fish and hens."""
    names, book = ("cat", "fish", "hen"), ((4, 1, 1), (6, 2, 2), (3, 0, 6))
    counts = np.array([[draw.whole(cell, 0, 9) for cell in row] for row in book], dtype=float)
    heads = " | ".join(f"predicted {name}" for name in names)
    lines = zip(names, counts, strict=True)
    rows = (f"| **actual {name}** | {a:g} | {b:g} | {c:g} |" for name, (a, b, c) in lines)
    return ConfusionMatrix(names, counts), f"| | {heads} |\n|---|---:|---:|---:|\n" + "\n".join(rows)


@challenge("macro_precision")
def _macro_precision(draw: Draw) -> Asked:
    matrix, table = drawn_matrix(draw)
    answer, mean = value_of(matrix, "macro_precision"), averages(matrix, find("precision"))
    right, called = np.diag(matrix.counts), matrix.counts.sum(axis=0)
    parts = " + ".join(f"{hits:g}/{all_:g}" for hits, all_ in zip(right, called, strict=True))
    recall, f1 = value_of(matrix, "macro_recall"), value_of(matrix, "macro_f1")
    wrong = {"recall": recall, "micro": mean.micro, "weighted": mean.weighted, "f1": f1}
    return number(locals(), answer, wrong)


@challenge("micro_f1")
def _micro_f1(draw: Draw) -> Asked:
    matrix, table = drawn_matrix(draw)
    mean = averages(matrix, find("f_beta"))
    right, everything = float(np.trace(matrix.counts)), float(matrix.counts.sum())
    errors, share = everything - right, right / everything
    wrong = {
        "macro": mean.macro, "errors once": 2 * right / (right + everything),
        "jaccard": right / (right + 2 * errors), "error rate": 1 - share,
    }  # fmt: skip
    return number(locals(), mean.micro, wrong, percent=False)


@challenge("macro_up_micro_down")
def _macro_up_micro_down(draw: Draw) -> Asked:
    large = draw.whole(90, 75, 94)
    small, right_large, right_small = 100 - large, draw.whole(81, 60, 70), draw.whole(2, 1, 3)
    micro, worth = right_large + right_small, large / small

    def fits(right: Numbers) -> bool:
        return right[0] <= large and right[1] <= small

    def macro(right: Numbers) -> float:
        return (right[0] / large + right[1] / small) / 2

    before = macro((right_large, right_small))

    def satisfied(right: Numbers) -> bool:
        return fits(right) and macro(right) >= before + 0.05 - 1e-12 and sum(right) < micro

    def numbers(right: Numbers) -> list[tuple[str, str]]:
        if not fits(right):
            return [("Rows", f"at most {large} and {small}")]
        return [("Macro recall", share_text(macro(right))), ("Micro recall", share_text(sum(right) / 100))]

    solution = (right_large - (small - right_small) - 1, small)
    solution_macro, solution_micro = macro(solution), sum(solution)
    fewer = right_large - (3 if small > 12 else large // 10)
    wrong = {
        "too many": (lambda right: not fits(right), (large, small + 1)),
        "both up": (lambda right: macro(right) > before and sum(right) >= micro, (right_large, small)),
        "wrong class": (lambda right: macro(right) <= before and right[1] <= right_small, (large, 0)),
        "not enough": (lambda right: macro(right) < before + 0.05 and right[1] > right_small, (fewer, right_small + 1)),
    }
    names = ("Right in X", "Right in Y")
    return built(locals(), names, satisfied, solution, wrong, highest=100, numbers=numbers)
