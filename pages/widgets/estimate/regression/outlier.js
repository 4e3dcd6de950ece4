// The mean loss of every constant, by eight losses, and the constants at which they are least: above those that state a
// number, below those that state a score for one of two classes. An outlier is dragged along the upper axis, and
// everything follows at each frame. The server hears of it when it is let go.

const CONSTANTS = 160
const [LEFT, RIGHT] = [12, 12]
const NUMBERS = { keys: ["squared", "absolute", "huber", "quantile", "poisson"], first: 18, top: 86, axis: 290 }
const CLASSES = { keys: ["logistic", "hinge", "exponential"], first: 380, top: 428, axis: 568, low: -4, high: 4 }

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, "span", build)
  view.tell = () => setTriggerValue("outlier", view.outlier)
  if (!view.isHeld()) Object.assign(view, { data, outlier: data.outlier })
  draw(view)
}

function build(root) {
  const grip = element("svg:circle", { r: 22, fill: "transparent" })
  const about = { tabindex: "0", role: "slider", "aria-label": "Outlier", class: "handle" }
  const handle = element("svg:g", about, grip, element("svg:circle", { r: 8 }))
  const picture = element("svg:g")
  const svg = element("svg:svg", { class: "outlier", role: "group" }, picture, handle)
  const view = { svg, picture, handle }
  root.replaceChildren(svg, makeCamera(() => save(view)))
  new ResizeObserver(() => draw(view)).observe(svg)
  const move = ({ clientX }) => {
    const box = svg.getBoundingClientRect()
    put(view, view.data.low + ((clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * span(view))
  }
  view.isHeld = dragged(handle, { move, end: () => view.tell() })
  const rest = debounced(() => view.tell(), 250)
  stepped(handle, { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1, Home: -2, End: 2 }, step => {
    put(view, view.outlier + step * span(view))
    rest()
  })
  return view
}

const span = ({ data }) => data.high - data.low

function put(view, outlier) {
  view.outlier = clamp(outlier, view.data.low, view.data.high)
  requestAnimationFrame(() => draw(view))
}

function save({ svg, data }) {
  const { width, height } = svg.getBoundingClientRect()
  const picture = emptyPicture(width, height, data.colours, svg.getAttribute("aria-label"))
  picture.append(...copyOfDrawing(svg).childNodes)
  savePicture(picture, "losses")
}

// The constants that are best by each loss, of the values and the outlier, which counts as one row; those that do not
// apply are left out.
function best(view) {
  const { data, outlier } = view
  const { values, rows, tau, delta } = data
  const weight = rows / values.length
  const mean = (values.reduce((sum, x) => sum + x, 0) * weight + outlier) / (rows + 1)
  const [absolute, tilted] = [0.5, tau].map(share => quantile(data, outlier, share))
  const constants = { squared: mean, absolute, huber: huber(data, outlier, delta), quantile: tilted }
  if (Math.min(values[0], outlier) >= 0) constants.poisson = mean
  const [positive, negative] = classes(view)
  if (positive && negative) {
    const odds = Math.log(positive / negative)
    Object.assign(constants, { logistic: odds, hinge: Math.sign(odds), exponential: odds / 2 })
  }
  return constants
}

// How many rows there are of both classes, the outlier among them.
function classes({ data, outlier }) {
  if (data.limit === null) return [0, 0]
  const positive = data.above + (outlier >= data.limit ? 1 : 0)
  return [positive, data.rows + 1 - positive]
}

function quantile({ values, rows }, outlier, share) {
  const weight = rows / values.length
  const all = [...values.map(x => [x, weight]), [outlier, 1]].sort((a, b) => a[0] - b[0])
  const aim = share * (rows + 1)
  let sum = 0
  for (let i = 0; i < all.length; i++) {
    sum += all[i][1]
    if (Math.abs(sum - aim) < 1e-9 * rows) return (all[i][0] + all[Math.min(i + 1, all.length - 1)][0]) / 2
    if (sum > aim) return all[i][0]
  }
  return all.at(-1)[0]
}

function huber({ values, rows }, outlier, delta) {
  const weight = rows / values.length
  const clip = x => clamp(x, -delta, delta)
  const slope = c => values.reduce((sum, x) => sum + clip(c - x), 0) * weight + clip(c - outlier)
  let [a, b] = [Math.min(values[0], outlier), Math.max(values.at(-1), outlier)]
  for (let i = 0; i < 50; i++) {
    const c = (a + b) / 2
    if (slope(c) < 0) a = c
    else b = c
  }
  return (a + b) / 2
}

// Of a constant c where x is true; of the margin m = y · c for two classes.
const LOSSES = {
  squared: (c, x) => (c - x) ** 2 / 2,
  absolute: (c, x) => Math.abs(c - x),
  huber: (c, x, { delta }) => (Math.abs(c - x) <= delta ? (c - x) ** 2 / 2 : delta * Math.abs(c - x) - (delta * delta) / 2),
  quantile: (c, x, { tau }) => Math.max(tau * (x - c), (1 - tau) * (c - x)),
  poisson: (c, x) => (c > 0 ? c - (x ? x * Math.log(c) : 0) : NaN),
  logistic: m => Math.log1p(Math.exp(-m)),
  hinge: m => Math.max(0, 1 - m),
  exponential: m => Math.exp(-m),
}

function draw(view) {
  const { svg, data, outlier, picture, handle } = view
  const { colours, limit, values, losses } = data
  const weight = data.rows / values.length
  const [positive, negative] = classes(view)
  const ofNumbers = key => c => values.reduce((sum, x) => sum + weight * LOSSES[key](c, x, data), LOSSES[key](c, outlier, data))
  const ofClasses = key => c => positive * LOSSES[key](c) + negative * LOSSES[key](-c)
  const constants = best(view)
  const upper = { ...NUMBERS, low: data.low, high: data.high }
  const across = scale(view, upper)
  const parts = [...panel(view, upper, ofNumbers, constants), ...panel(view, CLASSES, ofClasses, constants)]
  const every = Math.max(1, Math.ceil(values.length / 400))
  for (let i = 0; i < values.length; i += every) {
    parts.push(upright(across(values[i]), upper.axis, upper.axis + 10, { stroke: colours.text, opacity: 0.35 }))
  }
  if (limit !== null) {
    parts.push(upright(across(limit), upper.axis - 14, upper.axis + 18, { stroke: colours.text, class: "limit" }))
  }
  const score = limit === null
    ? "All true numbers are equal: there are no two classes"
    : `Score of the class truth ≥ ${format(limit)} (long tick above)`
  parts.push(words(LEFT, CLASSES.first - 22, score, { fill: colours.grey, "font-size": 13 }))
  picture.replaceChildren(...parts)
  withAttributes(handle, {
    transform: `translate(${across(outlier)}, ${upper.axis})`, "aria-valuenow": outlier, "aria-valuetext": format(outlier),
    "aria-valuemin": data.low, "aria-valuemax": data.high,
  })
  withAttributes(handle.lastChild, { fill: colours.outlier, stroke: colours.paper, "stroke-width": 2 })
  const list = Object.entries(constants).map(([key, constant]) => `${losses[key].name} ${format(constant)}`)
  withAttributes(svg, { "aria-label": `Best constants with an outlier at ${format(outlier)}: ${list.join(", ")}` })
}

const scale = ({ svg }, { low, high }) => x => LEFT + ((x - low) / (high - low)) * ((svg.clientWidth || 360) - LEFT - RIGHT)
const upright = (x, y1, y2, look) => element("svg:line", { x1: x, x2: x, y1, y2, ...look })
const words = (x, y, text, look) => element("svg:text", { x, y, ...look }, text)

// The curves of some losses over one axis, each scaled to its own height, with their best constants.
function panel(view, { keys, first, top, axis, low, high }, lossOf, constants) {
  const { losses, colours } = view.data
  const across = scale(view, { low, high })
  const parts = [element("svg:line", { x1: across(low), x2: across(high), y1: axis, y2: axis, stroke: colours.grey })]
  for (const [index, key] of keys.entries()) {
    const { name, colour, dash } = losses[key]
    const [x, y] = [LEFT + ((index % 2) * (across(high) + RIGHT)) / 2, first + 22 * Math.floor(index / 2)]
    const label = words(x, y, "", { fill: colours.text, "font-size": 15 })
    const isKnown = key in constants
    label.append(element("svg:tspan", { fill: colour, "font-weight": 700 }, `${name} `), isKnown ? format(constants[key]) : "—")
    parts.push(label)
    if (!isKnown) continue
    const loss = lossOf(key)
    const curve = Array.from({ length: CONSTANTS + 1 }, (_, i) => low + ((high - low) * i) / CONSTANTS)
      .map(c => [c, loss(c)])
      .filter(([, value]) => Number.isFinite(value))
    const [least, most] = [Math.min, Math.max].map(end => end(...curve.map(([, value]) => value)))
    const down = value => axis - 6 - ((value - least) / (most - least || 1)) * (axis - top - 6)
    const line = { fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": dash }
    const points = curve.map(([c, value]) => `${across(c)},${down(value)}`).join(" ")
    parts.push(element("svg:polyline", { ...line, points }))
    parts.push(upright(across(constants[key]), top - 4, axis + 14, { ...line, class: key, "data-at": constants[key] }))
  }
  const least = (high - low) / 6
  const step = [1, 2, 5, 10].map(factor => factor * 10 ** Math.floor(Math.log10(least))).find(size => size >= least)
  const look = { "text-anchor": "middle", fill: colours.grey, "font-size": 13 }
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) {
    parts.push(words(across(tick * step), axis + 40, format(tick * step + 0), look))
  }
  return parts
}

const NUMBER = new Intl.NumberFormat("en", { maximumSignificantDigits: 4, useGrouping: false })
const format = value => NUMBER.format(value).replace("-", "−")
