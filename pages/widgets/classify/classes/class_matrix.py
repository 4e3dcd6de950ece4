"""The square table that is open, and which prediction of the data it counts."""

import streamlit as st

from evalcore.analyses import MOST_PROBABLE, ClassTable, Source, prediction_origin, predictions_of
from evalcore.readers import ReadProblem
from evalcore.wording import plain

from ...controls.bound import bound
from ...session import address
from ...session.loaded_scores import COUNTABLE, label_pairs_of, scores_of, threshold_of
from ...session.page_exit import end_with, need


def open_classes() -> ClassTable:
    """The table of classes of the open data; offers data when nothing fits, and says why when it cannot be used."""
    current = need(COUNTABLE, "labels with predictions, class probabilities, or a square table of counts")
    try:
        prediction = choose_prediction(current)
        pairs = label_pairs_of(current, prediction)
        scores = scores_of(current, current.system) if current.kind == "scores" else None
        at = None if scores is None else (scores, threshold_of(scores))
        table = ClassTable.of(current, prediction, pairs, address.names("groups"), at)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    if not table.groups:
        address.refuse("groups")
    return table


def show_origin_of_classes(table: ClassTable) -> None:
    """Where the predictions come from, and what makes numbers undefined."""
    origin = "Counts as in the file; the rows behind them are not known."
    if table.pairs is not None:
        origin = prediction_origin(table.current, table.prediction, table.pairs, table.at)
    st.caption(" ".join((origin, *table.gaps)))


def choose_prediction(current: Source) -> str | None:
    """The prediction in use; asks where the data has probabilities beside a stated prediction."""
    names = predictions_of(current)
    if current.kind != "probabilities" or len(names) < 2:
        return names[0] if current.kind == "probabilities" else current.system
    return bound(
        st.segmented_control, "The predicted class is", "said", address.choice("said", names, MOST_PROBABLE), names,
        write=lambda name: name and address.put("said", name),
        format_func=lambda name: "the most probable" if name == MOST_PROBABLE else f"as stated in {plain(name, 40)}",
        required=True,
    )  # fmt: skip
