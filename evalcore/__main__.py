"""The command `evalcore`: opens the dashboard, and writes reports, numbers and checks without it.

A subcommand is a row of `COMMANDS`: a function of the parsed arguments, what help says of it, and its arguments, whose
words stand once in `ARGUMENTS`. Libraries are imported by the function that needs them, so that help works without.
"""

import os
import runpy
import signal
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from html import unescape
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

if TYPE_CHECKING:
    from evalcore.analyses import DecisionCheck, Source
    from evalcore.readers import DataSet

PORTS = range(8501, 8601)

_PACKAGE = Path(__file__).parent


def open_dashboard(asked: Namespace) -> int:
    """Serve the dashboard until Ctrl-C, with the files open, and show it in the browser."""
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError(name="streamlit")
    port = _free_port(asked.port)
    os.environ["EVALCORE_WORKSPACE"] = os.environ.get("EVALCORE_WORKSPACE") or str(Path.home() / ".evalcore")
    os.environ["EVALCORE_OPEN"] = _stored(asked.files) if asked.files else ""
    # In the package where it is installed, beside it in a copy of the repository.
    folder = next(one for one in (_PACKAGE / "_application", _PACKAGE.parent) if (one / "app.py").is_file())
    options = [f"--server.port={port}", "--logger.level=error", *["--server.headless=true"] * asked.no_browser]
    sys.argv = ["streamlit", "run", str(folder / "app.py"), *options]
    # The server passes Ctrl-C on when it has ended.
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    return 0


def _free_port(asked: int | None) -> int:
    """The port that was asked for, which must be free, or the first free one."""
    for port in PORTS if asked is None else [asked]:
        with socket.socket() as probe:
            if os.name != "nt":  # where it would let two servers share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("localhost", port))
            except PermissionError as error:
                raise ValueError(f"Port {port} is reserved by this machine. Choose another with --port.") from error
            except OSError:
                continue
        if port != PORTS[0] and asked is None:
            print(f"Port {PORTS[0]} is in use, so this is port {port}.", file=sys.stderr)
        return port
    if asked is None:
        raise ValueError(f"Ports {PORTS[0]} to {PORTS[-1]} are in use. Choose another with --port.")
    raise ValueError(f"Port {asked} is in use. Choose another, or leave --port out for the next one that is free.")


def _stored(paths: Sequence[Path]) -> str:
    """Store files as an upload does, unless they are stored already; what the address says to open them."""
    from evalcore.engines import first_rows, is_database, is_large, open_stored
    from evalcore.library.data import contents_of
    from evalcore.readers import ReadProblem, Unloaded, Workspace, opening_steps, read_files
    from evalcore.registry import PAGES

    workspace = Workspace.of_settings(os.environ["EVALCORE_WORKSPACE"], os.environ.get("EVALCORE_WORKSPACE_MB", ""))
    path, data, content = paths[0].resolve(), None, b""
    stays = path.is_dir() or is_database(path)
    if len(paths) == 1 and (stays or (path.is_file() and is_large(path.name, path.stat().st_size))):
        try:  # its rows are counted where they lie
            data = first_rows(open_stored(path), Unloaded("path", str(path)))
        except ReadProblem:
            if stays:
                raise
    if data is None:
        data = read_files(files := contents_of(paths))
        content = b"" if len(files) > 1 or data.joined else next(iter(files.values()))
    id = next((one.id for one in workspace.list() if one.name == data.name and workspace.is_of(one.id, data)), None)
    id = id or workspace.save(data, source=content)
    shape = workspace.shape(id) or opening_steps(data.findings)
    return urlencode({"page": PAGES[data.first_page].path, "data": id} | ({"shape": shape} if shape else {}))


def write_report(asked: Namespace) -> int:
    """Write a report, and print its path."""
    from evalcore.reports import ReportSettings, write_report

    output = asked.output or asked.files[0].with_suffix(".html")
    print(write_report(_source(asked), output, asked.pages, ReportSettings(threshold=asked.threshold)))
    return 0


def write_view(asked: Namespace) -> int:
    """Write the view that a notebook shows as a file, and print its path."""
    from evalcore.notebook import show

    output = asked.output or asked.files[0].with_suffix(".view.html")
    print(show(_source(asked), threshold=asked.threshold).save(output))
    return 0


def write_lesson(asked: Namespace) -> int:
    """Write a lesson, and print its path."""
    from evalcore.learning import LectureProblem
    from evalcore.lessons import lesson

    try:
        print(lesson(asked.lesson, asked.output))
    except LectureProblem as problem:  # whose words are written for a page
        raise ValueError(unescape(str(problem)).replace("\u2060", "")) from problem
    return 0


