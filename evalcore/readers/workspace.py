"""The workspace: uploaded data sets, stored as Parquet files in one folder under ids that cannot be guessed.

Beside a data set stand the file that it was read from, and its records of decisions, a small file each, so that several
servers can write at once. What is deleted is kept for a while.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from evalcore.readers.base.problems import ReadProblem
from evalcore.readers.dataset.datasets import DataSet, dataset_of, description_of, table_of
from evalcore.readers.dataset.shape import Shape

__all__ = ["UNDO_SECONDS", "Entry", "Workspace", "delete_decision", "keep_decision", "kept_decisions", "upload_of"]

FILE, _UPLOAD = ".file", ".upload"
MARK = b"EVC1"  # a stored file is Parquet, this mark, and the checksum of the Parquet
MOST_KEPT = 100_000_000  # bytes of a file up to which it is stored
_MOST_USUAL = 5_000_000  # Hardly anybody reads a usual file again with another header.
UNDO_SECONDS = 600  # how long a deletion can be undone
_STALE_SECONDS = 3600  # A file older than this was left unfinished by a process that crashed.
_DELETED, _UNFINISHED = ".deleted", ".unfinished"


@contextmanager
def _written(path: Path, publish: Callable[[Path, Path], None] = os.replace) -> Iterator[IO[bytes]]:
    """Write a file that only its user can read, which appears whole or not at all."""
    unfinished = path.parent / f".{secrets.token_urlsafe(16)}{_UNFINISHED}"
    try:
        with open(unfinished, "x+b", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            yield file
        publish(unfinished, path)
    finally:
        with suppress(OSError):
            unfinished.unlink()


def _write(path: Path, data: bytes) -> None:
    with _written(path) as file:
        file.write(data)


def upload_of(path: Path) -> Path | None:
    """Return the path of the uploaded file of a data set; None without one."""
    return next(iter(sorted(path.parent.glob(f"{path.stem}{_UPLOAD}.*"))), None)


def size_of(path: Path, status: os.stat_result) -> int:
    """Bytes of a stored data set, with the file that it was read from; a share of an upload that several have."""
    with suppress(OSError):
        if (upload := upload_of(path)) is not None:
            of_upload = upload.stat()
            return status.st_size + of_upload.st_size // max(of_upload.st_nlink, 1)
        return status.st_size + path.with_suffix(FILE).stat().st_size
    return status.st_size


def remove(path: Path) -> None:
    """Delete a stored data set and the files beside it."""
    for beside in (path, *path.parent.glob(f"{path.stem}.*")):
        beside.unlink(missing_ok=True)


def remove_stale(folder: Path) -> None:
    """Remove what was deleted too long ago to be brought back, and what was never finished."""
    for ending, seconds in ((_DELETED, UNDO_SECONDS), (_UNFINISHED, _STALE_SECONDS)):
        for path in folder.glob(f".*{ending}"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > seconds:
                    path.unlink()


def footer_of(path: Path) -> IO[bytes]:
    """The end of a Parquet file, which describes it."""
    with open(path, "rb") as file:
        file.seek(-16, os.SEEK_END)
        tail = file.read()
        tail, behind = (tail[:8], 8) if tail[8:12] == MARK else (tail[8:], 0)
        size = int.from_bytes(tail[:4], "little")
        file.seek(-size - 8 - behind, os.SEEK_END)
        return BytesIO(b"PAR1" + file.read(size) + tail)


_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_SUFFIX, _SHAPE = ".parquet", ".shape"
_PROCESS_SECRET = secrets.token_urlsafe(16)


@dataclass(frozen=True)
class Entry:
    """A stored data set: id, name, size, when it was saved (seconds since 1970), owner, kind (both may be empty)."""

    id: str
    name: str
    rows: int
    bytes: int
    saved: float
    owner: str = ""
    kind: str = ""


class Workspace:
    """Data sets stored in a folder, which is made when the first is saved.

    The oldest are deleted when their total size exceeds the limit; the newest is kept whatever its size. Several
    threads and processes may share the folder: a file appears complete or not at all, and a file that was deleted
    meanwhile is skipped. Only the user who runs the server can read the folder and its files.

    >>> import tempfile, pandas as pd
    >>> workspace = Workspace(tempfile.mkdtemp(), 10_000_000)
    >>> id = workspace.save(DataSet.of(pd.DataFrame({"actual": [1, 0], "score": [0.9, 0.2]}), "test.csv"))
    >>> workspace.load(id).name, len(workspace.list()), workspace.holds(id)
    ('test.csv', 1, True)
    """

    def __init__(self, folder: str | Path, limit_bytes: int) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes

    @classmethod
    def of_settings(cls, folder: str | Path, megabytes: str) -> Workspace:
        """The workspace of the settings, else of 2000 MB. Raises ValueError for a file, or a limit not above 0."""
        if Path(folder).is_file():
            raise ValueError(f"EVALCORE_WORKSPACE is '{folder}', which is a file. Set it to a folder for uploads.")
        try:
            limit = int(float(megabytes or "2000") * 1e6)
        except (ValueError, OverflowError):
            limit = 0
        if limit <= 0:
            why = f"EVALCORE_WORKSPACE_MB is '{megabytes}'. Set it to a number of megabytes above 0, such as 2000."
            raise ValueError(why)
        return cls(folder, limit)

    def save(self, dataset: DataSet, owner: str = "", source: bytes = b"") -> str:
        """Store a data set with its owner, and return its id. Raises ReadProblem if the folder cannot be written.

        The file that it was read from is stored beside it where another sheet or header can be chosen, unless it is
        large or the disk is full.
        """
        import pyarrow as pa
        from pyarrow import parquet

        table = table_of(dataset, owner)
        id = secrets.token_urlsafe(16)
        try:
            self._make_folder()
            with _written(self.path(id)) as file:
                texts: Any = [field.name for field in table.schema if field.type == pa.large_string()]
                parquet.write_table(table, file, compression="zstd", compression_level=1, use_dictionary=texts)
                file.seek(0)
                checksum = 0
                while block := file.read(1 << 20):
                    checksum = zlib.crc32(block, checksum)
                file.write(MARK + checksum.to_bytes(4, "little"))
        except OSError as error:
            raise ReadProblem("The data set could not be stored. Is the workspace folder full or read-only?") from error
        origin = dataset.lines.origin
        if origin and 0 < len(source) <= (min(MOST_KEPT, _MOST_USUAL) if origin.is_usual else MOST_KEPT):
            with suppress(OSError):
                _write(self.path(id).with_suffix(FILE), source)
        self._evict(id)
        return id

    def load(self, id: str) -> DataSet:
        """The data set of an id. Raises ReadProblem if it was deleted, is damaged, or the id is not valid."""
        import pyarrow as pa
        from pyarrow import parquet

        path = self.path(id)
        try:
            data = path.read_bytes()
            is_marked = data[-8:-4] == MARK  # a version before this one wrote checksums of the pages only
            content = pa.py_buffer(data).slice(0, len(data) - 8 if is_marked else None)
            if is_marked and zlib.crc32(content).to_bytes(4, "little") != data[-4:]:
                raise ValueError("other bytes than were written")
            return dataset_of(parquet.read_table(pa.BufferReader(content), page_checksum_verification=not is_marked))
        except FileNotFoundError as error:
            raise _gone() from error
        except Exception as error:  # a damaged file can fail anywhere in the parser
            raise ReadProblem("This stored data set is damaged. Open its file again.") from error

    def file(self, id: str) -> Path | None:
        """The path of the file that a data set was read from, if that is stored."""
        path = self.path(id).with_suffix(FILE) if _ID.fullmatch(id) else None
        return path if path and path.is_file() else None

    def holds(self, id: str) -> bool:
        """Whether a file is stored under this id, damaged or not."""
        return _ID.fullmatch(id) is not None and self.path(id).is_file()

    def is_of(self, id: str, dataset: DataSet) -> bool:
        """Whether a data set with the same rows is stored under an id."""
        with suppress(ReadProblem):
            return self.load(id).digest == dataset.digest
        return False

    def list(self) -> list[Entry]:
        """The stored data sets, newest first."""
        from pyarrow import parquet

        remove_stale(self.folder)
        entries = []
        for path, status in self._files():
            try:
                metadata = parquet.read_metadata(footer_of(path))
                description = description_of(metadata.metadata)
            except FileNotFoundError:
                continue
            except Exception:  # a damaged file is listed, so that it can be deleted
                entries.append(Entry(path.stem, "(damaged)", 0, size_of(path, status), status.st_mtime))
                continue
            size = metadata.num_rows, size_of(path, status)
            name = self._title(path.stem) or description["name"]
            entries.append(Entry(path.stem, name, *size, status.st_mtime, description["owner"], description["kind"]))
        return entries

    def keep_shape(self, id: str, shape: str, owner: str | None = None) -> None:
        """Keep the text of a shape, to be opened in, if its owner (where one is named) and the folder allow it."""
        path = self.path(id).with_suffix(_SHAPE)
        with suppress(OSError, ValueError, KeyError, TypeError):  # pyarrow's errors are of these
            if self.may_change(id, owner):
                _write(path, shape.encode())

    def may_change(self, id: str, owner: str | None) -> bool:
        """Whether an owner may change the files of a data set; None stands for the holder of the folder's key."""
        from pyarrow import parquet

        if not self.holds(id) or owner is None:
            return self.holds(id)
        return description_of(parquet.read_metadata(footer_of(self.path(id))).metadata)["owner"] == owner

    def keep_upload(self, id: str, upload: Path | None) -> None:
        """Keep an uploaded file, moved here or shared with another data set, beside one that was not loaded; make room.

        >>> import tempfile
        >>> workspace = Workspace(tempfile.mkdtemp(), 10_000_000)
        >>> upload = Path(tempfile.mkdtemp()) / "log.csv"
        >>> _ = upload.write_text("actual,score")
        >>> workspace.keep_upload("0123456789abcdefghijkl", upload)
        >>> upload_of(workspace.path("0123456789abcdefghijkl")).name
        '0123456789abcdefghijkl.upload.csv'
        """
        if upload is not None:
            path = self.path(id)
            name = f"{path.stem}{_UPLOAD}{''.join(upload.suffixes[-2:])}".replace(_UPLOAD * 2, _UPLOAD)
            (os.link if upload.parent == path.parent else os.replace)(upload, path.with_name(name))
            self._evict(id)

    def shape(self, id: str) -> str:
        """The text of the shape that a data set was given last; empty if none."""
        with suppress(OSError, ValueError):
            return self.path(id).with_suffix(_SHAPE).read_text(encoding="utf-8")
        return ""

    def _title(self, id: str) -> str | None:
        """The name that a data set was given, if any."""
        with suppress(ReadProblem):  # a file that was edited
            return Shape.from_text(self.shape(id)).title
        return None

    def delete(self, id: str, undo: bool = False) -> None:
        """Delete a data set if it is there; `restore` can undo it for `UNDO_SECONDS` where that is wanted."""
        path = self.path(id)
        try:
            if not undo:
                return remove(path)
            for beside in self.folder.glob(f"{id}.*"):
                beside.touch()  # from now on its time counts
                beside.replace(self.folder / f".{beside.name}{_DELETED}")
        except OSError as error:
            raise ReadProblem("The data set could not be deleted. Is the workspace folder read-only?") from error

    def restore(self, id: str) -> bool:
        """Undo a deletion that may be undone; whether the data set, which counts as just saved, is there again."""
        path = self.path(id)
        with suppress(OSError):
            for aside in self.folder.glob(f".{path.stem}.*{_DELETED}"):
                aside.replace(self.folder / aside.name[1:].removesuffix(_DELETED))
        return self.holds(id)

    def key(self) -> str:
        """The secret of the folder, made when it is first asked for: who has it can read the folder. Raises OSError."""
        path = self.folder / "key"
        with suppress(FileNotFoundError):
            if _ID.fullmatch(key := path.read_text("latin-1").strip()):
                return key
            path.unlink()  # edited or cut: a key that nobody could present
        self._make_folder()
        with suppress(FileExistsError), _written(path, os.link) as file:  # where another process was faster, its key
            file.write(secrets.token_urlsafe(16).encode())
        return path.read_text()

    def signed(self, token: str) -> str:
        """Sign a token with the key of the folder; `token_of` verifies it.

        >>> import tempfile
        >>> workspace = Workspace(tempfile.mkdtemp(), 10_000_000)
        >>> given = workspace.signed("0123456789abcdefghijkl")
        >>> workspace.token_of(given), workspace.token_of(f"x{given}")
        ('0123456789abcdefghijkl', '')
        """
        try:
            secret = self.key()
        except OSError:  # a folder that keeps no key keeps no upload: this process alone knows the tokens
            secret = _PROCESS_SECRET
        return f"{token}.{hmac.new(secret.encode(), token.encode(), 'sha256').hexdigest()[:32]}"

    def token_of(self, signed: str) -> str:
        """The token of a text that `signed` has made, with this key; empty for any other text."""
        token = signed.partition(".")[0]
        return token if hmac.compare_digest(signed.encode(), self.signed(token).encode()) else ""

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(PermissionError):  # it belongs to another user, who has let us in
            self.folder.chmod(0o700)

    def path(self, id: str) -> Path:
        """Path of a data set, stored or not. Raises ReadProblem if the id is not valid."""
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise _gone()
        return self.folder / f"{id}{_SUFFIX}"

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        """The stored files, newest first; those dated in the future are older, as the clock was set back since."""
        files = []
        for path in self.folder.glob(f"*{_SUFFIX}"):
            with suppress(OSError):
                if _ID.fullmatch(path.stem) and path.is_file():
                    files.append((path, path.stat()))
        now = time.time()
        return sorted(files, key=lambda file: (file[1].st_mtime <= now, file[1].st_mtime_ns), reverse=True)

    def _evict(self, newest: str) -> None:
        files = self._files()
        for path, _ in reversed(files):
            # Anew each time: deleting a data set whose upload another one has gives little room.
            if sum(size_of(path, status) for path, status in files if path.exists()) <= self.limit_bytes:
                break
            if path.stem != newest:
                with suppress(OSError):
                    remove(path)
        remove_stale(self.folder)


