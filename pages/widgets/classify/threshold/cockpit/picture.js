// Saving the surface as one SVG file that needs nothing else: its rules of style go along, with the colours in them.

function makeCamera(view) {
  const words = "Save this picture as SVG"
  const button = element("button", { type: "button", class: "camera", title: words, "aria-label": words })
  const icon = put(button, "svg", { viewBox: "0 0 24 24", width: 16, height: 16, "aria-hidden": "true" })
  put(icon, "path", { d: "M4 7h3l2-2.5h6L17 7h3a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 7z" })
  put(icon, "circle", { cx: 12, cy: 12.8, r: 3.6 })
  button.addEventListener("click", () => save(view))
  return button
}

const save = view => download(new Blob([standing(view)], { type: "image/svg+xml" }), "threshold.svg")

function standing(view) {
  const copy = view.svg.cloneNode(true)
  const [width, height] = [view.at.width + 32, view.at.height + 32]
  keepWidths(view.svg, copy)
  withAttributes(copy, { xmlns: copy.namespaceURI, viewBox: `-16 -16 ${width} ${height}`, width, height })
  for (const node of copy.querySelectorAll(".catch, .hint, .focus")) node.remove()
  const computed = getComputedStyle(view.root)
  const rules = STYLE.replace(/var\((--[\w-]+)\)/g, (_, name) => computed.getPropertyValue(name).trim())
  const ground = element("svg:rect", { x: -16, y: -16, width, height, class: "ground" })
  const under = view.under.cloneNode(true)
  keepWidths(view.under, under)
  copy.prepend(element("svg:style", {}, rules), ground, ...under.childNodes)
  return new XMLSerializer().serializeToString(copy)
}

// Elsewhere the font may be wider: words keep the width they have here, or they would run into each other.
function keepWidths(tree, copy) {
  const words = one => [...one.querySelectorAll("text, tspan")]
  const twins = words(copy)
  for (const [index, one] of words(tree).entries()) {
    const width = one.childElementCount ? 0 : one.getComputedTextLength()
    if (width) withAttributes(twins[index], { textLength: width.toFixed(1), lengthAdjust: "spacingAndGlyphs" })
  }
}
