// Keeps the focus where the reader was: where a run took the focused control away or switched it off, the control that
// came in its place has the focus, without scrolling, else another one near it until that one comes.
if (!window.evalcoreKeepFocus) {
  let last = null;
  let standIn = null;
  const controls = "button, input, textarea, a[href], [tabindex='0']";
  const isGone = () => !last.node.isConnected || last.node.disabled;
  const kind = (node) => `${node.tagName} ${node.type} ${node.textContent}`;
  // Keys of Streamlit around a control, the nearest first; a number at the end counts what is new or one of a list.
  const keys = (node) => {
    const names = [];
    for (let box = node; box; box = box.parentElement) names.push(...[...box.classList].filter((name) => name.startsWith("st-key-")));
    return names.map((name) => name.replace(/-\d+$/, ""));
  };
  const inItsPlace = () => {
    for (const name of last.keys) {
      const boxes = [...document.querySelectorAll(`.${name}, [class*="${name}-"]`)];
      const free = boxes.flatMap((box) => [...box.querySelectorAll(controls)]).filter((node) => !node.disabled && node.tabIndex >= 0);
      if (free.length) return free.find((node) => kind(node) === last.kind) ?? free[0];
    }
  };
  const isNowhere = () => document.activeElement === document.body;
  const remember = (node) => {
    last = { node, kind: kind(node), keys: keys(node) };
    standIn = null;
  };
  // What is left over of the run before goes after this one has ended, on a busy machine late, and what comes new comes
  // piece by piece: so each change of the page asks.
  const keep = () => {
    if (!last || !(isNowhere() || document.activeElement === standIn) || !isGone()) return;
    const next = inItsPlace();
    if (!next || next === standIn) return;
    standIn = kind(next) === last.kind ? null : next;
    next.focus({ preventScroll: true });
  };
  document.addEventListener("focusin", ({ target }) => {
    if (target !== standIn) remember(target);
  });
  // Who leaves a control that stays, or goes on from one that stands in, wants no other focus.
  document.addEventListener("focusout", ({ target }) => setTimeout(() => {
    if (last?.node === target && !isGone() && isNowhere()) last = null;
  }));
  for (const event of ["keydown", "pointerdown"]) {
    document.addEventListener(event, () => {
      if (standIn) remember(standIn);
      else if (event === "pointerdown" && last && isNowhere()) last = null;
    }, true);
  }
  const observer = new MutationObserver(keep);
  window.evalcoreKeepFocus = () => observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
