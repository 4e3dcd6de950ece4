"""What is done while the reader looks at the data: the scores are sorted, and the browser loads what draws charts.

Both are wanted a click later on nearly every page, and both cost the better part of a second there. Nothing waits for
them, and nothing is missed where they were not done.
"""

from concurrent.futures import ThreadPoolExecutor

from .inline_scripts import run_scripts
from .internals import page_files

PARTS = ("PlotlyChart", "StreamlitSyntaxHighlighter")
"""Parts of Streamlit's own page that it loads at their first use: the large ones that nearly all our pages use."""

WORKER = ThreadPoolExecutor(1, "ahead")
"""The thread that sorts. A page that needs the same state meanwhile waits for it; see `DataSet.scored`."""


def load_charts() -> None:
    """Have the browser load what draws charts and code, as soon as it has nothing else to do."""
    files = [path.name for part in PARTS for path in page_files(f"static/js/{part}.*.js")]
    run_scripts("load_charts", parts=" ".join(files))
