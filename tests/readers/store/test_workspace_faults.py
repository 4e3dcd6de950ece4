"""Faults of the world around stored data sets: a full disk, a killed server, damaged files, a clock set back."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from evalcore.readers import DataSet, ReadProblem, Workspace, keep_decision, read_table

ROOT = Path(__file__).parents[3]
ABSENT = "A" * 22


def scores(rows: int = 3) -> DataSet:
    rng = np.random.default_rng(rows)
    return DataSet.of(pd.DataFrame({"actual": rng.integers(0, 2, rows), "score": rng.random(rows)}), "x.csv")


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    return Workspace(tmp_path / "workspace", 10_000_000)


def edited(workspace: Workspace, change: Callable[[dict], object]) -> str:
    """A stored data set whose description was changed in its file."""
    id = workspace.save(scores(), "ada")
    path = workspace.folder / f"{id}.parquet"
    table = parquet.read_table(BytesIO(path.read_bytes()[:-8]))  # without the checksum
    description = change(json.loads(table.schema.metadata[b"evalcore"]))
    parquet.write_table(table.replace_schema_metadata({b"evalcore": json.dumps(description).encode()}), path)
    return id


@pytest.mark.parametrize("value", [None, 5, "x", ["a"], {"a": 1}, [None]], ids=repr)
@pytest.mark.parametrize("part", ["name", "owner", "columns", "digest", "roles", "findings", "read_findings", "lines"])
def test_a_hand_edited_file_is_a_data_set_or_damaged(workspace: Workspace, part: str, value: object) -> None:
    id = edited(workspace, lambda description: description | {part: value})
    (entry,) = workspace.list()
    assert type(entry.name) is type(entry.owner) is str
    if part in ("name", "owner", "digest") and type(value) is str:
        assert workspace.load(id).tally("score") == scores().tally("score")
    else:
        with pytest.raises(ReadProblem, match="damaged"):
            workspace.load(id)


@pytest.mark.parametrize(
    "roles",
    [{"actual": "none such"}, {"score": ["none such"]}, {"positive": "none such"}, {"higher_is_positive": "x"}],
    ids=lambda roles: next(iter(roles)),
)
def test_roles_that_were_edited_in_a_file_must_fit_its_table(workspace: Workspace, roles: dict) -> None:
    id = edited(workspace, lambda description: description | {"roles": description["roles"] | roles})
    with pytest.raises(ReadProblem, match="damaged"):
        workspace.load(id)


def test_no_damaged_file_gives_other_numbers(workspace: Workspace) -> None:
    """One byte after the other is another, in the part of the file that holds the numbers."""
    saved = scores(40)
    id = workspace.save(saved)
    path = workspace.folder / f"{id}.parquet"
    whole = path.read_bytes()
    for place in range(0, whole.index(b'{"name"'), 5):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        with suppress(ReadProblem):
            pd.testing.assert_frame_equal(workspace.load(id).frame, saved.frame)
        assert len(workspace.list()) == 1


def test_a_folder_with_the_name_of_a_stored_file_is_not_ours(workspace: Workspace) -> None:
    workspace.limit_bytes = 1
    workspace.save(scores())
    (workspace.folder / f"{ABSENT}.parquet").mkdir()
    id = workspace.save(scores())
    assert [entry.id for entry in workspace.list()] == [id]


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file grows beyond some bytes, as on a disk that is full then."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_disk_that_fills_up_leaves_nothing_half_stored(workspace: Workspace) -> None:
    id = workspace.save(scores(100))
    size = (workspace.folder / f"{id}.parquet").stat().st_size
    for limit in range(0, size, 50):
        with full_disk(limit), pytest.raises(ReadProblem, match="could not be stored"):
            workspace.save(scores(100))
    with full_disk(0):
        with pytest.raises(OSError, match="too large"):
            workspace.key()
        assert [entry.id for entry in workspace.list()] == [id]
        assert len(workspace.load(id)) == 100
        assert [path.stem for path in workspace.folder.iterdir()] == [id]
        workspace.delete(id)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", workspace.key())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_nothing_cut_is_kept_beside_a_data_set(workspace: Workspace) -> None:
    source = b"A note above the table\nactual,score\n" + b"1,0.5\n0,0.25\n" * 20_000
    read = read_table(source, "x.csv")
    size = (workspace.folder / f"{workspace.save(read)}.parquet").stat().st_size
    assert size < len(source) / 2
    with full_disk(len(source) - 1):
        id = workspace.save(read, source=source)
        workspace.keep_shape(id, "z" * len(source))
        with pytest.raises(ReadProblem, match="could not be stored"):
            keep_decision(workspace, id, "z" * len(source), 0)
    assert workspace.file(id) is None
    assert {path.suffix for path in workspace.folder.iterdir()} == {".parquet"}
    assert workspace.file(workspace.save(read, source=source)).read_bytes() == source


def test_what_cannot_be_deleted_is_told_in_a_sentence(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system")

    ids = {workspace.save(scores())}
    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(ReadProblem, match="could not be deleted"):
        workspace.delete(*ids)
    workspace.limit_bytes = 1
    ids.add(workspace.save(scores()))  # what makes no room is left, and what was stored is told
    assert {entry.id for entry in workspace.list()} == ids


KILLED = """
import os, signal, sys
import numpy as np, pandas as pd, pyarrow.parquet
from evalcore.readers import DataSet, Workspace

