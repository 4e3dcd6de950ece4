// The curves of queries beside the table of their measures: sorted, filtered and picked here, so that a click among
// thousands of rows lights its curve in the same frame. Points and words come from Python; only places on the screen
// are reckoned here. Names are set as text, never as markup.
//
// What weighs comes once for a system, a level and a k; what a click changes comes through the small component beside
// it, rankings_lit.js, which leaves it at the window. So a click sends a few kilobytes, however many queries there are.
const instances = new WeakMap()
const SVG = "http://www.w3.org/2000/svg"
const ROW = 28, MOST_PICKED = 6
const EDGE = { left: 50, right: 10, top: 10, bottom: 36 }

const element = (tag, className, text) => {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}
const drawn = (tag, attributes, text) => {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text !== undefined) made.textContent = text
  return made
}

function build(root) {
  const view = { root, top: 0, active: -1 }
  const left = element("div", "picture")
  view.heading = element("div", "bar")
  view.plot = element("div", "plot")
  view.svg = drawn("svg", { role: "img" })
  view.tip = element("div", "tip")
  view.plot.append(view.svg, view.tip)
  view.legend = element("div", "legend")
  left.append(view.heading, view.plot, view.legend)
  const right = element("div", "table")
  const bar = element("div", "bar")
  view.filter = element("input")
  view.filter.type = "search"
  view.filter.placeholder = "Find a query"
  view.filter.setAttribute("aria-label", "Find a query")
  view.count = element("span", "grey")
  bar.append(element("b", "", "Per query"), view.count, view.filter)
  view.scroller = element("div", "scroller")
  view.scroller.tabIndex = 0
  view.scroller.setAttribute("role", "grid")
  view.scroller.setAttribute("aria-multiselectable", "true")
  view.head = element("div", "row head")
  view.head.setAttribute("role", "row")
  view.room = element("div", "room")
  view.foot = element("div", "foot")
  view.scroller.append(view.head, view.room, view.foot)
  right.append(bar, view.scroller)
  root.replaceChildren(left, right)
  listen(view)
  view.met = () => meet(view)
  window.addEventListener("evalcore-rankings", view.met)
  view.resize = new ResizeObserver(() => {
    root.classList.toggle("narrow", root.clientWidth < 760)
    if (view.data) {
      draw(view)
      rows(view)
    }
  })
  view.resize.observe(root)
  return view
}

// ---- what Python sent ----

const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer

function load(view, still) {
  view.still = still
  meet(view)
}

// Both halves are needed, and of the same state of the page.
function meet(view) {
  const { still } = view
  const now = window.evalcoreRankings
  if (!still || now?.stamp !== still.stamp) return
  const data = { ...still, ...now }
  if (view.stamp !== data.stamp) {
    view.columns = data.columns.map(column => {
      const raw = bytes(column.index)
      const index = column.width === 1 ? new Uint8Array(raw) : column.width === 2 ? new Uint16Array(raw) : new Uint32Array(raw)
      return { ...column, index }
    })
    view.lines = new Map()
    const points = new Uint16Array(bytes(data.faint.points))
    let at = 0
    data.faint.places.forEach((place, line) => {
      const found = []
      for (let n = 0; n < data.faint.sizes[line]; n++, at += 2) found.push([points[at] / 65535, points[at + 1] / 65535])
      view.lines.set(place, found)
    })
    view.faint = new Map(data.faint.drawn.map(place => [place, view.lines.get(place)]))
    view.names = data.names.map(name => name.toLocaleLowerCase())
  }
  view.rocs = new Map(data.rocs.map(({ place, points }) => [place, points]))
  const fresh = view.stamp === undefined
  view.stamp = data.stamp
  view.data = data
  // What was clicked since Python last looked is newer than what it says.
  if (fresh || !view.waiting || data.picked.map(query => query.place).join() === view.places.join()) {
    view.places = data.picked.map(query => query.place)
    view.waiting = false
  }
  if (view.sortSaid !== data.sort.join()) view.sort = [...data.sort]
  view.sortSaid = data.sort.join()
  if (fresh) view.filter.value = data.filter
  arrange(view)
  header(view)
  draw(view)
  rows(view)
  if (fresh && view.places.length) reveal(view, view.order.indexOf(view.places.at(-1)))
}

