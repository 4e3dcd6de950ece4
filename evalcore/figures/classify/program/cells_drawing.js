// The canvas of the table of classes: shades, counts, names at the sides, and what is picked. Part of cells.js.

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
  const { k, sides } = view.data
  const width = view.root.clientWidth
  const pen = view.canvas.getContext("2d")
  pen.font = `600 ${FONT}px ${view.ink.font}`
  const longest = names => Math.max(0, ...names.slice(0, 200).map(name => pen.measureText(name).width))
  const fitting = room => sides.find(names => longest(names) <= room) ?? sides.at(-1)
  const rows = fitting(Math.min(width * 0.28, 150) - 12)
  const left = Math.ceil(Math.min(longest(rows) + 12, width * 0.28, 150))
  const largest = k > 6 ? 64 : k > 3 ? 84 : 110
  const sums = view.data.sums ?? [[], []]
  const right = k && view.data.sums ? Math.ceil(longest(sums[0].concat(view.data.total)) + 12) : 0
  const widest = Math.floor((width - left - right - 2) / Math.max(k, 1))
  view.auto = Math.max(Math.min(widest, largest), k <= 20 ? 14 : 11)
  view.size = view.zoom ?? view.auto
  const columns = fitting(100)
  view.upright = longest(columns) + 6 <= view.size
  const top = view.upright ? 22 : Math.ceil(Math.min(longest(columns) + 10, 110))
  // Sums that are wider than a column stand upright under it.
  view.flat = longest(sums[1]) + 6 <= view.size
  const under = k && view.data.sums ? (view.flat ? 20 : Math.ceil(longest(sums[1].concat(view.data.total)) + 10)) : 0
  Object.assign(view, { left, top, right, under, names: { rows, columns } })
  const [across, down] = [left + k * view.size + right, top + k * view.size + under]
  const high = k <= 20 ? down : Math.min(down, clamp(Math.round(window.innerHeight * 0.78), 320, 720))
  const bar = across > width + 0.5 ? 16 : 0
  view.scroller.style.height = `${Math.ceil(high + bar + 1)}px`
  view.room.style.width = `${Math.ceil(across) + 1}px`
  view.room.style.height = `${Math.ceil(down) + 1}px`
  const many = k > 20 || widest < view.auto
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

function paint(view, pen, { width, height, x, y, ratio, marks, edge = 0 }) {
  const { k, inside } = view.data
  const { left, top, size, ink } = view
  pen.setTransform(ratio, 0, 0, ratio, edge * ratio, edge * ratio)
  pen.clearRect(0, 0, width, height)
  const first = at => Math.max(0, Math.floor(at / size))
  const last = (at, room) => Math.min(k, Math.ceil((at + room) / size))
  const [row0, row1, column0, column1] = [first(y), last(y, height - top), first(x), last(x, width - left)]
  const atX = column => left + column * size - x
  const atY = row => top + row * size - y
  clipped(pen, left, top, width - left, height - top)
  pen.imageSmoothingEnabled = size < 1
  pen.drawImage(view.mosaic, column0, row0, column1 - column0, row1 - row0,
    atX(column0), atY(row0), (column1 - column0) * size, (row1 - row0) * size)
  if (size >= 7) grid(pen, ink, size, [row0, row1, column0, column1], atX, atY, k)
  if (inside && size >= 20) {
    for (let row = row0; row < row1; row++) for (let column = column0; column < column1; column++) {
      words(view, pen, row, column, atX(column), atY(row))
    }
  }
  const inset = Math.min(9, size / 2)
  for (const place of size >= 5 ? view.marks : []) {
    const [row, column] = [Math.floor(place / k), place % k]
    dot(pen, ground(view, row, column)[1], atX(column) + size - inset, atY(row) + inset, Math.min(3.2, size / 4))
  }
  if (marks) outlines(view, pen, atX, atY)
  if (view.data.sums) margins(view, pen, [row0, row1], [column0, column1], atX, atY)
  pen.restore()
  labels(view, pen, { width, height, rows: [row0, row1], columns: [column0, column1], atX, atY })
}

