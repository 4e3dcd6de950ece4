// The keys of presenter mode: an arrow or the page keys of a clicker press the buttons of the steps, Escape leaves. A
// field or a slider that has the focus keeps its arrows, an open list its Escape.
if (!window.evalcorePresenter) {
  const press = (name) => {
    const button = document.querySelector(`.st-key-${name} :is(a, button):not(:disabled)`);
    button?.click();
    return Boolean(button);
  };
  const steps = { ArrowRight: "next-step", PageDown: "next-step", ArrowLeft: "previous-step", PageUp: "previous-step" };
  const isField = (node) => Boolean(node?.closest("input, textarea, [role=slider], [role=radiogroup], [role=tablist], [contenteditable=true]"));
  document.addEventListener("keydown", (event) => {
    if (!document.querySelector(".st-key-presenter") || event.altKey || event.ctrlKey || event.metaKey) return;
    const open = document.querySelector("[role=listbox], [role=dialog], [role=menu]");
    const name = event.key === "Escape" ? !open && "leave-presenter" : steps[event.key];
    if (!name || (event.key.startsWith("Arrow") && isField(event.composedPath()[0]))) return;
    if (press(name)) event.preventDefault();
  });
  window.evalcorePresenter = true;
}
