"""Selected rows: the words, the order of all rows, and the filters that keep them and no others."""

import base64

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import (
    CELLS,
    NamedCounts,
    RowSelection,
    Scores,
    Source,
    outcome_rows,
    rows_between_scores,
    with_images,
)
from evalcore.readers import DataSet, Numbered, ReadProblem, Shape, read_sample, read_table
from evalcore.wording import plain
from tests.words import facts

SAMPLE = Source.of(read_sample("breast_cancer"))
SCORES = Scores.of(SAMPLE, "logistic_regression")


def kept(selection: RowSelection, data: DataSet) -> pd.DataFrame:
    """The table after the filters of a selection, as a link carries them."""
    return data.shaped(Shape.from_text(Shape(selection.filters()).to_text())).frame


@pytest.mark.parametrize("cell", CELLS)
def test_an_outcome_is_told_by_its_count_and_found_again_by_its_score_and_its_label(cell: str) -> None:
    counted = NamedCounts.at(SCORES, 0.3)
    selection = outcome_rows(SAMPLE, counted, cell)
    count = int(getattr(counted.counts, cell))
    assert len(selection.rows) == count
    assert facts(selection.title).startswith(f"{count}")
    assert [step.word for step in selection.filters()] == ["range", "only"]
    if cell in ("fp", "tn"):  # without a positive row no page of scores could be drawn
        assert selection.no_filter_because == 'No row of the positive class "malignant" would be left.'
        with pytest.raises(ReadProblem, match="No row of the positive class"):
            kept(selection, SAMPLE.dataset)
    else:
        assert selection.no_filter_because is None
        pd.testing.assert_frame_equal(
            kept(selection, SAMPLE.dataset), SAMPLE.frame.iloc[selection.rows].reset_index(drop=True)
        )


def test_scores_that_were_brushed_need_no_filter_but_their_range() -> None:
    selection = rows_between_scores(SCORES, 0.4, 0.6)
    scores = SAMPLE.frame["logistic_regression"]
    assert selection.rows.tolist() == np.flatnonzero(scores.between(0.4, 0.6)).tolist()
    assert facts(selection.title) == f"0.4 0.6 {len(selection.rows)}"
    (step,) = selection.filters()
    assert step.word == "range"
    assert len(kept(selection, SAMPLE.dataset)) == len(selection.rows)


def test_rows_without_a_common_value_are_kept_by_number_in_the_table_they_were_chosen_from() -> None:
    rows = np.array([7, 3, 4, 5, 100])
    selection = RowSelection.called(plain("a*b_c.d"), SAMPLE, rows)
    (step,) = selection.filters()
    assert step == Numbered("a*b_c.d: 5 rows", ("4-6", "8", "101"), 569.0)
    assert kept(selection, SAMPLE.dataset).equals(SAMPLE.frame.iloc[np.sort(rows)].reset_index(drop=True))
    shorter = SAMPLE.dataset.shaped(Shape(rows_between_scores(SCORES, 0.1, 0.9).filters()))
    with pytest.raises(ReadProblem, match="selected by row number in a table of 569 rows"):
        shorter.shaped(Shape((*rows_between_scores(SCORES, 0.1, 0.9).filters(), step)))
    many = Source.of(read_sample("rare_digit"))
    with pytest.raises(ReadProblem, match="too many to filter by row number"):
        RowSelection(many, "every other row", np.arange(0, len(many.frame), 2)).filters()


def test_all_rows_are_sorted_before_the_first_of_them_are_taken() -> None:
    error = np.linspace(1, -1, 569)
    selection = RowSelection(SAMPLE, "", np.arange(569), ("actual", "logistic_regression"), {"error": error})
    first = selection.frame("error", most=3)
    assert first.columns[:4].tolist() == ["line", "error", "actual", "logistic_regression"]
    assert first["line"].tolist() == [570, 569, 568]
    highest = selection.frame("logistic_regression", falling=True, most=1)
    assert highest["logistic_regression"].tolist() == [SAMPLE.frame["logistic_regression"].max()]
    assert selection.frame("line", falling=True, most=2)["line"].tolist() == [570, 569]
    assert selection.frame("nobody", most=2)["line"].tolist() == [2, 3]


def test_each_heading_sorts_by_the_column_below_it_whatever_its_name() -> None:
    source = Source.of(
        read_table(b"label,score,error,line\nyes,0.9,5,1\nno,0.2,3,9\nyes,0.4,4,2\nno,0.1,1,4\n", "x.csv")
    )
    selection = RowSelection(source, "", np.array([2, 0, 3, 1]), (), {"error": np.array([1.0, 2.0, 3.0, 4.0])})
    shown = selection.frame()
    for name in shown.columns:
        for falling in (False, True):
            expected = shown.sort_values(name, ascending=not falling, kind="stable")
            assert selection.frame(name, falling)["label"].tolist() == expected["label"].tolist(), name
            assert selection.frame(name, falling, most=1)[name].tolist() == expected[name].tolist()[:1], name
    assert shown.columns[:2].tolist() == ["line of the file", shown.columns[1]]


def test_missing_cells_come_last_and_images_are_shown_from_their_bytes_alone() -> None:
    pixel = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    image = f"data:image/svg+xml;base64,{base64.b64encode(pixel).decode()}"
    text = f'label,score,note,picture\nyes,0.9,b,"{image}"\nno,0.2,,"{image}"\nyes,0.4,a,\nno,0.1,c,javascript:1\n'
    source = Source.of(read_table(text.encode(), "x.csv"))
    for falling, notes in ((False, ["a", "b", "c"]), (True, ["c", "b", "a"])):
        frame = RowSelection(source, "", np.arange(4)).frame("note", falling)
        assert frame["note"].dropna().tolist() == notes
        assert frame["note"].isna().tolist() == [False, False, False, True]
    shown, images = with_images(RowSelection(source, "", np.arange(4)).frame())
    assert images == ["picture"]
    assert [cell[:15] for cell in shown["picture"]] == ["data:image/gif;", "data:image/gif;", "", ""]
