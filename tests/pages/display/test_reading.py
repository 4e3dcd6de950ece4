"""Every page but those of the start has a short text on how to read it, which names its numbers and asks a question."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.wording import linked_mentions, plain
from pages.widgets.classify.curves.curves import KINDS
from pages.widgets.display.measures import READINGS
from pages.widgets.session import loaded as entry_links
from tests.pages.nasty_names import NASTY

PAGES = Path(__file__).parents[3] / "pages"
READ = [path for path in sorted(PAGES.glob("[!w]*/*.py")) if path.parent.name != "start"]
OTHER_CURVES = {f"classify/curves {name}" for name in KINDS}
TEXTS = {name: text for name, text in READINGS.items() if name not in OTHER_CURVES}


@pytest.mark.parametrize("path", READ, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_has_a_text_on_how_to_read_it(path: Path) -> None:
    page = f"{path.parent.name}/{path.stem}"
    assert re.search(rf'show_reading\(\s*"{page}"', path.read_text(encoding="utf-8"))
    assert page in TEXTS


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_short_and_what_unfolds_is_the_answer_to_a_question(name: str) -> None:
    body, *parts = re.split(r"^## (.+)$", TEXTS[name], flags=re.MULTILINE)
    assert 50 < len(re.findall(r"[\w{}]+(?:[\w’.,–-]*\w)?", body)) <= 120
    if parts:
        question, answer, *_ = parts
        assert question.endswith("?")
        assert len(answer.split()) > 5


def test_numbers_stand_in_the_text_and_the_rest_unfolds() -> None:
    def page() -> None:
        from pages.widgets.display.measures import show_reading

        show_reading("retrieve/ranking", mean_ap="0.4321")

    reading = AppTest.from_function(page).run().expander
    assert reading[0].label == "How to read this"
    assert "**[MAP](measures?measure=average_precision_at)**, 0.4321 here" in reading[0].markdown[0].value
    assert reading[1].label.endswith("?")


def test_a_verdict_opens_the_entry_of_each_measure_it_mentions_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_links, "linked_mentions", linked_mentions)
    test = AppTest.from_file(PAGES.parent / "app.py", default_timeout=60)
    test.query_params["data"] = "cancer_test"
    test.switch_page("pages/classify/confusion.py").run()
    verdict = next(text.value for text in test.markdown if "rule in: " in text.value)
    opened = re.findall(r"\[([^\]]+)\]\(measures\?data=cancer_test&measure=(\w+)\)", verdict)
    assert opened == [("PPV", "precision"), ("Accuracy", "accuracy")]


@pytest.mark.parametrize("name", NASTY)
def test_links_leave_names_from_files_as_they_are(name: str) -> None:
    written = f"{plain(name)} has recall, lift and AUC; “recall of {plain(name)}” and `F1` stay."
    linked = linked_mentions(written)
    assert re.sub(r"\[([^\]]+)\]\(measures\?measure=\w+\)", r"\1", linked) == written
    assert linked.count("](measures?measure=") == 2
