// An SVG view in which every part shows the same threshold and every part can move it. Where things stand comes as
// shares of their axes, with what is written there; nothing is computed in these files but pixels.

const CELLS = ["tp", "fp", "fn", "tn"]

const pixel = value => Math.round(value * 10) / 10

// A piece of the picture, put into another one.
function put(parent, tag, attributes, ...children) {
  const node = element(`svg:${tag}`, attributes, ...children)
  parent.append(node)
  return node
}

// A group of what a screen reader hears from the line instead.
const group = parent => put(parent, "g", { "aria-hidden": "true" })

function label(parent, x, y, words, kind = "", anchor = "start") {
  const node = put(parent, "text", { x: pixel(x), y: pixel(y), class: kind, "text-anchor": anchor }, words)
  node.place = { x, y, words, kind, anchor }
  return node
}

// What moves is written only where it has changed: a frame of a drag touches little.
function set(node, attributes) {
  const current = (node.current ??= {})
  for (const [name, value] of Object.entries(attributes)) {
    if (current[name] === value) continue
    current[name] = value
    if (name === "text") node.textContent = value
    else node.setAttribute(name, value)
  }
}

const show = (node, visible) => set(node, { visibility: visible ? "visible" : "hidden" })

let family = "sans-serif"
const fontOf = (size = 12, weight = 400) => `${weight} ${size}px ${family}`
const widthOf = (words, size, weight) => metricsOf(words, fontOf(size, weight)).width

// Words below each other, a line each.
function labelLines(layer, x, y, lines, kind) {
  for (const [line, words] of lines.entries()) label(layer, x, y + 15 * line, words, kind)
}

// Two layers and the camera: what stays lies in an SVG of its own below, which a frame of a drag leaves alone.
function addSurfaces(view) {
  view.svg = element("svg:svg", { class: "surface" })
  view.under = element("svg:svg", { class: "surface under", "aria-hidden": "true" })
  view.camera = makeCamera(() => save(view))
}

// Empty surfaces in the size that the root has now; the answer is where everything will stand.
function clearSurfaces(view) {
  family = getComputedStyle(view.root).fontFamily
  const at = (view.at = measured(view))
  view.width = view.root.clientWidth
  for (const svg of [view.under, view.svg]) {
    svg.replaceChildren()
    withAttributes(svg, { width: at.width, height: at.height })
  }
  view.parts = {}
  return at
}

function resize(view) {
  view.stale = false
  if (view.content && view.root.clientWidth && view.root.clientWidth !== view.width) draw(view)
}
// The axis of the scores, shared by all that stands over each other, and the line that cuts through it.

function drawAxis(view, at) {
  const { plot, axis } = at
  const { ticks, unit, higher } = view.content
  const layer = group(view.under)
  let free = -Infinity
  for (const [share, words] of ticks) {
    const x = across(at, share)
    for (const { top, height } of at.stacked) put(layer, "line", { x1: x, x2: x, y1: top, y2: top + height, class: "grid" })
    const half = widthOf(words, 11) / 2
    if (x - half < free + 4) continue
    label(layer, x, axis.top + 18, words, "small grey", "middle")
    free = x + half
  }
  const end = higher ? plot.right : plot.left
  const nearest = Math.min(...ticks.map(([share, words]) => Math.abs(across(at, share) - end) - widthOf(words, 11) / 2))
  if (nearest > 7) label(layer, end, axis.top + 18, higher ? "∞" : "−∞", "small grey", "middle")
  label(layer, (plot.left + plot.right) / 2, axis.top + 36, unit, "grey", "middle")
}

const across = (at, share) => at.plot.left + share * at.plot.width

function drawLine(view, at) {
  const lowest = at.stacked.at(-1)
  const bottom = lowest.top + lowest.height
  const moving = put(view.svg, "g", { class: "moving" })
  const cut = put(moving, "path", { class: "cut" })
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
  put(flag, "title", {}, view.content.typed ?? "Click to type a threshold, or recall = 0.9")
  const hint = put(moving, "g", { class: "hint" })
  label(hint, 0, 20, "drag me", "grey halo")
  Object.assign(view.parts, { moving, cut, bottom, grip, ring, flag, plate, words, hint })
  return grip
}

// Where words stand that stay, and those of the legend, which change: the line leaves them out.
function wordsBeside(view) {
  const legend = (view.at.legend?.items ?? []).map(({ x, line, word }) => {
    const bottom = view.at.legend.top + 33 + 18 * line
    return { left: x - 3, right: x + widthOf(word) + 75, top: bottom - 16, bottom }
  })
  const labels = [view.under, view.svg].flatMap(svg => [...svg.querySelectorAll("text")]).filter(({ place }) => place?.words)
  return legend.concat(labels.map(({ place: { x, y, words, kind, anchor } }) => {
    const size = kind.includes("small") ? 11 : 12
    const width = widthOf(words, size, /strong|heading/.test(kind) ? 650 : 400)
    const left = x - { start: 0, middle: width / 2, end: width }[anchor]
    return { left, right: left + width, top: y - size, bottom: y + size / 3 }
  }))
}

