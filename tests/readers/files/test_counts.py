"""Tables that are already counted open in any order, spelling and layout."""

from dataclasses import astuple

import numpy as np
import pytest

from evalcore.readers import DataSet, ReadProblem, read_table, roles_of


def read(text: str, name: str = "my test.csv") -> DataSet:
    return read_table(text.encode(), name)


def counts_of(dataset: DataSet) -> dict[str, tuple]:
    return {system: astuple(dataset.counts(system)) for system in dataset.systems}


CANCER = (20.0, 180.0, 10.0, 1820.0)


@pytest.mark.parametrize(
    "text",
    [
        "tp,fp,fn,tn\n20,180,10,1820\n",
        "TN;TP;FN;FP\n1820;20;10;180\n",
        "True Positives,false_negatives,False-Positives,TrueNegatives\n20,10,180,1820\n",
        "outcome,n\nTP,20\nFN,10\nFP,180\nTN,1820\n",
        "tp,20\nfp,180\nfn,10\ntn,1820\n",
    ],
)
def test_one_table_in_many_spellings(text: str) -> None:
    dataset = read(text)
    assert dataset.kind == "counts"
    assert counts_of(dataset) == {"my test": CANCER}
    assert dataset.systems == ("my test",)
    assert "error" not in {finding.level for finding in dataset.findings}


def test_several_systems_have_their_names() -> None:
    dataset = read("tp,fp,fn,tn,remark,model\n1,2,3,4,x,A\n5,6,7,8,x,B\n5,6,7,8,x,B\n9,9,9,9,x,\n")
    assert dataset.roles.group == "model"
    assert counts_of(dataset) == {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8), "B (2)": (5, 6, 7, 8), "line 5": (9, 9, 9, 9)}


def test_numbered_systems_and_no_names() -> None:
    assert read("run,tp,fp,fn,tn\n1,1,2,3,4\n2,5,6,7,8\n").systems == ("1", "2")
    assert read("tp,fp,fn,tn\n1,2,3,4\n5,6,7,8\n").systems == ("line 2", "line 3")


def test_four_systems_of_four_counts_are_no_matrix() -> None:
    text = "tp,fp,fn,tn\n" + "1,2,3,4\n" * 4
    assert len(read(text).systems) == 4


MATRIX = np.array([[13, 2, 5], [4, 15, 1], [2, 1, 57]])


@pytest.mark.parametrize(
    "text",
    [
        "actual,w,m,c\nw,13,2,5\nm,4,15,1\nc,2,1,57\n",
        "predicted,w,m,c\nw,13,4,2\nm,2,15,1\nc,5,1,57\n",
        "predicted \\ actual,w,m,c\nw,13,4,2\nm,2,15,1\nc,5,1,57\n",
        "actual / predicted,w,m,c\nc,2,1,57\nw,13,2,5\nm,4,15,1\n",
        ",w,m,c\nw,13,2,5\nm,4,15,1\nc,2,1,57\n",
        "wo,m,c\n13,2,5\n4,15,1\n2,1,57\n",
        "classes,W, m,c\nw,13,2,5\nM ,4,15,1\nc,2,1,57\n",
    ],
)
def test_a_square_matrix_has_the_actual_classes_in_its_rows(text: str) -> None:
    dataset = read(text)
    assert dataset.kind == "counts"
    found = dataset.matrix()
    assert [text[0].lower() for text in found.classes] == ["w", "m", "c"]
    assert np.array_equal(found.counts, MATRIX)
    assert dataset.systems == ()


def test_a_matrix_can_be_turned() -> None:
    dataset = read("actual,a,b\na,1,2\nb,3,4\n")
    turned = dataset.with_roles(roles_of(counts=("a", "b"), group="actual", rows_are="predicted"))
    assert np.array_equal(turned.matrix().counts, [[1, 3], [2, 4]])


def test_numbers_as_classes() -> None:
    for text in ("0,1,2\n5,1,0\n1,6,0\n0,0,7\n", "digit,0,1,2\n0,5,1,0\n1,1,6,0\n2,0,0,7\n"):
        found = read(text).matrix()
        assert found.classes == ("0", "1", "2")
        assert np.array_equal(found.counts, [[5, 1, 0], [1, 6, 0], [0, 0, 7]])


def test_a_matrix_without_names_numbers_its_classes() -> None:
    found = read("13,2,5\n4,15,1\n2,1,57\n").matrix()
    assert found.classes == ("column 1", "column 2", "column 3")
    assert np.array_equal(found.counts, MATRIX)


def test_five_hundred_classes() -> None:
    names = [f"class {n}" for n in range(500)]
    lines = "".join(
        f"{name}," + ",".join("1" if n == m else "0" for m in range(500)) + "\n" for n, name in enumerate(names)
    )
    found = read("actual," + ",".join(names) + "\n" + lines).matrix()
    assert np.array_equal(found.counts, np.eye(500))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tp,fp,fn,tn\n1,-2,3,4\n", 'Column "fp" holds -2 in line 2'),
        ("tp,fp,fn,tn\n1,,3,4\n", "all four counts"),
        ("actual,a,b\na,1,\nb,3,4\n", 'column "b", line 2'),
        ("actual,a,b\na,1,2\nb,-3,4\n", 'Column "a" holds -3 in line 3'),
    ],
)
def test_counts_that_cannot_be_are_refused_when_asked_for(text: str, why: str) -> None:
    dataset = read(text)
    assert "error" in {finding.level for finding in dataset.findings}
    with pytest.raises(ReadProblem, match=why):
        dataset.matrix()


def test_a_row_without_all_counts_is_left_out() -> None:
    assert counts_of(read("tp,fp,fn,tn\n1,2,3,4\n1,,3,4\n")) == {"line 2": (1, 2, 3, 4)}


def test_a_row_that_adds_up_systems_is_none() -> None:
    text = "model,TP,FP,FN,TN\nA,10,2,3,40\nB,11,3,2,39\nTotal,21,5,5,79\n"
    dataset = read_table(text.encode(), "x.csv")
    assert dataset.systems == ("A", "B")
    assert "margins" in [one.code for one in dataset.findings]
    assert read_table(text.replace("79", "78").encode(), "x.csv").systems == ("A", "B", "Total")
    assert read_table(text.replace("Total", "C").encode(), "x.csv").systems == ("A", "B", "C")


@pytest.mark.parametrize("text", [
    "actual,a,b,Total\na,1e308,1e308,3\nb,1e308,2,4\nTotal,1e308,2,5\n",
    "system,tp,fp,fn,tn\nx,1e308,1,1,1\ny,1e308,1,1,1\nTotal,1e308,2,2,2\n",
    "actual,a,b\na,1e308,1e308\nb,1e308,2\n",
])  # fmt: skip
def test_cells_whose_sum_is_no_number_are_read_and_told(text: str) -> None:
    findings = read_table(text.encode(), name="cells.csv").findings
    assert [one.code for one in findings if one.level == "error"] == ["bad counts"]
