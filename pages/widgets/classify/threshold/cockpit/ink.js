// The cockpit: a sheet of SVG on which every part shows the same threshold and every part can move it. Python sends
// where things stand, as shares of their axes, and what is written there; nothing is computed here but pixels.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const THIN = "\u202f"
const UNDEFINED = "undefined"
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

function fitted(words, width, size = 12) {
  if (widthOf(words, size) <= width) return words
  let most = words.length - 1
  while (most > 1 && widthOf(`${words.slice(0, most)}…`, size) > width) most--
  return `${words.slice(0, most).trimEnd()}…`
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

// Columns as columns.py packs them.
function places(text) {
  const values = new Float64Array(text.length / 2)
  for (let i = 0; i < values.length; i++) {
    const [a, b] = [LETTERS.indexOf(text[2 * i]), LETTERS.indexOf(text[2 * i + 1])]
    values[i] = a < 0 ? NaN : (a * 64 + b) / 4095
  }
  return values
}

function written([ending, joined, times]) {
  if (times !== undefined) return Array(Number(times)).fill(joined)
  let before = ""
  return joined.split("|").map(part => {
    before = before.slice(0, Number(part[0])) + part.slice(1)
    return before === UNDEFINED ? before : before.replaceAll("_", THIN) + ending
  })
}

const each = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))

function unpacked(packed) {
  return {
    t: written(packed.t),
    x: places(packed.x),
    flagged: packed.flagged,
    cells: each(packed.cells, written),
    at: each(packed.at, places),
    texts: each(packed.texts, written),
    intervals: each(packed.intervals, column => ({
      n: written(column.n),
      ends: column.ends?.map(places),
      words: column.words?.map(written),
    })),
  }
}

// One row of columns, which lie in objects, and where they are the two bounds of an interval, in arrays.
function picked(columns, i) {
  if (Array.isArray(columns) && typeof columns[0] === "object") return columns.map(column => column[i])
  if (Array.isArray(columns) || ArrayBuffer.isView(columns)) return columns[i]
  return columns && each(columns, column => picked(column, i))
}

// Everything about one threshold; `stop` is the place on the grid whose counts it has, or the nearest one above it.
const rowOf = (columns, i, stop) => ({ ...picked(columns, i), stop })
