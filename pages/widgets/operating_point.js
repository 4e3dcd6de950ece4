// Lays a ring, a line and a range over pictures drawn by Plotly and tells which point of a curve was clicked.
// The pictures are found by their keys inside the container that this component stands in; they may come later than
// the component, go and come back, and move what they show under the ring.

const SVG = "http://www.w3.org/2000/svg"
const RADIUS = 6.5
const STRIP = 12 // pixels of the strip along the axis in which a range is dragged
const NARROWEST = 0.01 // a shorter drag takes the range away
const instances = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const place = (parentElement.host ?? parentElement).closest(".st-key-curves")
  if (!place) return
  let instance = instances.get(parentElement)
  if (!instance) {
    instance = { charts: new Map() }
    instance.observer = new MutationObserver(() => find(instance, place))
    instance.observer.observe(place, { childList: true, subtree: true })
    instances.set(parentElement, instance)
  }
  instance.data = data
  instance.points = data.points
  instance.range = data.range
  instance.pick = (pick) => setTriggerValue("pick", pick)
  instance.chooseRange = (range) => setTriggerValue("range", range)
  find(instance, place)
  for (const chart of instance.charts.values()) draw(instance, chart)

  return () => {
    instance.observer.disconnect()
    for (const chart of instance.charts.values()) chart.layer.remove()
    instances.delete(parentElement)
  }
}

function find(instance, place) {
  for (const key of Object.keys(instance.points)) {
    const plot = place.querySelector(`.st-key-${key} .js-plotly-plot`)
    if (!plot?.on || !plot._fullLayout?.xaxis || instance.charts.get(key)?.plot === plot) continue
    instance.charts.get(key)?.layer.remove()
    const chart = { key, plot, layer: overlay() }
    instance.charts.set(key, chart)
    plot.on("plotly_afterplot", () => draw(instance, chart))
    plot.on("plotly_click", (event) => click(instance, chart, event))
    listen(instance, chart)
    draw(instance, chart)
  }
}

function click(instance, chart, event) {
  const point = event.points.find((p) => p.data.meta?.system !== undefined)
  const threshold = point?.customdata?.[0]
  if (!Number.isFinite(threshold)) return
  // The ring goes there at once; the answer of the server then moves it in the other picture too.
  if (instance.points[chart.key]?.[0] !== null) {
    instance.points = { ...instance.points, [chart.key]: [point.x, point.y] }
    draw(instance, chart)
  }
  instance.pick({ threshold, system: point.data.meta.system })
}

function listen(instance, chart) {
  const strip = chart.layer.querySelector(".strip")
  const at = (event) => {
    const { xaxis } = chart.plot._fullLayout
    const across = event.clientX - chart.layer.getBoundingClientRect().left - xaxis._offset
    return Math.min(Math.max(xaxis.p2l(across), 0), 1)
  }
  let fixed = null
  strip.addEventListener("pointerdown", (event) => {
    event.preventDefault()
    event.stopPropagation()
    const [low, high] = instance.range.ends ?? [0, 1]
    const here = at(event)
    const near = 12 / chart.plot._fullLayout.xaxis._length
    // Near an end that end is moved, elsewhere a new range begins.
    fixed = Math.abs(here - low) < near ? high : Math.abs(here - high) < near ? low : here
    strip.setPointerCapture(event.pointerId)
  })
  strip.addEventListener("pointermove", (event) => {
    if (fixed === null) return
    const ends = [fixed, at(event)].map((end) => Math.round(1000 * end) / 1000)
    instance.range = { ...instance.range, ends: [Math.min(...ends), Math.max(...ends)] }
    draw(instance, chart)
  })
  const end = () => {
    if (fixed === null) return
    fixed = null
    const [low, high] = instance.range.ends ?? [0, 1]
    if (high - low < NARROWEST) instance.range = { ...instance.range, ends: [0, 1] }
    draw(instance, chart)
    instance.chooseRange({ low: instance.range.ends?.[0] ?? 0, high: instance.range.ends?.[1] ?? 1 })
  }
  strip.addEventListener("pointerup", end)
  strip.addEventListener("pointercancel", end)
}

