// The mean loss of every constant, by four losses, and the constants at which they are least; an outlier is dragged along
// the axis, and everything follows at each frame. The server hears of it when it is let go.

const CONSTANTS = 160
const [LEFT, RIGHT, TOP, AXIS] = [12, 12, 64, 268]
const instances = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  let instance = instances.get(parentElement)
  if (!instance) {
    instance = { svg: element("svg:svg", { class: "outlier", role: "img" }) }
    parentElement.querySelector("span").replaceChildren(instance.svg)
    instances.set(parentElement, instance)
    build(instance)
    new ResizeObserver(() => draw(instance)).observe(instance.svg)
  }
  instance.tell = (outlier) => setTriggerValue("outlier", outlier)
  if (!instance.dragging) Object.assign(instance, { data, outlier: data.outlier })
  draw(instance)
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

// The constants that are best by each loss, of the values and the outlier, which counts as one row.
function best({ data, outlier }) {
  const { values, rows, tau, delta } = data
  const weight = rows / values.length
  const mean = (values.reduce((sum, x) => sum + x, 0) * weight + outlier) / (rows + 1)
  return { squared: mean, absolute: quantile(data, outlier, 0.5), huber: huber(data, outlier, delta), quantile: quantile(data, outlier, tau) }
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

const LOSSES = {
  squared: (e) => (e * e) / 2,
  absolute: (e) => Math.abs(e),
  huber: (e, { delta }) => (Math.abs(e) <= delta ? (e * e) / 2 : delta * Math.abs(e) - (delta * delta) / 2),
  quantile: (e, { tau }) => Math.max(-tau * e, (1 - tau) * e),
}

function draw(instance) {
  const { data, outlier, picture, handle } = instance
  const WIDTH = instance.svg.clientWidth || 360
  const across = (x) => LEFT + ((x - data.low) / span(instance)) * (WIDTH - LEFT - RIGHT)
  const parts = [element("svg:line", { x1: LEFT, x2: WIDTH - RIGHT, y1: AXIS, y2: AXIS, stroke: data.colours.grey })]
  const every = Math.max(1, Math.ceil(data.values.length / 400))
  for (let i = 0; i < data.values.length; i += every)
    parts.push(element("svg:line", { x1: across(data.values[i]), x2: across(data.values[i]), y1: AXIS, y2: AXIS + 10, stroke: data.colours.text, opacity: 0.35 }))
  const weight = data.rows / data.values.length
  const constants = best(instance)
  Object.entries(constants).forEach(([key, constant], index) => {
    const curve = []
    for (let i = 0; i <= CONSTANTS; i++) {
      const c = data.low + (span(instance) * i) / CONSTANTS
      let sum = LOSSES[key](c - outlier, data)
      for (const x of data.values) sum += weight * LOSSES[key](c - x, data)
      curve.push([c, sum])
    }
    const least = Math.min(...curve.map((point) => point[1]))
    const most = Math.max(...curve.map((point) => point[1]))
    const down = (loss) => AXIS - 6 - ((loss - least) / (most - least || 1)) * (AXIS - TOP - 6)
    const line = { fill: "none", stroke: data.colours.lines[index], "stroke-width": 2, "stroke-dasharray": data.dashes[index] }
    parts.push(element("svg:polyline", { ...line, points: curve.map(([c, loss]) => `${across(c)},${down(loss)}`).join(" ") }))
    parts.push(element("svg:line", { ...line, x1: across(constant), x2: across(constant), y1: TOP - 4, y2: AXIS + 14, class: key, "data-at": constant }))
    const label = element("svg:text", { x: LEFT + ((index % 2) * WIDTH) / 2, y: 18 + 22 * Math.floor(index / 2), fill: data.colours.text, "font-size": 15 })
    label.append(element("svg:tspan", { fill: data.colours.lines[index], "font-weight": 700 }, `${data.names[index]} `), format(constant))
    parts.push(label)
  })
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const value = data.low + share * span(instance)
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle"
    parts.push(element("svg:text", { x: across(value), y: AXIS + 40, "text-anchor": anchor, fill: data.colours.grey, "font-size": 13 }, format(value)))
  }
  picture.replaceChildren(...parts)
  withAttributes(handle, { transform: `translate(${across(outlier)}, ${AXIS})`, "aria-valuenow": outlier, "aria-valuetext": format(outlier), "aria-valuemin": data.low, "aria-valuemax": data.high })
  withAttributes(handle.lastChild, { fill: data.colours.outlier, stroke: data.colours.paper, "stroke-width": 2 })
  const name = `Best constants with an outlier at ${format(outlier)}: ${data.names.map((n, i) => `${n} ${format(Object.values(constants)[i])}`).join(", ")}`
  withAttributes(instance.svg, { "aria-label": name })
}

function format(value) {
  return new Intl.NumberFormat("en", { maximumSignificantDigits: 4, useGrouping: false }).format(value).replace("-", "−")
}
