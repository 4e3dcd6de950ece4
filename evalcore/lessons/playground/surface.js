// The view of the playground: hills or bars with the threshold, and both curves of the sample over those in theory.
const WIDE = 700
const GAP = 36
const BIN = 5 // scores a step of the sample's outline

function measured(view) {
  const width = Math.max(view.root.clientWidth, 280)
  const wide = width >= WIDE
  const right = wide ? clamp(width * 0.5, 340, 580) : width
  const plot = { left: 8, right: (wide ? width - right - GAP : width) - 8 }
  plot.width = plot.right - plot.left
  const square = Math.min((right - 28) / 2, 270)
  const densities = { top: 34, height: wide ? 320 : 290, strip: 62 }
  const hint = wrapped(view.model.drawn ? DRAW_HINT : SHAPE_HINT, plot.width, fontOf(11))
  const axis = { top: densities.top + densities.height, height: 50 + 15 * hint.length, hint }
  const curves = { left: wide ? width - right : 0, width: right, square, top: wide ? 54 : axis.top + axis.height + 42 }
  const end = curves.top + square + 24 + 20 * legendOf(view).length
  const height = Math.ceil(Math.max(axis.top + axis.height, end + 6))
  return { width, wide, plot, densities, axis, curves, stacked: [densities], noted: { top: 0, lines: [] }, height }
}

const SHAPE_HINT = "Drag ○ to move a hill, □ to widen it, the line to move the threshold. The thin outline is the sample. Keys on the line: arrows step, Space sweeps."
const DRAW_HINT = "Draw over the picture to raise and lower bars; drag the line by its handle. The thin outline is the sample. Keys on the line: arrows step, Space sweeps."

const legendOf = ({ state, past }) => [
  ["curve", "this sample, up to the threshold"],
  ["theory", "in theory: infinitely many rows"],
  ...(past.length ? [["past", past.length > 1 ? `the last ${past.length} samples` : "the last sample"]] : []),
  ...(state.kept ? [["kept", "the kept curve, in theory"]] : []),
]

const shareOf = score => (score - LOW) / (HIGH - LOW)
// Thousands apart.
const apart = count => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f")
const three = value => value.toFixed(3)

function contentOf(view) {
  const { state, sample } = view
  const { tp, sizes } = sample
  const stops = { x: Array.from(tp, (_, stop) => stop / (STOPS - 1)), at: ratesOf(sample) }
  return {
    higher: true, names: ["positive", "negative"], words: view.words, unit: "score", reasons: {}, stops,
    ticks: [20, 40, 60, 80].map(score => [shareOf(score), String(score)]),
    prevalence: sizes[0] / (sizes[0] + sizes[1]),
    roc: `ROC · AUC ${three(sample.auc)}`, pr: `Precision–recall · AP ${three(sample.ap)}`,
    density: densityOf(view, state),
  }
}

const ratesOf = ({ tp, fp, sizes }) => ({
  recall: Array.from(tp, count => count / sizes[0]),
  fall_out: Array.from(fp, count => count / sizes[1]),
  precision: Array.from(tp, (count, stop) => count / (count + fp[stop])),
})

// Heights as shares of the tallest; bars that are drawn keep the heights they have.
function densityOf({ model }, { positives, negatives, prevalence, all }) {
  if (model.drawn) {
    const left = Array.from({ length: BARS }, (_, bar) => shareOf(bar * WIDTH))
    const sides = [positives, negatives].map(({ heights }) => heights.map(height => height / 30))
    const [up, down] = sides
    const times = [positives, negatives].map(({ heights }) => (heights.reduce((sum, one) => sum + one, 0) * WIDTH) / 30)
    return { kind: "bars", left, right: left.map(share => share + shareOf(WIDTH) - shareOf(0)), up, down, room: 1, times }
  }
  const x = Array.from({ length: 241 }, (_, i) => i / 240)
  const weights = all ? [prevalence, 1 - prevalence] : [1, 1]
  const sides = [model.one, model.other].map((kind, place) => x.map(share => weights[place] * kind.density(LOW + share * (HIGH - LOW))))
  const most = Math.max(...sides.flat())
  const [up, down] = sides.map(side => side.map(height => height / most))
  return { kind: "smooth", x, up, down, times: weights.map(weight => weight / most) }
}

