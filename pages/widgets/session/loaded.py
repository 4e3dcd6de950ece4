"""The open data as states of evalcore: sorted scores, counts of four cells, rankings; kept once for all sessions."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from evalcore.analyses import GainSettings, LabelPairs, LabelThresholds, Rankings, Scores, Source, usable_gain
from evalcore.readers import ReadProblem, kinds_giving, kinds_on
from evalcore.registry import RETRIEVAL
from evalcore.retrieval import BASE, DISCOUNT
from evalcore.wording import linked_mentions, one_line, plain, with_parameters
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, opened, sample_setting
from pages.widgets.session.page_exit import end_page, need, usable
from pages.widgets.session.unloaded_tables import WORKER

SCORED, COUNTABLE = kinds_giving("scored"), kinds_on("classify/confusion")
_SHOWN = "threshold shown"
WORTH_SORTING_AHEAD, MOST_SORTED_AHEAD = 200_000, 3
"""Rows from which a reader would notice the sorting, and systems that are sorted before a page asks for them."""


def open_scores() -> Scores:
    """The scores of the system in the address; stops the page with an offer when there are none."""
    current = need(SCORED, "the actual class of each row and a score")
    return scores_of(current, current.system)


def scores_of(current: Source, system: str | None) -> Scores:
    """One system's scores; the page stops with a sentence when they cannot be used."""
    system = system or current.dataset.systems[0]
    with usable():
        _sort(current.key_of(system), current, system)
        return Scores.of(current, system)


def label_pairs_of(current: Source, prediction: str | None) -> LabelPairs | None:
    """The rows of the open data, None where it holds counts only. May raise ReadProblem."""
    if current.kind == "counts":
        return None
    with st.spinner("Counting …"):
        if current.scored_by in (None, "class"):
            return LabelPairs.of(current, prediction)
        scores = scores_of(current, current.system)
        return LabelPairs.at(scores, threshold_of(scores))


def sort_ahead(current: Source) -> None:
    """Have the scores of the first systems sorted while the reader looks at something else, where that takes long."""
    if current.kind in SCORED and len(current.dataset) >= WORTH_SORTING_AHEAD:
        _sort_ahead(current.key_of(None), current)


def threshold_of(scores: Scores) -> float:
    """The threshold of the address, or one to start from: ½ for scores in 0 … 1, else where Youden's J is highest."""
    if scores.current.scored_by == "label":
        return label_threshold(scores.current, scores.system)
    chosen = address.number("t")
    threshold = _start(scores.key, scores) if chosen is None else chosen
    st.session_state[_SHOWN] = f"{scores.rule} {scores.text(threshold)}"
    return threshold


def shown_threshold() -> str:
    """The rule by which this run has called rows positive, such as "≥ 0.5"; empty where it had no threshold."""
    return st.session_state.pop(_SHOWN, "")


def put_threshold(threshold: float) -> None:
    """Write a threshold into the address, of several labels that of the chosen one; good as a callback."""
    current = opened()
    if current is None or current.scored_by != "label" or current.system is None:
        address.put("t", float(threshold))
        return
    thresholds = label_thresholds(current)
    address.put_names("thresholds", replace(thresholds, own={**thresholds.own, current.system: float(threshold)}).lists)


def label_thresholds(current: Source) -> LabelThresholds:
    """How the address says that several labels have their thresholds."""
    thresholds = LabelThresholds.of(address.names("thresholds"), address.number("t"), current.dataset.systems)
    if not thresholds.lists:
        address.refuse("thresholds")
    return thresholds


def label_threshold(current: Source, label: str) -> float:
    """The threshold of one of several labels."""
    thresholds = label_thresholds(current)
    return _label_threshold((current.key_of(label), repr(thresholds)), thresholds, current, label)


def put_label_system(current: Source, system: str) -> None:
    """Open another of the systems that give labels to the same rows; good in a callback."""
    roles = current.label_systems[system]
    address.put("roles", None if roles == current.detected_roles else roles.to_text())


