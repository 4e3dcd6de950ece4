// A picture that is saved alone: an SVG file that needs nothing else, or a PNG of it, as chosen under "Share".

function makeCamera(save) {
  const body = "M4 7h3l2-2.5h6L17 7h3a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 7z"
  const lens = "M8.4 12.8a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z"
  return iconButton(body + lens, "Save this picture", save, { class: "tool camera" })
}

// The mark of a complete run holds what files about the open data set are called, and what a camera saves.
const pictureMark = () => document.querySelector("[data-picture]")

// An empty picture on the ground of the page. In its upper margin stands a title that says what it shows, and below that
// the data set, the system and the threshold.
function emptyPicture(width, height, { paper, text }, title) {
  const side = 16
  const { fontFamily } = getComputedStyle(pictureMark())
  const { context } = pictureMark().dataset
  const lines = [[title, 15, 650], [context, 12, 400]].filter(([words]) => words).flatMap(([words, size, weight]) =>
    wrapped(words, width, `650 ${size}px ${fontFamily}`).map(line => [line, size, weight]))
  const top = side + 14 + lines.reduce((sum, [, size]) => sum + 1.3 * size, 0)
  const [across, down] = [Math.ceil(width) + 2 * side, Math.ceil(height) + side + top]
  const look = { width: across, height: down, "font-family": fontFamily }
  const picture = element("svg:svg", { viewBox: `${-side} ${-top} ${across} ${down}`, ...look })
  picture.append(element("svg:rect", { x: -side, y: -top, width: across, height: down, fill: paper }))
  let y = side - top
  for (const [words, size, weight] of lines) {
    y += 1.3 * size
    const line = element("svg:text", { x: 0, y, fill: text, "font-size": size, "font-weight": weight }, words)
    picture.append(keepWidth(line, metricsOf(words, `${weight} ${size}px ${fontFamily}`).width))
  }
  return picture
}

function savePicture(picture, file) {
  const { file: data, picture: format } = pictureMark().dataset
  const name = [data, file].filter(Boolean).join(" ")
  picture.setAttribute("xmlns", picture.namespaceURI)
  const text = new XMLSerializer().serializeToString(picture)
  if (format === "svg") {
    download(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`)
    return
  }
  const [width, height] = ["width", "height"].map(side => Number(picture.getAttribute(side)))
  const scale = Math.max(width, height) > 4000 ? 1 : 2
  const canvas = element("canvas", { width: width * scale, height: height * scale })
  const image = new Image()
  image.addEventListener("load", () => {
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
    canvas.toBlob(blob => download(blob, `${name}.png`))
  })
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
}

function download(blob, name) {
  const url = URL.createObjectURL(blob)
  element("a", { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

// How large words are in a font, measured apart from the page, which would have to be laid out to answer.
const ruler = document.createElement("canvas").getContext("2d")

function metricsOf(words, font) {
  ruler.font = font
  return ruler.measureText(words)
}

function wrapped(words, width, font) {
  const lines = [""]
  for (const word of words.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (lines.at(-1) && metricsOf(longer, font).width > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

// Words without their middle where they are wider than their room: names often differ in their last letters.
function fitted(words, width, font) {
  if (metricsOf(words, font).width <= width) return words
  const cut = letters => {
    const end = Math.floor((letters * 2) / 5)
    return `${words.slice(0, letters - end).trimEnd()}…${words.slice(words.length - end).trimStart()}`
  }
  let [few, many] = [1, words.length - 1]
  while (few < many) {
    const middle = Math.ceil((few + many) / 2)
    if (metricsOf(cut(middle), font).width <= width) few = middle
    else many = middle - 1
  }
  return cut(few)
}

// The values of variables of style at a node.
function variablesAt(node) {
  const style = getComputedStyle(node)
  return name => style.getPropertyValue(name).trim()
}

// Elsewhere the font may be wider: words keep the width they have here, or they would run into each other.
const keepWidth = (node, width) => withAttributes(node, { textLength: width.toFixed(1), lengthAdjust: "spacingAndGlyphs" })

// A copy whose words keep the width that they have in the page.
function copyOfDrawing(tree) {
  const copy = tree.cloneNode(true)
  const [words, twins] = [tree, copy].map(one => [...one.querySelectorAll("text, tspan")])
  for (const [index, one] of words.entries()) {
    const width = one.childElementCount ? 0 : one.getComputedTextLength()
    if (width) keepWidth(twins[index], width)
  }
  return copy
}

// A part of the page as a rectangle; places are counted from the corner of another part.
function rectangleOf(node, corner, look) {
  const [{ x, y, width, height }, origin] = [node, corner].map(one => one.getBoundingClientRect())
  return element("svg:rect", { x: x - origin.x, y: y - origin.y, width, height, ...look })
}

// The words of a part of the page, line by line as they stand there.
function wordsOf(root, corner) {
  const origin = corner.getBoundingClientRect()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    texts.push(...linesOf(node).map(line => drawnLine(line, node.parentElement, origin)))
  }
  for (const input of root.querySelectorAll("input")) {
    const box = input.getBoundingClientRect()
    const style = getComputedStyle(input)
    const { width } = metricsOf(input.value, fontIn(style))
    const free = { center: (box.width - width) / 2, right: box.width - width }[style.textAlign] ?? 0
    const line = { text: input.value, x: box.x + free, width, top: box.y, height: box.height }
    texts.push(drawnLine(line, input, origin))
  }
  return texts
}

function linesOf(node) {
  const lines = []
  let blank = "" // one at the end of a line has no width of its own
  const range = document.createRange()
  for (const { segment, index } of new Intl.Segmenter().segment(node.data)) {
    range.setStart(node, index)
    range.setEnd(node, index + segment.length)
    const [box] = range.getClientRects()
    if (!box?.width) continue
    if (segment === " ") {
      blank = " "
      continue
    }
    const last = lines.at(-1)
    if (last && Math.abs(last.top - box.y) < 2) {
      Object.assign(last, { text: last.text + blank + segment, width: box.right - last.x })
    } else lines.push({ text: segment, x: box.x, width: box.width, top: box.y, height: box.height })
    blank = ""
  }
  return lines
}

function drawnLine({ text, x, width, top, height }, parent, origin) {
  const style = getComputedStyle(parent)
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = metricsOf(text, fontIn(style))
  const y = top + (height - above - below) / 2 + above - origin.y
  const look = { fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight }
  return keepWidth(element("svg:text", { x: (x - origin.x).toFixed(1), y: y.toFixed(1), ...look }, text), width)
}

const fontIn = ({ fontWeight, fontSize, fontFamily }) => `${fontWeight} ${fontSize} ${fontFamily}`
