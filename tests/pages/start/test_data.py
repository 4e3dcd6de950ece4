"""The data page and what is open: any numbers are drawn, labels go by their text, uploads stay with their session."""

import errno
import gc
import re
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from evalcore.readers import KINDS, read_table
from evalcore.readers.files import columnar
from pages.widgets.session import visitor
from pages.widgets.session.current_dataset import entry, forget
from pages.widgets.session.loaded import COUNTABLE, SCORED
from pages.widgets.session.visitor import workspace
from tests.pages.application import tables
from tests.readers.made_files import csv, long
from tests.words import sentence_with

ROOT = Path(__file__).parents[3]
HUGE = np.finfo(float).max


def stored(text: str, name: str = "mine.csv", owner: str = "") -> str:
    return workspace().save(read_table(text.encode(), name), owner)


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
    profile = next(frame for frame in tables(test) if "distribution" in frame)
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


def test_values_of_columns_are_written_as_numbers_are_elsewhere() -> None:
    prices = [58_680 + 78_410 * place // 6 for place in range(13)]
    rows = "".join(f"{price},{price + 0.25},{'ab'[place > 3]}\n" for place, price in enumerate(prices))
    (profile,) = (
        one for one in tables(data_page(data=stored(f"truth,estimate,group\n{rows}"))) if "distribution" in one
    )
    ends = "58\u202f680 … 137\u202f090 … 215\u202f500"
    assert profile.set_index("column")["values"].to_dict() == {"truth": ends, "estimate": ends, "group": "b: 9, a: 4"}


def listed(test: AppTest, action: str = "open") -> set[str]:
    keys = {button.key or "" for button in test.button}
    return {key.removeprefix(f"{action} ") for key in keys if key.startswith(f"{action} ")}


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts on the cookie of a browser."""
    return lambda name: monkeypatch.setattr(visitor, "_cookie", lambda: name)


def test_uploads_are_listed_to_their_browser_and_who_opens_a_link_cannot_delete(browser: Callable[[str], None]) -> None:
    browser("mine")
    mine = stored("a,b\nx,3\ny,4\n", owner=visitor.owner())
    browser("theirs")
    theirs = stored("a,b\nx,1\ny,2\n", owner=visitor.owner())
    unknown = stored("a,b\nx,5\ny,6\n")
    browser("mine")
    assert listed(data_page()) == {mine}
    test = data_page(data=theirs)
    assert listed(test) == {mine, theirs}
    assert listed(test, "delete") == {mine}
    assert listed(data_page(data=unknown), "delete") == {mine}
    test.sidebar.selectbox[0].select("cancer_test").run()
    assert listed(test) == {mine, theirs}
    test.button(key=f"delete {mine}").click().run()
    assert listed(test) == {theirs}
    assert {theirs, unknown} <= {entry.id for entry in workspace().list()}


def test_a_browser_without_cookies_owns_what_its_session_uploaded() -> None:
    test = data_page()
    test.text_area[0].set_value("actual,score\nill,0.9\nwell,0.2\n")
    next(button for button in test.button if button.label == "Open this table").click().run()
    assert listed(test) == listed(test, "delete") != set()
    assert not listed(data_page())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("actual\nill\nwell\n", "The pasted table has only one column"),
        ("actual,score\n", "The pasted table has a header"),
    ],
)
def test_pasted_text_that_is_refused_stays_in_its_field(text: str, said: str) -> None:
    test = data_page()
    for table in (text, "actual,score\nill,0.9\nwell,0.2\n"):
        test.text_area[0].set_value(table)
        next(button for button in test.button if button.label == "Open this table").click().run()
        assert [problem.value[: len(said)] for problem in test.error] == [said] * (table == text)
        assert test.text_area[0].value == text * (table == text)


def test_typed_pairs_judge_the_open_rankings_as_a_data_set_of_their_own() -> None:
    test = data_page(data="ranking_14", open_by="Paste a table")

    def type_in(text: str) -> str:
        next(field for field in test.text_area if "one pair per line" in field.label).set_value(text)
        next(button for button in test.button if button.label.startswith("Judge the open")).click().run()
        return "".join(problem.value for problem in test.error)

    assert sentence_with(type_in("2, 588"), "no list")
    assert test.sidebar.selectbox(key="sidebar data").value == "ranking_14"
    assert type_in("1, 588\n1, 990") == ""
    assert test.sidebar.selectbox(key="sidebar data").value != "ranking_14"
    assert "2 typed pairs" in "".join(text.value for text in test.markdown)


def test_a_table_is_read_from_memory_where_the_disk_has_no_room_to_put_it_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    test = data_page()
    monkeypatch.setattr(columnar, "TemporaryFile", full)
    test.text_area[0].set_value("actual,score\nill,0.9\nwell,0.2\n")
    next(button for button in test.button if button.label == "Open this table").click().run()
    assert not test.exception
    assert "data" in test.query_params


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "0.0.0.0"])
def test_only_the_key_of_the_workspace_lists_everything(browser: Callable[[str], None], address: str) -> None:
    data = stored("a,b\nx,1\ny,2\n")
    before = config.get_option("server.address")
    config.set_option("server.address", address)
    assert not listed(data_page())
    browser(workspace().key())
    assert data in listed(data_page(), "delete")
    config.set_option("server.address", before)


def test_who_signs_in_finds_the_uploads_in_any_browser(
    browser: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def signed_in(subject: str) -> None:
        monkeypatch.setattr(visitor.st, "user", {"is_logged_in": True, "iss": "https://id.example", "sub": subject})

    signed_in("ada")
    browser("one")
    data = stored("a,b\nx,1\ny,2\n", owner=visitor.owner())
    browser("two")
    assert listed(data_page(), "delete") == {data}
    signed_in("eve")
    assert not listed(data_page())


def test_a_deleted_data_set_leaves_nothing_cached() -> None:
    data = stored("actual,score\nill,0.91\nwell,0.2\nill,0.4\nwell,0.1\n")
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params["data"] = data
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    held = weakref.ref(entry(data))
    states = [weakref.ref(thing) for thing in gc.get_objects() if type(thing).__name__ == "ScoredLabels"]
    assert any(state() is not None and 0.91 in state().positive_scores for state in states)
    workspace().delete(data)
    forget(data)
    del test
    for thread in threading.enumerate():
        if thread.name == "ScriptRunner.scriptThread":  # one that has shown its page may not have ended
            thread.join(60)
    gc.collect()
    gc.collect()  # what the finalisers of the first let go of
    assert held() is None
    assert not any(state() is not None and 0.91 in state().positive_scores for state in states)


def test_what_is_open_is_offered_on_each_page_that_takes_it() -> None:
    for kind in SCORED:
        assert {"classify/threshold", "classify/curves"} <= set(KINDS[kind].pages)
    for kind in COUNTABLE:
        assert "classify/confusion" in KINDS[kind].pages
    for kind in ("labels", "counts", "probabilities"):
        assert "classify/classes" in KINDS[kind].pages


def test_a_long_table_opens_with_one_column_per_model_until_its_step_is_removed() -> None:
    test = data_page()
    test.text_area[0].set_value(csv(long()).decode())
    next(button for button in test.button if button.label == "Open this table").click().run()
    assert test.query_params["shape"] == "wide~id~model~score"
    assert sorted(test.multiselect(key="roles score").value) == ["A", "B"]
    test = data_page(data=test.query_params["data"])
    assert "the rows mix 2 systems" in " ".join(element.value for element in test.main.markdown)


def test_a_kind_that_is_clicked_asks_for_what_names_and_values_do_not_tell() -> None:
    cells = "".join(f"shoes {row // 4},d{row},{90 - row * 7 % 50}.5,{row % 5 * 40}\n" for row in range(40))
    test = data_page(data=stored("query,_id,_score,clicks\n" + cells))
    test.segmented_control(key="roles kind").set_value("run + judgments").run()
    assert not test.exception
    assert test.segmented_control(key="roles kind").value == "run + judgments"
    for part, column in {"query": "query", "document": "_id", "grade": None}.items():
        assert test.selectbox(key=f"roles {part}").value == column
    assert test.multiselect(key="roles score").value == ["_score"]
    assert "choose &#34;Grade&#34;" in " ".join(element.value for element in test.main.markdown)
    test.selectbox(key="roles grade").select("clicks").run()
    assert "asked" not in test.query_params["roles"]
    assert not test.exception


def test_columns_of_counts_are_chosen_one_by_one() -> None:
    test = data_page(data=stored("region,a,b,c,d,e\n" + "".join(f"r{row},5,{row},2,7,3\n" for row in range(7))))
    test.segmented_control(key="roles kind").set_value("counts").run()
    for count in range(5):
        assert test.segmented_control(key="roles kind").value == "counts"
        assert test.multiselect(key="roles counts").value == list("abcd")[:count]
        if count < 4:
            test.multiselect(key="roles counts").select("abcd"[count]).run()
            assert not test.exception
    assert test.query_params["roles"] == "counts~a~b~c~d"


def test_probabilities_are_chosen_one_by_one_from_an_open_field() -> None:
    cells = "".join(f"{'xyz'[row % 3]},{row % 7},{row % 5},{row % 4}\n" for row in range(40))
    test = data_page(data=stored("label,a,b,c\n" + cells))
    test.segmented_control(key="roles kind").set_value("probabilities").run()
    assert test.multiselect(key="roles probability").value == []
    test.multiselect(key="roles probability").select("a").run()
    assert test.multiselect(key="roles probability").value == ["a"]
    assert not test.exception


def test_columns_of_one_label_open_as_classes() -> None:
    test = data_page()
    rows = "".join(
        f"{int(row % 3 == 0)},{int(row % 3 == 1)},{int(row % 3 == 2)},{'abc'[row % 2]}\n" for row in range(30)
    )
    test.text_area[0].set_value("y_a,y_b,y_c,prediction\n" + rows)
    next(button for button in test.button if button.label == "Open this table").click().run()
    assert test.query_params["shape"] == "onehot~y_a,y_b,y_c~label"
    assert test.selectbox(key="roles actual").value == "label"


def test_roles_chosen_by_hand_come_with_a_positive_class() -> None:
    test = data_page(data=stored("species,ill,length\na,yes,1.5\nb,no,2.5\nc,no,3.5\nc,yes,2.25\n"))
    test.segmented_control(key="roles kind").set_value("scores").run()
    test.selectbox(key="roles actual").select("species").run()
    assert test.segmented_control(key="roles positive").value is not None
    test.selectbox(key="roles actual").select("ill").run()
    assert test.segmented_control(key="roles positive").value == "yes"
    assert not test.error


def test_an_address_with_an_empty_data_set_is_that_of_the_data_page() -> None:
    test = data_page(data="")
    assert not test.warning
    assert "data" not in test.query_params


def test_a_finding_does_not_send_to_the_page_that_it_stands_on() -> None:
    data = stored("actual,predicted\n" + "yes,yes\nYes,no\nno,no\nno,yes\n" * 5)
    findings = " ".join(element.value for element in data_page(data=data).main.markdown)
    assert "merge them&#46;" in findings
    assert "on the Data page" not in findings


def test_stored_uploads_are_searched_emptied_and_brought_back() -> None:
    test = data_page()
    for name in "abcdef":
        test.text_area[0].set_value(f"actual,score\n{name},0.9\nz,0.2\n")
        next(button for button in test.button if button.label == "Open this table").click().run()
    mine = listed(test, "delete")
    assert len(mine) == 6
    opened = test.query_params["data"]
    test.text_input(key="search stored").set_value("PASTED").run()
    assert listed(test, "delete") == mine
    test.text_input(key="search stored").set_value("nothing like it").run()
    assert not listed(test, "delete")
    test.text_input(key="search stored").set_value("").run()
    test.button(key="empty stored").click().run()
    assert not listed(test)
    assert "data" not in test.query_params
    test.button(key="undo delete").click().run()
    assert listed(test, "delete") == mine
    test = data_page(data=opened)
    assert not test.warning


@pytest.mark.parametrize(("text", "cells"), [
    ("model,precision,recall\nA,0.8,0.7\nB,0.9,0.6\n", True), ("model,tp,fp,fn,tn\nA,1,2,3,4\n", False),
])  # fmt: skip
def test_the_link_to_typed_counts_leads_to_a_matrix(text: str, cells: bool) -> None:
    (link,) = [one.proto for one in data_page(data=stored(text)).get("page_link") if "Only four" in one.proto.label]
    assert ("cells=0" in link.query_string) is cells
