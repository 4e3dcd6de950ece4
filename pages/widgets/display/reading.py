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
- **Every part is a handle**: drag the line, the points on the curves or the measures. Arrow keys step to the next
  score, and Enter takes a threshold or a wish such as `recall = 0.9`.
- **The little bars** under the hills show where the goal would have put the line on other draws of the same rows. Wide
  apart means that the data cannot tell those thresholds from one another.
- **Costs nobody can name** still decide: the map shows for which ratio of costs, and how rare a class, each threshold
  is the cheapest. A threshold that is right between 3 and 8 false alarms a miss needs no exact price.
- **A second threshold** buys certainty: what lies between goes to a person, the rest is decided with fewer errors.
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
- The **convex hull** bridges the dents of the curve: a threshold below it is never the best, whatever errors cost. On a
  **contour** all points have the same value of a measure; where the curve just touches the highest one, it is best.
- A **pointwise band** holds each point by itself, a **simultaneous** one the whole curve, and so it is wider. Compare
  systems by their difference, not by whether bands overlap.
- A **partial area** looks only at the false positive rates, or at the recalls, one could work at. Corrected, ½ is
  guessing and 1 perfect.
- **Rule out** in the upper region: few are missed, so a negative result can be believed. **Rule in** at the left: few
  false alarms, so a positive one can be.
- **Two curves that cross** have no winner for everybody: the better one depends on where you work. Two areas whose
  intervals overlap widely may differ by chance.
""",
    "ranking": """
Each query gives one list. Going down it, recall can only rise; precision jumps at each relevant document and falls at
each other one: that is the **sawtooth**.

- **Interpolated precision** asks: to find this share or more, how pure can the list be? It is the highest point at this
  recall or to the right of it. The eleven points read it at recall 0, 0.1, …, 1.
- **The mean curve** is taken in two ways: at fixed levels of recall, the mean interpolated precision; at fixed ranks
  (5, 10, 15, …), the mean precision over the mean recall. The first serves who wants a share of everything, the second
  who reads a page of results.
- **Average precision** is the mean of the precisions at the ranks of all relevant documents, those that were not found
  counting 0. Its mean over the queries is MAP. **Reciprocal rank** looks at the first relevant document only.
- A mean over queries hides the spread. **Sort the table** by a measure and look at the worst: click a row, or a faint
  curve, and its list opens below. The ring in a row, or Ctrl with the click, lights several beside each other.
- A query **counts 0** where nothing relevant is found, where it has no relevant document, or where the run has no list
  for it. Each is counted under the table. GMAP lets such failures weigh more.
- A document that **nobody judged** counts as not relevant. Where judged@k is far below 100 %, a low value can come from
  the judgments as well as from the system.
- **Ties**: equal scores leave the order open. It is settled by the ids of the documents, and the range below the table
  says what that could change.
""",
    "probabilities": """
A probability can be checked: of all rows that were called 80 % likely, four in five should come true.

- **Reliability diagram**: each dot is a bin of rows that were told nearly the same. On the dotted line, what is said
  comes true. Below it, less comes true than is said. The bars are intervals (Wilson): a dot whose bar crosses the line
  is not off for sure. Under it stands how many rows say so; a dot of ten rows proves little.
- **ECE** is the mean distance of the dots from the line, weighted by their rows, **MCE** the largest. Both depend on
  the bins and are never 0 by chance, so what calibrated probabilities would show stands beside them.
- Calibrated is not all: who states the base rate for every row is calibrated and tells nothing. **Brier score** and
  **log-loss** punish both faults. The Brier score is the uncertainty of the rows, less what telling them apart wins
  (resolution), plus what is lost by being off the line (reliability).
- **Log-loss** is the mean of −ln q, q being what a row gave to its own class. A row that gave 0 would cost infinitely
  much, so q is kept between δ and 1 − δ. A few sure errors can make most of it: look at the worst rows.
- With several classes there are **two log-losses**: of the actual class alone, and of the yes/no questions of all
  classes added up. They cannot be compared with each other.
- **Recalibration** moves the dots onto the line and leaves the order of the rows nearly as it is. It is judged on rows
  that the curve has not seen. Platt's curve needs few rows; the isotonic one takes any shape, and many rows.
""",
    "compare": """
Two systems that saw the **same rows** are compared row by row. Rows that both have right, or both wrong, say nothing
about which is better; all the evidence lies in those where **only one is right**.

- **McNemar's test** asks whether these rows fall to one side more unevenly than a thrown coin would. Below 25 of them
  the chances are counted exactly.
- The **interval of a difference** is narrower than two intervals of single systems suggest, because what is hard for
  one is often hard for the other. Two overlapping intervals don't show that nothing differs; look at the difference.
- **“May be chance” is not “equal”.** A wide interval around 0 says that the rows are too few to tell. Read both its
  ends: would the worst of them matter to you?
