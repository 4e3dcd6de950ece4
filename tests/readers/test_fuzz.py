"""Whatever the bytes, a reader gives a data set or a stated problem, and nothing else."""

import random

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalcore.readers.files.tables import FORMATS, Format
from tests.readers.mutants import TOGETHER, mutant, opens_or_says_why, real_files

FILES = real_files()
VALID = list(FILES.values())
# explicit letters, because preparing all of Unicode takes longer than the test
WORDS = st.text(alphabet="ab1 .,;|\t\n\"'=<é雪🙂-", max_size=6)
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
BY_A_CHILD = settings(QUICK, max_examples=20)
"""Most of these examples start a process; every run of the tests draws others."""


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.names[0])
def test_a_file_of_every_format_is_damaged(format: Format) -> None:
    assert any(name.endswith(format.endings) for name in FILES), (
        f"{format.names[0]}: put a file of it into real_files() of tests/readers/mutants.py"
    )


@QUICK
@given(st.binary(max_size=200))
@example(b"PK\3\4 of an archive without a directory")
def test_random_bytes(data: bytes) -> None:
    opens_or_says_why(data)


@QUICK
@given(st.text(alphabet='ab01.,;|\t\n\r"-+ eN=é\0', max_size=60))
def test_random_text(text: str) -> None:
    opens_or_says_why(text.encode())
    opens_or_says_why(("actual,score\n" + text).encode())


@BY_A_CHILD
@given(st.sampled_from(VALID), st.data())
def test_damaged_files(data: bytes, draw: st.DataObject) -> None:
    content = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 4))):
        place = draw.draw(st.integers(0, max(len(content) - 1, 0)))
        piece = draw.draw(st.binary(max_size=5))
        cut = draw.draw(st.integers(0, 8))
        content[place : place + cut] = piece
    opens_or_says_why(bytes(content))


@BY_A_CHILD
@given(st.sampled_from(VALID), st.floats(0, 1))
def test_cut_files(data: bytes, share: float) -> None:
    opens_or_says_why(data[: int(len(data) * share)])


@pytest.mark.parametrize("name", FILES)
def test_files_made_to_do_harm(name: str) -> None:
    others = {TOGETHER[name]: FILES[TOGETHER[name]]} if name in TOGETHER else {}
    # Two columns of numbers without a truth are no kind of predictions, and open on their own page.
    unknown = "unknown" if name != "digit_confidence.csv" else None
    assert opens_or_says_why(FILES[name], name, **others) not in ("refused", unknown)
    for number in range(3):
        opens_or_says_why(mutant(FILES[name], random.Random(f"{name} {number}"), VALID), name, **others)


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
        "tp,fp,fn,tn\n1e308,1e308,1e308,1e308\n",
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
