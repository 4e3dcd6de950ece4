"""The command `evalcore`: what it prints and writes, its exit codes, and a server that is started and ended by it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest

from evalcore import __main__ as command
from evalcore import find
from evalcore.__main__ import COMMANDS, main
from evalcore.analyses import DecisionRecord, KeptDecision, Scores, Source, best_threshold, numbers_of
from evalcore.classification import Limit, measure_goal
from evalcore.inference import wilson
from evalcore.readers import Workspace, read_files, read_sample
from tests.retrieval.trec_eval_lists import FOLDER

ROOT = Path(__file__).parents[1]
NASTY = "na|me <b> *x*"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVALCORE_WORKSPACE", str(tmp_path / "workspace"))
    return tmp_path


def write_rows(name: str, found: int, missed: int, alarms: int = 100, dismissed: int = 900, **names: str) -> Path:
    """A table of which so many rows lie on either side of ½."""
    counts = [found, missed, alarms, dismissed]
    frame = pd.DataFrame({"actual": np.repeat(["ill", "ill", "well", "well"], counts)})
    frame["score"] = np.repeat([0.9, 0.1, 0.9, 0.1], counts)
    frame.rename(columns=names).to_csv(name, index=False)
    return Path(name)


def write_record(limit: float | None = 0.9, name: str = "Spring audit") -> None:
    """A record of ½ with its limit on recall; without a name, as it is downloaded under Share."""
    path = write_rows("march.csv", 950, 50)
    scores = Scores.of(Source.of(read_files({path.name: path.read_bytes()})), "score")
    goal = measure_goal(find("precision"))
    goal = goal if limit is None else goal.within(Limit(find("recall"), at_least=limit))
    record = DecisionRecord(scores, 0.5, chosen=best_threshold(scores, goal))
    kept = KeptDecision.of(record, name, "Ada", "", "2026-03-12T10:00Z").text if name else record.json
    Path("decision.json").write_text(kept, encoding="utf-8")


def error(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    """The line that says why a command cannot do what it was asked for, below notes on the data."""
    assert main(arguments) == code
    said = capsys.readouterr()
    assert said.out == ""
    *notes, why = said.err.splitlines()
    assert all(line.startswith("Note: ") for line in notes)
    return why


# lesson


def test_a_lesson_is_written_and_a_wrong_one_gets_a_plain_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "cancer-test"]) == 0
    assert capsys.readouterr().out == "cancer-test.html\n"
    assert Path("cancer-test.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "prevalence, roc" in error(capsys, "lesson", "nothing.md")
    Path("my.md").write_text("# Mine\n## Step one.\n```question\nHow many?\nanswer: a / b\n```\n", encoding="utf-8")
    said = error(capsys, "lesson", "my.md")
    assert said.startswith("Line 5: “a / b” cannot be computed.")


# check


@pytest.mark.parametrize(
    ("found", "missed", "code", "answer"),
    [(950, 50, 0, "holds"), (800, 200, 1, "does not hold"), (19, 1, 3, "is unclear")],
)
def test_a_decision_holds_where_the_whole_interval_keeps_the_limit(
    found: int, missed: int, code: int, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_record()
    write_rows("april.csv", found, missed)
    assert main(["check", "decision.json", "april.csv"]) == code
    said = capsys.readouterr().out
    assert f"recall ≥ 0.90 {answer}: {100 * found / (found + missed):.1f}" in said
    assert "Spring audit, 2026-03-12: score ≥ 0.5, on april.csv" in said


def test_the_check_as_json_has_the_numbers_unrounded(capsys: pytest.CaptureFixture[str]) -> None:
    write_record()
    write_rows("april.csv", 800, 200, 300, 600)
    assert main(["check", "decision.json", "april.csv", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["status"]) == ("evalcore check 1", "fails")
    assert found["counts"] == {"tp": 800, "fp": 300, "fn": 200, "tn": 600}
    (limit,) = found["limits"]
    interval = wilson(800, 1000)
    assert (limit["at_least"], limit["value"], limit["n"]) == (0.9, 800 / 1000, 1000)
    assert (limit["low"], limit["high"]) == (float(interval.low), float(interval.high))
    assert found["differences"]["recall"]["record"] == 950 / 1000
    assert found["drift"]["prevalence"]["value"] == 1000 / 1900
    assert found["drift"]["prevalence"]["p"] < 1


def test_the_check_as_markdown_is_a_summary_in_which_names_do_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    write_record(name=NASTY)
    write_rows("april.csv", 950, 50)
    assert main(["check", "decision.json", "april.csv", "--markdown", "-o", "summary.md"]) == 0
    assert capsys.readouterr().out == ""
    text = Path("summary.md").read_text(encoding="utf-8")
    assert text.startswith("### The decision holds.\n")
    assert "- recall ≥ 0.90 holds: 95.0" in text
    assert "| Recall |" in text
    assert "<b>" not in text
    assert "*x*" not in text


def test_without_a_limit_only_what_is_worse_beyond_chance_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    write_record(limit=None, name="")
    for found, code in ((951, 3), (990, 3), (800, 1)):
        write_rows("april.csv", found, 1000 - found)
        assert main(["check", "decision.json", "april.csv"]) == code
        assert ("The record has no limit" in capsys.readouterr().out) == (code == 3)
    assert main(["check", "decision.json", "march.csv"]) == 0  # its own rows


def test_columns_that_the_record_uses_are_named_with_the_option_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    write_record()
    write_rows("april.csv", 950, 50, actual="truth", score="p")
    said = error(capsys, "check", "decision.json", "april.csv", code=2)
    assert all(word in said for word in ('"actual"', "--truth", '"score"', "--system", '"truth", "p"'))
    assert main(["check", "decision.json", "april.csv", "--truth", "truth", "--system", "p"]) == 0


def test_a_class_of_another_name_is_named_by_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    write_record()
    text = write_rows("april.csv", 950, 50).read_text().replace("ill", "sick")
    Path("april.csv").write_text(text)
    said = error(capsys, "check", "decision.json", "april.csv", code=2)
    assert all(word in said for word in ('"ill"', '"sick", "well"', "--positive"))
    assert main(["check", "decision.json", "april.csv", "--positive", "sick"]) == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "evalcore decision 1"}', "actual,score\n1,0.5\n"])
def test_another_file_is_no_record(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows("april.csv", 3, 1)
    Path("decision.json").write_text(text)
    assert "no record of a decision" in error(capsys, "check", "decision.json", "april.csv", code=2)


# numbers, trec, report


def test_a_view_and_a_lesson_are_files_that_need_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows("rows.csv", 80, 20)
    assert main(["show", "rows.csv", "--threshold", "0.5"]) == main(["lesson", "prevalence"]) == 0
    assert capsys.readouterr().out.split() == ["rows.view.html", "prevalence.html"]
    for file in ("rows.view.html", "prevalence.html"):
        assert "default-src 'none'" in Path(file).read_text(encoding="utf-8")
    assert main(["lesson", "nothing"]) == 1
    assert "nothing" in capsys.readouterr().err


def test_numbers_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(ROOT / "sample_data" / "breast_cancer.csv")
    assert main(["numbers", file, "--threshold", "0.4", "--level", "0.9", "--system", "nearest_neighbours"]) == 0
    (ours,) = json.loads(capsys.readouterr().out)["systems"]
    theirs = numbers_of(read_sample("breast_cancer"), 0.4, 0.9)["systems"][1]
    assert ours == theirs
    assert main(["numbers", file, "-o", "numbers.json"]) == 0
    assert len(json.loads(Path("numbers.json").read_text(encoding="utf-8"))["systems"]) == 2


def test_columns_that_no_name_tells_are_named_by_options(capsys: pytest.CaptureFixture[str]) -> None:
    rows = zip("xyxzyz" * 3, range(18), (0.25, 0.5, 0.75) * 6, (1.5, 2.5, 3.5, 4.5, 5.5, 6.5) * 3, strict=True)
    pd.DataFrame(rows, columns=list("abcd")).to_csv("t.csv", index=False)
    assert "unclear which columns" in error(capsys, "numbers", "t.csv")
    assert main(["numbers", "t.csv", "--truth", "d", "--system", "c"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["kind"] == "estimates"
    named = ("--truth", "a", "--system", "c", "--positive", "z", "--weights", "b", "--clusters", "d")
    assert main(["numbers", "t.csv", *named]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["data"]["kind"], found["systems"][0]["positive"]) == ("scores", "z")
    assert {"weight~b", "cluster~d"} <= {*found["data"]["roles"].split("~~")}
    assert '"t.csv" has no "q"' in error(capsys, "numbers", "t.csv", "--weights", "q")


@pytest.mark.parametrize(
    ("options", "file"), [("-q", "official.txt"), ("-q -c", "official-c.txt"), ("-q -c -l 2", "official-c-l2.txt")]
)
def test_trec_prints_what_trec_eval_prints(options: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(FOLDER / name) for name in ("lists.qrels", "lists.run")]
    printed = (FOLDER / file).read_text(encoding="utf-8")
    assert main(["trec", *options.split(), *files]) == 0
    assert capsys.readouterr().out == printed
    assert main(["trec", *options.split()[1:], *files]) == 0  # without -q the means alone
    assert capsys.readouterr().out == printed[printed.index("runid") :]
    assert "looks like a run" in error(capsys, "trec", *files[::-1])


def test_errors_are_sentences_with_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty.csv").write_text("")
    assert "empty" in error(capsys, "report", "empty.csv")
    assert '"nowhere.csv" cannot be opened' in error(capsys, "numbers", "nowhere.csv")
    assert "cannot be opened" in error(capsys, "none.csv", "scores.csv")
    assert main(["reprot", "scores.csv"]) == 2
    assert "Did you mean report?" in capsys.readouterr().err
    for arguments in (["check", "x.json"], ["--port", "99999"], ["numbers", "x.csv", "--level", "95"], ["trec", "-x"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_package_that_is_missing_is_told_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    assert 'pip install "evalcore[app]"' in error(capsys, "scores.csv")
    monkeypatch.setitem(sys.modules, "evalcore.reports", None)
    assert 'pip install "evalcore[all]"' in error(capsys, "report", str(write_rows("a.csv", 3, 1)))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_every_argument_and_the_document_every_command(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert {one for one in COMMANDS[name].arguments.split() if one.startswith("-") and one not in said} == set()
    document = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    assert f"`evalcore {'' if name == 'open' else name}".rstrip() in document


# the dashboard


def test_a_port_in_use_is_told_and_the_next_one_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken, socket.socket() as free:
        for one in (taken, free):
            one.bind(("localhost", 0))
        taken.listen()
        port, other = (one.getsockname()[1] for one in (taken, free))
        free.close()
        said = error(capsys, "--port", str(port), "--no-browser")
        assert f"Port {port} is in use" in said
        monkeypatch.setattr(command, "PORTS", [port, other])
        assert command._free_port(None) == other
        assert f"this is port {other}" in capsys.readouterr().err
        assert command._free_port(other) == other
        monkeypatch.setattr(command, "PORTS", [port])
        assert "are in use" in error(capsys, "--no-browser")


def test_a_file_that_was_opened_before_is_not_stored_again(folder: Path) -> None:
    path = write_rows("april.csv", 5, 3)
    first, again = (parse_qs(command._stored([path])) for _ in range(2))
    assert first == again
    assert first["page"] == ["threshold"]
    write_rows("april.csv", 5, 4)
    (other,) = parse_qs(command._stored([path]))["data"]
    workspace = Workspace(folder / "workspace", 1)
    assert {one.id for one in workspace.list()} == {other, *first["data"]}
    assert len(workspace.load(other)) == 1009


def test_judgments_and_a_run_open_together_and_a_folder_where_it_lies(folder: Path) -> None:
    files = [FOLDER / "lists.qrels", FOLDER / "lists.run"]
    assert parse_qs(command._stored(files))["page"] == ["ranking"]
    (folder / "parts").mkdir()
    write_rows("parts/a.csv", 5, 3)
    (stored,) = parse_qs(command._stored([Path("parts")]))["data"]
    data = Workspace(folder / "workspace", 10**9).load(stored)
    assert data.unloaded.address == str((folder / "parts").resolve())


def test_what_opens_in_another_shape_says_so_in_the_address() -> None:
    long = "".join(f"{case},{model},{case % 2},{case / 20 + model / 50}\n" for case in range(20) for model in (1, 2))
    Path("long.csv").write_text(f"case_id,model,actual,score\n{long}")
    assert "shape" in parse_qs(command._stored([Path("long.csv")]))


@pytest.fixture
def served(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The command with a file, and a browser that only prints the address it is given."""
    browser = folder / "browser.sh"
    browser.write_text('#!/bin/sh\necho "browser: $1" >&2\n')
    browser.chmod(0o755)
    variables = {"BROWSER": f"{browser} %s", "DISPLAY": ":0", "PYTHONPATH": str(ROOT), "WAYLAND_DISPLAY": ""}
    process = subprocess.Popen(
        [sys.executable, "-m", "evalcore", str(write_rows("april.csv", 5, 3))],
        env=os.environ | variables, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    guard = threading.Timer(60, process.kill)
    guard.start()
    yield process
    guard.cancel()
    process.kill()
    process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="a browser that is a shell script")
def test_the_file_opens_in_the_browser_and_ctrl_c_ends_it_calmly(served: subprocess.Popen[str]) -> None:
    opened = next(line for line in served.stderr if line.startswith("browser: ")).split()[1]
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with visitor.open(urllib.request.Request(opened, headers={"Accept": "text/html"}), timeout=20) as page:
        assert page.status == 200
        assert re.fullmatch(r"http://localhost:\d+/threshold\?data=[\w-]{22}", page.url)
    served.send_signal(signal.SIGINT)
    said = served.stderr.read()
    assert served.wait() == 0
    assert "Traceback" not in said
    assert "Aborted" not in said
