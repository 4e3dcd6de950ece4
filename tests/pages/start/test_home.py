"""The questions on the start page lead to what is open where it fits, and say so; else to a sample."""

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.widgets.start.home.home import LESSONS
from tests.pages.uploads import stored
from tests.words import facts

ROOT = Path(__file__).parents[3]


def questions(**parameters: str) -> dict[str, tuple[str, str]]:
    """For each question the query of its link and the words beside it."""
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.run()
    links = [link.proto for link in test.main.get("page_link") if link.proto.label.startswith("**")]
    lessons = {question for question, *_ in LESSONS}
    assert lessons <= {link.label.strip("*") for link in links}
    links = [link for link in links if link.label.strip("*") not in lessons]
    words = [caption.value for caption in test.main.caption if " · " in caption.value]
    words = words[-len(links) :]
    return {link.label.strip("*"): (link.query_string, text) for link, text in zip(links, words, strict=True)}


def test_questions_open_samples_where_nothing_is_open() -> None:
    query, words = questions()["Where should I set the threshold?"]
    assert "data=breast_cancer" in query
    assert "sample: Breast cancer" in words


def test_questions_use_the_open_file_where_it_fits() -> None:
    data = stored("actual,score\nill,0.9\nwell,0.2\nill,0.4\nwell,0.3\n")
    asked = questions(data=data)
    query, words = asked["Where should I set the threshold?"]
    assert f"data={data}" in query
    assert words.endswith("table&#46;csv")
    query, words = asked["Which system ranks better?"]
    assert "data=image_retrieval" in query
    assert "sample: " in words


def test_the_doors_lead_to_the_open_file_where_it_has_scores() -> None:
    data = stored("actual,score\nill,0.9\nwell,0.2\nill,0.4\nwell,0.3\n")
    for opened, threshold in (({}, "data=breast_cancer&t=0.35"), ({"data": data}, f"data={data}")):
        test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
        test.query_params.update(opened)
        test.run()
        doors = {link.proto.label: link.proto.query_string for link in test.main.get("page_link")}
        label = "Open table&#46;csv" if opened else "Try it with this sample"
        assert doors[label] == threshold
        pictures = [one.proto.body for one in test.main.get("html") if one.proto.body.startswith("<img")]
        assert (
            facts([re.search('alt="(.*?)"', one)[1] for one in pictures])
            == "10 1744 1797 569 212 0.35 205 13 7 344 20 10 0.680"
        )
    assert "data=" + data in questions(data=data)["Can I believe the probabilities?"][0]
