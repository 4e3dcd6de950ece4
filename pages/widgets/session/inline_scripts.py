"""The scripts that pages carry in line, each a file in ``inline``: the policy of content allows these and no others."""

import base64
import hashlib
import html
import re
from pathlib import Path

import streamlit as st

_SCRIPTS = {path.stem: path.read_text("utf-8") for path in Path(__file__).with_name("inline").glob("*.js")}
_PAGE = Path(st.__file__).parent / "static" / "index.html"


def run_scripts(*names: str, **data: object) -> None:
    """Run scripts in the browser; they read the data from the attributes of a mark beside them."""
    mark = "".join(f' data-{name}="{html.escape(str(value))}"' for name, value in data.items())
    scripts = "".join(f"<script>{_SCRIPTS[name]}</script>" for name in names)
    st.html(f"<i{mark}></i>{scripts}", unsafe_allow_javascript=True)


def script_hashes() -> str:
    """Sources for a policy of content: our scripts, and those in line in the page that Streamlit serves."""
    page = re.findall(r"<script>(.*?)</script>", _PAGE.read_text("utf-8"), re.DOTALL)
    digests = (hashlib.sha256(text.encode()).digest() for text in (*_SCRIPTS.values(), *page))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
