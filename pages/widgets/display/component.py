"""Components: what the browser draws by scripts of ours."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

ELEMENT, PICTURE, WIDTHS, WORDS, CAMERA = (
    str(Path(__file__).with_name(name))
    for name in ("element.js", "picture.js", "picture_widths.js", "picture_words.js", "camera.css")
)
"""What several components share: elements, a picture that is saved, the widths and the words in it, and its button."""

_PICTURE = Path(__file__).with_name("threshold")
THRESHOLD = tuple(str(_PICTURE / f"{part}.js") for part in "ink axis densities curves drag picture".split())
THRESHOLD_STYLE = str(_PICTURE / "picture.css")
"""Scores of both classes with a line that cuts them and the curves it runs on, as several components draw them."""


def component(name: str, module: str, *scripts: str, css: str = "", html: str = "<span></span>") -> ComponentRenderer:
    """A component of files beside a module, given as its ``__file__``; the browser reads its scripts as one."""
    camera = [CAMERA] if PICTURE in scripts else []
    style = source(module, *camera, css) if css else None
    return st.components.v2.component(name, html=f"{html}\n", css=style, js=source(module, *scripts))


def source(module: str, *files: str) -> str:
    """The text of some files beside a module as one."""
    return "".join((Path(module).parent / file).read_text(encoding="utf-8") for file in files)
