// What Python packs: columns of places and of texts by threshold.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const THIN = "\u202f"
const UNDEFINED = "undefined"

function fitted(words, width, size = 12) {
  if (widthOf(words, size) <= width) return words
  let most = words.length - 1
  while (most > 1 && widthOf(`${words.slice(0, most)}…`, size) > width) most--
  return `${words.slice(0, most).trimEnd()}…`
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
