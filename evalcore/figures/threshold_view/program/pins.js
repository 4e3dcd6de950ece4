// Pins: a dashed line and open rings where the line stood, and how every number differs from the first of them. What
// differs comes written, like the numbers themselves.

function makePinButton(view) {
  const needle = "M9 3.5h6M10 3.5v7L6.5 14.5h11L14 10.5v-7M12 14.5V21"
  return iconButton(needle, "Pin this threshold (P)", () => pin(view), { class: "tool pin", "aria-keyshortcuts": "P" })
}

// In one message with the place of the line, so that it is pinned where it is seen.
function pin(view) {
  clearTimeout(view.timer)
  view.timer = null
  send(view, { ...placed(view), pin: true })
}

// Behind everything, when all words have their places: the lines, each with its name where that has room.
function drawGhosts(view, at) {
  const layer = group(view.under)
  const taken = []
  view.parts.ghosts = []
  for (const [place, { name, x: share }] of (view.over.pins ?? []).entries()) {
    if (share === null) continue
    const x = pixel(across(at, share))
    const kind = place ? "ghost" : "ghost first"
    put(layer, "path", { d: cutAt(view, x), transform: `translate(${x} 0)`, class: kind })
    const words = fitted(name, 140, fontOf(11))
    const width = widthOf(words, 11)
    const left = x + 4 + width > at.plot.right + 8 ? x - 4 - width : x + 4
    if (taken.some(([from, to]) => left < to + 6 && from < left + width + 6)) continue
    taken.push([left, left + width])
    view.parts.ghosts.push({ node: label(layer, left, 11, words, "small grey halo"), left, right: left + width })
  }
  drawGhostRings(view)
}

// Where the pins lie on the curves.
function drawGhostRings(view) {
  const layer = group(view.under)
  for (const curve of view.parts.curves.filter(one => one.ring)) {
    for (const [place, { at }] of (view.over.pins ?? []).entries()) {
      const [x, y] = [at[curve.x], at[curve.y]]
      if (x === null || y === null) continue
      const [cx, cy] = onCurve(curve, x, y)
      put(layer, "circle", { cx, cy, r: 6, class: place ? "ghost" : "ghost first" })
    }
  }
}

const against = ({ over }) => (over.pins ? `, against ${over.pins[0].name}` : "")

// A place for what a number differs by, small beside it; nothing where no pin is.
function changeLabel(view, layer, key, x, y, anchor = "start") {
  if (!view.over.pins) return
  const node = label(layer, x, y, "", "small grey", anchor)
  ;(view.parts.changes ??= []).push({ key, node })
}

// By how much a count differs; nothing where all four are the same, as on the pin itself.
function changeOf({ changes }, cell) {
  return !changes || CELLS.every(one => changes.cells[one] === "=") ? "" : changes.cells[cell]
}

function paintChanges(view, row) {
  if (view.pin) {
    const isPinned = (view.over.pins ?? []).some(({ t }) => t === row.t)
    const words = `${isPinned ? "Unpin" : "Pin"} this threshold (P)`
    set(view.pin, { title: words, "aria-label": words, "aria-pressed": String(isPinned) })
  }
  if (!view.over.pins) return
  // A name makes way for the handle.
  const [x, flag] = [across(view.at, row.x), widthOf(row.t, 14, 650) + 40]
  const isLeft = view.parts.flag.current.transform.includes("(-")
  const [from, to] = isLeft ? [x - flag, x + 18] : [x - 18, x + flag]
  for (const { node, left, right } of view.parts.ghosts) show(node, right < from || to < left)
  const isSame = CELLS.every(cell => changeOf(row, cell) === "")
  for (const { key, node } of view.parts.changes ?? []) set(node, { text: isSame ? "" : row.changes.texts[key] })
}

// ", against 0.5: found +12, missed −12, …"
function changeSentence(view, row) {
  const words = ["tp", "fn", "fp", "tn"].map(cell => [view.content.words[cell][1], changeOf(row, cell)])
  if (words.every(([, change]) => !change)) return ""
  return `${against(view)}: ${words.map(one => one.join(" ")).join(", ")}`
}
