"""Printed tables of retrieval, rank by rank, to half a unit of their last decimal.

Where a print is known to be wrong the table holds the right value, and a remark says what was printed.
"""

from evalcore.retrieval import Hits

WEBER_RANKED = "R. Weber, Multimedia Retrieval, chapter 1, Performance Evaluation, §1.4"
WEBER_SETS = "R. Weber, Multimedia Retrieval, chapter on evaluation (newer edition), §2.2"
WEBER_GRADED = "R. Weber, Multimedia Retrieval, chapter on evaluation (newer edition), §2.4"
SLIDES = "Evaluation of Image Retrieval Results (lecture slides), DCG and NDCG slides"

# Twenty relevant documents; what stands in which order in a set does not matter.
METHOD_A = Hits.of_grades([1] * 7 + [0] * 7, unretrieved=[1] * 13)
METHOD_B = Hits.of_grades([1] * 4 + [0] * 2, unretrieved=[1] * 16)

FOURTEEN = Hits.of_grades([1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0])
PRECISION_14 = (1, 1, 0.67, 0.75, 0.6, 0.67, 0.57, 0.5, 0.44, 0.4, 0.36, 0.33, 0.38, 0.36)
RECALL_14 = (0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 1, 1)

# The collection holds 5 documents of grade 3 and 10 of grade 2; three and two of them are in the list.
GRADED = Hits.of_grades([0, 2, 1, 3, 0, 2, 0, 3, 1, 3], unretrieved=[3] * 2 + [2] * 8)
GRADED_COLUMNS = {
    "cg": (0, 2, 3, 6, 6, 8, 8, 11, 12, 15),
    "normalised_cg": (0, 0.33, 0.33, 0.5, 0.4, 0.44, 0.38, 0.46, 0.44, 0.5),
    # Rank 5 is 0.38 in one copy; 1/log2(6) = 0.387.
    "discount": (1, 0.63, 0.5, 0.43, 0.39, 0.36, 0.33, 0.32, 0.3, 0.29),
    "dcg": (0, 1.26, 1.76, 3.05, 3.05, 3.77, 3.77, 4.71, 5.01, 5.88),
    "idcg": (3, 4.89, 6.39, 7.68, 8.85, 9.56, 10.22, 10.86, 11.46, 12.04),
    "ndcg": (0, 0.26, 0.28, 0.4, 0.35, 0.39, 0.37, 0.43, 0.44, 0.49),
}

CLASSIC = Hits.of_grades([3, 2, 3, 0, 0, 1, 2, 2, 3, 0])
CLASSIC_COLUMNS = {
    "discounted_gain": (3, 2, 1.89, 0, 0, 0.39, 0.71, 0.67, 0.95, 0),
    "dcg": (3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61),
    # Rank 6 is cut to 10.52 in print.
    "idcg": (3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 10.88, 10.88, 10.88),
    # Rank 4 is printed as 0.76; 6.89/8.89 = 0.775.
    "ndcg": (1, 0.83, 0.87, 0.775, 0.71, 0.69, 0.73, 0.8, 0.88, 0.88),
}

# Measure, list, printed value, decimals (None: exact), source.
ROWS = [
    ("set_P", METHOD_A, 0.5, 2, WEBER_SETS),
    ("set_recall", METHOD_A, 0.35, 2, WEBER_SETS),
    ("set_F", METHOD_A, 0.41, 2, WEBER_SETS),
    ("set_P", METHOD_B, 0.67, 2, WEBER_SETS),
    ("set_recall", METHOD_B, 0.2, 2, WEBER_SETS),
    ("set_F", METHOD_B, 0.31, 2, WEBER_SETS),
    *((f"P@{k}", FOURTEEN, value, 2, WEBER_RANKED) for k, value in enumerate(PRECISION_14, 1)),
    *((f"R@{k}", FOURTEEN, value, 2, WEBER_RANKED) for k, value in enumerate(RECALL_14, 1)),
    ("AP", FOURTEEN, (1 + 1 + 3 / 4 + 4 / 6 + 5 / 13) / 5, None, WEBER_RANKED),
    ("RR", FOURTEEN, 1, None, WEBER_RANKED),
    ("Rprec", FOURTEEN, 3 / 5, None, WEBER_RANKED),
    *(
        (f"IPrec@{tenth / 10}", FOURTEEN, value, None, WEBER_RANKED)
        for tenth, value in enumerate([1] * 5 + [3 / 4] * 2 + [4 / 6] * 2 + [5 / 13] * 2)
    ),
    ("11pt", FOURTEEN, (5 + 2 * 3 / 4 + 2 * 4 / 6 + 2 * 5 / 13) / 11, None, WEBER_RANKED),
    ("efficiency", FOURTEEN, 0.7251262916254892, None, WEBER_RANKED),
    *((f"nDCG@{k}", GRADED, value, 2, WEBER_GRADED) for k, value in enumerate(GRADED_COLUMNS["ndcg"], 1)),
    *((f"nCG@{k}", GRADED, value, 2, WEBER_GRADED) for k, value in enumerate(GRADED_COLUMNS["normalised_cg"], 1)),
    *((f"CG@{k}", GRADED, value, None, WEBER_GRADED) for k, value in enumerate(GRADED_COLUMNS["cg"], 1)),
    ("P@10", GRADED, 0.7, None, WEBER_GRADED),
    ("DCG(gain=exp)@10", GRADED, 11.0089, 4, WEBER_GRADED),
    ("nDCG(gain=exp)@10", GRADED, 0.433, 3, WEBER_GRADED),
    *((f"DCG(discount=original)@{k}", CLASSIC, value, 2, SLIDES) for k, value in enumerate(CLASSIC_COLUMNS["dcg"], 1)),
]
