// Opening the rows behind a cell or a range of scores. A range is brushed over the densities, the measures or a curve: with
// Shift, with the brush in hand, by a finger that rests before it moves, or by Shift and arrows from the line.
const HELD = 450 // milliseconds until a finger that rests brushes
const STILL = 8 // pixels

function makeBrush(view) {
  const dashes = "M4 8V4h4M11 4h2M16 4h4v4M20 11v2M20 16v4h-4M13 20h-2M8 20H4v-4M4 13v-2"
  view.brush = iconButton(dashes, "Select rows by score", ({ detail }) => {
    takeBrush(view, !view.brushes)
    if (view.brushes && !detail) view.parts.grip.focus({ preventScroll: true }) // pressed by a key
  }, {
    class: "tool brush", title: "Select rows by score: drag over the picture, or press Shift with arrow keys on the line", "aria-pressed": false,
  })
  return view.brush
}

function takeBrush(view, isTaken) {
  view.brushes = isTaken
  view.brush.setAttribute("aria-pressed", isTaken)
  view.root.classList.toggle("brushes", isTaken)
}

const isCell = area => area.matches(".cell")

// Whether a press begins a range of scores; a finger that rests makes it one later.
function startsBrush(view, area, event) {
  if (!view.opens || area.matches(".cell, .grip")) return false
  if (event.pointerType === "touch" && !view.brushes) {
    view.hold = setTimeout(() => view.drag && beginBrush(view, view.drag.from), HELD)
  }
  return event.shiftKey || view.brushes
}

function beginBrush(view, point) {
  const stop = view.drag.find(point)
  if (stop < 0) return
  go(view, view.drag.before)
  Object.assign(view.drag, { brushed: [stop, stop], moved: true })
  brushTo(view, view.drag.brushed)
}

const isStill = (from, point) => Math.hypot(point.x - from.x, point.y - from.y) < STILL

function brushTo(view, stops) {
  const { x, t } = view.content.stops
  const [low, high] = [...stops].sort((a, b) => a - b)
  view.range = { stops, ends: [x[low], x[high]] }
  paintRows(view)
  set(view.parts.grip, { "aria-valuetext": `Rows with scores ${t[low]} to ${t[high]}` })
}

function endBrush(view, isMeant) {
  takeBrush(view, false)
  if (isMeant) return view.openRows(view.range.stops)
  view.range = null
  paintRows(view)
}

// With Shift the far end of a range goes on from the line, and the rows follow when the keys rest.
function extend(view, key) {
  const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[key]
  const [from, to] = view.reach ?? [view.row.stop, view.row.stop]
  view.reach = [from, clamp(to + way, 0, view.content.length - 1)]
  brushTo(view, view.reach)
  clearTimeout(view.extended)
  view.extended = setTimeout(() => view.root.isConnected && view.openRows(view.reach), 2 * REST)
}

// The line or the picture has changed before the keys rested: the range from there is not meant any more.
function dropRange(view) {
  clearTimeout(view.extended)
  clearTimeout(view.hold)
  Object.assign(view, { reach: null, range: null })
}

const pressCell = (view, cell) => view.opens && view.openRows(view.marked === cell ? "" : cell)

// What is marked: the cell that is open, or the range of scores over everything that shows them.
function drawRows(view, at) {
  view.parts.brushed = at.stacked.map(({ top, height }) => element("svg:rect", { y: top, height, class: "brushed" }))
  const drawn = view.parts.curves.filter(curve => curve.area)
  for (const curve of drawn) curve.piece = element("svg:path", { class: "piece" })
  view.svg.prepend(...view.parts.brushed, ...drawn.map(curve => curve.piece))
  view.parts.painted = null
}

function paintRows(view) {
  const { at, parts } = view
  const range = view.range?.ends ?? view.marked
  if (parts.painted === range) return
  parts.painted = range
  for (const cell of CELLS) parts.areas[cell].classList.toggle("opened", range === cell)
  const [from, to] = Array.isArray(range) ? range : [NaN, NaN]
  for (const node of parts.brushed) {
    show(node, Array.isArray(range))
    if (Array.isArray(range)) set(node, { x: pixel(across(at, from)), width: pixel(Math.max(across(at, to) - across(at, from), 2)) })
  }
  const { x } = view.content.stops
  const beside = 1.3e-4 // places are packed in steps of 1 / 4095
  for (const { piece, ...curve } of parts.curves) {
    if (piece) set(piece, { d: traced(curve, i => x[i] >= from - beside && x[i] <= to + beside) })
  }
}