def write_numbers(asked: Namespace) -> int:
    """Write all measures as JSON."""
    from evalcore.analyses import numbers_json, numbers_of

    source = _source(asked)
    if source.kind == "unknown":
        raise ValueError(f'It is unclear which columns of "{source.title}" hold what. Say so: --truth and --system.')
    found = numbers_of(source, asked.threshold, asked.level)
    found["systems"] = [one for one in found["systems"] if asked.system in (None, one["system"])]
    _write(numbers_json(found), asked.output)
    return 0


def write_trec(asked: Namespace) -> int:
    """Print what trec_eval prints."""
    from evalcore.readers import read_qrels, read_run, run_tag
    from evalcore.retrieval import trec_eval_text

    judgments, run = read_qrels(asked.qrels), read_run(asked.run_file)
    text = trec_eval_text(judgments, run, asked.relevant, run_tag(asked.run_file), asked.complete)
    if not text:
        raise ValueError(f'No query of "{asked.run_file.name}" is judged in "{asked.qrels.name}".')
    _write(text if asked.queries else text[text.index("runid  ") :], asked.output)
    return 0


_ANSWERS = {
    "holds": (0, "The decision holds."),
    "fails": (1, "The decision does not hold."),
    "unclear": (3, "These rows cannot tell whether the decision holds."),
}
"""Exit code and words of each answer of a check; 2 is that there is no answer."""


def check_decision(asked: Namespace) -> int:
    """Print whether a recorded decision holds on new rows; 0 if it does."""
    check = _check(asked)
    _write((check.json if asked.json else "\n".join(_check_lines(check, asked.markdown))) + "\n", asked.output)
    return _ANSWERS[check.status][0]


def _check_lines(check: "DecisionCheck", markdown: bool) -> list[str]:
    from evalcore.wording import one_line, plain, table_text, table_words

    write = plain if markdown else one_line
    title = f"{write(check.kept.label, 120)}, on {write(check.scores.current.dataset.name)}"
    no_limit = "The record has no limit, such as recall ≥ 0.90, that these rows could keep or break."
    limits = check.limit_lines or ([no_limit] if check.status == "unclear" else [])
    answer, more = _ANSWERS[check.status][1], [check.verdict, check.drift_text]
    if markdown:
        table = table_text(*table_words(*check.table), "Markdown")
        return [f"### {answer}", "", title, "", *(f"- {line}" for line in limits), "", table, "", "  \n".join(more)]
    return [title, answer, *limits, *(line.replace("**", "") for line in more)]


def _check(asked: Namespace) -> "DecisionCheck":
    """The record on the new rows, whose columns have its roles."""
    from evalcore.analyses import DecisionCheck, KeptDecision, Scores, Source
    from evalcore.library.data import label_of, read
    from evalcore.readers import ReadProblem, listed, named, roles_of

    try:
        kept = KeptDecision.from_text(asked.record.read_text(encoding="utf-8"))
    except (ReadProblem, UnicodeDecodeError) as error:
        where = "On the Threshold page, download one under Share or Records as JSON."
        raise ValueError(f"{named(asked.record.name)} is no record of a decision. {where}") from error
    data, recorded = read(asked.rows), kept.decision["data"]
    if asked.positive:
        kept = replace(kept, decision=kept.decision | {"data": recorded | {"positive": asked.positive}})
    system = asked.system or kept.system
    if truth := asked.truth or recorded.get("actual"):
        weights = asked.weights or recorded.get("weight")
        clusters = asked.clusters or data.roles.get("cluster")
        used = ("--truth", truth, "true label"), ("--system", system, "score")
        used += ("--weights", weights, "weight"), ("--clusters", clusters, "clusters")
        lacking = [one for one in used if one[1] and one[1] not in data.frame]
        if lacking:
            words = " and ".join(f"{named(column)} ({role}; {option})" for option, column, role in lacking)
            raise ValueError(
                f"{named(data.name)} lacks what the record uses: {words}. If a column is named otherwise, name it with "
                f"its option: {listed(data.frame)}."
            )
        roles = roles_of(
            actual=truth, score=(system,), weight=weights, cluster=clusters,
            positive=label_of(data, truth, kept.positive, "--positive"), higher_is_positive=kept.higher,
        )  # fmt: skip
        data = data.with_roles(roles)
    elif system not in data.systems:  # each row may have several labels
        raise ValueError(f"{named(data.name)} has no scores of the label {named(system)}, which the record is about.")
    check = DecisionCheck(kept, Scores.of(Source.of(data, system), system), kept.intervals.level)
    if check.problem:
        raise ValueError(check.problem)
    _warn(data)
    return check


