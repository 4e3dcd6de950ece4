"""Evalcore: what predictions are worth, and what to decide with them.

``streamlit run app.py`` loads this file twice. The server imports it once and finds ``app``, the application around
the script (warm start, response headers). Then Streamlit runs it as the script, under the name ``__main__``, at every
click: it draws the side bar and the page that was asked for.
"""

import gc
import os
import sys

import streamlit as st

if __name__ != "__main__":
    # Arrow gives back at once what it no longer needs, as numpy does; read when Arrow is imported.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    gc.disable()  # what is loaded at the start stays; `warm` switches it on again
    from pages.widgets.session import server
    from pages.widgets.session import visitor as workspace

    try:
        workspace.workspace()
    except ValueError as error:
        sys.exit(f"Evalcore does not start: {error}")
    # Streamlit finds the application by this very assignment, without running the file.
    app = st.App(__file__, **server.AROUND)
else:
    from evalcore.figures import logo, wordmark
    from evalcore.registry import page_at
    from pages.widgets.display import figure, sidebar
    from pages.widgets.display import page as head
    from pages.widgets.learn.lecture import opened
    from pages.widgets.session import address, page_exit

    st.set_page_config(page_title="Evalcore", page_icon=logo(), layout="wide")
    address.restore()
    head.show_style()
    head.show_presenter()
    st.logo(wordmark(figure.page_ink().text), size="medium", icon_image=logo())
    sections = sidebar.sections()
    page = st.navigation(sections, position="hidden")
    try:
        if sidebar.let_in():
            with st.sidebar:
                sidebar.show_palette()
                sidebar.show_open_data(page.url_path)
                sidebar.show_menu(sections, page.url_path)
            opened.show_return(page_at(page.url_path))
            page.run()
            sidebar.show_part(page.url_path)
            address.clean()
    except page_exit.EXITS as ended:
        head.show_exit(ended)
    finally:
        sidebar.show_finished()
