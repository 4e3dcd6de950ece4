// Putting the playground together: shaping works the theory and the sample out anew at every frame and writes the lines
// that follow, a moved threshold only paints; the link is written when a hand lets go.
const REST = 250 // milliseconds after the last key
const SWEEP = 9000 // milliseconds from one end of the axis to the other
const PAST = 10
const instances = new WeakMap()

function build(frame, data) {
  const { limits, presets, words, measures } = data
  const view = { frame, limits, presets, words, measures, cursor: { kind: "stop", i: 0 }, parts: {}, told: [], drag: null, over: {}, traces: true, file: "playground", title: () => "Two distributions of scores with a threshold", hinted: remembered() }
  view.svg = element("svg:svg", { class: "surface" })
  view.under = element("svg:svg", { class: "surface under", "aria-hidden": "true" })
  view.camera = makeCamera(() => save(view))
  view.root = element("div", { class: "cockpit" }, view.under, view.svg, ...makeKnobs(view), view.camera)
  const below = element("div", { class: "below" }, makeControls(view), element("div", {}, makeNumbers(view), makeGame(view)))
  frame.replaceChildren(...makePresets(view), makeTools(view), view.root, below)
  new ResizeObserver(() => resize(view)).observe(view.root)
  return view
}

// What is set has changed: everything is worked out in the next frame, and what lies on the sheet follows.
function reshape(view) {
  hold(view)
  view.shaping ??= requestAnimationFrame(() => {
    view.shaping = null
    work(view)
    if (view.built === partsOf(view)) shape(view)
    else draw(view)
  })
}

// Which pieces there are on the sheet.
const partsOf = ({ model, kept, past }) => [model.drawn, Boolean(kept), past.length].join()

// A sweep stops where it is, and the threshold stays while hills change under it.
function hold(view) {
  if (view.playing) pause(view)
  stop(view)
  view.state.threshold = Math.round((LOW + view.cursor.i / 10) * 10) / 10
}

function work(view) {
  const { state } = view
  // Pairs that were judged belong to their sample.
  const sample = JSON.stringify([state.positives, state.negatives, state.prevalence, state.rows, state.seed])
  if (view.judged && sample !== view.judged) state.guesses = ""
  view.judged = sample
  view.model = modelOf(state)
  view.kept = state.kept && modelOf(state.kept)
  view.sample = sampleOf(view.model, state.rows, state.seed)
  Object.assign(view.sample, areasUnder(view.sample))
  view.past = []
  for (let seed = Math.max(1, state.seed - PAST); seed < state.seed; seed++) view.past.push(ratesOf(sampleOf(view.model, state.rows, seed)))
  view.sheet = sheetOf(view)
  view.cursor = { kind: "stop", i: stopOf(state.threshold) }
}

function draw(view) {
  family = getComputedStyle(view.root).fontFamily
  const focused = view.active() === view.parts.grip && view.parts.grip
  const at = (view.at = measured(view))
  view.width = view.root.clientWidth
  for (const sheet of [view.under, view.svg]) {
    sheet.replaceChildren()
    withAttributes(sheet, { width: at.width, height: at.height })
  }
  view.parts = {}
  defs(view, at)
  drawAxis(view, at)
  const densities = drawDensities(view, at)
  drawOutlines(view)
  drawKept(view)
  drawHint(view, at)
  const grip = drawLine(view, at)
  drawOutcomes(view, at)
  drawAreas(view, at)
  drawPast(view, at)
  const curves = drawCurves(view, at)
  drawTheory(view, at)
  const byScore = point => stopAt(view, (point.x - at.plot.left) / at.plot.width)
  grab(view, densities, byScore)
  grab(view, grip, byScore, true)
  for (const curve of curves) {
    for (const area of [curve.area, curve.handle]) grab(view, area, point => stopNear(curve, point))
  }
  view.parts.densities = withAttributes(densities, { role: "img" })
  listen(view, grip)
  view.built = partsOf(view)
  shape(view)
  if (focused) grip.focus({ preventScroll: true })
}

function shape(view) {
  const { at, parts } = view
  for (const part of [shapeDensities, shapeOutlines, shapeKept, shapePast]) part(view, at)
  for (const curve of parts.curves) {
    shapeCurve(view, curve)
    withAttributes(curve.area, { role: "img", "aria-label": `${view.sheet[curve.key]}; drag the ring to move the threshold` })
  }
  traceModel(view.model, parts.theory)
  for (const part of [placeKnobs, paintControls, paintFormula, paintGame, paint]) part(view)
}

