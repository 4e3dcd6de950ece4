"""The script writer imports what a program uses, and its numbers read back as they were."""

import ast
import math
import runpy
from pathlib import Path

import numpy as np
import pytest

from evalcore.analyses import check, literal, script


def test_what_is_used_is_imported_and_what_is_defined_is_not() -> None:
    code = script(
        "scored = ScoredLabels.from_arrays([True, False], [2, 1])\nfor name in ['roc_auc']:\n    print(find(name))"
    )
    imports = [line for line in code.splitlines() if "import" in line]
    assert imports == ["from evalcore import find", "from evalcore.classification import ScoredLabels"]


def test_a_name_that_nothing_defines_is_refused() -> None:
    with pytest.raises(NameError, match="nothing_of_ours"):
        script("print(nothing_of_ours)")


@pytest.mark.parametrize(
    "value", [1, 0.1, -0.0, math.inf, -math.inf, "a'b", (1,), [1.5, "x"], {"a": (1, 2)}, None, True]
)
def test_literals_read_back(value) -> None:
    assert eval(literal(value)) == value  # noqa: S307


def test_arrays_are_written_as_lists_and_nan_as_a_call() -> None:
    assert literal(np.array([1.0, np.nan])) == '[1.0, float("nan")]'
    assert ast.parse(check("x", np.float64(2)))


def test_a_script_runs_and_fails_on_another_number(tmp_path: Path) -> None:
    lines = "counts = ConfusionCounts(tp=4, fp=2, fn=1, tn=3)"
    path = tmp_path / "right.py"
    path.write_text(script(lines, check("[recall(counts), precision(counts)]", [0.8, 2 / 3])))
    runpy.run_path(str(path))
    path.write_text(script(lines, check("recall(counts)", 0.9)))
    with pytest.raises(AssertionError):
        runpy.run_path(str(path))


def test_a_script_says_what_it_has_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = "expected = {'recall': 0.8}\nfor name, value in expected.items():\n    assert find(name)(counts) == value"
    lines = ["counts = ConfusionCounts(tp=4, fp=2, fn=1, tn=3)", loop, "assert counts.tp == 4", check("counts.fp", 2)]
    (tmp_path / "program.py").write_text(script(*lines), encoding="utf-8")
    runpy.run_path(str(tmp_path / "program.py"))
    assert capsys.readouterr().out.rpartition(": ")[2] == "recall, counts.tp, counts.fp\n"
    assert "print" not in script(lines[0])