// ---- the table ----

function arrange(view) {
  const wanted = view.filter.value.trim().toLocaleLowerCase()
  const order = []
  view.names.forEach((name, place) => { if (name.includes(wanted)) order.push(place) })
  const [by, falling] = view.sort
  const index = view.columns[by]?.index
  if (index) {
    const last = view.columns[by].texts.length - 1
    const undefinedAt = view.columns[by].undefined ? last : -1
    // What is undefined comes last, whichever way.
    const key = place => index[place] === undefinedAt ? Infinity : falling ? -index[place] : index[place]
    order.sort((a, b) => key(a) - key(b) || a - b)
  } else if (falling) order.reverse()
  view.order = order
  const { queries } = view.data.words
  view.count.textContent = wanted ? `${order.length} found` : queries
  view.room.style.height = `${order.length * ROW}px`
  view.scroller.setAttribute("aria-rowcount", order.length)
}

const breadth = column => column.bars ? 5.9 : Math.max(3, [...column.heading].reduce((sum, c) => sum + (c >= "A" && c <= "Z" ? 0.6 : 0.46), 1.15))
const template = view => `minmax(5.6rem, 2fr) ${view.columns.map(c => `minmax(${breadth(c)}rem, 1fr)`).join(" ")}`

function header(view) {
  const cells = [heading(view, -1, "query", "The order of the judgments")]
  view.columns.forEach((column, place) => cells.push(heading(view, place, column.heading, column.title)))
  view.head.replaceChildren(...cells)
  const widths = template(view)
  view.scroller.style.setProperty("--columns", widths)
  view.scroller.style.setProperty("--least", `${view.columns.reduce((sum, column) => sum + breadth(column), 5.6)}rem`)
  view.foot.replaceChildren(...view.data.foot.map(({ name, title, cells }) => {
    const line = element("div", "row")
    line.title = title
    line.append(element("span", "name", name), ...cells.map(text => element("span", "", text)))
    return line
  }))
}

function heading(view, place, text, title) {
  const button = element("button", view.sort[0] === place ? "sorted" : "", text)
  button.type = "button"
  button.title = title
  button.setAttribute("role", "columnheader")
  if (view.sort[0] === place) {
    button.append(view.sort[1] ? " ▾" : " ▴")
    button.setAttribute("aria-sort", view.sort[1] ? "descending" : "ascending")
  }
  button.addEventListener("click", () => {
    view.sort = view.sort[0] === place ? [place, !view.sort[1]] : [place, false]
    arrange(view)
    header(view)
    rows(view)
    view.say("sort", view.sort)
  })
  return button
}

function rows(view) {
  const first = Math.max(0, Math.floor(view.scroller.scrollTop / ROW) - 4)
  const seen = Math.ceil(view.scroller.clientHeight / ROW) + 8
  const made = view.order.slice(first, first + seen).map((place, n) => row(view, place, first + n))
  view.room.replaceChildren(...made)
}

function row(view, place, at) {
  const line = element("div", "row")
  line.style.top = `${at * ROW}px`
  line.dataset.place = place
  line.setAttribute("role", "row")
  line.setAttribute("aria-rowindex", at + 1)
  const nth = view.places.indexOf(place)
  line.setAttribute("aria-selected", nth >= 0)
  if (nth >= 0) line.style.setProperty("--mark", view.data.colours[nth])
  if (at === view.active) line.classList.add("active")
  const name = element("span", "name")
  const mark = element("i", "mark")
  mark.title = nth >= 0 ? "Put this curve out" : "Light this curve beside the others"
  name.append(mark, (view.data.shown ?? view.data.names)[place])
  name.title = view.data.names[place]
  line.append(name)
  for (const column of view.columns) {
    const which = column.index[place]
    const cell = element("span", column.undefined && which === column.texts.length - 1 ? "grey" : "")
    if (column.bars) {
      const track = element("i", "track")
      const bar = element("i")
      bar.style.width = `${column.bars[which]}%`
      track.append(bar)
      cell.append(track)
    }
    cell.append(column.texts[which])
    line.append(cell)
  }
  return line
}

