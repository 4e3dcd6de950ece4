"""The menu of pages. Its links carry what is open, so that they can be sent and opened in another tab."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from ..session import address

# On a phone the side bar lies over the page, and Streamlit leaves it there after one of our links.
_CLOSE_ON_PHONE = """<script>
for (const menu of document.querySelectorAll(".st-key-menu"))
  menu.onclick = (event) => {
    if (event.target.closest("a") && window.innerWidth < 768)
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  };
</script>"""

_ONE_ENTRY = f"<script>{Path(__file__).with_name('history.js').read_text(encoding='utf-8')}</script>"

# A click goes where Streamlit says, and the address is mended there; this is for a link that is copied or opened aside.
_LINKS = """for (const link of document.querySelectorAll(".st-key-menu a")) {
  const search = QUERY && "?" + QUERY;
  if (link.search !== search) link.search = search;
}"""

Rows = Sequence[tuple[str, str, str]]


def sections(table: Mapping[str, Rows], folder: Path) -> dict[str, list]:
    """The pages that exist of a table of (file, title, path in the address); the one without a path comes first."""
    made = {
        section: [
            st.Page(folder / file, title=title, url_path=url, default=not url)
            for file, title, url in rows
            if (folder / file).exists()
        ]
        for section, rows in table.items()
    }
    return {section: pages for section, pages in made.items() if pages}


def show_menu(sections: Mapping[str, Sequence]) -> None:
    """Draw the sections with a link a page."""
    parameters = address.menu_parameters()
    with st.container(key="menu"):
        for section, pages in sections.items():
            st.caption(section)
            for page in pages:
                st.page_link(page, query_params=parameters)
        st.html(_CLOSE_ON_PHONE + _ONE_ENTRY, unsafe_allow_javascript=True)


def links_script() -> str:
    """A script that gives the links in the menu what is open now: a drag in a fragment draws no menu."""
    query = json.dumps(urlencode(address.parameters())).replace("<", "\\u003c")
    return f"<script>{_LINKS.replace('QUERY', query)}</script>"
