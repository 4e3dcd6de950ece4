// The curves of queries beside the table of their measures: sorted, filtered and selected here, so that a click among
// thousands of rows highlights its curve in the same frame. Points and words come from Python; only places on the screen
// are computed here. Names are set as text, never as markup.
//
// The heavy part comes once per system, level and k; what a click changes comes through the small component beside it,
// ranking_selection in rankings.py, which leaves it at the window. So a click sends a few kilobytes, however many queries
// there are.
const ROW = 28, MOST_SELECTED = 6, BAND = 0.16
const EDGE = { left: 50, right: 10, top: 10, bottom: 36 }

const PARTS = ["title", "plot", "tip", "legend", "count", "filter", "table", "head", "room", "foot"]

function build(root) {
  const send = (name, value) => window.evalcoreRankingsSend?.(name, value)
  const view = { root, send, active: -1, pitch: ROW, lanes: [], shown: new Map(), svg: root.querySelector("svg"), receive: () => receive(view) }
  Object.assign(view, { grid: root.querySelector(".scroller"), row: place => row(view, place) })
  for (const part of PARTS) view[part] = root.querySelector(`.${part}`)
  root.querySelector(".bar").append(makeCamera(() => save(view)))
  view.follow = debounced(() => {
    const place = view.order[view.active]
    if (place !== undefined && place !== view.open) select(view, place)
  }, 200)
  makeGallery(view)
  listen(view)
  new ResizeObserver(() => {
    root.classList.toggle("narrow", root.clientWidth < 600)
    if (view.data) {
      draw(view)
      drawTable(view)
    }
  }).observe(root)
  return view
}

// ---- what Python sent ----

// Both halves are needed, and of the same state of the page.
function receive(view) {
  const { fixed } = view
  const selection = window.evalcoreRankings
  if (!fixed || selection?.stamp !== fixed.stamp) return
  const data = { ...fixed, ...selection }
  if (view.stamp !== data.stamp) unpack(view, data)
  view.rocs = new Map(data.rocs.map(({ place, points }) => [place, points]))
  const first = view.stamp === undefined
  view.stamp = data.stamp
  view.data = data
  const selected = data.selected.map(query => query.place)
  // A click since Python last looked is newer than what Python says.
  if (first || !view.waiting || selected.join() === view.selected.join()) {
    view.moved = !view.waiting && selected.at(-1) !== view.selected?.at(-1)
    view.selected = selected
    view.open = data.open
    view.waiting = false
  }
  if (view.sentSort !== data.sort.join()) view.sort = [...data.sort]
  view.sentSort = data.sort.join()
  // What is being typed is newer than what Python says; what the way back says is not.
  if (view.sentFilter !== data.filter && !view.typing) view.filter.value = data.filter
  view.sentFilter = data.filter
  receiveStrips(view, data)
  arrange(view)
  if (view.moved && view.active >= 0) view.active = view.order.indexOf(view.selected.at(-1))
  draw(view)
  drawTable(view)
  if (view.moved && view.selected.length) reveal(view, view.order.indexOf(view.selected.at(-1)))
  view.moved = false
}

function unpack(view, data) {
  view.lanes = []
  view.columns = data.columns.map(unpacked)
  view.lines = new Map()
  const coordinates = new Uint16Array(bytesOf(data.faint.points).buffer)
  let at = 0
  for (const [line, place] of data.faint.places.entries()) {
    const points = []
    const end = at + 2 * data.faint.sizes[line]
    for (; at < end; at += 2) points.push([coordinates[at] / 65535, coordinates[at + 1] / 65535])
    view.lines.set(place, points)
  }
  view.faint = new Map(data.faint.drawn.map(place => [place, view.lines.get(place)]))
  view.names = data.names.map(name => name.toLocaleLowerCase())
  view.texts = data.texts?.map(text => text.toLocaleLowerCase())
}

// ---- what people do ----