function pick(view, place, beside) {
  const others = view.places.filter(other => other !== place)
  const known = others.length < view.places.length
  if (beside) view.places = known ? others : [...others, place].slice(-MOST_PICKED)
  else view.places = [place]
  if (!view.places.length) return (view.places = [place])
  view.waiting = true
  draw(view)
  rows(view)
  view.say("picked", view.places)
}

function reveal(view, at) {
  if (at < 0) return
  const top = at * ROW, height = view.scroller.clientHeight - view.head.offsetHeight - view.foot.offsetHeight
  if (top < view.scroller.scrollTop) view.scroller.scrollTop = top
  else if (top + ROW > view.scroller.scrollTop + height) view.scroller.scrollTop = top + ROW - height
  rows(view)
}

// ---- what people do ----

function listen(view) {
  view.save = element("button", "tool", "Picture")
  view.save.type = "button"
  view.save.title = "Save the curves as SVG"
  view.save.addEventListener("click", () => save(view))
  view.scroller.addEventListener("scroll", () => rows(view))
  view.room.addEventListener("click", event => {
    const line = event.target.closest(".row")
    if (!line) return
    view.active = view.order.indexOf(+line.dataset.place)
    pick(view, +line.dataset.place, event.target.closest(".mark") || event.ctrlKey || event.metaKey || event.shiftKey)
  })
  view.filter.addEventListener("input", () => {
    view.scroller.scrollTop = 0
    view.active = -1
    arrange(view)
    rows(view)
    clearTimeout(view.typing)
    view.typing = setTimeout(() => view.say("filter", view.filter.value), 500)
  })
  view.scroller.addEventListener("keydown", event => {
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }
    if (event.target !== view.scroller) return
    if (event.key in moves) {
      view.active = Math.max(0, Math.min(view.order.length - 1, view.active + moves[event.key]))
      reveal(view, view.active)
    } else if ((event.key === "Enter" || event.key === " ") && view.order[view.active] !== undefined) {
      pick(view, view.order[view.active], event.key === " ")
    } else return
    event.preventDefault()
  })
  view.svg.addEventListener("pointermove", event => {
    if (!view.data) return
    const [place, px, py] = under(view, event)
    const points = (view.data.picture === "ROC" ? view.rocs : view.faint).get(place)
    view.hover.setAttribute("d", points ? (view.data.picture === "ROC" ? straight : stepped)(points, view.x, view.y) : "")
    view.tip.textContent = points ? view.data.names[place] : ""
    view.tip.style.display = points ? "block" : "none"
    view.tip.style.left = `${Math.min(px + 12, view.plot.clientWidth - 120)}px`
    view.tip.style.top = `${py + 14}px`
    view.svg.style.cursor = points ? "pointer" : ""
  })
  view.svg.addEventListener("pointerleave", () => {
    view.hover?.setAttribute("d", "")
    view.tip.style.display = "none"
  })
  view.svg.addEventListener("click", event => {
    const [place] = under(view, event)
    if (place < 0) return
    pick(view, place, event.ctrlKey || event.metaKey || event.shiftKey)
    reveal(view, view.order.indexOf(place))
  })
}

function save(view) {
  const copy = view.svg.cloneNode(true)
  copy.setAttribute("xmlns", SVG)
  copy.setAttribute("font-family", "sans-serif")
  copy.prepend(drawn("rect", { width: "100%", height: "100%", fill: view.data.ink.paper }))
  const link = element("a")
  link.href = URL.createObjectURL(new Blob([copy.outerHTML], { type: "image/svg+xml" }))
  link.download = view.data.picture === "ROC" ? "ranking roc.svg" : "precision-recall.svg"
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".rankings")
  const view = instances.get(parentElement) ?? build(root)
  instances.set(parentElement, view)
  view.say = (name, value) => window.evalcoreRankingsSay?.(name, value)
  load(view, data)
  return () => {
    clearTimeout(view.typing)
    view.resize.disconnect()
    window.removeEventListener("evalcore-rankings", view.met)
    instances.delete(parentElement)
  }
}
