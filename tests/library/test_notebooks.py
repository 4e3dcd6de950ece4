"""The notebooks of the documents run, and what each cell ends with shows itself."""

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


def run(source: str, name: str, namespace: dict[str, Any]) -> None:
    """Run a cell; what its last line is shown with is made too."""
    tree, shown = ast.parse(source), None
    if isinstance(tree.body[-1], ast.Expr):
        shown = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    exec(compile(tree, name, "exec"), namespace)  # noqa: S102
    if shown is not None:
        value = eval(compile(shown, name, "eval"), namespace)  # noqa: S307
        assert value is None or (getattr(value, "_repr_html_", None) or value.__repr__)()


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert len(cells) <= 12
    shutil.copytree(NOTEBOOKS / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            run("".join(cell["source"]), f"{path.stem}, cell {number}", namespace)