def _source(asked: Namespace) -> "Source":
    """The files with the columns that were named."""
    from evalcore.analyses import Source
    from evalcore.library.data import read, with_named
    from evalcore.readers import listed, named

    data = read(*asked.files)
    if asked.system is not None and asked.system not in (*data.frame, *data.systems):
        there = listed(data.systems or data.frame)
        raise ValueError(f"--system: {named(data.name)} has no {named(asked.system)}, only {there}.")
    names = ("truth", "weights", "clusters", "positive", *["system"] * (asked.system not in data.systems))
    given = {name: value for name in names if (value := getattr(asked, name)) is not None}
    data = with_named(data, given, "--{}".format)
    _warn(data)
    return Source.of(data, asked.system)


def _warn(data: "DataSet") -> None:
    """Print what makes numbers doubtful where it does not end up in a file."""
    from evalcore.wording import one_line

    for finding in data.findings:
        if finding.level != "info":
            print(f"Note: {one_line(finding.sentence, 600)}", file=sys.stderr)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")


class Command(NamedTuple):
    """A subcommand: its function, what help says of it in a line and in full, its arguments and exit code of errors."""

    run: Callable[[Namespace], int]
    about: str
    more: str
    arguments: str
    error: int = 1


_OF_FILES = "files --output --truth --system --positive --weights --clusters"

COMMANDS = {
    "open": Command(
        open_dashboard, "open the dashboard in the browser, with files if you name some (the default)",
        "Examples:\n  evalcore scores.csv\n  evalcore qrels.txt my.run\n\nCtrl-C ends it. Uploads are kept in .evalcore"
        " in your home folder; EVALCORE_WORKSPACE names another.",
        "any --port --no-browser",
    ),
    "report": Command(
        write_report, "write a report as one HTML file that needs no server",
        "Examples:\n  evalcore report scores.csv -o report.html\n  evalcore report scores.csv -o card.svg",
        f"{_OF_FILES} --threshold --pages",
    ),
    "show": Command(
        write_view, "write the threshold view, matrix, curves or estimates as one HTML file that is alive",
        "Example:\n  evalcore show scores.csv -o view.html", f"{_OF_FILES} --threshold",
    ),
    "lesson": Command(
        write_lesson, "write a lesson as one HTML file that needs no server",
        "LESSON is a ready lesson (prevalence, roc, interpolation, costs, micro-macro, ndcg), the id of an example,\n"
        "such as cancer-test, playground, or a file of yours: Markdown with its data beside it.\n\nExamples:\n"
        "  evalcore lesson prevalence -o lesson.html\n  evalcore lesson my.md -o my.html", "lesson --output",
    ),
    "numbers": Command(
        write_numbers, "write every measure of every system with its interval as JSON",
        "Example:\n  evalcore numbers scores.csv -o numbers.json", f"{_OF_FILES} --threshold --level",
    ),
    "trec": Command(
        write_trec, "print the output of trec_eval 9.0.4 for judgments and a run",
        "Example:\n  evalcore trec -q qrels.txt my.run\n\n-q, -c and -l mean what they mean there.",
        "qrels run_file -q -c -l --output",
    ),
    "check": Command(
        check_decision, "say whether a recorded decision still holds on new rows",
        "A decision is recorded on the Threshold page (Records, or Share). Each of its limits holds if the whole "
        "confidence\ninterval of the new rows meets it, and does not hold if no part of the interval does; else it is "
        "unclear. A record\nwithout limits does not hold if a measure is worse beyond chance, and is unclear otherwise."
        "\n\nExit code: 0 holds, 1 does not hold, 2 no answer (a file or an option is wrong), 3 unclear.\n\nExamples:\n"
        '  evalcore check decision.json april.csv\n  evalcore check decision.json april.csv --markdown >> '
        '"$GITHUB_STEP_SUMMARY"',
        "record rows --json --markdown --output --truth --system --positive --weights --clusters", 2,
    ),
}  # fmt: skip


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise ArgumentTypeError(f"{text} is not a port, a number from 1 to 65535")
    return int(text)


