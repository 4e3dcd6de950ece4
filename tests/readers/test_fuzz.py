"""Whatever the bytes, a reader gives a data set or a stated problem, and nothing else."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.readers import ReadProblem, read_table, roles_of
from evalcore.readers.assignment import read_roles

FRAME = pd.DataFrame(
    {
        "actual": ["a", "b", "a", "b"] * 3,
        "score": np.arange(12) / 7,
        "note": [None, "1", "x y", '"q"'] * 3,
        "predicted": ["a", "b", "b", "b"] * 3,
    }
)


def _valid() -> list[bytes]:
    csv = FRAME.to_csv(index=False)
    parquet, xlsx, packed = io.BytesIO(), io.BytesIO(), io.BytesIO()
    FRAME.to_parquet(parquet)
    FRAME.to_excel(xlsx, index=False)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.csv", csv)
    return [
        csv.encode(),
        FRAME.to_csv(index=False, sep=";", decimal=",").encode("utf-16"),
        gzip.compress(csv.encode()),
        b"tp,fp,fn,tn\n1,2,3,4\n",
        b"actual,a,b\na,1,2\nb,3,4\n",
        b"actual,p_a,p_b,p_c\na,.1,.2,.7\nb,.1,.8,.1\nc,0,0,1\n",
        b"truth,estimate,weight\n1.5,2,1\n2.5,3,2\n3,4.25,0\n",
        *(parquet.getvalue(), xlsx.getvalue(), packed.getvalue()),
    ]


VALID = _valid()
# explicit letters, because preparing all of Unicode takes longer than the test
WORDS = st.text(alphabet="ab1 .,;|\t\n\"'=<é雪🙂-", max_size=6)
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)


def opens_or_says_why(data: bytes) -> None:
    dataset = None
    try:
        dataset = read_table(data, "x.csv")
    except ReadProblem as problem:
        said = str(problem)
    if dataset is None:
        assert said.endswith(".")
        return
    assert len(dataset) > 0
    assert dataset.frame.columns.is_unique
    assert {column.dtype.kind for _, column in dataset.frame.items()} <= set("bifO")
    if dataset.roles != roles_of():
        assert read_roles(dataset.roles.to_text(), dataset.frame) == dataset.roles
    for arrays in (dataset.scored_arrays, dataset.label_arrays, dataset.probability_arrays, dataset.estimate_arrays):
        try:
            found = arrays()
        except ReadProblem:
            continue
        assert found.complete.shape == (len(dataset),)
        assert found.left_out == (~found.complete).sum()
        of_rows = (value for name, value in vars(found).items() if name not in ("complete", "classes", "group_column"))
        assert all(len(array) == found.complete.sum() for array in of_rows if array is not None)


@QUICK
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    opens_or_says_why(data)


@QUICK
@given(st.text(alphabet='ab01.,;|\t\n\r"-+ eN=é\0', max_size=60))
def test_random_text(text: str) -> None:
    opens_or_says_why(text.encode())
    opens_or_says_why(("actual,score\n" + text).encode())


@QUICK
@given(st.sampled_from(VALID), st.data())
def test_damaged_files(data: bytes, draw: st.DataObject) -> None:
    content = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 4))):
        place = draw.draw(st.integers(0, max(len(content) - 1, 0)))
        piece = draw.draw(st.binary(max_size=5))
        cut = draw.draw(st.integers(0, 8))
        content[place : place + cut] = piece
    opens_or_says_why(bytes(content))


@QUICK
@given(st.sampled_from(VALID), st.floats(0, 1))
def test_cut_files(data: bytes, share: float) -> None:
    opens_or_says_why(data[: int(len(data) * share)])


@QUICK
@given(
    st.dictionaries(
        WORDS,
        st.lists(st.one_of(st.none(), WORDS, st.floats(), st.integers(), st.booleans()), min_size=3, max_size=3),
        min_size=2,
        max_size=4,
    )
)
def test_tables_of_anything(columns: dict[str, list[object]]) -> None:
    text = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()}).to_csv(index=False)
    opens_or_says_why(text.encode("utf-8", errors="replace"))


@pytest.mark.parametrize(
    "text",
    [
        "actual,score\n1,0.5\n" + "\n" * 100_000 + "x",
        "p_" + ")" * 60_000 + "x,actual\n0.5,1\n0.25,0\n",
        "_" * 60_000 + "x,actual\n0.5,1\n0.25,0\n",
        "," * 1_999 + "\n" + "1," * 1_999 + "1\n",
        "a," * 1_999 + "a\n" + "1," * 1_999 + "1\n",
        "actual,score\n" + '"' * 100_001,
        "a;b\n" + "1;2\n" * 200 + "1;" + "1" * 100_000 + ",x\n",
        "0," * 1_999 + "0\n" + "0," * 1_999 + "0\n",
    ],
)
def test_text_made_to_take_long_does_not(text: str) -> None:
    # without care each of these takes minutes; the test fails by never ending
    opens_or_says_why(text.encode())
