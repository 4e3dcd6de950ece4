"""Stored data sets come back exactly, under ids nobody guesses, and the oldest make room."""

import os
import re
import stat
import threading
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from evalcore.readers import DataSet, Finding, ReadProblem, Workspace, read_table, roles_of, upload_of
from evalcore.readers.base.problems import Lines
from tests.readers import made_files as files

GONE = "A" * 22


def scores(rows: int = 3, name: str = "x.csv") -> DataSet:
    rng = np.random.default_rng(rows)
    return DataSet.of(pd.DataFrame({"actual": rng.integers(0, 2, rows), "score": rng.random(rows)}), name)


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    return Workspace(tmp_path / "made when needed", 10_000_000)


def test_everything_comes_back(workspace: Workspace) -> None:
    frame = pd.DataFrame(
        {
            "actual": pd.Series(["ill", None, " Ill", "雪 🙂"], dtype="str"),
            "score": [0.1, np.nan, -0.0, np.inf],
            "n": [2**62 + 1, -1, 0, 5],
            "yes": [True, False, True, True],
            "<b>x</b>": [1.5, 2.5, np.nan, 4.5],
            "x" * 500: ["a", "b", "=1+1", ""],
        }
    )
    columns = {"actual": "actual", "predicted": ("x" * 500,), "score": ("score",), "weight": "n", "group": "yes"}
    roles = roles_of(**columns, positive="ill", higher_is_positive=False)
    finding = Finding("info", "Read as Latin-1.", 1, None, role="score", columns=("score", "n"))
    saved = DataSet.of(frame, "../../<i>.csv", roles=roles, lines=Lines(7, "row"), read_findings=(finding,))
    loaded = workspace.load(workspace.save(saved))
    pd.testing.assert_frame_equal(loaded.frame, saved.frame)
    assert str(loaded.frame["score"][2]) == "-0.0"
    for field in ("roles", "kind", "findings", "name", "digest", "lines", "read_findings"):
        assert getattr(loaded, field) == getattr(saved, field)
    assert hash(loaded.roles) == hash(saved.roles)


@pytest.mark.parametrize(
    "text",
    [
        "actual,score\n1,0.5\n0,0.25\n",
        "actual,score\ntrue,0.5\nfalse,\n",
        "tp,fp,fn,tn\n1,2,3,4\n",
        "actual,p_a,p_b,p_c\na,.5,.3,.2\nb,.2,.3,.5\nc,.1,.1,.8\n",
        "truth,estimate\n1.5,2\n2.5,3\n",
        "a,b\nx,\ny,\n",
    ],
)
def test_what_was_read_comes_back(workspace: Workspace, text: str) -> None:
    saved = read_table(text.encode(), "x.csv")
    loaded = workspace.load(workspace.save(saved))
    pd.testing.assert_frame_equal(loaded.frame, saved.frame)
    assert loaded.roles == saved.roles
    assert type(loaded.roles.get("positive")) is type(saved.roles.get("positive"))
    assert loaded.findings == saved.findings
    assert loaded.with_roles(roles_of()).kind == "unknown"


def test_ids_cannot_be_guessed(workspace: Workspace) -> None:
    dataset = scores()
    ids = {workspace.save(dataset) for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch(r"[\w-]{22}", id) for id in ids)


@pytest.mark.parametrize(
    "id", ["", "x", "../" + "a" * 19, "..", "/etc/passwd", "a/b", "a" * 23, "a" * 21 + "\n", "é" * 22, None]
)
def test_an_id_is_never_a_path(workspace: Workspace, id: object) -> None:
    for use in (workspace.load, workspace.delete):
        with pytest.raises(ReadProblem, match="no longer stored"):
            use(id)


def test_what_was_deleted_is_gone(workspace: Workspace) -> None:
    assert workspace.list() == []
    id = workspace.save(scores())
    workspace.delete(id)
    workspace.delete(id)
    assert workspace.list() == []
    for missing in (id, GONE):
        with pytest.raises(ReadProblem, match="no longer stored"):
            workspace.load(missing)


