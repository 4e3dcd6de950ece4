// Gives the links of the menu what is open now: a drag in a fragment draws no menu. A click goes where Streamlit says,
// and the address is mended there; this is for a link that is copied or opened aside. In a fragment the mark of a
// complete run is raised too, and says what cameras save now; between two runs of the whole page there may be none.
// After each run the focus is kept, see page.js.
{
  const { query, picture, context, again } = document.currentScript.parentElement.querySelector("[data-query]").dataset;
  for (const link of document.querySelectorAll(".st-key-menu a")) {
    const search = query && "?" + query;
    if (link.search !== search) link.search = search;
  }
  if (again) for (const mark of document.querySelectorAll("[data-run]")) Object.assign(mark.dataset, { run: again, picture, context });
  window.evalcoreKeepFocus?.();
}
