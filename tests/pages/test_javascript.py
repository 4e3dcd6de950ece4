"""JavaScript goes to the browser as programs of several files: what one file declares, another uses."""

import re
import shutil
import subprocess
import sys
from collections import Counter
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
MESSAGE = re.compile(r"^(.+\.js):(\d+):\d+: (.+)$", re.MULTILINE)


def test_a_program_uses_all_it_declares_and_declares_all_it_uses(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", PROGRAMS, tmp_path], cwd=ROOT, check=True, capture_output=True)
    lines = {str(path): path.read_text(encoding="utf-8").splitlines() for path in tmp_path.iterdir()}
    assert len(lines) >= 5
    linter = [shutil.which("oxlint", path=Path(sys.executable).parent), "--config", ROOT / ".oxlintrc.json"]
    answer = subprocess.run(
        [*linter, *(f"--deny={rule}" for rule in RULES), "--format=unix", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode in (0, 1), answer.stdout
    messages = MESSAGE.findall(answer.stdout)
    assert [message for message in messages if "never used" not in message[2]] == []
    # What several programs share is used by one of them at least.
    unused = Counter(lines[file][int(line) - 1] for file, line, words in messages if "never used" in words)
    programs = Counter(line for text in lines.values() for line in set(text))
    assert [line for line, times in unused.items() if times == programs[line]] == []