function listen(view) {
  listenToGrid(view)
  view.choose = event =>
    select(view, view.order[view.active], event.key ? event.key === " " : event.target.closest(".mark") || isBeside(event))
  view.walked = () => {
    preview(view, view.order[view.active] ?? -1)
    if (view.open >= 0) view.follow()
  }
  view.filter.addEventListener("input", () => {
    view.grid.scrollTop = 0
    view.active = -1
    arrange(view)
    rows(view)
    clearTimeout(view.typing)
    view.typing = setTimeout(() => {
      view.typing = null
      view.send("filter", view.filter.value)
    }, 500)
  })
  view.svg.addEventListener("pointermove", event => {
    if (!view.data) return
    const [place, px, py] = under(view, event)
    const [lines, line] = background(view)
    const points = lines.get(place)
    view.hover.setAttribute("d", points ? line(points, view.x, view.y) : "")
    view.tip.textContent = points ? described(view, place) : ""
    view.tip.style.display = points ? "block" : "none"
    view.tip.style.left = `${Math.min(px + 12, view.plot.clientWidth - 120)}px`
    view.tip.style.top = `${py + 14}px`
    view.svg.style.cursor = points ? "pointer" : ""
  })
  view.svg.addEventListener("pointerleave", () => {
    preview(view, -1)
    view.hover?.setAttribute("d", "")
    view.tip.style.display = "none"
  })
  view.svg.addEventListener("click", event => {
    const [place] = under(view, event)
    if (place < 0) return
    select(view, place, isBeside(event))
    reveal(view, view.order.indexOf(place))
  })
}

const isBeside = event => event.ctrlKey || event.metaKey || event.shiftKey

function save(view) {
  const { svg, legend, plot } = view
  const keys = [...legend.children].filter(key => key.checkVisibility({ visibilityProperty: true }))
  const height = legend.getBoundingClientRect().bottom - plot.getBoundingClientRect().top
  const picture = emptyPicture(plot.clientWidth, height, view.data.ink, view.title.textContent)
  picture.append(...copyOfDrawing(svg).childNodes, ...legendLines(keys, plot), ...keys.flatMap(key => wordsOf(key, plot)))
  savePicture(picture, view.data.picture === "ROC" ? "ranking roc" : "precision-recall")
}

export default function ({ data, parentElement }) {
  const view = viewOf(parentElement, ".rankings", build)
  view.fixed = data
  window.addEventListener("evalcore-rankings", view.receive)
  receive(view)
  return () => {
    clearTimeout(view.typing)
    window.removeEventListener("evalcore-rankings", view.receive)
  }
}

// The table of queries: sorted, filtered and selected in the browser.
function arrange(view) {
  const wanted = view.filter.value.trim().toLocaleLowerCase()
  const order = [], active = view.order?.[view.active]
  view.names.forEach((name, place) => { if (name.includes(wanted) || view.texts?.[place].includes(wanted)) order.push(place) })
  const [by, falling] = view.sort
  const sorted = columnOf(view, by)
  if (sorted) sortBy(order, sorted, falling)
  else if (falling) order.reverse()
  view.order = order
  view.active = order.indexOf(active)
  view.count.textContent = !wanted ? view.data.count : order.length ? `${order.length} found` : `No query contains “${view.filter.value.trim()}”`
}

// As wide as its longest text in bold; the mark of the order, or the bar, stands beside it.
function breadth(view, column, place, rem) {
  const { fontFamily, fontSize } = getComputedStyle(view.head)
  const wide = text => metricsOf(text, `600 ${fontSize} ${fontFamily}`).width
  const longest = column.texts.reduce((longest, text) => text.length > longest.length ? text : longest, "")
  const cells = [longest, ...footOf(view, place)]
  return Math.max(wide(`${column.heading} ▾`), ...cells.map(text => wide(text) + (column.bars ? 2 * rem : 0))) + 0.75 * rem
}

const footOf = (view, place) => columnOf(view, place)?.foot ?? view.data.foot.map(({ cells }) => cells[place] ?? "")

function drawTable(view) {
  header(view)
  rows(view)
  stripKey(view)
}