// From here until the pen is restored nothing is drawn outside of a rectangle.
function clipped(pen, ...rectangle) {
  pen.save()
  pen.beginPath()
  pen.rect(...rectangle)
  pen.clip()
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
  pen.globalAlpha = empty ? 0.6 : 1
  pen.textAlign = "center"
  pen.textBaseline = "middle"
  const large = clamp(size * 0.3, 10, size > 66 ? 22 : 15)
  const small = clamp(size * 0.19, 9.5, 12)
  const both = size >= 38 && !empty && view.layers.length > 1
  const text = (words, weight, points, down) => {
    do pen.font = `${weight} ${points}px ${view.ink.font}`
    while (pen.measureText(words).width > size - 4 && points-- > 8)
    if (pen.measureText(words).width <= size) pen.fillText(words, x + size / 2, y + size / 2 + down)
  }
  text(view.layers[0].at(place), 600, large, both ? -small * 0.62 : 0.5)
  if (both) text(view.layers[1].at(place), 400, small, large * 0.62)
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

// The sums of the rows at the right, those of the columns below, and the sum of all in the corner.
function margins(view, pen, rows, columns, atX, atY) {
  const { size, ink, data } = view
  const step = Math.max(1, Math.ceil(11 / size))
  pen.font = `400 ${Math.max(9, Math.min(FONT, step > 1 ? 10 : size - 1))}px ${ink.font}`
  pen.fillStyle = ink.text
  pen.globalAlpha = 0.78
  pen.textBaseline = "middle"
  pen.textAlign = "right"
  for (let row = rows[0]; row < rows[1]; row++) {
    if (row % step === 0) pen.fillText(data.sums[0][row], atX(data.k) + view.right - 4, atY(row) + size / 2 + 0.5)
  }
  for (let column = columns[0]; column < columns[1]; column++) {
    if (column % step) continue
    pen.save()
    pen.translate(atX(column) + size / 2, atY(data.k) + (view.flat ? 11 : 5))
    if (view.flat) pen.textAlign = "center"; else pen.rotate(-Math.PI / 2)
    pen.fillText(data.sums[1][column], 0, 0)
    pen.restore()
  }
  pen.font = `600 ${FONT}px ${ink.font}`
  pen.fillText(data.total, atX(data.k) + view.right - 4, atY(data.k) + 11)
  pen.globalAlpha = 1
}

function labels(view, pen, { width, height, rows, columns, atX, atY }) {
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
  clipped(pen, 0, top, left, height - top)
  pen.textAlign = "right"
  for (let row = rows[0]; row < rows[1]; row++) {
    if (!shown(row, 0)) continue
    style(row, 0)
    pen.fillText(fitted(view.names.rows[row], left - 8, pen.font), left - 6, atY(row) + size / 2 + 0.5)
  }
  pen.restore()
  clipped(pen, left, 0, width - left, top)
  for (let column = columns[0]; column < columns[1]; column++) {
    if (!shown(column, 1)) continue
    style(column, 1)
    pen.save()
    pen.translate(atX(column) + size / 2, top - 6)
    if (view.upright) { pen.textAlign = "center"; pen.textBaseline = "alphabetic" } else { pen.rotate(-Math.PI / 2); pen.textAlign = "left" }
    pen.fillText(fitted(view.names.columns[column], view.upright ? size - 2 : top - 8, pen.font), 0, 0)
    pen.restore()
  }
  pen.restore()
  pen.globalAlpha = 1
}

// The whole table of classes as a picture of its own: what paints the canvas draws SVG with this pen.
class Pen {
  fillStyle = ""; strokeStyle = ""; lineWidth = 1; font = ""; globalAlpha = 1; textAlign = "left"; textBaseline = "alphabetic"

  constructor(into) {
    this.into = into
    this.matrix = new DOMMatrix()
    this.before = []
    this.line = ""
  }

  save() { this.before.push([this.matrix, this.textAlign]) }
  restore() { [this.matrix, this.textAlign] = this.before.pop() }
  setTransform(...numbers) { this.matrix = new DOMMatrix(numbers) }
  translate(x, y) { this.matrix = this.matrix.translate(x, y) }
  rotate(angle) { this.matrix = this.matrix.rotate((angle * 180) / Math.PI) }
  // The whole table is drawn, and names fit their room, so that nothing has to be cleared or cut off.
  clearRect() {}
  rect() {}
  clip() {}

  beginPath() { this.line = "" }
  moveTo(x, y) { this.line += `M${x} ${y}` }
  lineTo(x, y) { this.line += `L${x} ${y}` }
  stroke() { this.put("path", { d: this.line, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth }) }
  arc(x, y, radius) { this.circle = { cx: x, cy: y, r: radius } }
  fill() { this.put("circle", { ...this.circle, fill: this.fillStyle }) }

  strokeRect(x, y, width, height) {
    this.put("rect", { x, y, width, height, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth })
  }

  measureText(words) { return metricsOf(words, this.font) }

  fillText(words, x, y) {
    const [, weight, size] = this.font.match(/^(\d+) ([\d.]+)px/)
    const look = { fill: this.fillStyle, "fill-opacity": this.globalAlpha, "font-size": size, "font-weight": weight }
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign]
    const down = this.textBaseline === "middle" ? 0.35 * size : 0
    keepWidth(this.put("text", { x, y: y + down, "text-anchor": anchor, ...look }, words), this.measureText(words).width)
  }

  // Pixels become rectangles, those of a colour and line that stand beside each other one.
  drawImage(image, column0, row0, columns, rows, x, y, width) {
    const { data } = image.getContext("2d").getImageData(column0, row0, columns, rows)
    const paths = new Map()
    const colour = (row, column) => data.slice(4 * (row * columns + column), 4 * (row * columns + column) + 3).join()
    for (let row = 0; row < rows; row++) {
      for (let column = 0, end; column < columns; column = end) {
        const now = colour(row, column)
        for (end = column + 1; end < columns && colour(row, end) === now;) end++
        paths.set(now, `${paths.get(now) ?? ""}M${column} ${row}h${end - column}v1H${column}z`)
      }
    }
    const before = this.matrix
    this.matrix = before.translate(x, y).scale(width / columns)
    for (const [rgb, d] of paths) this.put("path", { d, fill: `rgb(${rgb})`, "shape-rendering": "crispEdges" })
    this.matrix = before
  }

  put(tag, attributes, ...children) {
    const { a, b, c, d, e, f } = this.matrix
    const transform = this.matrix.isIdentity ? {} : { transform: `matrix(${[a, b, c, d, e, f].map(number => +number.toFixed(4)).join(" ")})` }
    const node = element(`svg:${tag}`, { ...attributes, ...transform }, ...children)
    this.into.append(node)
    return node
  }
}

