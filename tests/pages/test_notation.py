"""One notation: every text of every page, as the golden files of words hold them, is written in one way."""

import re
from pathlib import Path

import pytest

from tests.words import alike

WORDS = sorted(Path(__file__).with_name("words").glob("*.txt"))
WRONG = {
    "an interval is written 82.6–91.5, and with “to” where an end has a sign": (
        r"\d[\u202f %]* – [+−]?\d|[+−][\d.]+–\d|\d–[+−]"
    ),
    "a minus is −": r"(?:^|[\s(=])-\d",
    "a thin space stands before %": r"\d ?%",
    "a thin space parts thousands from 10 000 on": r"(?<![\w.,:/])(?:\d{1,3}(?:,\d{3})+|\d{5,})(?![\w.])",
    "an alias does not repeat its name": r"(?i)\b([a-z][\w+−]*) \1\b",
}


@pytest.mark.parametrize("file", WORDS, ids=lambda file: file.stem)
@pytest.mark.parametrize("rule", WRONG)
def test_every_text_of_a_page_keeps_to_one_notation(file: Path, rule: str) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if not line.startswith("# ") and not any(sign in line for sign in ("$", "`", "%{"))]
    assert [line for line in texts if re.search(WRONG[rule], line)] == []


def test_golden_words_forgive_a_last_digit_and_nothing_else() -> None:
    assert alike("−0.333 to 1 240.", "−0.332 to 1 240.")
    for other in ("−0.331 to 1 240.", "+0.333 to 1 240.", "−0.33 to 1 240.", "−0.333 or 1 240.", "−0.333 to 1 242."):
        assert not alike("−0.333 to 1 240.", other)
