"""The threshold page opened for a test, and what goes to the browser read back as the browser reads it."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.figures.view_payload import cells_of, strict_json
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[4]


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    return test


def of_scores(positives: list[float], negatives: list[float]) -> str:
    rows = [f"1,{score!r}" for score in positives] + [f"0,{score!r}" for score in negatives]
    return stored("actual,score\n" + "\n".join(rows) + "\n")


def payload(test: AppTest) -> dict:
    """What goes to the browser, refusing nan as a browser does."""
    sent = [strict_json(element.proto.json) for element in test.get("bidi_component")]
    view, main = (next(one for one in sent if key in one) for key in ("name", "now"))
    assert main["view"] == view["name"]
    return main | {"view": strict_json(view["text"]), "over": strict_json(main["over"])}


def outcomes(test: AppTest) -> tuple[float, ...]:
    """The four counts at the threshold in use."""
    now, stops = payload(test)["now"], payload(test)["view"]["stops"]
    return cells_of(now["row"])[0] if now["row"] else cells_of(stops)[now["stop"]]
