"""What the rows of a source belong to, in words."""

from evalcore.readers import DataSet, clusters_of
from evalcore.readers.column_names import case_words
from evalcore.wording import plain

FEW_CLUSTERS = 40
"""Fewer clusters are named with the t quantiles that widen intervals of so few."""


class ClusterWords:
    """The part of `Source` about rows that belong together."""

    dataset: DataSet

    @property
    def clusters(self) -> str:
        """Of what the rows are, in Markdown: " of 120 patients"; empty where each is on its own."""
        count = self._cluster_count
        return f" of {plain(case_words(self.dataset.roles.get('cluster'), count))}" if count else ""

    @property
    def _cluster_count(self) -> int:
        """How many clusters the rows are; 0 where each is on its own, also where weights alone make them clusters."""
        codes = None if self.dataset.roles.get("cluster") is None else clusters_of(self.dataset)
        return 0 if codes is None else int(codes.max(initial=-1)) + 1

    @property
    def cluster_words(self) -> str:
        """What the rows belong to, in Markdown without their number: "patients"; empty where each is on its own."""
        return self.clusters.removeprefix(" of").strip().partition(" ")[2]

    @property
    def units(self) -> str:
        """What is resampled, in Markdown: rows, or what they belong to."""
        return self.cluster_words or "rows"

    @property
    def few_clusters(self) -> str:
        """That there are few, with a comma before: ", with t quantiles on 30 patients"; empty where there are more."""
        few = 0 < self._cluster_count < FEW_CLUSTERS
        return f", with t quantiles on{self.clusters.removeprefix(' of')}" if few else ""
