// The outcomes of the pixels, wiped over the actual mask by a slider. The server hears of it when the slider rests.

const instances = new WeakMap()
const WORDS = { tp: "true positive", fp: "false positive", fn: "false negative", tn: "true negative" }

export default function ({ data, parentElement, setTriggerValue }) {
  let instance = instances.get(parentElement)
  if (!instance) {
    instance = { below: element("img", { alt: "" }), above: element("img", { alt: "" }), keys: element("p") }
    instance.slider = element("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": "Outcomes over the actual mask" })
    instance.frame = element("div", { class: "pictures" }, instance.below, instance.above)
    const ends = element("div", { class: "ends" }, element("span", {}, "actual mask"), instance.slider, element("span", {}, "outcomes"))
    parentElement.querySelector("span").replaceChildren(instance.frame, ends, instance.keys)
    instance.slider.addEventListener("input", () => wipe(instance))
    instance.slider.addEventListener("change", () => instance.tell(Number(instance.slider.value)))
    instances.set(parentElement, instance)
  }
  instance.tell = (share) => setTriggerValue("wipe", share)
  withAttributes(instance.below, { src: data.actual, alt: `Actual mask of ${data.name}` })
  withAttributes(instance.above, { src: data.outcomes, alt: `Outcomes of the pixels of ${data.name}` })
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
