"""How long a fresh process takes to import Evalcore, beside numpy alone."""

import subprocess
import sys

from benchmarks.clock import duration, line, medians


def fresh(statement: str) -> None:
    """Run one statement in a new interpreter."""
    subprocess.run([sys.executable, "-c", statement], check=True)


def main() -> None:
    statements = ("pass", "import numpy", "import evalcore")
    seconds = medians({statement: lambda s=statement: fresh(s) for statement in statements}, repeats=11)
    idle = seconds["pass"]
    own, numpy = seconds["import evalcore"] - idle, seconds["import numpy"] - idle
    line("import evalcore, numpy with it", duration(own), "≤ 150 ms", own <= 0.15)
    line("import numpy alone", duration(numpy))
    line("what evalcore adds", duration(own - numpy))


if __name__ == "__main__":
    main()
