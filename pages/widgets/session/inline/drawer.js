// The drawer of rows: its table has the focus when it opens, Escape or a swipe downwards closes it, and what had the
// focus before has it again. J and K lead to the next and the previous list.
{
  const drawer = () => document.querySelector(".st-key-drawer");
  const close = () => drawer()?.querySelector(".st-key-close-rows button")?.click();
  // A picture that is drawn again for its narrower place has other parts, in the same order.
  const places = (root) => [...root.querySelectorAll("[tabindex='0']")];
  const remember = (node) => {
    const root = node?.getRootNode();
    return { node, root, at: root instanceof ShadowRoot ? places(root).indexOf(node) : -1 };
  };
  const giveBack = ({ node, root, at }) => (node?.isConnected ? node : root && places(root)[at])?.focus({ preventScroll: true });
  const focused = (node = document.activeElement) => (node?.shadowRoot?.activeElement ? focused(node.shadowRoot.activeElement) : node);
  // Its table; where none has come for a while, as without rows, the button that closes it.
  const firstOf = (node, since) => {
    const part = node.querySelector("[data-testid=stBidiComponentIsolated]");
    if (part) return part.shadowRoot?.querySelector(".grid");
    return performance.now() - since > 600 ? node.querySelector(".st-key-close-rows button") : null;
  };
  if (!window.evalcoreDrawer) {
    const state = (window.evalcoreDrawer = { node: null, before: null, moved: 0 });
    const scroll = (by) => document.querySelector(".stMain").scrollBy({ top: by, behavior: "instant" });
    // What was touched (see page.js) stays in view above the sheet of a phone.
    const uncover = () => {
      const y = window.evalcoreTouched - document.querySelector(".stMain").scrollTop;
      if (innerWidth <= 640 && y > innerHeight * 0.4) scroll(y - innerHeight * 0.3);
    };
    // What was clicked stays where it is, though a headline above it takes more lines beside the drawer.
    const hold = (node) => {
      const hovered = window.evalcoreTouched === undefined ? null : document.querySelector(".stMain .stElementContainer:hover");
      const held = focused() === document.body ? hovered : focused();
      if (!held) return;
      const top = () => held.getBoundingClientRect().top;
      node.classList.remove("st-key-drawer");
      const before = top();
      node.classList.add("st-key-drawer");
      // Observed last, it is told after a picture has drawn itself for its narrower place, and before anybody sees it.
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        scroll((state.moved = top() - before));
      });
      observer.observe(node);
    };
    // What opened by itself is in no address: it moves nothing and takes no focus.
    const isAsked = () => /[?&](picked|selected)=/.test(location.search);
    const look = () => {
      const node = drawer();
      if (node === state.node && (!node || state.first)) return;
      if (node && node !== state.node) {
        if (!state.node && isAsked()) {
          state.before = remember(focused());
          uncover();
          hold(node);
        }
        Object.assign(state, { node, first: isAsked() ? null : node, since: performance.now() });
        node.setAttribute("role", "region");
        node.setAttribute("aria-label", node.querySelector("p")?.textContent ?? "Rows");
      }
      clearTimeout(state.timer);
      if (state.first && node) return;
      if (node && (state.first = firstOf(node, state.since))) state.first.focus({ preventScroll: true });
      // The table is built within its component, where no change of the page tells of it.
      else if (node) state.timer = setTimeout(look, 60);
      if (node) return;
      scroll(-state.moved);
      Object.assign(state, { node: null, first: null, moved: 0 });
      if (state.before) giveBack(state.before);
      state.before = null;
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    window.evalcoreLookForDrawer = look;
    document.addEventListener("keydown", (event) => {
      const open = document.querySelector("[role=listbox], [role=dialog], [role=menu]");
      if (event.defaultPrevented || open || !drawer()) return;
      const isTyped = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable=true]");
      const isHeld = event.ctrlKey || event.metaKey || event.altKey;
      const step = !isTyped && !isHeld && { j: "next", k: "previous" }[event.key.toLowerCase()];
      if (event.key === "Escape") close();
      else if (step) drawer().querySelector(`.st-key-${step}-list button`)?.click();
      else return;
      event.preventDefault();
    });
    // On a phone the drawer is a sheet: its head is pulled down.
    let from = null;
    document.addEventListener("pointerdown", (event) => {
      const head = event.target.closest?.(".st-key-drawer-head");
      from = head && !event.target.closest("button") && innerWidth <= 640 ? event.clientY : null;
    });
    document.addEventListener("pointermove", (event) => {
      if (from !== null && drawer()) drawer().style.transform = `translateY(${Math.max(event.clientY - from, 0)}px)`;
    });
    for (const end of ["pointerup", "pointercancel"])
      document.addEventListener(end, (event) => {
        if (from === null || !drawer()) return;
        const far = event.type === "pointerup" && event.clientY - from > 70;
        from = null;
        if (far) close();
        else drawer().style.transform = "";
      });
  }
  window.evalcoreLookForDrawer();
}
