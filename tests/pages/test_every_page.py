"""Every page, whatever is open and whatever stands in the address: it is drawn, whole, and never red."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore.analyses import NamedCounts, ProbabilitySource, Scores, Source
from evalcore.readers import KINDS, ReadProblem, read_sample, read_table, samples
from evalcore.registry import PAGES
from tests.pages.application import application, facts, parts_of, set_folds, unfold
from tests.pages.linked_names import names_without_link
from tests.pages.uploads import stored
from tests.words import PageWords, check

ROOT = Path(__file__).parents[2]
FILES = [f"pages/{name}.py" for name in PAGES]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "pages").rglob("*.py")))
ADDRESS_KEYS = sorted(set(re.findall(r'address\.(?:text|number|choice|put|page_text)\(\s*"(\w+)"', SOURCES)) - {"data"})
BAD = ("", "-1", "nan", "inf", "abc", "1e300", "0,0,0,0", "<script>alert(1)</script>", "x" * 3000)
NO_DATA = ("", "nobody", "../../etc/passwd", "%00\u0000", "cancer_test\n", "CANCER_TEST", "x" * 3000)
ROLES = (
    *("~", "~~~", "nonsense", "actual~nobody", "actual~actual~~score~actual", "score~score"),
    *("higher_is_positive~False",),
    *("higher_is_positive~maybe", "actual~actual~~score~score~~positive~nobody", "actual~score~~predicted~actual"),
    *("weight~actual", "actual~actual~~score~score~~weight~score", "counts~tp~tp~tp~tp", "counts~tn~fn~fp~tp"),
    *("actual~actual~~score~score~~higher_is_positive~False~~positive~N", "probability~score~P", "%FF%FE"),
    *("group~score~~actual~actual~~score~score", "truth~score~~estimate~score", "rows_are~neither"),
)


def started(page: str, **parameters: str) -> AppTest:
    test = application()
    test.query_params.update(parameters)
    return test.switch_page(page).run()


def problem(test: AppTest, *, links: bool = True) -> str:
    """What is wrong with the screen; empty when it is whole. Measures may lead nowhere without `links`."""
    if test.exception:
        return f"exception: {test.exception[0].message}"
    if any("went wrong" in error.value for error in test.error):
        return "a defect is told"
    if not test.title or not test.title[0].value:
        return "no title"
    if not any(box.key == "sidebar data" for box in test.sidebar.selectbox):
        return "no side bar"
    if not any("data-run" in element.proto.body for element in test.get("html")):
        return "the page did not come to its end"
    return "".join(f"{name} is no link" for name in names_without_link(test)) if links else ""


@cache
def suitable(page: str) -> str:
    """A small sample that the page has something to say about."""
    test = started(page)
    for sample in ("roc_20", "two_methods", "woman_man_child", "diabetes", "digit_masks"):
        test.query_params["data"] = sample
        test.run()
        if not any("This page needs" in text.value for text in test.markdown):
            return sample
    return ""


@pytest.mark.parametrize("name", PAGES)
def test_with_every_sample_one_after_the_other(name) -> None:
    """Each part and each fold is opened for a sample of every kind; what all of them say stands in a golden file."""
    st.cache_data.clear()  # a figure that was kept is described with fewer numbers than a new one
    page, test = PAGES[name], started(f"pages/{name}.py")
    broken, words = {}, PageWords()
    # Of a kind that opens other pages one sample is enough, as all are answered with the same offer.
    first = {one.kind: id for id, one in reversed(samples().items())}
    own = name in ("start/home", "start/data")
    suited = [id for id, one in samples().items() if first[one.kind] == id or own or one.kind in page.kinds]
    for sample in suited:
        test.query_params.clear()
        test.query_params["data"] = sample
        broken[sample] = problem(test.run())
        words.add(f"data={sample}", test)
        assert test.sidebar.selectbox(key="sidebar data").value == sample
        kind = samples()[sample].kind
        assert not (test.error and (page.section == "Start" or name == "classify/classes"))
        assert kind not in page.kinds or not any("This page needs" in text.value for text in test.markdown)
        if first[kind] == sample and (kind in page.kinds or not page.kinds):
            for part in parts_of(page, test):
                broken[sample] += problem(test, links=False)
                words.add(f"data={sample}, {part}", test)
            broken[sample] += problem(unfold(test), links=False)
            words.add(f"data={sample}, unfolded", test)
            set_folds(test, False)
    assert broken == dict.fromkeys(suited, "")
    check(name.replace("/", "-"), words.lines, Path(__file__).parent)


@pytest.mark.parametrize("page", FILES)
def test_with_nothing_open_and_with_data_that_is_not_here(page) -> None:
    test = started(page)
    assert problem(test) == ""
    broken = {}
    for data in NO_DATA:
        test.query_params.clear()
        test.query_params["data"] = data
        broken[data] = problem(test.run())
    assert broken == dict.fromkeys(NO_DATA, "")


@cache
def kind_of(data: str, roles: str) -> str | None:
    """The kind of table that the reader makes of these roles, or None where it refuses them."""
    try:
        return read_sample(data).with_roles(roles).kind
    except ReadProblem:
        return None


def with_roles(page: str, places: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What is wrong with a page under some data sets and roles."""
    test = started(page, data="roc_20")
    broken = {}
    for data, roles in places:
        test.query_params.clear()
        test.query_params.update({"data": data, "roles": roles})
        broken[data, roles] = problem(test.run())
        assert kind_of(data, roles) or "roles" not in test.query_params
    return {place: what for place, what in broken.items() if what}


