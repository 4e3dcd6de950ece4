"""Connections of secrets.toml: listed by name, a table opened and counted, and nothing told of what is secret."""

import socket
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import duckdb
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore.engines import COUNTINGS, connected
from evalcore.readers import ReadProblem
from pages.widgets.session.unloaded_tables import connection_names, tables_of

ROOT = Path(__file__).parents[3]
ROWS = "if(range % 3 = 0, 'ill', 'well') as actual, range % 1000 / 1000 as score from range(30_000)"


@pytest.fixture
def connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, dict]]:
    """What stands in secrets.toml below [connections]."""
    with duckdb.connect(str(tmp_path / "log.duckdb")) as database:
        database.execute(f'create table "*log*" as select {ROWS}; create table other as select 1 as x')
    sections = {"archive": {"type": "duckdb", "path": str(tmp_path / "log.duckdb")}}
    monkeypatch.setattr(st.secrets, "_secrets", {"connections": sections})
    yield sections
    st.cache_resource.clear()
    st.cache_data.clear()


def test_a_table_of_a_connection_is_opened_and_counted(connections: dict[str, dict]) -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params["open_by"] = "Connections"
    test.switch_page("pages/start/data.py").run()
    assert test.selectbox(key="connection").options == ["archive"]
    assert test.selectbox(key="table of connection archive").options == ["*log*", "other"]
    assert any("right to select" in each.value for each in test.caption)
    for key in ("open connection", "count all"):
        test.button(key=key).click().run()
        for counting in list(COUNTINGS.values()):
            counting._made.exception(timeout=30)
            test.run()
    assert not test.exception
    assert not test.error
    assert "30\u202f000 rows, 10\u202f000 ill" in " ".join(caption.value for caption in test.caption)


def test_a_connection_that_fails_is_told_without_its_secrets(connections: dict[str, dict]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    connections |= {
        "down": {"type": "sql", "url": f"postgresql://reader:geheim@127.0.0.1:{port}/lab"},
        "parts": {"dialect": "postgresql", "host": "127.0.0.1", "port": port, "username": "reader"},
        "typo": {"type": "sql", "url": "geheim"},
        "lite": {"type": "sql", "url": "sqlite:///geheim"},
        "gone": {"type": "duckdb", "path": "/geheim.duckdb"},
        "bare": {"type": "duckdb"},
        "other": {"type": "snowflake", "password": "geheim"},
    }
    names = ["archive", "down", "parts", "typo", "lite", "gone", "bare"]
    assert connection_names() == names
    sentences = {
        "down": "could not be reached", "parts": "could not be reached", "typo": "not be set up",
        "lite": "Use one to PostgreSQL", "gone": "leads to no file", "bare": "not be set up",
        "other": "There is no connection", "absent": "There is no connection",
    }  # fmt: skip
    for name, sentence in sentences.items():
        with pytest.raises(ReadProblem, match=sentence) as problem:
            tables_of(name).names()
        assert not any(secret in str(problem.value) for secret in ("geheim", "127.0.0.1", str(port), "reader"))
    connections.clear()
    assert connection_names() == []


WRONG = (5, 1.5, True, [5], {"of": 5}, "", "\0", "x" * 5_000)


def test_a_setting_of_a_wrong_type_gets_a_sentence(connections: dict[str, dict], tmp_path: Path) -> None:
    parts = {"dialect": "postgresql", "host": "127.0.0.1", "port": 1, "database": "lab", "username": "reader"}
    whole = (
        {"type": "duckdb", "path": str(tmp_path / "log.duckdb")},
        {"type": "sql", "url": "postgresql://127.0.0.1:1/lab"},
        {**parts, "password": "geheim", "driver": "psycopg", "query": {}, "create_engine_kwargs": {"connect_args": {}}},
        {**parts, "create_engine_kwargs": {"pool_size": 1, "connect_args": {"connect_timeout": 1}}},
    )
    for number, (settings, wrong) in enumerate(product(whole, WRONG)):
        for key in settings:
            connections[name := f"{number} {key}"] = settings | {key: wrong}
            with pytest.raises(ReadProblem):
                tables_of(name).names()
            with pytest.raises(ReadProblem):
                connected(settings | {key: wrong}, name).tables().names()


@pytest.mark.parametrize("sections", [5, "archive", ["archive"], {"archive": 5}, {"archive": {"type": ["duckdb"]}}])
def test_sections_of_a_wrong_type_are_no_connections(monkeypatch: pytest.MonkeyPatch, sections: object) -> None:
    monkeypatch.setattr(st.secrets, "_secrets", {"connections": sections})
    assert connection_names() == []
