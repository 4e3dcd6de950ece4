// Lays a ring, a line, a range and a button for the corner over pictures drawn by Plotly, shows on hovering where a
// point lies in the other picture, and tells which point of a curve was clicked.
// The pictures are found by their keys inside the container that this component stands in; they may come later than
// the component, go and come back, and move what they show under the ring.

const RADIUS = 6.5
const STRIP = 12 // pixels of the strips along the axes in which ranges are dragged
const HOLD = 40 // pixels around the ring that a finger can hold
const NARROWEST = 0.01 // a drag over less of what is shown takes the range away
const instances = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const place = (parentElement.host ?? parentElement).closest(".st-key-curves")
  if (!place) return
  let instance = instances.get(parentElement)
  if (!instance) {
    const tabs = place.closest("[data-testid=stTabs]")
    instance = { charts: new Map(), tabs, told: [] }
    instance.observer = new MutationObserver(() => find(instance, place))
    instance.observer.observe(place, { childList: true, subtree: true })
    // Heard before the tab that was left is painted without its pictures.
    instance.tabObserver = new MutationObserver(() => leave(instance))
    instance.tabObserver.observe(tabs, { attributes: true, attributeFilter: ["aria-selected"], subtree: true })
    instances.set(parentElement, instance)
  }
  const { points, ranges } = data
  Object.assign(instance, { data, points, ranges, tell: setTriggerValue })
  offerWay(instance)
  find(instance, place)
  for (const chart of instance.charts.values()) draw(instance, chart)

  return () => {
    instance.observer.disconnect()
    instance.tabObserver.disconnect()
    for (const part of [instance.wayBox, instance.wayLayer]) part?.remove()
    for (const chart of instance.charts.values()) chart.layer.remove()
    instances.delete(parentElement)
  }
}

function find(instance, place) {
  for (const key of Object.keys(instance.points)) {
    const plot = place.querySelector(`.st-key-${key} .js-plotly-plot`)
    if (!plot?.on || !plot._fullLayout?.xaxis || instance.charts.get(key)?.plot === plot) continue
    instance.charts.get(key)?.layer.remove()
    const chart = { key, plot, layer: overlay(), corner: cornerButton(instance) }
    instance.charts.set(key, chart)
    plot.on("plotly_afterplot", () => draw(instance, chart))
    plot.on("plotly_click", event => click(instance, chart, event))
    plot.on("plotly_hover", event => showElsewhere(instance, chart, event.points[0]))
    plot.on("plotly_unhover", () => showElsewhere(instance, chart))
    plot.on("plotly_doubleclick", () => {
      const { range, _rangeInitial0: low, _rangeInitial1: high } = plot._fullLayout.xaxis
      if (range[0] === low && range[1] === high) turn(instance, true) // else Plotly takes back a zoom by hand
    })
    for (const along of ["x", "y"]) listen(instance, chart, along)
    holdRing(instance, chart)
    draw(instance, chart)
  }
  arrive(instance)
}

// From the corner of both planes to their whole axes, or back.
function turn(instance, whole = !instance.data.whole) {
  if (!instance.data.corner || whole === instance.data.whole) return
  window.evalcoreZooms?.clear() // what was zoomed by hand is not meant
  if (instance.way) instance.way.value = 0
  leave(instance, Object.keys(instance.data.corner))
  instance.focused = [...instance.charts.values()].find(chart => chart.corner === document.activeElement)
  instance.tell("axes", whole ? "whole" : "corner")
}

// A mark at the same threshold in the other pictures.
function showElsewhere(instance, chart, point) {
  const counts = point?.customdata
  for (const other of instance.charts.values()) {
    const mark = other.layer.querySelector(".elsewhere")
    const isSame = line => line.name === point.data.meta?.name && line.points.length
    const line = counts && other !== chart && isThere(other) && linesOf(other).find(isSame)
    show(mark, line)
    if (!line) continue
    const [x, y] = placeAt(line.points, counts[1] + counts[2])
    withAttributes(mark, { x: x - 5, y: y - 5, stroke: line.colour, fill: instance.data.paper })
  }
}

function click(instance, chart, event) {
  const point = event.points.find(p => p.data.meta?.system !== undefined)
  const threshold = point?.customdata?.[0]
  if (!Number.isFinite(threshold)) return
  // The ring goes there at once; the answer of the server then moves it in the other picture too.
  if (instance.points[chart.key]?.[0] !== null) {
    instance.points = { ...instance.points, [chart.key]: [point.x, point.y] }
    draw(instance, chart)
  }
  instance.tell("pick", { threshold, system: point.data.meta.system })
}

