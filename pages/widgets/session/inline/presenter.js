// The keys of presenter mode: an arrow or the page keys of a clicker press the buttons of the steps, first those of a
// curve that is gone through, to its end; then those of the lecture. Escape leaves. A field or a slider that has the
// focus keeps its arrows, an open list its Escape.
if (!window.evalcorePresenter) {
  const press = (names) => {
    const buttons = names.map((name) => document.querySelector(`.st-key-${name} :is(a, button):not(:disabled)`));
    const button = buttons.find(Boolean);
    button?.click();
    return Boolean(button);
  };
  const [on, back] = [["step-Next", "next-step"], ["step-Back", "previous-step"]];
  const steps = { ArrowRight: on, PageDown: on, ArrowLeft: back, PageUp: back };
  const isField = (node) => Boolean(node?.closest("input, textarea, [role=slider], [role=radiogroup], [role=tablist], [contenteditable=true]"));
  document.addEventListener("keydown", (event) => {
    if (!document.querySelector(".st-key-presenter") || event.altKey || event.ctrlKey || event.metaKey) return;
    const open = document.querySelector("[role=listbox], [role=dialog], [role=menu]");
    const names = event.key === "Escape" ? !open && ["leave-presenter"] : steps[event.key];
    if (!names || (event.key.startsWith("Arrow") && isField(event.composedPath()[0]))) return;
    if (press(names)) event.preventDefault();
  });
  // The two sides of an answer are made smaller until both are on the screen: the words as little as possible. What is
  // too low for a moment only, while a step is drawn, must not stay small: what is drawn anew is measured anew.
  const sides = () => [...document.querySelectorAll(".st-key-lecture-step [data-testid=stColumn]")]
    .filter((node) => !node.parentElement.closest("[data-testid=stColumn]"))
    .map((node) => node.firstElementChild);
  const way = () => document.querySelector(".st-key-lecture-way")?.getBoundingClientRect().top ?? window.innerHeight;
  const isLow = (node, end) => node.lastElementChild?.getBoundingClientRect().bottom > end - 8;
  const fit = (isNew) => {
    if (!document.querySelector(".st-key-presenter")) return;
    sides().forEach((node, place) => {
      sizes.observe(node);
      let zoom = isNew ? 1 : Number(node.style.zoom || 1);
      const put = () => { node.style.zoom = zoom; node.style.setProperty("--fit", zoom); };
      for (put(); isLow(node, place ? way() : window.innerHeight) && zoom > (place ? 0.45 : 0.7); put()) zoom -= 0.05;
    });
  };
  // A chart draws itself anew for each size that it is given.
  const isOfChart = ({ target }) => target.closest?.(".stPlotlyChart");
  const sizes = new ResizeObserver(() => requestAnimationFrame(() => fit(false)));
  new MutationObserver((all) => fit(!all.every(isOfChart))).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", () => fit(true));
  window.evalcorePresenter = true;
}
