// The keyboard: arrows go from one distinct score to the next, Enter opens a field to type into.

function listen(view, grip) {
  grip.addEventListener("keydown", event => {
    if (event.key === "Escape" && view.drag) {
      event.preventDefault()
      return letGo(view, view.drag.area, false)
    }
    if (event.ctrlKey || event.metaKey || event.altKey || view.drag) return
    const last = view.sheet.length - 1
    const moves = {
      ArrowRight: () => step(view, 1),
      ArrowUp: () => step(view, 1),
      ArrowLeft: () => step(view, -1),
      ArrowDown: () => step(view, -1),
      PageUp: () => page(view, 1),
      PageDown: () => page(view, -1),
      Home: () => ({ kind: "stop", i: 0 }),
      End: () => ({ kind: "stop", i: last }),
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      settle(view)
      openField(view)
    }
    if (!moves[event.key]) return
    event.preventDefault()
    const cursor = moves[event.key]()
    if (!cursor) return
    go(view, cursor)
    remember(view)
    if (cursor.kind === "far") ask(view)
    else rest(view)
  })
  grip.addEventListener("blur", () => settle(view))
}

// Arrows: the next distinct score, among all of them or among the neighbours, which come when keys first need them.
function step(view, way) {
  const { cursor, now, sheet } = view
  const between = cursor.kind === "now" && !now.exact
  if (sheet.complete) {
    const from = cursor.kind === "stop" ? cursor.i : now.stop
    const i = between && holds(view, way) ? from : from + way
    return i >= 0 && i < sheet.length ? { kind: "stop", i } : null
  }
  const from = placeOf(view)
  const row = between && holds(view, way) ? from : from + (sheet.higher ? -way : way)
  return row >= 0 && row <= now.last ? cursorAt(view, row) : null
}

// Between two scores, the one whose counts hold there is the next on the positive side.
const holds = (view, way) => (way > 0) === view.sheet.higher

// Rows of the table, from the strictest threshold down, are known of every place; what they say, of some.
function placeOf({ cursor, now, sheet }) {
  if (cursor.kind === "far") return cursor.row
  if (cursor.kind === "stop") return sheet.rows[cursor.i]
  if (cursor.kind === "near") return sheet.higher ? now.first + now.length - 1 - cursor.i : now.first + cursor.i
  return now.place
}

function cursorAt(view, row) {
  const { near, now, sheet } = view
  const i = near ? (sheet.higher ? now.first + now.length - 1 - row : row - now.first) : -1
  return near && i >= 0 && i < now.length ? { kind: "near", i } : { kind: "far", row }
}

// A row that is not here yet: one message at a time is on its way, and what comes says where the keys have got to.
function ask(view) {
  if (!awaited(view)) commit(view)
}

// After an answer the keys go on from what it brought, where they have gone further than it knew.
function goOn(view, row) {
  if (row === view.now.place && view.now.exact) return
  view.cursor = cursorAt(view, row)
  if (view.cursor.kind === "far") commit(view)
  else rest(view)
}

function rest(view) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => commit(view), REST)
}

// Page keys: the first stop with one percent of the rows more or fewer.
function page(view, way) {
  const { cursor, now, sheet } = view
  const more = sheet.higher ? -way : way
  const [from, end] = [flaggedAt(view, more), way > 0 ? sheet.length - 1 : 0]
  let i = sheet.length - 1 - end
  while (i !== end && (sheet.stops.flagged[i] - from) * more < PERCENT) i += way
  // Beyond the last score there is none to go to.
  if (cursor.kind === "now" && !now.exact && i === now.stop && !holds(view, way)) return null
  return { kind: "stop", i }
}

function flaggedAt(view, more) {
  const { cursor, near, here, sheet } = view
  if (cursor.kind === "stop") return sheet.stops.flagged[cursor.i]
  if (cursor.kind === "near") return near.flagged[cursor.i]
  if (cursor.kind === "now") return here.flagged[0]
  // Of a row that is not here yet, the stop beside it, on the side where the keys go.
  const ahead = sheet.rows.filter(row => (row - cursor.row) * more >= 0)
  return sheet.stops.flagged[sheet.rows.indexOf(more > 0 ? Math.min(...ahead) : Math.max(...ahead))]
}

function openField(view) {
  const { form, input, answer } = view.field
  paint(view)
  const x = across(view.at, view.row.x)
  form.style.left = `${clamp(x - 20, 0, Math.max(view.root.clientWidth - 250, 0))}px`
  form.hidden = false
  answer.textContent = view.sheet.typed ?? "Or a target: recall = 0.9, flag 100"
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
  form.addEventListener("submit", event => {
    event.preventDefault()
    if (input.value === input.defaultValue) return closeField(view)
    // What is typed comes after the keys, and they do not go on from there.
    if (view.timer || view.cursor.kind === "far") commit(view)
    view.cursor = { kind: "now" }
    send(view, { typed: input.value })
    view.asked = view.sent
  })
  input.addEventListener("keydown", event => {
    event.stopPropagation()
    if (event.key === "Escape") closeField(view)
    if (event.key !== "Enter") view.asked = null
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
