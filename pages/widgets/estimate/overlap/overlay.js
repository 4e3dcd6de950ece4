// The outcomes of the pixels, wiped over the actual mask by a slider. The server hears of it when the slider rests.
const WORDS = { tp: "found", fp: "false alarm", fn: "missed", tn: "dismissed" }

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, "span", build)
  Object.assign(view, { name: data.name, tell: share => setTriggerValue("wipe", share) })
  withAttributes(view.below, { src: data.actual, alt: `Actual mask of ${data.name}: ${data.note}` })
  withAttributes(view.above, { src: data.outcomes, alt: `Outcomes of the pixels of ${data.name}: ${data.note}` })
  view.keys.replaceChildren(...Object.entries(data.colours).map(([outcome, colour]) =>
    element("span", { class: "key" }, element("i", { style: `background: ${colour}` }), WORDS[outcome])))
  view.slider.value = data.wipe
  wipe(view)
}

function build(root) {
  const [below, above] = [element("img", { alt: "" }), element("img", { alt: "" })]
  const slider = element("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": "Outcomes over the actual mask" })
  const frame = element("div", { class: "pictures" }, below, above)
  const view = { below, above, slider, frame, keys: element("p") }
  const [left, right] = ["actual mask", "outcomes"].map(words => element("span", {}, words))
  root.className = "overlap"
  root.replaceChildren(frame, element("div", { class: "ends" }, left, slider, right, makeCamera(() => save(view))), view.keys)
  slider.addEventListener("input", () => wipe(view))
  slider.addEventListener("change", () => view.tell(Number(slider.value)))
  return view
}

function wipe({ slider, above, frame }) {
  const share = Number(slider.value)
  above.style.clipPath = `inset(0 ${100 - share}% 0 0)`
  frame.style.setProperty("--at", `${share}%`)
}

// Both images as they lie over each other now, with the key of the colours below.
function save({ frame, below, above, slider, keys, name }) {
  const valueOf = variablesAt(frame)
  const { clientWidth: width, clientHeight: height } = frame
  const [corner, list] = [frame.getBoundingClientRect(), keys.getBoundingClientRect()]
  const share = Number(slider.value) / 100
  const part = share === 1 ? "" : share ? ", left of the line, over the actual mask" : " hidden, over the actual mask"
  const ink = { paper: valueOf("--st-background-color"), text: valueOf("--st-text-color") }
  const picture = emptyPicture(width, height + 12 + list.height, ink, `Outcomes of the pixels of ${name}${part}`)
  const look = { width, height, preserveAspectRatio: "none", style: "image-rendering: pixelated" }
  const image = ({ src }) => element("svg:image", { href: src, ...look })
  const shown = element("svg:svg", { width: width * share, height, overflow: "hidden" }, image(above))
  const tiles = [...keys.querySelectorAll("i")].map(tile => rectangleOf(tile, frame, { fill: tile.style.backgroundColor }))
  const move = { transform: `translate(0 ${corner.y + height + 12 - list.y})` }
  picture.append(image(below), shown, element("svg:g", move, ...wordsOf(keys, frame), ...tiles))
  savePicture(picture, "overlap")
}
