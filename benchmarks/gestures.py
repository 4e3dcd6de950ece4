"""The gestures of docs/gestures.md in a browser: how long a frame takes while each is made, as in its film.

``python -m benchmarks.gestures pins`` makes the gesture of one film. A frame is late when it takes more than 25 ms; so
is one in which something opens, or an answer of the server is drawn.
"""

import sys

import numpy as np

from benchmarks.browser import browsing
from benchmarks.clock import line
from tests.browser.films import opened

# A move lasts as long as a hand's; the picture has a film's frames between.
_PAUSE = 30
_WATCH = """() => {
  const gaps = (window.gaps = []);
  let last = null;
  const tick = now => { if (last !== null) gaps.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}"""


def main(wanted: list[str]) -> None:
    with browsing() as (browser, server, _):
        for file, page, moves, _ in opened(browser, server, wanted, 1):
            page.evaluate(_WATCH)
            for _ in moves(page):
                page.wait_for_timeout(_PAUSE)
            gaps = np.array(page.evaluate("gaps"))
            middle, late = np.median(gaps), float((gaps > 25).mean())
            name = f"{file.rpartition('/')[2].removesuffix('.webp')}: a frame, {len(gaps)} of them"
            result = f"{middle:.1f} ms, {late:.1%} late, worst {gaps.max():.0f} ms"
            line(name, result, "≤ 17 ms, ≤ 5 %", bool(middle <= 17 and late <= 0.05))


if __name__ == "__main__":
    main(sys.argv[1:])
