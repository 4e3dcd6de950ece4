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
  const [title, area] = sheet[kind.key].split(" · ")
  const heading = label(view.svg, kind.left, top - 13, "", "heading")
  put(heading, "tspan", {}, widthOf(title, 12, 650) + widthOf(` · ${area}`) > square + 6 ? title.replace("Precision–recall", "PR") : title)
  heading.append(" · ", entryLink(kind.measure, "svg:a", element("svg:tspan", { class: "grey" }, area)))
  put(layer, "rect", { x: kind.left, y: top, width: square, height: square, rx: 3, class: "box" })
  const reason = sheet.reasons[kind.key]
  if (reason) {
    for (const [line, words] of wrapped(reason, square - 20, 11).entries()) {
      label(layer, kind.left + 10, top + 24 + 15 * line, words, "small grey")
    }
    return { ...kind }
  }
  for (const share of [0.25, 0.5, 0.75]) {
    const [x, y] = [pixel(kind.left + square * share), pixel(top + square * share)]
    put(layer, "path", { d: `M${x} ${top}v${square}M${kind.left} ${y}h${square}`, class: "grid" })
  }
  const guess = sheet.prevalence
  const d = kind.key === "roc"
    ? `M${kind.left} ${top + square}l${square} ${-square}`
    : `M${kind.left} ${pixel(top + square * (1 - guess))}h${square}`
  put(layer, "path", { d, class: "guess" })
  label(layer, kind.left + square / 2, top + square + 16, kind.across, "small grey", "middle")
  const curve = { ...kind, top, square, xs: sheet.stops.at[kind.x], ys: sheet.stops.at[kind.y] }
  const inside = over.allowed?.inside
  put(layer, "path", { d: traced(curve), class: inside || view.traces ? "curve faint" : "curve" })
  if (view.traces) curve.line = put(layer, "path", { class: "curve" })
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

const onCurve = (curve, x, y) => [
  pixel(curve.left + curve.square * x),
  pixel(curve.top + curve.square * (1 - y)),
]

// From stop to stop by straight lines: rows of one score cannot be told apart, so their piece is slanted.
function traced(curve, wanted = () => true) {
  const parts = []
  let [pen, before] = [false, ""]
  for (let i = 0; i < curve.xs.length; i++) {
    const known = !Number.isNaN(curve.xs[i]) && !Number.isNaN(curve.ys[i])
    if (!known || !wanted(i)) { pen = false; continue }
    const point = onCurve(curve, curve.xs[i], curve.ys[i]).join(" ")
    if (pen && point === before) continue
    parts.push(`${pen ? "L" : "M"}${point}`)
    ;[pen, before] = [true, point]
  }
  return parts.join("")
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
