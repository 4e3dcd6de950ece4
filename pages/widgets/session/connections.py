"""Connections that ``.streamlit/secrets.toml`` sets up by name, as ``st.connection`` reads them."""

from typing import Any

import streamlit as st

from evalcore.engines import DuckDBTables, PostgresTables, SparkTables
from evalcore.readers import ReadProblem, named

Tables = DuckDBTables | PostgresTables | SparkTables


class DuckDBConnection(st.connections.BaseConnection[DuckDBTables]):
    """``type = "duckdb"``: a database on the machine of the server, by its ``path``."""

    def _connect(self, **_: Any) -> DuckDBTables:
        return DuckDBTables(self._secrets["path"], self._connection_name)

    def tables(self) -> Tables:
        return self._instance


class SparkConnection(st.connections.BaseConnection[Any]):
    """``type = "spark"``: the ``master`` of a cluster or the ``remote`` of Spark Connect; ``config`` holds settings."""

    def _connect(self, **_: Any) -> Any:
        from pyspark.sql import SparkSession

        settings = {f"spark.{name}": self._secrets[name] for name in ("master", "remote") if name in self._secrets}
        builder = SparkSession.builder.appName("Evalcore")
        for setting, value in {**self._secrets.get("config", {}), **settings}.items():
            builder = builder.config(setting, value)
        session = builder.getOrCreate()
        if "spark.master" in settings and session.sparkContext.master != settings["spark.master"]:
            raise ReadProblem("This server already uses another Spark cluster. Connect to this one by Spark Connect.")
        return session

    def tables(self) -> Tables:
        return SparkTables(self._instance, self._connection_name)


class PostgresConnection(st.connections.SQLConnection):
    """``type = "sql"``, Streamlit's own, to PostgreSQL."""

    def _connect(self, **_: Any) -> Any:
        settings = self._secrets.get("create_engine_kwargs", {})
        # One that does not answer is told before the visitor gives up.
        return super()._connect(connect_args={"connect_timeout": 10, **settings.get("connect_args", {})})

    def tables(self) -> Tables:
        return PostgresTables(self.engine, self._connection_name)


_TYPES = {"duckdb": DuckDBConnection, "spark": SparkConnection, "sql": PostgresConnection}


def connection_names() -> list[str]:
    """The names that the secrets give to connections of a type that can be read."""
    return [name for name, section in _sections().items() if _type_of(section) in _TYPES]


def tables_of(name: str) -> Tables:
    """The tables behind a connection. Raises ReadProblem where there is none of this name, or it cannot be set up."""
    if (section := _sections().get(name)) is None or (kind := _TYPES.get(_type_of(section))) is None:
        raise ReadProblem(f"There is no connection {named(name)} here. Whoever runs the server sets up connections.")
    try:
        return st.connection(name, type=kind).tables()
    except ReadProblem:
        raise
    except ModuleNotFoundError:
        needed = "requirements-spark.txt" if kind is SparkConnection else "requirements-postgres.txt"
        raise ReadProblem(f"Connection {named(name)} needs more packages. Install what {needed} lists.") from None
    except Exception as error:  # whatever a driver raises; it may say an address or a password
        why = type(error).__name__
        raise ReadProblem(
            f"Connection {named(name)} could not be set up ({why}). Check [connections.{name}] in secrets.toml: the "
            "README has an example of each type."
        ) from None


def _sections() -> dict[str, Any]:
    return dict(st.secrets.get("connections", {})) if st.secrets.load_if_toml_exists() else {}


def _type_of(section: Any) -> str:
    return section.get("type", "sql") if hasattr(section, "get") else ""
