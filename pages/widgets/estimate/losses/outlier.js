// The mean loss of every constant, by eight losses, and the constants at which they are least: above those that state a
// number, below those that state a score for one of two classes. An outlier is dragged along the upper axis, and
// everything follows at each frame. The server hears of it when it is let go.

const CONSTANTS = 160
const [LEFT, RIGHT] = [12, 12]
const NUMBERS = { keys: ["squared", "absolute", "huber", "quantile", "poisson"], first: 18, top: 86, axis: 290 }
const CLASSES = { keys: ["logistic", "hinge", "exponential"], first: 380, top: 428, axis: 568, low: -4, high: 4 }
const instances = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  let instance = instances.get(parentElement)
  if (!instance) {
    instance = { svg: element("svg:svg", { class: "outlier", role: "group" }) }
    parentElement.querySelector("span").replaceChildren(instance.svg, makeCamera(() => save(instance)))
    instances.set(parentElement, instance)
    build(instance)
    new ResizeObserver(() => draw(instance)).observe(instance.svg)
  }
  instance.tell = (outlier) => setTriggerValue("outlier", outlier)
  if (!instance.dragging) Object.assign(instance, { data, outlier: data.outlier })
  draw(instance)
}

function save({ svg, data }) {
  const { width, height } = svg.getBoundingClientRect()
  const picture = emptyPicture(width, height, data.colours, svg.getAttribute("aria-label"))
  picture.append(...[...svg.childNodes].map((part) => part.cloneNode(true)))
  savePicture(picture, "losses")
}

function build(instance) {
  const { svg } = instance
  const handle = element("svg:g", { tabindex: "0", role: "slider", "aria-label": "Outlier", class: "handle" })
  handle.append(element("svg:circle", { r: 22, fill: "transparent" }), element("svg:circle", { r: 8 }))
  Object.assign(instance, { handle, picture: element("svg:g") })
  svg.append(instance.picture, handle)
  const to = (event) => {
    const box = svg.getBoundingClientRect()
    move(instance, low(instance) + ((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * span(instance))
  }
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault()
    handle.focus()
    handle.setPointerCapture(event.pointerId)
    instance.dragging = true
  })
  handle.addEventListener("pointermove", (event) => instance.dragging && to(event))
  const end = () => {
    if (!instance.dragging) return
    instance.dragging = false
    instance.tell(instance.outlier)
  }
  handle.addEventListener("pointerup", end)
  handle.addEventListener("pointercancel", end)
  let waiting
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key]
    const target = { Home: low(instance), End: instance.data.high }[event.key]
    if (step === undefined && target === undefined) return
    event.preventDefault()
    move(instance, target ?? instance.outlier + step * span(instance))
    clearTimeout(waiting)
    waiting = setTimeout(() => instance.tell(instance.outlier), 250)
  })
}

const low = (instance) => instance.data.low
const span = (instance) => instance.data.high - instance.data.low

function move(instance, outlier) {
  instance.outlier = Math.min(Math.max(outlier, low(instance)), instance.data.high)
  requestAnimationFrame(() => draw(instance))
}

// The constants that are best by each loss, of the values and the outlier, which counts as one row; those that do not
// apply are left out.
function best(instance) {
  const { data, outlier } = instance
  const { values, rows, tau, delta } = data
  const weight = rows / values.length
  const mean = (values.reduce((sum, x) => sum + x, 0) * weight + outlier) / (rows + 1)
  const constants = { squared: mean, absolute: quantile(data, outlier, 0.5), huber: huber(data, outlier, delta), quantile: quantile(data, outlier, tau) }
  if (Math.min(values[0], outlier) >= 0) constants.poisson = mean
  const [positive, negative] = classes(instance)
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
  const all = [...values.map((x) => [x, weight]), [outlier, 1]].sort((a, b) => a[0] - b[0])
  const aim = share * (rows + 1)
  let sum = 0
  for (let i = 0; i < all.length; i++) {
    sum += all[i][1]
    if (Math.abs(sum - aim) < 1e-9 * rows) return (all[i][0] + all[Math.min(i + 1, all.length - 1)][0]) / 2
    if (sum > aim) return all[i][0]
  }
  return all[all.length - 1][0]
}

function huber({ values, rows }, outlier, delta) {
  const weight = rows / values.length
  const clip = (x) => Math.min(Math.max(x, -delta), delta)
  const slope = (c) => values.reduce((sum, x) => sum + clip(c - x), 0) * weight + clip(c - outlier)
  let [a, b] = [Math.min(values[0], outlier), Math.max(values[values.length - 1], outlier)]
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
  logistic: (m) => Math.log1p(Math.exp(-m)),
  hinge: (m) => Math.max(0, 1 - m),
  exponential: (m) => Math.exp(-m),
}

