"""An archive of several tables, opened as if its files had been chosen together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from evalcore.readers import archives
from evalcore.readers.datasets import DataSet
from evalcore.readers.images import is_images
from evalcore.readers.problems import LEVELS, Finding, ReadProblem, listed, named
from evalcore.readers.sheets import is_workbook
from evalcore.wording.numbers import count_text

__all__ = ["opened_archives"]

_MOST_TABLES = 100


def opened_archives(files: Mapping[str, bytes], max_bytes: int) -> tuple[dict[str, bytes], list[Finding]]:
    """The files with the tables of each zip archive of several in its place, and what there is to know of these.

    An archive of one table, a workbook and a zip of images stay what they are. `max_bytes` counts what all archives
    hold unpacked. Raises ReadProblem where an archive holds no table, too many or too much, or is damaged.

    >>> import io, zipfile
    >>> with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
    ...     for name in ("a/truth.csv", "a/model.csv", "README.md", "__MACOSX/._truth.csv"):
    ...         archive.writestr(name, "id,y")
    >>> files, findings = opened_archives({"x.zip": packed.getvalue()}, 1000)
    >>> list(files), findings[0].sentence
    (['truth.csv', 'model.csv'], '"x.zip" was opened as its 2 tables; "README.md" is left out.')
    """
    opened, findings = {}, []
    for name, data in files.items():
        is_archive = data.startswith(b"PK\x03\x04") and not is_workbook(data, name) and not is_images(data)
        members = {name: data}
        if is_archive and (tables := _tables(data, name)) is not None:
            left_out, paths = tables
            members = archives.unzipped_files(data, name, paths, max_bytes)
            max_bytes -= sum(map(len, members.values()))
            rest = f"; {listed(left_out, 5)} {'is' if len(left_out) == 1 else 'are'} left out" if left_out else ""
            what = f"its {count_text(len(paths))} tables" if len(paths) > 1 else listed(paths)
            sentence = f"{named(name)} was opened as {what}{rest}."
            findings.append(Finding("info", sentence, len(paths), code="archive"))
            members = dict(zip(_short(paths), members.values(), strict=True))
        if clash := members.keys() & opened.keys():
            raise ReadProblem(f"Two files are named {named(min(clash))}. Give each its own name.")
        opened |= members
    return opened, findings


def with_findings(data: DataSet, findings: Iterable[Finding]) -> DataSet:
    """A data set with what there is to know about the reading of its files."""
    if not (more := tuple(findings)):
        return data
    every = sorted((*data.findings, *more), key=lambda finding: LEVELS.index(finding.level))
    return replace(data, findings=tuple(every), read_findings=(*data.read_findings, *more))


def _tables(data: bytes, name: str) -> tuple[list[str], list[str]] | None:
    """What an archive holds beside its tables, and the paths of these; None where it is not one of several."""
    paths = archives.content_names(data, name)
    if len(paths) < 2:
        return None
    tables = [path for path in paths if archives.may_be_table(path)]
    if len(tables) == 1:
        return None
    if not tables:
        raise ReadProblem(f"{named(name)} holds {count_text(len(paths))} files and no table: {listed(paths)}.")
    splits = {path for path in tables if PurePosixPath(path).parent.name.casefold() == "qrels"}
    if tested := {path for path in splits if PurePosixPath(path).stem.casefold() == "test"}:
        tables = [path for path in tables if path not in splits - tested]  # training and development are not measured
    if len(tables) > _MOST_TABLES:
        raise ReadProblem(
            f"{named(name)} holds {count_text(len(tables))} tables; at most {_MOST_TABLES} are opened together. "
            "Extract those that belong together and open them."
        )
    return [PurePosixPath(path).name for path in paths if path not in tables], tables


def _short(paths: list[str]) -> list[str]:
    """Their names, with the folder where two are alike, as where each model has a folder of its own."""
    each = [PurePosixPath(path) for path in paths]
    for parts in (1, 2):
        short = [" ".join(path.parts[-parts:]) for path in each]
        if max(Counter(short).values()) == 1:
            return short
    return [" ".join(path.parts) for path in each]
