// The axis of the scores, shared by all that stands over each other, and the line that cuts through it.

function drawAxis(view, at) {
  const { plot, axis } = at
  const layer = group(view.under)
  let free = -Infinity
  const over = view.sheet.higher ? [1, "∞"] : [0, "−∞"]
  const marks = [...view.sheet.ticks]
  for (const [share, words] of marks) {
    const x = across(at, share)
    for (const { top, height } of at.stacked) put(layer, "line", { x1: x, x2: x, y1: top, y2: top + height, class: "grid" })
    const half = widthOf(words, 11) / 2
    if (x - half < free + 4) continue
    label(layer, x, axis.top + 18, words, "small grey", "middle")
    free = x + half
  }
  const end = across(at, over[0])
  const nearest = Math.min(...marks.map(([share, words]) => Math.abs(across(at, share) - end) - widthOf(words, 11) / 2))
  if (nearest > 7) label(layer, end, axis.top + 18, over[1], "small grey", "middle")
  label(layer, (plot.left + plot.right) / 2, axis.top + 36, view.sheet.unit, "grey", "middle")
}

const across = (at, share) => at.plot.left + share * at.plot.width

function drawLine(view, at) {
  const lowest = at.stacked.at(-1)
  const bottom = lowest.top + lowest.height
  const moving = put(view.svg, "g", { class: "moving" })
  put(moving, "line", { x1: 0, x2: 0, y1: 16, y2: bottom, class: "cut" })
  const grip = put(moving, "g", {
    class: "grip", role: "slider", tabindex: "0", "aria-label": "Threshold", "aria-orientation": "horizontal",
    "aria-valuemin": "0", "aria-valuemax": "100",
  })
  put(grip, "rect", { x: -11, y: 0, width: 22, height: bottom, class: "catch" })
  const ring = put(grip, "rect", { x: -14, y: 1, width: 28, height: 28, rx: 14, class: "focus" })
  put(grip, "circle", { cx: 0, cy: 15, r: 11, class: "knob" })
  put(grip, "path", { d: "M-6.5 15l4 -3.4v2.3h5v-2.3l4 3.4l-4 3.4v-2.3h-5v2.3z", class: "arrows" })
  const flag = put(grip, "g", { class: "flag" })
  const plate = put(flag, "rect", { x: 0, y: 2, width: 60, height: 26, rx: 5, class: "plate" })
  const words = label(flag, 30, 20, "", "value", "middle")
  put(flag, "title", {}, view.sheet.typed ?? "Click to type a threshold, or recall = 0.9")
  const hint = put(moving, "g", { class: "hint" })
  label(hint, 0, 20, "drag me", "grey halo")
  Object.assign(view.parts, { moving, grip, ring, flag, plate, words, hint })
  return grip
}

function paintLine(view, row) {
  const { at, parts } = view
  const x = across(at, row.x)
  set(parts.moving, "transform", `translate(${pixel(x)} 0)`)
  const width = Math.max(widthOf(row.t, 14, 650) + 20, 46)
  const room = x + 16 + width <= at.plot.right + 8
  set(parts.plate, "width", pixel(width))
  set(parts.words, "x", pixel(width / 2))
  set(parts.words, "text", row.t)
  set(parts.flag, "transform", `translate(${pixel(room ? 15 : -15 - width)} 0)`)
  const beside = x + 24 + width + 60 <= at.plot.right
  const hint = beside ? 22 + width : -20 - widthOf("drag me")
  show(parts.hint, !view.hinted && (beside || x - at.plot.left > 90) && room)
  set(parts.hint, "transform", `translate(${pixel(hint)} 0)`)
  const share = String(Math.round(row.x * 1000) / 10)
  set(parts.grip, "aria-valuenow", share)
  set(parts.grip, "aria-valuetext", sentence(view, row))
  set(parts.densities, "aria-label", `Scores of both classes at threshold ${sentence(view, row)}; drag to move it`)
}

// "0.62: 318 found, 39 missed, 14 false alarms, 198 dismissed"
function sentence(view, row) {
  const outcomes = ["tp", "fn", "fp", "tn"].map(cell => `${row.cells[cell]} ${wordFor(view, cell, row)}`)
  return `${row.t}: ${outcomes.join(", ")}`
}

const wordFor = (view, cell, row) => view.sheet.words[cell][row.cells[cell] === "1" ? 0 : 1]
