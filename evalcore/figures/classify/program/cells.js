// The square table of several classes: cells to look at, to walk with the arrow keys and to pick, of two classes as of
// 500. Shades, inks and words come from Python; only places on the screen are reckoned here. Names are drawn on a canvas
// or set as text, never as markup.
const FONT = 12

function build(root) {
  const view = { root, zoom: null, active: null, hover: null }
  const tool = (words, title, act) => button(words, act, { title, "aria-label": title })
  view.axes = element("div")
  view.tools = element("div", { class: "tools" },
    tool("−", "Smaller cells", () => zoom(view, 1 / 1.5)),
    tool("+", "Larger cells", () => zoom(view, 1.5)),
    tool("Whole", "The whole table at once, or cells that can be read", () => whole(view)),
    makeCamera(() => save(view)),
  )
  view.canvas = element("canvas")
  view.room = element("div", { class: "room" }, view.canvas)
  view.cell = element("div", { id: "active-cell", role: "gridcell" })
  const grid = { class: "scroller", tabindex: 0, role: "grid", "aria-activedescendant": view.cell.id }
  view.scroller = element("div", grid, view.room, element("div", { class: "hidden", role: "row" }, view.cell))
  view.tip = element("div", { class: "tip" })
  view.live = element("div", { class: "hidden", "aria-live": "polite" })
  view.scale = element("div", { class: "scale" })
  const bar = element("div", { class: "bar" }, view.axes, view.tools)
  root.replaceChildren(bar, element("div", { class: "body" }, view.scroller, view.tip), view.scale, view.live)
  listen(view)
  new ResizeObserver(() => layout(view)).observe(root)
  return view
}

// ---- what Python sent ----

function load(view, data) {
  const { k } = data
  if (view.data?.k !== k) view.zoom = null
  if (view.data?.k !== k || JSON.stringify(view.data.names) !== JSON.stringify(data.names)) view.active = null
  view.data = data
  view.shade = bytesOf(data.shade)
  view.layers = data.layers.map(({ words, texts, index, bytes }) => {
    const places = new (bytes === 2 ? Uint16Array : Uint32Array)(bytesOf(index).buffer)
    return { words, at: place => texts[places[place]] }
  })
  view.marks = new Set(data.marks)
  view.ink = colours(view)
  view.mosaic = mosaic(view)
  withAttributes(view.scroller, { "aria-label": data.alt, "aria-rowcount": k, "aria-colcount": k })
  view.axes.replaceChildren("rows: ", element("b", {}, data.axes[0]), " · columns: ", element("b", {}, data.axes[1]))
  view.scale.replaceChildren(...data.scale.map(end => {
    const ramp = element("i", { style: `background: linear-gradient(90deg, ${shadesOf(view, end).join(", ")})` })
    const low = element("span", {}, `${end.words ?? ""} ${end.low}`.trim())
    return element("div", {}, low, ramp, element("span", {}, end.high))
  }))
  if (data.note) view.scale.append(element("span", {}, data.note))
  layout(view)
  if (data.picked && view.shown !== data.picked.join()) {
    view.active = data.picked
    reveal(view)
  }
  view.shown = data.picked?.join()
}

// A few shades of a ramp, from its low end to its high end.
function shadesOf(view, end) {
  const palette = view.data.palettes[end.palette]
  return [0, 0.25, 0.5, 0.75, 1].map(at => palette[Math.round(at * (palette.length - 1))][0])
}

function colours(view) {
  const names = { text: "text", paper: "background", blank: "secondary-background", line: "border", accent: "link" }
  const valueOf = variablesAt(view.root)
  return { ...each(names, name => valueOf(`--st-${name}-color`)), font: valueOf("font-family") }
}

// ---- looking, walking, picking ----

function at(view, event) {
  const box = view.canvas.getBoundingClientRect()
  const [x, y] = [event.clientX - box.x, event.clientY - box.y]
  const index = (point, start, scrolled) => {
    const place = Math.floor((point - start + scrolled) / view.size)
    return point >= start && place >= 0 && place < view.data.k ? place : null
  }
  const row = index(y, view.top, view.scroller.scrollTop)
  const column = index(x, view.left, view.scroller.scrollLeft)
  const known = (row !== null && (column !== null || x < view.left)) || (column !== null && y < view.top)
  return known ? [row, column] : null
}

