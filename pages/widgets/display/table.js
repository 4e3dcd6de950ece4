// A table whose texts Python has written: sorted, scrolled and picked here, and only the rows in sight are elements.
// Texts are set as texts, never as markup. element.js and entry_link.js are parts of this script.
const INDEX = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }
const ROW = 2.25, TALL = 4.5, WIDEST = 18, AROUND = 6 // rem, rem, rem, rows beyond those in sight
const pen = document.createElement("canvas").getContext("2d")

function build(root) {
  const view = { root, active: -1, shown: new Map(), sort: null, scale: 16, row: ROW }
  view.head = element("div", { class: "head row", role: "row" })
  view.room = element("div", { class: "room" })
  view.foot = element("div", { class: "foot" })
  view.grid = element("div", { class: "grid", role: "grid", tabindex: 0 }, view.head, view.room, view.foot)
  root.replaceChildren(view.grid)
  view.grid.addEventListener("scroll", () => rows(view))
  view.grid.addEventListener("keydown", event => press(view, event))
  view.room.addEventListener("click", event => {
    const line = event.target.closest(".row")
    if (!line || event.target.closest("a")) return
    activate(view, +line.dataset.at)
    choose(view)
  })
  new ResizeObserver(() => view.columns && measure(view)).observe(root)
  document.fonts.ready.then(() => view.columns && measure(view))
  return view
}

// ---- what Python sent ----

const unpack = column => {
  const bytes = Uint8Array.from(atob(column.index), letter => letter.charCodeAt(0)).buffer
  const texts = column.kind === "image" || column.kind === "bars" ? [] : [...column.texts]
  const longest = texts.sort((a, b) => b.length - a.length).slice(0, 40)
  return { ...column, longest, index: new INDEX[column.width](bytes) }
}

function receive(view, data) {
  const names = data.columns.map(column => column.heading).join("\n")
  const known = names === view.names && data.rows === view.data.rows
  if (!known) Object.assign(view, { names, sort: null, active: -1, chosen: null, all: false })
  view.data = data
  view.row = data.tall ? TALL : ROW
  view.root.style.setProperty("--row", `${view.row}rem`)
  view.root.classList.toggle("tall", Boolean(data.tall))
  if (data.sorted) view.sort = data.sorted
  view.chosen = data.chosen ?? view.chosen
  view.every = data.columns.map(unpack)
  view.grid.setAttribute("aria-label", data.label)
  view.grid.setAttribute("aria-rowcount", data.rows + 1)
  arrange(view)
  measure(view)
  if (!known) view.grid.scrollTop = view.grid.scrollLeft = 0
  if (!known && data.chosen !== null) reveal(view, view.order.indexOf(data.chosen))
}

function arrange(view) {
  view.columns = view.every.filter(column => view.all || !column.folded)
  view.order = Array.from({ length: view.data.rows }, (_, place) => place)
  // Of many rows the first are here, in the order of all.
  if (!view.sort || view.data.sorts) return
  const { index, texts, undefined: holes } = view.every[view.sort.at], last = holes ? texts.length - 1 : -1
  // What is undefined comes last, whichever way.
  const key = place => (index[place] === last ? Infinity : view.sort.falling ? -index[place] : index[place])
  view.order.sort((a, b) => key(a) - key(b) || a - b)
}

// ---- what is seen ----

// As wide as its longest text; where there is no room for all, long texts end in dots.
function measure(view) {
  const { grid, root, columns, data } = view, { fontFamily } = getComputedStyle(grid)
  view.scale = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const least = Math.min(WIDEST, ((root.parentElement ?? root.getRootNode().host).clientWidth / view.scale) * 0.45)
  const wide = (text, weight = 400) => {
    pen.font = `${weight} ${0.93 * view.scale}px ${fontFamily}`
    return pen.measureText(text).width / view.scale
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
  view.room.style.height = `${data.rows * view.row}rem`
  show(view)
}

function show(view) {
  header(view)
  view.shown.clear()
  view.room.replaceChildren()
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

function rows(view) {
  const { grid, room, shown, root } = view, step = view.row * view.scale
  const first = Math.max(0, Math.floor(grid.scrollTop / step) - AROUND)
  const end = Math.min(view.order.length, Math.ceil((grid.scrollTop + grid.clientHeight) / step) + AROUND)
  for (const [at, line] of shown) if (at < first || at >= end) { line.remove(); shown.delete(at) }
  let after = null
  for (let at = end - 1; at >= first; at--) {
    if (!shown.has(at)) shown.set(at, room.insertBefore(row(view, at), after))
    after = shown.get(at)
  }
  root.classList.toggle("more", grid.scrollLeft + grid.clientWidth < grid.scrollWidth - 2)
}

function row(view, at) {
  const place = view.order[at]
  const line = element("div", { class: "row", role: "row", "data-at": at, "aria-rowindex": at + 2, style: `top: ${at * view.row}rem` })
  line.append(...view.columns.map((column, nth) => cell(column, column.index[place], nth)))
  mark(view, line, at)
  return line
}

function cell(column, which, nth) {
  const text = column.texts[which], key = column.keys?.[which]
  const grey = column.undefined && which === column.texts.length - 1
  const looks = [column.right && "right", grey && "grey", which === column.best && "best"].filter(Boolean).join(" ")
  const node = element("span", { role: nth ? "gridcell" : "rowheader", class: looks })
  if (column.kind === "image") {
    if (text?.startsWith("data:image/")) node.append(element("img", { src: text, alt: "" }))
  } else if (column.kind === "bars") {
    const most = Math.max(...text)
    node.append(element("i", { class: "bars" }, ...text.map(height => element("i", { style: `height: ${(100 * height) / most}%` }))))
  } else {
    if (column.kind === "bar") node.append(element("i", { class: "track" }, element("i", { style: `width: ${column.bars[which]}%` })))
    node.append(key ? entryLink(key, "a", text) : text)
    if (column.cut || column.whole) node.title = column.whole?.[which] ?? text
  }
  return node
}

// ---- what people do ----

function mark(view, line, at) {
  line.classList.toggle("active", at === view.active)
  line.toggleAttribute("id", false)
  if (at === view.active) line.id = "active"
  if (view.data.picks) line.setAttribute("aria-selected", view.order[at] === view.chosen)
}

function activate(view, at) {
  view.active = at
  for (const [other, line] of view.shown) mark(view, line, other)
  view.grid.setAttribute("aria-activedescendant", "active")
}

function choose(view) {
  if (!view.data.picks || view.order[view.active] === undefined) return
  view.chosen = view.order[view.active]
  activate(view, view.active)
  view.pick(view.chosen)
}

function press(view, event) {
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }
  if (event.target !== view.grid) return
  if (event.key in moves) {
    activate(view, Math.max(0, Math.min(view.order.length - 1, view.active + moves[event.key])))
    reveal(view, view.active)
  } else if (view.data.picks && (event.key === "Enter" || event.key === " ")) choose(view)
  else return
  event.preventDefault()
}

function reveal(view, at) {
  const { grid, head, foot } = view, step = view.row * view.scale, room = grid.clientHeight - head.offsetHeight - foot.offsetHeight
  if (at * step < grid.scrollTop) grid.scrollTop = at * step
  else if ((at + 1) * step > grid.scrollTop + room) grid.scrollTop = (at + 1) * step - room
  rows(view)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, ".table", build)
  view.pick = row => setTriggerValue("pick", { row })
  view.askOrder = order => setTriggerValue("order", order ?? {})
  receive(view, data)
}
