"""Components: what the browser draws by scripts of ours."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from evalcore.figures.cockpit import CAMERA, ELEMENT, ENTRY, PICTURE, THRESHOLD, THRESHOLD_STYLE, WIDTHS, text_of_files

__all__ = [
    "CAMERA",
    "ELEMENT",
    "ENTRY",
    "PICTURE",
    "THRESHOLD",
    "THRESHOLD_STYLE",
    "WIDTHS",
    "WORDS",
    "component",
    "source",
]

WORDS = str(Path(__file__).with_name("picture_words.js"))
"""The words of a part of the page in a picture that is saved."""


def component(name: str, module: str, *scripts: str, css: str = "", html: str = "<span></span>") -> ComponentRenderer:
    """A component of files beside a module, given as its ``__file__``; the browser reads its scripts as one."""
    camera = [CAMERA] if PICTURE in scripts else []
    style = source(module, *camera, css) if css else None
    return st.components.v2.component(name, html=f"{html}\n", css=style, js=source(module, *scripts))


def source(module: str, *files: str) -> str:
    """The text of some files beside a module as one."""
    return text_of_files(*(str(Path(module).parent / file) for file in files))
