// A table whose texts Python has written: sorted, scrolled and picked here, and only the rows in sight are elements.
// Texts are set as texts, never as markup. element.js and grid.js are parts of this script.
const ROW = 2.25, TALL = 4.5, WIDEST = 18 // rem
const pen = document.createElement("canvas").getContext("2d")

function build(root) {
  const view = { root, table: root, active: -1, shown: new Map(), sort: null, row: place => row(view, place) }
  view.head = element("div", { class: "head row", role: "row" })
  view.room = element("div", { class: "room" })
  view.foot = element("div", { class: "foot" })
  view.grid = element("div", { class: "grid", role: "grid", tabindex: 0 }, view.head, view.room, view.foot)
  root.replaceChildren(view.grid)
  listenToGrid(view)
  new ResizeObserver(() => view.columns && measure(view)).observe(root)
  document.fonts.ready.then(() => view.columns && measure(view))
  return view
}

// ---- what Python sent ----

const unpack = column => {
  const texts = column.kind === "image" || column.kind === "bars" ? [] : [...column.texts]
  return { ...unpacked(column), longest: texts.sort((a, b) => b.length - a.length).slice(0, 40) }
}

function receive(view, data) {
  const names = data.columns.map(column => column.heading).join("\n")
  const known = names === view.names && data.rows === view.data.rows
  if (!known) Object.assign(view, { names, sort: null, active: -1, chosen: null, all: false })
  view.data = data
  view.root.style.setProperty("--row", `${data.tall ? TALL : ROW}rem`)
  view.root.classList.toggle("tall", Boolean(data.tall))
  if (data.sorted) view.sort = data.sorted
  const moved = data.chosen !== null && data.chosen !== view.chosen
  view.chosen = data.chosen ?? view.chosen
  view.every = data.columns.map(unpack)
  view.grid.setAttribute("aria-label", data.label)
  arrange(view)
  const at = view.order.indexOf(view.chosen)
  if (moved && at >= 0 && view.active >= 0) view.active = at
  measure(view)
  if (!known) view.grid.scrollTop = view.grid.scrollLeft = 0
  if (moved) reveal(view, at)
}

function arrange(view) {
  view.columns = view.every.filter(column => view.all || !column.folded)
  view.order = Array.from({ length: view.data.rows }, (_, place) => place)
  // Of many rows the first are here, in the order of all.
  if (!view.sort || view.data.sorts) return
  sortBy(view.order, view.every[view.sort.at], view.sort.falling)
}

// ---- what is seen ----

// As wide as its longest text; where there is no room for all, long texts end in dots.
function measure(view) {
  const { grid, root, columns, data } = view, { fontFamily } = getComputedStyle(grid)
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize)
  view.pitch = (data.tall ? TALL : ROW) * scale
  const least = Math.min(WIDEST, ((root.parentElement ?? root.getRootNode().host).clientWidth / scale) * 0.45)
  const wide = (text, weight = 400) => {
    pen.font = `${weight} ${0.93 * scale}px ${fontFamily}`
    return pen.measureText(text).width / scale
  }
  const widths = columns.map((column, place) => {
    const bold = column.best === undefined ? column.foot : [column.texts[column.best]]
    const texts = Math.max(0, ...bold.map(text => wide(text, 650)), ...column.longest.map(text => wide(text)))
    const cells = texts + ({ image: 3.4, bars: 7.5, bar: 2 }[column.kind] ?? 0)
    return Math.max(cells, wide(column.heading) + (column.measure ? 1.8 : 0.9)) + (place ? 1.3 : 0.6)
  })
  columns.forEach((column, place) => (column.cut = widths[place] > least))
  const folded = view.every.some(column => column.folded) ? 3.2 : 0
  const tracks = widths.map(width => `minmax(${Math.min(width, least)}rem, ${width}rem)`).join(" ")
  root.style.setProperty("--columns", `${tracks} ${folded}rem`)
  root.style.setProperty("--least", `${widths.reduce((sum, width) => sum + Math.min(width, least), folded)}rem`)
  const height = data.height && `${data.height / 16}rem`
  root.style.setProperty("--whole", `${widths.reduce((sum, width) => sum + width, folded) + (height ? 1 : 0.1)}rem`)
  grid.style.maxHeight = height ?? ""
  show(view)
}

function show(view) {
  header(view)
  rows(view)
}

function header(view) {
  const focus = view.root.getRootNode().activeElement?.dataset.column
  view.head.replaceChildren(...view.columns.map(column => heading(view, column)))
  const folded = view.every.filter(column => column.folded).length
  if (folded) {
    const more = element("button", { type: "button", "data-column": "more", title: view.all ? "Fewer columns" : `${folded} more columns` }, view.all ? "less" : `+${folded}`)
    more.addEventListener("click", () => { view.all = !view.all; arrange(view); measure(view) })
    view.head.append(element("span", { role: "columnheader" }, more))
  }
  view.head.querySelector(`[data-column="${focus}"]`)?.focus({ preventScroll: true })
  const line = (_, at) => element("div", { class: "row", role: "row" }, ...view.columns.map(column => {
    return element("span", { role: "gridcell", class: column.right ? "right" : "" }, column.foot[at] ?? "")
  }))
  view.foot.replaceChildren(...Array.from({ length: Math.max(...view.columns.map(column => column.foot.length)) }, line))
}

function heading(view, column) {
  const at = view.every.indexOf(column), sorted = view.sort?.at === at && (view.sort.falling ? "descending" : "ascending")
  const cell = element("span", { role: "columnheader", class: column.right ? "right" : "", title: column.help || (column.cut ? column.heading : "") })
  if (!column.heading) return cell
  if (sorted) cell.setAttribute("aria-sort", sorted)
  const arrow = { ascending: "▲", descending: "▼" }[sorted] ?? ""
  const text = element("span", { class: "words" }, column.heading), button = element("button", { type: "button", "data-column": at }, text, element("i", { "aria-hidden": true }, arrow))
  // By this column upwards, downwards, and as the rows came.
  button.addEventListener("click", () => {
    view.sort = sorted === "descending" ? null : { at, falling: sorted === "ascending" }
    view.active = -1
    if (view.data.sorts) return view.askOrder(view.sort)
    arrange(view)
    show(view)
  })
  cell.append(column.kind === "image" || column.kind === "bars" ? text : button)
  if (column.measure) cell.append(element("sup", {}, withAttributes(entryLink(column.measure, "a", "?"), { "aria-label": `Definition: ${column.heading}` })))
  return cell
}

function row(view, place) {
  const about = view.data.picks ? { "aria-selected": place === view.chosen } : {}
  const cells = view.columns.map((column, nth) => cell(column, column.index[place], nth ? "gridcell" : "rowheader"))
  return [about, ...cells]
}

function choose(view) {
  view.chosen = view.order[view.active]
  for (const [at, line] of view.shown) line.setAttribute("aria-selected", view.order[at] === view.chosen)
  view.pick(view.chosen)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, ".table", build)
  view.pick = row => setTriggerValue("pick", { row })
  view.choose = data.picks ? () => choose(view) : null
  view.askOrder = order => setTriggerValue("order", order ?? {})
  receive(view, data)
}
