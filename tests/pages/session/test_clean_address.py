"""What stands in the address is what is on the screen: nonsense and what is for other pages go, what is used stays."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.registry import PAGES
from tests.pages.application import application

ROOT = Path(__file__).parents[3]
FREE = {"search", "search_differences", "data", "find", "runid"}  # any text can stand under these
FIELDS = {"select": 2, "segmented": 2, "number": 1}
"""Fields that are bound to their key, and its place among their arguments."""
READS = ("text", "number", "choice", "names", "put", "put_names")
PARTS = {
    "classify/threshold": ("roc_20", "Two thresholds"),
    "classify/probabilities": ("breast_cancer", "Recalibrate"),
    "classify/compare": ("breast_cancer", "Threshold-free"),
    "retrieve/compare": ("two_methods", "Judgments"),
}
DATA = {
    "start/home": "roc_20",
    "start/data": "roc_20",
    "classify/confusion": "woman_man_child",
    "classify/classes": "digits_probabilities",
    "classify/curves": "roc_20",
    "retrieve/sets": "two_methods",
    "retrieve/ranking": "two_methods",
    "retrieve/graded": "graded_10",
} | {page: data for page, (data, _) in PARTS.items()}
LABELS = {"data": "digits_labels"}
USED = [
    ("classify/threshold", {"goal": "Best of a measure", "best": "Accuracy", "t": "0.5"}),
    ("classify/threshold", {"goal": "Lowest cost", "miss_cost": "3", "alarm_cost": "2", "hit_cost": "-1", "seed": "7"}),
    ("classify/threshold", {"goal": "Flag at most n rows", "rows": "7", "limit1": "none"}),
    ("classify/threshold", {"limit1": "recall", "value1": "0.4", "part": "Two thresholds", "t2": "0.3"}),
    ("classify/threshold", {"part": "In use", "volume": "500", "miss_cost": "4.0", "prevalence": "0.2"}),
    ("classify/confusion", {"class": "Child", "cells": "1,2,3,4", "prevalence": "0.3", "actual": "rows"}),
    ("classify/classes", {"selected": "cell~8~1", "class": "8", "beside": "1", "order": "by hand", "first": "7~2"}),
    ("classify/classes", {"groups": "odd~1~3", "side": "predicted", "show": "share of row"}),
    ("classify/classes", LABELS | {"thresholds": "F1!loop~0.25", "system": "loop", "grid": "true together"}),
    ("classify/classes", LABELS | {"t": "0.4", "selected": "cell~even~prime"}),
    ("classify/curves", {"fpr_from": "0.1", "fpr_to": "0.4", "band": "pointwise", "hull": "true"}),
    ("classify/probabilities", {"made": "platt", "probabilities_part": "Each class", "bins": "7"}),
    ("classify/probabilities", {"probabilities_part": "Worst rows", "worst": "50", "bins": "7"}),
    ("classify/compare", {"other": "nearest_neighbours", "cut": "youden", "compare_part": "Threshold-free"}),
    ("retrieve/compare", {"test": "sign", "measure": "AP", "rankings_part": "Judgments", "hidden_random": "0.5"}),
    ("retrieve/ranking", {"sort": "-AP", "find": "any words", "k": "7", "missing": "leave"}),
    ("retrieve/sets", {"beside": "", "collection": "5000", "set_beta": "2"}),
    ("retrieve/graded", {"gain": "exp", "discount": "original", "base": "3.0", "grade": "2.0"}),
]


@cache
def keys() -> tuple[dict[str, set[str]], set[str]]:
    """The files in which each key is bound to a widget, and the keys that are read or put by `address`.

    A key is a text, a variable that holds one in its file, or an argument of a function that is called with texts.
    """
    ours = {"data", "roles", "system", "t"}
    bound = defaultdict(set, {page.parts: {name} for name, page in PAGES.items() if page.parts})
    for path in sorted((ROOT / "pages").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {
            node.targets[0].id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            named = {word.arg: word.value for word in call.keywords}
            called = ast.unparse(call.func)
            if called in FIELDS and len(call.args) > FIELDS[called]:
                key, named = call.args[FIELDS[called]], named | {"bind": None}
            elif "bind" in named:
                key = named["key"]
            elif called.removeprefix("address.") in READS and called.startswith("address."):
                key = call.args[0]
            elif called == "bound" and len(call.args) > 2:
                key = call.args[2]
            elif called == "exact" or (called == "_number" and len(call.args) > 1):
                key = call.args[1]
            else:
                continue
            text = key.value if isinstance(key, ast.Constant) else texts.get(getattr(key, "id", ""))
            if not isinstance(text, str):
                continue
            if "bind" in named:
                bound[text].add(path.relative_to(ROOT / "pages").as_posix())
            else:
                ours.add(text)
    return dict(bound), ours


def opened(page: str, **parameters: str) -> AppTest:
    test = application()
    test.query_params.update({"data": DATA[page]} | parameters)
    test.switch_page(f"pages/{page}.py").run()
    assert not test.exception
    return test


def address(test: AppTest) -> dict[str, str]:
    return {key: value[-1] if isinstance(value, list) else value for key, value in test.query_params.items()}


@pytest.mark.parametrize("nonsense", ["xyz", "nan", "-1e300", "a~b!c"])
@pytest.mark.parametrize("page", DATA)
def test_nonsense_is_taken_out_under_every_key(page: str, nonsense: str) -> None:
    bound, ours = keys()
    test = opened(page, **dict.fromkeys((ours | set(bound)) - FREE, nonsense))
    free = {"t": nonsense} if nonsense == "-1e300" else {}  # a number, if an odd one
    assert address(test) == {"data": DATA[page]} | free
    assert address(test.run()) == {"data": DATA[page]} | free


@pytest.mark.parametrize("page", DATA)
def test_nothing_is_no_value_of_a_key_of_ours(page: str) -> None:
    _, ours = keys()
    test = opened(page, **dict.fromkeys(ours - FREE, ""))
    free = {"beside": ""} if page == "retrieve/sets" else {}  # none beside it
    assert address(test) == {"data": DATA[page]} | free


@pytest.mark.parametrize("part", ["Two thresholds", "In use", "Groups", "Certainty", "If costs are not known"])
def test_nonsense_is_taken_out_of_a_part_that_is_open(part: str) -> None:
    bound, ours = keys()
    asked = dict.fromkeys((ours | set(bound)) - {"data", "part"}, "xyz")
    assert address(opened("classify/threshold", part=part, **asked)) == {"data": "roc_20", "part": part}


@pytest.mark.parametrize("goal", ["Best of a measure", "Lowest cost", "Flag at most a share of the rows"])
def test_nonsense_is_taken_out_of_a_goal_that_is_asked_for(goal: str) -> None:
    bound, ours = keys()
    asked = dict.fromkeys((ours | set(bound) | {"best"}) - {"data", "goal"}, "xyz")
    assert address(opened("classify/threshold", goal=goal, **asked)) == {"data": "roc_20", "goal": goal}


@pytest.mark.parametrize(("page", "used"), USED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_used_stays(page: str, used: dict[str, str]) -> None:
    test = opened(page, **used)
    assert address(test) == {"data": DATA[page]} | used
    assert address(test.run()) == {"data": DATA[page]} | used


@pytest.mark.parametrize("page", PARTS)
def test_a_page_has_no_part_of_another_page(page: str) -> None:
    (data, part), key = PARTS[page], PAGES[page].parts
    others = {PAGES[other].parts: name for other, (_, name) in PARTS.items() if other != page}
    test = opened(page, **others)
    assert address(test) == {"data": data}
    test = opened(page, **others, **{key: part})
    assert address(test) == {"data": data, key: part}
    # Their names under its own key are nonsense like any other.
    for name in others.values():
        assert address(opened(page, **{key: name})) == {"data": data}


def test_no_key_is_both_ours_and_bound_to_a_widget() -> None:
    # Streamlit forbids to write a key that is bound: the run after would end with an error.
    bound, ours = keys()
    assert set(bound) & ours == set()


def test_pages_share_only_what_one_control_asks() -> None:
    """A key that two pages use means the same on both, because one file asks for it."""
    bound, _ = keys()
    assert {key: files for key, files in bound.items() if len(files) > 1} == {}


@pytest.mark.parametrize(
    ("key", "value", "first", "then"),
    [
        ("rows", "7", ("classify/threshold", {"goal": "Flag at most n rows"}), "classify/classes"),
        ("prevalence", "0.3", ("classify/threshold", {"part": "In use"}), "classify/curves"),
        ("prevalence", "0.3", ("classify/confusion", {}), "classify/curves"),
    ],
)
def test_what_one_page_keeps_does_not_break_another(key: str, value: str, first: tuple, then: str) -> None:
    page, more = first
    test = opened(page, **more, **{"data": "roc_20", key: value})
    test.switch_page(f"pages/{then}.py").run()
    for _ in range(2):
        assert not test.run().exception