// A finger takes the ring along the curve of its system, the one that it lies on.
function holdRing(instance, chart) {
  const { key, plot, layer } = chart
  const area = layer.querySelector(".hold")
  let points, found
  // touch-action is not heeded inside a drawing.
  area.addEventListener("touchstart", event => event.preventDefault(), { passive: false })
  const nearest = (all, [left, top]) => all.map(one => [Math.hypot(one.left - left, one.top - top), one]).sort((a, b) => a[0] - b[0])[0]?.[1]
  const put = event => {
    const box = plot.getBoundingClientRect()
    found = nearest(points, [event.clientX - box.left, event.clientY - box.top])
    instance.points = { ...instance.points, [key]: [found.x, found.y] }
    draw(instance, chart)
  }
  dragged(area, {
    start: event => {
      event.stopPropagation()
      found = null
      const { xaxis, yaxis } = plot._fullLayout
      const all = plot._fullData.filter(({ meta, customdata }) => meta?.system !== undefined && customdata).flatMap(({ meta, customdata, x, y }) =>
        customdata.flatMap(([threshold], i) => Number.isFinite(threshold)
          ? [{ system: meta.system, threshold, x: x[i], y: y[i], left: xaxis._offset + xaxis.l2p(x[i]), top: yaxis._offset + yaxis.l2p(y[i]) }] : []))
      const ring = ["cx", "cy"].map(name => Number(layer.querySelector("circle").getAttribute(name)))
      const system = nearest(all, ring)?.system
      points = all.filter(one => one.system === system)
      return points.length > 0
    },
    move: put,
    end: () => found && instance.tell("pick", { threshold: found.threshold, system: found.system }),
  })
}

function listen(instance, chart, along) {
  const group = chart.layer.querySelector(`.${along}-range`)
  const axisOf = () => chart.plot._fullLayout[`${along}axis`]
  const placeOf = event => {
    const box = chart.layer.getBoundingClientRect()
    return (along === "x" ? event.clientX - box.left : event.clientY - box.top) - axisOf()._offset
  }
  const at = event => {
    const place = placeOf(event)
    // Beyond the part that is shown lies the end of the whole.
    const beyond = place < 0 || place > axisOf()._length
    const value = axisOf().p2l(place)
    return beyond ? Math.round(clamp(value + Math.sign(value - shown()[0]), 0, 1)) : clamp(value, 0, 1)
  }
  const shown = () => axisOf().range
  const ends = () => instance.ranges?.[along] ?? [0, 1]
  const narrow = () => NARROWEST * (shown()[1] - shown()[0])
  const put = range => {
    instance.ranges = { ...instance.ranges, [along]: range }
    draw(instance, chart)
  }
  let fixed, pressed
  dragged(group, {
    start: event => {
      event.stopPropagation()
      pressed = placeOf(event)
      // The end that is drawn near is moved, elsewhere a new range begins.
      const [low, high] = ends().map(end => Math.abs(placeOn(axisOf(), end) - pressed))
      fixed = Math.min(low, high) > STRIP ? at(event) : low === high ? null : ends()[low < high ? 1 : 0]
    },
    move: event => {
      // Of two ends that are drawn at one place, the one is moved that lies where the hand goes.
      const way = axisOf().p2l(placeOf(event)) - axisOf().p2l(pressed)
      fixed ??= way ? ends()[way < 0 ? 1 : 0] : null
      if (fixed !== null) put([fixed, at(event)].map(end => Math.round(10000 * end) / 10000).sort((a, b) => a - b))
    },
    end: () => {
      if (ends()[1] - ends()[0] < narrow()) put([0, 1])
      const [low, high] = ends()
      instance.tell("range", { along, low, high })
    },
  })
}