function header(view) {
  const shown = shownColumns(view)
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const name = rem * (view.data.texts ? (view.root.clientWidth < 520 ? 9 : 13) : view.data.images ? 6.4 : 5.6)
  const widths = new Map(shown.filter(place => place !== STRIP).map(place => [place, breadth(view, columnOf(view, place), place, rem)]))
  const before = [...widths].filter(([place]) => shown.indexOf(place) < shown.indexOf(STRIP) || place === view.columns.length)
  const taken = before.reduce((sum, [, width]) => sum + width, name)
  if (view.gallery) widths.set(STRIP, stripBreadth(view, view.grid.clientWidth - taken))
  view.head.replaceChildren(heading(view, -1, "query", "The order of the judgments"), ...shown.map(place => {
    if (place === STRIP) return element("span", { role: "columnheader", class: "ranks" }, view.ranks ? `ranks 1–${view.ranks}` : "")
    const column = columnOf(view, place)
    return heading(view, place, column.heading, column.title)
  }))
  const columns = [`minmax(${name}px, ${view.data.texts ? 5 : 2}fr)`, ...shown.map(place => `minmax(${widths.get(place)}px, 1fr)`)]
  view.grid.style.setProperty("--columns", columns.join(" "))
  view.grid.style.setProperty("--least", `${shown.reduce((sum, place) => sum + widths.get(place), name)}px`)
  view.foot.replaceChildren(...view.data.foot.map(({ name, title }, line) => {
    const texts = shown.map(place => element("span", { role: "gridcell" }, place === STRIP ? "" : footOf(view, place)[line]))
    return element("div", { class: "row", role: "row", title }, element("span", { class: "name", role: "rowheader" }, name), ...texts)
  }))
}

function heading(view, place, text, title) {
  const [by, falling] = view.sort
  const isSorted = by === place
  const sort = () => {
    view.sort = [place, isSorted && !falling]
    if (view.gallery) view.grid.scrollLeft = 0
    arrange(view)
    drawTable(view)
    view.send("sort", view.sort)
  }
  const mark = isSorted ? (falling ? " ▾" : " ▴") : ""
  const about = isSorted ? { "aria-sort": falling ? "descending" : "ascending" } : {}
  return element("span", { role: "columnheader", ...about }, button(text + mark, sort, { title, class: isSorted ? "sorted" : "" }))
}

const described = (view, place) => [view.data.names[place], view.data.texts?.[place]].filter(Boolean).join(" · ")

function row(view, place) {
  const { shown, names, texts, images, colours } = view.data
  const nth = view.selected.indexOf(place)
  const title = nth >= 0 ? "Hide this curve" : "Show this curve beside the others"
  const [text, image] = [texts?.[place], images?.[place]]
  const name = element("span", { class: "name", role: "rowheader", title: described(view, place) })
  name.append(element("i", { class: "mark", title }))
  if (image) name.append(element("img", { src: image, alt: "" }))
  name.append((shown ?? names)[place])
  if (text) name.append(element("span", { class: "grey" }, ` ${text}`))
  const cells = shownColumns(view).map(where =>
    where === STRIP ? stripCell(view, place) : cell(columnOf(view, where), columnOf(view, where).index[place]))
  const about = { "data-place": place, "aria-selected": nth >= 0, style: nth >= 0 ? `--mark: ${colours[nth]}` : "" }
  return [about, name, ...cells]
}

function select(view, place, beside) {
  const others = view.selected.filter(other => other !== place)
  const known = others.length < view.selected.length
  // The last one that is selected stays.
  if (beside && known && !others.length) return
  const closes = !beside && view.open === place
  if (beside) view.selected = known ? others : [...others, place].slice(-MOST_SELECTED)
  else if (!closes) view.selected = [place]
  view.open = closes || (beside && view.open < 0) ? -1 : view.selected.at(-1)
  view.waiting = true
  draw(view)
  rows(view)
  view.send("selected", [view.selected, view.open >= 0])
}

// The picture of the curves.
const steppedPath = (points, x, y) =>
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
  parts.push(...(bandsOf(data).length ? bands(view) : faintLines(view)))
  view.hover = path("", data.ink.text, { class: "hover", "stroke-width": 1.6 })
  view.saws = element("svg:g", {})
  const previewed = view.previewed?.split(" ").map(Number) ?? [-1]
  view.previewed = ""
  const means = data.means.flatMap(mean => meanLine(view, mean))
  const selected = view.selected.flatMap((place, nth) => selectedLine(view, place, nth))
  // The points of a single query stand on its line.
  parts.push(...(data.means.some(mean => !mean.line) ? [...selected, ...means] : [...means, ...selected]), view.hover, view.saws)
  svg.replaceChildren(...parts)
  preview(view, ...previewed)
  view.title.textContent = roc ? "ROC of the ranking" : "Precision against recall"
  legend(view)
}