ODD = [(data, roles) for data in ("roc_20", "cancer_test") for roles in ROLES]


@pytest.mark.parametrize("page", FILES)
def test_with_roles_that_make_another_table(page) -> None:
    assert with_roles(page, [place for place in ODD if kind_of(*place)]) == {}


@pytest.mark.parametrize("data", ["roc_20", "cancer_test"])
@pytest.mark.parametrize("page", ["start/data", None])
def test_with_roles_that_the_reader_refuses(page: str | None, data: str) -> None:
    """Every page opens the table as it was found then: one page per kind of table is enough, and the one that asks."""
    refused = [place for place in ODD if place[0] == data and kind_of(*place) is None]
    assert len(refused) >= len(ROLES) / 2
    page = page or KINDS[read_sample(data).kind].pages[0]
    assert with_roles(f"pages/{page}.py", refused) == {}


@pytest.mark.parametrize("page", FILES)
def test_with_values_nobody_checked_in_every_place_of_the_address(page) -> None:
    data = suitable(page)
    keys = {element.key for element in started(page, data=data).main if getattr(element, "key", None)}
    keys -= {"data", "roles", "system"}
    broken = {bad: problem(started(page, **dict.fromkeys((*keys, *ADDRESS_KEYS), bad) | {"data": data})) for bad in BAD}
    assert broken == dict.fromkeys(BAD, "")


def test_two_class_probabilities_open_at_the_positive_class_on_every_page() -> None:
    """Which class is positive, how many rows are, and which outcome is a miss are one answer, whichever is chosen."""
    rng = np.random.default_rng(5)
    ill = rng.random(120) < 0.4
    chance = np.clip(rng.normal(0.3 + 0.4 * ill, 0.2), 0.01, 0.99).round(2)
    rows = zip(np.where(ill, "yes", "no"), (1 - chance).round(2), chance, strict=True)
    data = stored("actual,p_no,p_yes\n" + "".join(f"{label},{no},{yes}\n" for label, no, yes in rows))
    for system, positive, count in ((None, "yes", ill.sum()), ("p_no", "no", (~ill).sum())):
        named = {"data": data} | ({"system": system} if system else {})
        for page in KINDS["probabilities"].pages:
            test = started(f"pages/{page}.py", **named)
            assert facts(test) == f"table.csv · positive = {positive} · 120 rows, {count} positive ({positive})", page
            assert not problem(test)


@pytest.mark.parametrize("system", ["p_no", "p_yes"])
def test_two_class_probabilities_count_misses_of_one_class(system: str) -> None:
    text = "actual,p_no,p_yes\nyes,0.2,0.8\nyes,0.6,0.4\nno,0.7,0.3\nno,0.1,0.9\nno,0.4,0.6\n"
    source = Source.of(read_table(text.encode(), "table.csv"), system)
    at = NamedCounts.at(Scores.of(source, system), 0.5)
    assert at.label == system[2:] == ProbabilitySource.of(source).table.classes[1]
    assert (float(at.counts.fn), float(at.counts.fp)) == ((2, 1) if system == "p_no" else (1, 2))
    assert Source.of(source.dataset.with_roles(source.dataset.roles)).system == system
