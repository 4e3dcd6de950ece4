// The same points in two pictures: they fly from the one to the other when a tab or the corner is opened, and go by
// hand between two that stand beside each other. A point is known by its rows called positive, TP + FP: no other
// threshold has as many. All places are in pixels of the box of the tabs.

const FLIGHT = 700 // milliseconds
const NEAR = 1.5 // pixels
const LATEST = 6000 // milliseconds after which nothing is waited for any more
const MANY = 4
const DASHES = { dash: [3, 3], dot: [1, 1], dashdot: [3, 1, 1, 1], longdash: [5, 5], longdashdot: [5, 2, 1, 2] }
const WAY = 110 // pixels of the slider from one picture to the other
let departed = null // the pictures that were left, until what comes has been reached

// The lines of the systems of a picture, with their points in the pixels of that picture, kept until it is drawn again:
// a pointer that passes over a curve asks at each of its points.
const linesOf = chart => (chart.lines ??= readLines(chart))

function readLines({ plot }) {
  const { xaxis, yaxis } = plot._fullLayout
  const isLine = ({ meta, customdata, visible }) => visible === true && meta?.system !== undefined && !meta.overlay && customdata
  return plot._fullData.filter(isLine).map(({ meta, customdata, x, y, line, mode, opacity }) => {
    const points = []
    customdata.forEach(([, tp, fp], index) => {
      const point = [xaxis.l2p(x[index]), yaxis.l2p(y[index]), tp + fp]
      if (!point.every(Number.isFinite)) return
      const before = points.at(-1)
      // A line of steps has a corner before each of its points, which belongs to hardly more rows than the last one.
      if (line.shape === "vh" && before) points.push([before[0], point[1], before[2] + 1e-6 * (point[2] - before[2])])
      points.push(point)
    })
    for (const point of points) { point[0] += xaxis._offset; point[1] += yaxis._offset }
    const same = [meta.name, meta.positives, meta.negatives].join()
    const looks = { colour: line.color, width: line.width, dash: line.dash, opacity, dots: mode.includes("markers") }
    return { same, name: meta.name, points, ...looks }
  })
}

// Where a line is at so many rows: at a point of it, or on the piece between two.
function placeAt(points, rows) {
  let [low, high] = [0, points.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (points[middle][2] <= rows) low = middle
    else high = middle
  }
  const [start, end] = [points[low], points[high]]
  const share = end[2] > start[2] ? clamp((rows - start[2]) / (end[2] - start[2]), 0, 1) : 0
  return [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])]
}

// Called at each drawing: once a tab is left, nothing says any more where its pictures stood.
function stand(instance, chart) {
  chart.lines = null
  const [own, all] = [chart.plot.getBoundingClientRect(), instance.tabs.getBoundingClientRect()]
  if (!own.width) return
  chart.box = { left: own.left - all.left, top: own.top - all.top, width: own.width, height: own.height }
  instance.height = all.height
  instance.moved?.()
  placeWay(instance)
  dropWay(instance)
  setWay(instance)
}

const isThere = chart => Boolean(chart?.box && chart.plot._fullLayout?.xaxis)

function seat(chart) {
  const { xaxis, yaxis } = chart.plot._fullLayout
  const { left, top } = chart.box
  const ring = chart.layer.querySelector("circle")
  const [across, down] = ["cx", "cy"].map(name => Number(ring.getAttribute(name)))
  return {
    key: chart.key,
    at: (line, rows) => {
      const [x, y] = placeAt(line.points, rows)
      return [left + x, top + y]
    },
    lines: linesOf(chart),
    ring: ring.style.display === "none" ? null : [left + across, top + down],
    frame: [left + xaxis._offset - 3, top + yaxis._offset - 3, xaxis._length + 6, yaxis._length + 6],
  }
}

