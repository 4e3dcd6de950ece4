"""A page of labels for test_names.py: every nasty name in every kind of label that Streamlit reads as Markdown."""

import pandas as pd
import streamlit as st

from evalcore.wording.escaping import one_line, plain
from pages.widgets.display.figure import show_frame
from tests.pages.nasty_names import NASTY

st.selectbox("plain options", NASTY, format_func=one_line)
for place, name in enumerate(NASTY):
    with st.container(key=f"name-{place}"):
        st.metric(plain(name), 1)
        st.caption(plain(name))
        st.markdown(plain(name))
        st.info(plain(name))
        st.button(plain(name), key=f"button {place}")
        st.checkbox(plain(name), key=f"checkbox {place}")
        st.radio("radio", [name], format_func=plain, key=f"radio {place}")
        st.segmented_control("segmented", [name], format_func=plain, key=f"segmented {place}")
        st.expander(plain(name))
        st.tabs([plain(name)])
        st.table({plain(name): [plain(name)]})
show_frame(pd.DataFrame([NASTY], columns=NASTY), "names", "Names", {}, missing=None)
st.html('<i data-run="1"></i>')
