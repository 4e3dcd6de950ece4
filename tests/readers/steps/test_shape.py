"""Shaping a data set: what each step changes, its text in links, the numbers of rows, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import Shaping, Source
from evalcore.readers import (
    STEPS,
    Add,
    Answers,
    Cells,
    DataSet,
    Days,
    Exclude,
    Finding,
    Grade,
    Leave,
    Marks,
    Merge,
    Missing,
    Numbered,
    OneHot,
    Only,
    Order,
    Pair,
    Present,
    Range,
    Ranked,
    Reach,
    ReadProblem,
    Rename,
    Scale,
    Shape,
    Softmax,
    Split,
    Title,
    Toward,
    Wide,
    Workspace,
    read_table,
)
from evalcore.readers.table.table import STATES
from tests.readers.made_files import excel_with_dates
from tests.words import facts

MESSY = b"id,truth,score,age\na,Yes,0.9,41\nb,yes,0.8,35\nc,NO,0.3,52\nd,no,0.2,47\ne,yes,-99,60\nf,no,0.4,\n"
NASTY = ("a~b", "a~~b", "a,b", "100 %", "%7E", "", " ", "a\nb", "é\u202e", "<b>", "'\"\\", "~", ",", "日本")


def messy() -> DataSet:
    return read_table(MESSY, "messy.csv")


def test_every_step_reads_its_own_text_with_hostile_names() -> None:
    one, two = NASTY[0], NASTY
    steps = (
        *(Title(name) for name in NASTY),
        *(Rename(name, name * 2) for name in NASTY),
        Merge(two, two, one), Exclude(two, two), Scale(two, "percent"), Add(two, one), Only(one, two), Leave(one, two),
        Present(one), Missing(one), Numbered(one, ("1", "5-9"), 12.0),
        Range(one, -1.5, 1e300), Wide(two, one, one), Cells("", "actual", two, ""),
        Only("x", ("",)), Marks(two, "decimals"),
        Toward(one, one, one), OneHot(two, one), Softmax(two), Ranked(one, two), Answers(two, ""),
        Reach(one, -1.5), Days(one, "2024-05-01", ""),
        Order(one, "lowest", two, one, two), Grade(one, two, 1.0),
        Split(one, one, one, (one,), 0.1, 0.05, 0.2, ("3", "0")),
        Pair(two, two, one, two, 0.1, 0.05, 0.2, -0.1, float("-inf"), 0.2, ("3", "0")),
    )  # fmt: skip
    shape = Shape(steps)
    assert Shape.from_text(shape.to_text()) == shape
    assert {type(step) for step in steps} == set(STEPS.values())
    assert Shape.from_text("") == Shape() == Shape.from_text(Shape().to_text())
    half_open = Shape.from_text(Range("x", float("nan"), 2).to_text()).steps[0]
    assert isinstance(half_open, Range)
    assert np.isnan(half_open.lowest)
    assert half_open.highest == 2


def test_merged_labels_become_two_classes_with_a_positive_one() -> None:
    data = messy()
    assert len(data.labels) == 4
    merged = data.shaped("merge~truth~Yes~yes~~merge~truth~NO~no")
    assert sorted(merged.labels) == ["no", "yes"]
    assert (merged.kind, merged.roles.get("positive"), merged.notes) == ("scores", "yes", ("1 cell", "1 cell"))
    assert data.labels == messy().labels  # the shared frame is untouched


def test_rows_without_a_value_can_be_kept_and_filters_taken_off() -> None:
    shape = Shape.from_text("missing~age~~rename~age~years")
    shaped = read_table(MESSY + b"g,yes,0.7,\n", "messy.csv").shaped(shape)
    assert (shaped.frame["id"].tolist(), shape.filters) == (["f", "g"], ("age missing",))
    assert shape.unfiltered.to_text() == "rename~age~years"


def test_excluded_codes_are_missing_and_a_column_of_text_becomes_numbers() -> None:
    shaped = messy().shaped(Shape((Exclude(("score",), ("-99",)),)))
    assert (shaped.notes, shaped.left_out()) == (("1 cell",), 1)
    assert shaped.frame["score"].min() == 0.2
    words = read_table(b"y,score\n1,0.5\n0,n.d.\n1,0.75\n", "x.csv")
    assert words.frame["score"].dtype.kind not in "if"
    numbers = words.shaped(Exclude(("score",), ("n.d.",)).to_text())
    assert numbers.frame["score"].dropna().tolist() == [0.5, 0.75]
    assert (numbers.kind, numbers.roles.get("score")) == ("scores", ("score",))


@pytest.mark.parametrize(
    ("step", "ids"),
    [
        (Range("age", 41, 52), "acd"),
        (Range("age", 47, float("nan")), "cde"),
        (Range("age", float("nan"), 41), "ab"),
        (Only("truth", ("yes", "no")), "bdef"),
        (Leave("truth", ("NO",)), "abdef"),
        (Present("age"), "abcde"),
        (Only("age", ("41", "60")), "ae"),
    ],
)
def test_a_filter_keeps_its_rows_and_they_keep_the_line_numbers_of_the_file(step, ids) -> None:
    data = messy()
    shaped = data.shaped(Shape((step,)))
    assert "".join(shaped.frame["id"]) == ids
    assert [shaped.lines.at(row) for row in range(len(ids))] == [f"line {'abcdef'.index(each) + 2}" for each in ids]
    assert shaped.notes == (f"{len(ids)} of 6 rows",)
    again = shaped.shaped(Shape((*shaped.shape.steps, Leave("id", (ids[0],)))))  # starts from the file again
    assert again.lines.at(0) == f"line {'abcdef'.index(ids[1]) + 2}"


def test_a_finding_in_a_filtered_table_names_the_line_of_the_file() -> None:
    data = read_table(b"y,score,age\n1,0.9,1\n0,0.1,1\n1,0.8,2\n0,,2\n0,0.3,2\n", "x.csv").shaped("range~age~2~*")
    (finding,) = [finding for finding in data.findings if "no score" in finding.sentence]
    assert "line 5" in finding.sentence


def test_a_renamed_system_and_class_keep_their_roles() -> None:
    data = read_table(b"label,model_a,model_b\n1,0.9,0.4\n0,0.2,0.3\n1,0.7,0.1\n", "x.csv")
    shaped = data.shaped("rename~model_a~BERT~~merge~label~1~ill~~rename~label~disease")
    assert (shaped.systems, shaped.roles.get("positive"), shaped.roles.get("actual")) == (
        ("BERT", "model_b"),
        "ill",
        "disease",
    )
    assert np.array_equal(shaped.scored("BERT").positive_scores, data.scored("model_a").positive_scores)
    assert data.shaped("rename~model_a~BERT~~exclude~BERT~0.7").systems == ("BERT", "model_b")


def test_percent_and_log_odds_become_probabilities() -> None:
    data = read_table(b"y,score\n1,90\n0,25\n", "x.csv").shaped("scale~score~percent")
    assert data.frame["score"].tolist() == [0.9, 0.25]
    data = read_table(b"y,score\n1,2.5\n0,-800\n", "x.csv").shaped("scale~score~logistic")
    assert data.frame["score"].tolist() == pytest.approx([1 / (1 + np.exp(-2.5)), 0])


def test_a_long_table_becomes_one_column_per_system() -> None:
    long = b"id,model,y,score,when\n7,b,1,0.9,x\n7,a,1,0.8,y\n8,b,0,0.1,x\n9,a,1,0.4,x\n"
    data = read_table(long, "long.csv").shaped(Wide(("id",), "model", "score").to_text())
    assert data.frame["b"].tolist()[:2] == [0.9, 0.1]
    assert np.isnan(data.frame["b"][2])
    assert data.frame[["id", "y"]].to_numpy().tolist() == [[7, 1], [8, 0], [9, 1]]
    assert data.systems == ("b", "a")
    assert facts(data.notes) == "3 2 when"
    assert [data.lines.at(row) for row in range(3)] == ["line 2", "line 4", "line 5"]
    with pytest.raises(ReadProblem, match='"b" has two rows for "7"'):
        read_table(long + b"7,b,1,0.3,x\n", "long.csv").shaped("wide~id~model~score")


def test_classes_of_a_matrix_are_renamed_merged_and_dropped() -> None:
    matrix = read_table(b"true,cat,dog,fox\ncat,5,1,0\ndog,2,7,1\nfox,0,3,9\n", "matrix.csv")
    renamed = matrix.shaped(Cells("true", "actual", ("cat",), "Katze").to_text())
    assert renamed.matrix().classes == ("Katze", "dog", "fox")
    assert np.array_equal(renamed.matrix().counts, matrix.matrix().counts)
    merged = matrix.shaped(Cells("true", "actual", ("dog", "fox"), "canine").to_text())
    assert merged.matrix().classes == ("cat", "canine")
    assert merged.matrix().counts.tolist() == [[5, 1], [2, 20]]
    dropped = matrix.shaped(Cells("true", "actual", ("fox",), "").to_text())
    assert dropped.matrix().counts.tolist() == [[5, 1, 0], [2, 7, 1], [0, 0, 0]]  # one dog was called a fox
    dropped = matrix.shaped(Cells("true", "actual", ("cat",), "").to_text())
    assert dropped.matrix().counts.sum() == 22


def test_classes_of_a_matrix_with_an_empty_cell_are_left_alone() -> None:
    matrix = read_table(b"true,cat,dog\ncat,5,\ndog,2,7\n", "matrix.csv")
    with pytest.raises(ReadProblem, match="no number"):
        matrix.shaped(Cells("true", "actual", ("cat",), "Katze").to_text())


def test_probabilities_of_merged_classes_add_up() -> None:
    table = b"truth,p_cat,p_dog,p_fox\ncat,0.5,0.25,0.25\ndog,0.25,0.5,0.25\nfox,0,0.5,0.5\n"
    data = read_table(table, "p.csv").shaped("merge~truth~dog,fox~canine~~add~p_dog,p_fox~p_canine")
    assert data.probabilities().classes == ("canine", "cat")
    assert data.probabilities().probabilities.tolist() == [[0.5, 0.5], [0.75, 0.25], [1, 0]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("merge~trut", "cannot be read"),
        ("merge~truth~Yes", "cannot be read"),
        ("nonsense~a", "cannot be read"),
        ("range~age~x~*", "cannot be read"),
        ("range~age~40~", "cannot be read"),
        ("rename~a,b~c", "cannot be read"),
        ("only~truth~%FF", "cannot be read"),
        ("~~", "cannot be read"),
        ("rename~gone~x", 'no column "gone"'),
        ("rename~score~age", 'Another column is named "age"'),
        ("rename~score~%20", "needs a name"),
        ("title~%20", "needs a name"),
        ("range~truth~1~2", "holds text"),
        ("range~age~90~*", "No row is left"),
        ("only~truth~maybe", "No row is left"),
        ("only~truth~no", 'the positive class "yes"'),
        ("scale~score~half", "cannot be scaled"),
        ("scale~truth~percent", "holds text"),
        ("wide~id~id~age", "different ones"),
        ("cells~*~actual~score~x", "not a square matrix"),
        ("add~age,score~id", 'Another column is named "id"'),
    ],
)
def test_a_step_that_does_not_fit_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(ReadProblem, match=says):
        messy().shaped(text)


def test_no_shape_is_the_file_and_roles_come_after_shaping() -> None:
    data = messy()
    assert data.shaped("") is data
    assert data.shaped("title~x").shaped("") is data
    shaped = data.shaped("rename~score~model").with_roles("actual~truth~~score~model~~positive~Yes")
    assert (shaped.unshaped, shaped.shape.to_text(), shaped.roles.get("score")) == (
        data,
        "rename~score~model",
        ("model",),
    )
    assert shaped.digest == data.shaped("rename~score~model").digest != data.digest


def test_exported_code_shapes_the_table_again(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "messy.csv").write_bytes(MESSY)
    shaped = read_table("messy.csv").shaped("title~mine~~merge~truth~Yes~yes~~merge~truth~NO~no~~range~age~40~*")
    code = Source.of(shaped).code
    again: dict = {}
    exec(code, again)  # noqa: S102
    assert again["data"].digest == shaped.digest
    assert again["data"].roles == shaped.roles
    assert again["data"].name == "mine"


def test_the_action_of_a_finding_is_stored(tmp_path) -> None:
    finding = Finding("warning", "x", 1, "score", "exclude~score~-99")
    data = messy()
    workspace = Workspace(tmp_path, 10_000_000)
    stored = DataSet(data.frame, data.roles, "x", data.lines, data.digest, (finding, Finding("info", "y", 2)))
    assert workspace.load(workspace.save(stored)).findings == stored.findings
    assert data.shape.and_then("exclude~score~-99").without(0) == Shape()


def test_true_and_false_can_be_renamed_and_numbers_stay_numbers() -> None:
    data = DataSet.of(pd.DataFrame({"actual": [True, False, True], "score": [0.9, 0.1, 0.4], "n": [1, 2, 3]}))
    named = data.shaped("merge~actual~True~ill")
    assert named.frame["actual"].tolist() == ["ill", "False", "ill"]
    assert named.roles.get("positive") == "ill"
    assert data.shaped("merge~n~2,3~2").frame["n"].tolist() == [1, 2, 2]
    assert data.shaped("merge~n~2~two").frame["n"].tolist() == ["1", "two", "3"]
    assert data.shaped("exclude~actual~False").frame["actual"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M"])
def test_rows_are_kept_by_their_dates(form: str) -> None:
    days = pd.date_range("2023-12-28 13:30", periods=40, freq="D")
    rows = "".join(f"{'ab'[i % 2]},{i / 40},{day.strftime(form)}\n" for i, day in enumerate(days))
    data = read_table(f"actual,score,day\n{rows}a,0.5,\n".encode(), "x.csv")
    kept = data.shaped("days~day~2024-01-01~2024-01-10")
    assert (len(kept), kept.lines.at(0), kept.shape.filters) == (10, "line 6", ("day 2024-01-01 to 2024-01-10",))
    assert len(data.shaped("days~day~2024-02-05~*")) == 1
    assert data.shaped("days~day~*~2023-12-31").shape.filters == ("day until 2023-12-31",)
    for wrong, why in (("days~day~2024-13-01~*", "is not a date"), ("days~score~2024-01-01~*", "holds no dates")):
        with pytest.raises(ReadProblem, match=why):
            data.shaped(wrong)


def test_a_column_of_dates_asks_for_limits() -> None:
    source = Source.of(read_table(excel_with_dates(), "x.xlsx"))
    values = Shaping(source).values("day")
    assert (str(values.lowest), str(values.highest), values.is_range) == ("2024-01-01", "2024-07-18", True)
    (step,) = Shaping(source).within("day", values.lowest, None)
    assert (step.to_text(), step.sentence) == ("days~day~2024-01-01~*", "Rows with day from 2024-01-01")
    assert Shaping(source).within("age", None, 50)[0].to_text() == "range~age~*~50"


def test_without_its_filters_a_table_keeps_its_other_steps_and_roles() -> None:
    data = messy().shaped("rename~age~years~~range~years~41~52").with_roles("actual~truth~~predicted~id~~positive~no")
    rows = data.unfiltered
    assert (len(rows), rows.shape.to_text(), rows.roles) == (6, "rename~age~years", data.roles)
    assert rows.unfiltered is rows
    other = messy().shaped("rename~age~years~~range~years~30~52").with_roles(data.roles.to_text())
    assert other.unfiltered is rows  # which another filter does not read again
    unknown = DataSet.of(pd.DataFrame({"note": ["x", "y"], "age": [1, 2]})).shaped("range~age~2~*")
    assert len(unknown.unfiltered) == 2


def test_all_rows_of_a_filtered_table_count_as_many_among_the_states_that_are_kept() -> None:
    data = DataSet.of(pd.DataFrame({"note": "x", "age": np.arange(30_000)})).shaped("range~age~*~9")
    STATES.clear()
    assert len(data.unfiltered) == 30_000
    assert STATES._rows >= 30_000
