"""The threshold page: areas, lines, slider and numbers all show the counts at the one threshold of the address."""

import base64
import html
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore import METRICS
from evalcore.classification import ConfusionCounts, ScoredLabels
from evalcore.figures.numbers import share_text, threshold_text
from evalcore.inference import wilson
from evalcore.readers import DataSet, read_table
from evalcore.readers.samples import read_sample, samples
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved, stored

ROOT = Path(__file__).parents[2]
CELLS = ("tp", "fp", "fn", "tn")
SCORED = [s.id for s in samples().values() if s.kind in ("scores", "probabilities")]
INF = float("inf")


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    return test


def of_scores(positives: list[float], negatives: list[float]) -> str:
    rows = [f"1,{score!r}" for score in positives] + [f"0,{score!r}" for score in negatives]
    return stored("actual,score\n" + "\n".join(rows) + "\n")


def figure(test: AppTest) -> dict:
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def numbers(values: object) -> np.ndarray:
    """An array of a figure, as Plotly packs it for the browser."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in values or []], dtype=float)


def areas(test: AppTest) -> tuple[float, ...]:
    """The four counts as a reader of the picture would add them up."""
    found = {
        t["name"].lower(): float(np.abs(numbers(t["y"])).sum()) for t in figure(test)["data"] if t["type"] == "bar"
    }
    return tuple(found[cell] for cell in CELLS)


def lines(test: AppTest) -> dict[str, dict]:
    return {t["name"]: t for t in figure(test)["data"] if t["type"] == "scatter"}


def drawn_at(line: dict, threshold: float) -> float:
    """Where a stepped line stands over a threshold between two of its points."""
    x, y = numbers(line["x"]), numbers(line["y"])
    assert (np.diff(x) > 0).all()
    after = int(x.searchsorted(threshold))
    # "vh" steps at the lower end of a stretch, so the stretch has the value of its upper end; "hv" the other way round.
    return y[after] if line["line"]["shape"] == "vh" else y[after - 1]


def state(sample: str, system: str | None = None, higher: bool = True) -> ScoredLabels:
    rows = read_sample(sample).scored_arrays(system)
    return ScoredLabels.from_arrays(rows.labels, rows.scores, weights=rows.weights, higher_is_positive=higher)


def four(counts: ConfusionCounts) -> tuple[float, ...]:
    return tuple(float(getattr(counts, cell)) for cell in CELLS)


def outcomes(test: AppTest) -> tuple[float, ...]:
    """The four counts in the small table."""
    body = next(e.proto.body for e in test.get("html") if 'class="outcomes"' in e.proto.body)
    written = dict(re.findall(r'<td class="(\w\w)"><div><b>(.*?)</b>', body))
    return tuple(float(written[cell].replace("\u202f", "")) for cell in CELLS)


def captions(test: AppTest) -> str:
    return html.unescape(" ".join(c.value for c in test.main.caption)).replace("\u2060", "").replace("\u202f", "")


def slider(test: AppTest):
    return test.select_slider(key="threshold slider")


# One threshold, one set of counts


@pytest.mark.parametrize("sample", SCORED)
@pytest.mark.parametrize("threshold", ["0.5", "0.54", "21.5", "-3", "inf", "-inf"])
def test_areas_and_table_are_the_counts_at_the_threshold(sample, threshold) -> None:
    test = opened(data=sample, t=threshold)
    expected = four(state(sample).counts_at(float(threshold)))
    assert areas(test) == expected
    assert outcomes(test) == expected


@pytest.mark.parametrize("threshold", ["0.5", "0.54", "inf", "-inf"])
def test_they_are_where_lower_scores_are_positive(threshold) -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=False)
    test = opened(data="roc_20", roles=roles.to_text(), t=threshold)
    expected = four(state("roc_20", higher=False).counts_at(-float(threshold)))
    assert areas(test) == outcomes(test) == expected


def test_the_system_of_the_address_is_shown() -> None:
    test = opened(data="breast_cancer", system="nearest_neighbours", t="0.4")
    assert areas(test) == four(state("breast_cancer", "nearest_neighbours").counts_at(0.4))


@pytest.mark.parametrize("threshold", ["nan", "abc", "", "1e999999999x", "--1", "0,5"])
def test_a_threshold_that_is_no_number_counts_as_missing(threshold) -> None:
    assert areas(opened(data="roc_20", t=threshold)) == (6, 4, 4, 6)


@pytest.mark.parametrize("higher", [True, False])
def test_lines_are_the_measures_at_every_threshold_and_between(higher) -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=higher)
    test = opened(data="roc_20", roles=roles.to_text(), lines=["recall", "precision", "accuracy", "jaccard index"])
    assert set(lines(test)) == {"recall", "precision", "accuracy", "jaccard index"}
    scored, sign = state("roc_20", higher=higher), 1 if higher else -1
    scores = sorted({*scored.positive_scores, *scored.negative_scores})
    between = [(a + b) / 2 for a, b in pairwise(scores)]
    for name, line in lines(test).items():
        measure = METRICS[name.replace(" ", "_").removesuffix("_index")]
        at_scores = {sign * score: float(measure(scored.counts_at(score))) for score in scores}
        end = numbers(line["x"]).min() if higher else numbers(line["x"]).max()
        at_scores[end] = at_scores[sign * scores[0]]  # everything is positive from there on
        assert dict(zip(numbers(line["x"]).tolist(), numbers(line["y"]).tolist(), strict=True)) == at_scores
        assert [drawn_at(line, sign * t) for t in between] == [float(measure(scored.counts_at(t))) for t in between]


def test_lines_of_many_scores_are_thinned_but_true() -> None:
    test = opened(data="breast_cancer")
    scored = state("breast_cancer", "logistic_regression")
    line = lines(test)["recall"]
    expected = METRICS["recall"](scored.counts_at(numbers(line["x"])))
    assert numbers(line["y"]).tolist() == expected.tolist()


def test_the_lines_of_the_address_are_drawn_on_the_first_visit() -> None:
    test = opened(data="roc_20", lines=["accuracy"])
    assert set(lines(test)) == {"accuracy"}
    assert test.multiselect(key="lines").value == ["accuracy"]


def test_lines_that_nobody_chose_are_not_drawn() -> None:
    test = opened(data="roc_20")
    test.multiselect(key="lines").set_value([]).run()
    assert not test.exception
    assert lines(test) == {}
    assert areas(test) == (6, 4, 4, 6)


def test_the_picture_says_what_it_shows() -> None:
    said = opened(data="roc_20", t="0.54").get("plotly_chart")[0].proto.alt
    assert said.startswith("Scores of both classes, cut at 0.54: 5 TP, 1 FP, 5 FN, 9 TN.")


def test_rates_have_the_interval_that_is_asked_for() -> None:
    test = opened(data="roc_20", t="0.54", level="80 %")
    body = next(e.proto.body for e in test.get("html") if 'class="rates"' in e.proto.body)
    interval = wilson(5, 10, 0.8)
    assert f'title="{share_text(float(interval.low))} to {share_text(float(interval.high))}"' in body
    assert "80 % intervals (Wilson)" in captions(test).replace("\u202f", " ")


# The slider and the field


def test_every_step_of_the_slider_is_a_distinct_score_and_infinity() -> None:
    scored = state("roc_20")
    distinct = sorted({*scored.positive_scores, *scored.negative_scores})
    assert slider(opened(data="roc_20")).options == [*map(threshold_text, distinct), "∞"]


def test_where_lower_is_positive_the_infinity_is_at_the_other_end() -> None:
    roles = replace(read_sample("roc_20").roles, higher_is_positive=False)
    options = slider(opened(data="roc_20", roles=roles.to_text())).options
    assert options[0] == "−∞"
    assert options[1:] == slider(opened(data="roc_20")).options[:-1]


@pytest.mark.parametrize("distinct", [999, 1000])
def test_up_to_a_thousand_distinct_scores_each_is_a_step(distinct) -> None:
    test = opened(data=of_scores([k / 4 for k in range(distinct)], [1 / 4]))
    assert slider(test).options == [*(threshold_text(k / 4) for k in range(distinct)), "∞"]
    assert f"Each step is one of the {distinct} distinct scores" in captions(test)


@pytest.mark.parametrize("threshold", ["0.25", "777.25", "1500.75", "inf"])
def test_of_more_the_slider_has_a_thousand_with_the_present_one_among_them(threshold) -> None:
    test = opened(data=of_scores([k / 4 for k in range(8001)], [1 / 4]), t=threshold)
    assert len(slider(test).options) in (1000, 1001)
    assert slider(test).value == float(threshold)
    assert threshold_text(float(threshold)) in slider(test).options
    assert "steps over 8001 distinct scores" in captions(test)


@pytest.mark.parametrize(
    ("threshold", "step"), [("0.54", 0.54), ("0.535", 0.54), ("0.95", INF), ("-2", 0.1), ("inf", INF), ("-inf", 0.1)]
)
def test_the_slider_stands_at_the_score_with_the_same_counts(threshold, step) -> None:
    assert slider(opened(data="roc_20", t=threshold)).value == step


def test_the_slider_writes_the_score_into_the_address() -> None:
    test = opened(data="roc_20")
    slider(test).set_value(0.54).run()
    assert test.query_params["t"] == "0.54"
    assert areas(test) == (5, 1, 5, 9)


def test_the_field_takes_any_value_exactly() -> None:
    test = opened(data="roc_20")
    test.number_input(key="threshold field").set_value(0.123456789012345).run()
    assert test.query_params["t"] == "0.123456789012345"
    assert test.number_input(key="threshold field").value == 0.123456789012345
    assert slider(test).value == 0.3


def test_at_infinity_the_field_is_empty_and_stays_harmless() -> None:
    test = opened(data="roc_20", t="inf")
    assert test.number_input(key="threshold field").value is None
    test.run()
    assert areas(test) == (0, 0, 10, 10)


def test_scores_that_differ_in_the_tenth_digit_are_steps_of_their_own() -> None:
    test = opened(data=of_scores([0.12345678901, 0.5], [0.12345678902, 0.1]), t="0.12345678902")
    assert slider(test).options == ["0.1", "0.12345678901", "0.12345678902", "0.5", "∞"]
    assert areas(test) == (1, 1, 1, 1)
    slider(test).set_value(0.12345678901).run()
    assert areas(test) == (2, 1, 0, 1)


def test_the_threshold_is_the_one_of_the_other_pages() -> None:
    test = opened(data="roc_20")
    slider(test).set_value(0.54).run()
    test.switch_page("pages/classify/confusion.py").run()
    cells = {cell["key"]: cell["value"] for cell in json.loads(test.get("bidi_component")[0].proto.json)["cells"]}
    assert tuple(cells[cell] for cell in CELLS) == (5, 1, 5, 9)


# Data at the edge


@pytest.mark.parametrize(
    ("positives", "negatives", "threshold", "counts"),
    [
        ([0.4] * 3, [0.4] * 2, "0.4", (3, 2, 0, 0)),  # all scores equal
        ([0.4] * 3, [0.4] * 2, "0.41", (0, 0, 3, 2)),
        ([1.0, 1.0, 0.0], [0.0, 0.0], "1", (2, 0, 1, 2)),  # two distinct scores
        ([0.7], [0.1, 0.2, 0.9], "0.5", (1, 1, 0, 2)),  # one row of a class
        ([1e300, 2e300], [-1e300], "0", (2, 0, 0, 1)),
        ([1e300, 1e-300], [1e-300, -1e-300], "1e-300", (2, 1, 0, 1)),
        ([1e-300, 3e-300], [2e-300], "2e-300", (1, 1, 1, 0)),
        ([1.7e308], [-1.7e308], "1e308", (1, 0, 0, 1)),
        ([0.1, 0.2, 0.3], [0.7, 0.8, 0.9], "0.5", (0, 3, 3, 0)),  # an AUC below ½
        ([-5.0, -4.0], [-6.0, 3.0], "-4.5", (1, 1, 1, 1)),
        ([0.5, 0.5 + 2**-53], [0.5], repr(0.5 + 2**-53), (1, 0, 1, 1)),  # neighbours
    ],
)
def test_edges_of_what_scores_can_be(positives, negatives, threshold, counts) -> None:
    data = of_scores(positives, negatives)
    test = opened(data=data, t=threshold)
    assert areas(test) == outcomes(test) == counts
    assert not test.error
    assert all(np.isfinite(numbers(trace["x"])).all() for trace in figure(test)["data"])
    assert not opened(data=data).error  # where nobody has chosen a threshold yet


def test_the_page_starts_at_a_half_for_scores_between_0_and_1_and_at_youdens_threshold_else() -> None:
    assert areas(opened(data="roc_20")) == (6, 4, 4, 6)
    assert outcomes(opened(data=of_scores([7.0, 8.0], [5.0, 6.0]))) == (2, 0, 0, 2)


@pytest.mark.parametrize("label", ["1", "0"])
def test_one_class_only_still_draws(label) -> None:
    test = opened(data=stored(f"actual,score\n{label},0.9\n{label},0.4\n{label},0.3\n"), t="0.35")
    assert sorted(areas(test)) == [0, 0, 1, 2]


def test_weights_count_and_rows_of_weight_0_do_not() -> None:
    dataset = read_table(b"actual,score,weight\n1,0.9,2\n1,0.4,0\n0,0.8,3\n0,0.1,1\n0,0.95,0\n", "weighted.csv")
    dataset = dataset.with_roles(replace(dataset.roles, score=("score",), weight="weight"))
    test = opened(data=saved(dataset), t="0.5")
    assert areas(test) == outcomes(test) == (2, 3, 0, 1)
    assert slider(test).options == ["0.1", "0.8", "0.9", "∞"]


def test_weights_that_are_all_0_are_told_and_break_nothing() -> None:
    dataset = read_table(b"actual,score,weight\n1,0.9,0\n0,0.4,0\n0,0.8,0\n", "weighted.csv")
    dataset = dataset.with_roles(replace(dataset.roles, score=("score",), weight="weight"))
    opened(data=saved(dataset))


def test_a_million_rows_of_few_scores_answer_like_a_few() -> None:
    rng = np.random.default_rng(3)
    labels, scores = rng.random(1_000_000) < 0.3, rng.integers(0, 11, 1_000_000) / 10
    dataset = DataSet.of(pd.DataFrame({"actual": labels.astype(int), "score": scores}), "ties.csv")
    test = opened(data=saved(dataset), t="0.5")
    said = scores >= 0.5
    expected = tuple(
        float(np.sum(a & b)) for a, b in ((labels, said), (~labels, said), (labels, ~said), (~labels, ~said))
    )
    assert areas(test) == outcomes(test) == expected
    assert len(slider(test).options) == 12


@pytest.mark.parametrize("name", NASTY)
def test_names_from_a_file_are_shown_as_they_are(name) -> None:
    frame = pd.DataFrame([(name, 0.9), ("zz", 0.2), (name, 0.4), ("zz", 0.6)], columns=["truth", f"score {name}"])
    dataset = DataSet.of(frame, f"{name}.csv")
    test = opened(data=saved(dataset.with_roles(replace(dataset.roles, positive=name))))
    assert not test.error
    assert areas(test) == (1, 1, 1, 1)
    assert not set(slider(test).label) & set("<>[]*`~$|^")
    table = next(e.proto.body for e in test.get("html") if 'class="outcomes"' in e.proto.body)
    assert set(re.findall(r"</?(\w+)", table)) <= {"table", "tbody", "tr", "td", "th", "div", "b"}
    assert html.escape(name[:20].strip()) in table or len(name) > 24 or " " in name


def test_nothing_open_offers_what_fits() -> None:
    test = opened()
    assert not test.get("plotly_chart")
    test.button(key="offer roc_20").click().run()
    assert areas(test) == (6, 4, 4, 6)


def test_labels_without_scores_are_no_place_for_a_threshold() -> None:
    test = opened(data="eight_labels")
    assert "This page needs the actual class of each row and a score." in test.markdown[0].value


@pytest.mark.parametrize(
    ("sample", "higher", "threshold"),
    [("roc_20", True, "0.54"), ("roc_20", False, "-0.1"), ("glucose_10", True, "inf"), ("breast_cancer", True, "0.5")],
)
def test_the_code_to_take_away_finds_the_same_counts(sample, higher, threshold, monkeypatch) -> None:
    roles = replace(read_sample(sample).roles, higher_is_positive=higher)
    test = opened(data=sample, roles=roles.to_text(), t=threshold)
    monkeypatch.chdir(ROOT)
    found: dict = {}
    exec(test.code[0].value, found)  # noqa: S102  its assertion is the test
    assert four(found["counts"]) == outcomes(test)