workspace = Workspace(sys.argv[1], 10**9)
dataset = DataSet.of(pd.DataFrame({"actual": np.arange(20_000) % 2, "score": np.arange(20_000) / 7}), "x.csv")
for microseconds in np.random.default_rng(7).integers(1_000, 40_000, 1_000).tolist():
    if min(len(list(workspace.folder.glob(pattern))) for pattern in (".*.unfinished", "*.parquet")) > 5:
        break  # that many were killed at work, and that many stored, however fast the machine is
    if (child := os.fork()) == 0:
        signal.setitimer(signal.ITIMER_PROF, microseconds / 1e6)  # it kills after so much work
        while True:
            workspace.save(dataset)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGPROF
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot fork")
def test_a_server_that_is_killed_while_it_stores_leaves_whole_files_only(workspace: Workspace) -> None:
    subprocess.run([sys.executable, "-c", KILLED, workspace.folder], cwd=ROOT, check=True, timeout=120)
    assert len(list(workspace.folder.glob(".*.unfinished"))) > 5
    ids = [path.stem for path in workspace.folder.glob("*.parquet")]
    assert len(ids) > 5
    expected = pd.DataFrame({"actual": np.arange(20_000) % 2, "score": np.arange(20_000) / 7})
    for id in ids:
        pd.testing.assert_frame_equal(workspace.load(id).frame, expected)
    assert {entry.name for entry in workspace.list()} == {"x.csv"}


def test_after_the_clock_was_set_back_the_new_is_not_taken_for_the_old(workspace: Workspace) -> None:
    before = [workspace.save(scores(1000)) for _ in range(2)]
    for days, id in enumerate(before, start=1):
        future = time.time() + days * 86_400
        os.utime(workspace.folder / f"{id}.parquet", (future, future))
    first = workspace.save(scores(1000))
    assert [entry.id for entry in workspace.list()] == [first, before[1], before[0]]
    workspace.limit_bytes = sum(entry.bytes for entry in workspace.list()) - 1
    second = workspace.save(scores(1000))
    assert {entry.id for entry in workspace.list()} == {first, second}


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff\xfe" * 11, "é".encode() * 11])
def test_a_key_that_was_damaged_is_made_anew(workspace: Workspace, damage: bytes) -> None:
    key = workspace.key()
    (workspace.folder / "key").write_text(f"{key}\n")  # as an editor leaves it
    assert workspace.key() == key
    (workspace.folder / "key").write_bytes(damage)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", workspace.key())
    assert workspace.key() == workspace.key() != key


@pytest.mark.parametrize("megabytes", ["abc", "nan", "inf", "-5", "0", "2 000"])
def test_a_limit_that_is_no_size_is_refused(tmp_path: Path, megabytes: str) -> None:
    with pytest.raises(ValueError, match=f"EVALCORE_WORKSPACE_MB is '{megabytes}'"):
        Workspace.of_settings(tmp_path, megabytes)
    assert Workspace.of_settings(tmp_path, "0.5").limit_bytes == 500_000


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="which is a file"):
        Workspace.of_settings(tmp_path / "file", "2000")
