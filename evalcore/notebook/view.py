"""A view in a notebook: alive wherever its HTML is shown; with anywidget, Python and the hand move the same line."""

import math
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

from evalcore import analyses
from evalcore.classification import youden_goal
from evalcore.figures import threshold_view
from evalcore.notebook.documents import Document, document_of, scores_document
from evalcore.readers import KINDS, ReadProblem, kinds_giving
from evalcore.reports import ReportSettings
from evalcore.wording import outcome_word

__all__ = ["ScoresView", "View", "show"]


def show(source: analyses.Source, *, shake: bool = False, **settings: Any) -> "View":
    """The view of a data set in a notebook: it needs no server, no network and, once it is shown, no Python.

    Scores have the threshold view, labels and counts the matrix of their classes, rankings the curves of the queries
    beside their table, estimates truth against estimate.

    Parameters
    ----------
    source : evalcore.analyses.Source
        As `Source.of` makes it of a data set.
    shake : bool
        Whether a view of scores holds 30 samples like its rows, to see how far its numbers may be off: 2 to 90 kB.
    **settings
        Those of `evalcore.reports.ReportSettings`, such as ``threshold=0.4``, ``pins=[0.3, 0.5]`` or ``query="q1"``.

    Raises
    ------
    ReadProblem
        If there is no view of such data.
    TypeError
        If data without scores are to shake.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> view = show(analyses.Source.of(read_sample("roc_20")), threshold=0.54)
    >>> view.threshold, len(view.rows("missed"))
    (0.54, 5)
    """
    is_scored = source.kind in kinds_giving("scored") and source.scored_by != "class"
    if is_scored:
        return ScoresView(source, ReportSettings(**settings), shake)
    if shake:
        raise TypeError("shake=True needs scores.")
    return View(source, ReportSettings(**settings))


class View:
    """A data set in a notebook: text in a terminal, else HTML that stays alive in saved and exported files."""

    def __init__(self, source: analyses.Source, settings: ReportSettings) -> None:
        self.source = source
        self._settings = settings
        self._text = self.document.text  # and what the data have no view for is told now

    @cached_property
    def document(self) -> Document:
        """The view as a document of HTML."""
        return document_of(self.source, self._settings)

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self.document.frame()

    def save(self, path: str | Path) -> Path:
        """Write the view as one file of HTML that opens from disk, and return its path."""
        file = Path(path)
        file.write_text(self.document.html(), encoding="utf-8")
        return file

    @property
    def threshold(self) -> float:
        """The threshold at which the line stands. Raises AttributeError for data without scores."""
        raise AttributeError(f"A view of {KINDS[self.source.kind].title} has no threshold; scores have one.")

    def rows(self, outcome: str | tuple[float, float]) -> Any:
        """The rows of an outcome at the threshold. Raises AttributeError for data without scores."""
        return self.threshold


