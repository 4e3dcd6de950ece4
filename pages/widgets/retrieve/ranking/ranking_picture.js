// How the curves of queries are drawn; read together with rankings.js, which holds what they share.
const stepped = (points, x, y) => {
  if (!points.length) return ""
  const [, start] = points[0]
  return `M${x(0)} ${y(start)}` + points.map(([across, up]) => `V${y(up)}H${x(across)}`).join("")
}
const straight = (points, x, y) => points.map(([a, b], n) => `${n ? "L" : "M"}${x(a)} ${y(b)}`).join("")

function draw(view) {
  const { data, svg } = view
  const width = Math.floor(view.plot.clientWidth)
  if (!width) return
  const height = Math.min(width, 470)
  const side = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom]
  const x = value => (EDGE.left + value * side[0]).toFixed(1)
  const y = value => (EDGE.top + (1 - value) * side[1]).toFixed(1)
  view.x = x
  view.y = y
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.setAttribute("width", width)
  svg.setAttribute("height", height)
  svg.setAttribute("aria-label", data.alt)
  const roc = data.picture === "ROC"
  const ink = data.ink
  const parts = []
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    parts.push(drawn("path", { d: `M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}`, stroke: ink.grid, fill: "none" }))
    const label = { fill: ink.grey, "font-size": 11 }
    parts.push(drawn("text", { x: x(tick), y: +y(0) + 15, "text-anchor": "middle", ...label }, String(tick)))
    parts.push(drawn("text", { x: +x(0) - 7, y: +y(tick) + 4, "text-anchor": "end", ...label }, String(tick)))
  }
  const title = { fill: ink.grey, "font-size": 12 }
  parts.push(drawn("text", { x: x(0.5), y: height - 4, "text-anchor": "middle", ...title }, data.axes[0]))
  const upright = { x: 0, y: 0, transform: `translate(11 ${y(0.5)}) rotate(-90)`, "text-anchor": "middle" }
  parts.push(drawn("text", { ...upright, ...title }, data.axes[1]))
  if (roc) parts.push(drawn("path", { d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}`, stroke: ink.grey, "stroke-dasharray": "5 4", fill: "none" }))
  const lines = roc ? view.rocs : view.faint
  const shape = roc ? straight : stepped
  let faint = ""
  for (const points of lines.values()) faint += shape(points, x, y)
  const strength = Math.max(0.12, Math.min(0.5, 12 / Math.max(lines.size, 1)))
  parts.push(drawn("path", { class: "faint", d: faint, stroke: ink.grey, "stroke-opacity": strength, fill: "none" }))
  view.hover = drawn("path", { class: "hover", d: "", stroke: ink.text, "stroke-width": 1.6, fill: "none" })
  parts.push(view.hover)
  const means = () => { if (!roc) for (const mean of data.means) parts.push(...meanLine(view, mean, x, y)) }
  const alone = data.means.some(mean => !mean.line)
  if (!alone) means()
  view.places.forEach((place, nth) => parts.push(...pickedLine(view, place, nth, shape, x, y)))
  if (alone) means()
  svg.replaceChildren(...parts)
  view.heading.replaceChildren(element("b", "", roc ? "ROC of the ranking" : "Precision against recall"), view.save)
  legend(view, roc)
}

function meanLine(view, mean, x, y) {
  const { ink } = view.data
  const at = mean.points.map(point => point.at)
  const colour = mean.dashed ? ink.grey : ink.accent
  const line = drawn("path", {
    class: "mean", d: straight(at, x, y), stroke: colour, "stroke-width": 2.4, fill: "none",
    ...(mean.dashed ? { "stroke-dasharray": "6 4" } : {}),
  })
  const dots = mean.points.map(({ at, words }) => {
    const dot = mean.dashed
      ? drawn("rect", { x: x(at[0]) - 3, y: y(at[1]) - 3, width: 6, height: 6, fill: ink.paper, stroke: colour, "stroke-width": 1.6 })
      : drawn("circle", { cx: x(at[0]), cy: y(at[1]), r: 4, fill: ink.paper, stroke: colour, "stroke-width": 1.8 })
    dot.append(drawn("title", {}, words))
    return dot
  })
  return mean.line ? [line, ...dots] : dots
}

// The interpolated line is known of the faint ones at once; the rest comes with Python's answer.
function pickedLine(view, place, nth, shape, x, y) {
  const { data } = view
  const told = data.picked.find(query => query.place === place)
  const colour = data.colours[nth]
  const parts = []
  const bold = { class: "lit", "data-place": place, stroke: colour, "stroke-width": 2.6, fill: "none" }
  if (data.picture === "ROC") {
    const points = told?.roc ?? view.rocs.get(place)
    return points ? [drawn("path", { ...bold, d: straight(points, x, y) })] : []
  }
  const steps = told?.steps ?? view.lines.get(place) ?? []
  const alone = data.line === "as counted" && told
  if (told && data.line !== "interpolated") {
    const style = alone ? bold : { class: "saw", stroke: colour, "stroke-width": 1.1, "stroke-dasharray": "4 3", fill: "none" }
    parts.push(drawn("path", { ...style, d: straight(told.saw, x, y) }))
  }
  if (!alone) parts.push(drawn("path", { ...bold, d: shape(steps, x, y) }))
  if (told?.nearest && data.distance) {
    const [across, up] = told.nearest
    parts.push(drawn("path", { class: "distance", d: straight([[across, up], [1, 1]], x, y), stroke: colour, "stroke-dasharray": "2 3", fill: "none" }))
    parts.push(drawn("circle", { cx: x(across), cy: y(up), r: 5, fill: view.data.ink.paper, stroke: colour, "stroke-width": 2 }))
    if (place === view.places.at(-1)) {
      const words = { x: +x(across) + (across > 0.5 ? -10 : 10), y: +y(up) + 18, "text-anchor": across > 0.5 ? "end" : "start", "font-size": 11.5 }
      // A rim of paper keeps the words readable over the lines.
      const rim = { stroke: data.ink.paper, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" }
      parts.push(drawn("text", { class: "told", ...words, ...rim, fill: data.ink.text, "font-weight": 600 }, told.efficiency))
    }
  }
  return parts
}

function legend(view, roc) {
  const entry = (colour, text, dashed) => {
    const line = element("span")
    const key = element("i", dashed ? "dashed" : "")
    key.style.setProperty("--key", colour)
    line.append(key, text)
    return line
  }
  const entries = roc ? [] : view.data.means.map(mean => entry(mean.dashed ? view.data.ink.grey : view.data.ink.accent, mean.name, mean.dashed))
  view.places.forEach((place, nth) => {
    const told = view.data.picked.find(query => query.place === place)
    entries.push(entry(view.data.colours[nth], [view.data.names[place], told?.area].filter(Boolean).join(" · ")))
  })
  const drawnLines = (roc ? view.data.words.rocs : view.data.words.faint)
  if (drawnLines) entries.push(entry(view.data.ink.grey, drawnLines))
  view.legend.replaceChildren(...entries)
}

// The nearest of the lines under the pointer, a few pixels off at most.
function under(view, event) {
  const box = view.svg.getBoundingClientRect()
  const [px, py] = [event.clientX - box.x, event.clientY - box.y]
  const roc = view.data.picture === "ROC"
  let best = 8, found = -1
  for (const [place, points] of roc ? view.rocs : view.faint) {
    let [ax, ay] = roc ? [+view.x(0), +view.y(0)] : [+view.x(0), +view.y(points[0]?.[1] ?? 0)]
    for (const [across, up] of points) {
      const [bx, by] = [+view.x(across), +view.y(up)]
      // A step goes up or down first, then across.
      const off = roc ? apart(px, py, ax, ay, bx, by) : Math.min(apart(px, py, ax, ay, ax, by), apart(px, py, ax, by, bx, by))
      if (off < best) [best, found] = [off, place]
      ;[ax, ay] = [bx, by]
    }
  }
  return [found, px, py]
}

function apart(px, py, ax, ay, bx, by) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const along = length ? Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length)) : 0
  return Math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
}