function draw(instance, chart) {
  const { key, plot, layer } = chart
  const { xaxis, yaxis } = plot._fullLayout ?? {}
  const [x, y] = instance.points[key] ?? [null, null]
  // Over the curves and under what is shown on hovering; a line under the words too.
  const above = plot.querySelector(instance.data.lines?.[key] ? ".infolayer" : ".hoverlayer")?.closest("svg")
  if (!xaxis || !above) return
  if (layer.nextSibling !== above) above.before(layer)
  const isKnown = x !== null && y !== null
  const [across, down] = isKnown ? [xaxis.l2p(x), yaxis.l2p(y)] : [-1, -1]
  const inside = across >= -1 && down >= -1 && across <= xaxis._length + 1 && down <= yaxis._length + 1
  const seen = isKnown && inside
  const [left, top] = [xaxis._offset + across, yaxis._offset + down]
  const [upRange, acrossRange, line, ghosts, ring, label, , hold] = layer.children
  drawCorner(instance, chart, above)
  const { text, paper, lines } = instance.data
  show(ring, seen)
  show(label, seen)
  show(hold, seen && matchMedia("(pointer: coarse)").matches)
  withAttributes(hold, { x: left - HOLD / 2, y: top - HOLD / 2 })
  withAttributes(ring, { cx: left, cy: top, stroke: text, fill: paper })
  label.textContent = instance.data.label
  const [side, drop] = seen ? freePlace(chart, across, down, 7 * label.textContent.length) : [1, 0]
  withAttributes(label, {
    fill: text, stroke: paper, "text-anchor": side > 0 ? "start" : "end", x: left + side * (RADIUS + 5), y: top + drop,
  })
  ghosts.replaceChildren(...(instance.data.ghosts[key] ?? []).map(([x, y]) => element("svg:circle", {
    cx: xaxis._offset + xaxis.l2p(x), cy: yaxis._offset + yaxis.l2p(y), r: RADIUS, stroke: text, fill: "none", "stroke-dasharray": "3 3",
  })))
  drawLine(line, lines?.[key], xaxis, yaxis, instance.data)
  const ranges = instance.ranges?.key === key ? instance.ranges : null
  drawRange(acrossRange, ranges?.x, "x", xaxis, yaxis, instance.data)
  drawRange(upRange, ranges?.y, "y", xaxis, yaxis, instance.data)
  stand(instance, chart)
}

// On which side of the ring its words stand and how far below it: of the places inside the picture the first one that the
// fewest pieces of the curves strike, below and towards the middle before others.
function freePlace(chart, across, down, width) {
  const { xaxis, yaxis } = chart.plot._fullLayout
  const points = readLines(chart).flatMap(({ points }) => points.flatMap(([x, y], i) => {
    const [dx, dy] = points[i + 1] ? [points[i + 1][0] - x, points[i + 1][1] - y] : [0, 0]
    const pieces = Math.ceil(Math.hypot(dx, dy) / 4) || 1
    return Array.from({ length: pieces }, (_, k) => [x + (dx * k) / pieces - xaxis._offset, y + (dy * k) / pieces - yaxis._offset])
  }))
  const sides = across < xaxis._length / 2 ? [1, -1] : [-1, 1]
  const places = (down > yaxis._length - 30 ? [-12, 20] : [20, -12]).flatMap(drop => sides.map(side => [side, drop]))
  const struck = ([side, drop]) => {
    const [from, to] = [across + side * RADIUS, across + side * (RADIUS + 5 + width)].sort((a, b) => a - b)
    const [top, bottom] = [down + drop - 12, down + drop + 4]
    if (from < 0 || to > xaxis._length || top < 0 || bottom > yaxis._length) return Infinity
    return points.filter(([x, y]) => from < x && x < to && top < y && y < bottom).length
  }
  return places.map(place => [struck(place), place]).reduce((best, one) => (one[0] < best[0] ? one : best))[1]
}

function drawLine(line, ends, xaxis, yaxis, { text }) {
  show(line, ends)
  if (!ends) return
  const [x0, y0, x1, y1] = ends
  const along = (axis, value) => axis._offset + clamp(axis.l2p(value), -4, axis._length + 4)
  withAttributes(line, { x1: along(xaxis, x0), y1: along(yaxis, y0), x2: along(xaxis, x1), y2: along(yaxis, y1), stroke: text })
}

function drawCorner(instance, { key, plot, corner }, above) {
  const { data } = instance
  const part = data.corner?.[key]
  show(corner, part)
  if (!part) return
  if (corner.parentNode !== above.parentNode) above.after(corner)
  // The button of the picture that comes takes over the focus, once it can.
  if (instance.focused?.key === key && instance.focused.plot !== plot) {
    corner.focus({ preventScroll: true })
    if (document.activeElement === corner) instance.focused = null
  }
  const { xaxis, yaxis } = plot._fullLayout
  plot._context.doubleClick = data.whole ? "reset+autosize" : "reset"
  const [[left, right], [low, high]] = part.map(ends => ends.map(end => 1 + 20 * end))
  const [frame, inner] = corner.firstChild.children
  withAttributes(frame, { stroke: data.text })
  const [width, height] = [right - left, high - low].map(length => Math.max(6, length))
  const x = key === "roc" ? left : right - width
  withAttributes(inner, { x, y: 22 - high, width, height, fill: data.accent, opacity: data.whole ? 0.5 : 1 })
  const words = data.whole ? "Zoom to the corner" : "Show the whole axes"
  withAttributes(corner, { title: words, "aria-label": words })
  // Over the words that tell what is shown, where the curves leave room.
  const [side, edge] = key === "roc" ? ["right", plot.offsetWidth - xaxis._offset - xaxis._length] : ["left", xaxis._offset]
  corner.style[side] = `${edge + 4}px`
  corner.style.top = `${yaxis._offset + yaxis._length - 68}px`
}