// Where the base line lies and how high a share of 1 is.
function scaleOf(view, at) {
  const { density } = view.content
  const bars = at.densities.height - 2 * at.densities.strip
  return divided(at, bars, density.room ?? highest(density.up), density.room ?? highest(density.down))
}

function shapeKept(view, at) {
  const { base, unit } = scaleOf(view, at)
  for (const [place, [kind, node]] of view.parts.kept.entries()) {
    const times = view.content.density.times[place] * unit * (place ? -1 : 1)
    const scores = Array.from({ length: 201 }, (_, i) => LOW + ((HIGH - LOW) * (i + 0.5)) / 201)
    const points = scores.map(score => [across(at, shareOf(score)), times * kind.density(score)]).filter(([, height]) => Math.abs(height) > 0.7)
    set(node, { d: `M${points.map(([x, height]) => `${pixel(x)} ${pixel(base - height)}`).join("L")}` })
  }
}

// The sample as steps over its distributions, the kept hills as dotted lines at their scale, and what hands can do.
function drawLines(view, at) {
  const [sample, kept] = [group(view.svg), group(view.svg)]
  view.parts.outlines = SIDES.map(() => put(sample, "path", { class: "outline" }))
  view.parts.kept = (view.kept ? [view.kept.one, view.kept.other] : []).map(kind => [kind, put(kept, "path", { class: "kept" })])
  labelLines(group(view.svg), at.plot.left, at.axis.top + 58, at.axis.hint, "small grey hint")
}

function shapeOutlines(view, at) {
  const { base, unit } = scaleOf(view, at)
  for (const [place, sign] of [1, -1].entries()) {
    const scores = view.sample.classes[place]
    const counts = new Float64Array((HIGH - LOW) / BIN)
    for (const score of scores) {
      const bin = Math.floor((score / 10 - LOW) / BIN)
      if (bin >= 0 && bin < counts.length) counts[bin]++
    }
    const times = (view.content.density.times[place] * unit) / BIN / scores.length
    // Chance may be higher than the hill, but leaves the words beside it alone.
    const room = at.densities.height - 2 * at.densities.strip
    const most = (place ? at.densities.top + at.densities.strip + room - base : base - at.densities.top - at.densities.strip) + 8
    const steps = [...counts].map((count, bin) => {
      const [from, to] = [bin, bin + 1].map(edge => pixel(at.plot.left + (at.plot.width * edge) / counts.length))
      return `${bin ? "L" : "M"}${from} ${pixel(base - sign * Math.min(count * times, most))}H${to}`
    })
    set(view.parts.outlines[place], { d: steps.join("") })
  }
}

// The areas on each side of the threshold, which are the rates.
function drawAreas(view, at) {
  const layer = group(view.svg)
  const box = at.densities
  view.parts.areas = Object.fromEntries(CELLS.map(cell => {
    const y = cell === "tp" || cell === "fn" ? box.top + 48 : box.top + box.height - 40
    return [cell, label(layer, 0, y, "", "small halo")]
  }))
}

const RATES = { tp: "TPR", fn: "FNR", fp: "FPR", tn: "TNR" }

function paintAreas(view, row) {
  const { recall, fall_out: fallOut } = row.theory
  const values = { tp: recall, fn: 1 - recall, fp: fallOut, tn: 1 - fallOut }
  for (const cell of CELLS) {
    set(view.parts.areas[cell], { ...view.parts.outcomes[cell].current, text: `area ${three(values[cell])} = ${RATES[cell]}` })
  }
}

const KINDS = [["fall_out", "recall"], ["recall", "precision"]]

// Both squares, as curves.js will draw them.
function squares({ curves }) {
  const { left, top, square, width } = curves
  return KINDS.map(([x, y], place) => ({ left: place ? left + width - square : left, top, square, x, y }))
}