class ScoresView(View):
    """The threshold view. With anywidget, `threshold` is where its line stands; without, where each display starts."""

    def __init__(self, source: analyses.Source, settings: ReportSettings, shake: bool = False) -> None:
        self._id = uuid4().hex
        self._scores = settings.scores_of(source)
        self._threshold = float(settings.threshold_of(self._scores))
        self._pins = analyses.pinned(self._scores, settings.pins)
        self._chosen = settings.chosen or analyses.best_threshold(self._scores, youden_goal())
        drawing = threshold_view.Drawing()
        prices = self._chosen.goal.priced
        self._view = threshold_view.make_threshold_view(self._scores, drawing, settings.intervals, prices)
        plan = analyses.ResamplingPlan()
        self._shaking = threshold_view.shaking_of(self._view, self._chosen, plan) if shake else None
        super().__init__(source, settings)

    @property
    def document(self) -> Document:
        """The view as a document of HTML, with its line at the current threshold."""
        return scores_document(self._scores, self._view, self._chosen, self._threshold, self._pins, self._shaking)

    def __repr__(self) -> str:
        return self.document.text

    def _repr_html_(self) -> str:
        _ = self._model  # hears the frame as soon as it is there
        return self.document.frame(self._id)

    @property
    def threshold(self) -> float:
        """The threshold at which the line stands; set, it moves the line."""
        return self._threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        if math.isnan(value := float(value)):
            raise ValueError("threshold=nan is no place for the line. Give a number.")
        self._threshold = value
        if (model := self.__dict__.get("_model")) is not None:
            with model.hold_sync():
                model.stop, model.now = -1, self._row

    @property
    def _row(self) -> dict:
        pin = self._pins[0].counts if self._pins else None
        return threshold_view.current_row(self._scores, self._threshold, self._view, neighbours=False, pin=pin)

    def rows(self, outcome: str | tuple[float, float]) -> Any:
        """The rows of an outcome at the current threshold, or between two scores, as a part of the table.

        The outcome is "found", "missed", "false alarms" or "correct rejections"; TP, FN, FP or TN. Two scores, such as
        ``(0.4, 0.6)``, are both included. Raises ValueError for another outcome, and ReadProblem for a table that was
        counted and not loaded.
        """
        if isinstance(outcome, str) and outcome.lower() not in _OUTCOMES:
            raise ValueError(f"outcome={outcome!r} is not one of {', '.join(map(repr, _OUTCOMES))}.")
        if self.source.dataset.unloaded is not None:
            raise ReadProblem("This table was counted and not loaded, so the view does not have its rows.")
        if not isinstance(outcome, str):
            return self.source.frame.iloc[analyses.rows_between_scores(self._scores, *outcome).rows]
        named = analyses.NamedCounts.at(self._scores, self._threshold)
        return self.source.frame.iloc[named.rows_by_outcome()[_OUTCOMES[outcome.lower()]]]

    @cached_property
    def _model(self) -> Any:
        """The end of the view in the notebook, which follows the hand; None without anywidget."""
        model = _new_model(self._id, self._row)
        if model is not None:
            model.observe(self._hear, "stop")
        return model

    def _hear(self, change: Any) -> None:
        """The line has been left at one of the thresholds of the view."""
        if 0 <= change["new"] < len(self._view.thresholds):
            self._threshold = float(self._view.thresholds[change["new"]])

    @property
    def widget(self) -> Any:
        """The view as a widget of anywidget, for marimo, Colab and others that keep widgets and HTML apart.

        Raises ModuleNotFoundError without anywidget.
        """
        if self._model is None:
            raise ModuleNotFoundError('The widget needs anywidget: pip install "evalcore[notebook]".', name="anywidget")
        self._model.frame = self.document.frame(self._id)
        return self._model


_OUTCOMES = {outcome_word(cell, 2): cell for cell in ("tp", "fn", "fp", "tn")} | {"correct rejections": "tn"}
_OUTCOMES |= {cell: cell for cell in analyses.CELLS}


def _new_model(view: str, row: dict) -> Any:
    """The end in the notebook of the view of this name, with the numbers at its threshold; None without anywidget."""
    return _model_class()(view=view, now=row) if find_spec("anywidget") else None


@cache
def _model_class() -> type:
    anywidget, traitlets = map(import_module, ("anywidget", "traitlets"))

    class Threshold(anywidget.AnyWidget):
        """The threshold of a view between its frames and Python."""

        _esm = Path(__file__).with_name("widget.js").read_text(encoding="utf-8")
        view = traitlets.Unicode().tag(sync=True)  # its name, which its frames know too
        stop = traitlets.Int(-1).tag(sync=True)  # where the hand has left the line; −1 where Python has put it
        now = traitlets.Dict().tag(sync=True)  # the numbers at the threshold that Python has set
        frame = traitlets.Unicode().tag(sync=True)  # its HTML, where the widget itself shows it

    return Threshold
