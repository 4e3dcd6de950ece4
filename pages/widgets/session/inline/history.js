// One entry in the browser's history for what a person does once. A page change comes as several addresses: the old page
// without its settings, the new page, then each setting it has again; a choice that writes three keys comes as three.
// The first after an action is an entry of its own, and those that follow take its place, so that Back goes back by one
// action. Without this script all is as Streamlit has it: the same screens, some of them twice.
if (!window.history.byAction) {
  const push = window.history.pushState;
  let acted = false;
  for (const kind of ["pointerdown", "pointerup", "click", "keydown", "change", "drop"])
    window.addEventListener(kind, () => { acted = true; }, true);
  window.addEventListener("popstate", () => { acted = false; });
  window.history.pushState = function (...entry) {
    if (acted) push.apply(this, entry);
    else this.replaceState(...entry);
    acted = false;
  };
  window.history.byAction = true;
}