def _level(text: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise ArgumentTypeError(f"{text} is not a confidence level between 0 and 1, such as 0.95")
    return level


_FILES: dict[str, Any] = {"type": Path, "metavar": "FILE"}
_KINDS = "in any format that the dashboard opens; several are joined by their ids, or are judgments and runs"

ARGUMENTS: dict[str, dict[str, Any]] = {
    "any": {**_FILES, "dest": "files", "nargs": "*", "help": f"predictions, {_KINDS}"},
    "files": {**_FILES, "nargs": "+", "help": f"predictions, {_KINDS}"},
    "qrels": {"type": Path, "help": "judgments: query, iteration, document, grade"},
    "run_file": {"type": Path, "metavar": "run", "help": "run: query, Q0, document, rank, score, tag"},
    "lesson": {"metavar": "LESSON", "help": "name of a lesson or an example, playground, or a file"},
    "record": {"type": Path, "metavar": "RECORD", "help": "the recorded decision, as JSON"},
    "rows": {"type": Path, "metavar": "ROWS", "help": "new rows, with the columns of the record"},
    "--output": {"short": "-o", "type": Path, "metavar": "FILE", "help": "the file to write; by default the terminal "
                 "(of a report or view, beside the data; of a lesson, its name here)"},
    "--truth": {"metavar": "COLUMN", "help": "column of the true labels or numbers"},
    "--system": {"short": "-s", "metavar": "COLUMN", "help": "column of the scores or predictions, or name of a run"},
    "--positive": {"metavar": "LABEL", "help": "label of the positive class"},
    "--weights": {"metavar": "COLUMN", "help": "column of weights"},
    "--clusters": {"metavar": "COLUMN", "help": "column that says which rows belong together, such as a patient"},
    "--threshold": {"short": "-t", "type": float, "metavar": "SCORE", "help": "threshold of the scores; by default the "
                    "one that the Threshold page starts from"},
    "--level": {"type": _level, "default": 0.95, "help": "confidence level of the intervals; by default 0.95"},
    "--pages": {"short": "-p", "nargs": "+", "metavar": "PAGE", "help": "pages to include, such as classify/threshold; "
                "by default all that fit"},
    "--port": {"type": _port, "help": f"by default {PORTS[0]}, or the next one that is free"},
    "--no-browser": {"action": "store_true", "help": "only print the address"},
    "--json": {"action": "store_true", "help": "print the check as JSON"},
    "--markdown": {"action": "store_true", "help": "print the check as Markdown, for a summary of GitHub"},
    "-q": {"dest": "queries", "action": "store_true", "help": "each query too, not only the means"},
    "-c": {"dest": "complete", "action": "store_true", "help": "judged queries that the run lacks count 0"},
    "-l": {"dest": "relevant", "type": float, "default": 1, "metavar": "GRADE",
           "help": "lowest relevant grade; by default 1"},
}  # fmt: skip
"""Every argument of a subcommand: what argparse takes for it."""


def _parser() -> ArgumentParser:
    from evalcore import __version__

    parser = ArgumentParser(
        "evalcore", usage="evalcore [FILE …]   or   evalcore COMMAND …", formatter_class=RawDescriptionHelpFormatter,
        description="What are these predictions worth, and what to decide with them?",
        epilog="evalcore COMMAND --help tells more. Exit code: 0 done, 1 could not be done (why is printed), 2 wrong "
        "options;\ncheck has its own.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"Evalcore {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="evalcore", required=True)
    for name, command in COMMANDS.items():
        own = commands.add_parser(
            name, help=command.about, description=f"{command.about[0].upper()}{command.about[1:]}.",
            epilog=command.more, formatter_class=RawDescriptionHelpFormatter,
        )  # fmt: skip
        own.set_defaults(run=command.run, error=command.error)
        for argument in command.arguments.split():
            options = dict(ARGUMENTS[argument])
            name = argument if argument.startswith("-") else options.pop("dest", argument)
            own.add_argument(*filter(None, (options.pop("short", None), name)), **options)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code. What goes wrong is said in a sentence."""
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a console or pipe of Windows may lack signs such as ≥
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if not given or given[0] not in (*COMMANDS, "-h", "--help", "--version"):
        given.insert(0, "open")
    asked = _parser().parse_args(given)
    try:
        code = asked.run(asked)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # what reads, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except ModuleNotFoundError as problem:
        extra = "app" if asked.run is open_dashboard else "all"
        print(f'The package {problem.name} is missing. Install it: pip install "evalcore[{extra}]"', file=sys.stderr)
    except OSError as problem:
        if near := get_close_matches(given[1] if given[1:] else "", COMMANDS) if given[0] == "open" else []:
            words = f"evalcore has no command {given[1]} and there is no such file. Did you mean {near[0]}?"
            print(words, file=sys.stderr)
            return 2
        name = f'"{problem.filename}" cannot be opened: ' if problem.filename else ""
        print(f"{name}{problem.strerror or problem}.", file=sys.stderr)
    except ValueError as problem:
        print(problem, file=sys.stderr)
    return asked.error


if __name__ == "__main__":
    sys.exit(main())
