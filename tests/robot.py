"""A visitor that tries everything: ``make robot``, or ``python -m tests.robot SEED SECONDS [VISIT]``.

It opens each page with each sample that suits, wide and on a phone, and unfolds, switches, picks, types, drags, sorts,
goes back and reloads, all by its seed. It fails at a page with a defect, an error of the console or of the server, a
request that leaves this machine, an address that does not bring the same screen back, and a control that does nothing.
A finding names its visit, and the number of a visit in third place repeats that visit alone.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, TimeoutError, sync_playwright

from evalcore.readers import KINDS, samples
from evalcore.registry import PAGES
from tests.browser import chromium
from tests.browser.conftest import Console
from tests.browser.screen import TWO_FRAMES, arrive, settle, unfold
from tests.browser.server import serving
from tests.browser.shots import SIZES

SEED, SECONDS = 1, 600
ACTIONS = 14
"""Actions of a visit."""
REST, PATIENCE = 700, 5
"""Milliseconds after which what waits for more keys has told the server; seconds until nothing more is expected."""
SHORT = 2_500
"""Milliseconds that something may take to be where a pointer gets at it; what is covered is left alone."""

TEXTS = (
    *("", " ", "0", "-1", "3", "0.5", "1,5", "10 %", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "1/3", "½"),
    *("recall = 0.9", "flag 1e9", "' \" <b>*a*</b> $x$ :red[b] `c`", "\u202e𝔘🙂e\u0301", "x" * 5_000, "9" * 400),
    *("http://localhost:8501/curves?data=roc_20", "~nouser/x.csv", "/" + "x" * 5_000, "a\nb\tc"),
)
NUMBERS = ("0", "-1", "1", "2.5", "1e308", "-1e308", "1e-320", "99999999999999999999", "0.333333333333333333")
STEPPERS = ("Increment", "Decrement", "Reset axes", "Check")
"""At a limit, beside a refused number, a chart that is not zoomed or a checked answer, these have nothing to do."""
KEYS = ("Home", "End", "ArrowRight", "ArrowLeft", "PageUp", "PageDown", "ArrowUp")

# In the page: what can be worked, what stands there, and what has left it.
_WALK = """const walk = function* (root) {
  for (const node of root.querySelectorAll("*")) {
    yield node
    if (node.shadowRoot) yield* walk(node.shadowRoot)
  }
}
const inFold = node => {
  const from = node.localName === "summary" ? node.parentElement : node
  for (let at = from.parentElement ?? from.getRootNode().host; at; at = at.parentElement ?? at.getRootNode().host)
    if (at.localName === "details") return true
  return false
}
"""
_CONTROLS = f"""() => {{
  {_WALK}
  const places = "[data-testid=stMain], [data-testid=stPopoverBody], [data-testid=stDialog]"
  const inside = node => {{
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) if (at.matches?.(places)) return true
    return false
  }}
  const seen = node => {{
    const box = node.getBoundingClientRect()
    const looks = {{ opacityProperty: true, visibilityProperty: true }}
    return box.width > 3 && box.height > 3 && node.checkVisibility(looks) && !node.closest("[aria-hidden=true]")
  }}
  const kindOf = node => {{
    const name = node.localName, type = node.getAttribute("type"), role = node.getAttribute("role")
    if (name === "summary") return "fold"
    if (role === "tab") return "tab"
    if (role === "radio" || type === "radio") return "option"
    if (type === "checkbox") return "switch"
    if (role === "combobox") return "select"
    if (role === "slider" || type === "range" || getComputedStyle(node).cursor === "grab") return "slider"
    if (type === "file") return null
    if (name === "textarea" || name === "input") return type === "number" ? "number" : "text"
    if (node.closest("[data-testid=stDownloadButton]")) return name === "button" ? "download" : null
    if (node.ariaLabel?.startsWith("Help for ")) return "help"
    if (name === "button" || role === "button") return node.closest(".stMultiSelect") ? "chip" : "button"
    if (name === "a" && node.href && node.origin === location.origin && !node.target) return "link"
    if (role === "row" && node.ariaSelected !== null) return "row"
    if (node.matches(".stPlotlyChart") || (node.ownerSVGElement === null && name === "svg")) return "picture"
    return null
  }}
  const found = []
  for (const node of walk(document)) {{
    node.removeAttribute("data-robot")
    let kind = kindOf(node)
    if (!kind || !inside(node)) continue
    const target = ["option", "switch"].includes(kind) ? node.closest("label") ?? node : node
    if (!seen(target) || node.disabled || node.ariaDisabled === "true" || node.readOnly && kind !== "select") continue
    if (kind === "picture" && target.getBoundingClientRect().width < 60) continue
    const marks = [node.ariaChecked, node.ariaSelected, node.ariaPressed, `${{node.matches(".modebar-btn.active")}}`]
    const on = node.checked || marks.includes("true")
    const box = node.closest("[data-testid=stElementContainer]") ?? node
    const words = node.ariaLabel || node.labels?.[0]?.innerText || node.innerText || box.innerText || node.localName
    target.dataset.robot = found.length
    found.push({{ kind, on, label: words.trim().replace(/\\s+/g, " ").slice(0, 60) }})
  }}
  return found
}}"""
_SCREEN = f"""() => {{
  {_WALK}
  const says = ["aria-valuetext", "aria-checked", "aria-selected", "aria-pressed", "aria-expanded", "d", "points", "x"]
  says.push("y", "cx", "cy", "x1", "x2", "width", "height", "transform", "open", "hidden", "src", "href", "disabled")
  let text = location.href
  for (const node of walk(document.body)) {{
    if (node.matches("script, style, [data-run], [data-again], .hoverlayer *, .hoverlayer")) continue
    for (const child of node.childNodes) if (child.nodeType === 3) text += child.data + "\\n"
    if ("value" in node) text += `${{node.value}} ${{node.checked}}`
    for (const name of says) if (node.hasAttribute(name)) text += `${{name}}=${{node.getAttribute(name)}} `
    if (node.getRootNode() !== document || node.matches(".modebar-btn")) text += node.getAttribute("class") ?? ""
    if (node.localName === "canvas") text += node.toDataURL().length
  }}
  return `${{text}} ${{window.robotHeard ?? 0}}`
}}"""
_LINES = f"""only => {{
  {_WALK}
  const lines = []
  for (const node of walk(document.querySelector("[data-testid=stMain]"))) {{
    if (node.matches("script, style, title, desc, form, form *, option, .hoverlayer *, [class*=tooltip i] *")) continue
    if (only && !node.closest(only)) continue
    // Arrows of what is unfolded, charts that may be zoomed, rows that may be scrolled.
    if (node.matches("[data-testid=stIconMaterial], .stPlotlyChart svg *, [role=row][style], [role=row] *")) continue
    // Of the session: the way back to a lecture, and the formats of files.
    if (node.matches(".st-key-lecture-return *, .st-key-picture-format *, .st-key-table-format *")) continue
    // What the browser says of a number that it has not sent.
    if (node.matches("[data-testid=stNumberInput] :not(label, label *)")) continue
    if (inFold(node) || !node.checkVisibility({{ visibilityProperty: true }})) continue
    const own = [...node.childNodes].filter(child => child.nodeType === 3).map(child => child.data).join("").trim()
    const state = node.ariaChecked === "true" || node.ariaSelected === "true" || node.checked ? "●" : ""
    const alt = node.getAttribute("role") === "img" && node.ariaLabel
    const words = [own, node.getAttribute("aria-valuetext"), alt, state]
    // Answers to the pairs of the playground, and the format of tables, stay in the tab.
    const ofTab = /^.*? of \\d+ right \\([^)]*\\)\\. | as (CSV|Markdown|LaTeX|HTML)$/
    lines.push(...words.filter(Boolean).map(line => line.replace(ofTab, "")))
  }}
  return lines
}}"""
_HEARS = """() => {
  window.robotHeard = 0
  const hears = (of, name) => {
    const does = of?.[name]
    if (does) of[name] = function (...rest) { window.robotHeard += 1; return does.apply(this, rest) }
  }
  hears(navigator.clipboard, "writeText")
  hears(navigator.clipboard, "write")
  hears(document, "execCommand")
  hears(window, "print")
  hears(Element.prototype, "scrollIntoView")
  hears(Element.prototype, "requestFullscreen")
}"""
_FOLDED = "[data-testid=stMain] details:not([open]):not(.copy-table)"
_BROKEN = "[data-testid=stException], [data-testid=stAlert]:has-text('Something went wrong here')"


_HEADINGS = "h1, h2, h3, .st-key-heading"
_LINKED = dict.fromkeys(("/data", "/examples", "/challenges", "/lecture"), _HEADINGS)
"""What the address brings back where a page consists of forms and of answers, which no link gives away."""


class Finding(Exception):
    """What the robot fails at."""


def visits(seed: int) -> Iterator[tuple[str, str, str]]:
    """Page, address and size of each visit, without end: all pages in turn, each with all samples that suit."""
    chance = random.Random(seed)
    pages = {page.name: page.path for page in PAGES.values()}
    suited: dict[str, list[str]] = {}
    for page in pages:
        of_kind = [one.id for one in samples().values() if page in KINDS[one.kind].pages]
        anything = ["", *chance.sample([*samples()], 3)]
        suited[page] = of_kind or (anything if page.startswith("start/") else [""])
    while True:
        for turn in zip_longest(*(chance.sample(each, len(each)) for each in suited.values())):
            for page, data in chance.sample([*zip(suited, turn, strict=True)], len(suited)):
                if data is None:
                    continue
                settings = "".join(
                    f"&{key}={value}" for key, value in (samples()[data].settings if data else {}).items()
                )
                yield page, f"/{pages[page]}" + (f"?data={data}{settings}" if data else ""), chance.choice([*SIZES])


class Robot:
    """One visit."""

    def __init__(self, page: Page, chance: random.Random) -> None:
        self.page, self.chance = page, chance
        self.done: list[str] = []
        self.events = 0
        self.left: list[str] = []
        self.used: set[str] = set()
        for event in ("download", "popup", "filechooser"):
            page.on(event, self._hear)
        page.on("request", self._watch)

    def _hear(self, _: object) -> None:
        self.events += 1

    def _watch(self, request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            self.left.append(request.url)

    def act(self) -> None:
        """Do one thing, wait until it is done, and look at what became of the page."""
        chance = self.chance.random()
        if chance < 0.05 and len(self.done) > 1:
            self._note("go back")
            self.page.go_back()
            if not self.page.url.startswith("http"):
                self.page.go_forward()
        elif chance < 0.1:
            self._note("reload")
            self.page.reload()
        else:
            self._work()
        self.look()

    def look(self) -> None:
        """Wait until the screen is complete, and find fault with it."""
        try:
            settle(self.page)
        except TimeoutError as error:
            raise Finding("the page does not come to rest") from error
        broken = self.page.locator(_BROKEN)
        if broken.count():
            raise Finding(f"the page broke: {broken.first.inner_text()}")
        if self.left:
            raise Finding(f"requests left: {self.left}")

    def check_address(self) -> None:
        """Open the address as somebody else would, and compare the screens."""
        self.page.mouse.move(0, 0)
        self.page.evaluate(TWO_FRAMES)
        other, url = self.page.context.new_page(), self.page.url
        try:
            other.set_viewport_size(self.page.viewport_size)
            arrive(other, url)
            for _ in self._seconds():
                there, here = (
                    Counter(one.evaluate(_LINES, _LINKED.get(urlsplit(url).path))) for one in (self.page, other)
                )
                if there == here:
                    return
            raise Finding(f"{url} brings another screen: without {[*(there - here)][:8]}, with {[*(here - there)][:8]}")
        finally:
            other.close()

    def _work(self) -> None:
        if not (controls := self._controls()):
            return
        # Kinds first, so that a page of a hundred links is not left by one of them; then what was not used yet.
        kinds = sorted({one["kind"] for one in controls})
        kind = self.chance.choices(kinds, [1 if one in ("link", "picture") else 3 for one in kinds])[0]
        of_kind = [one for one in controls if one["kind"] == kind]
        fresh = [one for one in of_kind if self._name(one) not in self.used]
        self._use(self.chance.choice(fresh or of_kind))

    def _controls(self) -> list[dict]:
        return [one | {"n": number} for number, one in enumerate(self.page.evaluate(_CONTROLS))]

    def _place(self, control: dict) -> Locator:
        return self.page.locator(f"[data-robot='{control['n']}']")

    def _name(self, control: dict) -> str:
        return f"{urlsplit(self.page.url).path} {control['kind']} {control['label']}"

    def _use(self, control: dict) -> None:
        kind, place = control["kind"], self._place(control)
        before, events = self.page.evaluate(_SCREEN), self.events
        self._note(f"{kind} “{control['label']}”")
        try:
            place.scroll_into_view_if_needed(timeout=SHORT)
            is_felt = _ACTIONS.get(kind, Robot._click)(self, place)
        except (TimeoutError, Error) as error:
            if "Timeout" not in str(error) and "detached" not in str(error) and "not attached" not in str(error):
                raise
            self.done[-1] += " (out of reach)"
            return
        is_first = self._name(control) not in self.used
        self.used.add(self._name(control))
        if is_felt is False:
            self.page.wait_for_timeout(REST)
        elif not control["on"] and is_first and control["label"] not in STEPPERS:
            for _ in self._seconds():
                if self.events > events or self.page.evaluate(_SCREEN) != before:
                    return
            raise Finding(f"{kind} “{control['label']}” does nothing")

    def _seconds(self) -> Iterator[None]:
        """Wait a little longer each time, until nothing more can be expected."""
        end, wait = time.monotonic() + PATIENCE, 25
        while time.monotonic() < end:
            yield
            self.page.wait_for_timeout(wait)
            wait *= 2

    def tour(self) -> None:
        """Use every fold, tab and segment of the page once, and those that come to light."""
        while True:
            if self.page.locator(_FOLDED).count():
                unfold(self.page)
            self.look()
            fresh = (one for one in self._controls() if one["kind"] in ("tab", "option") and not one["on"])
            control = next((one for one in fresh if self._name(one) not in self.used), None)
            if control is None:
                return
            self._note(self._name(control))
            self.used.add(self._name(control))
            self._click(self._place(control))
            self.look()

    def _click(self, place: Locator) -> None:
        place.click(timeout=SHORT)

    def _select(self, place: Locator) -> bool:
        place.click(timeout=SHORT)
        options = self.page.get_by_role("option")
        options.first.wait_for(timeout=SHORT)
        number = self.chance.randrange(options.count())
        self.done[-1] += f" → {options.nth(number).inner_text()!r}"
        options.nth(number).click(timeout=SHORT)
        self.page.keyboard.press("Escape")
        return False  # it may have been chosen already

    def _download(self, place: Locator) -> None:
        """A file has to arrive before anything else is done: a page that is left takes its files along."""
        events = self.events
        self._click(place)
        for _ in self._seconds():
            if self.events > events:
                return
        raise Finding("no file comes")

    def _hover(self, place: Locator) -> None:
        self.page.mouse.move(0, 0)
        place.hover(timeout=SHORT)

    def _remove(self, place: Locator) -> bool:
        self._click(place)
        return False  # the row of chips may scroll away under the pointer

    def _type(self, place: Locator, texts: tuple[str, ...] = TEXTS) -> bool:
        text = self.chance.choice(texts)
        self.done[-1] += f" → {text[:40]!r}"
        place.fill(text, timeout=SHORT)
        place.press(self.chance.choice(("Enter", "Tab", "Control+Enter")))
        return False

    def _type_number(self, place: Locator) -> bool:
        return self._type(place, NUMBERS)

    def _slide(self, place: Locator) -> bool:
        if self.chance.random() < 0.5:
            return self._drag(place)
        keys = self.chance.choices(KEYS, k=3)
        self.done[-1] += f" → {keys}"
        place.focus(timeout=SHORT)
        for key in keys:
            self.page.keyboard.press(key)
        return False

    def _drag(self, place: Locator) -> bool:
        box = place.bounding_box(timeout=SHORT)
        if box is None:  # drawn anew meanwhile
            return False
        x, y = box["x"] + box["width"] * self.chance.random(), box["y"] + box["height"] * self.chance.random()
        right, down = self.chance.uniform(-200, 200), self.chance.uniform(-60, 60)
        self.done[-1] += f" → from {x:.0f}, {y:.0f} by {right:.0f}, {down:.0f}"
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right, y + down, steps=5)
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        return False

    def _note(self, what: str) -> None:
        self.done.append(f"{urlsplit(self.page.url).path} {what}")


_ACTIONS: dict[str, Callable[[Robot, Locator], object]] = {
    "select": Robot._select, "text": Robot._type, "number": Robot._type_number, "slider": Robot._slide,
    "picture": Robot._drag, "chip": Robot._remove,
    "download": Robot._download, "help": Robot._hover,
}  # fmt: skip


def visit(
    context: BrowserContext, server: str, log: Path, number: int, seed: int, plan: tuple[str, str, str]
) -> tuple[str, list[str]]:
    """Make a visit; what was found, with all that is needed to see it again, and what was done."""
    name, address, size = plan
    page, console, logged = context.new_page(), Console(), log.stat().st_size
    page.set_viewport_size(SIZES[size])
    console.watch(page)
    robot, found = Robot(page, random.Random(f"{seed} {number}")), ""
    try:
        arrive(page, server + address)
        robot.look()
        for _ in range(ACTIONS):
            robot.act()
        robot.check_address()
    except Finding as finding:
        found = str(finding)
    except Error as error:
        found = f"the robot stumbled: {error}"
    finally:
        page.close()
    said = log.read_bytes()[logged:].decode()
    if console.errors:
        found += f"\n  console: {console.errors}"
    if "Traceback" in said:
        found += "\n  log: " + said[said.rindex("Traceback") :][-2500:]
    if not found:
        return "", robot.done
    actions = "".join(f"\n    {one}" for one in robot.done)
    return f"seed {seed}, visit {number}: {name} {address} {size}: {found}\n  after{actions}", robot.done


def rove(browser: Browser, seed: int, seconds: float, only: int | None = None) -> list[str]:
    """Make visits for some seconds, or one alone; the findings."""
    findings, pages, actions = [], set(), 0
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        end = time.monotonic() + seconds
        for number, plan in enumerate(visits(seed)):
            if time.monotonic() > end or (only is not None and number > only):
                break
            if only is not None and number != only:
                continue
            context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
            context.set_default_timeout(30_000)
            context.add_init_script(f"({_HEARS})()")
            found, done = visit(context, server, Path(folder) / "server.log", number, seed, plan)
            context.close()
            pages.add(plan[:2])
            actions += len(done)
            if found:
                findings.append(found)
                print(found, flush=True)
    print(f"seed {seed}: {len(pages)} pages with samples, {actions} actions, {len(findings)} findings")
    return findings


def main(seed: int = SEED, seconds: int = SECONDS, only: int | None = None) -> int:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        findings = rove(browser, seed, seconds, only)
        browser.close()
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
