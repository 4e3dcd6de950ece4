"""Names are cut so that no two of a list look alike, however they begin and end."""

from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.wording import short_names

PARTS = ("lower", "upper")
CHAPTERS = [f"International classification of diseases, chapter {n:02}: {PARTS[n % 2]} part" for n in range(30)]


def test_names_that_begin_and_end_alike_start_where_they_differ() -> None:
    assert list(short_names(CHAPTERS).values())[:2] == ["…chapter 00: lower part", "…chapter 01: upper part"]


def test_names_that_end_differently_lose_their_middle() -> None:
    names = [f"score of the gradient boosted trees, fold {n}" for n in range(5)]
    assert list(short_names(names).values())[3:] == ["score of the…fold 3", "score of the…fold 4"]


def test_short_names_stay_as_they_are() -> None:
    assert short_names(["ill", "", " well", "ill"]) == {"ill": "ill", "": "(empty)", " well": "␣well"}


@given(st.lists(st.text("ab -_\n", max_size=40)), st.integers(3, 30))
@example(["a b", "a\nb"], 10)
def test_no_two_names_look_alike(names: list[str], limit: int) -> None:
    short = short_names(names, limit)
    assert list(short) == list(dict.fromkeys(names))
    assert len(set(short.values())) == len(short)


@given(st.lists(st.text(max_size=60), max_size=9), st.integers(3, 30))
def test_names_are_as_short_as_they_are_asked_to_be(names: list[str], limit: int) -> None:
    room = limit + len(str(len(names))) + 1  # where nothing else helps, they are numbered
    assert all(len(words) <= max(room, len("(empty)")) for words in short_names(names, limit).values())
