// Keeps the focus where the reader was: where a run took the focused control away or switched it off, the control that
// came in its place has the focus, without scrolling, else another one near it.
{
  const controls = "button, input, textarea, a[href], [tabindex='0']";
  const isGone = ({ node }) => !node.isConnected || node.disabled;
  const kind = (node) => `${node.tagName} ${node.type} ${node.textContent}`;
  // Keys of Streamlit around a control, the nearest first; a number at the end counts what is new or one of a list.
  const keys = (node) => {
    const names = [];
    for (let box = node; box; box = box.parentElement) names.push(...[...box.classList].filter((name) => name.startsWith("st-key-")));
    return names.map((name) => name.replace(/-\d+$/, ""));
  };
  const inPlaceOf = (last) => {
    for (const name of last.keys) {
      const box = document.querySelector(`.${name}, [class*="${name}-"]`);
      const free = [...(box?.querySelectorAll(controls) ?? [])].filter((node) => !node.disabled && node.tabIndex >= 0);
      if (free.length) return free.find((node) => kind(node) === last.kind) ?? free[0];
    }
  };
  const isNowhere = () => document.activeElement === document.body;
  const remember = (node) => {
    window.evalcoreFocus = { node, kind: kind(node), keys: keys(node) };
  };
  const keep = () => {
    const last = window.evalcoreFocus;
    if (!isNowhere()) remember(document.activeElement);
    else if (last && isGone(last)) inPlaceOf(last)?.focus({ preventScroll: true });
  };
  if (!("evalcoreFocus" in window)) {
    window.evalcoreFocus = null;
    document.addEventListener("focusin", ({ target }) => remember(target));
    // Who leaves a control that stays wants no focus there.
    document.addEventListener("focusout", ({ target }) => setTimeout(() => {
      if (window.evalcoreFocus?.node === target && !isGone(window.evalcoreFocus) && isNowhere()) window.evalcoreFocus = null;
    }));
  }
  keep();
  setTimeout(keep, 300); // what is left over of the run before goes after this one has ended
}
