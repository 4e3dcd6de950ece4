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
    "classes": """
Each row of the picture is an actual class, each column what it was called. Blue on the diagonal is right, orange off it
is wrong; the darker, the more. Each colour has its own scale, which stands under the picture.

- **Along a row**: what became of the cases of one class. Its blue share is the **recall** of that class.
- **Down a column**: what the cases with this answer really were. Its blue share is the **precision** of that class.
- **Counts** are dominated by the large classes. *Share of row* compares classes of unequal size by how much of each is
  found, *share of column* by how far each answer can be believed.
- **Clustered** order lays classes side by side that are taken for one another: a block of orange is a group that the
  system cannot tell apart. Merging it shows what is lost if you don't need the difference.
- **The collapse**: one class against the rest is a yes/no test, with everything that belongs to one. True negatives are
  many there, so accuracy and specificity flatter; look at precision and recall.
- **Micro** sums the counts first and is ruled by the large classes; **macro** is the mean over the classes and counts a
  rare one as much as a frequent one. Where they differ, the system is better or worse at the rare ones.
- **Undefined** is not 0: a class that is never predicted has no precision. Means leave it out and say so.
- **Two systems**: the picture shows B minus A, blue where B does better. With many cells some differ by chance; a dot
  marks those that do not, after a correction for how many were looked at.
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
    """The text for a page: "confusion", "classes", "threshold", "curves" and so on."""
    with st.expander("How to read this", key="reading"):
        st.markdown(_TEXTS[page])
