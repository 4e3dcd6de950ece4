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
    // A place that was named takes back the steps that still wait for their neighbours.
    if (cursor.kind === "stop") view.steps = 0
    go(view, cursor)
    remember(view)
    rest(view)
  })
  grip.addEventListener("blur", () => settle(view))
}

// Arrows: the next distinct score, among all of them or among the neighbours, which come when keys first need them.
function step(view, way) {
  const { cursor, now, sheet } = view
  if (sheet.complete) {
    const i = cursor.kind === "stop" ? cursor.i + way : beside(view, now.stop, way)
    return i >= 0 && i < sheet.length ? { kind: "stop", i } : null
  }
  // Steps that wait are made first, and a step back takes one of them away.
  if (view.asking && view.steps) {
    ask(view, way)
    return null
  }
  const known = view.near && cursor.kind !== "stop"
  const i = known ? nextTo(view, way) : -1
  if (i >= 0 && i < now.length) return { kind: "near", i }
  ask(view, way)
  return null
}

function nextTo(view, way) {
  const { cursor, now, sheet } = view
  if (cursor.kind === "near") return cursor.i + way
  return beside(view, sheet.higher ? now.length - 1 - (now.place - now.first) : now.place - now.first, way)
}

// The neighbours are not here yet, or are used up: the steps are made when they have come.
function ask(view, way) {
  view.steps += way
  if (view.cursor.kind !== "stop") view.steps = clamp(view.steps, ...room(view))
  if (!view.steps) return
  if (view.asking && performance.now() - view.sentAt < PATIENCE) return
  view.asking = true
  commit(view, true)
}

// How many scores there are to the left, as a negative number, and to the right.
function room(view) {
  const { cursor, now, sheet } = view
  const [place, spare] = cursor.kind === "near" ? [rowOfNear(view), 0] : [now.place, now.exact ? 0 : 1]
  const [above, below] = [place + spare, now.last - place + spare]
  return sheet.higher ? [-below, above] : [-above, below]
}

function stepOn(view) {
  if (!view.asking || view.heard < view.sent) return
  view.asking = false
  const way = Math.sign(view.steps)
  const steps = Math.abs(view.steps)
  view.steps = 0
  if (!view.near || !steps) return
  const wanted = nextTo(view, way) + way * (steps - 1)
  const i = clamp(wanted, 0, view.now.length - 1)
  go(view, { kind: "near", i })
  rest(view)
  // More keys were pressed than there are neighbours here: the rest waits for the next ones.
  if (wanted !== i) ask(view, wanted - i)
}

function rest(view) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => commit(view), REST)
}

// Between two scores, the one whose counts hold there is the next on the positive side.
function beside(view, i, way) {
  if (view.now.exact || (way > 0) !== view.sheet.higher) return i + way
  return i
}

// Page keys: one percent of the rows more or fewer.
function page(view, way) {
  const { stops, length } = view.sheet
  let i = view.cursor.kind === "stop" ? view.cursor.i : stopAt(view, view.row.x)
  const from = view.row.flagged
  do i += way
  while (i > 0 && i < length - 1 && Math.abs(stops.flagged[i] - from) < 0.0099)
  return { kind: "stop", i: clamp(i, 0, length - 1) }
}

function openField(view) {
  const { form, input, answer } = view.field
  const x = across(view.at, view.row.x)
  form.style.left = `${clamp(x - 20, 0, Math.max(view.root.clientWidth - 250, 0))}px`
  form.hidden = false
  answer.textContent = "Or a wish: recall = 0.9, flag 100"
  form.classList.remove("refused")
  input.value = view.row.t
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
  const form = document.createElement("form")
  form.className = "field"
  form.hidden = true
  const input = document.createElement("input")
  input.setAttribute("aria-label", "Threshold, or a value that a measure shall have")
  input.autocomplete = "off"
  input.spellcheck = false
  input.maxLength = 80
  const answer = document.createElement("p")
  answer.setAttribute("role", "status")
  form.append(input, answer)
  form.addEventListener("submit", event => {
    event.preventDefault()
    // What stands there may be a rounded threshold: left as it is, the exact one stays.
    if (input.value === view.row.t) return closeField(view)
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
