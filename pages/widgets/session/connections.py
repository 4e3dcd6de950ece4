"""Connections that ``.streamlit/secrets.toml`` sets up by name, through ``st.connection``."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from evalcore.engines import CONNECTION_TYPES, Connection, DuckDBTables, PostgresTables, SparkTables, connected
from evalcore.readers import ReadProblem, named


class TableConnection(st.connections.BaseConnection[Connection]):
    """Tables of DuckDB, PostgreSQL or Spark; Streamlit sets it up once, and anew when its secrets change."""

    def _connect(self, **_: Any) -> Connection:
        return connected(self._secrets.to_dict(), self._connection_name)

    def tables(self) -> DuckDBTables | PostgresTables | SparkTables:
        """The tables for one visitor, whose queries can be stopped without those of others."""
        return self._instance.tables()


def connection_names() -> list[str]:
    """The names that the secrets give to connections of a type that can be read."""
    return [name for name, section in _sections().items() if _type_of(section) in CONNECTION_TYPES]


def tables_of(name: str) -> DuckDBTables | PostgresTables | SparkTables:
    """The tables behind a connection. Raises ReadProblem where there is none of this name, or it cannot be set up."""
    if name not in connection_names():
        raise ReadProblem(
            f"There is no connection {named(name)} here. Add it to secrets.toml, or ask the server's administrator."
        )
    return st.connection(name, type=TableConnection).tables()


def _sections() -> dict[str, Any]:
    sections = st.secrets.get("connections", {}) if st.secrets.load_if_toml_exists() else {}
    return dict(sections) if isinstance(sections, Mapping) else {}


def _type_of(section: Any) -> str:
    return str(section.get("type", "sql")) if isinstance(section, Mapping) else ""
