"""Which prediction of the open data the table of classes counts."""

import streamlit as st

from evalcore.analyses import MOST_PROBABLE, Source, predictions_of
from evalcore.wording import plain

from ...controls.bound import bound
from ...session import address


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
