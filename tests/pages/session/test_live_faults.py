"""Faults of visitors of a running server: gone in the middle of an upload, two tabs, a defect of a page."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.browser.server import serving
from tests.client import run, visiting

TABLE = b"actual,score\n" + b"ill,0.9\nwell,0.2\n" * 50
UPLOADS = "/_stcore/metrics?families=cache_memory_bytes"
DEFECTIVE = """
import streamlit as st

if __name__ != "__main__":
    from pages.widgets.session import server

    app = st.App(__file__, **server.AROUND)
else:
    raise ZeroDivisionError("of this very page")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    with serving(folder) as address:
        yield address


def test_a_browser_that_leaves_in_the_middle_of_an_upload_leaves_nothing(server: str, folder: Path) -> None:
    async def half() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="f"; filename="half.csv"\r\n\r\n' + TABLE * 2_000
        raise ConnectionAbortedError

    async def stay() -> None:
        async with visiting(server) as visitor:
            await visitor.open("data")
            place = (await visitor.file_urls("half.csv")).upload_url
            headers = {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": "9000000"}
            headers["X-Xsrftoken"] = visitor.http.cookies["_streamlit_xsrf"]
            with pytest.raises(ConnectionAbortedError):
                await visitor.http.put(place, content=half(), headers=headers)
            await visitor.upload("upload data", {"whole.csv": TABLE})
            assert visitor.shows("whole.csv")
            assert not visitor.shows("half.csv")
            assert "UploadedFileManager" not in (await visitor.http.get(UPLOADS)).text

    run(stay())
    assert len(list((folder / "workspace").glob("*.parquet"))) == 1
    assert "Traceback" not in (folder / "server.log").read_text()


def test_what_one_tab_deletes_is_gone_in_the_other(server: str) -> None:
    async def stay() -> None:
        async with visiting(server) as first, visiting(server, first.http.cookies) as second:
            await first.open("data")
            await first.upload("upload data", {"mine.csv": TABLE})
            data = re.search(r"data=([\w-]{22})", first.query)[1]
            for page in ("data", "threshold"):
                await second.open(page, first.query)
                assert second.shows("mine.csv")
            await first.click(f"delete {data}")
            for page in ("threshold", "confusion", "data"):
                await second.open(page, f"data={data}")
                assert second.shows("not here any more")
                assert not second.shows("Something went wrong")
            await second.upload("upload data", {"other.csv": TABLE})
            assert second.shows("other.csv")

    run(stay())


def test_the_reference_of_a_defect_stands_in_the_log_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "defective.py").write_text(DEFECTIVE)

    sentences = []

    async def stay(address: str) -> None:
        async with visiting(address) as visitor:
            await visitor.open()
            sentences.extend(part.new_element.alert.body for part in visitor.parts.values())

    with serving(tmp_path, str(tmp_path / "defective.py")) as address:
        run(stay(address))
    (sentence,) = sentences
    reference = re.search(r"\(ref\. (\w{8})\)\.", sentence)[1]
    assert "ZeroDivisionError" not in sentence
    log = (tmp_path / "server.log").read_text()
    assert "of this very page" in log[log.index(f"Defect {reference}") :]