function save(view) {
  const { k, title } = view.data
  const onScreen = view.size
  view.size = Math.min(Math.max(view.auto, 4), 12_000 / Math.max(k, 1))
  const edge = 22 // room for the names of the axes
  const [across, down] = [view.left + k * view.size + view.right, view.top + k * view.size + view.under]
  const picture = emptyPicture(Math.max(across + edge, 300), down + edge + (view.data.scale.length ? 30 : 0), view.ink, title)
  const pen = new Pen(picture)
  paint(view, pen, { width: across, height: down, x: 0, y: 0, ratio: 1, marks: false, edge })
  titles(view, pen, edge)
  ramps(view, pen, down + edge + 24)
  view.size = onScreen
  savePicture(picture, view.data.file)
}

// The names of the axes: above the columns, and upright beside the rows.
function titles(view, pen, edge) {
  const half = (view.data.k * view.size) / 2
  pen.setTransform(1, 0, 0, 1, 0, 0)
  Object.assign(pen, { font: `600 ${FONT}px ${view.ink.font}`, fillStyle: view.ink.text, textAlign: "center", textBaseline: "middle" })
  pen.fillText(view.data.axes[1], edge + view.left + half, edge / 2)
  pen.translate(edge / 2, edge + view.top + half)
  pen.rotate(-Math.PI / 2)
  pen.fillText(view.data.axes[0], 0, 0)
}

// What the shades mean, as under the table.
function ramps(view, pen, y) {
  pen.setTransform(1, 0, 0, 1, 0, 0)
  Object.assign(pen, { font: `400 ${FONT}px ${view.ink.font}`, textAlign: "left", textBaseline: "middle" })
  let x = 0
  const words = text => {
    pen.fillText(text, x, y)
    x += pen.measureText(text).width + 7
  }
  for (const [index, end] of view.data.scale.entries()) {
    words(`${end.words ?? ""} ${end.low}`.trim())
    const stops = shadesOf(view, end).map((colour, place, all) => element("svg:stop", { offset: place / (all.length - 1), "stop-color": colour }))
    pen.put("linearGradient", { id: `ramp-${index}` }, ...stops)
    pen.put("rect", { x, y: y - 5, width: 88, height: 10, fill: `url(#ramp-${index})`, stroke: view.ink.line })
    x += 95
    words(end.high)
    x += 16
  }
}
