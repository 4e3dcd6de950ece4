// The AUC as a game: of one positive and one negative, which has the higher score? The share of right answers tells.
const MOST_GUESSES = 200
const GAME_HEIGHT = 130

function makeGame(view) {
  const game = (view.game = { question: element("p", { class: "question" }), answer: element("p", { class: "note", role: "status" }) })
  game.buttons = ["A", "B"].map(letter => button("", () => {
    if (view.state.guesses.length < MOST_GUESSES) change(view, { guesses: view.state.guesses + letter })
  }))
  const decide = [1, 10, 100].map(count => button(count > 1 ? `${count} pairs` : "1 pair", () => {
    change(view, { pairs: Math.min(view.state.pairs + count, view.limits.pairs[1]) })
  }))
  game.anew = button("Start again", () => change(view, { pairs: 0, guesses: "" }))
  game.svg = element("svg:svg", { class: "line", role: "img", height: GAME_HEIGHT })
  // Asked for while the picture is drawn, the width would have the whole page laid out.
  game.width = 0
  new ResizeObserver(([{ contentRect }]) => {
    game.width = contentRect.width
    if (view.state) paintGame(view)
  }).observe(game.svg)
  game.shares = element("p", { class: "note" })
  return element("div", { class: "game" },
    element("h2", {}, "The AUC as a game"),
    game.answer, game.question, element("div", { class: "tools" }, ...game.buttons),
    element("div", { class: "tools" }, element("span", {}, "Or let the score decide:"), ...decide, game.anew),
    game.svg, game.shares)
}

// Pair number i of a stream: two scores, and whether the positive is A.
function pairsOf(view, stream, count) {
  const [positives, negatives] = view.sample.classes
  const next = uniformNumbers(view.state.seed, stream)
  return Array.from({ length: count }, () => {
    const [positive, negative] = [positives, negatives].map(scores => scores[Math.floor(next() * scores.length)])
    return { positive, negative, first: next() < 0.5 }
  })
}

// 1 for a positive above the negative, a half for a tie, of what the score says.
const won = ({ positive, negative }) => (positive > negative ? 1 : positive === negative ? 0.5 : 0)
const right = (pair, letter) => (pair.positive === pair.negative ? 0.5 : pair.first === (letter === "A") ? 1 : 0)
const tenths = score => (score / 10).toFixed(1).replace("-", "−")

function verdictOf(view, place) {
  const pair = pairsOf(view, 5, place + 1)[place]
  const letter = pair.first ? "A" : "B"
  if (pair.positive === pair.negative) return `A tie counts one half; the positive was ${letter}.`
  const outcome = right(pair, view.state.guesses[place]) ? "Right" : "Wrong"
  const odd = pair.positive < pair.negative ? ", with the lower score" : ""
  return `${outcome}: ${letter} (${tenths(pair.positive)}) was the positive${odd}.`
}

// The share of what was won so far, after each pair.
function running(values) {
  let sum = 0
  return values.map((value, place) => (sum += value) / (place + 1))
}

function paintGame(view) {
  const { game, state, sample } = view
  const last = state.guesses.length - 1
  set(game.answer, { text: last < 0 ? "Each pair is one positive and one negative of this sample." : verdictOf(view, last) })
  const asked = state.guesses.length < MOST_GUESSES
  const pairs = pairsOf(view, 5, state.guesses.length + 1)
  const next = pairs.at(-1)
  const [a, b] = next.first ? [next.positive, next.negative] : [next.negative, next.positive]
  set(game.question, { text: asked
    ? `${last < 0 ? "" : "Next pair: "}A scores ${tenths(a)}, B scores ${tenths(b)}. Which is the positive?`
    : `${MOST_GUESSES} pairs are enough.` })
  for (const [place, node] of game.buttons.entries()) {
    set(node, { text: `${"AB"[place]} is the positive` })
    node.disabled = !asked
  }
  // It keeps the focus of whoever has pressed it.
  game.anew.ariaDisabled = String(!state.guesses && !state.pairs)
  const yours = running([...state.guesses].map((letter, place) => right(pairs[place], letter)))
  const scores = running(pairsOf(view, 4, state.pairs).map(won))
  const said = (name, shares) => (shares.length ? `${name}: ${(shares.at(-1) * shares.length).toFixed(1).replace(".0", "")} of ${shares.length} right (${shareText(shares.at(-1))}). ` : "")
  set(game.shares, { text: `${said("You", yours)}${said("The score", scores)}AUC of this sample: ${shareText(sample.auc)}.` })
  drawShares(view, yours, scores)
}

