// A sheet of SVG on which every part shows the same threshold and every part can move it. Where things stand comes as
// shares of their axes, with what is written there; nothing is computed in these files but pixels.

const CELLS = ["tp", "fp", "fn", "tn"]

const clamp = (value, low, high) => Math.min(Math.max(value, low), high)
const pixel = value => Math.round(value * 10) / 10

// A piece of the picture, put into another one.
function put(parent, tag, attributes, ...children) {
  const node = element(`svg:${tag}`, attributes, ...children)
  parent.append(node)
  return node
}

// A group of what a screen reader hears from the line instead.
const group = parent => put(parent, "g", { "aria-hidden": "true" })

const label = (parent, x, y, words, kind = "", anchor = "start") =>
  put(parent, "text", { x: pixel(x), y: pixel(y), class: kind, "text-anchor": anchor }, words)

// What moves is written only where it has changed: a frame of a drag touches little.
function set(node, name, value) {
  const current = (node.current ??= {})
  if (current[name] === value) return
  current[name] = value
  if (name === "text") node.textContent = value
  else node.setAttribute(name, value)
}

const show = (node, visible) => set(node, "visibility", visible ? "visible" : "hidden")

// How wide words are, measured apart from the page, which would have to be laid out to answer.
const ruler = document.createElement("canvas").getContext("2d")
let family = "sans-serif"

function widthOf(words, size = 12, weight = 400) {
  ruler.font = `${weight} ${size}px ${family}`
  return ruler.measureText(words).width
}

function wrapped(words, width, size = 12) {
  const lines = [""]
  for (const word of words.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (lines.at(-1) && widthOf(longer, size) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
