// The picture of the curves; read together with rankings.js.
const stepped = (points, x, y) =>
  points.length ? `M${x(0)} ${y(points[0][1])}` + points.map(([across, up]) => `V${y(up)}H${x(across)}`).join("") : ""
const straight = (points, x, y) => points.map(([a, b], n) => `${n ? "L" : "M"}${x(a)} ${y(b)}`).join("")
const path = (d, stroke, attributes) => element("svg:path", { d, stroke, fill: "none", ...attributes })

function draw(view) {
  const { data, svg } = view
  const width = Math.floor(view.plot.clientWidth)
  if (!width) return
  const height = Math.min(width, 470)
  const side = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom]
  view.x = value => (EDGE.left + value * side[0]).toFixed(1)
  view.y = value => (EDGE.top + (1 - value) * side[1]).toFixed(1)
  withAttributes(svg, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": data.alt })
  const { x, y } = view
  const roc = data.picture === "ROC"
  const parts = axes(view, height)
  if (roc) parts.push(path(`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`, data.ink.grey, { "stroke-dasharray": "5 4" }))
  const [lines, line] = background(view)
  const strength = Math.max(0.12, Math.min(0.5, 12 / Math.max(lines.size, 1)))
  // Each by itself, so that it is darker where many lie over each other, on every screen and in the saved picture.
  parts.push(...[...lines.values()].map(points => path(line(points, x, y), data.ink.grey, { class: "faint", "stroke-opacity": strength })))
  view.hover = path("", data.ink.text, { class: "hover", "stroke-width": 1.6 })
  parts.push(view.hover)
  const means = data.means.flatMap(mean => meanLine(view, mean))
  const selected = view.selected.flatMap((place, nth) => selectedLine(view, place, nth))
  // The points of a single query stand on its line.
  parts.push(...(data.means.some(mean => !mean.line) ? [...selected, ...means] : [...means, ...selected]))
  svg.replaceChildren(...parts)
  view.title.textContent = roc ? "ROC of the ranking" : "Precision against recall"
  legend(view, roc)
}

// The curves of all queries behind the selected ones, and how their points are joined.
const background = view => view.data.picture === "ROC" ? [view.rocs, straight] : [view.faint, stepped]

function axes({ data, x, y }, height) {
  const text = (attributes, words) => element("svg:text", attributes, words)
  const label = { fill: data.ink.grey, "font-size": 11 }
  const title = { fill: data.ink.grey, "font-size": 12, "text-anchor": "middle" }
  const upright = { x: 0, y: 0, transform: `translate(11 ${y(0.5)}) rotate(-90)` }
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap(tick => [
    path(`M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}`, data.ink.grid),
    text({ x: x(tick), y: +y(0) + 15, "text-anchor": "middle", ...label }, String(tick)),
    text({ x: +x(0) - 7, y: +y(tick) + 4, "text-anchor": "end", ...label }, String(tick)),
  ])
  const across = text({ x: x(0.5), y: height - 4, ...title }, data.axes[0])
  return [...ticks, across, text({ ...upright, ...title }, data.axes[1])]
}

function meanLine({ data, x, y }, mean) {
  const { ink } = data
  const stroke = mean.dashed ? ink.grey : ink.accent
  const dots = mean.points.map(({ at: [across, up], words }) => {
    const title = element("svg:title", {}, words)
    const fill = { fill: ink.paper, stroke }
    if (!mean.dashed) return element("svg:circle", { cx: x(across), cy: y(up), r: 4, ...fill, "stroke-width": 1.8 }, title)
    return element("svg:rect", { x: x(across) - 3, y: y(up) - 3, width: 6, height: 6, ...fill, "stroke-width": 1.6 }, title)
  })
  const dashes = mean.dashed ? { "stroke-dasharray": "6 4" } : {}
  const line = path(straight(mean.points.map(point => point.at), x, y), stroke, { class: "mean", "stroke-width": 2.4, ...dashes })
  return mean.line ? [line, ...dots] : dots
}

