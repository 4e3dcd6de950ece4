// One entry in the browser's history for what a person does once. A page change comes as several addresses: the old page
// without its settings, the new page, then each setting it has again; a choice that writes three keys comes as three.
// The first after an action is an entry of its own, and those that follow take its place, so that Back goes back by one
// action. Without this script all is as Streamlit has it: the same screens, some of them twice.
// Undo and redo are this way back and forward within one page: by Ctrl-Z and Ctrl-Shift-Z or Ctrl-Y, and by two buttons that come
// with the first change and say what they take back.
if (!window.evalcoreHistory) {
  // Of several keys that an action has changed, the first says what it was; behind each name, what its keys look like.
  const NAMES = {
    "data set": /^data$/, "changed table": /^shape$/, threshold: /^t$/, system: /^system$/, goal: /^goal$/, costs: /_cost$|^amounts$|^check/,
    limits: /^(limit|value)\d$/, pins: /^pins$/, thresholds: /^thresholds$/, "edited counts": /^cells$/, rows: /^selected$/, part: /part$/,
  };
  const WORDED = ["data", "t", "system", "goal"]; // whose values can be read
  const { pushState: push, replaceState: replace } = window.history;
  const TYPED = "textarea, [contenteditable=true], input:not([type=range], [type=radio], [type=checkbox], [aria-expanded=false], [readonly])";
  const entries = new Map(); // by their places in the history: address, and what was shown there
  let place = window.history.state?.evalcore ?? 0;
  let acted = false;
  let led = false; // by a link to a page, which may be the open one
  for (const kind of ["pointerdown", "pointerup", "click", "keydown", "input", "change", "drop"])
    window.addEventListener(kind, ({ target }) => {
      acted = true;
      led = Boolean(target.closest?.("[data-testid=stPageLink]"));
    }, true);
  const note = (shown) => {
    const { pathname: path, search } = location;
    entries.set(place, { path, search, shown: shown ?? entries.get(place)?.shown ?? {} });
  };
  const put = (state, title, url) => {
    const { pathname, search } = new URL(url ?? "", location);
    if (pathname !== location.pathname || (led && search !== location.search)) {
      document.querySelector(".stMain")?.scrollTo(0, 0);
      led = false;
    }
    if (acted && (pathname !== location.pathname || search !== location.search)) {
      place += 1;
      for (const later of [...entries.keys()].filter((one) => one >= place)) entries.delete(later);
      push.call(window.history, { ...state, evalcore: place }, title, url);
      acted = false;
    } else replace.call(window.history, { ...state, evalcore: place }, title, url);
    note();
    show();
  };
  window.history.pushState = put;
  window.history.replaceState = put;
  // The entry at the other end of a step, if it is of this page.
  const other = (way) => {
    const entry = entries.get(place + way);
    return entry?.path === location.pathname ? entry : undefined;
  };
  const valueOf = ({ search, shown }, key) => shown[key] ?? new URLSearchParams(search).get(key);
  const changed = (from, to) => {
    const [a, b] = [from, to].map(({ search }) => new URLSearchParams(search));
    const keys = [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
    const [name = "settings", pattern] = Object.entries(NAMES).find(([, one]) => keys.some((key) => one.test(key))) ?? [];
    const key = keys.find((one) => pattern?.test(one));
    if (name === "part") return { name: b.get(key) ? `${b.get(key)} opened` : `${a.get(key)} closed`, values: [] };
    return { name, values: WORDED.includes(key) ? [from, to].map((entry) => valueOf(entry, key)) : [] };
  };
  // "threshold 0.5 → 0.37", "goal Fixed costs", "pins"
  const step = (from, to) => {
    const { name, values } = changed(from, to);
    return `${name} ${values.filter(Boolean).join(" → ")}`.trim();
  };
  const go = (way) => {
    const [from, to] = [entries.get(place), other(way)];
    if (!to) return;
    const { name, values } = way < 0 ? changed(to, from) : changed(from, to);
    const value = values.at(way < 0 ? 0 : 1) ?? "";
    say(`${way > 0 ? "Redone:" : value ? "Back to" : "Undone:"} ${name} ${value}`.trim());
    window.history.go(way);
  };
  let silence;
  const say = (words) => {
    const status = document.querySelector(".undo [role=status]");
    if (!status) return;
    status.textContent = words;
    clearTimeout(silence);
    silence = setTimeout(() => { status.textContent = ""; }, 4000);
  };
  const show = () => {
    const tools = document.querySelector(".undo");
    if (!tools) return;
    const here = entries.get(place);
    for (const [button, way] of [...tools.querySelectorAll("button")].map((one, index) => [one, index ? 1 : -1])) {
      const there = other(way);
      const words = `${way < 0 ? "Undo" : "Redo"}${there ? `: ${way < 0 ? step(there, here) : step(here, there)}` : ""}`;
      button.disabled = !there;
      button.title = words;
      button.setAttribute("aria-label", words);
      button.onclick = () => go(way);
    }
    if (other(-1) || other(1)) tools.classList.add("used");
  };
  window.addEventListener("popstate", () => {
    acted = false;
    place = window.history.state?.evalcore ?? 0;
    note();
    show();
  });
  window.addEventListener("keydown", (event) => {
    const [node] = event.composedPath();
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["y", "z"].includes(key)) return;
    const way = event.shiftKey || key === "y" ? 1 : -1;
    // What is typed into has an undo of its own; a closed list of options is not.
    if (node.matches?.(TYPED) || !other(way)) return;
    event.preventDefault();
    go(way);
  }, true);
  // After each run, with what it has shown.
  window.evalcoreHistory = (shown) => {
    note(shown);
    show();
  };
  note();
}
