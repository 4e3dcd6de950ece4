// A chart that is saved has a title: what it shows, as its name for screen readers says, and below it the data set, the
// system and the threshold, from the mark of a complete run. On the page the heading and the side bar say that, so the
// title is in the layout only while Plotly copies it for the file, which it does at once when its button is pressed.
if (!window.evalcorePictureTitles) {
  window.evalcorePictureTitles = true;
  const SIZE = 14;
  const SMALL = 12;
  const EDGE = 14;
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  // Streamlit takes out a script in which something looks like a tag.
  const BREAK = "\x3cbr>";
  const tagged = (tag, text, style = "") => `\x3c${tag}${style}>${escaped(text)}\x3c/${tag}>`;
  const ruler = document.createElement("canvas").getContext("2d");
  const wrapped = (text, size, family, width) => {
    ruler.font = `600 ${size}px ${family}`;
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (!lines.at(-1) || ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.filter(Boolean);
  };
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.(".modebar-btn[data-title^='Download plot']");
    const plot = button?.closest(".js-plotly-plot");
    const context = document.querySelector("[data-picture]")?.dataset.context ?? "";
    if (!plot?.layout) return;
    const options = plot._context.toImageButtonOptions;
    const { width, height, font } = plot._fullLayout;
    const shows = plot.closest("[aria-label]").getAttribute("aria-label");
    const lines = wrapped(shows, SIZE, font.family, width - 2 * EDGE);
    const below = wrapped(context, SMALL, font.family, width - 2 * EDGE);
    const room = Math.ceil(1.3 * (SIZE * lines.length + SMALL * below.length)) + EDGE;
    const { title, margin } = plot.layout;
    plot.layout.title = {
      text: [...lines.map((line) => tagged("b", line)), ...below.map((line) => tagged("span", line, ` style="font-size:${SMALL}px"`))].join(BREAK),
      font: { size: SIZE },
      pad: { l: EDGE, t: EDGE },
      x: 0,
      xref: "container",
      xanchor: "left",
      y: 1,
      yref: "container",
      yanchor: "top",
    };
    plot.layout.margin = { ...margin, t: (margin?.t ?? plot._fullLayout.margin.t) + room };
    Object.assign(options, { width, height: height + room });
    setTimeout(() => {
      Object.assign(plot.layout, { title, margin });
      delete options.width;
      delete options.height;
    });
  }, true);
}
