// A chart that changes is mounted anew and would show all of itself again. Where someone has zoomed in, the new one of
// the same key shows the same part, if its axes are the same. Plotly cannot be called from here, but its button that
// resets the axes goes where the axes began: for that click they began at the zoom.
if (!window.evalcoreZooms) {
  const zooms = (window.evalcoreZooms = new Map());
  const axesOf = (plot) => Object.entries(plot._fullLayout).filter(([name]) => /^[xy]axis\d*$/.test(name));
  const nameOf = (plot) => {
    const key = [...(plot.closest("[class*=st-key-]")?.classList ?? [])].find((name) => name.startsWith("st-key-"));
    return [key, location.pathname, new URLSearchParams(location.search).get("data"), ...axesOf(plot).map(([, axis]) => `${axis.type} ${axis.title?.text}`)].join();
  };
  const isZoomed = ([, axis]) => !axis.autorange && !axis.fixedrange && [0, 1].some((end) => axis.range[end] !== axis[`_rangeInitial${end}`]);
  const remember = (plot) => {
    const zoomed = axesOf(plot).filter(isZoomed).map(([name, axis]) => [name, [...axis.range]]);
    if (zoomed.length) zooms.set(nameOf(plot), zoomed);
    else zooms.delete(nameOf(plot));
  };
  const buttonOf = (plot) => plot.querySelector(".modebar-btn[data-attr=zoom][data-val=reset]");
  const zoomAgain = (plot) => {
    const zoomed = zooms.get(nameOf(plot));
    if (!zoomed || !buttonOf(plot) || axesOf(plot).some(isZoomed)) return;
    const starts = zoomed.map(([name, range]) => {
      const axis = plot._fullLayout[name];
      const before = [axis._rangeInitial0, axis._rangeInitial1];
      [axis._rangeInitial0, axis._rangeInitial1] = range;
      return [name, before];
    });
    buttonOf(plot).click();
    for (const [name, before] of starts) [plot._fullLayout[name]._rangeInitial0, plot._fullLayout[name]._rangeInitial1] = before;
  };
  const known = new WeakSet();
  const find = () => {
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      if (known.has(plot) || !plot.on || !plot._fullLayout?.xaxis?.range) continue;
      // The buttons may come after the axes; until then nothing is remembered of this chart, whose zoom is still to come.
      if (zooms.has(nameOf(plot)) && !buttonOf(plot)) continue;
      known.add(plot);
      zoomAgain(plot);
      plot.on("plotly_relayout", (changed) => {
        if (Object.keys(changed).some((name) => /axis\d*\.(auto)?range/.test(name))) remember(plot);
      });
      // A chart whose width comes late is drawn once more, from where its axes began.
      plot.on("plotly_react", () => zoomAgain(plot));
    }
  };
  new MutationObserver(find).observe(document.body, { childList: true, subtree: true });
}