function draw(instance) {
  const { data, outlier, picture, handle } = instance
  const weight = data.rows / data.values.length
  const [positive, negative] = classes(instance)
  const ofNumbers = (key) => (c) => data.values.reduce((sum, x) => sum + weight * LOSSES[key](c, x, data), LOSSES[key](c, outlier, data))
  const ofClasses = (key) => (c) => positive * LOSSES[key](c) + negative * LOSSES[key](-c)
  const constants = best(instance)
  const upper = { ...NUMBERS, low: data.low, high: data.high }
  const across = scale(instance, upper)
  const parts = [...panel(instance, upper, ofNumbers, constants), ...panel(instance, CLASSES, ofClasses, constants)]
  const every = Math.max(1, Math.ceil(data.values.length / 400))
  for (let i = 0; i < data.values.length; i += every)
    parts.push(stroke(across(data.values[i]), upper.axis, upper.axis + 10, { stroke: data.colours.text, opacity: 0.35 }))
  if (data.limit !== null)
    parts.push(stroke(across(data.limit), upper.axis - 14, upper.axis + 18, { stroke: data.colours.text, class: "limit" }))
  const says = data.limit === null ? "All true numbers are equal: there are no two classes" : `Score of the class truth ≥ ${format(data.limit)} (long tick above)`
  parts.push(words(LEFT, CLASSES.first - 22, says, { fill: data.colours.grey, "font-size": 13 }))
  picture.replaceChildren(...parts)
  withAttributes(handle, { transform: `translate(${across(outlier)}, ${upper.axis})`, "aria-valuenow": outlier, "aria-valuetext": format(outlier), "aria-valuemin": data.low, "aria-valuemax": data.high })
  withAttributes(handle.lastChild, { fill: data.colours.outlier, stroke: data.colours.paper, "stroke-width": 2 })
  const list = Object.entries(constants).map(([key, constant]) => `${data.losses[key].name} ${format(constant)}`)
  withAttributes(instance.svg, { "aria-label": `Best constants with an outlier at ${format(outlier)}: ${list.join(", ")}` })
}

const scale = ({ svg }, { low, high }) => (x) => LEFT + ((x - low) / (high - low)) * ((svg.clientWidth || 360) - LEFT - RIGHT)
const stroke = (x, y1, y2, look) => element("svg:line", { x1: x, x2: x, y1, y2, ...look })
const words = (x, y, text, look) => element("svg:text", { x, y, ...look }, text)

// The curves of some losses over one axis, each scaled to its own height, with their best constants.
function panel(instance, { keys, first, top, axis, low, high }, lossOf, constants) {
  const { data } = instance
  const across = scale(instance, { low, high })
  const parts = [element("svg:line", { x1: across(low), x2: across(high), y1: axis, y2: axis, stroke: data.colours.grey })]
  keys.forEach((key, index) => {
    const { name, colour, dash } = data.losses[key]
    const label = words(LEFT + ((index % 2) * (across(high) + RIGHT)) / 2, first + 22 * Math.floor(index / 2), "", { fill: data.colours.text, "font-size": 15 })
    label.append(element("svg:tspan", { fill: colour, "font-weight": 700 }, `${name} `), key in constants ? format(constants[key]) : "—")
    parts.push(label)
    if (!(key in constants)) return
    const loss = lossOf(key)
    const curve = Array.from({ length: CONSTANTS + 1 }, (_, i) => low + ((high - low) * i) / CONSTANTS)
      .map((c) => [c, loss(c)])
      .filter((point) => Number.isFinite(point[1]))
    const [least, most] = [Math.min, Math.max].map((end) => end(...curve.map((point) => point[1])))
    const down = (value) => axis - 6 - ((value - least) / (most - least || 1)) * (axis - top - 6)
    const line = { fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": dash }
    parts.push(element("svg:polyline", { ...line, points: curve.map(([c, value]) => `${across(c)},${down(value)}`).join(" ") }))
    parts.push(stroke(across(constants[key]), top - 4, axis + 14, { ...line, class: key, "data-at": constants[key] }))
  })
  const least = (high - low) / 6
  const step = [1, 2, 5, 10].map((factor) => factor * 10 ** Math.floor(Math.log10(least))).find((size) => size >= least)
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++)
    parts.push(words(across(tick * step), axis + 40, format(tick * step + 0), { "text-anchor": "middle", fill: data.colours.grey, "font-size": 13 }))
  return parts
}

function format(value) {
  return new Intl.NumberFormat("en", { maximumSignificantDigits: 4, useGrouping: false }).format(value).replace("-", "−")
}
