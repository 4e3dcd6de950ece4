"""Kind and roles can be chosen by hand for any table, or a sentence says why not."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.readers import KINDS, DataSet, ReadProblem, as_kind, check_roles, reassigned, roles_of
from evalcore.readers.assignment import PARTS
from tests.readers import files

CELLS = {
    "number": st.sampled_from([0.0, 1.0, 2.5, -3.0, 1e308, np.inf, np.nan]),
    "whole": st.integers(-1, 3),
    "text": st.sampled_from(["a", "b", "Yes", "1", None]),
    "flag": st.booleans(),
}
NAMES = st.lists(
    st.sampled_from("id actual score predicted weight group p_a tp fp n query document grade height x y".split()),
    min_size=2, max_size=6, unique=True,
)  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> DataSet:
    rows = draw(st.integers(1, 6))
    columns = {}
    for name in draw(NAMES):
        kind = draw(st.sampled_from(sorted(CELLS)))
        cells = draw(st.lists(CELLS[kind], min_size=rows, max_size=rows))
        dtype = {"number": "float64", "whole": "int64", "text": "str", "flag": "bool"}[kind]
        columns[name] = pd.Series(cells, dtype=dtype)
    return DataSet.of(pd.DataFrame(columns))


@given(tables(), st.sampled_from([kind for kind in KINDS if kind != "unknown"]), st.data())
@settings(max_examples=100, deadline=None)
def test_every_kind_can_be_chosen_or_a_sentence_says_why_not(dataset: DataSet, kind: str, data: st.DataObject) -> None:
    try:
        roles = as_kind(dataset.roles, kind, dataset.frame)
        check_roles(roles, dataset.frame)
    except ReadProblem:
        return
    assert roles.kind == kind
    chosen = dataset.with_roles(roles.to_text())
    assert chosen.roles == roles
    chosen.tally()
    # then any column can be chosen for any single part
    single = [part for part in roles.parts if PARTS[part].form == "column"]
    part, column = (
        data.draw(st.sampled_from(single or ["group"])),
        data.draw(st.sampled_from(list(dataset.frame.columns))),
    )
    if part in KINDS[kind].parts:
        other = reassigned(roles, part, column, dataset.frame)
        assert other.parts[part] == column
        try:
            check_roles(other, dataset.frame)
        except ReadProblem:
            return
        dataset.with_roles(other.to_text()).tally()


def test_a_label_is_chosen_as_positive_with_the_kind_and_with_another_truth() -> None:
    frame = pd.DataFrame({"species": ["a", "b", "b"], "ill": ["yes", "no", "no"], "length": [1.5, 2.5, 3.5]})
    roles = as_kind(roles_of(), "scores", frame)
    assert (roles.get("actual"), roles.get("positive")) == ("species", "a")
    assert reassigned(roles, "actual", "ill", frame).get("positive") == "yes"


def test_a_chosen_truth_changes_places_with_the_system_that_it_was() -> None:
    frame = pd.DataFrame({f"rater_{i}": list("abab") for i in (1, 2, 3)})
    roles = roles_of(actual="rater_1", predicted=("rater_2", "rater_3"))
    assert reassigned(roles, "actual", "rater_3", frame).get("predicted") == ("rater_2", "rater_1")
    assert reassigned(roles, "predicted", ("rater_1", "rater_3"), frame).get("actual") == "rater_2"


def test_a_column_of_text_takes_no_place_among_scores() -> None:
    frame = pd.DataFrame({"y": ["ill", "well"], "a": [1, 2], "b": [0.5, 0.4]})
    roles = reassigned(roles_of(actual="y", score=("a", "b"), positive="ill"), "actual", "a", frame)
    assert (roles.get("actual"), roles.get("score"), roles.get("positive")) == ("a", ("b",), 2)


@pytest.mark.parametrize("name", ["group", "weight"])
def test_a_column_of_another_part_is_free_for_the_truth_or_the_score(name: str) -> None:
    frame = pd.DataFrame({name: [1, 2, 1], "x": [0.5, 0.25, 0.125]})
    roles = as_kind(DataSet.of(frame).roles, "scores", frame)
    assert {roles.get("actual"), *roles.get("score")} == {name, "x"}


def test_the_first_four_of_many_numbers_are_counts() -> None:
    frame = pd.DataFrame([[1, 2, 3, 4, 10]] * 2, columns=["hits", "alarms", "misses", "rejected", "rows"])
    assert as_kind(roles_of(), "counts", frame).get("counts") == ("hits", "alarms", "misses", "rejected")


def test_the_truth_chosen_as_a_score_leaves_a_positive_label_of_what_takes_its_place() -> None:
    frame = files.labelled_scores()
    dataset = DataSet.of(frame)
    swapped = reassigned(dataset.roles, "score", ("y",), frame)
    assert (swapped.get("actual"), swapped.get("score")) == ("score", ("y",))
    assert (frame["score"] == swapped.get("positive")).any()
    assert dataset.with_roles(swapped).kind == "scores"
