"""Faults around a running application: a full or read-only folder, damaged uploads, two tabs, a wrong setting."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.session.visitor import workspace
from tests.pages.uploads import stored
from tests.words import sentence_with

ROOT = Path(__file__).parents[3]
TABLE = "actual,score\nill,0.9\nwell,0.2\nill,0.6\nwell,0.4\n"
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").glob("[!w]*/*.py"))


def visit(page: str = "pages/start/data.py", **parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page(page).run()
    assert not test.exception
    return test


def paste(test: AppTest, table: str = TABLE) -> AppTest:
    test.text_area[0].set_value(table)
    next(button for button in test.button if button.label == "Open this table").click().run()
    assert not test.exception
    return test


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can be written to, as on a disk that is full."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def file_of(data: str) -> Path:
    return workspace().folder / f"{data}.parquet"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_on_a_full_disk_a_new_table_is_refused_and_everything_else_goes_on() -> None:
    test = paste(visit())
    data = test.query_params["data"]
    with full_disk():
        paste(test, TABLE.replace("0.9", "0.8"))
        assert "could not be stored" in test.error[0].value
        assert test.query_params["data"] == data
        test.segmented_control(key="roles positive").set_value("well").run()
        assert "positive~well" in test.query_params["roles"]
        for page in PAGES:
            test.switch_page(page).run()
            assert not test.exception, page
        test.switch_page("pages/classify/threshold.py").run()
        test.selectbox(key="goal").set_value("cost").run()
        assert test.query_params["goal"] == "Lowest cost"
        test.switch_page("pages/start/data.py").run()
        test.button(key=f"delete {data}").click().run()
        assert not test.exception
        assert not file_of(data).exists()


def test_in_a_read_only_folder_deleting_says_so_and_leaves_the_data_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    test = paste(visit())
    data = test.query_params["data"]
    for action in ("unlink", "mkdir", "chmod", "replace"):
        monkeypatch.setattr(Path, action, read_only)
    test.button(key=f"delete {data}").click().run()
    assert not test.exception
    assert "could not be deleted" in test.error[0].value
    assert test.query_params["data"] == data
    assert test.button(key=f"delete {data}")
    assert "could not be stored" in paste(test).error[0].value


@pytest.mark.parametrize("page", PAGES)
def test_a_damaged_upload_is_called_damaged_and_not_gone(page: str) -> None:
    damaged, gone = stored(TABLE), stored(TABLE)
    file_of(damaged).write_bytes(file_of(damaged).read_bytes()[:-9])
    file_of(gone).unlink()
    for data, word, other in ((damaged, "is damaged", "not here"), (gone, "not here any more", "damaged")):
        test = visit(page, data=data)
        for part in (test.sidebar.caption, (*test.main.markdown, *test.main.warning)):  # a phone hides the side bar
            said = " ".join(element.value for element in part)
            assert word in said
            assert other not in said


def test_damaged_uploads_leave_the_list_of_the_others_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("start.data.unloaded", "session.current_dataset"):
        monkeypatch.setattr(f"pages.widgets.{module}.has_key", lambda: True)
    whole, empty, text, folder = (stored(TABLE) for _ in range(4))
    file_of(empty).write_bytes(b"")
    file_of(text).write_text("edited by hand")
    file_of(folder).unlink()
    file_of(folder).mkdir()
    test = visit(data=text)
    assert {button.key for button in test.button if str(button.key).startswith("delete ")} == {
        f"delete {data}" for data in (whole, empty, text)
    }
    test.button(key=f"delete {text}").click().run()
    assert not test.exception
    assert not file_of(text).exists()


def test_a_wrong_setting_ends_the_server_at_its_start_with_a_sentence() -> None:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.port=0"]
    settings = os.environ | {"EVALCORE_WORKSPACE_MB": "abc"}
    ended = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert sentence_with(ended.stderr.splitlines()[-1], "EVALCORE_WORKSPACE_MB is 'abc'")
    assert "Traceback" not in ended.stderr


def test_a_defect_has_a_reference_that_stands_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[logging.LogRecord] = []
    monkeypatch.setattr(logging.getLogger("evalcore"), "handle", records.append)

    def page() -> None:
        from pages.widgets.session.server import show_defect

        try:
            _ = 1 // 0
        except ZeroDivisionError as defect:
            show_defect(defect)

    sentences = [AppTest.from_function(page).run().error[0].value for _ in range(2)]
    references = [sentence.split()[-1].rstrip(").") for sentence in sentences]
    assert len(set(references)) == 2
    assert [record.getMessage().split()[-1] for record in records] == references
    assert all(record.exc_info[0] is ZeroDivisionError for record in records)
