// What Python packs: columns of places and of texts by threshold.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// Columns as columns.py packs them.
function places(text) {
  const values = new Float64Array(text.length / 2)
  for (let i = 0; i < values.length; i++) {
    const [a, b] = [LETTERS.indexOf(text[2 * i]), LETTERS.indexOf(text[2 * i + 1])]
    values[i] = a < 0 ? NaN : (a * 64 + b) / 4095
  }
  return values
}

function unpacked({ t, x, flagged, cells, at, texts, intervals, changes }) {
  const bounds = ({ n, ends, words }) => ({ n: written(n), ends: ends?.map(places), words: words?.map(written) })
  return {
    t: written(t), x: places(x), flagged, cells: each(cells, written), at: each(at, places), texts: each(texts, written),
    intervals: each(intervals, bounds), changes: changes && unpackedChanges(changes),
  }
}

const unpackedChanges = packed => each(packed, columns => each(columns, written))

// One row of columns, which lie in objects, and where they are the two bounds of an interval, in arrays.
function picked(columns, i) {
  if (Array.isArray(columns) && typeof columns[0] === "object") return columns.map(column => column[i])
  if (Array.isArray(columns) || ArrayBuffer.isView(columns)) return columns[i]
  return columns && each(columns, column => picked(column, i))
}

// Everything about one threshold; `stop` is the place on the grid whose counts it has, or the nearest one above it.
const rowOf = (columns, i, stop) => ({ ...picked(columns, i), stop })
// Where each part stands in a view of some width: two columns, or one under the other on a phone.
const WIDE = 640
const GAP = 40

function measured(view) {
  const width = Math.max(view.root.clientWidth, 280)
  const wide = width >= WIDE
  const right = wide ? clamp(width * 0.36, 290, 410) : width
  const left = wide ? width - right - GAP : width
  const plot = { left: 30, right: left - (wide ? 6 : 8) }
  plot.width = plot.right - plot.left

  const sizes = { densities: wide ? 246 : 232, sweep: wide ? 208 : 176 }
  const notes = view.content.density.notes.length ? wrapped(view.content.density.notes.join(" · "), plot.width, fontOf(11)) : []
  const column = { left: wide ? left + GAP : 0, width: right }
  const square = Math.min((right - (wide ? 22 : 26)) / 2, 230)
  const numbers = 324 + square + view.content.rates.length * 24
  const legend = { items: legendOf(view, plot) }
  const legendHeight = 42 + (legend.items.at(-1)?.line ?? -1) * 18
  const costHeight = heightOfCosts(view, plot)
  const spreadLines = view.over.spread ? wrapped(view.over.spread.title, plot.width, fontOf()) : []
  const spreadHeight = view.over.spread ? spreadLines.length * 15 + 66 : 0
  if (wide) {
    // Both columns end together.
    const used = 84 + (view.over.promise ? 30 : 0) + costHeight + notes.length * 15 + spreadHeight + legendHeight + sizes.densities + sizes.sweep
    const more = clamp(numbers + 14 - used, 0, 160)
    sizes.densities += Math.round(more / 2)
    sizes.sweep += Math.round(more / 2)
  }
  let y = 34
  const below = (height, gap = 0) => {
    const top = y
    y += height + gap
    return { top, height }
  }
  const densities = below(sizes.densities, 4)
  const noted = { ...below(notes.length * 15, 6), lines: notes }
  const spread = { ...below(spreadHeight), lines: spreadLines }
  spread.base = spread.top + 15 * spreadLines.length + 30
  Object.assign(legend, below(legendHeight))
  const sweep = below(sizes.sweep)
  const promise = below(view.over.promise ? 30 : 0)
  const axis = below(42)
  const cost = below(costHeight)

  column.top = wide ? 14 : y + 18
  const cells = { ...column, heading: column.top }
  const curves = { ...column, top: column.top + 262, square }
  const rates = { ...column, top: curves.top + square + 62 }
  const end = rates.top + 16 + view.content.rates.length * 24
  return { width, wide, plot, densities, stacked: [densities, sweep], noted, spread, legend, sweep, promise, axis, cost, cells, curves, rates,
    height: Math.ceil(Math.max(y, end) + 4) }
}

// The names of the measures with room for their values, broken into lines.
function legendOf(view, plot) {
  let [x, line] = [plot.left, 0]
  return view.content.lines.map(({ key, word }, place) => {
    const width = widthOf(word) + (view.over.pins ? 132 : 84)
    if (x > plot.left && x + width > plot.right) [x, line] = [plot.left, line + 1]
    const item = { key, word, place, x, line }
    x += width
    return item
  })
}
// What limits forbid, and where they hold on new rows.

// Grey over what limits forbid, behind the densities and the measures.
function drawShades(view, at) {
  const allowed = view.over.allowed
  if (!allowed) return
  for (const part of [at.densities, at.sweep]) {
    for (const [left, right] of allowed.shades) {
      const [from, to] = [across(at, left), across(at, right)]
      put(view.under, "rect", { x: from, y: part.top, width: to - from, height: part.height, class: "shade" })
    }
  }
}

