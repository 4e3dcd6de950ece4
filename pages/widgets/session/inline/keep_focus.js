// Keeps the focus where the reader was: where a run took the focused control away or switched it off, the control that
// came in its place has the focus, without scrolling, else another one near it.
if (!window.evalcoreKeepFocus) {
  let last = null;
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
      const box = document.querySelector(`.${name}, [class*="${name}-"]`);
      const free = [...(box?.querySelectorAll(controls) ?? [])].filter((node) => !node.disabled && node.tabIndex >= 0);
      if (free.length) return free.find((node) => kind(node) === last.kind) ?? free[0];
    }
  };
  const isNowhere = () => document.activeElement === document.body;
  const remember = (node) => {
    last = { node, kind: kind(node), keys: keys(node) };
  };
  const keep = () => {
    if (!isNowhere()) remember(document.activeElement);
    else if (last && isGone()) inItsPlace()?.focus({ preventScroll: true });
  };
  document.addEventListener("focusin", ({ target }) => remember(target));
  // Who leaves a control that stays wants no focus there.
  document.addEventListener("focusout", ({ target }) => setTimeout(() => {
    if (last?.node === target && !isGone() && isNowhere()) last = null;
  }));
  window.evalcoreKeepFocus = () => {
    // What is left over of the run before goes after this one has ended, on a busy machine late.
    for (const after of [0, 300, 1000, 3000]) setTimeout(keep, after);
  };
}
