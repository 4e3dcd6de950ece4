"""Source of an analysis: the open data set with its roles, and nouns for its rows and classes."""

from dataclasses import dataclass, replace
from functools import cached_property

from evalcore.analyses.data.script import reading_code
from evalcore.glossary import meaning_link
from evalcore.numeric import distinct
from evalcore.readers import CONCERNS, KINDS, DataSet, Finding, ReadProblem, Scale, label_systems, samples, text_of
from evalcore.readers.base.column_names import case_words
from evalcore.readers.table import WEIGHTS_ARE, Roles, clusters_of, counted_rows, line_counts, weighting
from evalcore.wording import count_text, is_word, number_text, one_line, plain, rows_text

__all__ = ["Source"]

FEW_CLUSTERS = 40  # fewer clusters are named with the t quantiles that widen intervals of so few


@dataclass(frozen=True, eq=False)
class Source:
    """A data set with a title and one of its systems chosen."""

    # Id of a sample or of a stored upload; what to call it, which comes from a file: escape it.
    id: str
    title: str
    # The table with its roles. Shared by all sessions: never change its frame.
    dataset: DataSet
    system: str | None  # the chosen one of `systems`; None where there is nothing to choose
    # Number of rows (or queries) and how many of them are actual positives; None without a positive class.
    rows: int
    positives: int | None
    detected_roles: Roles | None = None  # the roles without any that were chosen, where some were

    @classmethod
    def of(cls, dataset: DataSet, system: str | None = None, sample: str | None = None) -> "Source":
        """Source of a data set read in Python, by default with its first system; a sample gives words and code."""
        system = system or dataset.first_system
        dataset = dataset.with_class_of(system)
        title = dataset.shape.title or (samples()[sample].title if sample else dataset.name)
        return cls(sample or dataset.name, title, dataset, system, *dataset.tally(system))

    def of_system(self, system: str) -> "Source":
        """Return the source with another of its systems chosen."""
        dataset = self.dataset.with_class_of(system)
        rows, positives = dataset.tally(system)
        return replace(self, dataset=dataset, system=system, rows=rows, positives=positives)

    @property
    def kind(self) -> str:
        """Kind of table, as `DataSet.kind`."""
        return self.dataset.kind

    @property
    def scored_by(self) -> str | None:
        """Meaning of a score column: a "system", "class" or "label"; None without scores."""
        return KINDS[self.kind].system if "scored" in KINDS[self.kind].states else None

    @property
    def has_labels(self) -> bool:
        """Whether each row may have several labels."""
        return KINDS[self.kind].system == "label"

    @property
    def roles(self) -> Roles:
        """Roles of the columns."""
        return self.dataset.roles

    @property
    def frame(self):
        """The table as read."""
        return self.dataset.frame

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems that can be chosen: columns of scores, predictions or estimates, or rows of counts."""
        return self.dataset.systems if KINDS[self.kind].system == "system" else ()

    @cached_property
    def label_systems(self) -> dict[str, Roles]:
        """Roles of each of several systems that label the same rows; empty for a single system."""
        return label_systems(self.dataset)

    @property
    def label_system(self) -> str | None:
        """Name of the label system whose roles are open; None if none is."""
        return next((name for name, roles in self.label_systems.items() if roles == self.roles), None)

    @property
    def positive(self) -> object | None:
        """Value of the actual column that is the positive class; for multilabel rows, the chosen label."""
        return self.system if self.has_labels else self.roles.get("positive")

    @property
    def higher_is_positive(self) -> bool:
        """Whether higher scores indicate the positive class."""
        return self.roles.get("higher_is_positive", True)

    @property
    def unit(self) -> str:
        """Noun of a row: people, images, rows; queries for ranked lists."""
        one, several = KINDS[self.kind].unit
        if several == "rows":
            return samples()[self.id].unit if self.id in samples() else several
        return one if self.rows == 1 else several

    @property
    def cases(self) -> str:
        """Noun of several cases: people, images; "cases" if the unit of a row is unknown."""
        return samples()[self.id].unit if self.unit not in ("row", "rows") and self.id in samples() else "cases"

    @property
    def actual_in_rows(self) -> bool:
        """Whether a matrix shows actual classes in rows: as in the file, else of several classes, as textbooks do."""
        if self.kind != "counts":
            return len(self.dataset.unfiltered.labels) > 2  # no filter turns the matrix
        return self.dataset.is_matrix and self.roles.get("rows_are", "actual") == "actual"

    @property
    def labels(self) -> list:
        """Values of the actual column, the most frequent first, at most 500."""
        return self.dataset.labels

    @property
    def words(self) -> tuple[str, str] | None:
        """Names of the positive and the negative class, if known. May be unescaped text from a file."""
        sample = samples().get(self.id)
        if sample is not None and sample.positive_word and sample.positive in (None, text_of(self.positive)):
            return sample.positive_word, sample.negative_word or f"not {sample.positive_word}"
        return None if self.positive is None else self.class_names(None)

    def class_names(self, system: str | None) -> tuple[str, str]:
        """Names of the positive and the negative class of a system: from the sample's story, or the labels."""
        if self.has_labels:
            label = system or self.system or "positive"
            return label, f"not {label}"
        positive = text_of(dict(self.roles.get("probability", ())).get(system or "", self.positive)) or "positive"
        sample = samples().get(self.id)
        if sample is not None and sample.positive_word and positive in (sample.positive, "positive"):
            return sample.positive_word, sample.negative_word or f"not {sample.positive_word}"
        if self.roles.get("actual") is None:
            return positive, "negative"
        others = [text for text in map(text_of, self.labels) if text != positive]
        return positive, others[0] if len(others) == 1 else f"not {positive}"

    @property
    def facts(self) -> str:
        """Data set · system · positive = x · n rows, p positive · filtered from m rows: age 40–60 · weights."""
        parts = [plain(self.title), plain(self._named_system or "")]
        if self.positive is not None:
            parts.append(f"{'label' if self.has_labels else 'positive'} = {plain(text_of(self.positive))}")
        filters, every = ", ".join(plain(each, 160) for each in self.dataset.shape.filters), self.dataset.unfiltered
        every = self.dataset.unshaped if every.shape.filters else every
        filtered = f"filtered from {rows_text(counted_rows(every))}: {filters}" if filters else ""
        return " · ".join(filter(None, [*parts, self.size, filtered, self.weights_text]))

    @property
    def _named_system(self) -> str | None:
        """Name of the open system where there are several."""
        return self.label_system or (self.system if len(self.systems) > 1 else None)

    def context(self, threshold: str = "") -> str:
        """Subtitle of a figure: data set · system · threshold · filters; one line of plain text."""
        positive = one_line(self.words[0], 40) if self.words else "positive"
        rule = f"{positive} when score {threshold}" if threshold else ""
        filters = ", ".join(one_line(each, 80) for each in self.dataset.shape.filters)
        filtered = f"filtered: {filters}" if filters else ""
        return " · ".join(filter(None, [one_line(self.title), one_line(self._named_system or ""), rule, filtered]))

    @property
    def scale(self) -> Scale | None:
        """Step that turned the scores of the open system into probabilities, if any."""
        steps = reversed(self.dataset.shape.steps)
        return next((step for step in steps if isinstance(step, Scale) and self.system in step.columns), None)

    @property
    def size(self) -> str:
        """Number of rows and of positives, in Markdown: "2 030 people, 30 ill"; "400 rows, 221 positive (1)"."""
        every = counted_rows(self.dataset) if KINDS[self.kind].unit[1] == "rows" else self.rows
        of = f" of {count_text(every)}" if self.rows < every else ""
        rows = f"{count_text(self.rows)}{of} {plain(self.unit)}{self.clusters}"
        if self.positives is None:
            return rows
        word = self.words[0] if self.words else "positive"
        positive = plain(word, limit=30) if is_word(word) else f"positive ({plain(word, limit=30)})"
        return f"{rows}, {count_text(self.positives)} {positive}"

    @property
    def warning_count(self) -> str:
        """Number of findings that make numbers doubtful or wrong: "2 warnings"; empty for none."""
        count = len(self.warnings)
        return f"{count_text(count)} {'warning' if count == 1 else 'warnings'}" if count else ""

    def warning_lines(self, page: str, most: int = 2) -> list[str]:
        """The first warnings about the system and a page ("section/name") as Markdown links, and a count of others."""
        others = set() if page.endswith("/compare") else {*self.systems} - {self.system}
        concerning = [one for one in self.warnings if page in CONCERNS.get(one.code, ()) and one.column not in others]
        lines = [plain(one.sentence, limit=300) + meaning_link(one.code) for one in concerning[:most]]
        if (more := len(concerning) - most) > 0:
            lines[-1] += f" {count_text(more)} more {'warning changes' if more == 1 else 'warnings change'} this page."
        return lines

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings about the table; those that it would not have without its filters say so."""
        of_all_rows = {(one.code, one.column) for one in self.dataset.unfiltered.findings}
        marked = lambda one: replace(one, sentence=f"Only in the filtered rows: {one.sentence}", by_filter=True)  # noqa: E731
        return [one if (one.code, one.column) in of_all_rows else marked(one) for one in self.dataset.findings]

    @property
    def warnings(self) -> list[Finding]:
        """The findings that make numbers doubtful or wrong."""
        return [finding for finding in self.findings if finding.level != "info"]

    @property
    def clusters(self) -> str:
        """Number of clusters of the rows, in Markdown: " of 120 patients"; empty without clusters."""
        return self.clusters_of(self._cluster_count)

    def clusters_of(self, count: int) -> str:
        """A number of clusters with their noun, in Markdown: " of 120 patients"; empty for 0."""
        return f" of {plain(case_words(self.roles.get('cluster'), count))}" if count else ""

    @property
    def _cluster_count(self) -> int:
        """Number of clusters; 0 without clusters, also if only weights make them."""
        if self.roles.get("cluster") is not None and "query_clusters" in KINDS[self.dataset.kind].states:
            try:
                return len(set(self.dataset.state("query_clusters").values()))
            except ReadProblem:  # a finding says why
                return 0
        if self.roles.get("cluster") is None or (codes := clusters_of(self.dataset)) is None:
            return 0
        counts = line_counts(self.dataset)
        return len(distinct(codes if counts is None else codes[counts > 0]))  # a case of no rows is none

    def whole_clusters(self, count: int | None = None) -> str:
        """Note that intervals and tests take whole clusters, after a blank; by default all of them, empty for none."""
        count = self._cluster_count if count is None else count
        words = self.clusters_of(count).removeprefix(" of")
        if count == 1:
            return f" All belong to{words}, so there are no intervals or tests."
        of = ", with t quantiles on" if count < FEW_CLUSTERS else ":"
        return f" Intervals and tests take whole clusters{of}{words}." if words else ""

    @property
    def cluster_words(self) -> str:
        """Noun of the clusters in Markdown: "patients"; empty without clusters."""
        return self.clusters.removeprefix(" of").strip().partition(" ")[2]

    @property
    def area_method(self) -> str:
        """Name of the variance estimator for areas under ROC curves, in Markdown."""
        return f"Obuchowski (whole {self.cluster_words})" if self.cluster_words else "DeLong"

    @property
    def units(self) -> str:
        """Noun of the units that are resampled, in Markdown: the clusters, else "rows"."""
        return self.cluster_words or "rows"

    @property
    def few_clusters(self) -> str:
        """Note on few clusters: ", with t quantiles on 30 patients"; empty if there are enough."""
        few = 1 < self._cluster_count < FEW_CLUSTERS
        return f", with t quantiles on{self.clusters.removeprefix(' of')}" if few else ""

    @property
    def weights_text(self) -> str:
        """Kind, sum and effective size of the weights, in Markdown; empty without weights."""
        if (weights := weighting(self.dataset)) is None or self.counts_rows:
            return ""
        effective = "" if weights.are == "counts" else f", effective n {number_text(weights.effective)}"
        numbers = f"{WEIGHTS_ARE[weights.are]}: sum {count_text(weights.total)}{effective}"
        return f"weighted by {plain(self.roles.get('weight'), 30)} ({numbers})"

    @property
    def counts_rows(self) -> bool:
        """Whether the weights are row counts of a table that is not loaded, which nobody chose."""
        unloaded = self.dataset.unloaded
        return unloaded is not None and self.dataset.is_counted and "~~weight~" not in unloaded.roles

    @property
    def lines_note(self) -> str:
        """Note on the lines of an open table that are counts, in Markdown after a blank; else empty."""
        if not self.dataset.is_counted:
            return ""
        weight, weights = self.roles.get("weight"), weighting(self.dataset)
        if weights is not None and weights.are == "importance":
            return f" The table was counted and not loaded: {plain(weight, 30)} adds up the weights of its rows."
        many = "one row" if weight is None else f"as many rows as {plain(weight, 30)} says"
        return f" The table was counted and not loaded: each line here stands for {many}."

    @property
    def not_counted(self) -> int:
        """Number of rows left out when a table that is not loaded was counted; else 0."""
        return self.dataset.unloaded.left_out if self.dataset.unloaded is not None and self.counts_rows else 0

    @property
    def rows_note(self) -> str:
        """Note on weighted or clustered rows and their intervals, in Markdown after a blank; else empty."""
        if (weights := weighting(self.dataset)) is None or self.counts_rows:
            return self.whole_clusters()
        does = ": counts are sums of weights; intervals and tests rest on the effective number of rows."
        does = "; intervals treat weights as row counts." if weights.are == "counts" else does
        return f" Rows are weighted by {plain(self.roles.get('weight'), 30)}{does}{self.whole_clusters()}"

    @property
    def key(self) -> str:
        """Cache key of results for this data set, roles and system."""
        return self.key_of(self.system)

    def key_of(self, system: str | None) -> str:
        """Cache key of the source with the given system chosen."""
        return "\n".join((self.id, self.dataset.digest, self.roles.to_text(), system or ""))

    @property
    def code(self) -> str:
        """Python that reads the data set into ``data``, with the roles that were chosen."""
        return reading_code(self.id, self.dataset, self.detected_roles)


def left_out_text(rows: int, what: str = "score") -> str:
    """Sentence on rows without a label or a score, after a blank; empty if there are none."""
    return f" {rows_text(rows)} without a label or a {what} {'is' if rows == 1 else 'are'} left out." if rows else ""
