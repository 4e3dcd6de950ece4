// A click on a term opens its definition beside it. The link leads to its entry where a key is held, by the middle
// button, and by "More" in the definition.
if (!window.evalcoreDefinitions && HTMLElement.prototype.showPopover) {
  const card = (window.evalcoreDefinitions = document.createElement("div"));
  Object.assign(card, { className: "definition", popover: "auto", role: "dialog" });
  card.addEventListener("toggle", ({ newState }) => newState === "closed" && card.remove());
  const line = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
  const entryOf = (link) => {
    if (link?.getAttribute("target") !== "_blank" || card.contains(link)) return;
    const { pathname, searchParams } = new URL(link.getAttribute("href"), location);
    const lines = document.querySelector("[data-definitions]")?.dataset.definitions.split("\n") ?? [];
    return pathname.endsWith("/measures") && lines.find((line) => line.startsWith(`${searchParams.get("measure")}\t`));
  };
  let anchor, anchored;
  const show = (link, entry) => {
    const [, title, ...texts] = entry.split("\t");
    const more = Object.assign(line("a", "More"), { href: link.getAttribute("href"), target: "_blank", autofocus: true });
    card.replaceChildren(line("b", title), ...texts.filter(Boolean).map((text) => line("p", text)), more);
    card.setAttribute("aria-label", title);
    document.querySelector(".stApp").append(card);
    card.showPopover();
    const { left, top, bottom } = link.getBoundingClientRect();
    [anchor, anchored] = [link, top];
    const { width, height } = card.getBoundingClientRect();
    card.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    card.style.top = `${bottom + height + 8 < innerHeight ? bottom + 6 : Math.max(8, top - height - 6)}px`;
  };
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node) => node.tagName?.toLowerCase() === "a");
    const entry = entryOf(link);
    if (!entry) return;
    event.preventDefault();
    event.stopPropagation();
    show(link, entry);
  }, true);
  document.addEventListener("scroll", () => anchor?.getBoundingClientRect().top !== anchored && card.hidePopover(), true);
}
