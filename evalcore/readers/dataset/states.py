"""The states that a data set gives, each built once from its table and its roles."""

from __future__ import annotations

from typing import Any

from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    LabelScores,
    LabelSets,
    ProbabilityTable,
    ScoredLabels,
)
from evalcore.estimation import Estimates
from evalcore.readers.base.problems import ReadProblem
from evalcore.readers.kinds import (
    KINDS,
    EstimateArrays,
    LabelArrays,
    LabelScoreRows,
    LabelSetRows,
    ProbabilityArrays,
    ProbabilityRows,
)
from evalcore.readers.pictures.faces import Faces
from evalcore.readers.table.rows import ScoredArrays
from evalcore.readers.table.table import Roles, Table
from evalcore.retrieval import Judgments, Run

__all__: list[str] = []


class States(Table[Roles]):
    """The states of a table; which of them there are depends on its kind."""

    def scored(self, system: str | None = None) -> ScoredLabels:
        """The sorted scores of one system, without the rows that `left_out` counts.

        With more than two labels, it is the positive class against the rest; for a probability column, its own class
        is positive. Built once and shared.

        Raises
        ------
        ReadProblem
            If there is no such column, no positive class among several, or a negative weight.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> frame = pd.DataFrame({"actual": ["ill", "well", "ill"], "score": [0.9, 0.2, None]})
        >>> data = DataSet.of(frame)
        >>> data.scored().positives, data.scored().negatives, data.left_out()
        (1.0, 1.0, 1)
        """
        return self.state("scored", system)

    def matrix(self, system: str | None = None) -> ConfusionMatrix:
        """The confusion matrix of one system: its labels counted, or the counts of the file.

        Four counts make a matrix of the classes "positive" and "negative".

        Raises
        ------
        ReadProblem
            If there is no such system, more than 1,000 classes, a negative weight or a bad count.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> DataSet.of(pd.DataFrame({"actual": ["a", "b", "b"], "predicted": ["a", "a", "b"]})).matrix().counts.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        return self.state("matrix", system)

    def counts(self, system: str | None = None) -> ConfusionCounts:
        """TP, FP, FN and TN of one row of counts, shape ().

        Raises
        ------
        ReadProblem
            If the data set holds no such row, or a count is negative or infinite.
        """
        return self.state("counts", system)

    def probabilities(self, normalised: bool = False) -> ProbabilityTable:
        """The class probabilities of the rows that have them and whose class has a column.

        Normalised, each row is divided by its sum.

        Raises
        ------
        ReadProblem
            If there are no such columns or rows, a number is no probability, or (as `NotSummed`) rows do not add up
            to 1.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> frame = pd.DataFrame({"actual": ["a", "b"], "p_a": [0.75, 0.5], "p_b": [0.25, 0.5]})
        >>> DataSet.of(frame).probabilities().probabilities.tolist()
        [[0.75, 0.25], [0.5, 0.5]]
        """
        return self.state("probabilities", normalised)

    def judgments(self) -> Judgments:
        """The grades of the judged documents. A grade that several systems repeat counts once.

        Raises
        ------
        ReadProblem
            If the data set holds no judgments, or a document has two grades for one query.
        ValueError
            If an id is empty.
        """
        return self.state("judgments")

    def run(self, system: str | None = None) -> Run:
        """Return the run of one system. Rows without a score (or rank) are not part of it.

        Ranks, and scores of which lower is better, are negated, because the highest score comes first in a run.

        Raises
        ------
        ReadProblem
            If there is no such system, or it retrieved a document twice for one query.
        ValueError
            If an id is empty.
        """
        return self.state("run", system)

    def document_faces(self) -> Faces:
        """Titles, texts, addresses and images of the documents, where the data set has any.

        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> frame = pd.DataFrame({"query": ["q"], "document": ["d"], "grade": [1], "rank": [1], "title": ["A cat"]})
        >>> DataSet.of(frame).document_faces().among(["d"])[0].title
        'A cat'
        """
        return self.state("document_faces")

    def query_faces(self) -> Faces:
        """Return the texts and images of the queries."""
        return self.state("query_faces")

    def left_out(self, system: str | None = None) -> int:
        """Number of rows that lack a label, a score or a weight, and so are left out for a system.

        Without a system, class probabilities count the rows that lack any column.
        """
        return self.state("left_out", system) if "left_out" in KINDS[self.kind].states else 0

    def scored_arrays(self, system: str | None = None) -> ScoredArrays:
        """Labels (true for the positive class) and scores row by row, as in the file; see `scored`."""
        return self.state("scored_arrays", system)

    def label_arrays(self, system: str | None = None) -> LabelArrays:
        """Actual and predicted labels of one system row by row, as places in its classes; see `matrix`."""
        return self.state("label_arrays", system)

    def probability_arrays(self) -> ProbabilityArrays:
        """Actual labels and class probabilities row by row, as in the file; see `probabilities`."""
        return self.state("probability_arrays")

    def probability_rows(self, normalised: bool = False) -> ProbabilityRows:
        """The table of `probabilities` with the rows it is made of, and how many are left out, or were divided."""
        return self.state("probability_rows", normalised)

    def estimate_arrays(self, system: str | None = None) -> EstimateArrays:
        """True and estimated numbers of one system, without the rows where either is missing or infinite."""
        return self.state("estimate_arrays", system)

    def estimates(self, system: str | None = None) -> Estimates:
        """The true and estimated numbers of one system, without the rows that `left_out` counts.

        Raises
        ------
        ReadProblem
            If there is no such column, or a weight is negative.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> data = DataSet.of(pd.DataFrame({"truth": [1.5, 2.5, 4.5], "estimate": [2.0, None, 4.0]}))
        >>> data.estimates().error.tolist(), data.left_out()
        ([0.5, -0.5], 1)
        """
        return self.state("estimates", system)

    def label_sets(self) -> LabelSets:
        """The true and the predicted labels of the rows, where each may have several.

        Raises
        ------
        ReadProblem
            If there are no such columns, more than 2,000 labels, or a column of one label holds more than 0 and 1.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> frame = pd.DataFrame({"labels": ["a|c", "b", "a|b"], "predicted": ["a", "b|a", "b|a"]})
        >>> DataSet.of(frame).label_sets().one_vs_rest().tp.tolist()
        [2.0, 2.0, 0.0]
        """
        return self.state("label_sets")

    def label_scores(self) -> LabelScores:
        """The true labels of the rows and a score for each label; raises ReadProblem as `label_sets`.

        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> frame = pd.DataFrame({"y_a": [1, 0], "y_b": [1, 1], "score_a": [0.9, 0.2], "score_b": [0.4, 0.7]})
        >>> DataSet.of(frame).label_scores().at(0.5).one_vs_rest().fn.tolist()
        [0.0, 1.0]
        """
        return self.state("label_scores")

    def label_rows(self) -> LabelSetRows | LabelScoreRows:
        """The rows that `label_sets` or `label_scores` is made of."""
        return self.state("label_rows")

    def state(self, name: str, *chosen: str | bool | None) -> Any:
        """Return a state by its name in the table of the kind, for the chosen system, class or label.

        The methods here name those that other packages ask for; a new kind needs none.

        Raises
        ------
        ReadProblem
            If this kind of table has no such state.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalcore.readers import DataSet
        >>> DataSet.of(pd.DataFrame({"actual": ["a", "b"], "predicted": ["a", "a"]})).state("left_out")
        0
        """
        kind = KINDS[self.kind]
        if name not in kind.states:
            raise ReadProblem(f"{name}() needs other columns; this data set holds {kind.title}. Choose other roles.")
        return kind.states[name](self, *chosen)