def put_label_thresholds(thresholds: LabelThresholds) -> None:
    """Write how labels have their thresholds into the address; good as a callback."""
    address.put("t", thresholds.common)
    address.put_names("thresholds", thresholds.lists)


_label_threshold = cache(LabelThresholds.at, 4096)


# The data set shares the state; what is kept here is only that the spinner was shown.
@st.cache_resource(max_entries=256, show_spinner="Sorting the scores …")
def _sort(key: str, _current: Source, _system: str) -> None:
    _ = _current.dataset.scored(_system).steps  # read by every curve


@st.cache_resource(max_entries=256, show_spinner=False)
def _sort_ahead(key: str, _current: Source) -> None:
    for system in _current.dataset.systems[:MOST_SORTED_AHEAD]:
        WORKER.submit(lambda system=system: _current.dataset.scored(system).steps)


_start = cache(lambda scores: scores.starting_threshold, 256)
RANKED = kinds_giving("judgments")
HIGHEST_K = 1_000_000
TREC_EVAL = {"9": "trec_eval 9", "10": "trec_eval 10"}  # versions whose numbers the names of trec_eval can mean


def open_rankings() -> Rankings:
    """The rankings that are open; the page ends with what it needs where there are none."""
    rankings = rankings_of(need(RANKED, "ranked lists and the grades of their documents"))
    with st.spinner("Ranking …"):
        mismatch = rankings.mismatch
    if mismatch is not None:
        _show_mismatch(rankings, mismatch)
        end_page()
    return rankings


def rankings_of(current: Source) -> Rankings:
    """Rankings with the settings of the address; ReadProblem where there are no lists."""
    if current.system is None:
        raise ReadProblem("No row names a system, so there are no lists. Choose another system column.")
    k, level = int(address.number("k", Rankings.k, 1, HIGHEST_K)), address.number("grade", Rankings.level, 1e-9, 1e9)
    only_common, version = address.choice("missing", ["leave"]), int(address.choice("trec_eval", list(TREC_EVAL), "9"))
    rankings = Rankings(current, current.system, k, level, only_common is not None, version)
    return replace(rankings, gains=gains_of(rankings).changed)


def gains_of(rankings: Rankings) -> GainSettings:
    """Gain and discount of the address, for every page of rankings."""
    gain = address.text("gain", GainSettings.gain)
    if gain != GainSettings.gain and not usable_gain(gain, rankings.grades):
        address.refuse("gain")
        gain = GainSettings.gain
    discount = address.choice("discount", DISCOUNT.choices, sample_setting("discount", GainSettings.discount))
    return GainSettings(gain, discount, address.number("base", BASE.default, 1.01, BASE.highest))


def _show_mismatch(rankings: Rankings, mismatch: str) -> None:
    """Say that judgments and run share nothing, with ids of both beside each other."""
    st.error(plain(mismatch, limit=800))
    if not rankings.has_lists:
        return
    sides = {"judgments": rankings.judgments, "run": rankings.run()}
    for column, (title, state) in zip(st.columns(2), sides.items(), strict=True):
        column.markdown(f"**In the {title}**")
        documents = state.documents.take(slice(5)).texts()
        column.text(f"queries: {_listed(state.queries[:5])}\ndocuments: {_listed(documents)}")
    st.page_link("pages/start/data.py", label="Open other files", query_params=address.parameters())


def _listed(names: Iterable[str]) -> str:
    return " · ".join(one_line(name, 40) for name in names) or "none"


def with_links(sentence: str) -> str:
    """Markdown of a verdict or a note, in which the first mention of each measure opens its entry."""
    return with_parameters(linked_mentions(sentence, open_family()), address.parameters())


def open_family() -> str | None:
    """The family of measures that a name means first on the open data, where it says so: AP of rankings."""
    current = opened()
    return RETRIEVAL if current is not None and current.kind in RANKED else None
