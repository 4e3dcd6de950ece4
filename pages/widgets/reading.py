"""How to read a page, in a few sentences, folded away until somebody asks."""

import streamlit as st

_TEXTS = {
    "confusion": """
The table sorts every case by two questions: what **is** it, and what was **said** about it? Two of the four answers are
right (blue), two are wrong (orange, hatched).

- **Look along the prediction** to learn what an answer is worth: of those called positive, precision says how many are.
- **Look along the truth** to learn how many are found: of those that are positive, recall says how many were called so.
- The two have the same numerator, TP, and different denominators. One can be high while the other is low.
- **Accuracy** counts all right answers together. Where one class is rare, always naming the other scores high and finds
  nothing, so compare it with that.
- **Prevalence matters.** Recall and specificity describe the test. Precision and NPV describe the test *among these
  people*: where the illness is rarer, more of the alarms are false.
- An **interval** says which values would not be surprising if other cases had been drawn. Small n, wide interval. A
  share of nothing is *undefined*, which is not the same as 0.
""",
    "threshold": """
A score becomes a decision only where it is cut. Everything on one side is called positive, the rest negative.

- The upper hill holds the actual positives, the lower one the actual negatives. The line cuts both: what lies on its
  wrong side are the **misses** (FN) and the **false alarms** (FP).
- Moving the line trades one for the other. Recall can only fall as the line becomes stricter, and false alarms can only
  become fewer. Precision may go up and down on the way.
- There is **no best threshold without a goal**. Equal costs, a limit on misses and a team that can check 50 cases a day
  lead to three different lines.
- A threshold that is best here was chosen on this data, and will look a little better here than on the next. Where many
  thresholds are almost as good, don't believe the third decimal.
- Thresholds between two neighbouring scores give the same decisions.
""",
    "curves": """
Each point of a curve is one threshold; the whole curve shows all of them. The ring is the threshold in use, and a click
on a curve moves it.

- **ROC**: upwards the share of positives that are found, to the right the share of negatives that raise a false alarm.
  The upper left corner is perfect, the diagonal is guessing. It doesn't change with the prevalence.
- **AUC** is the chance that a positive, drawn at random, scores above a negative, drawn at random. Below ½ the scores
  point the other way.
- **Precision–recall**: how pure is what was found, against how much of it was found. Guessing gives the prevalence, the
  dashed line. Where positives are rare, this curve shows what a flattering ROC hides.
- The thin zigzag is the precision as counted. The **interpolated** steps ask: which precision can I have at this recall
  *or more*? There is no point at recall 0 with precision 1 unless the best scores earned it.
- Equal scores cannot be told apart, so they share one step. In the ROC curve that is a slanted piece.
- **Two curves that cross** have no winner for everybody: the better one depends on where you work. Two areas whose
  intervals overlap widely may differ by chance.
""",
}


def show_reading(page: str) -> None:
    """The text for a page: "confusion", "threshold" or "curves"."""
    with st.expander("How to read this", key="reading"):
        st.markdown(_TEXTS[page])
