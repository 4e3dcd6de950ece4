// The square table of several classes: cells to look at, to walk with the arrow keys and to pick, of two classes as of
// 500. Shades, inks and words come from Python; only places on the screen are reckoned here. Names are drawn on a canvas
// or set as text, never as markup.
const instances = new WeakMap()
const FONT = 12

const element = (tag, className, text) => {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function build(root) {
  const view = { root, zoom: null, active: null, hover: null, drawn: {} }
  view.axes = element("div")
  view.tools = element("div", "tools")
  const bar = element("div", "bar")
  bar.append(view.axes, view.tools)
  view.scroller = element("div", "scroller")
  view.scroller.tabIndex = 0
  view.scroller.setAttribute("role", "grid")
  view.room = element("div", "room")
  view.canvas = element("canvas")
  view.room.append(view.canvas)
  const line = element("div", "hidden")
  line.setAttribute("role", "row")
  view.cell = element("div")
  view.cell.id = "active-cell"
  view.cell.setAttribute("role", "gridcell")
  line.append(view.cell)
  view.scroller.append(view.room, line)
  view.scroller.setAttribute("aria-activedescendant", view.cell.id)
  view.tip = element("div", "tip")
  view.live = element("div", "hidden")
  view.live.setAttribute("aria-live", "polite")
  const body = element("div", "body")
  body.append(view.scroller, view.tip)
  view.scale = element("div", "scale")
  root.replaceChildren(bar, body, view.scale, view.live)
  view.tools.append(
    tool("−", "Smaller cells", () => zoom(view, 1 / 1.5)),
    tool("+", "Larger cells", () => zoom(view, 1.5)),
    tool("Whole", "The whole table at once, or cells that can be read", () => whole(view)),
    tool("Picture", "Save the whole table as a PNG", () => save(view)),
  )
  listen(view)
  view.resize = new ResizeObserver(() => layout(view))
  view.resize.observe(root)
  return view
}

function tool(text, title, act) {
  const button = element("button", "", text)
  button.type = "button"
  button.title = title
  button.setAttribute("aria-label", title)
  button.addEventListener("click", act)
  return button
}

// ---- what Python sent ----

const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

function load(view, data) {
  const { k } = data
  if (view.data?.k !== k) view.zoom = null
  if (view.data?.k !== k || JSON.stringify(view.data.names) !== JSON.stringify(data.names)) view.active = null
  view.data = data
  view.shade = bytes(data.shade)
  view.layers = data.layers.map(layer => {
    const raw = bytes(layer.index).buffer
    const index = layer.bytes === 2 ? new Uint16Array(raw) : new Uint32Array(raw)
    return { words: layer.words, at: place => layer.texts[index[place]] }
  })
  view.marks = new Set(data.marks)
  view.ink = colours(view)
  view.mosaic = mosaic(view)
  view.scroller.setAttribute("aria-label", data.alt)
  view.scroller.setAttribute("aria-rowcount", k)
  view.scroller.setAttribute("aria-colcount", k)
  view.axes.replaceChildren("rows: ", element("b", "", data.axes[0]), " · columns: ", element("b", "", data.axes[1]))
  view.scale.replaceChildren(...data.scale.map(end => {
    const ramp = element("i")
    const palette = data.palettes[end.palette]
    const stops = [0, 0.25, 0.5, 0.75, 1].map(at => palette[Math.round(at * (palette.length - 1))][0])
    ramp.style.background = `linear-gradient(90deg, ${stops.join(", ")})`
    const box = element("div")
    box.append(element("span", "", `${end.words ?? ""} ${end.low}`.trim()), ramp, element("span", "", end.high))
    return box
  }))
  if (data.note) view.scale.append(element("span", "", data.note))
  layout(view)
  if (data.picked && view.shown !== data.picked.join()) {
    view.active = data.picked
    reveal(view)
  }
  view.shown = data.picked?.join()
}

function colours(view) {
  const style = getComputedStyle(view.root)
  const of = name => style.getPropertyValue(name).trim()
  return {
    text: of("--st-text-color"), paper: of("--st-background-color"), blank: of("--st-secondary-background-color"),
    line: of("--st-border-color"), accent: of("--st-primary-color"), font: style.fontFamily,
  }
}

const ground = (view, row, column) => {
  const shade = view.shade[row * view.data.k + column]
  if (shade === view.data.left_out || shade === view.data.undefined) return [view.ink.blank, view.ink.text]
  return view.data.palettes[row === column ? "right" : "wrong"][shade]
}

// One pixel a cell, drawn large: as fast for 500 classes as for five.
function mosaic(view) {
  const { k } = view.data
  const small = element("canvas")
  small.width = small.height = Math.max(k, 1)
  const pen = small.getContext("2d")
  const picture = pen.createImageData(small.width, small.height)
  const known = new Map()
  const channels = colour => {
    if (!known.has(colour)) {
      pen.fillStyle = colour
      pen.fillRect(0, 0, 1, 1)
      known.set(colour, pen.getImageData(0, 0, 1, 1).data)
    }
    return known.get(colour)
  }
  for (let row = 0; row < k; row++) {
    for (let column = 0; column < k; column++) {
      picture.data.set(channels(ground(view, row, column)[0]), 4 * (row * k + column))
    }
  }
  pen.putImageData(picture, 0, 0)
  return small
}

// ---- where things stand ----

function layout(view) {
  if (!view.data || !view.root.clientWidth) return
  const { k, names } = view.data
  const width = view.root.clientWidth
  const pen = view.canvas.getContext("2d")
  pen.font = `600 ${FONT}px ${view.ink.font}`
  const longest = Math.max(0, ...names.slice(0, 200).map(name => pen.measureText(name).width))
  const left = Math.ceil(Math.min(longest + 12, width * 0.28, 150))
  const largest = k > 6 ? 64 : k > 3 ? 84 : 110
  const fitting = Math.floor((width - left - 2) / Math.max(k, 1))
  view.auto = Math.max(Math.min(fitting, largest), k <= 20 ? 14 : 11)
  view.size = view.zoom ?? view.auto
  view.upright = longest + 6 <= view.size
  const top = view.upright ? 22 : Math.ceil(Math.min(longest + 10, 110))
  Object.assign(view, { left, top })
  const [across, down] = [left + k * view.size, top + k * view.size]
  const high = k <= 20 ? down : Math.min(down, Math.max(320, Math.min(720, Math.round(window.innerHeight * 0.78))))
  const bar = across > width + 0.5 ? 16 : 0
  view.scroller.style.height = `${Math.ceil(Math.min(high, down) + bar + 1)}px`
  view.scroller.style.maxWidth = "100%"
  view.room.style.width = `${Math.ceil(across) + 1}px`
  view.room.style.height = `${Math.ceil(down) + 1}px`
  const many = k > 20 || fitting < view.auto
  for (const button of [...view.tools.children].slice(0, 3)) button.style.display = many ? "" : "none"
  draw(view)
}

function draw(view) {
  const { scroller, canvas } = view
  const [width, height] = [scroller.clientWidth, scroller.clientHeight]
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  paint(view, canvas.getContext("2d"), { width, height, x: scroller.scrollLeft, y: scroller.scrollTop, ratio, marks: true })
  // For whoever looks from outside: where the first cell begins and how large a cell is.
  Object.assign(scroller.dataset, { left: view.left, top: view.top, size: view.size })
}

function paint(view, pen, { width, height, x, y, ratio, marks }) {
  const { k, names, inside } = view.data
  const { left, top, size, ink } = view
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  pen.clearRect(0, 0, width, height)
  const first = at => Math.max(0, Math.floor(at / size))
  const last = (at, room) => Math.min(k, Math.ceil((at + room) / size))
  const [row0, row1, column0, column1] = [first(y), last(y, height - top), first(x), last(x, width - left)]
  const atX = column => left + column * size - x
  const atY = row => top + row * size - y
  pen.save()
  pen.beginPath()
  pen.rect(left, top, width - left, height - top)
  pen.clip()
  pen.imageSmoothingEnabled = size < 1
  pen.drawImage(view.mosaic, column0, row0, column1 - column0, row1 - row0,
    atX(column0), atY(row0), (column1 - column0) * size, (row1 - row0) * size)
  if (size >= 7) grid(pen, ink, size, [row0, row1, column0, column1], atX, atY, k)
  if (inside && size >= 20) {
    for (let row = row0; row < row1; row++) for (let column = column0; column < column1; column++) {
      words(view, pen, row, column, atX(column), atY(row))
    }
  }
  for (const place of view.marks) {
    const [row, column] = [Math.floor(place / k), place % k]
    if (size >= 5) dot(pen, ground(view, row, column)[1], atX(column) + size - Math.min(9, size / 2), atY(row) + Math.min(9, size / 2), Math.min(3.2, size / 4))
  }
  if (marks) outlines(view, pen, atX, atY)
  pen.restore()
  labels(view, pen, { width, height, rows: [row0, row1], columns: [column0, column1], atX, atY, names })
}

function grid(pen, ink, size, [row0, row1, column0, column1], atX, atY, k) {
  pen.strokeStyle = size >= 20 ? ink.paper : ink.line
  pen.lineWidth = size >= 20 ? 2 : 0.5
  pen.beginPath()
  for (let row = row0; row <= row1; row++) { pen.moveTo(atX(column0), atY(row)); pen.lineTo(atX(column1), atY(row)) }
  for (let column = column0; column <= column1; column++) { pen.moveTo(atX(column), atY(row0)); pen.lineTo(atX(column), atY(row1)) }
  pen.stroke()
  pen.strokeStyle = ink.line
  pen.lineWidth = 1
  pen.strokeRect(atX(0), atY(0), k * size, k * size)
}

function words(view, pen, row, column, x, y) {
  const { size } = view
  const place = row * view.data.k + column
  const shade = view.shade[place]
  if (shade === view.data.left_out) return
  const empty = view.layers[0].at(place) === view.data.quiet
  pen.fillStyle = ground(view, row, column)[1]
  pen.globalAlpha = empty ? 0.35 : 1
  pen.textAlign = "center"
  pen.textBaseline = "middle"
  const large = Math.max(10, Math.min(size * 0.3, size > 66 ? 22 : 15))
  const small = Math.max(9.5, Math.min(size * 0.19, 12))
  const both = size >= 42 && !empty && view.layers.length > 1
  const text = (words, weight, points, down) => {
    pen.font = `${weight} ${points}px ${view.ink.font}`
    let size_ = points
    while (size_ > 8 && pen.measureText(words).width > size - 4) pen.font = `${weight} ${--size_}px ${view.ink.font}`
    if (pen.measureText(words).width <= size) pen.fillText(words, x + size / 2, y + size / 2 + down)
  }
  text(view.layers[0].at(place), 600, large, both ? -small * 0.62 : 0.5)
  if (both) { pen.globalAlpha = 0.88; text(view.layers[1].at(place), 400, small, large * 0.62) }
  pen.globalAlpha = 1
}

function dot(pen, colour, x, y, radius) {
  pen.fillStyle = colour
  pen.beginPath()
  pen.arc(x, y, radius, 0, 7)
  pen.fill()
}

function outlines(view, pen, atX, atY) {
  const around = ([row, column], colour, width, dash) => {
    const edge = Math.min(width, view.size / 3)
    pen.setLineDash(dash)
    for (const [line, wide] of [[view.ink.paper, edge + 2], [colour, edge]]) {
      pen.strokeStyle = line
      pen.lineWidth = wide
      pen.strokeRect(atX(column) + 0.5, atY(row) + 0.5, view.size - 1, view.size - 1)
    }
    pen.setLineDash([])
  }
  if (view.data.picked) around(view.data.picked, view.ink.text, 2.5, [])
  if (view.hover && view.hover.every(at => at !== null)) around(view.hover, view.ink.text, 1.2, [])
  if (view.active && view.root.getRootNode().activeElement === view.scroller) around(view.active, view.ink.accent, 2.5, [])
}

function labels(view, pen, { width, height, rows, columns, atX, atY, names }) {
  const { left, top, size, ink, data } = view
  const looked = view.hover ?? (view.root.getRootNode().activeElement === view.scroller ? view.active : null) ?? [null, null]
  const step = Math.max(1, Math.ceil(11 / size))
  const points = Math.max(9, Math.min(FONT, step > 1 ? 10 : size - 1))
  const bold = (index, axis) => index === data.chosen || index === data.beside || index === looked[axis]
  const style = (index, axis) => {
    pen.font = `${bold(index, axis) ? 700 : 400} ${points}px ${ink.font}`
    pen.fillStyle = index === data.chosen ? ink.accent : ink.text
    pen.globalAlpha = bold(index, axis) ? 1 : 0.78
  }
  const shown = (index, axis) => index % step === 0 || (bold(index, axis) && size >= 3)
  pen.textBaseline = "middle"
  pen.save()
  pen.beginPath()
  pen.rect(0, top, left, height - top)
  pen.clip()
  pen.textAlign = "right"
  for (let row = rows[0]; row < rows[1]; row++) {
    if (!shown(row, 0)) continue
    style(row, 0)
    pen.fillText(fit(pen, names[row], left - 8), left - 6, atY(row) + size / 2 + 0.5)
  }
  pen.restore()
  pen.save()
  pen.beginPath()
  pen.rect(left, 0, width - left, top)
  pen.clip()
  for (let column = columns[0]; column < columns[1]; column++) {
    if (!shown(column, 1)) continue
    style(column, 1)
    pen.save()
    pen.translate(atX(column) + size / 2, top - 6)
    if (view.upright) { pen.textAlign = "center"; pen.textBaseline = "alphabetic" } else { pen.rotate(-Math.PI / 2); pen.textAlign = "left" }
    pen.fillText(fit(pen, names[column], view.upright ? size - 2 : top - 8), 0, 0)
    pen.restore()
  }
  pen.restore()
  pen.globalAlpha = 1
}

function fit(pen, text, room) {
  if (pen.measureText(text).width <= room) return text
  let [few, many] = [0, text.length]
  while (few < many) {
    const middle = Math.ceil((few + many) / 2)
    if (pen.measureText(`${text.slice(0, middle)}…`).width <= room) few = middle
    else many = middle - 1
  }
  return `${text.slice(0, few)}…`
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
  const within = place => Math.max(0, Math.min(k - 1, place))
  const [row, column] = view.active ?? [0, 0]
  const [down, right] = steps[event.key]
  view.active = event.ctrlKey && event.key === "Home" ? [0, 0] : event.ctrlKey && event.key === "End" ? [k - 1, k - 1]
    : [within(row + down), within(column + right)]
  view.hover = null
  reveal(view)
  say(view)
  tell(view, view.active)
}

// Scrolls so far that the active cell is seen, and no further.
function reveal(view) {
  const { scroller, size, left, top, active } = view
  const shift = (now, place, room) => Math.min(Math.max(now, (place + 1) * size - room), place * size)
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
  view.cell.textContent = text
  view.cell.setAttribute("aria-rowindex", view.active[0] + 1)
  view.cell.setAttribute("aria-colindex", view.active[1] + 1)
  view.live.textContent = text
}

function tell(view, now) {
  const { tip, canvas } = view
  if (!now || now.some(place => place === null)) { tip.style.visibility = "hidden"; return }
  const { head, first, rest } = lines(view, now)
  const main = element("div", "first", first[0])
  main.append(element("span", "", ` ${first[1]}`))
  tip.replaceChildren(...head.map(text => element("b", "", text)), main, ...rest.map(([value, words]) => element("span", "", `${value} ${words}`)))
  const x = view.left + now[1] * view.size - view.scroller.scrollLeft
  const y = view.top + now[0] * view.size - view.scroller.scrollTop
  const room = view.root.clientWidth
  const beside = x + view.size + 8 + tip.offsetWidth <= room ? x + view.size + 8 : x - tip.offsetWidth - 8
  tip.style.left = `${Math.max(0, Math.min(beside, room - tip.offsetWidth))}px`
  tip.style.top = `${beside < 0 ? y + view.size + 8 : Math.max(0, Math.min(y, canvas.clientHeight - tip.offsetHeight))}px`
  tip.style.visibility = "visible"
}

// ---- size and picture ----

function zoom(view, factor) {
  view.zoom = Math.max(0.5, Math.min(view.size * factor, 96))
  layout(view)
  if (view.active) reveal(view)
}

function whole(view) {
  const all = Math.max(0.5, Math.min((view.root.clientWidth - view.left - 2) / view.data.k, (window.innerHeight * 0.78 - view.top) / view.data.k))
  view.zoom = view.zoom === null && all < view.size ? all : null
  layout(view)
}

function save(view) {
  const { k } = view.data
  const size = Math.max(view.auto, 4)
  const kept = view.size
  view.size = Math.min(size, 12_000 / Math.max(k, 1))
  const picture = element("canvas")
  const [width, height] = [view.left + k * view.size + 8, view.top + k * view.size + 8]
  const ratio = width > 4000 ? 1 : 2
  picture.width = width * ratio
  picture.height = height * ratio
  const pen = picture.getContext("2d")
  paint(view, pen, { width, height, x: 0, y: 0, ratio, marks: false })
  pen.globalCompositeOperation = "destination-over"
  pen.fillStyle = view.ink.paper
  pen.fillRect(0, 0, width, height)
  view.size = kept
  picture.toBlob(blob => {
    const link = element("a")
    link.href = URL.createObjectURL(blob)
    link.download = "classes.png"
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  })
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".cells")
  let view = instances.get(parentElement)
  if (!view) instances.set(parentElement, (view = build(root)))
  view.pick = ([row, column]) => setTriggerValue("pick", { row, column })
  load(view, data)
  return () => {
    view.resize.disconnect()
    instances.delete(parentElement)
  }
}
