"""Another sheet or header is chosen on the data page: the stored file is read again; the exported Python says so."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses import Source
from evalcore.readers import read_table
from pages.widgets.session import visitor
from pages.widgets.session.current_dataset import entry
from pages.widgets.session.visitor import workspace
from tests.readers import made_files as files

ROOT = Path(__file__).parents[3]


def opened(data: bytes, name: str, owner: str = "") -> tuple[AppTest, str]:
    id = workspace().save(read_table(data, name), owner, data)
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params["data"] = id
    return test.switch_page("pages/start/data.py").run(), id


def shown(test: AppTest) -> str:
    """The id in the address, which the test gives back in a list once a page has written it."""
    return "".join(test.query_params["data"])


def test_another_sheet_opens_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor, "_cookie", lambda: "mine")
    test, id = opened(files.second_sheet(), "x.xlsx", visitor.owner())
    (sheet,) = [box for box in test.selectbox if box.label == "Sheet"]
    assert (sheet.value, sheet.options) == ("Predictions", ["Notes", "Predictions", "Repeat"])
    sheet.select("Repeat").run()
    assert not test.exception
    again = shown(test)
    assert again != id
    assert entry(again).frame.equals(files.patients(seed=4))
    assert [box.value for box in test.selectbox if box.label == "Sheet"] == ["Repeat"]
    assert workspace().file(again)
    assert not workspace().holds(id)
    assert Source.of(entry(again)).code.endswith("read_table('x.xlsx', sheet='Repeat')")


def test_another_header_and_one_that_cannot_be() -> None:
    test, id = opened(files.below_titles(), "x.xlsx")
    (header,) = test.number_input
    assert (header.label, header.value) == ("Header in row", 4)
    header.set_value(999).run()
    assert any("Row 999" in error.value for error in test.error)
    assert shown(test) == id
    assert test.number_input[0].value == 4
    test.number_input[0].set_value(0).run()
    again = shown(test)
    assert list(entry(again).frame.columns)[:2] == ["column 1", "column 2"]
    assert workspace().holds(id), "only its owner replaces an upload"


def test_of_a_usual_file_the_header_is_asked_for_where_the_table_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor, "_cookie", lambda: "mine")
    for data, name in ((files.excel_with_dates(), "x.xlsx"), (files.csv(files.patients()), "x.csv")):
        test, id = opened(data, name, visitor.owner())
        assert not test.number_input
        assert not re.search("Sheet", " ".join(box.label for box in test.selectbox))
        test.session_state["shaping part"] = "Header"
        (header,) = test.run().number_input
        assert (header.label, header.value) == (f"Header in {'row' if name == 'x.xlsx' else 'line'}", 1)
        header.set_value(0).run()
        assert not test.exception
        assert shown(test) != id
        assert entry(shown(test)).frame.columns[0] == "column 1"