// Earlier samples lie below this one.
function drawPast(view, at) {
  const layer = group(view.under)
  view.parts.past = squares(at).map(one => [one, put(layer, "path", { class: "past" })])
}

function shapePast(view) {
  for (const [one, node] of view.parts.past) {
    set(node, { d: view.past.map(rates => thinned({ ...one, xs: rates[one.x], ys: rates[one.y] })).join("") })
  }
}

// A line by which nothing is read off needs no point that lies within a pixel of the one before.
function thinned(curve) {
  const [xs, ys] = [[], []]
  let [lastX, lastY] = [NaN, NaN]
  for (let i = 0; i < curve.xs.length; i++) {
    const [x, y] = [curve.xs[i], curve.ys[i]]
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < 1 / curve.square) continue
    xs.push(x)
    ys.push(y)
    ;[lastX, lastY] = [x, y]
  }
  return traced({ ...curve, xs, ys })
}

const THRESHOLDS = [-Infinity, ...Array.from({ length: 641 }, (_, i) => LOW - 30 + i / 4), Infinity]

function drawTheory(view, at) {
  const layer = group(view.under)
  const lines = kind => squares(at).map(one => [one, put(layer, "path", { class: kind })])
  view.parts.theory = lines("theory")
  if (view.kept) traceModel(view.kept, lines("kept"))
  view.parts.under = put(layer, "path", { class: "swept" })
  view.parts.guides = squares(at).map(one => ({ ...one, lines: ["x", "y"].map(axis => put(layer, "path", { class: `guide ${one[axis]}` })) }))
  view.parts.points = squares(at).map(one => ({ ...one, node: put(view.svg, "circle", { r: 4, class: "point" }) }))
  for (const [line, [kind, words]] of legendOf(view).entries()) {
    const y = at.curves.top + at.curves.square + 38 + 20 * line
    put(layer, "line", { x1: at.curves.left, x2: at.curves.left + 26, y1: y - 4, y2: y - 4, class: kind })
    label(layer, at.curves.left + 34, y, words, "small grey")
  }
}

function traceModel(model, lines) {
  const points = THRESHOLDS.map(model.at)
  for (const [one, node] of lines) {
    const [xs, ys] = [one.x, one.y].map(key => points.map(point => point[key]))
    set(node, { d: thinned({ ...one, xs, ys }) })
  }
}

// What is read off at the ring: how far across, how far up, and the area under ROC so far.
function paintGuides(view, row) {
  for (const one of view.parts.guides) {
    const known = !Number.isNaN(row.at[one.y])
    const bottom = one.top + one.square
    const [x, y] = known ? onCurve(one, row.at[one.x], row.at[one.y]) : [one.left, bottom]
    set(one.lines[0], { d: `M${one.left} ${y}H${x}` })
    set(one.lines[1], { d: `M${x} ${y}V${bottom}` })
  }
  const [{ line, left, top, square }] = view.parts.curves
  const [x] = onCurve(view.parts.curves[0], row.at.fall_out, 0)
  set(view.parts.under, { d: `${line.current.d}L${left} ${top + square}H${x}Z` })
}

function paintTheory(view, row) {
  for (const one of view.parts.points) {
    const [x, y] = [row.theory[one.x], row.theory[one.y]]
    show(one.node, !Number.isNaN(y))
    if (Number.isNaN(y)) continue
    const [cx, cy] = onCurve(one, x, y)
    set(one.node, { cx, cy })
  }
}

function rowAt(view, stop) {
  const { sample, model } = view
  const threshold = thresholdAt(stop)
  const [tp, fp] = [sample.tp[stop], sample.fp[stop]]
  const [fn, tn] = [sample.sizes[0] - tp, sample.sizes[1] - fp]
  return {
    stop, x: stop / (STOPS - 1),
    t: Number.isFinite(threshold) ? threshold.toFixed(1).replace("-", "−") : threshold > 0 ? "∞" : "−∞",
    counts: { tp, fp, fn, tn }, cells: each({ tp, fp, fn, tn }, apart), theory: model.at(threshold),
    at: { recall: tp / (tp + fn), fall_out: fp / (fp + tn), precision: tp / (tp + fp) },
  }
}