// Each by itself, so that it is darker where many lie over each other, on every screen and in the saved picture.
function faintLines(view) {
  const [lines, line] = background(view)
  const strength = clamp(12 / Math.max(lines.size, 1), 0.12, 0.5)
  const faint = { class: "faint", "stroke-opacity": strength }
  return [...lines.values()].map(points => path(line(points, view.x, view.y), view.data.ink.grey, faint))
}

const bandsOf = data => data.picture === "ROC" ? data.rocBands : data.bands

// Where the curves of the middle half, and of the middle four fifths of the queries run, and the median.
function bands({ data, x, y }) {
  const [lowest, low, median, high, highest] = bandsOf(data)
  const band = (bottom, top) => {
    const d = `${straight([...bottom, ...[...top].reverse()], x, y)}Z`
    return element("svg:path", { d, fill: data.ink.grey, "fill-opacity": BAND, class: "band" })
  }
  const middle = path(straight(median, x, y), data.ink.grey, { class: "median", "stroke-width": 1.4 })
  return [band(lowest, highest), band(low, high), middle]
}

// The curves of all queries, which show under the pointer, and how their points are joined.
const background = view => view.data.picture === "ROC" ? [view.rocs, straight] : [view.faint, steppedPath]

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
  const alone = data.line === "sawtooth" && curve
  if (curve && data.line !== "interpolated") {
    const style = alone ? bold : { class: "saw", "stroke-width": 1.1, "stroke-dasharray": "4 3" }
    parts.push(path(straight(curve.saw, x, y), colour, style))
  }
  if (!alone) parts.push(path(steppedPath(curve?.steps ?? view.lines.get(place) ?? [], x, y), colour, bold))
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

function legend(view) {
  const { data } = view
  const entry = (colour, text, kind = "", more = "") =>
    element("span", {}, element("i", { class: kind, style: `--key: ${colour}${more}` }), text)
  const entries = data.means.map(({ name, dashed, line }) =>
    entry(dashed ? data.ink.grey : data.ink.accent, name, line ? (dashed ? "dashed" : "") : "dots"))
  for (const [nth, place] of view.selected.entries()) {
    const area = data.selected.find(query => query.place === place)?.area
    entries.push(entry(data.colours[nth], [`query ${data.names[place]}`, area].filter(Boolean).join(" · ")))
  }
  if (bandsOf(data).length) {
    entries.push(entry(data.ink.grey, "median"))
    for (const [words, depth] of [["middle 50 %", 2], ["middle 80 %", 1]]) {
      entries.push(entry(data.ink.grey, words, "band", `; --depth: ${depth * BAND * 100}%`))
    }
  }
  // Their place is kept while nothing is pointed at: the table may stand below.
  const sawteeth = data.picture === "ROC" || view.lanes.length < 2 ? [] : view.lanes
  const pointed = sawteeth.map(lane => withAttributes(entry(colourOf(view, lane), `${lane.name}, pointed at`), { class: "pointed" }))
  view.legend.replaceChildren(...entries, ...pointed)
}

// The same keys for a picture that stands alone.
function legendLines(keys, plot) {
  const origin = plot.getBoundingClientRect()
  return keys.map(({ firstChild: key }) => {
    const box = key.getBoundingClientRect()
    const colour = key.style.getPropertyValue("--key")
    const dashes = key.className === "dashed" ? { "stroke-dasharray": "6 4" } : {}
    const d = `M${box.x - origin.x} ${box.y - origin.y + box.height / 2}h${box.width}`
    const opacity = parseFloat(key.style.getPropertyValue("--depth") || 100) / 100
    return path(d, colour, { "stroke-width": ["band", "dots"].includes(key.className) ? box.height : 2.5, "stroke-opacity": opacity, ...dashes })
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
  const along = length ? clamp(((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length, 0, 1) : 0
  return Math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
}
