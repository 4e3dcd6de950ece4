"""What becomes of an upload: read or refused, its bytes leave the server; what no page takes is bounded."""

import gc
import logging
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.typing import UploadedFile

from pages.widgets.controls import upload
from tests.browser.server import serving
from tests.client import Visitor, run, visiting

ROOT = Path(__file__).parents[3]
ROWS = b"actual,score\n" + b"ill,0.9\nwell,0.2\n" * 20_000
FIELD = "upload data"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server of the test alone: one keeps the files of a visit for a while after it."""
    with serving(tmp_path, "app.py", "--server.maxUploadSize=1") as address:
        yield address


def visit(server: str, act: Callable[[Visitor], Awaitable[None]]) -> None:
    async def stay() -> None:
        async with visiting(server) as visitor:
            await visitor.open("data")
            await act(visitor)

    run(stay())


def test_nothing_of_an_upload_stays_whether_it_was_read_or_not(server: str) -> None:
    async def act(visitor: Visitor) -> None:
        await visitor.upload(FIELD, {"good.csv": ROWS})
        assert visitor.shows("good.csv")
        await visitor.upload(FIELD, {"bad.csv": b"\0" * 200_000})
        assert visitor.shows("is not a table")
        await visitor.upload(FIELD, {"one.run": b"1 Q0 d 1 2.5 tag\n" * 9_000})
        await visitor.put((await visitor.file_urls("untaken")).upload_url, b"?" * 12_345)
        metrics = await visitor.http.get("/_stcore/metrics?families=cache_memory_bytes")
        # The one file that no page has taken, and none of the others.
        assert re.findall(r'"UploadedFileManager".* (\d+)', metrics.text) == ["12345"]

    visit(server, act)


def test_judgments_that_look_like_any_table_complete_the_run_that_waits(server: str) -> None:
    async def act(visitor: Visitor) -> None:
        await visitor.upload(FIELD, {"run.tsv": b"11\t7\t1\n11\t8\t2\n12\t7\t1\n12\t9\t2\n"})
        assert visitor.shows("is a run")
        await visitor.upload(FIELD, {"qrels.tsv": b"11\t8\n12\t7\n"})
        assert visitor.shows("qrels.tsv with run.tsv")

    visit(server, act)


def test_files_that_no_page_takes_are_bounded_for_each_visit(server: str) -> None:
    async def act(visitor: Visitor) -> None:
        place = (await visitor.file_urls("untaken")).upload_url.rpartition("/")[0]
        assert [await visitor.put(f"{place}/{number}", ROWS) for number in range(4)] == [204, 204, 204, 413]

    visit(server, act)


def test_empty_files_are_bounded_too(server: str) -> None:
    async def act(visitor: Visitor) -> None:
        place = (await visitor.file_urls("untaken")).upload_url.rpartition("/")[0]
        codes = [await visitor.put(f"{place}/{number}", b"") for number in range(110)]
        assert codes == [204] * 104 + [413] * 6

    visit(server, act)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_file_that_the_disk_of_the_server_cannot_hold_is_refused_in_a_sentence(tmp_path: Path) -> None:
    import resource

    async def act(visitor: Visitor) -> None:
        await visitor.upload(FIELD, {"large.csv": ROWS * 4})  # more than 1 MB passes through a temporary file
        assert visitor.shows("temporary files is full")
        await visitor.upload(FIELD, {"small.csv": ROWS})
        assert visitor.shows("small.csv")

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(ROWS) * 3, before[1]))
    try:
        with serving(tmp_path, fresh=True) as server:
            visit(server, act)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_that_arrives_when_its_visit_has_ended_is_refused(server: str) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="late.csv"\r\n\r\n' + ROWS

    async def stay() -> None:
        async with visiting(server) as other, AsyncExitStack() as stack:
            visitor = await stack.enter_async_context(visiting(server))
            await visitor.open("data")
            late, probe = [(await visitor.file_urls(name)).upload_url for name in ("late.csv", "probe.csv")]

            async def slowly() -> AsyncIterator[bytes]:
                yield head
                await stack.aclose()
                while await other.put(probe, b"") != 400:  # until the server knows that the visit has ended
                    pass
                yield b"\r\n--b--\r\n"

            headers = {"Content-Type": "multipart/form-data; boundary=b"}
            headers["X-Xsrftoken"] = other.http.cookies["_streamlit_xsrf"]
            assert (await other.http.put(late, content=slowly(), headers=headers)).status_code == 400

    run(stay())


@pytest.mark.parametrize("defect", [False, True])
def test_no_object_holds_the_bytes(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, defect: bool
) -> None:
    if defect:
        monkeypatch.setattr(upload.readers, "read_files", lambda files, keys: 1 / 0)
        logging.disable(logging.CRITICAL)  # a record would hold the frames
        request.addfinalizer(lambda: logging.disable(logging.NOTSET))
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30).switch_page("pages/start/data.py").run()
    test.file_uploader[0].set_value(("mine.csv", ROWS, "text/csv")).run()
    assert bool(test.exception) == defect
    gc.collect()
    assert all(each.closed for each in gc.get_objects() if type(each) is UploadedFile)