function draw(instance, chart) {
  const { key, plot, layer } = chart
  const { xaxis, yaxis } = plot._fullLayout ?? {}
  const [x, y] = instance.points[key] ?? [null, null]
  // Over the curves and under what is shown on hovering.
  const above = plot.querySelector(".hoverlayer")?.closest("svg")
  if (!xaxis || !above) return
  if (layer.nextSibling !== above) above.before(layer)
  const across = x === null ? -1 : xaxis.l2p(x)
  const down = y === null ? -1 : yaxis.l2p(y)
  const inside = across >= -1 && down >= -1 && across <= xaxis._length + 1 && down <= yaxis._length + 1
  const seen = x !== null && y !== null && inside

  const [left, top] = [xaxis._offset + across, yaxis._offset + down]
  const [range, line, ring, label] = layer.children
  show(ring, seen)
  show(label, seen)
  set(ring, { cx: left, cy: top, stroke: instance.data.text, fill: instance.data.paper })
  label.textContent = instance.data.label
  // Below the ring, towards the middle of the picture: there the curves leave room.
  const toTheRight = across < xaxis._length / 2
  set(label, {
    fill: instance.data.text,
    stroke: instance.data.paper,
    "text-anchor": toTheRight ? "start" : "end",
    x: left + (toTheRight ? 1 : -1) * (RADIUS + 5),
    y: down > yaxis._length - 30 ? top - 12 : top + 20,
  })
  drawLine(line, instance.data.lines?.[key], xaxis, yaxis, instance.data)
  drawRange(range, instance.range?.key === key ? instance.range : null, xaxis, yaxis, instance.data)
}

function drawLine(line, ends, xaxis, yaxis, { text }) {
  show(line, ends)
  if (!ends) return
  const [x0, y0, x1, y1] = ends
  const along = (axis, value) => axis._offset + Math.min(Math.max(axis.l2p(value), -4), axis._length + 4)
  set(line, { x1: along(xaxis, x0), y1: along(yaxis, y0), x2: along(xaxis, x1), y2: along(yaxis, y1), stroke: text })
}

function drawRange(group, range, xaxis, yaxis, { accent }) {
  show(group, range)
  if (!range) return
  const whole = !range.ends || (range.ends[0] <= 0 && range.ends[1] >= 1)
  const [low, high] = (range.ends ?? [0, 1]).map((end) => Math.min(Math.max(xaxis.l2p(end), 0), xaxis._length))
  const [left, bottom] = [xaxis._offset, yaxis._offset + yaxis._length]
  const [shade, bar, strip, first, second] = group.children
  show(shade, !whole)
  set(shade, { x: left + low, y: yaxis._offset, width: high - low, height: yaxis._length, fill: accent })
  set(bar, { x: left + low, y: bottom - 3, width: high - low, height: 4, fill: accent, opacity: whole ? 0.35 : 1 })
  set(strip, { x: left - 8, y: bottom - STRIP / 2 - 1, width: xaxis._length + 16, height: STRIP + 2 })
  for (const [handle, end] of [[first, low], [second, high]]) {
    set(handle, { x: left + end - 4, y: bottom - 8, width: 8, height: 14, fill: accent })
  }
}

function show(element, visible) {
  element.style.display = visible ? "" : "none"
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}

function overlay() {
  const layer = make("svg", { class: "operating-point" })
  layer.style.cssText = "position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; overflow: visible"
  const range = make("g", { class: "range" })
  const strip = make("rect", { class: "strip", fill: "transparent" })
  strip.style.cssText = "pointer-events: all; cursor: ew-resize; touch-action: none"
  range.append(
    make("rect", { opacity: 0.1 }), make("rect", {}), strip, make("rect", { rx: 2 }), make("rect", { rx: 2 }),
  )
  const line = make("line", { "stroke-width": 1.6, "stroke-dasharray": "5 3" })
  const ring = make("circle", { r: RADIUS, "stroke-width": 3 })
  const label = make("text", {})
  label.style.cssText = "font-size: 12px; font-weight: 600; paint-order: stroke; stroke-width: 4px; stroke-linejoin: round"
  layer.append(range, line, ring, label)
  return layer
}

function make(name, attributes) {
  const element = document.createElementNS(SVG, name)
  set(element, attributes)
  return element
}
