"""The data page and what is open: any numbers are drawn, labels go by their text, uploads stay with their session."""

import gc
import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from evalcore.readers import KINDS, read_table
from pages.widgets.session.current_dataset import forget, found
from pages.widgets.session.loaded_scores import COUNTABLE, SCORED
from pages.widgets.session.workspace import workspace

ROOT = Path(__file__).parents[3]
HUGE = np.finfo(float).max


def stored(text: str, name: str = "mine.csv") -> str:
    return workspace().save(read_table(text.encode(), name))


def data_page(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update(parameters)
    return test.switch_page("pages/start/data.py").run()


def heading(test: AppTest) -> str:
    return next(caption.value for caption in test.main.caption if "positive = " in caption.value)


@pytest.mark.parametrize(
    "scores",
    [np.linspace(-1, 1, 40) * HUGE, np.full(40, HUGE) * (1 - np.arange(40) * 1e-16), np.linspace(0, 1e-320, 40),
     1 - np.arange(40) * 1.2e-16],
    ids=["far apart", "huge and near", "tiny", "near"],
)  # fmt: skip
@pytest.mark.filterwarnings("error::RuntimeWarning:pages")
def test_the_distribution_of_any_finite_scores_is_drawn(scores: np.ndarray) -> None:
    rows = "".join(f"{'ill' if row % 3 else 'well'},{score!r}\n" for row, score in enumerate(scores.tolist()))
    test = data_page(data=stored("actual,score\n" + rows))
    assert not test.exception
    assert not test.error
    profile = next(frame.value for frame in test.dataframe if "distribution" in frame.value)
    assert sum(profile["distribution"].iloc[1]) == 40
    assert "inf" not in profile["values"].iloc[1]


def test_a_label_that_is_no_word_stands_behind_one() -> None:
    rows = "".join(f"{row % 3 % 2},{row / 7}\n" for row in range(9))
    assert "9 rows, 3 positive (1)" in heading(data_page(data=stored("actual,score\n" + rows))).replace("&#40;", "(")


def test_a_label_is_called_by_its_text_where_missing_ones_make_it_a_fraction() -> None:
    test = data_page(data=stored("actual,score\n1,0.9\n0,0.2\n,0.4\n0,0.1\n"))
    assert "positive = 1 " in heading(test)
    assert sorted(test.segmented_control(key="roles positive").options) == ["0", "1"]
    assert not any(
        re.search(r"\b[01]\.0\b|&#46;0", option.content) for option in test.segmented_control[1].proto.options
    )


def test_thousands_are_parted_in_one_way() -> None:
    rows = "".join(f"{'ill' if row % 3 else 'well'},{row % 700}\n" for row in range(1500))
    test = data_page(data=stored("actual,score\n" + rows + "ill,\n"))
    said = " ".join(element.value for element in (*test.main.caption, *test.main.markdown))
    assert said.count("1\u202f501 rows") >= 2
    assert not re.search(r"\d[,\u2009 ]\d{3}\b", said)


@pytest.fixture
def reached_by_others() -> Iterator[None]:
    before = config.get_option("server.address")
    config.set_option("server.address", "0.0.0.0")
    yield
    config.set_option("server.address", before)


def listed(test: AppTest) -> set[str]:
    return {button.key.removeprefix("delete ") for button in test.button if (button.key or "").startswith("delete ")}


@pytest.mark.usefixtures("reached_by_others")
def test_uploads_are_listed_to_the_session_that_opened_them() -> None:
    theirs, mine = stored("a,b\nx,1\ny,2\n"), stored("a,b\nx,3\ny,4\n")
    assert not listed(data_page())
    test = data_page(data=mine)
    assert listed(test) == {mine}
    test.sidebar.selectbox[0].select("cancer_test").run()
    assert listed(test) == {mine}
    test.button(key=f"delete {mine}").click().run()
    assert not listed(test)
    assert theirs in {entry.id for entry in workspace().list()}


def test_a_server_of_this_machine_lists_everything_stored() -> None:
    data = stored("a,b\nx,1\ny,2\n")
    assert data in listed(data_page())


def test_a_deleted_data_set_leaves_nothing_cached() -> None:
    data = stored("actual,score\nill,0.91\nwell,0.2\nill,0.4\nwell,0.1\n")
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params["data"] = data
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    held = weakref.ref(found(data))
    states = [weakref.ref(thing) for thing in gc.get_objects() if type(thing).__name__ == "ScoredLabels"]
    assert any(state() is not None and 0.91 in state().positive_scores for state in states)
    workspace().delete(data)
    forget(data)
    del test
    gc.collect()
    assert held() is None
    assert not any(state() is not None and 0.91 in state().positive_scores for state in states)


def test_what_is_open_is_offered_on_each_page_that_takes_it() -> None:
    for kind in SCORED:
        assert {"classify/threshold", "classify/curves"} <= set(KINDS[kind].pages)
    for kind in COUNTABLE:
        assert "classify/confusion" in KINDS[kind].pages
    for kind in ("labels", "counts", "probabilities"):
        assert "classify/classes" in KINDS[kind].pages