def _gone() -> ReadProblem:
    return ReadProblem("This data set is no longer stored. Open its file again.")


_KEY = re.compile(r"[0-9]{19}-[A-Za-z0-9_-]{8}")
_DECISION, _MOST, _LARGEST = ".decision", 200, 200_000


def keep_decision(workspace: Workspace, id: str, text: str, when: int, owner: str | None = None) -> str:
    """Store the text of a record with a data set and return its key; `when` orders them, in nanoseconds since 1970."""
    _check_owner(workspace, id, owner)
    if len(kept_decisions(workspace, id)) >= _MOST:
        raise ReadProblem(f"A data set keeps at most {_MOST} records. Delete one that is no longer needed.")
    key = f"{when:019d}-{secrets.token_urlsafe(6)}"
    try:
        _write(_path(workspace, id, key), text.encode())
    except OSError as error:
        raise ReadProblem("The record could not be stored. Is the workspace folder full or read-only?") from error
    return key


def kept_decisions(workspace: Workspace, id: str) -> dict[str, str]:
    """The texts of the records of a data set by their keys, the newest first; empty where it is not stored."""
    texts, paths = {}, workspace.folder.glob(f"{id}.*{_DECISION}") if workspace.holds(id) else ()
    for path in sorted(paths, reverse=True):
        with suppress(OSError, ValueError):
            key = path.name.removeprefix(f"{id}.").removesuffix(_DECISION)
            if _KEY.fullmatch(key) and path.stat().st_size <= _LARGEST:
                texts[key] = path.read_text(encoding="utf-8")
    return texts


def delete_decision(workspace: Workspace, id: str, key: str, owner: str | None = None) -> None:
    """Delete a record if it is there. Raises ReadProblem for another owner, or if it cannot be deleted."""
    _check_owner(workspace, id, owner)
    try:
        _path(workspace, id, key).unlink(missing_ok=True)
    except OSError as error:
        raise ReadProblem("The record could not be deleted. Is the workspace folder read-only?") from error


def _path(workspace: Workspace, id: str, key: str):
    if not _KEY.fullmatch(key):
        raise ReadProblem("There is no such record.")
    return workspace.path(id).with_name(f"{id}.{key}{_DECISION}")


def _check_owner(workspace: Workspace, id: str, owner: str | None) -> None:
    if not workspace.may_change(id, owner):
        raise ReadProblem("Only who uploaded this data set can change its records.")
