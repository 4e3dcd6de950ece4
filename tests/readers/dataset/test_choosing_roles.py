"""Kind and roles can be chosen by hand for any table, or a sentence says why not."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.readers import KINDS, DataSet, ReadProblem, as_kind, check_roles, reassigned, roles_of
from evalcore.readers.dataset.assignment import PARTS
from tests.readers import made_files as files
from tests.words import facts, sentence_with

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
    assert kind in (roles.kind, roles.get("asked"))
    chosen = dataset.with_roles(roles.to_text())
    assert chosen.roles == roles
    chosen.tally()
    # then any column can be chosen for any single part
    single = [part for part in KINDS[kind].parts if PARTS[part].form == "column"]
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
    assert as_kind(roles_of(), "scores", frame).parts == {"asked": "scores", "score": ("length",)}
    frame = frame.rename(columns={"species": "class"})
    roles = as_kind(roles_of(), "scores", frame)
    assert (roles.get("actual"), roles.get("positive")) == ("class", "a")
    assert reassigned(roles, "actual", "ill", frame).get("positive") == "yes"


@pytest.mark.parametrize(("labels", "probability"), [("yes no", (("model", "yes"),)), ("yes no perhaps", ())])
def test_one_column_holds_the_probability_of_the_positive_class_if_there_are_two(labels: str, probability) -> None:
    frame = pd.DataFrame({"ill": labels.split() * 2, "model": 0.5})
    assert as_kind(roles_of(), "probabilities", frame).get("probability", ()) == probability


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


HITS = pd.DataFrame(
    {"query": [f"shoes {row // 3}" for row in range(6)], "_id": [f"d{row}" for row in range(6)],
     "_score": [9.5, 7.25, 3.0, 8.5, 4.0, 1.5], "clicks": [0, 31, 2, 5, 1, 0]}
)  # fmt: skip
PIVOT = pd.DataFrame({"region": list("nsewm"), "yes": [5, 1, 0, 3, 4], "no": [1, 9, 2, 3, 1], "maybe": [2, 0, 7, 3, 2]})
PIVOT["Total"] = PIVOT[["yes", "no", "maybe"]].sum(axis=1)
OPEN = [
    (HITS, "run + judgments", {"query": "query", "document": "_id", "score": ("_score",)}),
    (HITS, "labels", {}),
    (HITS, "scores", {"score": ("_score",)}),
    (PIVOT, "counts", {}),
    (PIVOT, "labels", {"group": "region"}),
    (PIVOT, "probabilities", {"group": "region"}),
    (PIVOT, "estimates", {"group": "region"}),
    (PIVOT.drop(columns="region"), "counts", {}),
    (pd.DataFrame({"y": list("abab"), "x": [0.5, 0.25, 0.75, 1.5]}), "labels", {"actual": "y", "positive": "b"}),
    (pd.DataFrame({"y": [0.5, 2.5, 1.25], "x": [0.5, 0.25, 0.75]}), "labels", {}),
]


@pytest.mark.parametrize(("frame", "kind", "parts"), OPEN)
def test_a_part_that_no_column_fits_by_name_and_values_stays_open(
    frame: pd.DataFrame, kind: str, parts: dict[str, object]
) -> None:
    dataset = DataSet.of(frame)
    roles = as_kind(dataset.roles, kind, frame)
    assert roles.parts == {"asked": kind, **parts}
    again = dataset.with_roles(roles.to_text())
    assert again.roles == roles
    assert sentence_with(again.findings[0].sentence, f"{KINDS[kind].title}", "choose")


def test_open_parts_are_filled_one_by_one_even_where_the_first_columns_do_not_go_together_yet() -> None:
    dataset = DataSet.of(PIVOT)
    roles = as_kind(dataset.roles, "counts", PIVOT)
    for count in range(1, 4):
        roles = reassigned(roles, "counts", ("yes", "no", "maybe", "Total")[:count], PIVOT)
        dataset = dataset.with_roles(roles.to_text())
        assert (dataset.kind, dataset.roles.get("asked")) == ("unknown", "counts")
        assert sentence_with(dataset.findings[0].sentence, "square matrix")
    roles = reassigned(roles, "counts", ("yes", "no", "maybe", "Total"), PIVOT)
    assert dataset.with_roles(roles.to_text()).kind == "counts"
    hits = DataSet.of(HITS)
    roles = reassigned(as_kind(hits.roles, "run + judgments", HITS), "grade", "clicks", HITS)
    assert hits.with_roles(roles).kind == "run + judgments"


def test_what_is_open_is_named_with_what_it_holds() -> None:
    dataset = DataSet.of(HITS).with_roles(as_kind(roles_of(), "run + judgments", HITS))
    assert facts(dataset.findings[0].sentence) == "Grade 0 1"


def test_a_field_that_one_kind_asks_for_and_another_does_not_is_named() -> None:
    frame = pd.DataFrame({"y": [1, 0, 1, 0], "score": [0.9, 0.35, 0.8, 0.13]})
    dataset = DataSet.of(frame).with_roles(as_kind(DataSet.of(frame).roles, "labels", frame))
    assert sentence_with(dataset.findings[0].sentence, "Predicted labels (one per system)", "choose")


def test_of_several_columns_named_like_a_truth_the_surest_is_taken() -> None:
    frame = pd.DataFrame({"class": ["a", "b"] * 3, "y_true": ["c", "d", "c"] * 2, "other": ["x", "y", "z"] * 2})
    assert as_kind(roles_of(), "labels", frame).get("actual") == "y_true"


def test_several_open_fields_are_listed() -> None:
    sentence = DataSet.of(PIVOT).with_roles("asked~run%20%2B%20judgments").findings[0].sentence
    assert sentence.count(" and ") == 2
    assert sentence_with(sentence, "Query", "Document", "Grade")
    assert sentence_with(sentence, "do not tell")


def test_a_link_with_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ReadProblem, match="is not a choice"):
        DataSet.of(PIVOT).with_roles("asked~nothing")


def test_a_score_of_two_classes_is_the_probability_of_the_positive_one() -> None:
    frame = pd.DataFrame({"y": ["ill", "well"] * 3, "score": [0.9, 0.25, 0.5, 0.125, 0.75, 0.5]})
    roles = as_kind(DataSet.of(frame).roles, "probabilities", frame)
    assert roles.get("probability") == (("score", "ill"),)
    assert as_kind(roles, "scores", frame) == DataSet.of(frame).roles


def test_the_truth_chosen_as_a_score_leaves_a_positive_label_of_what_takes_its_place() -> None:
    frame = files.labelled_scores()
    dataset = DataSet.of(frame)
    swapped = reassigned(dataset.roles, "score", ("y",), frame)
    assert (swapped.get("actual"), swapped.get("score")) == ("score", ("y",))
    assert (frame["score"] == swapped.get("positive")).any()
    assert dataset.with_roles(swapped).kind == "scores"