// The interpolated line is known of all queries at once; the rest comes with Python's answer.
function selectedLine(view, place, nth) {
  const { data, x, y } = view
  const curve = data.selected.find(query => query.place === place)
  const colour = data.colours[nth]
  const bold = { class: "selected", "data-place": place, "stroke-width": 2.6 }
  if (data.picture === "ROC") {
    const points = curve?.roc ?? view.rocs.get(place)
    return points ? [path(straight(points, x, y), colour, bold)] : []
  }
  const parts = []
  const alone = data.line === "as counted" && curve
  if (curve && data.line !== "interpolated") {
    const style = alone ? bold : { class: "saw", "stroke-width": 1.1, "stroke-dasharray": "4 3" }
    parts.push(path(straight(curve.saw, x, y), colour, style))
  }
  if (!alone) parts.push(path(stepped(curve?.steps ?? view.lines.get(place) ?? [], x, y), colour, bold))
  if (curve?.nearest && data.distance) parts.push(...bestRank(view, curve, colour, place === view.selected.at(-1)))
  return parts
}

function bestRank({ data, x, y }, { nearest: [across, up], efficiency }, colour, named) {
  const parts = [
    path(straight([[across, up], [1, 1]], x, y), colour, { class: "distance", "stroke-dasharray": "2 3" }),
    element("svg:circle", { cx: x(across), cy: y(up), r: 5, fill: data.ink.paper, stroke: colour, "stroke-width": 2 }),
  ]
  if (!named) return parts
  const right = across > 0.5
  const at = { x: +x(across) + (right ? -10 : 10), y: +y(up) + 18, "text-anchor": right ? "end" : "start", "font-size": 11.5 }
  // A rim of paper keeps the words readable over the lines.
  const rim = { stroke: data.ink.paper, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" }
  return [...parts, element("svg:text", { ...at, ...rim, fill: data.ink.text, "font-weight": 600 }, efficiency)]
}

function legend(view, roc) {
  const { data } = view
  const entry = (colour, text, dashed) => {
    const key = element("i", { class: dashed ? "dashed" : "", style: `--key: ${colour}` })
    return element("span", {}, key, text)
  }
  const entries = data.means.map(mean => entry(mean.dashed ? data.ink.grey : data.ink.accent, mean.name, mean.dashed))
  view.selected.forEach((place, nth) => {
    const area = data.selected.find(query => query.place === place)?.area
    entries.push(entry(data.colours[nth], [data.names[place], area].filter(Boolean).join(" · ")))
  })
  const drawn = data.faint.drawn.length
  const others = roc ? "some of the queries" : drawn < data.names.length ? `${drawn} of ${data.count}` : ""
  if (others) entries.push(entry(data.ink.grey, others))
  view.legend.replaceChildren(...entries)
}

// The same keys for a picture that stands alone.
function legendLines({ legend, plot }) {
  const origin = plot.getBoundingClientRect()
  return [...legend.querySelectorAll("i")].map(key => {
    const box = key.getBoundingClientRect()
    const dashes = key.className === "dashed" ? { "stroke-dasharray": "6 4" } : {}
    const d = `M${box.x - origin.x} ${box.y - origin.y + 1}h${box.width}`
    return path(d, key.style.getPropertyValue("--key"), { "stroke-width": 2.5, ...dashes })
  })
}

// The nearest of the lines under the pointer, a few pixels off at most.
function under(view, event) {
  const box = view.svg.getBoundingClientRect()
  const [px, py] = [event.clientX - box.x, event.clientY - box.y]
  const roc = view.data.picture === "ROC"
  let nearest = 8, line = -1
  for (const [place, points] of background(view)[0]) {
    let [ax, ay] = roc ? [+view.x(0), +view.y(0)] : [+view.x(0), +view.y(points[0]?.[1] ?? 0)]
    for (const [across, up] of points) {
      const [bx, by] = [+view.x(across), +view.y(up)]
      // A step goes up or down first, then across.
      const off = roc ? distance(px, py, ax, ay, bx, by) : Math.min(distance(px, py, ax, ay, ax, by), distance(px, py, ax, by, bx, by))
      if (off < nearest) [nearest, line] = [off, place]
      ;[ax, ay] = [bx, by]
    }
  }
  return [line, px, py]
}

function distance(px, py, ax, ay, bx, by) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const along = length ? Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length)) : 0
  return Math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
}
