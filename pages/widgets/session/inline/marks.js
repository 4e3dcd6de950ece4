// What the mark beside this script says: parts of Streamlit's page to load ahead, or what a run has left open.
{
  const { parts, scroll, query, picture, context, shown, again } = document.currentScript.parentElement.querySelector("i").dataset;
  // The address of a part is what Streamlit would ask for, so that the browser loads it once.
  const entry = document.querySelector('script[type=module][src*="static/js/index."]');
  const load = async () => {
    const [charts, code] = parts.split(" ").map((part) => new URL(part, entry.src).href);
    await import(charts).catch(() => {});
    // Only fetched: run, it takes memory, and most readers look at no code.
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: code }));
  };
  const whenIdle = window.requestIdleCallback ?? ((task) => setTimeout(task, 100)); // Safari has none
  if (parts && entry) whenIdle(load, { timeout: 300 });
  // The part of a page that is open comes to the top, when what stands above it has its height.
  const bring = () => document.querySelector("[data-testid=stMain] details[open]")?.scrollIntoView({ behavior: "smooth" });
  if (scroll) setTimeout(bring, 300);
  // Gives the links of the menu what is open now: a drag in a fragment draws no menu. A click goes where Streamlit says,
  // and the address is mended there; this is for a link that is copied or opened aside. In a fragment the mark of a
  // complete run is raised too, and says what cameras save now; between two runs of the whole page there may be none.
  // After each run the focus is kept, see page.js, and the history is told what was shown, see history.js.
  if (query !== undefined) {
    const search = query && "?" + query;
    for (const link of document.querySelectorAll(".st-key-menu a")) if (link.search !== search) link.search = search;
    if (again) for (const mark of document.querySelectorAll("[data-run]")) Object.assign(mark.dataset, { run: again, picture, context });
    window.evalcoreKeepFocus?.();
    window.evalcoreHistory?.(JSON.parse(shown));
  }
}
