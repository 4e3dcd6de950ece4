// The outcomes of the pixels, wiped over the actual mask by a slider. The server hears of it when the slider rests.

const instances = new WeakMap()
const WORDS = { tp: "found", fp: "false alarm", fn: "missed", tn: "dismissed" }

export default function ({ data, parentElement, setTriggerValue }) {
  let instance = instances.get(parentElement)
  if (!instance) {
    instance = { below: element("img", { alt: "" }), above: element("img", { alt: "" }), keys: element("p") }
    instance.slider = element("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": "Outcomes over the actual mask" })
    instance.frame = element("div", { class: "pictures" }, instance.below, instance.above)
    const camera = makeCamera(() => save(instance))
    const ends = element("div", { class: "ends" }, element("span", {}, "actual mask"), instance.slider, element("span", {}, "outcomes"), camera)
    parentElement.querySelector("span").replaceChildren(instance.frame, ends, instance.keys)
    instance.slider.addEventListener("input", () => wipe(instance))
    instance.slider.addEventListener("change", () => instance.tell(Number(instance.slider.value)))
    instances.set(parentElement, instance)
  }
  instance.name = data.name
  instance.tell = (share) => setTriggerValue("wipe", share)
  withAttributes(instance.below, { src: data.actual, alt: `Actual mask of ${data.name}: ${data.note}` })
  withAttributes(instance.above, { src: data.outcomes, alt: `Outcomes of the pixels of ${data.name}: ${data.note}` })
  instance.keys.replaceChildren(
    ...Object.entries(data.colours).map(([outcome, colour]) =>
      element("span", { class: "key" }, element("i", { style: `background: ${colour}` }), WORDS[outcome])
    )
  )
  instance.slider.value = data.wipe
  wipe(instance)
}

function wipe(instance) {
  const share = Number(instance.slider.value)
  instance.above.style.clipPath = `inset(0 ${100 - share}% 0 0)`
  instance.frame.style.setProperty("--at", `${share}%`)
}

// Both images as they lie over each other now, with the key of the colours below.
function save({ frame, below, above, slider, keys, name }) {
  const of = (colour) => getComputedStyle(frame).getPropertyValue(colour).trim()
  const { clientWidth: width, clientHeight: height } = frame
  const [corner, list] = [frame.getBoundingClientRect(), keys.getBoundingClientRect()]
  const share = Number(slider.value) / 100
  const part = share === 1 ? "" : share ? ", left of the line, over the actual mask" : " hidden, over the actual mask"
  const ink = { paper: of("--st-background-color"), text: of("--st-text-color") }
  const picture = emptyPicture(width, height + 12 + list.height, ink, `Outcomes of the pixels of ${name}${part}`)
  const image = ({ src }) => element("svg:image", { href: src, width, height, preserveAspectRatio: "none", style: "image-rendering: pixelated" })
  picture.append(image(below), element("svg:svg", { width: width * share, height, overflow: "hidden" }, image(above)))
  const group = element("svg:g", { transform: `translate(0 ${corner.y + height + 12 - list.y})` }, ...wordsOf(keys, frame))
  for (const tile of keys.querySelectorAll("i")) {
    const box = tile.getBoundingClientRect()
    group.append(element("svg:rect", { x: box.x - corner.x, y: box.y - corner.y, width: box.width, height: box.height, fill: tile.style.backgroundColor }))
  }
  picture.append(group)
  savePicture(picture, "overlap")
}
