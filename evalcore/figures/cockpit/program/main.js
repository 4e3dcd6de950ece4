// Putting the parts together: drawn anew where the sheet, the colours or the width change, painted at every frame.
const instances = new WeakMap()

function build(root) {
  const view = {
    root, cursor: { kind: "now" }, drag: null, timer: null, frame: null, sent: 0, heard: 0, times: 0, asked: null,
    waiting: null, hinted: remembered(), parts: {}, texts: {}, title: ({ row }) => `Scores of both classes and measures at threshold ${row.t}`,
  }
  view.svg = element("svg:svg", { class: "surface" })
  // What stays lies on a sheet of its own below, which a frame of a drag leaves alone.
  view.under = element("svg:svg", { class: "surface under", "aria-hidden": "true" })
  view.tip = element("div", { class: "tip", hidden: "" })
  view.camera = makeCamera(() => save(view))
  root.replaceChildren(view.under, view.svg, view.camera, view.tip, makeField(view))
  return view
}

function draw(view) {
  family = getComputedStyle(view.root).fontFamily
  const active = view.root.getRootNode().activeElement
  const focused = Object.entries({ grip: view.parts.grip, ...view.parts.areas }).find(([, node]) => node === active)?.[0]
  const at = (view.at = measured(view))
  view.width = view.root.clientWidth
  for (const sheet of [view.under, view.svg]) {
    sheet.replaceChildren()
    withAttributes(sheet, { width: at.width, height: at.height })
  }
  view.camera.style.top = `${at.cells.heading - 16}px`
  view.parts = {}
  view.named = new Set()
  defs(view, at)
  drawShades(view, at)
  drawAxis(view, at)
  const densities = drawDensities(view, at)
  drawSpread(view, at)
  const sweep = drawSweep(view, at)
  const grip = drawLine(view, at)
  // Words lie over the line, so that they can be read wherever it stands.
  drawOutcomes(view, at)
  drawLegend(view, at)
  drawSpreadWords(view, at)
  drawShadeWords(view, at)
  drawPromise(view, at)
  const curves = drawCurves(view, at)
  drawNumbers(view, at)
  drawRates(view, at)
  const byScore = point => stopAt(view, (point.x - at.plot.left) / at.plot.width)
  grab(view, densities, byScore)
  grab(view, sweep, byScore)
  grab(view, grip, byScore, true)
  for (const curve of curves) {
    for (const area of [curve.area, curve.handle]) grab(view, area, point => stopNear(curve, point))
    withAttributes(curve.area, { role: "img", "aria-label": `${view.sheet[curve.key]}; drag the ring to move the threshold` })
  }
  for (const area of [densities, sweep]) withAttributes(area, { role: "img" })
  Object.assign(view.parts, { densities, sweep })
  grabCells(view)
  watchBars(view, densities)
  listen(view, grip)
  paint(view)
  if (focused) (view.parts.areas[focused] ?? grip).focus({ preventScroll: true })
}

function paint(view) {
  const { cursor, now } = view
  if (cursor.kind === "stop") view.row = rowOf(view.sheet.stops, cursor.i, cursor.i)
  else if (cursor.kind === "near") view.row = rowOf(view.near, cursor.i, now.stop)
  else if (cursor.kind === "now" || !view.row) view.row = rowOf(view.here, 0, now.stop)
  for (const part of [paintLine, paintDensities, paintSweep, paintCurves, paintNumbers, paintRates]) part(view, view.row)
  view.root.dataset.threshold = view.row.t
}

function resize(view) {
  view.stale = false
  if (view.sheet && view.root.clientWidth && view.root.clientWidth !== view.width) draw(view)
}

// What came is read again only where it has changed.
function receive(view, data) {
  // A drag is not disturbed: what comes meanwhile is read when it ends.
  view.waiting = view.drag && data.of === view.of ? data : null
  if (view.waiting) return
  view.root.style.zoom = data.zoom ?? 1
  const texts = { sheet: data.sheet, over: data.over, ink: JSON.stringify(data.ink) }
  const isNew = each(texts, (text, key) => text !== view.texts[key])
  const changed = isNew.sheet || isNew.over || isNew.ink
  view.texts = texts
  if (isNew.sheet) {
    view.sheet = JSON.parse(window.evalcoreSheets.get(data.sheet))
    view.sheet.stops = unpacked(view.sheet.stops)
    view.sheet.prevalence = places(view.sheet.prevalence)[0]
    const { density } = view.sheet
    for (const key of ["x", "size", "up", "down", "left", "right"]) {
      if (typeof density[key] === "string") density[key] = places(density[key])
    }
  }
  if (isNew.over) view.over = JSON.parse(data.over)
  if (isNew.ink) {
    view.ink = data.ink
    for (const [key, colour] of Object.entries(data.ink.colours)) view.root.style.setProperty(`--${key}`, colour)
  }
  const other = view.of !== data.of
  if (other) {
    clearTimeout(view.timer)
    view.root.classList.remove("dragging")
    Object.assign(view, { of: data.of, timer: null, drag: null, sent: data.heard, cursor: { kind: "now" } })
  }
  view.heard = data.heard
  // A threshold on its way is not called back by the answer to an earlier one.
  const stays = view.now && !other && (view.timer || awaited(view))
  const { kind } = view.cursor
  const row = kind === "near" || kind === "far" ? placeOf(view) : null
  if (!stays || (changed && kind !== "now")) {
    view.now = data.now
    view.here = unpacked(data.now.row)
    view.near = data.now.near && unpacked(data.now.near)
    // The texts of another setting belong to the same stops and rows.
    if (!stays) view.cursor = { kind: "now" }
    else if (row !== null) view.cursor = cursorAt(view, row)
    if (!stays && kind === "far") goOn(view, row)
  }
  if (changed || other) view.row = null
  if (changed || view.root.clientWidth !== view.width) draw(view)
  else paint(view)
  hearAnswer(view, data)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".cockpit")
  let view = instances.get(parentElement)
  if (!view || view.root !== root) instances.set(parentElement, (view = build(root)))
  view.tell = message => setTriggerValue("go", message)
  // The sheet is a component of its own and may come a moment later.
  const ready = () => {
    if (!window.evalcoreSheets?.has(data.sheet) && view.texts.sheet !== data.sheet) return
    window.removeEventListener("evalcore-sheet", ready)
    receive(view, data)
  }
  window.removeEventListener("evalcore-sheet", view.ready)
  view.ready = ready
  window.addEventListener("evalcore-sheet", ready)
  ready()
  view.observer ??= new ResizeObserver(() => {
    if (view.drag) view.stale = true
    else resize(view)
  })
  view.observer.observe(root)
  insist(view)
  return () => {
    settle(view)
    clearTimeout(view.again)
    window.removeEventListener("evalcore-sheet", view.ready)
    view.observer.disconnect()
    view.observer = null
  }
}
