"""The data set: a table with its roles, kind, findings and states, each built once; and its form as an Arrow table."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from evalcore import classification
from evalcore.estimation import Estimates
from evalcore.readers import kinds
from evalcore.readers.base import Columns, Faces, ReadProblem, named, text_of
from evalcore.readers.base.problems import Finding, Lines, Origin, worst_first
from evalcore.readers.dataset import assignment
from evalcore.readers.dataset.shape import Shape, Unloaded, apply_shape
from evalcore.readers.table.table import Roles, Rows, ScoredArrays, Table, counted_rows
from evalcore.retrieval import Judgments, Run
from evalcore.wording import Cell, Row, html_table, one_line, rows_text

__all__ = ["DataSet"]


class States(Table[Roles]):
    """The states of a table; which of them there are depends on its kind."""

    def scored(self, system: str | None = None) -> classification.ScoredLabels:
        """The sorted scores of one system, without the rows that `left_out` counts. Built once and shared.

        The positive class is against the rest; a probability column's own class is positive. Raises ReadProblem if
        there is no such column, no positive class among several, or a negative weight.

        >>> frame = pd.DataFrame({"actual": ["ill", "well", "ill"], "score": [0.9, 0.2, None]})
        >>> data = DataSet.of(frame)
        >>> data.scored().positives, data.scored().negatives, data.left_out()
        (1.0, 1.0, 1)
        """
        return self.state("scored", system)

    def matrix(self, system: str | None = None) -> classification.ConfusionMatrix:
        """The confusion matrix of one system: its labels counted, or the counts of the file.

        Four counts make a matrix of the classes "positive" and "negative". Raises ReadProblem if there is no such
        system, more than 1,000 classes, a negative weight or a bad count.
        """
        return self.state("matrix", system)

    def counts(self, system: str | None = None) -> classification.ConfusionCounts:
        """TP, FP, FN and TN of one row of counts, shape (). Raises ReadProblem for a bad count."""
        return self.state("counts", system)

    def probabilities(self, normalised: bool = False) -> classification.ProbabilityTable:
        """The class probabilities of the rows that have them and whose class has a column.

        Normalised, each row is divided by its sum. Raises ReadProblem if there are no such columns or rows, a number is
        no probability, or (as `NotSummed`) rows do not add up to 1.
        """
        return self.state("probabilities", normalised)

    def judgments(self) -> Judgments:
        """The grades of the judged documents, once each. Raises ReadProblem where a document has two for one query."""
        return self.state("judgments")

    def run(self, system: str | None = None) -> Run:
        """The run of one system. Rows without a score (or rank) are not part of it.

        Ranks, and scores of which lower is better, are negated, because the highest score comes first in a run. Raises
        ReadProblem if there is no such system, or it retrieved a document twice for one query.
        """
        return self.state("run", system)

    def document_faces(self) -> Faces:
        """Titles, texts, addresses and images of the documents, where the data set has any."""
        return self.state("document_faces")

    def query_faces(self) -> Faces:
        """Texts and images of the queries."""
        return self.state("query_faces")

    def left_out(self, system: str | None = None) -> int:
        """Number of rows without a label, score or weight; without a system, without any class probability."""
        return self.state("left_out", system) if "left_out" in kinds.KINDS[self.kind].states else 0

    def scored_arrays(self, system: str | None = None) -> ScoredArrays:
        """Labels (true for the positive class) and scores row by row, as in the file; see `scored`."""
        return self.state("scored_arrays", system)

    def label_arrays(self, system: str | None = None) -> kinds.LabelArrays:
        """Actual and predicted labels of one system row by row, as places in its classes; see `matrix`."""
        return self.state("label_arrays", system)

    def probability_arrays(self) -> kinds.ProbabilityArrays:
        """Actual labels and class probabilities row by row, as in the file; see `probabilities`."""
        return self.state("probability_arrays")

    def probability_rows(self, normalised: bool = False) -> kinds.ProbabilityRows:
        """The table of `probabilities` with the rows it is made of, and how many are left out, or were divided."""
        return self.state("probability_rows", normalised)

    def estimate_rows(self, system: str | None = None) -> Rows:
        """The rows of `estimates`: those where neither number is missing or infinite."""
        return self.state("estimate_rows", system)

    def estimates(self, system: str | None = None) -> Estimates:
        """The true and estimated numbers of one system, without the rows that `left_out` counts."""
        return self.state("estimates", system)

    def label_sets(self) -> classification.LabelSets:
        """The true and the predicted labels of the rows, where each may have several.

        Raises ReadProblem if there are no such columns, more than 2,000 labels, or a column of one label holds more
        than 0 and 1.
        """
        return self.state("label_sets")

    def label_scores(self) -> classification.LabelScores:
        """The true labels of the rows and a score for each label; raises ReadProblem as `label_sets`."""
        return self.state("label_scores")

    def label_rows(self) -> kinds.LabelSetRows | kinds.LabelScoreRows:
        """The rows that `label_sets` or `label_scores` is made of."""
        return self.state("label_rows")

    def state(self, name: str, *chosen: str | bool | None) -> Any:
        """A state by its name in the table of the kind, for a system, class or label; raises ReadProblem without it."""
        kind = kinds.KINDS[self.kind]
        if name not in kind.states:
            raise ReadProblem(f"This needs other columns; the data set holds {kind.title}. Choose other roles.")
        return kind.states[name](self, *chosen)


@dataclass(frozen=True, eq=False, repr=False)
class DataSet(States):
    """A table with its findings, which gives the states that measures need, by default of the first of `systems`.

    The name comes from a file: escape it, and never use it as a path. Findings have the worst first; `read_findings`
    stay when the roles change. The `shape` has the steps that made this table of that of the `file`; `notes` say what
    each did. `joined` are the files of a joined table, each with its `JoinKey`, the truth first, `joined_with` the
    file, argument of `read_table` and its value, where a sheet or header was chosen, `face_files` those that
    `add_faces` has added. `unloaded` tells where the table lies, if the frame holds only its first rows, or the counts
    of all.

    >>> frame = pd.DataFrame({"actual": ["ill", "well"], "score": [0.9, 0.2]})
    >>> DataSet.of(frame).kind
    'scores'
    """

    findings: tuple[Finding, ...] = ()
    read_findings: tuple[Finding, ...] = ()
    shape: Shape = Shape()  # noqa: RUF009
    notes: tuple[str, ...] = ()
    file: "DataSet | None" = None
    joined: tuple[tuple[tuple[str, tuple[tuple[str, ...], tuple[str, ...]]], ...], ...] = ()
    joined_with: tuple[tuple[str, str, str | int], ...] = ()
    face_files: tuple[str, ...] = ()
    unloaded: Unloaded | None = None

    def __repr__(self) -> str:
        return "\n".join(f"{head}: {text}" if head else text for head, text in self._card)

    def _repr_html_(self) -> str:
        return html_table([], [Row([Cell(one_line(head, 60)), Cell(one_line(text, 400))]) for head, text in self._card])

    @property
    def _card(self) -> list[tuple[str, str]]:
        """What was read, as lines with their heads: kind and size, roles, findings."""
        kind = kinds.KINDS[self.kind]
        lines = [(self.name, f"{kind.title}, {rows_text(len(self))}")]
        for name, value in self.roles.parts.items():
            columns = (kind.parts[name].columns(value) if name in kind.parts else []) or [value]
            lines.append((name.replace("_", " "), ", ".join(map(text_of, columns))))
        return lines + [(finding.level, finding.sentence) for finding in self.findings]

    @classmethod
    def of(
        cls, frame: pd.DataFrame, name: str = "table", *, roles: Roles | None = None, digest: str = "",
        lines: Lines = Lines(), read_findings: tuple[Finding, ...] = (), is_whole: bool = True,  # noqa: B008
    ) -> "DataSet":  # fmt: skip
        """A data set with the given or the recognized roles, and its findings.

        Where it is not whole, the frame has the first rows of a table, and the positive label may come later. Raises
        ReadProblem if two columns have the same name, or given roles do not fit the table.
        """
        if not frame.columns.is_unique:
            twice = frame.columns[frame.columns.duplicated()][0]
            raise ReadProblem(f"Two columns are named {named(twice)}. Give each column its own name.")
        columns = Columns(frame)
        if roles is None:
            roles = assignment.recognise(columns)
            recognised = assignment.recognition_findings(columns, roles, lines)
        else:
            assignment.check_roles(roles, frame, lines, is_whole)
            recognised = [*assignment.open_findings(roles, len(frame))]
        table = Table(frame, roles, name, lines, digest)
        findings = [finding for look in kinds.KINDS[roles.kind].findings for finding in look(table, columns)]
        # logits that make one score together are not offered as a probability each
        logits = {finding.column for finding in recognised if finding.code == "logits"}
        findings = [finding for finding in findings if finding.code != "scale" or finding.column not in logits]
        findings = worst_first([*read_findings, *recognised, *findings])
        return cls(frame, roles, name, lines, table.digest, findings, read_findings)

    def with_roles(self, roles: Roles | str) -> "DataSet":
        """Return this table with other roles, or their text (see `Roles.to_text`), and the findings that follow."""
        if isinstance(roles, str):
            roles = assignment.read_roles(roles, self.frame, self.is_whole)
        if repr(roles) == repr(self.roles):  # 1 and True are equal, and different labels
            return self
        more = {"digest": self.digest, "lines": self.lines, "read_findings": self.read_findings}
        findings = DataSet.of(self.frame, self.name, roles=roles, is_whole=self.is_whole, **more).findings
        return replace(self, roles=roles, findings=self.unshaped.findings if self.is_counted else findings)

    @property
    def steps_text(self) -> str:
        """The steps with their effects, as plain text: "Rows with age ≥ 50 (30 of 60 rows)"."""
        pairs = zip(self.shape.steps, self.notes, strict=True)
        return "; ".join(f"{step.sentence} ({note})" if note else step.sentence for step, note in pairs)

    @property
    def unshaped(self) -> "DataSet":
        """The data set as its file was read."""
        return self.file or self

    @property
    def unfiltered(self) -> "DataSet":
        """The data set with all rows in these roles; itself if it has no filter, or other steps or roles need one."""
        if not self.shape.filters:
            return self
        shape, roles = self.shape.unfiltered, self.roles

        def build() -> "DataSet | None":
            try:
                rows = self.shaped(shape)
                return rows if rows.roles == roles else rows.with_roles(roles.to_text())
            except ReadProblem:
                return None

        # Kept with the file, so that every filter finds it.
        every = self.unshaped.once(f"unfiltered\n{shape.to_text()}\n{roles.to_text()}", None, build)
        return self if every is None else every

    def shaped(self, shape: Shape | str) -> "DataSet":
        """The table of `unshaped` after some steps (or their text, as `Shape.to_text` writes it), with the roles after.

        Rows keep the numbers of the file. Raises ReadProblem if a step cannot be read, or does not fit the table.

        >>> frame = pd.DataFrame({"actual": ["ill", "well", "ILL"], "score": [0.9, 0.2, 0.4], "age": [50, 60, 70]})
        >>> data = DataSet.of(frame).shaped("merge~actual~ILL~ill~~range~age~55~*")
        >>> data.labels, data.notes, data.lines.at(1)
        (['well', 'ill'], ('1 cell', '2 of 3 rows'), 'line 4')
        """
        shape = Shape.from_text(shape) if isinstance(shape, str) else shape
        file = self.unshaped
        if not shape.steps:
            return file
        frame, after, lines, notes = apply_shape(shape, file)
        digest = hashlib.blake2b(f"{file.digest}\n{shape.to_text()}".encode(), digest_size=16).hexdigest()
        more = {"roles": after, "digest": digest, "lines": lines}
        read = tuple(one for one in file.read_findings if not any(map(shape.holds, one.answers)))
        shaped = DataSet.of(frame, shape.title or file.name, read_findings=read, **more)
        # Texts of documents are those of the whole file, whichever rows are left; so are roles that stay as recognized.
        kept = {"faces", *(assignment.RECOGNISED if (after, [*frame]) == (file.roles, [*file.frame]) else ())}
        of_file = [one for one in file.findings if one.code in kept]
        findings = worst_first([*(one for one in shaped.findings if one.code != "faces"), *of_file])
        # of a table that was counted, only the findings about all its rows
        findings = file.findings if self.is_counted else findings
        return replace(shaped, findings=findings, shape=shape, notes=notes, file=file, unloaded=file.unloaded)

    @property
    def is_counted(self) -> bool:
        """Whether its rows are counts of the rows of a table that is not loaded."""
        return self.unloaded is not None and self.unloaded.is_counted

    def rows_behind(self, lines: npt.NDArray[np.integer]) -> float:
        """Number of rows that some lines represent: their own, or the sum of weights that count rows."""
        if not self.is_counted or (weight := self.roles.get("weight")) is None:
            return float(counted_rows(self, np.isin(np.arange(len(self)), lines)))
        return float(self.frame[weight].to_numpy()[lines].sum())

    @property
    def is_whole(self) -> bool:
        """Whether it represents all rows of its table, one by one or counted, and not only the first."""
        return self.unloaded is None or self.is_counted or self.unloaded.rows == len(self.unshaped.frame)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems (or classes): columns, or rows of counts."""
        return kinds.KINDS[self.kind].systems(self)

    @property
    def first_system(self) -> str | None:
        """The system that opens: the column of probabilities of the positive class, else the first of all."""
        return next(iter(getattr(self.roles, "positive_of_column", None) or self.systems), None)

    def with_class_of(self, system: str | None) -> "DataSet":
        """Return this table with the class of a probability column as the positive one, if it has two such columns."""
        columns, open_now = dict(self.roles.get("probability", ())), text_of(self.roles.get("positive"))
        if len(columns) != 2 or columns.get(system, open_now) == open_now:
            return self
        positive = [label for label in self.labels if text_of(label) == columns[system]]
        return self.with_roles(replace(self.roles, positive=positive[0])) if positive else self

    def tally(self, system: str | None = None) -> tuple[int, int | None]:
        """Number of usable cases, and of actual positives; None where no class is positive, or it is not known."""
        if self.unloaded is not None and self.is_counted and self.roles.get("weights_are") == "importance":
            return len(self) if self.shape.filters else self.unloaded.rows, None
        return kinds.KINDS[self.kind].tally(self, system)

    @cached_property
    def labels(self) -> list:
        """The values of the true label, the most frequent first, at most 500."""
        if (actual := self.roles.get("actual")) is None:
            return []
        weight = self.roles.get("weight")
        if self.is_counted and weight is not None:
            rows = self.frame[weight].groupby(self.frame[actual], sort=False).sum()
            return rows.sort_values(ascending=False, kind="stable").index[:500].tolist()
        return self.value_counts(actual).index[:500].tolist()

    def value_counts(self, column: str) -> pd.Series:
        """Rows with each value of a column, the most frequent first."""
        return self.once(f"values\n{column}", None, self.frame[column].value_counts)

    @property
    def first_page(self) -> str:
        """The page on which it opens: the first that suits its kind, or the one that shows all of several classes."""
        if self.kind == kinds.UnknownRoles.kind:
            return "start/data"
        first = kinds.KINDS[self.kind].pages[0]
        classes = len(self.roles.get("counts", ())) if self.is_matrix else len(self.unfiltered.labels)
        return "classify/classes" if first == "classify/confusion" and classes > 2 else first

    @property
    def is_matrix(self) -> bool:
        """Whether it is a square confusion matrix."""
        return isinstance(self.roles, kinds.CountRoles) and self.roles.is_matrix(len(self))


