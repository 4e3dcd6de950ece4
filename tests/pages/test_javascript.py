"""JavaScript goes to the browser as programs of several files: what one file declares, another uses."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = """
import importlib, pathlib, sys
import streamlit as st

def write(name, *, js=None, **rest):
    if js:
        pathlib.Path(sys.argv[1], f"{name}.js").write_text(js, encoding="utf-8")

st.components.v2.component = write
for path in pathlib.Path("pages/widgets").rglob("*.py"):
    importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
"""
RULES = ("no-undef", "no-unused-vars", "prefer-const")


def test_a_program_uses_all_it_declares_and_declares_all_it_uses(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", PROGRAMS, tmp_path], cwd=ROOT, check=True, capture_output=True)
    assert len(list(tmp_path.iterdir())) >= 5
    linter = [shutil.which("oxlint", path=Path(sys.executable).parent), "--config", ROOT / ".oxlintrc.json"]
    answer = subprocess.run(
        [*linter, *(f"--deny={rule}" for rule in RULES), tmp_path], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout
