"""A data set as an Arrow table and back: columns by position, and all else as JSON in the metadata of the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pandas as pd
import pyarrow as pa

from evalcore.readers.base.problems import Finding, Lines, Origin
from evalcore.readers.dataset.assignment import read_roles, roles_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.dataset.unloaded import Unloaded

_KEY = b"evalcore"


def table_of(dataset: DataSet, owner: str = "") -> pa.Table:
    """Convert a data set and the name of its owner to a table."""
    table = pa.Table.from_pandas(dataset.frame, preserve_index=False)
    # column names are in the description, where any text is safe
    table = table.rename_columns([f"c{index}" for index in range(table.num_columns)])
    description = {
        "name": dataset.name,
        "owner": owner,
        "columns": list(dataset.frame.columns),
        "digest": dataset.digest,
        "roles": dataset.roles.parts,
        "findings": [asdict(finding) for finding in dataset.findings],
        "read_findings": [asdict(finding) for finding in dataset.read_findings],
        "lines": {"first": dataset.lines.first, "word": dataset.lines.word},
        "joined": dataset.joined,
        "joined_with": dataset.joined_with,
        "face_files": dataset.face_files,
        "origin": dataset.lines.origin and asdict(dataset.lines.origin),
        "unloaded": dataset.unloaded and asdict(dataset.unloaded),
    }
    return table.replace_schema_metadata({_KEY: json.dumps(description).encode("ascii")})


def dataset_of(table: pa.Table) -> DataSet:
    """The data set of a table of `table_of`; any error means that the table is damaged."""
    description = description_of(table.schema.metadata)
    frame = table.replace_schema_metadata(None).to_pandas(split_blocks=True)
    frame.columns = pd.Index(description["columns"], dtype="str")
    if not frame.columns.is_unique or not all(dtype.kind in "bif" or dtype == "str" for dtype in frame.dtypes):
        raise ValueError("no table of ours")
    roles = {name: _as_tuples(value) for name, value in description["roles"].items()}
    lines = description["lines"]
    return DataSet(
        frame,
        # as those of a link, for a file too may have been edited
        read_roles(roles_of(**roles).to_text(), frame) if roles else roles_of(),
        findings=_findings(description["findings"]),
        name=description["name"],
        digest=description["digest"],
        lines=Lines(int(lines["first"]), str(lines["word"]), _origin(description.get("origin"))),
        read_findings=_findings(description["read_findings"]),
        joined=tuple(
            tuple((str(name), (tuple(map(str, first)), tuple(map(str, other)))) for name, (first, other) in stage)
            for stage in description["joined"]
        ),
        joined_with=tuple(
            (str(file), str(option), value if isinstance(value, int) else str(value))
            for file, option, value in description["joined_with"]
        ),
        face_files=tuple(map(str, description["face_files"])),
        unloaded=Unloaded(**parts) if (parts := description.get("unloaded")) else None,
    )


def description_of(metadata: Mapping[bytes, bytes]) -> dict:
    """Read the description of a data set from an Arrow table's metadata; any error means that it is damaged."""
    description = {"owner": "", "joined": [], "joined_with": [], "face_files": []} | json.loads(metadata[_KEY])
    texts = [description["name"], description["owner"], description["digest"], *description["columns"]]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("no text")
    return description | {"kind": roles_of(**description["roles"]).kind}


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _origin(parts: dict | None) -> Origin | None:
    """The origin; files of an earlier version have none."""
    if not parts:
        return None
    sheets, chosen = tuple(map(str, parts["sheets"])), tuple(map(str, parts["chosen"]))
    return Origin(sheets, _text(parts["sheet"]), int(parts["header"]), chosen, bool(parts.get("is_usual")))


def _findings(parts: list[dict]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            *(part["level"], str(part["sentence"]), int(part["count"]), part["column"]),
            # files of an earlier version lack these
            **{key: _text(part.get(key)) for key in ("action", "role", "other")},
            code=str(part.get("code", "")),
        )
        for part in parts
    )