_KEY = b"evalcore"


def table_of(dataset: DataSet, owner: str = "") -> pa.Table:
    """Convert a data set and the name of its owner to a table."""
    table = pa.Table.from_pandas(dataset.frame, preserve_index=False)
    # column names are in the description, where any text is safe
    table = table.rename_columns([f"c{index}" for index in range(table.num_columns)])
    lines, unloaded = dataset.lines, dataset.unloaded
    description = {name: getattr(dataset, name) for name in ("name", "digest", "joined", "joined_with", "face_files")}
    description["lines"] = {"first": lines.first, "word": lines.word}
    description |= {name: [*map(asdict, getattr(dataset, name))] for name in ("findings", "read_findings")}
    description |= {"owner": owner, "columns": list(dataset.frame.columns), "roles": dataset.roles.parts}
    description |= {"origin": lines.origin and asdict(lines.origin), "unloaded": unloaded and asdict(unloaded)}
    return table.replace_schema_metadata({_KEY: json.dumps(description).encode("ascii")})


def dataset_of(table: pa.Table) -> DataSet:
    """The data set of a table of `table_of`; any error means that the table is damaged."""
    description = description_of(table.schema.metadata)
    frame = table.replace_schema_metadata(None).to_pandas(split_blocks=True)
    frame.columns = pd.Index(description["columns"], dtype="str")
    if not frame.columns.is_unique or not all(dtype.kind in "bif" or dtype == "str" for dtype in frame.dtypes):
        raise ValueError("no table of ours")
    roles = {name: _as_tuples(value) for name, value in description["roles"].items()}
    # as those of a link, for a file too may have been edited
    given = assignment.read_roles(assignment.roles_of(**roles).to_text(), frame) if roles else assignment.roles_of()
    lines, unloaded = description["lines"], description.get("unloaded")
    lines = Lines(int(lines["first"]), str(lines["word"]), _origin(description.get("origin")))
    joined = tuple(
        tuple((str(name), (tuple(map(str, first)), tuple(map(str, other)))) for name, (first, other) in stage)
        for stage in description["joined"]
    )
    options = tuple(
        (str(file), str(option), value if isinstance(value, int) else str(value))
        for file, option, value in description["joined_with"]
    )
    more: dict[str, Any] = {name: _findings(description[name]) for name in ("findings", "read_findings")}
    more |= {"joined": joined, "joined_with": options, "face_files": tuple(map(str, description["face_files"]))}
    more["unloaded"] = Unloaded(**unloaded) if unloaded else None
    return DataSet(frame, given, description["name"], lines, description["digest"], **more)


def description_of(metadata: Mapping[bytes, bytes]) -> dict:
    """Read the description of a data set from an Arrow table's metadata; any error means that it is damaged."""
    description = {"owner": "", "joined": [], "joined_with": [], "face_files": []} | json.loads(metadata[_KEY])
    texts = [description["name"], description["owner"], description["digest"], *description["columns"]]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("no text")
    return description | {"kind": assignment.roles_of(**description["roles"]).kind}


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
    found = []
    for part in parts:
        # files of an earlier version lack some
        more: dict[str, Any] = {key: _text(part.get(key)) for key in ("action", "role", "other")}
        columns, sentence = tuple(map(str, part.get("columns", ()))), str(part["sentence"])
        about = part["level"], sentence, int(part["count"]), part["column"]
        found.append(Finding(*about, code=str(part.get("code", "")), columns=columns, **more))
    return tuple(found)