function paint(view) {
  view.row = rowAt(view, view.cursor.i)
  for (const part of [paintLine, paintDensities, paintAreas, paintCurves, paintGuides, paintTheory, paintNumbers]) part(view, view.row)
  const { auc, ap, error } = view.model
  const { sizes, auc: sampleAuc, ap: sampleAp } = view.sample
  Object.assign(view.root.dataset, {
    threshold: view.row.t, numbers: JSON.stringify({ auc, ap, error: error(...sizes), sampleAuc, sampleAp, ...view.row.theory, counts: view.row.counts }),
  })
}

function listen(view, grip) {
  grip.addEventListener("keydown", event => {
    if (event.key === "Escape" && view.drag) return letGo(view, view.drag.area, false)
    if (event.key === " ") {
      event.preventDefault()
      if (view.playing) pause(view)
      else play(view)
    }
  })
  const step = STOPS - 1
  stepped(grip, { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 50, PageDown: -50, Home: -step, End: step }, by => {
    if (view.drag) return
    stop(view)
    go(view, { kind: "stop", i: clamp(view.cursor.i + by, 0, step) })
    remember(view)
    rest(view)
  })
}

// The threshold goes from ∞ down, or on from where it was held.
function play(view) {
  const from = view.paused ? view.cursor.i : STOPS - 1
  settle(view)
  const start = performance.now()
  view.playButton.textContent = "❚❚ Pause"
  view.playing = true
  const frame = now => {
    if (!view.playing) return
    // The time of a frame may lie before the press that asked for it.
    const i = clamp(Math.round(from - ((now - start) / SWEEP) * (STOPS - 1)), 0, from)
    view.cursor = { kind: "stop", i }
    paint(view)
    if (i) requestAnimationFrame(frame)
    else pause(view)
  }
  requestAnimationFrame(frame)
}

function pause(view) {
  stop(view)
  view.paused = view.cursor.i > 0
  view.playButton.textContent = view.paused ? "▶ Go on" : "▶ Sweep the threshold"
  commit(view)
}

function stop(view) {
  view.playing = view.paused = false
  view.playButton.textContent = "▶ Sweep the threshold"
}

// What is under way ends before something else begins.
function settle(view) {
  if (view.playing) pause(view)
  if (view.timer) commit(view)
  stop(view)
}

function rest(view) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => commit(view), REST)
}

function commit(view) {
  clearTimeout(view.timer)
  view.timer = null
  view.state.threshold = Math.round((LOW + view.cursor.i / 10) * 10) / 10
  if (view.shaping) work(view) // what is told is what will be drawn
  const lists = listsOf(view.state)
  const text = JSON.stringify(lists)
  if (text === view.sent) return
  view.sent = text
  view.told.push(text)
  view.tell(lists)
}

const openField = view => view.parts.grip.focus({ preventScroll: true })

function adopt(view, lists) {
  view.state = stateFrom(lists)
  view.sent = JSON.stringify(lists)
  view.judged = null
  stop(view)
  work(view)
  draw(view)
}

function resize(view) {
  if (view.state && view.root.clientWidth && view.root.clientWidth !== view.width) draw(view)
}

// A link, the way back or another theme; what a hand holds is not disturbed.
function receive(view, data) {
  const ink = JSON.stringify(data.ink)
  if (ink !== view.inked) {
    view.ink = data.ink
    for (const [key, colour] of Object.entries(data.ink.colours)) view.frame.style.setProperty(`--${key}`, colour)
    view.inked = ink
  }
  view.frame.style.zoom = data.zoom
  const text = JSON.stringify(data.lists)
  if (text === view.heard && view.state) return
  view.heard = text
  const answered = view.told.indexOf(text)
  view.told.splice(0, answered + 1)
  if (view.state && (answered >= 0 || view.drag || view.playing || view.timer)) return
  adopt(view, data.lists)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".playground")
  let view = instances.get(parentElement)
  if (!view || view.frame !== frame) instances.set(parentElement, (view = build(frame, data)))
  view.tell = lists => setTriggerValue("set", lists)
  receive(view, data)
}
