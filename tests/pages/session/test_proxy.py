"""The nginx lines of docs/serving.md, run: two servers over one workspace folder, each browser always on one."""

import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.browser.server import free_port, serving
from tests.client import run, visiting

SERVING = Path(__file__).parents[3] / "docs" / "serving.md"
ROWS = b"actual,score\n" + b"ill,0.9\nwell,0.2\n" * 20_000
"""Larger than what nginx holds in memory."""

AROUND = """
pid {folder}/nginx.pid; error_log {folder}/error.log; daemon off; master_process off; events {{}}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  log_format sticky '$cookie_evalcore_visitor $upstream_addr $status $request_uri';
  access_log {folder}/access.log sticky;
{lines}
}}
"""

pytestmark = pytest.mark.skipif(
    None in (shutil.which("nginx"), shutil.which("openssl")), reason="nginx or openssl is not installed"
)


@contextmanager
def nginx(folder: Path, ports: list[int]) -> Iterator[tuple[str, ssl.SSLContext]]:
    """The lines of docs/serving.md with names, ports and certificate of this test; its address, and whom to trust."""
    certificate, key, port = folder / "certificate.pem", folder / "key.pem", free_port()
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, *subject],
        check=True, capture_output=True,
    )  # fmt: skip
    lines = re.search(r"```nginx\n(.*?)```", SERVING.read_text("utf-8"), re.DOTALL)[1]
    for before, after in {
        **{f"127.0.0.1:850{number}": f"127.0.0.1:{each}" for number, each in enumerate(ports, start=1)},
        "listen 443": f"listen 127.0.0.1:{port}",
        "evalcore.example.org": "localhost",
        "/etc/ssl/certs/evalcore.pem": str(certificate),
        "/etc/ssl/private/evalcore.key": str(key),
    }.items():
        assert before in lines
        lines = lines.replace(before, after)
    settings = folder / "nginx.conf"
    settings.write_text(AROUND.format(folder=folder, lines=lines))
    process = subprocess.Popen(["nginx", "-e", folder / "error.log", "-c", settings])
    try:
        while not (folder / "nginx.pid").exists():
            assert process.poll() is None, (folder / "error.log").read_text()
            os.sched_yield()
        yield f"https://localhost:{port}", ssl.create_default_context(cafile=certificate)
    finally:
        process.terminate()
        process.wait(10)


def test_each_browser_stays_on_one_server_and_what_it_uploads_or_deletes_is_there_or_gone_on_all(
    tmp_path: Path,
) -> None:
    ports, shared = [free_port(), free_port()], str(tmp_path / "workspace")
    served: dict[str, set[str]] = {}

    async def visits(server: str, trusted: ssl.SSLContext) -> None:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(visiting(server, trusted=trusted)) for _ in range(5)]
            for number in range(20):
                await people[0].http.get("/_stcore/health", headers={"Cookie": f"evalcore_visitor={number}"})
            for person in people:
                await person.open("data")
                await person.upload("upload data", {"mine.csv": ROWS})
                assert person.shows("mine.csv")
            for person in people:  # the links of all, opened by one, who has a server of two
                await people[0].open("threshold", person.query)
                assert people[0].shows("mine.csv")
            link = people[1].query
            await people[1].click(f"delete {parse_qs(link)['data'][0]}")
            for person in people:
                await person.open("threshold", link)
                assert person.shows("not here any more")

    with ExitStack() as stack:
        for port in ports:
            folder = tmp_path / str(port)
            folder.mkdir()
            names = [f"--server.allowedHosts={name}" for name in ("localhost", "127.0.0.1")]
            stack.enter_context(serving(folder, "app.py", *names, port=port, EVALCORE_WORKSPACE=shared))
        address, trusted = stack.enter_context(nginx(tmp_path, ports))
        run(visits(address, trusted))
    for line in (tmp_path / "access.log").read_text().splitlines():
        visitor, upstream, status, _ = line.split(" ", 3)
        assert status in ("101", "200", "204"), line
        if visitor != "-":
            served.setdefault(visitor, set()).add(upstream)
    assert len(served) == 5 + 20
    assert all(len(each) == 1 for each in served.values())
    assert set.union(*served.values()) == {f"127.0.0.1:{port}" for port in ports}
