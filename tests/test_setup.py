"""What a stranger meets first: the commands, the files beside them, and the rules for names and files."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from evalcore.registry import PAGES
from tests import pythons, supply, words
from tests.words import sentence_with

ROOT = Path(__file__).parents[1]
SOURCES = [
    path
    for folder in ("evalcore", "pages", "sample_data", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
]
MAKE = shutil.which("make")
needs_make = pytest.mark.skipif(MAKE is None, reason="no make here")


def make(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")} | variables
    return subprocess.run([MAKE, *arguments], cwd=ROOT, capture_output=True, text=True, env=environment, timeout=60)


@needs_make
@pytest.mark.parametrize(
    "target", ["run", "test", "pythons", "spark-test", "check", "bench", "shots", "big-sample", "lock", "clean"]
)
def test_every_command_is_there_and_said_by_help(target: str) -> None:
    assert make("--dry-run", target).returncode == 0
    assert f"make {target}" in make("help").stdout


@needs_make
def test_the_port_can_be_chosen() -> None:
    assert "--server.port 9123" in make("--dry-run", "run", "PORT=9123").stdout


@needs_make
def test_a_machine_without_a_new_enough_python_is_told_so(tmp_path: Path) -> None:
    answer = make("run", "PYTHON=", f"VENV={tmp_path}/venv", f"BIN={tmp_path}/venv/bin")
    assert answer.returncode != 0
    assert "Python 3.11 or newer" in answer.stderr


@needs_make
def test_a_python_that_cannot_make_environments_is_told_so(tmp_path: Path) -> None:
    crippled = tmp_path / "python"
    crippled.write_text("#!/bin/sh\nexit 1\n")
    crippled.chmod(0o755)
    shell_only = tmp_path / "bin"
    shell_only.mkdir()
    (shell_only / "sh").symlink_to(shutil.which("sh"))
    answer = make(
        "run", f"PYTHON={crippled}", f"VENV={tmp_path}/venv", f"BIN={tmp_path}/venv/bin", PATH=str(shell_only)
    )
    assert answer.returncode != 0
    assert "python3-venv" in answer.stderr


def test_ci_runs_what_a_contributor_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "make check" in script
    assert "make test" in script
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_requirements_are_bounded() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    of_notebooks = set(extras.pop("notebook"))
    lines = [*project["dependencies"], *chain(*extras.values())]
    library, of_notebooks = (
        {line for line in some if not line.startswith("evalcore[")} for some in (lines, of_notebooks)
    )
    application, tools = (
        {line for line in (ROOT / name).read_text().splitlines() if not line.startswith(("#", "-r "))}
        for name in ("requirements.txt", "requirements-dev.txt")
    )
    clusters = {line for line in (ROOT / "requirements-spark.txt").read_text().splitlines() if not line.startswith("#")}
    for line in library | application | tools | clusters | of_notebooks:
        assert re.fullmatch(r"[a-z-]+>=[\d.]+,<[\d.]+", line), line
    assert library == application


@pytest.mark.parametrize("lock", supply.LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_holds_what_is_required_within_its_bounds_and_with_hashes(lock: Path) -> None:
    pinned = supply.locked(lock)
    for line in lock.with_suffix(".txt").read_text().splitlines():
        if not line.startswith(("#", "-r ")):
            required = Requirement(line)
            for pin in pinned[required.name]:
                assert required.specifier.contains(next(iter(pin.specifier)).version), f"{pin}: make lock"
    assert supply.locked(supply.LOCKS[0]).items() <= supply.locked(supply.LOCKS[1]).items()
    for block in re.split(r"\n(?=\S)", lock.read_text().strip()):
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ; [^/]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+", block), block


def test_every_package_has_its_licence_in_the_list() -> None:
    rows = re.findall(r"^\| (\S+) \| (.+) \|$", supply.LICENCES.read_text(), re.MULTILINE)
    assert [name for name, _ in rows if name != "package"] == sorted(supply.locked(supply.LOCKS[0])) + sorted(
        supply.locked(supply.LOCKS[1]).keys() - supply.locked(supply.LOCKS[0]).keys()
    )
    assert all(licence != "not stated" for _, licence in rows)


def test_an_audit_without_data_says_so_and_fails_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ADVISORIES", raising=False)
    assert supply.audit() == 0
    assert sentence_with(capsys.readouterr().out, "no data")
    assert "tests.supply" in (ROOT / "Makefile").read_text()


def test_an_audit_names_each_locked_version_that_an_advisory_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def advisory(id: str, events: list[dict[str, str]] = (), package: str = "NumPy", **more: object) -> dict:
        about = {"package": {"ecosystem": "PyPI", "name": package}, "ranges": [{"type": "ECOSYSTEM", "events": events}]}
        return {"id": id, "affected": [about | {"versions": more.pop("versions", [])}], **more}

    (pin, *_) = supply.locked(supply.LOCKS[1])["numpy"]
    version = next(iter(pin.specifier)).version
    since = {"introduced": "0"}
    known = {
        "A": advisory("A", [since]),
        "B": advisory("B", [since, {"fixed": "1"}, {"introduced": "1.5"}, {"last_affected": version}]),
        "C": advisory("C", versions=[version]),
    }
    fine = {
        "D": advisory("D", [since, {"fixed": version}]),
        "E": advisory("E", [since, {"last_affected": "2"}]),
        "F": advisory("F", [since], withdrawn="2026-01-01T00:00:00Z"),
        "G": advisory("G", [since], package="not-installed"),
        "H": advisory("H", [{"introduced": "of old"}]),
    }
    for name, records, code in (("fine.zip", fine, 0), ("all.zip", fine | known, 1)):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            for id, record in records.items():
                file.writestr(f"{id}.json", json.dumps(record))
        monkeypatch.setenv("ADVISORIES", str(tmp_path / name))
        assert supply.audit() == code
    named = [line for line in capsys.readouterr().out.splitlines() if line.startswith("numpy")]
    assert [line for line in named if version in line] == [f"numpy {version}: {id}" for id in known]


def test_a_reader_never_meets_a_traceback_or_another_host() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["client"]["showErrorDetails"] == "none"
    assert config["browser"]["gatherUsageStats"] is False
    assert "http" not in config["theme"]["font"]
    assert {"light", "dark"} <= set(config["theme"])


def test_a_file_is_named_for_what_is_in_it() -> None:
    named = {path.stem: path for path in SOURCES}
    assert named
    assert not named.keys() & {"utils", "helpers", "common", "base", "typing", "platform"}


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("[!w]*/*.py")), ids=lambda path: path.stem)
def test_a_page_only_chooses_computes_and_shows(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 80
    assert not re.search(r"^\s*(def|class|async def) ", text, re.MULTILINE)
    assert not re.search(r"^(import|from) (numpy|pandas|plotly|scipy)\b", text, re.MULTILINE)


def test_a_benchmark_keeps_what_it_measured_where_a_peer_fails(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.clock import medians, ratio_line, time_line

    seconds = medians({"ours": lambda: None, "peer": lambda: 1 / 0}, 2)
    time_line("ours", seconds["ours"])
    time_line("peer", seconds["peer"])
    ratio_line(seconds["peer"] / seconds["ours"])
    ours, peer, ratio = capsys.readouterr().out.splitlines()
    assert ours.endswith("s")
    assert "not finished" in peer
    assert "unknown" in ratio


def test_both_ends_of_what_is_allowed_are_tested() -> None:
    found = {"3.11": "a", "3.12": "b", "3.14": "c"}
    ends = [(name, path) for name, path, _ in pythons.environments(found, quick=True)]
    assert ends == [("3.11-oldest", "a"), ("3.14-newest", "c")]
    assert [name for name, *_ in pythons.environments(found, quick=False)] == [*found, "3.11-oldest", "3.14-newest"]
    pins = pythons.oldest_allowed((ROOT / "requirements.txt").read_text())
    assert "numpy==2.4" in pins
    assert len(pins) == len([line for line in (ROOT / "requirements.txt").read_text().splitlines() if line[0] != "#"])


@needs_make
def test_a_python_that_is_named_has_an_environment_of_its_own() -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f".venv-{version}/bin/python -m pytest" in make("--dry-run", "test", f"PYTHON={sys.executable}").stdout
    assert ".venv/bin/python -m pytest" in make("--dry-run", "test").stdout


def test_words_that_no_test_says_any_more_fail_and_are_dropped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file, golden = tmp_path / "test_made.py", tmp_path / "words" / "made.json"
    monkeypatch.setattr(words, "ROOT", tmp_path)
    monkeypatch.setattr(words, "RENEW", False)
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "test_made.py::test_one[a case] (call)")
    golden.parent.mkdir()
    golden.write_text(json.dumps({"test_gone": ["Gone."], "test_one": ["Is 1.", "Was 1."], "test_two": ["Is 2."]}))
    file.write_text("def test_one(): ...\ndef test_two(): ...\n")
    assert sentence_with("Is 1. Is 2.", "1")
    with pytest.raises(pytest.fail.Exception, match=r"words/made.json has words that no test says any more") as failed:
        words.settle(file, {"test_one"})
    assert {*failed.value.msg.splitlines()[1:]} == {"Gone.", "Was 1."}
    monkeypatch.setattr(words, "RENEW", True)
    sentence_with("Is 1. Is 2.", "1")
    words.settle(file, {"test_one"})  # a case of the other was skipped: its words stay
    assert json.loads(golden.read_text()) == {"test_one": ["Is 1."], "test_two": ["Is 2."]}
    words.settle(file, {"test_one", "test_two"})
    assert not golden.exists()


def test_every_golden_file_of_words_has_a_test_or_a_page() -> None:
    tested = {words.golden_of(file) for file in (ROOT / "tests").rglob("test_*.py")}
    tested |= {ROOT / "tests/pages/words" / f"{page.replace('/', '-')}.txt" for page in PAGES}
    dead = [str(path.relative_to(ROOT)) for path in (ROOT / "tests").glob("**/words/*") if path not in tested]
    assert dead == [], "no test reads these: delete them"
