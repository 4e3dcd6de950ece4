// The keyboard: arrows go from one distinct score to the next, Enter opens a field to type into.

function listen(view, grip) {
  grip.addEventListener("keydown", event => {
    if (event.key === "Escape" && view.drag) {
      event.preventDefault()
      return letGo(view, view.drag.area, false)
    }
    if (event.ctrlKey || event.metaKey || event.altKey || view.drag) return
    if (view.pin && event.key.toLowerCase() === "p") return pin(view)
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      settle(view)
      openField(view)
    }
  })
  const [up, down, above, below] = [() => step(view, 1), () => step(view, -1), () => page(view, 1), () => page(view, -1)]
  const ends = { Home: () => ({ kind: "stop", i: 0 }), End: () => ({ kind: "stop", i: view.content.length - 1 }) }
  const moves = { ArrowRight: up, ArrowUp: up, ArrowLeft: down, ArrowDown: down, PageUp: above, PageDown: below, ...ends }
  stepped(grip, moves, (move, event) => {
    if (event.shiftKey && view.opens && !view.drag) return extend(view, event.key)
    if (!view.drag) dropRange(view)
    const cursor = view.drag ? null : move()
    if (cursor) stepTo(view, cursor)
  })
  grip.addEventListener("blur", () => settle(view))
}

// Arrows: the next distinct score, among all of them or among the neighbours, which come when keys first need them.
function step(view, way) {
  const { cursor, now, content } = view
  const between = cursor.kind === "now" && !now.exact
  if (content.complete) {
    const from = cursor.kind === "stop" ? cursor.i : now.stop
    const i = between && holds(view, way) ? from : from + way
    return i >= 0 && i < content.length ? { kind: "stop", i } : null
  }
  const from = placeOf(view)
  const row = between && holds(view, way) ? from : from + (content.higher ? -way : way)
  return row >= 0 && row <= now.last ? cursorAt(view, row) : null
}

// Between two scores, the one whose counts hold there is the next on the positive side.
const holds = (view, way) => (way > 0) === view.content.higher

// Rows of the table, from the strictest threshold down, are known of every place; what they say, of some.
function placeOf({ cursor, now, content }) {
  if (cursor.kind === "far") return cursor.row
  if (cursor.kind === "stop") return content.rows[cursor.i]
  if (cursor.kind === "near") return content.higher ? now.first + now.length - 1 - cursor.i : now.first + cursor.i
  return now.place
}

function cursorAt(view, row) {
  const { near, now, content } = view
  const i = near ? (content.higher ? now.first + now.length - 1 - row : row - now.first) : -1
  return near && i >= 0 && i < now.length ? { kind: "near", i } : { kind: "far", row }
}

// After an answer the keys go on from what it brought, where they have gone further than it knew.
function goOn(view, row) {
  if (row === view.now.place && view.now.exact) return
  view.cursor = cursorAt(view, row)
  if (view.cursor.kind === "far") commit(view)
  else rest(view)
}

// Page keys: the first stop with one percent of the rows more or fewer.
function page(view, way) {
  const { cursor, now, content } = view
  const more = content.higher ? -way : way
  const [from, end] = [flaggedAt(view, more), way > 0 ? content.length - 1 : 0]
  let i = content.length - 1 - end
  while (i !== end && (content.stops.flagged[i] - from) * more < PERCENT) i += way
  // Beyond the last score there is none to go to.
  if (cursor.kind === "now" && !now.exact && i === now.stop && !holds(view, way)) return null
  return { kind: "stop", i }
}

function flaggedAt(view, more) {
  const { cursor, near, content } = view
  if (cursor.kind === "stop") return content.stops.flagged[cursor.i]
  if (cursor.kind === "near") return near.flagged[cursor.i]
  if (cursor.kind === "now") {
    const [columns, i] = placeHere(view)
    return columns.flagged[i]
  }
  // Of a row that is not here yet, the stop beside it, on the side where the keys go.
  const ahead = content.rows.filter(row => (row - cursor.row) * more >= 0)
  return content.stops.flagged[content.rows.indexOf(more > 0 ? Math.min(...ahead) : Math.max(...ahead))]
}

function openField(view) {
  const { form, input, answer } = view.field
  paint(view)
  const x = across(view.at, view.row.x)
  form.style.left = `${clamp(x - 20, 0, Math.max(view.root.clientWidth - 250, 0))}px`
  form.hidden = false
  answer.textContent = view.content.typed ?? "Or a target: recall = 0.9, flag 100"
  form.classList.remove("refused")
  // What stands there may be a rounded threshold: left as it is, the exact one stays.
  input.value = input.defaultValue = view.row.t
  input.focus({ preventScroll: true })
  input.select()
}

