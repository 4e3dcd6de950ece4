"""Lists and judgments for trec_eval to be asked about: made by a seed, and full of what programs differ in.

``python -m tests.retrieval.trec_eval_lists`` writes them anew. What trec_eval 9.0.4 prints for them stands beside
them, each file under the options it was run with; `OPTIONS` has these.
"""

from pathlib import Path
from random import Random

SEED = 931
FOLDER = Path(__file__).parent / "trec_eval_9_0_4"

_CUT = "1,3,10,1000"
_MEASURES = (
    *("map", "gm_map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "11pt_avg", "set_P", "set_recall", "set_F.4"),
    *(f"{name}.{_CUT}" for name in ("P", "recall", "success", "ndcg_cut", "map_cut")),
    *("iprec_at_recall.0,.05,.15,.25,.3,.35,.5,.65,.7,.9,1", "Rprec_mult.0.2,0.5,1.4,2.0"),
)
MEASURES = " ".join(f"-m {name}" for name in _MEASURES)
OPTIONS = {
    "official.txt": "-q",
    "official-c.txt": "-q -c",
    "official-c-l2.txt": "-q -c -l 2",
    "measures.txt": f"-q {MEASURES}",
    "measures-c-l2.txt": f"-q -c -l 2 {MEASURES}",
    "measures-M4.txt": f"-q -M 4 {MEASURES}",
    "measures-J.txt": f"-q -J {MEASURES}",
    "gains.txt": "-q -m ndcg.1=3,2=7,3=1",
}
"""The file of an output, and the options of trec_eval that gave it."""

# Of one to 28 bytes, with the same beginning, not all ASCII: trec_eval orders ties by their bytes, the last first.
_DOCUMENTS = (
    *("d1", "d10", "d2", "D2", "0", "00", "~", "_a", "é", "É2", "文書", "a|b", '"quoted"', "it's", "x,y", "50%"),
    *(f"FBIS-1994-{place:04d}" for place in range(8)),
    *(f"clueweb12-0000tw-00-0000{place}" for place in range(4)),
)
_QUERIES = ("1", "2", "10", "301", "q-7", "ö", "no-list", "no-judgment", "irrelevant", "only-pooled-below")


def texts() -> tuple[str, str]:
    """The run and the judgments, as files have them."""
    random = Random(SEED)
    run, judged = [], []
    for place, query in enumerate(_QUERIES):
        if query != "no-judgment":
            highest = 0 if query == "irrelevant" else 3
            for document in random.sample(_DOCUMENTS, random.randint(4, 16)):
                grade = random.choice((-1, 0, 0, *range(highest + 1)))
                judged.append(f"{query} 0 {document} {grade}")
        if query == "only-pooled-below":
            judged.append(f"{query} 0 never-found 2")
        if query != "no-list":
            found = random.sample(_DOCUMENTS, random.randint(3, len(_DOCUMENTS)))
            score = _SCORES[place % len(_SCORES)]
            run += [f"{query} Q0 {name} {rank} {score(random)!r} seed{SEED}" for rank, name in enumerate(found, 1)]
    random.shuffle(run)
    random.shuffle(judged)
    return "\n".join(run) + "\n", "\n".join(judged) + "\n"


_SCORES = (
    lambda random: random.randint(0, 4),
    lambda random: random.uniform(-9, 9),
    lambda random: random.uniform(-1, 1) * 1e-30,
    lambda random: random.uniform(-1, 1) * 1e-50,  # 0 in 32 bits
    lambda random: random.uniform(-1, 1) * 1e39,  # some are infinite in 32 bits
    lambda random: 1 + random.randint(0, 60) * 1e-8,  # six different ones in 32 bits
)

if __name__ == "__main__":
    for name, text in zip(("lists.run", "lists.qrels"), texts(), strict=True):
        (FOLDER / name).write_text(text, encoding="utf-8")
