// What tables of many rows share: columns as Python packs them, their order, keys, and elements for the rows in sight only.
// A view has the elements `table`, `grid`, `head`, `room` and `foot`, the `pitch` of its rows in pixels, their places in
// `order`, the `active` one, what is `shown`, and functions: `row` returns the attributes and the cells of a place,
// `choose` hears of a click or a key on the active row, `walked` of the keys that lead there.
const INDEX = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }
const MOVES = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }
const AROUND = 6 // rows beyond those in sight

const unpacked = column => ({ ...column, index: new INDEX[column.width](bytesOf(column.index).buffer) })

// Places by the texts of a column, which ascend; what is undefined comes last, whichever way.
function sortBy(places, { index, texts, undefined: holes }, falling) {
  const last = holes ? texts.length - 1 : -1
  const key = place => index[place] === last ? Infinity : falling ? -index[place] : index[place]
  places.sort((a, b) => key(a) - key(b) || a - b)
}

function listenToGrid(view) {
  view.grid.addEventListener("scroll", () => rows(view, false))
  view.grid.addEventListener("keydown", event => {
    if (event.target !== view.grid) return
    if (event.key in MOVES) {
      activate(view, Math.max(0, Math.min(view.order.length - 1, view.active + MOVES[event.key])))
      reveal(view, view.active)
      view.walked?.()
    } else if (view.choose && (event.key === "Enter" || event.key === " ") && view.active in view.order) view.choose(event)
    else return
    event.preventDefault()
  })
  view.room.addEventListener("click", event => {
    const line = event.target.closest(".row")
    if (!line || event.target.closest("a")) return
    activate(view, +line.dataset.at)
    view.choose?.(event)
  })
}

// The rows in sight. While they are scrolled, those that stay are kept: only a few are made in a frame.
function rows(view, fresh = true) {
  const { grid, room, shown, order, pitch } = view
  if (fresh) {
    shown.clear()
    room.replaceChildren()
    room.style.height = `calc(${order.length} * var(--row))`
    grid.setAttribute("aria-rowcount", order.length + 1)
  }
  const { scrollTop, scrollLeft, clientHeight, clientWidth, scrollWidth } = grid
  const first = Math.max(0, Math.floor(scrollTop / pitch) - AROUND)
  const end = Math.min(order.length, Math.ceil((scrollTop + clientHeight) / pitch) + AROUND)
  for (const [at, line] of shown) if (at < first || at >= end) { line.remove(); shown.delete(at) }
  let after = null
  for (let at = end - 1; at >= first; at--) {
    if (!shown.has(at)) shown.set(at, room.insertBefore(lineAt(view, at), after))
    after = shown.get(at)
  }
  view.table.classList.toggle("more", scrollLeft + clientWidth < (fresh ? grid.scrollWidth : scrollWidth) - 2)
}

function lineAt(view, at) {
  const [about, ...cells] = view.row(view.order[at])
  const line = element("div", { class: "row", role: "row", "data-at": at, "aria-rowindex": at + 2, ...about }, ...cells)
  line.style.top = `calc(${at} * var(--row))`
  return mark(view, line, at)
}

function mark(view, line, at) {
  line.classList.toggle("active", at === view.active)
  return withAttributes(line, { id: at === view.active ? "active" : `row-${at}` })
}

function activate(view, at) {
  view.active = at
  for (const [other, line] of view.shown) mark(view, line, other)
  view.grid.setAttribute("aria-activedescendant", "active")
}

function reveal(view, at) {
  if (at < 0) return
  const { grid, head, foot, pitch } = view
  const height = grid.clientHeight - head.offsetHeight - foot.offsetHeight
  grid.scrollTop = clamp(grid.scrollTop, (at + 1) * pitch - height, at * pitch)
  rows(view, false)
}

// One of the texts of a column, perhaps behind a bar, or a picture.
function cell(column, which, role = "gridcell") {
  const { texts, kind, keys, whole, best, bars, undefined: holes } = column
  const text = texts[which], grey = holes && which === texts.length - 1
  const looks = [column.right && "right", grey && "grey", which === best && "best"].filter(Boolean).join(" ")
  const node = element("span", { role, class: looks })
  if (kind === "image") {
    if (text?.startsWith("data:image/")) node.append(element("img", { src: text, alt: "" }))
  } else if (kind === "bars") {
    const most = Math.max(...text)
    node.append(element("i", { class: "bars" }, ...text.map(height => element("i", { style: `height: ${(100 * height) / most}%` }))))
  } else {
    if (bars) node.append(element("i", { class: "track" }, element("i", { style: `width: ${bars[which]}%` })))
    node.append(keys?.[which] ? entryLink(keys[which], "a", text) : text)
    if (column.cut || whole) node.title = whole?.[which] ?? text
  }
  return node
}
