"""Run the tests without a browser on each Python found here, and at both ends of what the requirements allow.

``python -m tests.pythons`` tests the locked packages on every Python, the oldest allowed ones on the oldest Python and
the newest on the newest. ``python -m tests.pythons quick`` tests only these two ends, by the examples in docstrings,
the published values and what has differed between versions. Environments stay in ``.venv-…``.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

ROOT = Path(__file__).parents[1]
MINORS = range(11, 15)
QUICK = (
    "tests/test_doctests.py", "tests/published", "tests/readers/join/test_samples.py",
    "tests/readers/dataset/test_slice_columns.py", "tests/retrieval/trec/test_trec_output.py",
    "tests/registry/test_properties.py",
)  # fmt: skip


def pythons() -> dict[str, str]:
    """The interpreter of each minor version found on the PATH or among pyenv's, the oldest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for name in (f"3.{minor}" for minor in MINORS):
        paths = [which(f"python{name}"), *map(str, sorted(pyenv.glob(f"{name}.*/bin/python")))]
        if sys.version_info[:2] == tuple(map(int, name.split("."))):
            paths.append(sys.executable)
        for path in filter(None, paths):
            if version_of(path) == name:
                found[name] = path
                break
    return found


def version_of(path: str) -> str:
    """The minor version that a program says it is, such as "3.12"; empty where it does not run (a shim of pyenv)."""
    asked = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(asked, capture_output=True, text=True).stdout.strip()


def oldest_allowed(requirements: str) -> list[str]:
    """Each requirement at its lower bound.

    >>> oldest_allowed("# Tables.\\nnumpy>=2.4,<3\\n")
    ['numpy==2.4']
    """
    return [f"{name}=={least}" for name, least in re.findall(r"^([\w-]+)>=([\w.]+),", requirements, re.MULTILINE)]


def environments(found: dict[str, str], quick: bool) -> Iterator[tuple[str, str, list[str]]]:
    """The name of each environment, its Python, and what to install over the locked packages."""
    if not quick:
        yield from ((name, path, []) for name, path in found.items())
    (first, oldest), (last, newest) = next(iter(found.items())), list(found.items())[-1]
    yield f"{first}-oldest", oldest, oldest_allowed((ROOT / "requirements.txt").read_text())
    yield f"{last}-newest", newest, ["--upgrade", "-r", "requirements-dev.txt"]


def main(arguments: list[str]) -> int:
    quick = arguments == ["quick"]
    results = {}
    for name, path, over in environments(pythons(), quick):
        folder = f".venv-{name}"
        python = f"{folder}/bin/python"
        print(f"{name}: {path}", flush=True)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        run = {"cwd": ROOT, "env": {**inherited, "OPENBLAS_NUM_THREADS": "1"}}
        made = subprocess.run(["make", f"VENV={folder}", f"PYTHON={path}", f"{folder}/ready-dev"], **run).returncode
        if not made and over:
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *over]
            made = subprocess.run(pip, **run).returncode
        tests = QUICK if quick else ("-m", "not browser", "-n", "auto")
        results[name] = made or subprocess.run([python, "-m", "pytest", "-q", *tests], **run).returncode
    for name, code in results.items():
        print(f"{name}: {'failed' if code else 'passed'}")
    return max(map(bool, results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
