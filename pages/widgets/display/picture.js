// A picture that is saved alone: an SVG file that needs nothing else, or a PNG of it, as chosen under "Take away".

function makeCamera(save) {
  const words = "Save this picture"
  const button = element("button", { type: "button", class: "camera", title: words, "aria-label": words })
  const body = "M4 7h3l2-2.5h6L17 7h3a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 7z"
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.6 }
  const lens = element("svg:circle", { cx: 12, cy: 12.8, r: 3.6, ...line })
  const icon = { viewBox: "0 0 24 24", width: 16, height: 16, "aria-hidden": "true" }
  button.append(element("svg:svg", icon, element("svg:path", { d: body, ...line }), lens))
  button.addEventListener("click", save)
  return button
}

// An empty picture on the ground of the page, with a title in its upper margin where it has one.
function emptyPicture(width, height, { paper, text }, title = "") {
  const [side, top] = [16, title ? 44 : 16]
  const [across, down] = [Math.ceil(width) + 2 * side, Math.ceil(height) + side + top]
  const picture = element("svg:svg", { viewBox: `${-side} ${-top} ${across} ${down}`, width: across, height: down })
  picture.setAttribute("font-family", getComputedStyle(pictureMark()).fontFamily)
  picture.append(element("svg:rect", { x: -side, y: -top, width: across, height: down, fill: paper }))
  if (title) picture.append(element("svg:text", { x: 0, y: 20 - top + 6, fill: text, "font-size": 15, "font-weight": 650 }, title))
  return picture
}

// The mark of a complete run holds what files about the open data set are called, and what a camera saves.
const pictureMark = () => document.querySelector("[data-picture]")

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
  const canvas = Object.assign(element("canvas"), { width: width * scale, height: height * scale })
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

// Elsewhere the font may be wider: words keep the width they have here, or they would run into each other.
function keepWidths(tree, copy) {
  const words = one => [...one.querySelectorAll("text, tspan")]
  const twins = words(copy)
  for (const [index, one] of words(tree).entries()) {
    const width = one.childElementCount ? 0 : one.getComputedTextLength()
    if (width) keepWidth(twins[index], width)
  }
}

const keepWidth = (node, width) => withAttributes(node, { textLength: width.toFixed(1), lengthAdjust: "spacingAndGlyphs" })

// The words of a part of the page, line by line as they stand there; places are counted from the corner of another part.
function wordsOf(root, corner) {
  const origin = corner.getBoundingClientRect()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(...linesOf(walker.currentNode).map(line => drawnLine(line, walker.currentNode.parentElement, origin)))
  for (const input of root.querySelectorAll("input")) {
    const box = input.getBoundingClientRect()
    const style = getComputedStyle(input)
    const width = rulerOf(style).measureText(input.value).width
    const x = style.textAlign === "center" ? box.x + (box.width - width) / 2 : style.textAlign === "right" ? box.right - width : box.x
    texts.push(drawnLine({ text: input.value, x, width, top: box.y, height: box.height }, input, origin))
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
    if (last && Math.abs(last.top - box.y) < 2) Object.assign(last, { text: last.text + blank + segment, width: box.right - last.x })
    else lines.push({ text: segment, x: box.x, width: box.width, top: box.y, height: box.height })
    blank = ""
  }
  return lines
}

function drawnLine({ text, x, width, top, height }, parent, origin) {
  const style = getComputedStyle(parent)
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = rulerOf(style).measureText(text)
  const y = top + (height - above - below) / 2 + above - origin.y
  const look = { fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight }
  return keepWidth(element("svg:text", { x: (x - origin.x).toFixed(1), y: y.toFixed(1), ...look }, text), width)
}

const pictureRuler = document.createElement("canvas").getContext("2d")

function rulerOf({ fontWeight, fontSize, fontFamily }) {
  pictureRuler.font = `${fontWeight} ${fontSize} ${fontFamily}`
  return pictureRuler
}
