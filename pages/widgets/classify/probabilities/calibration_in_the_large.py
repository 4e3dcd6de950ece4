"""Base rates beside mean probabilities: whether the classes are stated too often or too seldom, all rows together."""

import math

import numpy as np
import streamlit as st

from evalcore.classification import Divergences, ProbabilityTable, divergences
from evalcore.wording import loss_text

from .rows import Stated


def large_of(table: ProbabilityTable, base: float) -> Divergences | None:
    """The base rates p against the mean probabilities q, both ways; None where no row counts."""
    if not table.total:
        return None
    mean = np.average(table.probabilities, axis=0, weights=table.weights)
    return divergences(table.base_rates, mean, base, normalised=True)


def show_in_the_large(stated: Stated, base: float, unit: str) -> None:
    """Entropy, cross-entropy and divergence of the two, with what each of them says."""
    found = large_of(stated.whole, base)
    if found is None:
        return
    never = ", because a class that occurs is never given any probability" if math.isinf(found.kl_pq) else ""
    back = ", because a class that does not occur is given some" if math.isinf(found.kl_qp) else ""
    st.markdown(
        f"**All rows together**, the base rates p beside the mean probabilities q, in {unit}:\n"
        f"- **Entropy H(p) {loss_text(found.entropy_p)}**: the log-loss of who states the base rates for every row.\n"
        f"- **Cross-entropy H(p, q) {loss_text(found.cross_pq)}**: that of who states the mean probabilities for "
        f"every row{never}.\n"
        f"- **Divergence KL(p‖q) {loss_text(found.kl_pq)}**: the second less the first, what is lost because some "
        "classes are stated too often and others too seldom. It is not the same both ways: "
        f"KL(q‖p) is {loss_text(found.kl_qp)}{back}."
    )
