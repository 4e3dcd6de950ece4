// The constant added to each bin: the values of the divergences follow the slider. The server hears of it when it rests.

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, "span", build)
  Object.assign(view, { data, tell: step => setTriggerValue("step", step) })
  withAttributes(view.slider, { max: data.steps.length - 1 })
  view.slider.value = data.at
  paint(view)
}

function build(root) {
  const slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Add to each bin" })
  const title = "A constant added to each count of P and of Q (to percentages where shares were typed), " +
    "so that no bin is empty and no divergence ∞"
  const view = { slider, chosen: element("b"), values: element("p", { class: "values" }) }
  root.className = "smoothing"
  root.replaceChildren(element("p", { title }, "Add to each bin: ", view.chosen), slider, view.values)
  slider.addEventListener("input", () => paint(view))
  slider.addEventListener("change", () => view.tell(Number(slider.value)))
  return view
}

function paint({ slider, chosen, values, data }) {
  const step = Number(slider.value)
  const texts = Object.entries(data.values).map(([name, steps]) => `${name} ${steps[step]}`)
  withAttributes(slider, { "aria-valuetext": `${data.steps[step]}: ${texts.join(", ")}` })
  chosen.textContent = data.steps[step]
  values.replaceChildren(...texts.map(text => element("span", {}, text)))
}
