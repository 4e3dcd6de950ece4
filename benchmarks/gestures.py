"""The gestures of docs/gestures.md in a browser: how long a frame takes while each is made, as in its film.

``python -m benchmarks.gestures pins`` makes the gesture of one film. A frame is late when it takes more than 25 ms.
Those in which Streamlit or Plotly puts something new on the page are told apart from those in which what is there
moves.
"""

import sys

import numpy as np

from benchmarks.browser import browsing
from benchmarks.clock import line
from tests.browser.films import opened

_PAUSE = 30  # milliseconds between two moves, as of a hand
_WATCH = """() => {
  const gaps = (window.gaps = { moves: [], opens: [] });
  const OPENED = "[data-testid], .main-svg";
  let [last, opens, opened] = [null, false, false]; // what is put on the page is painted after its frame
  const isNew = node => node instanceof Element && (node.matches(OPENED) || node.querySelector(OPENED));
  new MutationObserver(changes => { opens ||= changes.some(({ addedNodes }) => [...addedNodes].some(isNew)); })
    .observe(document.body, { childList: true, subtree: true });
  const tick = now => {
    if (last !== null) gaps[opens || opened ? "opens" : "moves"].push(now - last);
    [last, opens, opened] = [now, false, opens];
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""


def main(wanted: list[str]) -> None:
    with browsing() as (browser, server, _):
        for file, page, moves, _ in opened(browser, server, wanted, 1):
            page.evaluate(_WATCH)
            for _ in moves(page):
                page.wait_for_timeout(_PAUSE)
            gaps, opens = (np.array(page.evaluate(f"gaps.{kind}")) for kind in ("moves", "opens"))
            middle, late = np.median(gaps), float((gaps > 25).mean())
            name = f"{file.rpartition('/')[2].removesuffix('.webp')}: a frame, {len(gaps)} of them"
            worst = f"worst {gaps.max():.0f} ms; {len(opens)} that open, worst {max(opens, default=0):.0f} ms"
            result = f"{middle:.1f} ms, {late:.1%} late, {worst}"
            line(name, result, "≤ 17 ms, ≤ 5 %", bool(middle <= 17 and late <= 0.05))


if __name__ == "__main__":
    main(sys.argv[1:])