// What flies between two pictures, drawn in a layer; the answer draws it at a share of the way.
function flock(layer, from, to, { text, paper }) {
  const clip = `flight-${from.key}-${to.key}`
  const frame = element("svg:rect")
  const group = element("svg:g", { "clip-path": `url(#${clip})`, fill: "none", "stroke-linejoin": "round" })
  const flying = to.lines.flatMap(line => {
    // Of two lines of a system, the one with the most points is the line of its thresholds.
    const start = from.lines.filter(one => one.same === line.same).sort((a, b) => b.points.length - a.points.length)[0]
    if (!start?.points.length || !line.points.length) return []
    const rows = [...new Set([...start.points, ...line.points].map(point => point[2]))].sort((a, b) => a - b)
    const ends = thinned(rows.map(count => [from.at(start, count), to.at(line, count)]))
    const dash = (DASHES[line.dash] ?? []).map(part => part * Math.max(line.width, 3))
    const path = element("svg:path", {
      stroke: line.colour, "stroke-width": line.width, "stroke-dasharray": dash.join(" "), opacity: line.opacity,
    })
    const dots = element("svg:path", { stroke: line.colour, "stroke-width": 6, "stroke-linecap": "round" })
    group.append(path, ...(line.dots ? [dots] : []))
    return { ends, path, dots: line.dots ? dots : null }
  })
  const ring = element("svg:circle", { r: RADIUS, "stroke-width": 3, stroke: text, fill: paper })
  show(ring, from.ring && to.ring)
  const style = "position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible"
  layer.append(element("svg:svg", { style }, element("svg:clipPath", { id: clip }, frame), group, ring))
  const between = (a, b, share) => a + share * (b - a)
  const pose = share => {
    const [x, y, width, height] = from.frame.map((end, i) => between(end, to.frame[i], share))
    withAttributes(frame, { x, y, width, height })
    for (const { ends, path, dots } of flying) {
      const places = ends.map(([a, b]) => [0, 1].map(i => between(a[i], b[i], share).toFixed(1)).join(" "))
      path.setAttribute("d", `M${places.join("L")}`)
      dots?.setAttribute("d", places.map(place => `M${place}h0`).join(""))
    }
    if (from.ring && to.ring) {
      withAttributes(ring, { cx: between(from.ring[0], to.ring[0], share), cy: between(from.ring[1], to.ring[1], share) })
    }
  }
  return flying.length ? pose : null
}

// Without points that stand next to the last one at both ends of the way; the first and the last stay.
function thinned(ends) {
  let last = ends[0]
  return ends.filter((places, index) => {
    const isFar = places.some(([x, y], i) => Math.abs(x - last[i][0]) + Math.abs(y - last[i][1]) > NEAR)
    if (!isFar && index && index < ends.length - 1) return false
    last = places
    return true
  })
}

function layerOver(tabs) {
  tabs.style.position = "relative"
  const style = "position: absolute; inset: 0; pointer-events: none; z-index: 1"
  const layer = element("div", { class: "flight", "aria-hidden": "true", style })
  tabs.append(layer)
  return layer
}

// ---- from what was left to what comes ----

