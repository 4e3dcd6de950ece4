"""Figures: evalcore types in, plotly figures out; no arithmetic, no Streamlit."""
