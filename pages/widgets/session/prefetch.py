"""What is done while the reader looks at the data: the scores are sorted, and the browser loads what draws charts.

Both are wanted a click later on nearly every page, and both cost the better part of a second there. Nothing waits for
them, and nothing is missed where they were not done.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

import streamlit as st

Made = TypeVar("Made")

PARTS = ("PlotlyChart", "StreamlitSyntaxHighlighter")
"""Parts of Streamlit's own page that it loads at their first use: the large ones that nearly all our pages use."""

_SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"

# The address of a part is what Streamlit would ask for, so that the browser loads it once.
_LOAD = """<script>{
  const entry = document.querySelector('script[type=module][src*="static/js/index."]');
  const load = async () => {
    for (const part of PARTS) await import(new URL(part, entry.src)).catch(() => {});
  };
  if (entry) window.requestIdleCallback ? requestIdleCallback(load, { timeout: 300 }) : setTimeout(load, 100);
}</script>"""


class Ahead(Generic[Made]):
    """Results that are worked out by one thread before anybody asks for them.

    Parameters
    ----------
    most : int
        Results that are kept until they are asked for; the oldest go.

    Examples
    --------
    >>> ahead = Ahead(2)
    >>> ahead.start("answer", lambda: 42)
    >>> ahead.take("answer", lambda: 0), ahead.take("answer", lambda: 0)
    (42, 0)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._worker = ThreadPoolExecutor(1, "ahead")
        self._begun: OrderedDict[str, Future] = OrderedDict()
        self._taken: deque[str] = deque(maxlen=64)

    def start(self, key: str, make: Callable[[], Made]) -> None:
        """Begin, unless it was begun before, or taken: who has taken it keeps it."""
        with self._lock:
            if key in self._begun or key in self._taken:
                return
            self._begun[key] = self._worker.submit(make)
            while len(self._begun) > self._most:
                self._begun.popitem(last=False)[1].cancel()

    def take(self, key: str, make: Callable[[], Made]) -> Made:
        """What was begun, which is then let go of; what nobody began, or nobody has come to, is made here and now."""
        with self._lock:
            begun = self._begun.pop(key, None)
            self._taken.append(key)
        return make() if begun is None or begun.cancel() else begun.result()

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._taken.clear()
            while self._begun:
                self._begun.popitem()[1].cancel()


SORTED: Ahead = Ahead(4)
"""States of scores, as large as their scores: few are kept, for all sessions together."""


def load_charts() -> None:
    """Have the browser load what draws charts and code, as soon as it has nothing else to do."""
    names = [path.name for part in PARTS for path in sorted(_SCRIPTS.glob(f"{part}.*.js"))[:1]]
    with st.container(key="ahead"):
        st.html(f"<i></i>{_LOAD.replace('PARTS', repr(names))}", unsafe_allow_javascript=True)
