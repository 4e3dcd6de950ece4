"""``python -m evalcore report file.csv [-o out.html]``: a file of predictions as a report."""

import argparse
import sys
from pathlib import Path

from evalcore.analyses import Source
from evalcore.readers import ReadProblem, read_table
from evalcore.reports import ReportSettings, write_report


def main(arguments: list[str] | None = None) -> int:
    """Run a command; 1 where the file cannot be read, with a sentence that says why."""
    parser = argparse.ArgumentParser(prog="python -m evalcore", description="Exact measures of predictions.")
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="write a report of a file as one HTML file that needs no server")
    report.add_argument("file", type=Path, help="table of predictions, in any format that the application reads")
    report.add_argument("-o", "--output", type=Path, help="the report; by default beside the file, as .html")
    report.add_argument("-p", "--pages", nargs="+", help="pages to include, such as classify/threshold; by default all")
    report.add_argument("-s", "--system", help="the column of scores or predictions, where there are several")
    report.add_argument("-t", "--threshold", type=float, help="by default the one that the threshold page starts from")
    asked = parser.parse_args(arguments)
    output = asked.output or asked.file.with_suffix(".html")
    try:
        data = read_table(asked.file)
        if asked.system is not None and asked.system not in data.systems:
            raise ValueError(f"There is no system {asked.system!r}, only {', '.join(data.systems)}.")
        settings = ReportSettings(threshold=asked.threshold)
        print(write_report(Source.of(data, asked.system), output, asked.pages, settings))
    except (ReadProblem, ValueError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
