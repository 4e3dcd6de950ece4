// A picture that is saved alone: an SVG file that needs nothing else, or a PNG of it, as chosen under "Share".

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

// An empty picture on the ground of the page. In its upper margin stands a title that says what it shows, and below that
// the data set, the system and the threshold.
function emptyPicture(width, height, { paper, text }, title) {
  const side = 16
  const context = pictureMark()?.dataset.context
  const lines = [...titleLines(title, 15, width), ...(context ? titleLines(context, 12, width) : [])]
  const top = side + 14 + lines.reduce((sum, { size }) => sum + 1.3 * size, 0)
  const [across, down] = [Math.ceil(width) + 2 * side, Math.ceil(height) + side + top]
  const picture = element("svg:svg", { viewBox: `${-side} ${-top} ${across} ${down}`, width: across, height: down })
  picture.setAttribute("font-family", getComputedStyle(pictureMark()).fontFamily)
  picture.append(element("svg:rect", { x: -side, y: -top, width: across, height: down, fill: paper }))
  let y = side - top
  for (const { words, size, width: wide } of lines) {
    y += 1.3 * size
    const line = element("svg:text", { x: 0, y, fill: text, "font-size": size, "font-weight": size > 12 ? 650 : 400 }, words)
    picture.append(keepWidth(line, wide))
  }
  return picture
}

// A text broken into lines of a width.
function titleLines(title, size, width) {
  const ruler = element("canvas").getContext("2d")
  ruler.font = `650 ${size}px ${getComputedStyle(pictureMark()).fontFamily}`
  const lines = []
  for (const word of title.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  ruler.font = `${size > 12 ? 650 : 400} ${ruler.font.slice(ruler.font.indexOf(" ") + 1)}`
  return lines.map(words => ({ words, size, width: ruler.measureText(words).width }))
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
const keepWidth = (node, width) => withAttributes(node, { textLength: width.toFixed(1), lengthAdjust: "spacingAndGlyphs" })
