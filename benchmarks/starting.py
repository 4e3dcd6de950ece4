"""How long a fresh process takes to import Evalcore, beside numpy alone."""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from benchmarks.clock import medians, time_line


def fresh(statement: str, compiled: str) -> None:
    """Run one statement in a new interpreter, whose compiled modules are kept in a folder of our own.

    The warm-up fills it, as the first start fills it for a user, even where this environment keeps none.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", statement], check=True, env=kept | {"PYTHONPYCACHEPREFIX": compiled})


def main() -> None:
    statements = ("pass", "import numpy", "import evalcore")
    with TemporaryDirectory() as folder:
        seconds = medians({statement: lambda s=statement: fresh(s, folder) for statement in statements}, repeats=11)
    idle = seconds["pass"]
    own, numpy = seconds["import evalcore"] - idle, seconds["import numpy"] - idle
    time_line("import evalcore, numpy with it", own, 0.15)
    time_line("import numpy alone", numpy)
    time_line("what evalcore adds", own - numpy)


if __name__ == "__main__":
    main()