// Copies of the pictures stay where they were until others have come, of the same keys if these are given.
function leave(instance, keys) {
  const left = keys ?? Object.keys(instance.points)
  const charts = left.map(key => instance.charts.get(key)).filter(isThere)
  land()
  dropWay(instance)
  // Where a curve is undefined, none may come either.
  if (charts.length < left.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  const { tabs } = instance
  const layer = layerOver(tabs)
  const copies = charts.map(({ plot, box }) => {
    const copy = plot.cloneNode(true)
    const place = Object.entries(box).map(([side, length]) => `${side}: ${length}px`).join("; ")
    return withAttributes(copy, { style: `position: absolute; ${place}` })
  })
  layer.append(...copies)
  tabs.style.minHeight = `${instance.height}px` // what stands below stays there
  departed = { keys, tabs, layer, copies, plots: charts.map(chart => chart.plot), seats: charts.map(seat), hidden: [] }
  departed.late = setTimeout(land, LATEST)
}

function arrive(instance) {
  if (!departed || departed.frame || instance.tabs !== departed.tabs) return
  const wanted = departed.keys ?? Object.keys(instance.points)
  const come = [...instance.charts.values()].filter(chart => !departed.plots.includes(chart.plot) && isThere(chart))
  for (const chart of come) hide(chart)
  if (come.length < wanted.length) return
  const { layer, copies, seats } = departed
  let poses = []
  const set = () => {
    if (!come.every(isThere)) return
    for (const { plot } of come) veil(plot, "hidden")
    layer.querySelectorAll(":scope > svg").forEach(old => old.remove())
    poses = come.map(seat).flatMap(to => {
      const same = seats.filter(from => from.key === to.key)
      // Many lines come from one picture: twice as many could not be told apart.
      const starts = same.length ? same : to.lines.length > MANY ? seats.slice(0, 1) : seats
      return starts.map(from => flock(layer, from, to, instance.data)).filter(Boolean)
    })
  }
  set()
  if (!poses.length) { land(); return }
  // Two axes at once could not be read: the new ones are there from the start.
  for (const copy of copies) copy.remove()
  for (const { plot } of come) plot.style.opacity = ""
  instance.moved = set // the pictures may still take their places
  departed.instance = instance
  clearTimeout(departed.late)
  let [time, last] = [0, 0]
  const step = now => {
    // What the browser has no time to draw is not skipped.
    if (last) time = Math.min(1, time + Math.min(now - last, 34) / FLIGHT)
    last = now
    const share = eased(time)
    for (const pose of poses) pose(share)
    if (time < 1) departed.frame = requestAnimationFrame(step)
    else land()
  }
  departed.frame = requestAnimationFrame(step)
}

// The lines of a picture that has come are not seen before those that fly have reached them.
const veil = (plot, visibility) => {
  for (const part of plot.querySelectorAll(".scatterlayer, .operating-point")) part.style.visibility = visibility
}

function hide({ plot }) {
  if (departed.hidden.includes(plot)) return
  departed.hidden.push(plot)
  plot.style.opacity = 0
  veil(plot, "hidden")
}

function land() {
  if (!departed) return
  const { layer, tabs, late, frame, hidden, instance } = departed
  departed = null
  clearTimeout(late)
  cancelAnimationFrame(frame)
  if (instance) instance.moved = null
  layer.remove()
  tabs.style.minHeight = ""
  for (const plot of hidden) {
    plot.style.opacity = ""
    veil(plot, "")
  }
  if (instance) setWay(instance)
}

// ---- by hand from ROC to precision–recall ----

// The link holds where the hand has left the slider; an answer to what it left before moves nothing.
function offerWay(instance) {
  const { way } = instance.data
  const answered = instance.told.indexOf(way)
  instance.told.splice(0, answered + 1)
  if (way !== instance.heardWay && answered < 0 && instance.way && !instance.way.matches(":active")) instance.way.value = way
  instance.heardWay = way
  if (instance.way || !(instance.points.roc && instance.points.pr)) return
  const words = "Move the points from ROC to precision–recall"
  const style = `width: ${WAY}px; height: 40px; margin: 0 6px; vertical-align: middle; accent-color: ${instance.data.accent}`
  const looks = { class: "way", title: words, "aria-label": words, style }
  instance.way = element("input", { type: "range", min: 0, max: 100, step: 2, value: way, ...looks })
  let left
  const tell = debounced(() => {
    instance.told.push(left)
    instance.tell("way", left)
  }, 400)
  instance.way.addEventListener("input", () => setWay(instance))
  instance.way.addEventListener("change", () => {
    left = Number(instance.way.value)
    tell()
  })
  const place = "position: absolute; display: none; transform: translateX(-100%); white-space: nowrap; font-size: 12px"
  const [roc, pr] = ["ROC", "PR"].map(name => element("span", { "aria-hidden": "true" }, name))
  instance.wayBox = element("div", { style: place }, roc, instance.way, pr)
  instance.tabs.style.position = "relative"
  instance.tabs.append(instance.wayBox)
}

// At the right of the title of the first picture.
function placeWay({ wayBox, charts }) {
  const box = charts.get("roc")?.box
  if (!wayBox || !box || !charts.get("pr")?.box) return
  show(wayBox, true)
  wayBox.style.left = `${box.left + box.width}px`
  wayBox.style.top = `${box.top - 43}px`
}

function setWay(instance) {
  const share = Number(instance.way?.value ?? 0) / 100
  const ends = ["roc", "pr"].map(key => instance.charts.get(key))
  if (departed || !ends.every(isThere) || share <= 0 || share >= 1) return dropWay(instance)
  if (!instance.wayLayer) {
    instance.wayLayer = layerOver(instance.tabs)
    instance.poseWay = flock(instance.wayLayer, ...ends.map(seat), instance.data)
  }
  instance.poseWay?.(share)
}

function dropWay(instance) {
  instance.wayLayer?.remove()
  instance.wayLayer = null
}
