"""The questions on the start page lead to what is open where it fits, and say so; else to a sample."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.engines import first_rows, open_stored
from evalcore.readers import Unloaded
from evalcore.registry import PAGES, page_at
from evalcore.wording import THIN
from pages.widgets.start.home.home import DOORS, LESSONS, QUESTIONS
from tests.pages.classify.threshold.threshold_page import payload
from tests.pages.uploads import saved, stored

ROOT = Path(__file__).parents[3]


def home(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    assert not test.run().exception
    return test


def questions(**parameters: str) -> dict[str, tuple[str, str]]:
    """For each question under the fold the query of its link and the words beside it."""
    (fold,) = (fold for fold in home(**parameters).expander if fold.label == "All questions")
    links = [link.proto for link in fold.get("page_link")]
    assert [link.label for link in links] == [question for question, *_ in (*QUESTIONS, *LESSONS)]
    return {link.label: (link.query_string, words.value) for link, words in zip(links, fold.caption, strict=True)}


def test_questions_open_samples_where_nothing_is_open() -> None:
    query, words = questions()["Where should I set the threshold?"]
    assert "data=breast_cancer" in query
    assert "Breast cancer" in words


def test_questions_use_the_open_file_where_it_fits() -> None:
    data = stored("actual,score\nill,0.9\nwell,0.2\nill,0.4\nwell,0.3\n")
    asked = questions(data=data)
    query, words = asked["Where should I set the threshold?"]
    assert f"data={data}" in query
    assert words.endswith("table&#46;csv")
    assert "data=image_retrieval" in asked["Which system ranks better?"][0]
    assert "data=" + data in asked["Can I believe the probabilities?"][0]


def test_the_doors_lead_to_the_open_file_where_it_has_scores() -> None:
    data = stored("actual,score\nill,0.9\nwell,0.2\nill,0.4\nwell,0.3\n")
    for opened, threshold in (({}, "data=breast_cancer"), ({"data": data}, f"data={data}")):
        doors = [link.proto for link in home(**opened).main.get("page_link")]
        (link,) = (one for one in doors[-len(QUESTIONS) - len(LESSONS) - 12 :][:12] if "threshold?" in one.label)
        assert link.query_string == threshold
    assert [len(pages) for pages in DOORS.values()] == [3, 3, 3, 3]


SCORES = "actual,score\nill,0.9\nwell,0.2\nill,0.4\n"
OPENED = {
    "name,town\nAda,Bonn\nBob,Bern\n": "data",
    "actual,predicted\n" + "".join(f"{true},{true}\n{true},cat\n" for true in ("cat", "dog", "owl")): "classes",
    "actual,predicted\n" + "".join(f"{true},{true}\n{true},cat\n" for true in ("cat", "dog")): "confusion",
    ",cat,dog,owl\ncat,5,1,0\ndog,2,7,1\nowl,0,1,9\n": "classes",
    ",cat,dog\ncat,5,1\ndog,2,7\n": "confusion",
    "system,TP,FP,FN,TN\na,5,1,2,9\nb,6,2,1,8\nc,4,1,3,9\n": "confusion",
}
"""Tables and the page on which each opens: of more than two classes the one that shows all of them."""


@pytest.mark.parametrize(("text", "page"), OPENED.items())
def test_a_dropped_file_opens_on_the_page_that_suits_it(text: str, page: str) -> None:
    test = home()
    test.file_uploader[0].set_value(("mine.csv", text.encode(), "text/csv")).run()
    assert not test.exception
    assert test.title[0].value == PAGES[page_at(page)].title


def test_dropped_scores_stay_on_home_under_their_finding_until_they_are_closed() -> None:
    test = home(t="0.9")
    test.file_uploader[0].set_value(("mine.csv", SCORES.encode(), "text/csv")).run()
    assert not test.exception
    assert test.title[0].value == "Evalcore"
    assert test.header[0].value == f"Finds 50.0{THIN}% of the ill, with no false alarms"
    assert "Read as: actual · score · positive &#61; ill" in [caption.value for caption in test.caption]
    assert "t" not in test.query_params  # that of the sample
    test.button(key="close the data").click().run()
    assert "data" not in test.query_params
    assert test.header[0].value == PAGES["start/home"].question


def test_warnings_that_change_the_view_stand_over_it(tmp_path: Path) -> None:
    file = tmp_path / "large.csv"
    file.write_text("actual,score\n" + "".join(f"{row % 2},{row / 30_000}\n" for row in range(20_001)))
    test = home(data=saved(first_rows(open_stored(file), Unloaded("path", str(file)))))
    assert any(f"These are the first 20{THIN}000 rows of a larger table" in said.value for said in test.caption)


def test_home_says_why_scores_cannot_be_used_and_draws_those_of_one_class() -> None:
    for text in ("actual,score\n" + "ill,0.9\nill,0.2\n" * 3, "actual,score\nill,\nwell,\nill,\n", SCORES):
        for roles in ({}, {"roles": "actual~actual~~score~score~~positive~ill"}):
            test = home(data=stored(text), **roles)
            assert [link for link in test.main.get("page_link") if "Continue" in link.proto.label]
            assert any(fold.label == "All questions" for fold in test.expander)


def test_the_goal_of_the_address_is_drawn() -> None:
    for at in ({}, {"data": stored(SCORES)}):
        cost = payload(home(**at, goal="Lowest cost", miss_cost="20.0"))["over"]["cost"]
        assert cost["price"] == 20


def test_one_link_goes_on_with_what_is_open() -> None:
    for text, page in {SCORES: "threshold", **OPENED}.items():
        (label,) = (
            one.proto.page for one in home(data=stored(text)).main.get("page_link") if "Continue" in one.proto.label
        )
        assert label == page


def test_a_cell_opens_its_rows_where_scores_are_open_and_offers_none_of_a_sample() -> None:
    opened = home(data=stored(SCORES), t="0.5", selected="cell~fn")
    assert "rows" in payload(opened)
    assert [one.value for one in opened.markdown if "(FN)" in one.value] == ["**1 missed** (FN)"]
    assert "rows" not in payload(home())


def test_a_threshold_can_be_dragged_where_nothing_is_open() -> None:
    """The view of a sample stands on the page without opening it."""
    test = home()
    assert len(test.main.get("bidi_component")) >= 2
    assert test.sidebar.selectbox[0].value is None
    assert not home(data="cancer_test").query_params.keys() - {"data"}
