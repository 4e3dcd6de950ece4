"""What resampling and costs change when a class is rare: a factor to move, and the numbers before and after."""

import streamlit as st

from evalcore.analyses import ClassWeights, Scores, weight_steps
from evalcore.readers import ReadProblem
from evalcore.wording import plain, threshold_text

from ...controls.bound import bound
from ...controls.threshold_control import show_step
from ...display.table import show_table
from ...session import address
from ...session.entry_links import with_links

_SAMPLE = "rare_digit"


def show_class_weights(scores: Scores) -> None:
    """How often a positive row counts, and what that does at threshold ½."""
    st.markdown("**What would resampling or costs in training change?**")
    steps, balanced = weight_steps(scores)
    times = address.number("times", balanced)
    times = min(steps, key=lambda step: abs(step - times))
    with st.container(width=420):
        bound(
            st.select_slider, f"Count each positive row (both classes weigh the same at ×{threshold_text(balanced)})",
            "times", times, steps, format_func=lambda step: f"×{threshold_text(step)}",
        )  # fmt: skip
    try:
        weights = ClassWeights(scores, times)
        table, words = st.columns([4, 3], gap="large")
        with table:
            show_table(*weights.table)
        with words:
            st.markdown(with_links(weights.verdict))
            show_step(scores, weights.threshold, key="resampled")
    except (ReadProblem, ValueError) as problem:
        st.caption(plain(problem, 400))
        return
    st.caption(
        "Repeating each positive r times, keeping one negative in r, class weights of r, and a miss that costs r false "
        "alarms multiply the odds by the same r, if the model’s probabilities are right ([Elkan "
        "2001](https://cseweb.ucsd.edu/~elkan/rescale.pdf)). Models that are really trained that way differ a little: "
        f"[four models of a rare digit, each trained with another remedy](compare?data={_SAMPLE})."
    )
