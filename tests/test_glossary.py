"""The glossary: every measure, term and message has a whole entry, found by every name the field uses."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from evalcore import METRICS
from evalcore.analyses import GlossaryEntry, MeasureValues, Source, definitions, glossary_code
from evalcore.classification import ConfusionCounts
from evalcore.glossary import ADVICE, MAPS, cells_read, entries, entry_of, message_key, relations, search_entries
from evalcore.learning import TRAPS
from evalcore.learning.stories import STORIES
from evalcore.readers import CONCERNS, read_sample, samples
from evalcore.registry.measures import MISLEADS

PAGES = Path(__file__).parents[1] / "pages"


def test_every_measure_has_a_whole_entry() -> None:
    for key, measure in METRICS.items():
        assert key in MISLEADS, f"{key}: say when it misleads, in evalcore/registry/measures.toml"
        shown = "\n".join(GlossaryEntry(entries()[key]).lines)
        for part in ("**Range**", "**Misleads when**", "**Source** ["):
            assert part in shown, key
        assert 30 < len(measure.misleads_when) < 260, key
        assert not measure.misleads_when.endswith("."), key
        assert measure.link.startswith(("https://", "http://www.dcs.gla.ac.uk/")), key
    unknown = MISLEADS.keys() - METRICS.keys()
    assert not unknown, f"no measure has these keys: delete them from evalcore/registry/measures.toml: {unknown}"


def test_every_entry_has_a_definition_of_one_plain_sentence() -> None:
    lines = [line.split("\t") for line in definitions().split("\n")]
    assert [key for key, *_ in lines] == list(entries())
    for key, title, sentence, facts in lines:
        assert title, key
        assert 2 < len(sentence.split()) < 45, key
        assert not set("\\{}$*`") & set(sentence + facts), key
        assert (" to " in facts) == (key in METRICS), key
    facts = {key: facts for key, *_, facts in lines}
    assert facts["recall"] == "TP / (TP + FN) · 0 to 1, higher is better"
    assert facts["miss_rate"] == "FN / (TP + FN) · 0 to 1, lower is better"
    assert facts["matthews_correlation"] == "−1 to 1, higher is better"


def test_every_message_about_a_data_set_has_an_entry() -> None:
    messages = {key for key, entry in entries().items() if entry.kind == "message"}
    assert messages == set(map(message_key, CONCERNS))


def test_every_measure_stands_on_one_map_and_is_joined_to_another() -> None:
    file = "evalcore/glossary/measures.toml"
    placed = Counter(key for chart in MAPS.values() for key in chart.keys)
    for key in (*METRICS, *placed):
        assert key in METRICS, f"{key}: no measure has this key, delete it from the maps in {file}"
        assert placed[key] == 1, f"{key}: give it one place on a map in {file}; it has {placed[key]}"
    joined = {key for each in relations() for key in (each.one, each.other)}
    for key in (*METRICS, *joined):
        assert key in METRICS, f"{key}: no measure has this key, delete it from the relations in {file}"
        assert key in joined, f"{key}: say in the relations of {file} what joins it to another measure"


def test_entries_lead_to_entries_and_pages_that_exist() -> None:
    for entry in entries().values():
        assert set(entry.see) <= entries().keys(), entry.key
        assert 8 < len(entry.text.split()) < 130, entry.key
        for view in (*entry.at, *GlossaryEntry(entry).views):
            assert (PAGES / f"{view.page}.py").exists(), entry.key
            link = view.parameters
            known = link.get("trap") in TRAPS or int(link.get("step", 0)) in range(1, 1 + _steps(link.get("story", "")))
            assert known or link["data"] in samples(), entry.key


def _steps(story: str) -> int:
    return len(STORIES[story].steps) if story in STORIES else 0


def test_a_term_with_a_trap_leads_to_it_and_to_its_data() -> None:
    trapped = {entry.key: entry.at[0].parameters.get("trap") for entry in entries().values() if entry.at}
    own = {"accuracy-paradox": "accuracy", "kappa-paradox": "kappa"} | {key: key for key in TRAPS if key in trapped}
    assert {"simpson", "leak", "ties", "optimism", "clusters", "unjudged"} <= own.keys()
    for key, trap in own.items():
        first, then = entries()[key].at
        assert (first.page, first.parameters) == ("learn/challenges", {"challenges_part": "Traps", "trap": trap})
        settings = dict(TRAPS[trap].settings)
        assert (then.page, then.parameters) == (TRAPS[trap].page, settings), key


VOCABULARY = {
    "recall": ("sensitivity", "TPR"),
    "precision": ("PPV",),
    "cohen_kappa": ("κ",),
    "average_precision_at": ("MAP",),
    "ndcg": ("ndcg_cut_10",),
    "reciprocal_rank": ("recip_rank",),
    "precision_at": ("P_5",),
    "interpolated_precision_at": ("iprec_at_recall_0.30",),
    "type-1-error": ("type 1 error",),
    "type-2-error": ("Type II error",),
    "f-alpha": ("α", "F alpha", "u", "1 − F", "van Rijsbergen"),
    "e_measure": ("E",),
    "f_beta": ("F2",),
    "which-beta": ("beta",),
    "fall_out": ("fallout",),
    "r_precision": ("R-precision",),
    "precision-at-recall": ("precision at recall r",),
    "normalised_cumulated_gain": ("normalised CG",),
    "inex": ("INEX",),
    "trec": ("TREC", "topics", "TREC workflow", "INEX workflow"),
    "pool": ("assessors",),
    "dense-sparse": ("sparse judgments",),
    "macro-micro": ("macro/micro",),
    "imbalance": ("oversampling", "resampling"),
    "majority-baseline": ("ZeroR",),
    "shot-detection": ("shot detection",),
    "errata": ("erratum", "misprint"),
    "pr-corners": ("patent search", "mushrooms"),
    "kl-zero": ("KL > 0",),
    "rmse-factor": ("√(2E/N)",),
    "ppv-of-nothing": ("PPV of 0/0",),
    "ideal-dcg": ("ideal DCG cut to 10",),
    "extreme-prevalence": ("prevalence below .1",),
    "query-variance": ("query variance", "variance components"),
    "power": ("power", "queries needed"),
    "relevance-pairs": ("relevance pairs",),
    "threshold-or-rank": ("rank methods",),
    "precision-against-recall": ("trade-off",),
}
"""Names of lectures and programs, by the key of the entry that they find first."""


@pytest.mark.parametrize("key", sorted(VOCABULARY))
def test_names_of_lectures_and_programs_find_their_entry(key: str) -> None:
    assert {name: search_entries(name)[0].key for name in VOCABULARY[key]} == dict.fromkeys(VOCABULARY[key], key)


def test_a_name_of_nothing_finds_nothing() -> None:
    assert entry_of("zzzz") is None
    assert search_entries(" ") == []


def test_alpha_and_beta_of_f_are_one_family() -> None:
    counts = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
    precision, recall = 0.1, 2 / 3
    for alpha, beta in ((0.5, 1), (0.2, 2), (0.8, 0.5)):
        weighted = 1 / (alpha / precision + (1 - alpha) / recall)
        assert float(METRICS["f_beta"].with_params(beta=beta)(counts)) == pytest.approx(weighted, rel=1e-12)


def test_cells_that_a_measure_ignores_change_nothing() -> None:
    ignored = {key: cells_read(METRICS[key]).ignored for key in ("recall", "f_beta", "precision", "accuracy", "lift")}
    assert ignored == {"recall": ("fp", "tn"), "f_beta": ("tn",), "precision": ("fn", "tn"), "accuracy": (), "lift": ()}


@pytest.mark.parametrize("have", sorted(ADVICE))
def test_every_answer_has_a_short_list_with_reasons(have: str) -> None:
    advice = ADVICE[have]
    used = {one["because"]: False for one in advice.measures}
    for options in product(*(question["options"] for question in advice.questions)):
        chosen = advice.recommend({q["key"]: option for q, option in zip(advice.questions, options, strict=True)})
        keys = [one.key for one, _ in chosen]
        assert 2 <= len(keys) <= 5, options
        assert len(set(keys)) == len(keys), options
        used |= {because: True for _, because in chosen}
    assert all(used.values()), used


@pytest.mark.parametrize(
    ("sample", "key", "text"),
    [
        ("cancer_test", "precision", "10.0\u202f%"), ("cat_fish_hen", "macro_f1", "0.465"),
        ("roc_20", "roc_auc", "0.680"), ("roc_20", "brier_score", ""), ("diabetes", "root_mean_squared_error", "54.5"),
        ("two_methods", "recall", ""), ("digit_masks", "hausdorff_95", "3.77"), ("digit_masks", "f_beta", "0.815"),
        ("diabetes", "interval_coverage", "88.2"), ("breast_cancer", "ks_distance", "0.939"),
        ("cancer_test", "ks_distance", ""), ("digit_confidence", "kl_divergence", "0.162"),
    ],
)  # fmt: skip
def test_an_entry_has_its_value_on_the_open_data(sample: str, key: str, text: str) -> None:
    values = MeasureValues(Source.of(read_sample(sample)))
    assert values.text(METRICS[key]).startswith(text)


def test_a_value_says_what_of_the_data_it_is_of() -> None:
    for sample, key, origin in (
        ("digit_masks", "hausdorff_95", "mean of 40 images"), ("diabetes", "interval_score", "q05 to q95"),
        ("breast_cancer", "kl_divergence", "P: malignant, Q: benign"),
    ):  # fmt: skip
        assert f"({origin})" in GlossaryEntry(entries()[key], MeasureValues(Source.of(read_sample(sample)))).value


def test_the_python_of_an_entry_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(glossary_code(METRICS["recall"], None), {})  # noqa: S102
    assert "Misleads when" in capsys.readouterr().out
