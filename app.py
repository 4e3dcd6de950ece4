"""Evalcore: what predictions are worth, and what to decide with them.

``streamlit run app.py`` loads this file twice. The server imports it once and finds ``app``, the application around
the script (warm start, response headers). Then Streamlit runs it as the script, under the name ``__main__``, at every
click: it draws the side bar and the page that was asked for.
"""

import sys
from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent / "pages"
PAGES = {
    "Start": (
        ("start/home.py", "Home", ""),
        ("start/data.py", "Data", "data"),
        ("start/report.py", "Report", "report"),
    ),
    "Classify": (
        ("classify/confusion.py", "Confusion matrix", "confusion"),
        ("classify/classes.py", "Classes", "classes"),
        ("classify/multilabel.py", "Multi-label", "multilabel"),
        ("classify/threshold.py", "Threshold", "threshold"),
        ("classify/curves.py", "Curves", "curves"),
        ("classify/compare.py", "Compare systems", "compare"),
        ("classify/probabilities.py", "Probabilities", "probabilities"),
    ),
    "Retrieve": (
        ("retrieve/sets.py", "Sets", "sets"),
        ("retrieve/ranking.py", "Ranking", "ranking"),
        ("retrieve/graded.py", "Graded relevance", "graded"),
        ("retrieve/compare.py", "Compare rankings", "compare-rankings"),
    ),
    "Estimate": (
        ("estimate/regression.py", "Regression", "regression"),
        ("estimate/overlap.py", "Overlap", "overlap"),
        ("estimate/distributions.py", "Distributions", "distributions"),
    ),
    "Learn": (
        ("learn/examples.py", "Examples", "examples"),
        ("learn/playground.py", "Playground", "playground"),
        ("learn/challenges.py", "Challenges", "challenges"),
        ("learn/measures.py", "Measures", "measures"),
        ("learn/lecture.py", "Lecture", "lecture"),
    ),
}

if __name__ != "__main__":
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
    from pages.widgets.display import figure, sidebar
    from pages.widgets.display import page as empty_state
    from pages.widgets.display import page as presenter
    from pages.widgets.display import page as style
    from pages.widgets.display import sidebar as menu
    from pages.widgets.display import sidebar as sign_in
    from pages.widgets.learn.lecture import opened
    from pages.widgets.session import address, page_exit

    st.set_page_config(page_title="Evalcore", page_icon=logo(), layout="wide")
    address.restore()
    style.show_style()
    presenter.show_presenter()
    st.logo(wordmark(figure.page_ink().text), size="medium", icon_image=logo())
    sections = menu.sections(PAGES, FOLDER)
    page = st.navigation(sections, position="hidden")
    try:
        if sign_in.let_in():
            with st.sidebar:
                sidebar.show_open_data(all_classes=page.url_path == "probabilities")
                menu.show_menu(sections)
            opened.show_return(menu.FILES.get(page.url_path, ""))
            page.run()
            address.clean()
    except page_exit.EXITS as ended:
        empty_state.show_exit(ended)
    finally:
        sidebar.show_finished()