- **Beyond chance is not “large”.** With a million rows a tenth of a point is beyond chance. The points decide whether
  anybody notices.
- **Which measure?** Decide before you look. A system that flags more has the higher recall and the lower precision
  without being any better. *Each flagging as many as A* compares them at the same workload; the **AUC** (DeLong) and
  the average precision don't depend on a cut at all.
- **Many comparisons**: of twenty systems that are all alike, one will look better than A by chance. *Holm* and
  *Bonferroni* hold the chance of any such mistake, *Benjamini–Hochberg* the share of mistakes among what is called
  real.
- The rows stand for others like them. Systems that were tuned on these very rows are flattered, and no test knows it.
""",
    "sets": """
A search that answers without an order leaves two sets: what was **retrieved** and what is **relevant**. Their overlap,
what was found, is what the search is for.

- **Precision** is the overlap as a share of what was retrieved, **recall** as a share of what is relevant. A wider
  search usually gives one for the other: retrieving everything has recall 1, one sure document precision 1.
- **F** is high only where both are. A β above 1 weighs recall more, for who must not miss anything; below 1 precision.
- **Fall-out** is the share of the irrelevant documents that came along, **generality** the share of the collection that
  is relevant. Both need the size of the collection. In a large one fall-out is tiny even where most of what came is
  wrong, and precision would be as low as the generality if documents were drawn blindly.
- **Macro or micro?** The mean over the queries treats them as equals; the summed counts let queries with large sets
  rule. Where the two differ, the bars name the queries that make the difference: without such a query the gap would
  change by so much.
- **Two systems**: compare them on the same query first, then over all. One set with more recall and less precision is
  not better or worse; it depends on what a miss costs.
- A query where nothing is found, or nothing is relevant, **counts 0**, as is usual in this field.
""",
    "graded": """
Some documents are more relevant than others. Each has a grade, a grade has a **gain**, and a gain counts less the
further down it stands.

- **CG** adds the gains down to rank k and doesn't see their order. **DCG** multiplies each by the discount of its rank
  first. Neither has an upper end, so they compare lists of one query only.
- **nDCG** divides by the DCG of the **ideal list**: all judged documents of the query, the best first, whether this
  list found them or not. 1 means that no list could be better down to this rank, and values of several queries may be
  averaged. A list that lacks the good documents cannot reach 1, however it is ordered.
- In the left picture the frames are the ideal list and the bars this one: an empty frame is a gain that was possible at
  that rank. The dotted line is the discount. In the right one the shaded strip is what the list is behind.
- **Linear** gains take the grade as it is. **Exponential** ones (2^v − 1) make a document of grade 3 worth seven of
  grade 1. Or type what each grade is worth.
- The **discount** 1/log(rank + 1) is the usual one. The **original** leaves the first ranks up to the base of the
  logarithm alone and divides by log(rank) after that. Values with different gains or discounts cannot be compared.
- A document that **nobody judged** gains nothing, nor does a rank behind the end of a short list.
""",
    "compare_rankings": """
Two systems answered the **same queries**, so they are compared query by query. Some queries are hard for everybody;
that cancels out in the differences, and what is left is what one system does better.

- **The mean difference** says how much, its **interval** how surely, **p** whether equal systems could show it by
  chance. “May be chance” is not “equal”: read both ends of the interval.
- **Marks in the table** are corrected together for all comparisons on the page: among twenty that are all chance, one
  looks real. *Holm* and *Bonferroni* hold the chance of any such mistake, *Benjamini–Hochberg* the share of mistakes
  among what is marked. Whoever asked one question beforehand reads its p by itself.
- **Which test?** The t-test and the randomisation test ask about the mean and mostly agree. Wilcoxon reads the ranks of
  the differences, the sign test only who wins. If only one of four finds something, be careful.
- **Few queries** hide real differences, **many** make tiny ones significant. The effect size d_z doesn't grow with n.
- **Bars and dots**: does one system win nearly everywhere by a little, or by a lot on a few queries? Look at the lists
  of those: often a bug, a kind of query, or a gap in the judgments explains them.
- **Judgments** are never complete. A document that nobody judged counts as irrelevant, which hurts systems unlike those
  that were pooled. The **bounds** show what it could change at most, **condensed lists** leave unjudged documents out,
  **bpref** reads judged ones only, and **infAP** takes hidden ones to be relevant as often as the others of the pool.
- **Hide some judgments** and watch the order: a measure whose τ stays at 1 would have named the same winner with less
  work. With few systems τ knows only a few values; with two it is 1 or −1.
""",
}


def show_reading(page: str) -> None:
    """The text for a page: "confusion", "classes", "threshold", "curves" and so on."""
    with st.expander("How to read this", key="reading"):
        st.markdown(_TEXTS[page])
