"""Several files as one data set: runs with their judgments, in TREC formats or as tables; and the samples."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any

import pandas as pd

from evalcore.readers.base import column_names as names
from evalcore.readers.base.encodings import head_of, is_compressed, within_memory
from evalcore.readers.base.pictures import is_images
from evalcore.readers.base.problems import HalfMissing, Lines, ReadProblem, TooLarge, listed, named
from evalcore.readers.base.values import Columns
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.files.columnar import read_within_limits
from evalcore.readers.files.tables import MAX_BYTES, MAX_ROWS, opened_archives, read_table, table_among, with_findings
from evalcore.readers.join.face_tables import add_faces, digest_of, face_frame, is_face_file, may_be_faces, with_faces
from evalcore.readers.join.joining import Keys, join_tables
from evalcore.readers.join.masks import are_masks, masks_together
from evalcore.readers.kinds import rankings
from evalcore.readers.kinds.kind import MOST_SYSTEMS
from evalcore.readers.kinds.rankings import case_columns
from evalcore.readers.table.table import Table
from evalcore.readers.trec.columns import QRELS, RANKS, RUN, LineFormat
from evalcore.readers.trec.trec import bare_form, looks_like, ranked_dataset, read_qrels, read_run, system_name
from evalcore.retrieval import Run

__all__ = ["Sample", "completed_rankings", "files_of", "read_files", "read_sample", "samples"]

_LINES = 20
_WITH, _AND = " with ", ", "
Kinds = Mapping[str, str | None]  # by the name of a file: "run", "judgments", or None for others
Half = Table[rankings.RankingRoles]  # a run or judgments in a table, with an empty column for the other half


def read_files(files: Mapping[str, bytes], keys: Keys = None) -> DataSet:
    """Read files that were opened together, by name: one table, several with the same ids, or runs and judgments.

    Tables are joined as by `join_tables`, which takes the columns of ids; runs and judgments are in TREC's formats or
    tables. Texts and images of their documents or queries may be among the files, as for `add_faces`. A zip archive of
    several tables stands for these. Pictures alone are masks, the actual and the predicted ones told apart by their
    names, which are paired as by `read_masks`.

    Raises HalfMissing when there are only runs or only judgments, KeysNeeded when tables have no columns of ids that
    are alike, and ReadProblem when the files do not fit together or one of them cannot be read.

    >>> data = read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"})
    >>> data.kind, data.systems, data.name
    ('run + judgments', ('mine',), 'qrels.txt with mine.run')
    """
    with within_memory(next(iter(files), "")):
        if files and are_masks(files):
            return masks_together(files)
        return read_within_limits(read_together, files, MAX_ROWS, MAX_BYTES, keys)


def read_together(files: Mapping[str, bytes], max_rows: int, max_bytes: int, keys: Keys = None) -> DataSet:
    """`read_files` within limits of rows and unpacked bytes."""
    files, findings = opened_archives(files, max_bytes)
    return with_findings(_read_together(files, max_rows, max_bytes, keys), findings)


def _read_together(files: Mapping[str, bytes], max_rows: int, max_bytes: int, keys: Keys) -> DataSet:
    several = len(files) > 1
    kinds = {name: _kind(files[name], name, alone=not several) for name in files}
    bare = _bare_forms(files, kinds, max_bytes)
    kinds |= {name: form.what for name, form in bare.items()}
    aside = [name for name, kind in kinds.items() if kind is None and several and is_face_file(files[name])]
    others = [name for name, kind in kinds.items() if kind is None and name not in aside]
    tables = {name: _table(files, name, max_rows, max_bytes) for name in others}
    halves: dict[str, Half] = {}
    for name, table in tables.items():
        half = _half_of(table) if several or _is_nothing_else(table) else None
        if half is not None:
            kinds[name], halves[name] = half
    whole = [name for name, table in tables.items() if table.kind == "run + judgments" and name not in halves]
    if not whole and not any(kinds.values()):  # no rankings, which alone have texts and images beside them
        tables = {name: tables.get(name) or _table(files, name, max_rows, max_bytes) for name in files}
        aside = []
    texts = [name for name in tables if name not in (*halves, *whole) and may_be_faces(tables[name].frame)]
    if whole and not any(kinds.values()) and len(whole) + len(aside) + len(texts) == len(files) and len(whole) == 1:
        ranked, given = tables[whole[0]], []
    elif not any(kinds.values()):
        return join_tables(list(tables.values()), keys, _digest(files)) if several else next(iter(tables.values()))
    else:
        if unsuitable := [table for name, table in tables.items() if name not in (*halves, *texts)]:
            raise ReadProblem(_unsuitable(unsuitable[0]))
        ranked, given = _ranked(files, kinds, halves, bare, max_bytes), list(halves.values())
    details = (table.roles.faces or case_columns(table.frame, table.roles.query) for table in given)
    if not aside and not texts and not any(details):
        return ranked
    frames = {name: tables[name].frame for name in texts}
    frames |= {name: face_frame(files, name, max_rows, max_bytes) for name in aside if not is_images(files[name])}
    return with_faces(ranked, frames, {name: files[name] for name in (*aside, *texts)}, _digest(files), given)


def _ranked(
    files: Mapping[str, bytes], kinds: Kinds, halves: Mapping[str, Half], bare: Mapping[str, LineFormat], max_bytes: int
) -> DataSet:
    """The data set of runs and their judgments."""
    runs = [name for name, kind in kinds.items() if kind == "run"]
    judged = [name for name, kind in kinds.items() if kind == "judgments"]
    if len(judged) > 1:
        raise ReadProblem(f"{listed(judged)} all hold judgments. Open one of them with its runs.")
    if not judged:
        are, them = ("is a run", "it") if len(runs) == 1 else ("are runs", "them")
        raise HalfMissing(f"{listed(runs)} {are}. Also open the judgments (qrels), now or with {them}.")
    if not runs:
        raise HalfMissing(f"{named(judged[0])} holds judgments. Also open a run, now or with it.")
    if (name := judged[0]) in halves:
        judgments = rankings.judgments(halves[name])
    else:
        judgments = read_qrels(files[name], name, max_bytes=max_bytes, form=bare.get(name, QRELS))
    states: dict[str, Run] = {}
    for name in runs:
        if name in halves:
            own = _runs_of(halves[name])
        else:
            own = {system_name(name): read_run(files[name], name, max_bytes=max_bytes, form=bare.get(name, RUN))}
        if clash := states.keys() & own:
            raise ReadProblem(f"Two runs are named {listed(clash)}. Give each file its own name.")
        states |= own
    name = f"{judged[0]}{_WITH}{_AND.join(runs)}"
    return ranked_dataset(judgments, states, name, _digest(files), Lines(1, "row"))


def completed_rankings(files: Mapping[str, bytes]) -> DataSet | None:
    """Build rankings from new files and those opened before; None if impossible. Judgments can look like any table."""
    try:
        dataset = read_files(files)
    except ReadProblem:
        return None
    return dataset if dataset.kind == "run + judgments" and not dataset.joined else None


def files_of(dataset: DataSet) -> tuple[str, ...] | None:
    """The files that rankings were read from, judgments first; None if it was a single table.

    >>> files_of(read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"}))
    ('qrels.txt', 'mine.run')
    """
    judged, together, runs = dataset.name.partition(_WITH)
    # A data set of several files begins with these columns and one per system; texts and images may follow.
    columns = ["query", "document", *dataset.systems, "grade"]
    whole = dataset.frame.columns[: len(columns)].tolist() == columns
    return (judged, *runs.split(_AND)) if together and whole else None


def _kind(data: bytes, name: str, alone: bool) -> str | None:
    """The TREC format of most lines of a file (alone, also of its first line), or None if it may be a table."""
    head = head_of(data)
    if (kind := looks_like(head)) is not None:
        return kind
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")][:_LINES]
    if not lines and not is_compressed(data):
        raise ReadProblem(f"{named(name)} is empty. Open a file with at least one line.")
    kinds = [looks_like(line) for line in lines[:-1] or lines]  # The last line may be cut off.
    if alone and kinds[:1] == [None]:
        return None
    return next((kind for kind in ("run", "judgments") if 2 * kinds.count(kind) > len(kinds)), None)


def _bare_forms(files: Mapping[str, bytes], kinds: Kinds, max_bytes: int) -> dict[str, LineFormat]:
    """Runs and judgments that name no columns, as of MS MARCO; judgments only beside a run of one of their queries."""
    forms = {name: form for name, kind in kinds.items() if kind is None and (form := bare_form(head_of(files[name])))}
    runs = {name: form for name, form in forms.items() if form is RANKS}
    if "judgments" in kinds.values() or len(kinds) == 1:
        return runs
    every = runs | {name: RUN for name, kind in kinds.items() if kind == "run"}
    others = [name for name in forms if name not in runs]
    if not every or len(others) != 1:
        return {}
    judged = read_qrels(files[others[0]], others[0], max_bytes=max_bytes, form=forms[others[0]]).queries
    for name, form in every.items():
        if not {*judged}.isdisjoint(read_run(files[name], name, max_bytes=max_bytes, form=form).queries):
            return forms
    return {}


def _table(files: Mapping[str, bytes], name: str, max_rows: int, max_bytes: int) -> DataSet:
    """Read a table. If the name or a Q0 says that it is a run or judgments, report the error of those."""
    try:
        return table_among(files, max_rows, max_bytes, name)
    except TooLarge:
        raise
    except ReadProblem:
        endings = {suffix.casefold() for suffix in PurePath(name).suffixes}
        if endings & {".run", ".trec"} or head_of(files[name]).upper().split()[1:2] == [b"Q0"]:
            read_run(files[name], name, max_bytes=max_bytes)
        elif endings & {".qrels", ".qrel"}:
            read_qrels(files[name], name, max_bytes=max_bytes)
        raise


def _is_nothing_else(table: DataSet) -> bool:
    """Whether no kind fits a table except one that would take its queries or documents for the truth."""
    actual = table.roles.get("actual")
    return table.kind == "unknown" or (actual is not None and names.simple(actual) in names.QUERY | names.DOCUMENT)


def _half_of(table: Table[Any]) -> tuple[str, Half] | None:
    """The half in a table, "run" or "judgments", and the table with an empty column for the other; else None."""
    table = _with_named_grades(table)
    columns = table.frame.columns
    has_grades = any(names.simple(name) in names.GRADE for name in columns)
    has_ranking = any(names.is_score(name) or names.simple(name) in names.RANK for name in columns)
    half, missing = ("judgments", "score") if has_grades else ("run", "grade")
    if (has_grades and has_ranking) or missing in columns:
        return None
    # With a column for the missing half, it is recognised like any table of judged rankings.
    frame = pd.concat([table.frame, pd.Series(0.0, table.frame.index, name=missing)], axis=1)
    parts = rankings.recognise(Columns(frame))
    roles = rankings.RankingRoles(**parts) if parts else None
    return None if roles is None else (half, Table(frame, roles, table.name, table.lines, table.digest))


def _with_named_grades(table: Table[Any]) -> Table[Any]:
    """Rename the grades of a BEIR data set, which calls them scores."""
    simple = {names.simple(name): name for name in table.frame.columns}
    if set(simple) != {"query_id", "corpus_id", "score"} or table.frame[simple["score"]].dtype.kind not in "iu":
        return table
    return replace(table, frame=table.frame.rename(columns={simple["score"]: "grade"}))


def _runs_of(table: Half) -> dict[str, Run]:
    """The runs of a table without grades, by system. A single unnamed system is named after the file."""
    systems = rankings.systems(table)
    if len(systems) == MOST_SYSTEMS:
        raise ReadProblem(f"{named(table.name)} names {MOST_SYSTEMS} systems or more. Open fewer of them together.")
    if not systems:
        raise ReadProblem("No row names a system, so there is no run. Fill in the column of systems.")
    if len(systems) == 1 and table.roles.system is None:
        return {system_name(table.name): rankings.run(table)}
    return {system: rankings.run(table, system) for system in systems}


def _unsuitable(table: DataSet) -> str:
    if table.kind == "run + judgments":
        return f"{named(table.name)} already holds a run and its grades. Open it on its own."
    doubts = " ".join(finding.sentence for finding in table.findings if finding.level != "info")
    sentence = f"{named(table.name)} is neither a run (query Q0 document rank score tag), nor judgments (query "
    sentence += "iteration document grade), nor a table with these columns. Open other tables without runs and "
    sentence += "judgments. "
    return (sentence + doubts).rstrip()


def _digest(files: Mapping[str, bytes]) -> str:
    return digest_of((PurePath(name).name, files[name]) for name in sorted(files))


# Installed, the samples lie inside the package; in a checkout, beside it.
FOLDER = next(folder for above in Path(__file__).resolve().parents[1:] if (folder := above / "sample_data").is_dir())


@dataclass(frozen=True)
class Sample:
    """A sample: its short name in links, its file, the question it answers, and the words for its classes and rows.

    `kind` is what it opens as, `positive` the text of its positive label, `unit` what its rows are ("people", "rows"),
    and `settings` the parameters of its link, if its source uses others than the usual ones. The files of `faces` hold
    texts or images of its documents and queries. A sample that is not `offered` shows a trap of the page of challenges,
    and stands in no list of data to start with.
    """

    id: str
    file: str
    title: str
    question: str
    kind: str
    positive: str | None
    positive_word: str | None
    negative_word: str | None
    unit: str
    source: str
    settings: Mapping[str, str] = field(default_factory=dict)
    faces: tuple[str, ...] = ()
    offered: bool = True

    @property
    def path(self) -> Path:
        """The file itself."""
        return FOLDER / self.file


@cache
def samples() -> dict[str, Sample]:
    """All samples by id, in the order of the catalogue.

    >>> samples()["roc_20"].kind
    'scores'
    """
    by_id = {}
    for entry in json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8")):
        words = entry.pop("words")
        entry["faces"] = tuple(entry.get("faces", ()))
        by_id[entry["id"]] = Sample(**entry, positive_word=words["positive"], negative_word=words["negative"])
    return by_id


def read_sample(id: str) -> DataSet:
    """The data set of a sample, by an id of `samples()`. Raises ReadProblem if there is none.

    >>> float(read_sample("cancer_test").counts().tp)
    20.0
    """
    if id not in samples():
        raise ReadProblem(f"There is no sample {named(id)}. Choose one of {listed(samples(), 20)}.")
    sample = samples()[id]
    dataset = read_table(sample.path)
    if not sample.faces:
        return dataset
    # They belong to the sample, so nobody has to open them by their names.
    return replace(add_faces(dataset, {name: (FOLDER / name).read_bytes() for name in sample.faces}), face_files=())
