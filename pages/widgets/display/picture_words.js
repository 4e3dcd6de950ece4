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
