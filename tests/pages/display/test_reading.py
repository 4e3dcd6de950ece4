"""Every page but those of the start has a short text on how to read it, which names its numbers and asks a question."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

PAGES = Path(__file__).parents[3] / "pages"
READ = [path for path in sorted(PAGES.glob("[!w]*/*.py")) if path.parent.name != "start"]
TEXTS = sorted(PAGES.glob("widgets/*/*/reading.md"))


@pytest.mark.parametrize("path", READ, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_has_a_text_on_how_to_read_it(path: Path) -> None:
    page = f"{path.parent.name}/{path.stem}"
    assert re.search(rf'show_reading\(\s*"{page}"', path.read_text(encoding="utf-8"))
    assert PAGES / "widgets" / page / "reading.md" in TEXTS


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_a_text_is_short_and_asks_a_question_whose_answer_unfolds(path: Path) -> None:
    body, question, answer, *_ = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert 50 < len(re.findall(r"[\w{}]+(?:[\w’.,–-]*\w)?", body)) <= 120
    assert question.endswith("?")
    assert len(answer.split()) > 10


def test_numbers_stand_in_the_text_and_the_rest_unfolds() -> None:
    def page() -> None:
        from pages.widgets.display.reading import show_reading

        show_reading("retrieve/graded", ndcg="0.4321")

    reading = AppTest.from_function(page).run().expander
    assert reading[0].label == "How to read this"
    assert "**[nDCG](measures?measure=ndcg)** is 0.4321 here" in reading[0].markdown[0].value
    assert reading[1].label.endswith("?")
    assert reading[2].label == "Finer points"
