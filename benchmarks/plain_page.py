"""The page that ``benchmarks.uploading`` is measured beside: what one writes in Streamlit by hand, without a cache."""

import numpy as np
import pandas as pd
import plotly.express as px
import streamlit as st
from sklearn import metrics

file = st.file_uploader("File")
threshold = st.slider("Threshold", -3.0, 4.0, 0.5)
if file is not None:
    table = pd.read_csv(file)
    positive, scores = table["actual"] == "ill", table["score"]
    false_positive_rate, recall, _ = metrics.roc_curve(positive, scores)
    precision, recall_there, _ = metrics.precision_recall_curve(positive, scores)
    st.plotly_chart(px.histogram(table, x="score", color="actual"))
    st.plotly_chart(px.line(x=false_positive_rate, y=recall))
    st.plotly_chart(px.line(x=recall_there, y=precision))
    st.plotly_chart(px.imshow(metrics.confusion_matrix(positive, scores >= threshold), text_auto=True))
    numbers = {
        "AUC": metrics.roc_auc_score(positive, scores),
        "AP": metrics.average_precision_score(positive, scores),
        "F1": metrics.f1_score(positive, scores >= threshold),
    }
    st.table(pd.Series(numbers).map(np.format_float_positional))
    st.html('<span class="done"></span>')