function cornerButton(instance) {
  const picture = element("svg:svg", { width: 22, height: 22, "aria-hidden": "true" },
    element("svg:rect", { x: 1, y: 1, width: 20, height: 20, rx: 2, fill: "none" }), element("svg:rect"))
  const style = "position: absolute; width: 40px; padding: 9px; border: 0; background: none; cursor: pointer; height: 40px"
  const corner = button(picture, () => turn(instance), { class: "corner", style })
  corner.addEventListener("keydown", event => event.key === "Escape" && turn(instance, true))
  return corner
}

// Where an end of a range is drawn: at the edge if it lies outside of what is shown.
const placeOn = (axis, end) => clamp(axis.l2p(end), 0, axis._length)

function drawRange(group, range, along, xaxis, yaxis, { accent }) {
  show(group, range)
  if (!range) return
  const whole = range[0] <= 0 && range[1] >= 1
  const axis = along === "x" ? xaxis : yaxis
  // Pixels grow downwards, so of recall the high end comes first.
  const ends = range.map(end => placeOn(axis, end)).sort((a, b) => a - b)
  const [low, length] = [ends[0], ends[1] - ends[0]]
  const [left, top, bottom] = [xaxis._offset, yaxis._offset, yaxis._offset + yaxis._length]
  const [shade, bar, strip, ...handles] = group.children
  show(shade, !whole)
  withAttributes(group, { fill: accent })
  withAttributes(bar, { opacity: whole ? 0.35 : 1 })
  if (along === "x") {
    withAttributes(shade, { x: left + low, y: top, width: length, height: yaxis._length })
    withAttributes(bar, { x: left + low, y: bottom - 3, width: length, height: 4 })
    withAttributes(strip, { x: left, y: bottom - STRIP / 2 - 1, width: xaxis._length + 8, height: STRIP + 2 })
    handles.forEach((handle, i) => withAttributes(handle, { x: left + ends[i] - 4, y: bottom - 8, width: 8, height: 14 }))
  } else {
    // Outside of the picture: curves that rise along the axis are to be clicked there.
    withAttributes(shade, { x: left, y: top + low, width: xaxis._length, height: length })
    withAttributes(bar, { x: left - 4, y: top + low, width: 4, height: length })
    withAttributes(strip, { x: left - STRIP - 2, y: top - 8, width: STRIP, height: yaxis._length + 8 })
    handles.forEach((handle, i) => withAttributes(handle, { x: left - 9, y: top + ends[i] - 4, width: 13, height: 8 }))
  }
}

const show = (part, visible) => { part.style.display = visible ? "" : "none" }

function overlay() {
  const style = "position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; overflow: visible"
  const line = element("svg:line", { "stroke-width": 1.6, "stroke-dasharray": "5 3" })
  const ring = element("svg:circle", { r: RADIUS, "stroke-width": 3 })
  const words = "font-size: 12px; font-weight: 600; paint-order: stroke; stroke-width: 4px; stroke-linejoin: round"
  const label = element("svg:text", { style: words })
  const mark = element("svg:rect", { class: "elsewhere", width: 10, height: 10, rx: 5, "stroke-width": 2, style: "display: none" })
  const hold = element("svg:rect", { class: "hold", width: HOLD, height: HOLD, fill: "transparent", style: "pointer-events: all" })
  const parts = [rangeAlong("y"), rangeAlong("x"), line, element("svg:g"), ring, label, mark, hold]
  return element("svg:svg", { class: "operating-point", style }, ...parts)
}

function rangeAlong(along) {
  const rectangle = attributes => element("svg:rect", attributes)
  const style = `pointer-events: all; touch-action: none; cursor: ${along === "x" ? "ew" : "ns"}-resize`
  const strip = rectangle({ class: "strip", fill: "transparent", style })
  const parts = [rectangle({ opacity: 0.1 }), rectangle(), strip, rectangle({ rx: 2, style }), rectangle({ rx: 2, style })]
  return element("svg:g", { class: `${along}-range` }, ...parts)
}
