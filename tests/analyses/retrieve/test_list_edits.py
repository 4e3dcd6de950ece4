"""An edited list is the list that was asked for, whatever holds its order, and every edit fits into a link."""

import pytest

from evalcore.analyses import ListEdits, RankedList, Rankings, Source
from evalcore.readers import DataSet, ReadProblem, Shape, read_sample, read_table


def edits_of(data: DataSet, system: str, query: str = "1") -> ListEdits:
    return ListEdits(RankedList(Rankings(Source.of(data), system), query))


def documents(data: DataSet, system: str, query: str = "1") -> list[str]:
    return RankedList(Rankings(Source.of(data), system), query).documents


SCORES = b"query,document,A,B,grade\n1,x,3,1,1\n1,y,2,2,0\n1,z,2,3,\n2,x,1,1,1\n2,v,5,1,0\n"
SYSTEMS = b"query,document,system,score,grade\n1,x,A,3,1\n1,y,A,2,0\n1,x,B,1,1\n1,y,B,2,0\n"


@pytest.mark.parametrize(("content", "system"), [(SCORES, "A"), (SCORES, "B"), (SYSTEMS, "B")])
def test_the_documents_of_one_list_move_and_no_other_list_does(content: bytes, system: str) -> None:
    data = read_table(content, "lists.csv")
    before = documents(data, system)
    shape = edits_of(data, system).ordered(range(len(before))[::-1])
    edited = data.shaped(Shape.from_text(shape.to_text()).to_text())
    assert documents(edited, system) == before[::-1]
    (other,) = {"A", "B"} - {system}
    assert documents(edited, other) == documents(data, other)


def test_a_second_edit_takes_the_place_of_the_first_and_grades_change_one_document() -> None:
    data = read_sample("ranking_14")
    once = data.shaped(edits_of(data, "rank").graded(2, 1).to_text())
    assert RankedList(Rankings(Source.of(once), "rank"), "1").curve.total == 6
    twice = data.shaped(edits_of(once, "rank").graded(2, 0).to_text())
    assert len(twice.shape.steps) == 1
    edits = edits_of(twice, "rank")
    assert [line["grade"] for line in edits.lines] == [line["grade"] for line in edits_of(data, "rank").lines]
    assert edits.has_edits
    assert edits.unedited.steps == ()


def test_an_edit_of_another_list_says_what_to_do() -> None:
    data = read_sample("ranking_14")
    shape = edits_of(data, "rank").ordered(range(14))
    with pytest.raises(ReadProblem, match="other documents"):
        read_sample("graded_10").shaped(shape.to_text())
    with pytest.raises(ValueError, match="every place once"):
        edits_of(data, "rank").ordered([0, 0])
    with pytest.raises(IndexError):
        edits_of(data, "rank").graded(-1, 0)
