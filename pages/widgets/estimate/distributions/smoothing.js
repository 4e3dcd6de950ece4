// The constant added to each bin: the values of the divergences follow the slider. The server hears of it when it rests.

const instances = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  let instance = instances.get(parentElement)
  if (!instance) {
    const slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Add to each bin" })
    const title = "A constant added to each count of P and of Q (to percentages where shares were typed), so that no bin is empty and no divergence ∞"
    instance = { slider, chosen: element("b"), values: element("p", { class: "values" }) }
    const head = element("p", { title }, "Add to each bin: ", instance.chosen)
    parentElement.querySelector("span").replaceChildren(head, slider, instance.values)
    slider.addEventListener("input", () => show(instance))
    slider.addEventListener("change", () => instance.tell(Number(slider.value)))
    instances.set(parentElement, instance)
  }
  instance.tell = (step) => setTriggerValue("step", step)
  instance.data = data
  withAttributes(instance.slider, { max: data.steps.length - 1 })
  instance.slider.value = data.at
  show(instance)
}

function show({ slider, chosen, values, data }) {
  const step = Number(slider.value)
  const said = Object.entries(data.values).map(([name, texts]) => `${name} ${texts[step]}`)
  withAttributes(slider, { "aria-valuetext": `${data.steps[step]}: ${said.join(", ")}` })
  chosen.textContent = data.steps[step]
  values.replaceChildren(...said.map((text) => element("span", {}, text)))
}