// From the handle down, with a gap at each word it would strike.
function cutAt(view, x) {
  const struck = (view.parts.beside ??= wordsBeside(view))
    .filter(({ left, right }) => left - 4 < x && x < right + 4)
    .sort((a, b) => a.top - b.top)
  let [path, y] = ["", 16]
  for (const { top, bottom } of [...struck, { top: view.parts.bottom, bottom: 0 }]) {
    const end = Math.min(top, view.parts.bottom)
    if (end > y) path += `M0 ${pixel(y)}V${pixel(end)}`
    y = Math.max(y, bottom)
  }
  return path
}

function paintLine(view, row) {
  const { at, parts } = view
  const x = across(at, row.x)
  set(parts.moving, { transform: `translate(${pixel(x)} 0)` })
  set(parts.cut, { d: cutAt(view, x) })
  const width = Math.max(widthOf(row.t, 14, 650) + 20, 46)
  const room = x + 16 + width <= at.plot.right + 8
  set(parts.plate, { width: pixel(width) })
  set(parts.words, { x: pixel(width / 2), text: row.t })
  set(parts.flag, { transform: `translate(${pixel(room ? 15 : -15 - width)} 0)` })
  const beside = x + 24 + width + 60 <= at.plot.right
  const hint = beside ? 22 + width : -20 - widthOf("drag me")
  show(parts.hint, !view.hinted && !view.drag && (beside || x - at.plot.left > 90) && room)
  set(parts.hint, { transform: `translate(${pixel(hint)} 0)` })
  const words = sentence(view, row)
  set(parts.grip, { "aria-valuenow": Math.round(row.x * 1000) / 10, "aria-valuetext": words })
  set(parts.densities, { "aria-label": `Scores of both classes at threshold ${words}; drag to move it` })
}

// "0.62: 318 found, 39 missed, 14 false alarms, 198 dismissed"
function sentence(view, row) {
  const outcomes = ["tp", "fn", "fp", "tn"].map(cell => `${row.cells[cell]} ${wordFor(view, cell, row)}`)
  return `${row.t}: ${outcomes.join(", ")}${view.compared?.(row) ?? ""}`
}

const wordFor = (view, cell, row) => view.content.words[cell][row.cells[cell] === "1" ? 0 : 1]
// The two densities, actual positives up and actual negatives down; the line cuts them into the four outcomes.
const STRIP = 42 // above and below the hills, for words

function drawDensities(view, at) {
  const { plot, densities: box } = at
  const { density, higher } = view.content
  const layer = group(view.svg)
  Object.assign(view.parts, { dots: [], hills: [] })
  if (density.kind === "dots") {
    drawDots(view, layer, at)
  } else {
    const [left, right] = higher ? [["fn", "tn"], ["tp", "fp"]] : [["tp", "fp"], ["fn", "tn"]]
    for (const cells of [left, right]) {
      for (const [place, cell] of cells.entries()) {
        const clipped = { class: `area ${cell}`, "clip-path": `url(#threshold-view-cut-${cell})` }
        view.parts.hills.push([put(layer, "path", clipped), ["up", "down"][place]])
      }
    }
  }
  view.parts.ground = put(layer, "line", { x1: plot.left, x2: plot.right, class: "base" })
  shapeDensities(view, at)
  const frame = { x: plot.left, y: box.top, width: plot.width, height: box.height }
  return put(view.svg, "rect", { ...frame, class: "catch plot" })
}

// Where hills change under the hand, their outlines alone are written anew.
function shapeDensities(view, at, heights = view.content.density) {
  const { base, ...sides } = view.content.density.kind === "dots" ? dotsOf(view, at) : areasOf(view, at, heights)
  for (const [node, side] of view.parts.hills) set(node, { d: sides[side] })
  set(view.parts.ground, { y1: base, y2: base })
}

function drawOutcomes(view, at) {
  const { plot, densities: box } = at
  const [positive, negative] = view.content.names
  const layer = group(view.svg)
  label(layer, plot.left + 4, box.top + 14, `actual ${positive} ↑`, "small grey halo")
  label(layer, plot.left + 4, box.top + box.height - 6, `actual ${negative} ↓`, "small grey halo")
  labelLines(layer, plot.left, at.noted.top + 11, at.noted.lines, "small grey halo")
  view.parts.outcomes = Object.fromEntries(CELLS.map(cell => {
    const y = cell === "tp" || cell === "fn" ? box.top + 32 : box.top + box.height - 24
    return [cell, label(layer, 0, y, "", `outcome halo ${cell}-word`)]
  }))
}

