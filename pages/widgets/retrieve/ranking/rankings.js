// The curves of queries beside the table of their measures: sorted, filtered and selected here, so that a click among
// thousands of rows highlights its curve in the same frame. Points and words come from Python; only places on the screen
// are computed here. Names are set as text, never as markup. query_table.js and ranking_curves.js are parts of this script.
//
// The heavy part comes once per system, level and k; what a click changes comes through the small component beside it,
// ranking_selection.js, which leaves it at the window. So a click sends a few kilobytes, however many queries there are.
const instances = new WeakMap()
const ROW = 28, MOST_SELECTED = 6
const EDGE = { left: 50, right: 10, top: 10, bottom: 36 }

const PARTS = ["title", "plot", "tip", "legend", "count", "filter", "scroller", "head", "room", "foot"]

function build(root) {
  const view = { root, active: -1, svg: root.querySelector("svg") }
  for (const part of PARTS) view[part] = root.querySelector(`.${part}`)
  root.querySelector(".bar").append(makeCamera(() => save(view)))
  listen(view)
  view.receive = () => receive(view)
  window.addEventListener("evalcore-rankings", view.receive)
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
const INDEX = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }

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
    view.selected = selected
    view.waiting = false
  }
  if (view.sentSort !== data.sort.join()) view.sort = [...data.sort]
  view.sentSort = data.sort.join()
  if (first) view.filter.value = data.filter
  arrange(view)
  header(view)
  draw(view)
  rows(view)
  if (first && view.selected.length) reveal(view, view.order.indexOf(view.selected.at(-1)))
}

function unpack(view, data) {
  view.columns = data.columns.map(column => ({ ...column, index: new INDEX[column.width](bytes(column.index)) }))
  view.lines = new Map()
  const coordinates = new Uint16Array(bytes(data.faint.points))
  let at = 0
  data.faint.places.forEach((place, line) => {
    const points = []
    for (let n = 0; n < data.faint.sizes[line]; n++, at += 2) points.push([coordinates[at] / 65535, coordinates[at + 1] / 65535])
    view.lines.set(place, points)
  })
  view.faint = new Map(data.faint.drawn.map(place => [place, view.lines.get(place)]))
  view.names = data.names.map(name => name.toLocaleLowerCase())
  view.texts = data.texts?.map(text => text.toLocaleLowerCase())
}

// ---- what people do ----

function listen(view) {
  view.scroller.addEventListener("scroll", () => rows(view))
  view.room.addEventListener("click", event => {
    const line = event.target.closest(".row")
    if (!line) return
    view.active = view.order.indexOf(+line.dataset.place)
    select(view, +line.dataset.place, event.target.closest(".mark") || event.ctrlKey || event.metaKey || event.shiftKey)
  })
  view.filter.addEventListener("input", () => {
    view.scroller.scrollTop = 0
    view.active = -1
    arrange(view)
    rows(view)
    clearTimeout(view.typing)
    view.typing = setTimeout(() => view.send("filter", view.filter.value), 500)
  })
  view.scroller.addEventListener("keydown", event => {
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }
    if (event.target !== view.scroller) return
    if (event.key in moves) {
      view.active = Math.max(0, Math.min(view.order.length - 1, view.active + moves[event.key]))
      reveal(view, view.active)
    } else if ((event.key === "Enter" || event.key === " ") && view.order[view.active] !== undefined) {
      select(view, view.order[view.active], event.key === " ")
    } else return
    event.preventDefault()
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
    view.hover?.setAttribute("d", "")
    view.tip.style.display = "none"
  })
  view.svg.addEventListener("click", event => {
    const [place] = under(view, event)
    if (place < 0) return
    select(view, place, event.ctrlKey || event.metaKey || event.shiftKey)
    reveal(view, view.order.indexOf(place))
  })
}

function save(view) {
  const { svg, legend, plot } = view
  const copy = svg.cloneNode(true)
  keepWidths(svg, copy)
  const [width, height] = [plot.clientWidth, legend.getBoundingClientRect().bottom - plot.getBoundingClientRect().top]
  const picture = emptyPicture(width, height, view.data.ink, view.title.textContent)
  picture.append(...copy.childNodes, ...legendLines(view), ...wordsOf(legend, plot))
  savePicture(picture, view.data.picture === "ROC" ? "ranking roc" : "precision-recall")
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".rankings")
  const view = instances.get(parentElement) ?? build(root)
  instances.set(parentElement, view)
  view.send = (name, value) => window.evalcoreRankingsSend?.(name, value)
  view.fixed = data
  receive(view)
  return () => {
    clearTimeout(view.typing)
    view.resize.disconnect()
    window.removeEventListener("evalcore-rankings", view.receive)
    instances.delete(parentElement)
  }
}
