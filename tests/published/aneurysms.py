"""Three markers of 113 patients after a bleeding in the brain, and what pROC prints about them.

Only the order of the values matters to a ROC curve, so the rows hold ranks: even ones of patients with a poor outcome
between two ranks of the others, odd ones shared. They are recovered from the placements in the tests of pROC; data of
N. Turck et al. (2010), Intensive Care Medicine 36, 107–115.
"""

SOURCE = "X. Robin et al. (2011), pROC, BMC Bioinformatics 12, 77; printed by the tests of pROC 1.18 (aSAH)"

POOR = {
    "wfns": """
    5 3 7 9 9 9 9 3 9 3 1 3 9 7 7 3 9 9 9 3 9 3 9 3 7 9 7 7 1 7 7 3 3 9 9 3 3 9 9 9 9
    """,
    "ndka": """
    42 26 32 40 4 10 20 48 52 48 48 16 36 44 6 8 34 2 56 44 18 20 24 34 46 29 44 8 54 39 4 13 44 4 12 48 22 36
    50 20 40
    """,
    "s100b": """
    13 9 19 12 36 42 40 3 29 7 3 34 32 39 42 24 42 42 42 3 42 26 0 7 22 42 24 42 5 24 13 9 11 22 42 15 42 27 42
    42 36
    """,
}
GOOD = {
    "wfns": """
    1 1 1 1 9 1 3 3 1 3 3 1 1 1 3 1 3 1 1 5 7 1 7 1 9 9 1 1 3 7 1 1 3 3 1 3 1 3 3 1 1 1 1 3 1 3 1 1 5 3 7 3 1 7
    1 1 9 7 3 3 1 1 1 5 1 3 3 7 7 1 1 1
    """,
    "ndka": """
    1 9 7 19 5 39 5 43 33 43 41 51 11 5 25 5 5 55 27 15 15 43 3 7 5 13 31 7 37 49 7 5 25 11 7 31 47 45 17 23 53
    5 41 15 19 19 37 3 41 25 11 19 43 19 23 7 15 19 47 9 25 29 49 21 25 11 47 17 35 45 5 33
    """,
    "s100b": """
    13 15 9 1 37 21 9 9 1 5 1 7 11 3 21 3 11 13 21 1 19 15 31 7 41 37 19 3 35 37 11 5 7 5 1 13 9 15 17 1 1 7 1 7
    5 19 7 5 29 11 25 3 9 27 3 1 23 33 9 17 5 15 9 3 1 21 17 37 21 17 41 39
    """,
}
"""Ranks of the patients with a poor outcome (41) and of those with a good one (72), in the order of the rows."""

LABELS = [True] * 41 + [False] * 72
SCORES = {marker: [float(rank) for rank in (POOR[marker] + GOOD[marker]).split()] for marker in POOR}

AREAS = {"wfns": 0.823678861788618, "ndka": 0.611957994579946, "s100b": 0.731368563685637}
VARIANCES = {"wfns": 0.00146991470882363, "ndka": 0.0031908105493913, "s100b": 0.00266868245717244}
COVARIANCES = {
    ("wfns", "ndka"): -0.000532967856762438,
    ("ndka", "s100b"): -0.000756164938056579,
    ("s100b", "wfns"): 0.00119615567376754,
}
INTERVAL_OF_NDKA = (0.501244999271703, 0.722670989888189)

TESTS = {
    ("wfns", "s100b"): (2.20898359144091, 0.0271757822291882, 0.0104061769564846, 0.174214419249478),
    ("wfns", "ndka"): (2.79777591868904, 0.00514557970691098, 0.0634011709339876, 0.3600405634833566),
    ("ndka", "s100b"): (-1.39077002573558, 0.164295175223054, -0.2876917446341914, 0.0488706064228094),
}
"""First marker less the second: Z, p and the 95 % interval."""

PARTIAL = [
    ("wfns", "fpr", 0, 0.1, 0.0334417344173442, 0.649693339038653),
    ("wfns", "fpr", 0.1, 0.2, 0.0598373983739837, 0.763749402199904),
    ("wfns", "fpr", 0.5, 1, 0.488134475939354, 0.952537903757416),
    ("wfns", "tpr", 0.9, 1, 0.0400999322493225, 0.68473648552275),
    ("wfns", "tpr", 0.8, 0.9, 0.0609953703703703, 0.770561002178649),
    ("wfns", "tpr", 0, 0.5, 0.483358739837398, 0.933434959349593),
    ("ndka", "fpr", 0, 0.1, 0.0107046070460705, 0.530024247610897),
    ("ndka", "fpr", 0.1, 0.2, 0.0277777777777778, 0.575163398692811),
    ("ndka", "fpr", 0.5, 1, 0.416836043360434, 0.667344173441734),
    ("ndka", "tpr", 0.9, 1, 0.0037940379403794, None),
    ("ndka", "tpr", 0.8, 0.9, 0.0242547425474255, 0.554439662043679),
    ("ndka", "tpr", 0, 0.5, 0.428523035230352, 0.714092140921409),
]
"""Marker, axis and its range, partial area, and the same corrected (None: below chance, where pROC gives no value)."""
