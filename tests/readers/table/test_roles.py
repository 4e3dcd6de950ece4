"""Roles can be changed by hand, refuse what cannot be, and travel in an address."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, Roles, read_table, roles_of
from evalcore.readers.dataset.assignment import read_roles

FRAME = pd.DataFrame(
    {
        "actual": ["ill", "well", "ill", "well"],
        "a~b": [0.9, 0.25, 0.5, 0.125],
        "<b>x</b> & y=1": [1, 2, 3, 4],
        "predicted": ["ill", "ill", "well", "well"],
        "p_ill": [0.5] * 4,
        "p_well": [0.5] * 4,
        "雪 🙂": [1.0, 2.0, 3.0, 4.0],
    }
)


@pytest.mark.parametrize(
    "roles",
    [
        roles_of(actual="actual"),
        roles_of(actual="actual", score=("a~b", "<b>x</b> & y=1"), positive="well", higher_is_positive=False),
        roles_of(actual="actual", predicted=("predicted",), positive="ill", weight="雪 🙂", group="predicted"),
        roles_of(actual="actual", probability=(("p_ill", "ill"), ("p_well", "well"))),
        roles_of(truth="a~b", estimate=("雪 🙂", "p_ill")),
        roles_of(counts=("a~b", "<b>x</b> & y=1", "雪 🙂", "p_ill"), rows_are="predicted", group="actual"),
    ],
)
def test_roles_come_back_from_their_text(roles: Roles) -> None:
    text = roles.to_text()
    assert read_roles(text, FRAME) == roles
    assert text.isascii()
    assert not set(text) & set(" &=?#/+<>\"'")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("actual~actual~~predicted~predicted~~weight~p_ill~~group~a%7Eb~~positive~ill", "labels"),
        ("actual~actual~~score~p_ill~p_well~~positive~well~~higher_is_positive~False", "scores"),
        ("actual~actual~~predicted~predicted~~score~p_ill~~weight~p_well~~positive~ill", "scores"),
        ("actual~actual~~probability~p_ill~ill~p_well~well~~group~predicted", "probabilities"),
        ("actual~actual~~predicted~predicted~~probability~p_ill~ill~p_well~well~~positive~ill", "probabilities"),
        ("weight~p_well~~truth~p_ill~~estimate~a%7Eb", "estimates"),
        ("counts~p_ill~p_well~a%7Eb~%E9%9B%AA%20%F0%9F%99%82", "counts"),
        ("group~actual~~counts~p_ill~p_well~a%7Eb~%E9%9B%AA%20%F0%9F%99%82~~rows_are~predicted", "counts"),
        ("score~p_ill~~higher_is_positive~False~~query~actual~~document~predicted~~grade~p_well", "run + judgments"),
        ("query~actual~~document~predicted~~grade~p_well~~rank~p_ill", "run + judgments"),
        ("score~p_ill~~query~actual~~document~predicted~~grade~p_well~~system~a%7Eb", "run + judgments"),
        ("actual~actual~~weight~p_ill~~positive~ill", "unknown"),
        ("score~p_ill~~query~actual~~document~predicted", "unknown"),
    ],
)
def test_links_of_every_kind_are_read_and_written_as_they_always_were(text: str, kind: str) -> None:
    roles = read_roles(text, FRAME)
    assert (roles.kind, roles.to_text()) == (kind, text)


def test_the_type_of_the_positive_value_comes_back() -> None:
    for values in ([True, False], [1, 0], [1.0, 0.0], ["1", "0"]):
        frame = pd.DataFrame({"actual": values, "score": [0.5, 0.25]})
        roles = roles_of(actual="actual", score=("score",), positive=values[0])
        assert type(read_roles(roles.to_text(), frame).positive) is type(values[0])


@pytest.mark.parametrize(
    "text",
    [
        "", "~", "~~", "nonsense", "actual", "actual~", "actual~none", "actual~actual~~actual~actual", "score~actual",
        "actual~actual~~positive~none", "probability~p_ill", "probability~p_ill~a~p_well~a", "counts~a~b",
        "actual~%ff", "higher_is_positive~maybe", "rows_are~columns", "kind~scores", "actual~actual~predicted",
        "actual~actual~~score~actual", "x" * 100_000, "\0", "columns~actual", "to_text~x",
    ],
)  # fmt: skip
def test_bad_text_is_refused(text: str) -> None:
    with pytest.raises(ReadProblem):
        read_roles(text, FRAME)


def test_roles_are_hashable_keys() -> None:
    assert len({roles_of(), roles_of(), roles_of(actual="a"), roles_of(score=("a",))}) == 3


def test_other_roles_give_another_kind_and_other_findings() -> None:
    dataset = read_table(b" actual,actual,score,predicted\nill,x,0.9,ill\nwell,y,0.25,\n", "x.csv")
    scores = dataset.with_roles(roles_of(actual="actual", score=("score",), positive="well"))
    assert scores.kind == "scores"
    assert any("wrong" in f.sentence or "below ½" in f.sentence for f in scores.findings)
    labels = scores.with_roles(roles_of(actual="actual", predicted=("predicted",)))
    assert labels.kind == "labels"
    assert any("no label" in f.sentence for f in labels.findings)
    nothing = labels.with_roles(roles_of())
    assert nothing.kind == "unknown"
    for other in (scores, labels, nothing):
        assert other.digest == dataset.digest
        assert other.name == "x.csv"
        assert any("Two columns are named" in f.sentence for f in other.findings)
    assert scores.with_roles(scores.roles) is scores


@pytest.mark.parametrize(
    ("roles", "why"),
    [
        (roles_of(actual="none"), 'no column "none"'),
        (roles_of(actual="actual", score=("predicted",)), r'"predicted".*line 2'),
        (roles_of(truth="actual", estimate=("p_ill",)), '"actual" holds text'),
        (roles_of(actual="actual", weight="predicted"), '"predicted" holds text'),
        (roles_of(actual="actual", predicted=("actual",)), '"actual" has two roles'),
        (roles_of(actual="actual", score=("p_ill", "p_ill")), '"p_ill" has two roles'),
        (roles_of(actual="actual", score=("p_ill",), positive="none"), 'label "none"'),
        (roles_of(counts=("p_ill", "p_well", "雪 🙂")), "square matrix"),
        (roles_of(actual="actual", probability=(("p_ill", "x"), ("p_well", "x"))), "same class"),
        (roles_of(rows_are="columns"), "actual.* or .*predicted"),
    ],
)
def test_roles_that_do_not_fit_are_refused(roles: Roles, why: str) -> None:
    with pytest.raises(ReadProblem, match=why):
        DataSet.of(FRAME).with_roles(roles)


NASTY = ["<b>x</b>", "a,b", "=1+1", "x" * 500, "🙂", "a~~b", '"quoted"', "first one", "\\", "a\tb", "[x](y)", "%41"]


def test_nasty_names_open_and_travel() -> None:
    rng = np.random.default_rng(5)
    for names in zip(NASTY[::2], NASTY[1::2], strict=True):
        frame = pd.DataFrame({"actual": [1, 0] * 5, **{name: rng.random(10) for name in names}})
        dataset = read_table(frame.to_csv(index=False).encode(), "x.csv")
        assert dataset.roles.score == tuple(names)
        assert read_roles(dataset.roles.to_text(), dataset.frame) == dataset.roles
        assert all(len(finding.sentence) < 400 for finding in dataset.findings)


def test_empty_and_double_names_are_said() -> None:
    dataset = read_table(b"actual,,score,score,score (2),\n1,2.5,0.5,0.25,0.5,7\n0,3.5,0.75,0.5,0.5,8\n", "x.csv")
    assert list(dataset.frame.columns) == ["actual", "column 2", "score", "score (3)", "score (2)", "column 6"]
    said = {finding.column: finding.level for finding in dataset.findings if finding.column}
    assert said["column 2"] == "info"
    assert said["score (3)"] == "warning"


def test_a_frame_made_by_hand_has_one_column_of_each_name() -> None:
    with pytest.raises(ReadProblem, match='Two columns are named "a"'):
        DataSet.of(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_many_empty_names_are_said_once() -> None:
    dataset = read_table(b"a,,,,,,\n1,2,3,4,5,6,7\n", "x.csv")
    (finding,) = [finding for finding in dataset.findings if "no name" in finding.sentence]
    assert finding.count == 6
    assert "In all, 6 columns" in finding.sentence
