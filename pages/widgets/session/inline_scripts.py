"""The scripts that pages carry in line, each a file in ``inline``: the policy of content allows these and no others."""

import base64
import hashlib
import html
from pathlib import Path

import streamlit as st

from .internals import page_scripts

_SCRIPTS = {path.stem: path.read_text("utf-8") for path in Path(__file__).with_name("inline").glob("*.js")}


def run_scripts(*names: str, **data: object) -> None:
    """Run scripts in the browser; they read the data from the attributes of a mark beside them."""
    mark = "".join(f' data-{name}="{html.escape(str(value))}"' for name, value in data.items())
    scripts = "".join(f"<script>{_SCRIPTS[name]}</script>" for name in names)
    st.html(f"<i{mark}></i>{scripts}", unsafe_allow_javascript=True)


def script_hashes() -> str:
    """Sources for a policy of content: our scripts, and those in line in the page that Streamlit serves."""
    digests = (hashlib.sha256(text.encode()).digest() for text in (*_SCRIPTS.values(), *page_scripts()))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
