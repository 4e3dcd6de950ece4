"""The few rules of style that the theme in .streamlit/config.toml has no word for, all in one file beside this one."""

from pathlib import Path

import streamlit as st

from evalcore.figures import OUTCOMES, ink

_RULES = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def show_style() -> None:
    """Put the rules on the page, with the colours of the outcomes, and the ground and the accent of either theme."""
    light, dark = ink(False), ink(True)  # both, because the browser knows a change of theme before the server
    shades = {"accent": (light.accent, dark.accent), "ground": (light.paper, dark.paper)}
    colours = {**OUTCOMES, **{name: f"light-dark({', '.join(pair)})" for name, pair in shades.items()}}
    root = " ".join(f"--{name}: {colour};" for name, colour in colours.items())
    # What floats over the page, such as a popover, stands outside of the application and its theme.
    scheme = st.context.theme.type or "light dark"
    st.html(f"<style>\n:root {{ {root} color-scheme: {scheme}; }}\n{_RULES}</style>")
