"""The menu of pages. Its links carry what is open, so that they can be sent and opened in another tab."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from . import address

# On a phone the side bar lies over the page, and Streamlit leaves it there after one of our links.
_CLOSE_ON_PHONE = """<script>
for (const menu of document.querySelectorAll(".st-key-menu"))
  menu.onclick = (event) => {
    if (event.target.closest("a") && window.innerWidth < 768)
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  };
</script>"""


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
        st.html(_CLOSE_ON_PHONE, unsafe_allow_javascript=True)
