"""Rows that belong to patients or psychiatrists, and what is printed about them."""

from collections.abc import Sequence

import numpy as np

SOURCE_OF_ARTERIES = (
    "N. Obuchowski (1997), Biometrics 53, 567–578, table 3: two readers of the arteries of 36 patients by magnetic "
    "resonance angiography; its components as the author's program clusteredROC prints them, without the "
    "records that lack a reading"
)

# Of each patient the arteries: whether stenosed, and the readings of both readers.
_ARTERIES = """
1 87 87, 1 79 83; 1 88 94, 1 95 93; 1 100 100, 1 68 79; 1 65 61, 1 89 91; 1 97 97, 1 100 100; 1 100 99, 1 89 88;
1 77 77; 1 94 89, 0 45 44; 1 89 92, 0 -11 -17; 1 95 91, 0 30 14; 1 95 95, 0 10 -122; 1 100 100, 0 19 -3; 1 75 75;
0 70 73, 1 70 81; 0 26 27, 1 86 93; 0 0 8, 1 65 70; 0 6 23, 1 100 100; 0 76 79, 1 96 95; 0 44 55, 1 100 100;
0 73 67, 1 97 94; 1 85 86; 0 58 60, 1 100 99; 0 -2 -2, 1 100 100; 0 -3 -14, 0 0 -11; 0 47 -3, 0 -94 -90;
0 -16 17, 0 75 85; 0 5 -22, 0 -1 -14; 0 -6 -52; 0 37 38, 0 47 35; 0 42 40, 0 4 6; 0 55 23, 0 55 45;
0 4 -87, 0 -13 -65; 0 49 24, 0 35 9; 0 53 66; 0 2 -15; 0 -48 -78
"""
_PATIENTS = [[tuple(map(int, artery.split())) for artery in one.split(",")] for one in _ARTERIES.split(";")]
STENOSED, FIRST_READER, SECOND_READER = np.array([artery for one in _PATIENTS for artery in one]).T
PATIENTS = np.repeat(np.arange(len(_PATIENTS)), [len(one) for one in _PATIENTS])

NUMBERS = (23, 27, 36)  # patients with a stenosed artery, with another one, and all
AREAS, ERRORS = (0.9837, 0.9852), (0.0108, 0.0097)
INTERVAL_OF_FIRST = (0.9625, 1.005)
# Sums of squares of the positives, of the negatives, and of both: of the first reader, the second and between them.
COMPONENTS = {
    (0, 0): (0.0013151307, 0.0022375873, 2 * 0.0051785478),
    (1, 1): (0.0009284122, 0.0022598583, 2 * -0.0005015760),
    (0, 1): (0.0008484357, 0.0019241250, 0.0028648340 - 0.0015136931),
}
DIFFERENCE, ERROR_OF_DIFFERENCE, P_OF_DIFFERENCE = 0.0014, 0.0066, 0.8271

SOURCE_OF_PAIRS = (
    "V. Durkalski et al. (2003), Statistics in Medicine 22, 2417–2428: PET and SPECT of glands without disease of 21 "
    "patients (N. Obuchowski 1998, Statistics in Medicine 17, 1495–1507), and answers of 29 psychiatrists and their "
    "patients (A. Donner, P. Petryshen 1989, Psychiatry Research 28, 41–46); data of the R package clust.bin.pair 0.1.2"
)

# Of each cluster, a letter a pair: b for both, f for the first only, s for the second only, n for neither.
PAIRS = {
    "glands": """
    ssn bbs bbb b bbs bbbb bbb bb bf b bbn bb bbb bb ss bbn bbn bbs bb b bb
    """,
    "psychiatrists": """
    bssssnn bfssnn bbbfsss bbfssn bbsn fffsss fffnn fffssnnn fssn ssssnnn bss bfssss bsssnnn bbssnn bbsnn bsss bbsnnn
    bssnn fffn bbf bfnnn ffss bsnn ss ssn nn nn bsn s
    """,
}
CHI_SQUARES = {
    "glands": {"McNemar": 4.5, "Obuchowski": 2.86, "Durkalski": 2.32},
    "psychiatrists": {"McNemar": 11.845, "Obuchowski": 7.19, "Durkalski": 7.542},
}
"""Of equal shares: as if the pairs were independent, and by the two tests for pairs in clusters."""


def pairs_of(name: str) -> tuple[Sequence[bool], Sequence[bool], np.ndarray]:
    """Both answers to each pair, and its cluster."""
    clusters = PAIRS[name].split()
    letters = "".join(clusters)
    codes = np.repeat(np.arange(len(clusters)), [len(one) for one in clusters])
    return [letter in "bf" for letter in letters], [letter in "bs" for letter in letters], codes
