// Puts the link of the page, or a table, on the clipboard: a rich one as HTML with plain text of its cells beside it, else the text of the format.
// A server under a plain http address has no asynchronous clipboard, so there the command of old is used.
if (!window.evalcoreCopies) {
  window.evalcoreCopies = true;
  const cells = (row) => [...row.cells].map((cell) => cell.textContent).join("\t");
  const content = (button) => {
    const { copy, format } = button.dataset;
    if (format !== "HTML") return { "text/plain": copy };
    const table = new DOMParser().parseFromString(copy, "text/html").querySelector("table");
    return { "text/html": copy, "text/plain": [...table.rows].map(cells).join("\n") };
  };
  const byCommand = (types) => {
    const fill = (event) => {
      for (const [type, text] of Object.entries(types)) event.clipboardData.setData(type, text);
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("copy", fill, { capture: true, once: true });
    const done = document.execCommand("copy");
    document.removeEventListener("copy", fill, true);
    return done;
  };
  const copy = async (types) => {
    if (!navigator.clipboard?.write || !window.ClipboardItem) return byCommand(types);
    const parts = Object.entries(types).map(([type, text]) => [type, new Blob([text], { type })]);
    return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts))]).then(() => true, () => byCommand(types));
  };
  const say = (control, words) => {
    control.dataset.words ??= control.textContent;
    control.setAttribute("aria-live", "polite");
    control.textContent = words;
    clearTimeout(control.timer);
    control.timer = setTimeout(() => (control.textContent = control.dataset.words), 2500);
  };
  const close = (except) => {
    for (const menu of document.querySelectorAll(".copy-table[open]")) if (menu !== except) menu.open = false;
  };
  document.addEventListener("click", async ({ target }) => {
    const link = target.closest?.("button.copy-link");
    if (link) say(link, (await copy({ "text/plain": location.href })) ? "Copied" : location.href);
    const button = target.closest?.(".copy-table button");
    close(target.closest?.(".copy-table"));
    if (!button) return;
    const summary = button.closest(".copy-table").querySelector("summary");
    const words = (await copy(content(button))) ? "Copied" : "The browser did not allow it";
    close();
    summary.focus({ preventScroll: true });
    say(summary, words);
  });
  document.addEventListener("keydown", ({ key, target }) => {
    const menu = key === "Escape" && target.closest?.(".copy-table[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
