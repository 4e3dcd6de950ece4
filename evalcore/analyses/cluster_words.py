"""What the rows or queries of a source belong to, in words."""

import numpy as np

from evalcore.readers import KINDS, DataSet, ReadProblem, clusters_of
from evalcore.readers.column_names import case_words
from evalcore.readers.weights import line_counts
from evalcore.wording import plain

FEW_CLUSTERS = 40
"""Fewer clusters are named with the t quantiles that widen intervals of so few."""


class ClusterWords:
    """The part of `Source` about rows that belong together."""

    dataset: DataSet

    @property
    def clusters(self) -> str:
        """Of what the rows are, in Markdown: " of 120 patients"; empty where each is on its own."""
        return self.clusters_of(self._cluster_count)

    def clusters_of(self, count: int) -> str:
        """The same of so many clusters; empty of none."""
        return f" of {plain(case_words(self.dataset.roles.get('cluster'), count))}" if count else ""

    @property
    def _cluster_count(self) -> int:
        """How many clusters the rows are; 0 where each is on its own, also where weights alone make them clusters."""
        if self.dataset.roles.get("cluster") is None:
            return 0
        if "query_clusters" in KINDS[self.dataset.kind].states:
            try:
                return len(set(self.dataset.state("query_clusters").values()))
            except ReadProblem:  # a finding says why
                return 0
        codes = clusters_of(self.dataset)
        if codes is None:
            return 0
        counts = line_counts(self.dataset)
        return len(np.unique(codes if counts is None else codes[counts > 0]))  # a case of no rows is none

    def whole_clusters(self, count: int | None = None) -> str:
        """That intervals and tests take whole clusters, by default all, with a blank before; empty of none."""
        count = self._cluster_count if count is None else count
        if count == 1:
            return f" All belong to{self.clusters_of(count).removeprefix(' of')}, so there are no intervals or tests."
        of = ", with t quantiles on" if count < FEW_CLUSTERS else ":"
        words = self.clusters_of(count).removeprefix(" of")
        return f" Intervals and tests take whole clusters{of}{words}." if words else ""

    @property
    def cluster_words(self) -> str:
        """What the rows belong to, in Markdown without their number: "patients"; empty where each is on its own."""
        return self.clusters.removeprefix(" of").strip().partition(" ")[2]

    @property
    def of_areas(self) -> str:
        """Whose variance the areas under ROC curves have, in Markdown."""
        return f"Obuchowski (whole {self.cluster_words})" if self.cluster_words else "DeLong"

    @property
    def units(self) -> str:
        """What is resampled, in Markdown: rows, or what they belong to."""
        return self.cluster_words or "rows"

    @property
    def few_clusters(self) -> str:
        """That there are few, with a comma before: ", with t quantiles on 30 patients"; empty where there are more."""
        few = 1 < self._cluster_count < FEW_CLUSTERS
        return f", with t quantiles on{self.clusters.removeprefix(' of')}" if few else ""
