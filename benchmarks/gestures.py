"""The gestures of docs/gestures.md in a browser: how long a frame takes while each is made, as in its film.

``python -m benchmarks.gestures pins`` makes the gesture of one film. A frame is late when it takes more than 25 ms; so
is one in which something opens, or an answer of the server is drawn.
"""

import sys

import numpy as np

from benchmarks.browser import browsing
from benchmarks.clock import line
from tests.browser.films import CLIPBOARD, FILMS, VIEW
from tests.browser.screen import visit

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
        for file, (address, moves, width) in FILMS.items():
            if wanted and not any(word in file for word in wanted):
                continue
            context = browser.new_context(viewport=VIEW | {"width": width}, permissions=CLIPBOARD)
            page = context.new_page()
            visit(page, server + address)
            page.add_style_tag(content="[data-testid=stSidebar], [data-testid=stHeader] { display: none }")
            page.wait_for_load_state("networkidle")
            page.evaluate(_WATCH)
            for _ in moves(page):
                page.wait_for_timeout(_PAUSE)
            gaps = np.array(page.evaluate("gaps"))
            context.close()
            late, worst = float((gaps > 25).mean()), gaps.max()
            name = file.rpartition("/")[2].removesuffix(".webp")
            result = f"{np.median(gaps):.1f} ms, {late:.1%} late, worst {worst:.0f} ms"
            line(
                f"{name}: a frame, {len(gaps)} of them",
                result,
                "≤ 17 ms, ≤ 5 %",
                np.median(gaps) <= 17 and late <= 0.05,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