function drawShadeWords(view, at) {
  const widest = view.over.allowed?.shades.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]))[0]
  if (!widest) return
  const { words } = view.over.allowed
  const x = Math.min(across(at, widest[0]) + 6, at.plot.right - widthOf(words, 11) - 6)
  label(view.svg, Math.max(x, at.plot.left + 4), at.sweep.top + at.sweep.height - 8, words, "small grey halo")
}

// Where the limits hold on new rows too: a bar with ends, under the measures.
function drawPromise(view, at) {
  const { promise } = view.over
  if (!promise) return
  const layer = group(view.svg)
  const y = at.promise.top + 9
  for (const range of promise.ranges) {
    const [from, to] = range.map(share => pixel(across(at, share)))
    const end = Math.max(to, from + 2)
    put(layer, "path", { d: `M${from} ${y - 5}v10M${from} ${y}H${end}M${end} ${y - 5}v10`, class: "promise" })
  }
  const [from, to] = promise.ranges.length ? [promise.ranges[0][0], promise.ranges.at(-1)[1]] : [0.5, 0.5]
  const words = fitted(promise.words, at.plot.width, fontOf(11))
  const half = widthOf(words, 11) / 2
  const middle = clamp(across(at, (from + to) / 2), at.plot.left + half, Math.max(at.plot.right - half, at.plot.left + half))
  label(layer, middle, y + 17, words, "small halo", "middle")
}
// Where the best threshold falls when the rows are drawn again.
function drawSpread(view, at) {
  const { spread } = view.over
  if (!spread) return
  const layer = group(view.under)
  const { top, lines, base } = at.spread
  for (const [share, height] of spread.bars) {
    const tall = Math.max(26 * height, 1)
    put(layer, "rect", { x: pixel(across(at, share) - 1.5), y: pixel(base - tall), width: 3, height: pixel(tall), class: "little" })
  }
  for (const [from, to] of spread.plateau) {
    const width = pixel(Math.max(across(at, to) - across(at, from), 2))
    put(layer, "rect", { x: pixel(across(at, from)), y: base + 1, width, height: 2, class: "little" })
  }
  const [from, to] = spread.ends.map(share => across(at, share))
  put(layer, "rect", { x: pixel(from), y: base + 4, width: pixel(Math.max(to - from, 3)), height: 4.5, rx: 2, class: "accent" })
  const words = group(view.svg)
  view.parts.spread = [layer, words]
  labelLines(words, at.plot.left, top + 11, lines, "grey halo")
  const half = widthOf(spread.range, 11) / 2
  const middle = clamp((from + to) / 2, at.plot.left + half, at.plot.right - half)
  label(words, middle, base + 22, spread.range, "small accent halo", "middle")
}
// The measures against the threshold.

function drawSweep(view, at) {
  const { plot, sweep: box } = at
  const { stops, lines } = view.content
  const layer = group(view.under)
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const y = pixel(box.top + box.height * (1 - share))
    put(layer, "line", { x1: plot.left, x2: plot.right, y1: y, y2: y, class: share ? "grid" : "base" })
    if (share * 2 === Math.round(share * 2)) label(layer, plot.left - 6, y + 4, String(share), "small grey", "end")
  }
  for (const { key, place } of at.legend.items) {
    const band = view.over.bands[key]
    if (band) put(layer, "path", { d: ribbon(view, at, ...band.map(places)), style: `fill: ${view.ink.lines[place]}`, class: "ribbon" })
  }
  // Told apart without colour: each line is broken in its own way, and named where it has room.
  const dashes = ["none", "8 3", "2 3", "9 3 2 3", "14 4", "5 2 5 7", "9 3 2 3 2 3", "1 5"]
  view.parts.lines = at.legend.items.map(({ key, word, place, x, line }) => {
    const colour = view.ink.lines[place]
    const style = `stroke: ${colour}; stroke-dasharray: ${dashes[place % dashes.length]}`
    const path = put(layer, "path", { d: steps(at, stops.x, stops.at[key], view.content.higher), style, class: "measure" })
    return { key, word, colour, style, path, x, y: at.legend.top + 29 + 18 * line }
  })
  nameLines(view, at)
  if (!lines.length) label(layer, plot.left + 8, box.top + 18, "No measure is chosen.", "grey")
  const area = put(view.svg, "rect", { x: plot.left, y: box.top, width: plot.width, height: box.height, class: "catch plot" })
  // On the line, over everything.
  for (const line of view.parts.lines) {
    line.dot = put(view.svg, "circle", { r: 4, style: `fill: ${line.colour}`, class: "mark" })
  }
  const goal = view.over.goal
  if (goal) {
    view.parts.goal = put(layer, "path", { class: "goal" })
    put(view.parts.goal, "title", {}, `best threshold for the goal: ${goal.text}`)
    markGoal(view, goal.x)
  }
  return area
}

