"""What a test must reach to rule in or out, and in which population; both stay in the address."""

import streamlit as st

from evalcore.analyses import Requirement

from ..session import address
from .bound import bound


def choose_requirements() -> tuple[Requirement, ...]:
    """Ask what a test must reach to rule in or out."""
    chosen = []
    sides = (("out", "negative", ("sensitivity", "NPV")), ("in", "positive", ("specificity", "PPV")))
    for side, result, names in sides:
        st.markdown(f"Rule {side}: a {result} result can be trusted")
        with st.container(horizontal=True):
            for name in names:
                least = st.number_input(
                    f"{name[0].upper()}{name[1:]} at least", 0.0, 1.0, None, 0.01, key=f"{side}_{name.lower()}",
                    bind="query-params", placeholder="0.9" if name.isupper() else "off", width=160,
                )  # fmt: skip
                if least is not None and 0 <= least <= 1:
                    chosen.append(Requirement(side, name, least))
    return tuple(chosen)


def choose_requirements_aside() -> tuple[Requirement, ...]:
    """The same behind a button."""
    with st.popover("Rule in, rule out", icon=":material/rule:"):
        return choose_requirements()


def choose_share() -> float | None:
    """Ask for another prevalence, which all pages share; None for that of the data."""
    share = address.number("prevalence", None, 0, 1)
    bound(
        st.number_input, "At a prevalence of", "prevalence", share, 0.0, 1.0, step=0.01, format="%.4g",
        placeholder="as here", help="PPV, NPV, cost and others depend on it; recall and specificity stay",
    )  # fmt: skip
    return share if share is not None and 0 < share < 1 else None
