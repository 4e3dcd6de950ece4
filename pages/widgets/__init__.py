"""The Streamlit code that pages share: what chooses (``choose_*``), what shows (``show_*``), and what is open."""