function closeField(view) {
  if (view.field.form.hidden) return
  view.field.form.hidden = true
  view.asked = null
  view.parts.grip.focus({ preventScroll: true })
}

function makeField(view) {
  const form = element("form", { class: "field", hidden: "" })
  const input = element("input", {
    "aria-label": "Threshold, or a target such as recall = 0.9", autocomplete: "off", spellcheck: "false", maxlength: 80,
  })
  const answer = element("p", { role: "status" })
  form.append(input, answer)
  const submit = () => {
    if (input.value === input.defaultValue) return closeField(view)
    // What is typed comes after the keys, and they do not go on from there.
    if (view.timer || view.cursor.kind === "far") commit(view)
    view.cursor = { kind: "now" }
    send(view, { typed: input.value })
    view.asked = view.sent
  }
  // A frame in a sandbox submits no form, so Enter is heard by itself.
  input.addEventListener("keydown", event => {
    event.stopPropagation()
    if (event.key === "Escape") closeField(view)
    if (event.key !== "Enter") view.asked = null
    else if (!event.isComposing) {
      event.preventDefault()
      submit()
    }
  })
  form.addEventListener("submit", event => {
    event.preventDefault()
    submit()
  })
  input.addEventListener("blur", () => {
    if (view.asked === null) form.hidden = true
  })
  view.field = { form, input, answer }
  return form
}

function hearAnswer(view, data) {
  if (view.asked === null || data.heard < view.asked) return
  view.asked = null
  if (!data.answer) return closeField(view)
  view.field.answer.textContent = data.answer
  view.field.form.classList.add("refused")
}
// Putting the parts together: drawn anew where the content, the colours or the width change, painted at every frame.

function build(root) {
  const view = {
    root, cursor: { kind: "now" }, drag: null, timer: null, frame: null, sent: 0, heard: 0, times: 0, asked: null,
    waiting: null, hinted: remembered(), parts: {}, texts: {},
    title: ({ row }) => `Scores of both classes and measures at threshold ${row.t}`,
  }
  addSurfaces(view)
  view.tip = element("div", { class: "tip", hidden: "" })
  view.pin = makePinButton(view)
  view.compared = row => changeSentence(view, row)
  view.cut = (row, left, right) => cutOfBars(view, row, left, right)
  view.openRows = rows => tellRows(view, rows)
  const [scales, line] = makeKnob(view)
  view.tools = element("div", { class: "tools" }, scales, view.pin, makeShake(view), makeBrush(view), view.camera)
  root.replaceChildren(view.under, view.svg, view.tools, view.tip, line, makeField(view), view.shake.words)
  new ResizeObserver(() => {
    if (view.drag) view.stale = true
    else resize(view)
  }).observe(root)
  return view
}

function draw(view) {
  const active = view.root.getRootNode().activeElement
  const focused = Object.entries({ grip: view.parts.grip, ...view.parts.areas }).find(([, node]) => node === active)?.[0]
  const at = clearSurfaces(view)
  view.tools.style.top = `${at.cells.heading - 16}px`
  view.named = new Set()
  defs(view, at)
  drawShades(view, at)
  drawAxis(view, at)
  const densities = drawDensities(view, at)
  const sweep = drawSweep(view, at)
  const grip = drawLine(view, at)
  // Words lie over the line, so that they can be read wherever it stands.
  drawOutcomes(view, at)
  drawLegend(view, at)
  drawSpread(view, at)
  drawShadeWords(view, at)
  drawPromise(view, at)
  const curves = drawCurves(view, at)
  drawNumbers(view, at)
  drawCosts(view, at)
  drawRates(view, at)
  drawRows(view, at)
  grabParts(view, { densities, sweep }, grip, curves)
  grabCells(view)
  watchBars(view, densities)
  listen(view, grip)
  drawGhosts(view, at)
  placeShake(view, at)
  paint(view)
  if (focused) (view.parts.areas[focused] ?? grip).focus({ preventScroll: true })
}

// What the server has said is of another threshold than the one that is seen, until its answer is here, or of no sample.
const tellAhead = isAhead => document.documentElement.classList.toggle("threshold-ahead", isAhead)