const stripOf = at => at.densities.strip ?? STRIP
const roomOf = at => at.densities.height - 2 * stripOf(at)

// How high a share of the tallest bar is, and where the base line lies: each class has the room it needs.
function divided(at, bars, up, down) {
  const [above, below] = [Math.max(up, 0.25), Math.max(down, 0.25)]
  const unit = bars / (above + below)
  return { unit, base: pixel(at.densities.top + stripOf(at) + unit * above) }
}

// The hatching of errors, and what is left and right of the line in each class.
function defs(view, at) {
  const marks = put(view.svg, "defs")
  for (const cell of ["fp", "fn"]) {
    const pattern = put(marks, "pattern", {
      id: `threshold-view-${cell}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    })
    put(pattern, "rect", { width: 6, height: 6, class: `${cell} thin` })
    put(pattern, "rect", { width: 2.6, height: 6, class: `${cell} thick` })
  }
  view.parts.clips = {}
  for (const cell of CELLS) {
    const clip = put(marks, "clipPath", { id: `threshold-view-cut-${cell}` })
    const { top, height } = at.densities
    view.parts.clips[cell] = put(clip, "rect", { x: at.plot.left - 20, y: top, width: 0, height })
  }
}

const highest = values => values.reduce((a, b) => Math.max(a, b), 0)

// The outline of each class as a path.
function areasOf(view, at, { up, down }) {
  const { density } = view.content
  const { unit, base } = divided(at, roomOf(at), density.room ?? highest(density.up), density.room ?? highest(density.down))
  const path = density.kind === "bars" ? barsPath : smoothPath
  const draw = (heights, sign) => path(at, density, base, [...heights].map(height => height * unit), sign)
  return { base, up: draw(up, 1), down: draw(down, -1) }
}

function barsPath(at, density, base, heights, sign) {
  const { left, right } = density
  const path = heights.map((height, i) => {
    if (!height) return ""
    const [from, to] = [across(at, left[i]), across(at, right[i])]
    const gap = to - from > 5 ? 1 : 0
    // A row is seen, however many stand elsewhere.
    const top = pixel(base - sign * Math.max(height, 1))
    return `M${pixel(from)} ${base}V${top}H${pixel(Math.max(to - gap, from + 1))}V${base}Z`
  })
  return path.join("")
}

function smoothPath(at, density, base, heights, sign) {
  const x = [...density.x].map(share => pixel(across(at, share)))
  return `M${x[0]} ${base}L${x.map((left, i) => `${left} ${pixel(base - sign * heights[i])}`).join("L")}L${x.at(-1)} ${base}Z`
}

function dotsOf(view, at) {
  const { density } = view.content
  const bars = roomOf(at)
  const floors = [1, 0].map(side => highest(density.level.map((level, i) => (density.up[i] === side ? level + 1 : 0))))
  const radius = Math.min((at.plot.width * density.width) / 2, bars / (2 * (floors[0] + floors[1] || 1)), 7)
  const free = bars - 2 * radius * (floors[0] + floors[1])
  return { base: pixel(at.densities.top + stripOf(at) + 2 * radius * floors[0] + free / 2), radius }
}

function drawDots(view, layer, at) {
  const { stop: stops, up, level, x, size } = view.content.density
  const { base, radius } = dotsOf(view, at)
  view.parts.dots = stops.map((stop, i) => {
    const y = base - (up[i] ? 1 : -1) * (2 * radius * level[i] + radius + 1)
    const node = put(layer, "circle", { cx: pixel(across(at, x[i])), cy: pixel(y), r: pixel(radius * 0.86 * size[i]) })
    return { node, stop, up: up[i] }
  })
}

function paintDensities(view, row) {
  const { at, parts, content } = view
  const x = across(at, row.x)
  for (const { node, stop, up } of parts.dots) {
    const positive = content.higher ? stop >= row.stop : stop <= row.stop
    set(node, { class: `dot ${up ? (positive ? "tp" : "fn") : positive ? "fp" : "tn"}` })
  }
  const sides = content.higher ? [["fn", "tp"], ["tn", "fp"]] : [["tp", "fn"], ["fp", "tn"]]
  for (const [left, right] of sides) {
    const cut = across(at, view.cut?.(row, left, right) ?? row.x)
    set(parts.clips[left], { width: pixel(Math.max(cut - at.plot.left + 20, 0)) })
    set(parts.clips[right], { x: pixel(cut), width: pixel(Math.max(at.plot.right + 20 - cut, 0)) })
    paintOutcomes(view, row, x, left, right)
  }
}

// The two counts of a class, one on each side of the line: in as many words as there is room for.
function paintOutcomes(view, row, x, left, right) {
  const beyond = view.at.wide ? 30 : 6
  const sides = [[left, "end", x - 10, x - 12], [right, "start", x + 10, view.at.plot.right + beyond - x - 10]]
  for (const [cell, anchor, place, room] of sides) {
    const counted = `${row.cells[cell]} ${wordFor(view, cell, row)}`
    const ways = [`${counted} (${cell.toUpperCase()})`, counted, row.cells[cell]]
    const text = ways.find(words => widthOf(words, 13.5, 650) <= room) ?? ""
    set(view.parts.outcomes[cell], { text, x: pixel(place), "text-anchor": anchor })
  }
}
// The ROC and the precision–recall curve in small, with the current threshold as a ring that can be dragged.

function drawCurves(view, at) {
  const { curves } = at
  const second = curves.left + curves.width - curves.square
  const kinds = [
    { key: "roc", measure: "roc_auc", x: "fall_out", y: "recall", across: "false positive rate", up: "recall ↑", left: curves.left },
    { key: "pr", measure: "average_precision", x: "recall", y: "precision", across: "recall", up: "precision ↑", left: second },
  ]
  view.parts.curves = kinds.map(kind => drawCurve(view, at, kind))
  return view.parts.curves.filter(curve => curve.area)
}

function drawCurve(view, at, kind) {
  const { square, top } = at.curves
  const { content, over } = view
  const layer = group(view.under)
  const [title, value] = ["heading", "grey"].map(look => element("svg:tspan", { class: look }))
  put(view.svg, "text", { x: pixel(kind.left), y: pixel(top - 13), class: "heading" }, title, " · ", entryLink(kind.measure, "svg:a", value))
  put(layer, "rect", { x: kind.left, y: top, width: square, height: square, rx: 3, class: "box" })
  const curve = { ...kind, top, square, title, value }
  const reason = content.reasons[kind.key]
  if (reason) {
    labelLines(layer, kind.left + 10, top + 24, wrapped(reason, square - 20, fontOf(11)), "small grey")
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
  const frame = { x: kind.left - 8, y: top - 8, width: square + 16, height: square + 16 }
  curve.area = put(view.svg, "rect", { ...frame, class: "catch plot", role: "img" })
  shapeCurve(view, curve)
  if (inside) curve.kept = put(layer, "path", { d: traced(curve, i => inside[i] === "1"), class: "curve" })
  label(layer, kind.left + 7, top + square - 8, kind.up, "small grey halo")
  if (over.goal) {
    curve.goal = put(layer, "circle", { r: 4.5, class: "goal ring" })
    placeGoal(curve, ...goalOn(curve, over.goal))
  }
  curve.ring = put(view.svg, "circle", { r: 6.5, class: "ring" })
  curve.handle = put(view.svg, "circle", { r: 17, class: "catch handle" })
  return curve
}

// Where the best threshold for the goal lies on a curve, which may be nowhere.
const goalOn = ({ key }, { point: [fallOut, recall, precision] }) => (key === "roc" ? [fallOut, recall] : [recall, precision])

function placeGoal(curve, x, y) {
  const known = [x, y].every(value => value !== null && !Number.isNaN(value))
  show(curve.goal, known)
  if (!known) return
  const [cx, cy] = onCurve(curve, x, y)
  set(curve.goal, { cx, cy })
}

function nameCurve({ content }, curve) {
  const [title, area] = content[curve.key].split(" · ")
  const isWide = widthOf(title, 12, 650) + widthOf(` · ${area}`) > curve.square + 6
  set(curve.title, { text: isWide ? title.replace("Precision–recall", "PR") : title })
  set(curve.value, { text: area })
}

// The curve of the scores as it is now, and what guessing would give.
function shapeCurve(view, curve) {
  const { stops, prevalence } = view.content
  const { left, top, square } = curve
  Object.assign(curve, { xs: stops.at[curve.x], ys: stops.at[curve.y] })
  curve.points = pointsOf(curve)
  nameCurve(view, curve)
  set(curve.area, { "aria-label": `${view.content[curve.key]}; drag the ring to move the threshold` })
  set(curve.whole, { d: traced(curve) })
  const isRoc = curve.key === "roc"
  const [height, rise] = isRoc ? [square, -square] : [pixel(square * (1 - prevalence)), 0]
  set(curve.guess, { d: `M${left} ${top + height}l${square} ${rise}` })
}

const onCurve = ({ left, top, square }, x, y) => [pixel(left + square * x), pixel(top + square * (1 - y))]

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
    if (curve.line) set(curve.line, { d: traced(curve, i => i >= row.stop) })
    const [x, y] = [row.at[curve.x], row.at[curve.y]]
    const known = !Number.isNaN(x) && !Number.isNaN(y)
    for (const node of [curve.ring, curve.handle]) {
      show(node, known)
      if (!known) continue
      const [cx, cy] = onCurve(curve, x, y)
      set(node, { cx, cy })
    }
  }
}
