// Dragging: every frame looks a stop up and shows it; the server hears of it once, when it is let go.
const DRAGGED = "evalcore threshold dragged"
const REST = 250 // milliseconds after the last key
const TIMES = 5 // that a message is sent before its answer is no longer waited for

// All that moves the threshold: named areas over the axis of the scores, the line itself, and the rings of the curves.
function grabParts(view, areas, grip, curves) {
  Object.assign(view.parts, areas)
  const { left, width } = view.at.plot
  const byScore = point => stopAt(view, (point.x - left) / width)
  for (const area of Object.values(areas)) grab(view, withAttributes(area, { role: "img" }), byScore)
  grab(view, grip, byScore, true)
  for (const curve of curves) {
    for (const area of [curve.area, curve.handle]) grab(view, area, point => stopNear(curve, point))
  }
}

function rest(view) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => commit(view), REST)
}

// `fromStart`: what is dragged stays under the hand, and nothing moves before the hand does.
function grab(view, area, find, fromStart = false) {
  // touch-action is not heeded inside a drawing, so a finger on a handle is kept from scrolling here; along the line
  // below the knob it scrolls where it moves up or down.
  if (area.matches(".grip, .handle")) {
    const isLine = ({ target }) => area.matches(".grip") && target.matches(".catch")
    area.addEventListener("touchstart", event => isLine(event) || event.preventDefault(), { passive: false })
  }
  area.addEventListener("pointerdown", event => {
    if (event.button !== 0 || view.drag) return
    event.preventDefault()
    settle(view)
    const start = pointed(view, event)
    const offset = fromStart ? across(view.at, view.row.x) - start.x : 0
    view.drag = { area, find, offset, from: start, moved: !fromStart, before: view.cursor, row: view.row, flagged: Boolean(event.target.closest?.(".flag")) }
    area.setPointerCapture(event.pointerId)
    view.parts.grip.focus({ preventScroll: true })
    view.root.classList.add("dragging")
    if (view.tip) view.tip.hidden = true
    if (startsBrush(view, area, event)) beginBrush(view, start)
    else if (!fromStart) follow(view, start)
  })
  area.addEventListener("pointermove", event => {
    if (view.drag?.area !== area) return
    const point = pointed(view, event)
    const apart = Math.hypot(point.x - view.drag.from.x, point.y - view.drag.from.y)
    if (!view.drag.moved && apart < 3) return
    view.drag.moved = true
    if (apart >= STILL) clearTimeout(view.hold)
    follow(view, point)
  })
  area.addEventListener("pointerup", () => letGo(view, area, true))
  // The browser took the finger for scrolling: nothing was meant.
  area.addEventListener("pointercancel", () => letGo(view, area, false))
}

function pointed(view, event) {
  const box = view.svg.getBoundingClientRect()
  const scale = view.at.width / box.width // where a presenter has enlarged the picture
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale }
}

function follow(view, point) {
  const stop = view.drag.find({ x: point.x + view.drag.offset, y: point.y })
  if (stop >= 0 && view.drag.brushed) brushTo(view, [view.drag.brushed[0], stop])
  else if (stop >= 0) go(view, { kind: "stop", i: stop })
}

function letGo(view, area, meant) {
  const drag = view.drag
  if (drag?.area !== area) return
  view.drag = null
  clearTimeout(view.hold)
  view.root.classList.remove("dragging")
  if (drag.brushed) {
    endBrush(view, meant)
  } else if (drag.moved && meant) {
    remember(view)
    commit(view)
  } else if (drag.moved) {
    go(view, drag.before)
  } else if (drag.flagged && meant) {
    openField(view)
  } else if (isCell(area) && meant) {
    area.focus({ preventScroll: true })
    pressCell(view, area.cell)
  }
  if (view.waiting) receive(view, view.waiting)
  if (view.stale) resize(view)
}

// The stop nearest to a place on the axis of the scores.
function stopAt(view, share) {
  const { x } = view.content.stops
  let [low, high] = [0, x.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (x[middle] < share) low = middle + 1
    else high = middle
  }
  return low && share - x[low - 1] < x[low] - share ? low - 1 : low
}

// The first place of the least of some numbers, nan left out; -1 where there is none.
function placeOfLeast(count, numberAt) {
  let [best, least] = [-1, NaN]
  for (let i = 0; i < count; i++) {
    const number = numberAt(i)
    if (best < 0 ? !Number.isNaN(number) : number < least) [best, least] = [i, number]
  }
  return best
}

const stopNear = ({ left, top, square, xs, ys }, { x, y }) =>
  placeOfLeast(xs.length, i => (left + square * xs[i] - x) ** 2 + (top + square * (1 - ys[i]) - y) ** 2)

// Where the view stands: at the threshold of the server, at one of its stops, or at one of its neighbours.
function go(view, cursor) {
  view.cursor = cursor
  view.frame ??= requestAnimationFrame(() => {
    view.frame = null
    paint(view)
  })
}

// Whether an answer is still to come.
const awaited = view => view.heard < view.sent && view.times <= TIMES

// A step of a key: the server hears of it a moment after the last one. For a row that is not here yet, one message at a
// time is on its way, and what comes says where the keys have got to.
function stepTo(view, cursor) {
  go(view, cursor)
  remember(view)
  if (cursor.kind !== "far") rest(view)
  else if (!awaited(view)) commit(view)
}

function remember(view) {
  view.hinted = true
  try { localStorage.setItem(DRAGGED, "1") } catch { /* a browser that keeps nothing shows the hint again */ }
}

function remembered() {
  try { return localStorage.getItem(DRAGGED) === "1" } catch { return false }
}
// Saving the surface as one picture that needs nothing else: its rules of style go along, with the colours in them.

function save(view) {
  const [under, copy] = [view.under, view.svg].map(copyOfDrawing)
  for (const node of copy.querySelectorAll(".catch, .hint, .focus")) node.remove()
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes)
  const valueOf = variablesAt(view.root)
  const rules = STYLE.replace(/var\((--[\w-]+)\)/g, (_, name) => valueOf(name))
  const picture = emptyPicture(view.at.width, view.at.height, view.ink.colours, view.title(view))
  picture.append(element("svg:style", {}, rules), ...under.childNodes, ...copy.childNodes)
  savePicture(picture, view.file ?? "threshold")
}
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
