"""Settings of the playground: written into a link, read back, refused where they make no sense; and their numbers."""

import runpy
from pathlib import Path

import pytest

from evalcore.analyses import PlaygroundNumbers, playground_formulas
from evalcore.classification import roc_auc
from evalcore.learning import PRESETS, DrawnBars, Playground, ScoreModel, SkewNormal

DRAWN = ScoreModel(DrawnBars((0, 1) * 10), DrawnBars((30, 2) * 10), 0.25)
SETTINGS = {
    "first": Playground(),
    "drawn": Playground(DRAWN, 50, 12, 0.0, True, "ABBA", 120),
    "kept": Playground(ScoreModel(SkewNormal(60, 8, -0.35), SkewNormal(45.5, 2.25)), kept=DRAWN),
    **{name: playground for name, (playground, _) in PRESETS.items()},
}
FIRST = Playground().lists


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_written_is_read_back(name: str) -> None:
    playground = SETTINGS[name]
    assert Playground.of(playground.lists) == playground


@pytest.mark.parametrize(
    "lists",
    [
        (),
        FIRST[:2],
        (*FIRST[:2], ("0.5", "200", "1")),
        (*FIRST[:2], ("0.5", "200", "1", "nan")),
        (*FIRST[:2], ("0", "200", "1", "50")),
        (*FIRST[:2], ("0.5", "1e9", "1", "50")),
        (("60", "8"), *FIRST[1:]),
        (("60", "8", "1"), *FIRST[1:]),
        (("0" * 20,), ("1" * 20,), FIRST[2]),
        (("1" * 20,), *FIRST[1:]),
        (("Z" * 20,), ("1" * 20,), FIRST[2]),
        (("1" * 19,), ("1" * 19,), FIRST[2]),
        (*FIRST, ("own", "AC", "0")),
        (*FIRST, ("own", "A" * 201, "0")),
        (*FIRST, ("own", "A")),
        (*FIRST, ("own", "", "0"), ("60", "8", "0", "0.5")),
        (*FIRST, ("own", "", "0"), ()),
    ],
    ids=repr,
)
def test_a_link_that_makes_no_sense_is_refused(lists: tuple) -> None:
    with pytest.raises(ValueError, match=r"."):
        Playground.of(lists)


def test_presets_show_what_they_say() -> None:
    presets = {name: playground for name, (playground, _) in PRESETS.items()}
    assert presets["Overlap"] == Playground()
    assert presets["Well apart"].model.roc_auc > 0.999
    assert presets["Useless"].model.roc_auc == pytest.approx(0.5, abs=1e-12)
    tail = presets["Long tail"].model
    assert tail.recall_at(47) < tail.fall_out_at(47) - 0.1  # below the diagonal
    assert tail.recall_at(47) == pytest.approx(6 / 7, abs=0.01)
    rare, usual = presets["Rare positives"].model, presets["Rare positives"].kept
    assert rare.roc_auc == usual.roc_auc
    assert rare.average_precision < usual.average_precision - 0.3
    one, other = presets["Crossing"].model, presets["Crossing"].kept
    assert one.roc_auc == pytest.approx(other.roc_auc, abs=0.0005)
    few, many = one.recall_at([62, 37]) - other.recall_at([62, 37])
    assert (few > 0, many < 0) == (True, True)


@pytest.mark.parametrize("name", ["drawn", "Long tail"])
def test_the_script_finds_the_numbers_of_the_page(name: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    numbers = PlaygroundNumbers(SETTINGS[name])
    (tmp_path / "playground.py").write_text(numbers.code, encoding="utf-8")
    made = runpy.run_path(str(tmp_path / "playground.py"))
    assert made["model"] == numbers.playground.model
    assert roc_auc(made["sample"]) == roc_auc(numbers.playground.sample)
    assert "precision" in capsys.readouterr().out
    table = numbers.curve_table
    assert len({len(column) for column in table.values()}) == 1
    assert (table["TPR in theory"][[0, -1]] == [0, 1]).all()
    assert table["TP"][-1] + table["FP"][-1] == numbers.playground.rows
    assert "of pairs" in numbers.verdict
    assert len(playground_formulas(numbers)) == 4  # without the closed form, which is for two normal distributions
