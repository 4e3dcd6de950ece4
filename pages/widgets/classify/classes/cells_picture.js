// The whole table of classes as a picture of its own: what paints the canvas draws SVG with this pen.
class Pen {
  static ruler = document.createElement("canvas").getContext("2d")
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

  measureText(words) {
    Pen.ruler.font = this.font
    return Pen.ruler.measureText(words)
  }

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
