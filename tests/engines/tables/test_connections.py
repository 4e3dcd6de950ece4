"""Tables of a PostgreSQL server and of databases behind a connection, with rights to read one table and no more."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pandas.testing import assert_frame_equal
from sqlalchemy import create_engine, text

from evalcore.analyses import Source
from evalcore.classification import roc_auc
from evalcore.engines import (
    Counting,
    DuckDBTables,
    LabelCounts,
    PostgresTables,
    ScoreCounts,
    SparkTables,
    connected,
    first_rows,
    frames,
    summary_dataset,
)
from evalcore.engines import connections as postgres
from evalcore.readers import ReadProblem, Unloaded, roles_of
from tests.engines.postgres_server import PASSWORD, Server
from tests.words import facts

HOSTILE = ["o'x\\", "日本\n", '%s "ø" :a', "'; drop table rows; --", "x' or 'a'='a"]


@pytest.fixture
def tables(server: Server) -> PostgresTables:
    return PostgresTables(server.engine(), "lab")


@pytest.fixture
def rows(server: Server) -> Iterator[str]:
    """A table with a column of each type, in a schema of its own; its name."""
    server.execute(
        'create schema "Lab"', 'grant usage on schema "Lab" to reader', "create type answer as enum ('no', 'yes')",
        "create domain share as numeric(6, 3)",
        """create table "Lab"."rows" as select i as id, (i % 3 = 0) as flag, i::numeric / 200 as exact,
        (i / 200.0)::share as share, (i % 4)::real / 4 as "small", (case i % 2 when 0 then 'no' else 'yes' end)::answer,
        'a'::char(5) as padded, 'infinity'::date as day, '{}'::jsonb as record, '{1}'::int[] as list,
        case i % 4 when 0 then 'NaN' when 1 then 'Infinity' when 2 then null else 0.5 end::float8 as "a%b ""c"" d"
        from generate_series(1, 200) i""",
        'grant select on "Lab"."rows" to reader', "create table hidden as select 1 as x",
    )  # fmt: skip
    yield "Lab.rows"
    server.execute('drop schema "Lab" cascade', "drop type answer", "drop domain share", "drop table hidden")


def test_a_role_that_may_select_sees_its_table_and_can_use_every_type(tables: PostgresTables, rows: str) -> None:
    names = tables.names()
    assert rows in names
    assert "hidden" not in names
    table = tables.open(rows)
    assert table.name == "lab: Lab.rows"
    assert set(table.columns) == {"id", "flag", "exact", "share", "small", "answer", "padded", "day", 'a%b "c" d'}
    second = table.frame.head(2).collect().to_pandas().iloc[1]
    assert second.tolist()[:6] == [2, False, 0.01, 0.01, 0.5, "no"]
    counts = ScoreCounts.of(table.frame, "flag", "exact", True, group="answer")
    assert (counts.scored().positives, counts.rows, counts.groups) == (66.0, 200.0, ("no", "yes"))
    assert ScoreCounts.of(table.frame, "answer", "share", "yes", group="padded").groups == ("a",)
    wrong = ScoreCounts.of(table.frame, "flag", 'a%b "c" d', True)
    assert wrong.left_out == {"no score": 50.0, "NaN": 50.0, "infinite": 50.0}
    assert sorted(LabelCounts.of(table.frame, "exact", "small").classes)[:2] == ["0", "0.005"]
    with pytest.raises(ReadProblem, match='"day" holds dates or times'):
        LabelCounts.of(table.frame, "flag", "day")
    with pytest.raises(ReadProblem, match='"hidden"'):
        tables.open("hidden")


def test_nothing_is_written_and_only_the_summary_comes_back(
    server: Server, tables: PostgresTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[int] = []
    ask = postgres._Server._rows

    def counted(*arguments: object) -> list:
        answers.append(len(rows := ask(*arguments)))
        return rows

    random = np.random.default_rng(2)
    ill, scores = random.random(5000) < 0.3, np.round(random.random(5000), 2)
    table = pa.table({"ill": np.where(ill, "ja", "nein"), "score": scores})
    stored = tables.open(server.table(table))
    monkeypatch.setattr(postgres._Server, "_rows", counted)
    roles = roles_of(actual="ill", score=("score",), positive="ja")
    data = summary_dataset(stored.frame, roles)
    assert roc_auc(data.scored()) == roc_auc(summary_dataset(table, roles).scored())
    assert max(answers) == 101
    monkeypatch.setattr(frames, "MOST_ROWS", 100)
    with pytest.raises(ReadProblem, match="more than 100 rows"):
        ScoreCounts.of(stored.frame, "ill", "score", "ja")
    with pytest.raises(ReadProblem, match="was asked to write"):
        tables._server.rows("create temp table copied (x int)")
    with pytest.raises(Exception, match="not on the server"):
        stored.frame.to_native().fetchall()


def test_data_sets_of_the_server_are_those_of_the_rows(server: Server, tables: PostgresTables) -> None:
    random = np.random.default_rng(6)
    ill = random.random(400) < 0.4
    table = pa.table(
        {
            "ill": np.where(ill, "ja", "nein"),
            "said": np.where(ill ^ (random.random(400) < 0.2), "ja", "nein"),
            "score": np.round(random.beta(2 + ill, 3), 2),
            "truth": np.round(random.normal(size=400), 1),
            "site": random.choice(["north", "süd"], 400),
            "patient": random.integers(0, 90, 400),
            "worth": random.choice([0.5, 1.0, 2.25], 400),
        }
    )
    frame = tables.open(server.table(table)).frame
    labels = {"actual": "ill", "predicted": ("said",), "positive": "ja"}
    scores = {"actual": "ill", "score": ("score",), "positive": "ja"}
    for parts in (
        labels | {"group": "site", "cluster": "patient"}, labels | {"weight": "worth"}, scores | {"weight": "worth"},
        scores | {"group": "site", "cluster": "patient"}, {"truth": "truth", "estimate": ("score",), "group": "site"},
    ):  # fmt: skip
        roles = roles_of(**parts)
        data, expected = summary_dataset(frame, roles), summary_dataset(table, roles)
        assert data.findings == expected.findings
        order = list(expected.frame.columns)
        rows, wanted = (one.frame[order].sort_values(order, ignore_index=True) for one in (data, expected))
        assert_frame_equal(rows, wanted, rtol=1e-12)


def test_labels_reach_the_server_as_they_are(server: Server, tables: PostgresTables) -> None:
    labels = np.repeat(HOSTILE, [5, 4, 3, 2, 1])
    frame = tables.open(server.table(pa.table({"y": labels, "p": labels[::-1], "s": np.arange(15) / 16}))).frame
    assert LabelCounts.of(frame, "y", "p").matrix().counts.sum() == 15
    for label, count in zip(HOSTILE, (5, 4, 3, 2, 1), strict=True):
        assert ScoreCounts.of(frame, "y", "s", label).scored().positives == count


def test_a_table_that_changes_meanwhile_is_told(server: Server, tables: PostgresTables) -> None:
    name = server.table(pa.table({"y": ["a", "b"], "p": ["a", "a"], "s": [0.5, 1e300]}))
    frame = tables.open(name).frame
    with pytest.raises(ReadProblem, match='There is no column "z"'):
        LabelCounts.of(frame, "y", "z")
    server.execute(f'alter table "{name}" alter s type text using p')
    with pytest.raises(ReadProblem, match="another type"):
        ScoreCounts.of(frame, "y", "s", "a")
    server.execute(f'revoke select on "{name}" from reader')
    with pytest.raises(ReadProblem, match="this user"):
        LabelCounts.of(frame, "p", "p")
    server.execute(f'alter table "{name}" drop y', f'grant select on "{name}" to reader')
    with pytest.raises(ReadProblem, match="one of the columns"):
        LabelCounts.of(frame, "y", "p")
    server.execute(f'drop table "{name}"')
    with pytest.raises(ReadProblem, match="this table"):
        LabelCounts.of(frame, "p", "p")


def test_a_server_that_is_down_is_told_and_asked_again(server: Server) -> None:
    name = server.table(pa.table({"y": ["a", "b"], "p": ["a", "a"]}))
    tables = PostgresTables(server.engine(), "lab")
    frame = tables.open(name).frame
    server.stop()
    try:
        with pytest.raises(ReadProblem, match="could not be reached") as down:
            LabelCounts.of(frame, "y", "p")
    finally:
        server.start()
    # The connection that was lost is replaced.
    assert LabelCounts.of(frame, "y", "p").matrix().counts.tolist() == [[1, 0], [1, 0]]
    with pytest.raises(ReadProblem, match="refused the connection") as refused:
        PostgresTables(server.engine(password="no secret"), "lab").names()
    starting = Exception("connection failed: FATAL:  the database system is starting up")
    assert "could not be reached" in postgres._reason(starting, "lab")
    busy = create_engine(server.engine().url, pool_size=1, max_overflow=0, pool_timeout=0)
    with busy.connect(), pytest.raises(ReadProblem, match="could not be reached") as used:
        PostgresTables(busy, "lab").names()
    busy.dispose()
    for problem in (down, refused, used):
        told = json.dumps([str(problem.value), repr(problem.value.__cause__), problem.value.__suppress_context__])
        assert not any(part in told for part in (PASSWORD, "no secret", "127.0.0.1", str(server.port), "reader"))
        assert problem.value.__cause__ is None


def test_a_running_query_is_stopped(server: Server, tables: PostgresTables) -> None:
    server.execute("create view asleep as select 'a' as y, pg_sleep(60)::text as p", "grant select on asleep to reader")
    counting = Counting(lambda: tables.open("asleep"), lambda table: LabelCounts.of(table.frame, "y", "p"))
    asleep = text("select count(*) from pg_stat_activity where wait_event = 'PgSleep'")
    with server.owner.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        _until(lambda: connection.execute(asleep).scalar_one())
        assert counting.progress is None
        assert re.fullmatch(r"Waiting for .*, \d+ s", counting.status)
        counting.stop()
        problem = counting._made.exception(30)
        assert facts(str(problem)) == "lab"
        _until(lambda: not connection.execute(asleep).scalar_one())
        assert not connection.execute(asleep).scalar_one()
    server.execute("drop view asleep")


def test_a_database_by_its_connection_hides_where_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "log.duckdb"
    tables = DuckDBTables(path, "lab")
    with pytest.raises(ReadProblem, match='Connection "lab" leads to no file'):
        tables.names()
    path.write_text("no database, but long enough to be read as the head of one" * 100)
    with pytest.raises(ReadProblem) as problem:
        tables.names()
    assert str(tmp_path) not in str(problem.value)
    path.unlink()
    with duckdb.connect(str(path)) as database:
        database.execute("create table rows as select range % 2 as y, range % 3 as p from range(6)")
    assert LabelCounts.of(tables.open("rows").frame, "y", "p").matrix().counts.sum() == 6
    with pytest.raises(ReadProblem, match='has no table "other"'):
        tables.open("other")


def test_python_reaches_the_table_by_the_same_secrets(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.engine().url
    secrets = {"dialect": "postgresql", "host": url.host, "port": url.port, "database": url.database}
    secrets |= {"type": "sql", "username": url.username, "password": url.password}
    (tmp_path / ".streamlit").mkdir()
    lines = [f"{name} = {json.dumps(value)}" for name, value in secrets.items()]
    (tmp_path / ".streamlit" / "secrets.toml").write_text("\n".join(["[connections.lab]", *lines]), encoding="utf-8")
    table = server.table(pa.table({"actual": ["ja", "nein"] * 15_000, "score": np.arange(30_000) / 2**15}))
    tables = connected(secrets, "lab").tables()
    stored = tables.open(table)
    first = first_rows(stored, Unloaded("connection", "lab", table))
    counted = summary_dataset(stored.frame, first.roles, "score", stored.name, first.unloaded)
    assert (len(first), counted.unloaded.rows) == (20_000, 30_000)
    code = Source.of(counted).code
    assert str(url.password) not in code
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(code, names)  # noqa: S102
    names["tables"]._server.engine.dispose()
    tables._server.engine.dispose()
    assert names["data"].digest == counted.digest


@pytest.mark.parametrize("make", ["pyspark"], indirect=True)
@pytest.mark.filterwarnings("ignore")
def test_tables_of_the_catalogue_of_spark(make, tmp_path: Path) -> None:
    rows = make(pa.table({"y": ["a", "b", None], "p": ["a", "a", "a"]}))
    session = rows.sparkSession
    session.sql(f"create database lab location '{tmp_path}'")
    rows.write.saveAsTable("lab.log")
    try:
        tables = SparkTables(session, "cluster")
        assert "lab.log" in tables.names()
        table = tables.open("lab.log")
        assert (table.columns, table.name) == (("y", "p"), "cluster: lab.log")
        counts = LabelCounts.of(table.frame, "y", "p")
        assert (counts.matrix().counts.tolist(), counts.left_out) == ([[1, 0], [1, 0]], 1)
        with pytest.raises(ReadProblem, match='has no table "lab'):
            tables.open("lab.absent")
        endless = table.frame.sparkSession.range(10**13).selectExpr("sum(id * id % 7)")
        context = session.sparkContext
        threading.Thread(target=lambda: [_until(context.statusTracker().getActiveJobsIds), table.stop()]).start()
        with pytest.raises(ReadProblem, match="was stopped"):
            frames.run_query(endless.collect)
    finally:
        session.sql("drop database lab cascade")
    with pytest.raises(ReadProblem, match="ask again"):
        LabelCounts.of(table.frame, "y", "p")


def _until(happens: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not happens() and time.monotonic() < end:
        time.sleep(0.01)