def test_a_deletion_can_be_undone_for_a_while(workspace: Workspace) -> None:
    id = workspace.save(scores())
    workspace.keep_shape(id, "title~mine")
    workspace.delete(id, undo=True)
    assert not workspace.holds(id)
    assert workspace.list() == []
    assert workspace.restore(id)
    assert [entry.name for entry in workspace.list()] == ["mine"]
    workspace.delete(id, undo=True)
    for path in workspace.folder.glob(".*.deleted"):
        os.utime(path, (1_000, 1_000))
    assert workspace.list() == []
    assert not list(workspace.folder.iterdir())
    assert not workspace.restore(id)


def test_the_list_has_the_newest_first(workspace: Workspace) -> None:
    ids = [workspace.save(scores(rows, f"{rows}.csv")) for rows in (5, 6, 7)]
    for age, id in enumerate(ids):
        os.utime(workspace.folder / f"{id}.parquet", (1_000 + age, 1_000 + age))
    (workspace.folder / "notes.parquet").write_bytes(b"not ours")
    entries = workspace.list()
    assert [entry.name for entry in entries] == ["7.csv", "6.csv", "5.csv"]
    assert [entry.rows for entry in entries] == [7, 6, 5]
    assert [entry.id for entry in entries] == ids[::-1]
    assert all(entry.bytes > 100 for entry in entries)
    assert entries[0].saved == 1_002


def test_the_oldest_make_room(workspace: Workspace) -> None:
    first, second = (workspace.save(scores(1000)) for _ in range(2))
    for age, id in enumerate((first, second)):
        os.utime(workspace.folder / f"{id}.parquet", (1_000 + age, 1_000 + age))
    workspace.limit_bytes = sum(entry.bytes for entry in workspace.list()) + 1_000
    third = workspace.save(scores(1000))
    assert {entry.id for entry in workspace.list()} == {second, third}


def test_an_upload_that_two_data_sets_have_counts_once(workspace: Workspace, tmp_path) -> None:
    (tmp_path / "log.csv").write_bytes(b"x" * 100_000)
    old, first, counted = (workspace.save(scores(10)) for _ in range(3))
    for age, id in enumerate((old, first, counted)):
        os.utime(workspace.folder / f"{id}.parquet", (1_000 + age, 1_000 + age))
    workspace.limit_bytes = 150_000
    workspace.keep_upload(first, tmp_path / "log.csv")
    workspace.keep_upload(counted, upload_of(workspace.path(first)))
    assert [entry.id for entry in workspace.list()] == [counted, first, old]
    assert 100_000 < sum(entry.bytes for entry in workspace.list()) < 120_000
    # To delete the first rows gives no room, as the counts still have the file.
    workspace.limit_bytes = 90_000
    newest = workspace.save(scores(10))
    assert [entry.id for entry in workspace.list()] == [newest]


def test_the_newest_stays_even_over_the_limit(workspace: Workspace) -> None:
    workspace.limit_bytes = 1
    workspace.save(scores())
    id = workspace.save(scores(1000))
    assert [entry.id for entry in workspace.list()] == [id]
    assert len(workspace.load(id)) == 1000


def test_a_damaged_file_is_listed_and_can_be_deleted(workspace: Workspace) -> None:
    id = workspace.save(scores())
    path = workspace.folder / f"{id}.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    (entry,) = workspace.list()
    assert entry.name == "(damaged)"
    with pytest.raises(ReadProblem, match="damaged"):
        workspace.load(id)
    workspace.delete(id)
    assert workspace.list() == []


