"""The codes of findings, each with the pages whose numbers such a finding changes; these repeat a warning.

A page that says the same in its own place is left out: all pages of rows count those that they leave out, the page of
classes offers to merge spellings, and the pages of scores offer to turn them round.
"""

__all__ = ["CONCERNS"]

_SCORES = ("classify/threshold", "classify/curves")
_ANSWERS = ("classify/confusion", "classify/classes", "classify/compare")
_PROBABILITIES = ("classify/probabilities",)
_LABELS = ("classify/multilabel",)
_CLASSIFY = (*_SCORES, *_ANSWERS, *_PROBABILITIES, *_LABELS)
_RETRIEVE = ("retrieve/sets", "retrieve/ranking", "retrieve/graded", "retrieve/compare")
_ROWS = (*_CLASSIFY, "estimate/regression")

CONCERNS: dict[str, tuple[str, ...]] = {
    "bad counts": _ANSWERS,
    "bad weights": _ROWS,
    "bad labels": _LABELS,
    "class without probability": _PROBABILITIES,
    "class without rows": (),
    "codes": _ROWS,
    "confidence": _SCORES,
    "copied truth": ("estimate/regression",),
    "copies": _ROWS,
    "counted rows": (),
    "different rows": ("classify/compare",),
    "direction": (),
    "equal numbers": ("estimate/regression",),
    "equal scores": (*_SCORES, "classify/compare", *_RETRIEVE),
    "header rows": (),
    "faces": (),
    "fractions": _ANSWERS,
    "guessed truth": (),
    "infinite": _RETRIEVE,
    "label without rows": (*_SCORES, *_LABELS),
    "long": (*_SCORES, *_ANSWERS),
    "many classes": _SCORES,
    "many systems": (),
    "margins": (),
    "marked numbers": (),
    "marks": (),
    "matrix rows": (),
    "missing": _RETRIEVE,
    "missing counts": _ANSWERS,
    "no common label": _ANSWERS,
    "no counts": _ANSWERS,
    "no faces": (),
    "no grades": _RETRIEVE,
    "no group": (*_SCORES, "classify/classes", "classify/compare"),
    "no header": _ROWS,
    "no label": _CLASSIFY,
    "no match": _RETRIEVE,
    "no page": (),
    "no probability": _PROBABILITIES,
    "no predicted label": (),
    "no roles": (),
    "no true label": (),
    "not in 0 … 1": (),
    "no weight": (),
    "nothing relevant": _RETRIEVE,
    "one class": _CLASSIFY,
    "perfect": (*_SCORES, "classify/confusion", "classify/compare"),
    "positive class": (),
    "queries without judgments": _RETRIEVE,
    "queries without list": _RETRIEVE,
    "renamed column": (),
    "rounded probabilities": (),
    "rounded scores": (*_SCORES, "classify/compare"),
    "rows together": (),
    "scale": (),
    "several truths": (*_SCORES, *_ANSWERS),
    "shares": _ANSWERS,
    "spellings": (*_SCORES, "classify/confusion", "classify/compare", *_PROBABILITIES, *_LABELS),
    "sums": _PROBABILITIES,
    "swapped labels": _ANSWERS,
    "tied scores": (),
    "unexplained prediction": ("classify/confusion",),
    "unknown labels": _LABELS,
    "unnamed column": (),
    "unpaired columns": _LABELS,
    "unscored labels": _LABELS,
    "unusable": _RETRIEVE,
    "unused scores": (),
    "words": (),
    "worse than chance": ("classify/confusion", "classify/compare"),
}
"""The pages that each code concerns, by section and name; none where no number follows from it."""