function listen(view) {
  const { scroller, canvas } = view
  canvas.addEventListener("pointermove", event => {
    const now = at(view, event)
    if (String(now) === String(view.hover)) return
    view.hover = now
    canvas.style.cursor = now ? "pointer" : ""
    draw(view)
    tell(view, now)
  })
  canvas.addEventListener("pointerleave", () => { view.hover = null; draw(view); tell(view, null) })
  canvas.addEventListener("click", event => {
    const now = at(view, event)
    if (!now) return
    if (now.every(place => place !== null)) view.active = now
    view.pick(now)
  })
  scroller.addEventListener("scroll", () => { tell(view, null); draw(view) })
  scroller.addEventListener("focus", () => { view.active ??= view.data.picked ?? [0, 0]; say(view); draw(view) })
  scroller.addEventListener("blur", () => { tell(view, null); draw(view) })
  scroller.addEventListener("keydown", event => walk(view, event))
}

function walk(view, event) {
  const { k } = view.data
  const page = Math.max(1, Math.floor((view.scroller.clientHeight - view.top) / view.size) - 1)
  const steps = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-page, 0], PageDown: [page, 0], Home: [0, -k], End: [0, k],
  }
  if (!k) return
  if (event.key === "Escape") return tell(view, null)
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); view.pick(view.active ?? [0, 0]); return }
  if (!steps[event.key] || event.altKey || event.metaKey) return
  event.preventDefault()
  const corner = event.ctrlKey && { Home: [0, 0], End: [k - 1, k - 1] }[event.key]
  const now = view.active ?? [0, 0]
  view.active = corner || steps[event.key].map((step, side) => clamp(now[side] + step, 0, k - 1))
  view.hover = null
  reveal(view)
  say(view)
  tell(view, view.active)
}

// Scrolls so far that the active cell is seen, and no further.
function reveal(view) {
  const { scroller, size, left, top, active } = view
  const shift = (now, place, room) => clamp(now, (place + 1) * size - room, place * size)
  scroller.scrollTop = shift(scroller.scrollTop, active[0], scroller.clientHeight - top)
  scroller.scrollLeft = shift(scroller.scrollLeft, active[1], scroller.clientWidth - left)
  draw(view)
}

function lines(view, [row, column]) {
  const { data, layers } = view
  const head = [[data.axes[0], row], [data.axes[1], column]].map(([axis, place]) => `${axis} ${data.names[place]}`)
  const place = row * data.k + column
  const [first, ...rest] = layers.map(layer => [layer.at(place), layer.words || data.unit])
  return { head, first, rest }
}

function say(view) {
  if (!view.active || !view.data.k) return
  const { head, first, rest } = lines(view, view.active)
  const text = [head.join(", "), ...[first, ...rest].map(([value, words]) => `${value} ${words}`)].join("; ")
  withAttributes(view.cell, { "aria-rowindex": view.active[0] + 1, "aria-colindex": view.active[1] + 1 })
  view.cell.textContent = view.live.textContent = text
}

function tell(view, now) {
  const { tip, canvas } = view
  if (!now || now.some(place => place === null)) { tip.style.visibility = "hidden"; return }
  const { head, first, rest } = lines(view, now)
  const main = element("div", { class: "first" }, first[0], element("span", {}, ` ${first[1]}`))
  const others = rest.map(([value, words]) => element("span", {}, `${value} ${words}`))
  tip.replaceChildren(...head.map(text => element("b", {}, text)), main, ...others)
  const x = view.left + now[1] * view.size - view.scroller.scrollLeft
  const y = view.top + now[0] * view.size - view.scroller.scrollTop
  const room = view.root.clientWidth
  const beside = x + view.size + 8 + tip.offsetWidth <= room ? x + view.size + 8 : x - tip.offsetWidth - 8
  tip.style.left = `${Math.max(0, Math.min(beside, room - tip.offsetWidth))}px`
  tip.style.top = `${beside < 0 ? y + view.size + 8 : Math.max(0, Math.min(y, canvas.clientHeight - tip.offsetHeight))}px`
  tip.style.visibility = "visible"
}

// ---- size ----

function zoom(view, factor) {
  view.zoom = clamp(view.size * factor, 0.5, 96)
  layout(view)
  if (view.active) reveal(view)
}

function whole(view) {
  const across = view.root.clientWidth - view.left - view.right - 2
  const down = window.innerHeight * 0.78 - view.top - view.under
  const all = Math.max(0.5, Math.min(across, down) / view.data.k)
  view.zoom = view.zoom === null && all < view.size ? all : null
  layout(view)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, ".cells", build)
  view.pick = ([row, column]) => setTriggerValue("pick", { row, column })
  load(view, data)
}
