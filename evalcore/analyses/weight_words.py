"""What the weights of the rows of a source are, in words, also where they count rows of a table that is not loaded."""

from evalcore.readers import WEIGHTS_ARE, DataSet, weighting
from evalcore.wording import count_text, number_text, plain


class WeightWords:
    """The part of `Source` about weights."""

    dataset: DataSet

    @property
    def weights_text(self) -> str:
        """What the weights are, add up to and are worth, in Markdown; empty without weights."""
        weights = weighting(self.dataset)
        if weights is None or self.counts_rows:
            return ""
        numbers = f"sum {count_text(weights.total)}"
        if weights.are != "counts":
            numbers += f", effective n {number_text(weights.effective)}"
        return f"weighted by {plain(self.dataset.roles.get('weight'), 30)} ({WEIGHTS_ARE[weights.are]}: {numbers})"

    @property
    def counts_rows(self) -> bool:
        """Whether the weights are the counts of rows of a table that is not loaded, which nobody chose."""
        unloaded = self.dataset.unloaded
        return unloaded is not None and self.dataset.is_counted and "~~weight~" not in unloaded.roles

    @property
    def lines_note(self) -> str:
        """What the lines of the open table are where they are counts, in Markdown with a blank before; else empty."""
        if not self.dataset.is_counted:
            return ""
        weight, weights = self.dataset.roles.get("weight"), weighting(self.dataset)
        if weights is not None and weights.are == "importance":
            return f" The table was counted and not loaded: {plain(weight, 30)} adds up the weights of its rows."
        many = "one row" if weight is None else f"as many rows as {plain(weight, 30)} says"
        return f" The table was counted and not loaded: each line here stands for {many}."

    @property
    def not_counted(self) -> int:
        """Rows of a table that is not loaded which were left out when it was counted; else 0."""
        return self.dataset.unloaded.left_out if self.dataset.unloaded is not None and self.counts_rows else 0

    @property
    def weighting_note(self) -> str:
        """That rows are weighted, and what intervals make of it, in Markdown with a blank before; else empty."""
        weights = weighting(self.dataset)
        if weights is None or self.counts_rows:
            return ""
        words = f" Rows are weighted by {plain(self.dataset.roles.get('weight'), 30)}"
        if weights.are == "counts":
            return f"{words}; intervals treat weights as row counts."
        return f"{words}: counts are sums of weights; intervals and tests rest on the effective number of rows."