function markGoal({ at, parts }, x) {
  show(parts.goal, !Number.isNaN(x))
  if (!Number.isNaN(x)) set(parts.goal, { d: `M${pixel(across(at, x))} ${at.axis.top + 1}l-4.5 7h9z` })
}

// Each line is named where it is farthest from the others.
function nameLines(view, at) {
  const layer = view.parts.names = group(view.under)
  const { x, at: values } = view.content.stops
  const { top, height: tall } = at.sweep
  const height = (key, stop) => top + tall * (1 - values[key][stop])
  const places = Array.from({ length: 31 }, (_, i) => at.plot.left + at.plot.width * (i + 2) / 35)
  const stops = places.map(place => x.findIndex(share => across(at, share) >= place)).filter(stop => stop >= 0)
  const named = view.parts.named = []
  for (const { key, word } of at.legend.items) {
    const wide = widthOf(word, 11)
    let best = { room: 4 }
    for (const [index, stop] of stops.entries()) {
      const [middle, y] = [across(at, x[stop]), height(key, stop)]
      if (Number.isNaN(y)) continue
      // Beside it too, for a name is wider than a line.
      const around = stops.slice(Math.max(index - 1, 0), index + 2)
      const gaps = at.legend.items.filter(other => other.key !== key)
        .flatMap(other => around.map(near => y - height(other.key, near)))
      const room = Math.min(40, ...gaps.filter(gap => !Number.isNaN(gap)).map(Math.abs))
      const free = named.every(other => Math.abs(other.middle - middle) > (other.wide + wide) / 2 + 6 || Math.abs(other.y - y) > 16)
      const below = y < top + 16 || gaps.some(gap => gap > 0 && gap < 18)
      if (room > best.room && free) best = { room, middle, y: y + (below ? 14 : -5), wide }
    }
    if (best.middle === undefined) continue
    named.push(best)
    label(layer, best.middle, best.y, word, "small halo", "middle")
  }
}

function drawLegend(view, at) {
  const layer = group(view.svg)
  const heading = at.wide ? "Measures against the threshold" : "Measures"
  label(layer, at.plot.left, at.legend.top + 10, heading, "grey halo")
  for (const line of view.parts.lines) {
    const { key, x, y, word, style } = line
    put(layer, "rect", { x: x - 3, y: y - 11, width: widthOf(word) + (view.over.pins ? 126 : 78), height: 15, class: "ground" })
    put(layer, "line", { x1: x, x2: x + 14, y1: y - 4, y2: y - 4, style, class: "measure" })
    nameLabel(view, key, x + 19, y, word)
    line.value = label(layer, x + 24 + widthOf(word), y, "", "strong")
    changeLabel(view, layer, key, x + 72 + widthOf(word), y)
  }
}

// A stop's counts hold from just beyond its neighbour on the negative side, or the end of the axis, up to itself.
const endsOf = (x, i, higher) => (higher ? [i ? x[i - 1] : 0, x[i]] : [x[i], i + 1 < x.length ? x[i + 1] : 1])

// What is above 1 leaves the picture at its top, and comes back from there.
function steps(at, x, values, higher) {
  const parts = []
  let [before, pen, above] = [null, false, false]
  const y = value => pixel(at.sweep.top + at.sweep.height * (1 - value))
  for (let i = 0; i < x.length; i++) {
    const [from, to] = endsOf(x, i, higher)
    if (values[i] > 1 && pen) parts.push(`V${y(1)}`)
    if (!(values[i] <= 1)) { [pen, above] = [false, values[i] > 1]; continue }
    const [left, right, height] = [pixel(across(at, from)), pixel(across(at, to)), y(values[i])]
    if (pen && height === before) parts.push(`H${right}`)
    else parts.push(pen ? `V${height}H${right}` : above ? `M${left} ${y(1)}V${height}H${right}` : `M${left} ${height}H${right}`)
    ;[before, pen, above] = [height, true, false]
  }
  return parts.join("")
}

function ribbon(view, at, low, high) {
  const { x } = view.content.stops
  const point = (i, values) => `${pixel(across(at, x[i]))} ${pixel(at.sweep.top + at.sweep.height * (1 - values[i]))}`
  const known = [...low.keys()].filter(i => !Number.isNaN(low[i]) && !Number.isNaN(high[i]))
  if (!known.length) return ""
  return `M${known.map(i => point(i, low)).join("L")}L${known.reverse().map(i => point(i, high)).join("L")}Z`
}

function paintSweep(view, row) {
  const { at, parts } = view
  const values = parts.lines.map(({ key, word }) => `${word} ${row.texts[key]}`)
  set(parts.sweep, { "aria-label": `Measures against the threshold, at ${row.t}: ${values.join(", ")}; drag to move it` })
  for (const { key, value, dot } of parts.lines) {
    const height = row.at[key]
    set(value, { text: row.texts[key] === UNDEFINED ? "–" : row.texts[key] })
    show(dot, !Number.isNaN(height))
    if (Number.isNaN(height)) continue
    set(dot, { cx: pixel(across(at, row.x)), cy: pixel(at.sweep.top + at.sweep.height * (1 - height)) })
  }
}
