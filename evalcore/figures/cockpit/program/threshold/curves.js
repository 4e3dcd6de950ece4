// The ROC and the precision–recall curve in small, with the current threshold as a ring that can be dragged.

function drawCurves(view, at) {
  const { curves } = at
  const second = curves.left + curves.width - curves.square
  const kinds = [
    { key: "roc", measure: "roc_auc", x: "fall_out", y: "recall", across: "false alarms (FPR)", up: "recall ↑", left: curves.left },
    { key: "pr", measure: "average_precision", x: "recall", y: "precision", across: "recall", up: "precision ↑", left: second },
  ]
  view.parts.curves = kinds.map(kind => drawCurve(view, at, kind))
  return view.parts.curves.filter(curve => curve.area)
}

function drawCurve(view, at, kind) {
  const { square, top } = at.curves
  const { sheet, over } = view
  const layer = group(view.under)
  const [title, value] = ["heading", "grey"].map(look => element("svg:tspan", { class: look }))
  put(view.svg, "text", { x: pixel(kind.left), y: pixel(top - 13), class: "heading" }, title, " · ", entryLink(kind.measure, "svg:a", value))
  put(layer, "rect", { x: kind.left, y: top, width: square, height: square, rx: 3, class: "box" })
  const curve = { ...kind, top, square, title, value }
  const reason = sheet.reasons[kind.key]
  if (reason) {
    for (const [line, words] of wrapped(reason, square - 20, 11).entries()) {
      label(layer, kind.left + 10, top + 24 + 15 * line, words, "small grey")
    }
    nameCurve(view, curve)
    return curve
  }
  for (const share of [0.25, 0.5, 0.75]) {
    const [x, y] = [pixel(kind.left + square * share), pixel(top + square * share)]
    put(layer, "path", { d: `M${x} ${top}v${square}M${kind.left} ${y}h${square}`, class: "grid" })
  }
  curve.guess = put(layer, "path", { class: "guess" })
  label(layer, kind.left + square / 2, top + square + 16, kind.across, "small grey", "middle")
  const { inside } = over.allowed ?? {}
  curve.whole = put(layer, "path", { class: inside || view.traces ? "curve faint" : "curve" })
  if (view.traces) curve.line = put(layer, "path", { class: "curve" })
  shapeCurve(view, curve)
  if (inside) put(layer, "path", { d: traced(curve, i => inside[i] === "1"), class: "curve" })
  label(layer, kind.left + 7, top + square - 8, kind.up, "small grey halo")
  const [fallOut, recall, precision] = over.goal?.point ?? []
  const goal = kind.key === "roc" ? [fallOut, recall] : [recall, precision]
  if (over.goal && goal.every(value => value !== null)) {
    const [x, y] = onCurve(curve, ...goal)
    put(layer, "circle", { cx: x, cy: y, r: 4.5, class: "goal ring" })
  }
  curve.area = put(view.svg, "rect", { x: kind.left - 8, y: top - 8, width: square + 16, height: square + 16, class: "catch plot" })
  curve.ring = put(view.svg, "circle", { r: 6.5, class: "ring" })
  curve.handle = put(view.svg, "circle", { r: 17, class: "catch handle" })
  return curve
}

function nameCurve({ sheet }, curve) {
  const [title, area] = sheet[curve.key].split(" · ")
  const isWide = widthOf(title, 12, 650) + widthOf(` · ${area}`) > curve.square + 6
  set(curve.title, "text", isWide ? title.replace("Precision–recall", "PR") : title)
  set(curve.value, "text", area)
}

// The curve of the sheet as it is now, and what guessing would give.
function shapeCurve(view, curve) {
  const { stops, prevalence } = view.sheet
  const { left, top, square } = curve
  Object.assign(curve, { xs: stops.at[curve.x], ys: stops.at[curve.y] })
  curve.points = pointsOf(curve)
  nameCurve(view, curve)
  set(curve.whole, "d", traced(curve))
  const isRoc = curve.key === "roc"
  set(curve.guess, "d", isRoc ? `M${left} ${top + square}l${square} ${-square}` : `M${left} ${pixel(top + square * (1 - prevalence))}h${square}`)
}

const onCurve = (curve, x, y) => [
  pixel(curve.left + curve.square * x),
  pixel(curve.top + curve.square * (1 - y)),
]

// Each stop as a place on the screen; null where one of the rates is undefined.
const pointsOf = curve => Array.from(curve.xs, (x, i) => {
  const y = curve.ys[i]
  return Number.isNaN(x) || Number.isNaN(y) ? null : onCurve(curve, x, y).join(" ")
})

// From stop to stop by straight lines: rows of one score cannot be told apart, so their piece is slanted.
function traced(curve, wanted = () => true) {
  let [path, pen, before] = ["", false, ""]
  for (const [i, point] of (curve.points ?? pointsOf(curve)).entries()) {
    if (point === null || !wanted(i)) { pen = false; continue }
    if (pen && point === before) continue
    path += (pen ? "L" : "M") + point
    ;[pen, before] = [true, point]
  }
  return path
}

function paintCurves(view, row) {
  for (const curve of view.parts.curves) {
    if (!curve.ring) continue
    // What lies on the strict side of the threshold has been traced.
    if (curve.line) set(curve.line, "d", traced(curve, i => i >= row.stop))
    const [x, y] = [row.at[curve.x], row.at[curve.y]]
    const known = !Number.isNaN(x) && !Number.isNaN(y)
    for (const node of [curve.ring, curve.handle]) {
      show(node, known)
      if (!known) continue
      const [left, top] = onCurve(curve, x, y)
      set(node, "cx", left)
      set(node, "cy", top)
    }
  }
}