function paint(view) {
  const { cursor, now } = view
  tellAhead(cursor.kind !== "now" || (view.shake.on && !view.shake.done))
  if (cursor.kind === "stop") view.row = rowOf(view.content.stops, cursor.i, cursor.i)
  else if (cursor.kind === "near") view.row = rowOf(view.near, cursor.i, now.stop)
  else if (cursor.kind === "now" || !view.row) view.row = rowOf(...placeHere(view), now.stop)
  paintCost(view, view.row)
  paintLine(view, view.row)
  const row = sampleRow(view)
  for (const part of [paintDensities, paintSweep, paintCurves, paintNumbers, paintRates, paintChanges]) part(view, row)
  paintRows(view)
  view.root.dataset.threshold = view.row.t
}

// The server repeats no row that stands among the stops.
const placeHere = ({ content, here, now }) => (here ? [here, 0] : [content.stops, now.stop])

// Where the keys had got to in a view that was taken away before its answer came, as a setting of the page may do; the
// view in its place goes on from there.
let left = null

// What came is read again only where it has changed.
function receive(view, data) {
  // A drag is not disturbed: what comes meanwhile is read when it ends.
  view.waiting = view.drag && data.of === view.of ? data : null
  if (view.waiting) return
  view.root.style.zoom = data.zoom ?? 1
  // Without a server there are no rows to open.
  view.opens = data.rows !== undefined
  view.brush.hidden = !view.opens
  const texts = { view: data.view, over: data.over, ink: JSON.stringify(data.ink), pin: data.pin }
  const isNew = each(texts, (text, key) => text !== view.texts[key])
  const changed = isNew.view || isNew.over || isNew.ink || isNew.pin
  view.texts = texts
  const other = view.of !== data.of
  if (isNew.view || other) dropRange(view)
  if (!view.range) view.marked = data.rows
  if (!view.range && !data.rows) view.reach = null
  if (isNew.view) {
    dropShake(view)
    view.content = JSON.parse(window.evalcoreTexts.get(data.view))
    view.content.stops = unpacked(view.content.stops)
    view.content.prevalence = places(view.content.prevalence)[0]
    const { density } = view.content
    for (const key of ["x", "size", "up", "down", "left", "right"]) {
      if (typeof density[key] === "string") density[key] = places(density[key])
    }
  }
  if (data.pin !== undefined && (isNew.view || isNew.pin)) {
    view.content.stops.changes = data.pin ? unpackedChanges(JSON.parse(window.evalcoreTexts.get(data.pin))) : undefined
  }
  if (isNew.over) view.over = JSON.parse(data.over)
  if (isNew.ink) {
    view.ink = data.ink
    for (const [key, colour] of Object.entries(data.ink.colours)) view.root.style.setProperty(`--${key}`, colour)
  }
  if (other) {
    clearTimeout(view.timer)
    view.root.classList.remove("dragging")
    Object.assign(view, { of: data.of, timer: null, drag: null, sent: data.heard, cursor: { kind: "now" } })
  }
  view.heard = data.heard
  const costsAreNew = hearCosts(view, isNew.over)
  // A threshold on its way is not called back by the answer to an earlier one.
  const stays = view.now && !other && (view.timer || awaited(view))
  const { kind } = view.cursor
  const row = kind === "near" || kind === "far" ? placeOf(view) : null
  if (!stays || (changed && kind !== "now")) {
    view.now = data.now
    view.here = data.now.row && unpacked(data.now.row)
    view.near = data.now.near && unpacked(data.now.near)
    // The texts of another setting belong to the same stops and rows.
    if (!stays) view.cursor = { kind: "now" }
    else if (row !== null) view.cursor = cursorAt(view, row)
    if (!stays && kind === "far") goOn(view, row)
    if (other && left?.of === data.of) goOn(view, left.row)
    left = null
  }
  if (changed || other) view.row = null
  if (changed || costsAreNew || view.root.clientWidth !== view.width) draw(view)
  else paint(view)
  hearAnswer(view, data)
  hearShake(view, data.shake)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, ".threshold-view", build)
  view.tell = message => setTriggerValue("go", message)
  // Of several calls for one view the last one listens to the window, until the view goes.
  view.listening?.abort()
  view.listening = new AbortController()
  const { signal } = view.listening
  // The content is sent by a component of its own and may come a moment later.
  const ready = () => {
    const texts = window.evalcoreTexts
    if ((!texts?.has(data.view) && view.texts.view !== data.view) || (data.pin && !texts?.has(data.pin))) return
    window.removeEventListener("evalcore-threshold-view", ready)
    receive(view, data)
  }
  window.addEventListener("evalcore-threshold-view", ready, { signal })
  listenForShake(view, signal)
  ready()
  insist(view)
  return () => {
    settle(view)
    tellAhead(false)
    left = view.cursor.kind === "far" ? { of: view.of, row: view.cursor.row } : null
    clearTimeout(view.again)
    view.listening.abort()
  }
}