function drawShares(view, yours, scores) {
  const { game, sample } = view
  const width = Math.max(game.width, 200)
  const count = Math.max(yours.length, scores.length, 20)
  const x = place => pixel(34 + ((width - 42) * place) / count)
  const y = share => pixel(8 + (GAME_HEIGHT - 30) * (1 - share))
  game.svg.replaceChildren()
  for (const [share, words] of [[0, "0"], [0.5, "½"], [1, "1"]]) {
    put(game.svg, "line", { x1: x(0), x2: x(count), y1: y(share), y2: y(share), class: "grid" })
    label(game.svg, 26, y(share) + 4, words, "small grey", "end")
  }
  put(game.svg, "line", { x1: x(0), x2: x(count), y1: y(sample.auc), y2: y(sample.auc), class: "theory" })
  label(game.svg, x(count), y(sample.auc) + (sample.auc > 0.85 ? 14 : -6), "AUC", "small halo", "end")
  label(game.svg, x(count), GAME_HEIGHT - 6, `${count} pairs`, "small grey", "end")
  for (const [shares, kind] of [[scores, "curve"], [yours, "yours"]]) {
    const every = Math.ceil(shares.length / 400)
    const points = shares.map((share, place) => [place, share]).filter(([place]) => place % every === 0 || place === shares.length - 1)
    put(game.svg, "path", { d: points.map(([place, share], i) => `${i ? "L" : "M"}${x(place + 1)} ${y(share)}`).join(""), class: kind })
    if (shares.length) put(game.svg, "circle", { cx: x(shares.length), cy: y(shares.at(-1)), r: 3.5, class: `end ${kind}` })
  }
  withAttributes(game.svg, { "aria-label": `Share of right answers after each pair; the AUC is ${three(sample.auc)}` })
}
// Putting the playground together: shaping works the theory and the sample out anew at every frame and writes the lines
// that follow, a moved threshold only paints; the link is written when a hand lets go.
const SWEEP = 9000 // milliseconds from one end of the axis to the other
const PAST = 10

function build(frame, { limits, presets, words, measures }) {
  const view = {
    frame, limits, presets, words, measures, cursor: { kind: "stop", i: 0 }, parts: {}, told: [], drag: null, over: {},
    traces: true, file: "playground", title: () => "Two distributions of scores with a threshold", hinted: remembered(),
  }
  addSurfaces(view)
  view.root = element("div", { class: "threshold-view" }, view.under, view.svg, ...makeKnobs(view), view.camera)
  const below = element("div", { class: "below" }, makeControls(view), element("div", {}, makeNumbers(view), makeGame(view)))
  frame.replaceChildren(...makePresets(view), makeTools(view), view.root, below)
  new ResizeObserver(() => resize(view)).observe(view.root)
  return view
}

// What is set has changed: everything is worked out in the next frame, and the drawing follows.
function reshape(view) {
  hold(view)
  view.shaping ??= requestAnimationFrame(() => {
    view.shaping = null
    work(view)
    if (view.built === partsOf(view)) shape(view)
    else draw(view)
  })
}

// Which pieces are drawn.
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
  view.content = contentOf(view)
  view.cursor = { kind: "stop", i: stopOf(state.threshold) }
}

function draw(view) {
  const focused = view.active() === view.parts.grip && view.parts.grip
  const at = clearSurfaces(view)
  defs(view, at)
  drawAxis(view, at)
  const densities = drawDensities(view, at)
  drawLines(view, at)
  const grip = drawLine(view, at)
  drawOutcomes(view, at)
  drawAreas(view, at)
  drawPast(view, at)
  const curves = drawCurves(view, at)
  drawTheory(view, at)
  grabParts(view, { densities }, grip, curves)
  listen(view, grip)
  view.built = partsOf(view)
  shape(view)
  if (focused) grip.focus({ preventScroll: true })
}

function shape(view) {
  const { at, parts } = view
  for (const part of [shapeDensities, shapeOutlines, shapeKept, shapePast]) part(view, at)
  for (const curve of parts.curves) shapeCurve(view, curve)
  traceModel(view.model, parts.theory)
  for (const part of [placeKnobs, paintControls, paintGame, paint]) part(view)
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

const toggle = view => (view.playing ? pause(view) : play(view))

function listen(view, grip) {
  grip.addEventListener("keydown", event => {
    if (event.key === "Escape" && view.drag) letGo(view, view.drag.area, false)
    if (event.key !== " ") return
    event.preventDefault()
    toggle(view)
  })
  const step = STOPS - 1
  stepped(grip, { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 50, PageDown: -50, Home: -step, End: step }, by => {
    if (view.drag) return
    stop(view)
    stepTo(view, { kind: "stop", i: clamp(view.cursor.i + by, 0, step) })
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
  if (view.paused) view.playButton.textContent = "▶ Go on"
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
  const view = viewOf(parentElement, ".playground", frame => build(frame, data))
  view.tell = lists => setTriggerValue("set", lists)
  receive(view, data)
}
