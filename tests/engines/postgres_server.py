"""A real PostgreSQL server on a free port of this machine: a role that owns the tables, and one that only reads."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from sqlalchemy import URL, Engine, create_engine

PASSWORD = "pass/word: é"
_TYPES = {"string": "text", "int64": "bigint", "double": "double precision", "bool": "boolean"}


def _programs() -> Path:
    """The folder of the newest server on this machine; Debian keeps it off the path."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if found is None and not folders:
        pytest.skip("no PostgreSQL server here: on Debian and Ubuntu, apt-get install -y postgresql")
    return Path(found).parent if found else folders[-1].parent


class Server:
    """It can be stopped and started again; `engine` connects as the role that may only select."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.programs = folder, _programs()
        self._engines: list[Engine] = []
        self._names = count()
        # The server refuses to run as root.
        self.user = "nobody" if os.getuid() == 0 else None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (folder / "password").write_text(PASSWORD)
        if self.user:
            os.chown(folder, pwd.getpwnam(self.user).pw_uid, -1)
        how = ["-U", "owner", "-A", "scram-sha-256", "--pwfile", folder / "password"]
        self._run("initdb", *how, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions")
        self.start()
        self.owner = self.engine("owner")
        self.execute(f"create role reader login password '{PASSWORD}'")

    def engine(self, user: str = "reader", password: str = PASSWORD) -> Engine:
        url = {"username": user, "password": password, "host": "127.0.0.1", "port": self.port, "database": "postgres"}
        self._engines.append(create_engine(URL.create("postgresql", **url)))
        return self._engines[-1]

    def execute(self, *statements: str) -> None:
        with self.owner.begin() as connection:
            for statement in statements:
                connection.execution_options(no_parameters=True).exec_driver_sql(statement)

    def table(self, table: pa.Table) -> str:
        """Copy a table there that the role may read; its name."""
        name = f"Tábla {next(self._names)}"
        columns = ", ".join(f'"{field.name}" {_TYPES[str(field.type)]}' for field in table.schema)
        self.execute(f'create table "{name}" ({columns})', f'grant select on "{name}" to reader')
        with (
            self.owner.begin() as connection,
            connection.connection.cursor() as cursor,
            cursor.copy(f'copy "{name}" from stdin') as rows,
        ):
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                rows.write_row(row)
        return name

    def start(self) -> None:
        settings = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off"}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._run("pg_ctl", "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self) -> None:
        self.owner.dispose()
        self._run("pg_ctl", "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: Any) -> None:
        command = [self.programs / program, "-D", self.folder / "data", *arguments]
        subprocess.run(command, check=True, user=self.user, cwd=self.folder, stdout=subprocess.DEVNULL, timeout=60)


@contextmanager
def running() -> Iterator[Server]:
    """A server of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="evalcore-postgres-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            for engine in server._engines:
                engine.dispose()
            server.stop()