def test_whichever_byte_of_a_file_is_damaged_it_is_refused(workspace: Workspace) -> None:
    id = workspace.save(scores(1000))
    path = workspace.folder / f"{id}.parquet"
    whole = path.read_bytes()
    footer = int.from_bytes(whole[-16:-12], "little") + 16
    for position in (*range(0, len(whole) - footer, 997), *range(len(whole) - footer, len(whole), 7)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        with pytest.raises(ReadProblem, match="damaged"):
            workspace.load(id)


def test_what_was_stored_before_there_was_a_mark_comes_back(workspace: Workspace) -> None:
    saved = scores(1000)
    id = workspace.save(saved)
    path = workspace.folder / f"{id}.parquet"
    parquet.write_table(parquet.read_table(BytesIO(path.read_bytes()[:-8])), path, write_page_checksum=True)
    pd.testing.assert_frame_equal(workspace.load(id).frame, saved.frame)
    assert [entry.rows for entry in workspace.list()] == [1000]


def test_unfinished_files_of_the_dead_are_removed(workspace: Workspace) -> None:
    workspace.save(scores())
    old, new = (workspace.folder / f".{name}.unfinished" for name in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"")
    os.utime(old, (1_000, 1_000))
    workspace.save(scores())
    assert not old.exists()
    assert new.exists()


def test_a_folder_that_cannot_be_written(tmp_path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ReadProblem, match="could not be stored"):
        Workspace(tmp_path / "file", 1_000).save(scores())


def test_many_threads_share_a_folder(workspace: Workspace) -> None:
    workspace.limit_bytes = 20_000
    errors = []

    def work(number: int) -> None:
        try:
            for _ in range(10):
                id = workspace.save(scores(50, f"{number}.csv"))
                workspace.list()
                try:
                    assert workspace.load(id).name == f"{number}.csv"
                except ReadProblem as problem:  # another thread may have needed the room
                    if "no longer" not in str(problem):
                        raise
                workspace.delete(id)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert workspace.list() == []
    assert list(workspace.folder.glob(".*")) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_user_who_runs_the_server_can_read_what_is_stored(tmp_path) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        workspace = Workspace(folder, 10_000_000)
        workspace.save(scores())
        workspace.key()
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_the_key_of_a_folder_is_made_once(workspace: Workspace) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", workspace.key())
    assert Workspace(workspace.folder, 1).key() == workspace.key()
    assert [path.name for path in workspace.folder.iterdir()] == ["key"]


def test_the_list_gives_back_whose_a_data_set_is(workspace: Workspace) -> None:
    workspace.save(scores(3), "ada")
    workspace.save(scores(4))
    assert {(entry.rows, entry.owner) for entry in workspace.list()} == {(3, "ada"), (4, "")}


def test_the_file_of_a_data_set_with_a_choice_is_stored_counted_and_deleted(tmp_path) -> None:
    data = files.second_sheet()
    dataset = read_table(data, "x.xlsx")
    workspace = Workspace(tmp_path, 10**9)
    id = workspace.save(dataset, source=data)
    assert workspace.file(id).read_bytes() == data
    assert workspace.load(id).lines == dataset.lines
    assert stat.S_IMODE((tmp_path / f"{id}.file").stat().st_mode) == 0o600
    (entry,) = workspace.list()
    assert entry.bytes == sum(path.stat().st_size for path in tmp_path.iterdir())
    workspace.delete(id)
    assert not list(tmp_path.iterdir())
    small = Workspace(tmp_path, 1)
    first = small.save(dataset, source=data)
    second = small.save(dataset, source=data)
    assert {path.stem for path in tmp_path.iterdir()} == {second}
    assert small.file(first) is None


def test_a_large_file_is_not_stored_least_of_all_a_usual_one(tmp_path, monkeypatch) -> None:
    data = files.second_sheet()
    workspace = Workspace(tmp_path, 10**9)
    usual = read_table(b"actual,score\n1,0.5\n0,0.25\n", "x.csv")
    assert workspace.file(workspace.save(usual, source=b"x")) is not None
    assert workspace.file(workspace.save(usual, source=b"x" * 5_000_001)) is None
    monkeypatch.setattr("evalcore.readers.workspace.MOST_KEPT", len(data) - 1)
    assert workspace.file(workspace.save(read_table(data, "x.xlsx"), source=data)) is None
