"""Records of decisions lie beside their data set: its owner's to change, gone and back with it."""

import pytest

from evalcore.readers import ReadProblem, Workspace, delete_decision, keep_decision, kept_decisions
from tests.readers.store.test_workspace import scores

GONE = "A" * 22


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    return Workspace(tmp_path / "folder", 10_000_000)


def test_records_come_newest_first_and_go_one_by_one(workspace: Workspace) -> None:
    id, other = workspace.save(scores(), "ada"), workspace.save(scores(4), "ada")
    first = keep_decision(workspace, id, "Größe", 1, "ada")
    second = keep_decision(workspace, id, "two", 2)
    assert list(kept_decisions(workspace, id).items()) == [(second, "two"), (first, "Größe")]
    assert kept_decisions(workspace, other) == {}
    delete_decision(workspace, id, second, "ada")
    delete_decision(workspace, id, second, "ada")  # on another screen meanwhile
    assert list(kept_decisions(workspace, id)) == [first]
    assert len(workspace.list()) == 2


def test_only_the_owner_changes_them(workspace: Workspace) -> None:
    id = workspace.save(scores(), "ada")
    key = keep_decision(workspace, id, "one", 1, "ada")
    with pytest.raises(ReadProblem, match="Only who uploaded"):
        keep_decision(workspace, id, "two", 2, "eve")
    with pytest.raises(ReadProblem, match="Only who uploaded"):
        delete_decision(workspace, id, key, "eve")
    with pytest.raises(ReadProblem, match="Only who uploaded"):
        keep_decision(workspace, GONE, "x", 1)
    assert kept_decisions(workspace, id) == {key: "one"}


@pytest.mark.parametrize("key", ["", "../x", "1-a", "0000000000000000001-../../etc", f"{1:019d}-abcdefg/"])
def test_no_other_file_can_be_named(workspace: Workspace, key: str) -> None:
    id = workspace.save(scores())
    with pytest.raises(ReadProblem, match="no such record"):
        delete_decision(workspace, id, key)


def test_they_are_deleted_and_restored_with_their_data(workspace: Workspace) -> None:
    id = workspace.save(scores())
    key = keep_decision(workspace, id, "one", 1)
    workspace.delete(id, undo=True)
    assert kept_decisions(workspace, id) == {}
    workspace.restore(id)
    assert kept_decisions(workspace, id) == {key: "one"}
    workspace.delete(id)
    assert not list(workspace.folder.glob("*.decision"))


def test_what_cannot_be_stored_or_read_is_told_or_skipped(workspace: Workspace) -> None:
    id = workspace.save(scores())
    (workspace.folder / f"{id}.{1:019d}-abcdefgh.decision").write_bytes(b"\xff")
    (workspace.folder / f"{id}.odd.decision").write_text("x")
    assert kept_decisions(workspace, id) == {}
    (workspace.folder / f"{id}.{2:019d}-abcdefgh.decision").mkdir()
    assert kept_decisions(workspace, id) == {}
    with pytest.raises(ReadProblem, match="could not be deleted"):
        delete_decision(workspace, id, f"{2:019d}-abcdefgh")
