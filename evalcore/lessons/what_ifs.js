// What a reader can change in the state of a step: counts, a matrix of classes, a slider or a choice of pictures, a
// threshold, and the playground. Each is drawn once, in the place that its step gives it.
const typedNumber = (attributes, take) => {
  const field = element("input", { type: "number", min: 0, ...attributes })
  field.addEventListener("input", () => take(Math.max(Number(field.value) || 0, 0), field))
  return field
}

const WHAT_IFS = {
  counts({ cells, names, measure, asks }, place, { measures, shown }) {
    const counts = [...cells]
    const inputs = ["TP", "FP", "FN", "TN"].map((words, at) => typedNumber({ step: "any", "aria-label": words }, (value, field) => {
      counts[at] = value
      paint(field)
    }))
    const slider = element("input", { type: "range", min: 0.1, max: 99.9, step: 0.1 })
    const share = element("output")
    const values = Object.fromEntries([...new Set([measure, ...shown])].filter(key => measures[key]).map(key => [key, element("b")]))
    const paint = typed => {
      for (const [at, input] of inputs.entries()) if (input !== typed) input.value = Number(counts[at].toFixed(1))
      for (const [key, node] of Object.entries(values)) {
        const value = MEASURES[key](counts)
        node.textContent = measures[key][1] ? shareText(value) : indexText(value)
      }
      const now = MEASURES.prevalence(counts)
      share.textContent = shareText(now)
      if (typed !== slider) slider.value = 100 * now
    }
    // Recall and specificity describe the test: they stay while other people are tested.
    slider.addEventListener("input", () => {
      const [total, now] = [sum(cells), slider.value / 100]
      const [recall, specificity] = [MEASURES.recall(cells), MEASURES.specificity(cells)]
      const [ill, healthy] = [total * now, total * (1 - now)]
      counts.splice(0, 4, ill * recall, healthy * (1 - specificity), ill * (1 - recall), healthy * specificity)
      paint(slider)
    })
    const cell = (at, kind) => element("td", { class: kind }, inputs[at], element("small", {}, kind.toUpperCase()))
    const row = (words, ...cells) => element("tr", {}, element("th", { scope: "row" }, words), ...cells)
    const head = names.map(name => element("th", { scope: "col" }, `actual ${name}`))
    place.append(
      element("p", { class: "grey small" }, `What if? Change any number, or move the prevalence${asks ? "" : ": recall and specificity stay"}.`),
      element("table", { class: "frame" }, element("tr", {}, element("td"), ...head),
        row(`says ${names[0]}`, cell(0, "tp"), cell(1, "fp")), row(`says ${names[1]}`, cell(2, "fn"), cell(3, "tn"))),
      element("label", { class: "slider" }, "Prevalence", slider, share),
      element("ul", { class: "values" }, ...Object.entries(values).map(([key, node]) => element("li", { class: key === measure ? "chosen" : "" }, `${measures[key][0]} `, node))),
      button("Back to the data", () => {
        counts.splice(0, 4, ...cells)
        paint()
      }))
    paint()
  },
  frames({ label, start, frames, names }, place) {
    const shown = element("div")
    const show = at => { shown.innerHTML = frames[at].join("") }
    const control = names ? element("select", {}, ...names.map((name, value) => element("option", { value }, name))) : element("input", { type: "range", min: 0, max: frames.length - 1 })
    control.value = start
    control.addEventListener("input", () => show(Number(control.value)))
    const step = way => () => {
      control.value = Number(control.value) + way
      show(Number(control.value))
    }
    const hands = names ? [] : [button("Back", step(-1)), button("Next", step(1))]
    place.append(element("div", { class: "slider" }, element("label", { class: "slider" }, label, control), ...hands), shown)
    show(start)
  },
  classes({ names, counts }, place) {
    const cells = counts.map(row => [...row])
    const shown = element("div", { class: "table" })
    const sums = of => cells.map((_, i) => sum(cells.map((_, j) => of(i, j))))
    const paint = () => {
      const [actual, called] = [sums((i, j) => cells[i][j]), sums((i, j) => cells[j][i])]
      const all = sum(actual)
      const tables = cells.map((row, i) => [row[i], called[i] - row[i], actual[i] - row[i], all - actual[i] - called[i] + row[i]])
      const keys = ["precision", "recall", "f_beta"]
      const each = tables.map(table => keys.map(key => MEASURES[key](table)))
      const micro = keys.map(key => MEASURES[key](tables.reduce((a, b) => a.map((one, i) => one + b[i]))))
      const mean = weights => keys.map((_, at) => sum(each.map((row, i) => row[at] * weights[i])) / sum(weights))
      const line = (name, values) => element("tr", {}, element("th", { scope: "row" }, name), ...values.map((value, at) => element("td", { class: "number" }, at < 2 ? shareText(value) : indexText(value))))
      const head = ["", "precision", "recall", "F1"].map(text => element("th", { scope: "col", class: "number" }, text))
      const lines = [...names.map((name, i) => line(name, each[i])), line("micro", micro), line("macro", mean(names.map(() => 1))), line("weighted", mean(actual))]
      shown.replaceChildren(element("table", {}, element("tr", {}, ...head), ...lines))
    }
    const input = (i, j) => element("td", { class: i === j ? "tp" : "" },
      typedNumber({ value: cells[i][j], "aria-label": `actual ${names[i]}, called ${names[j]}` }, value => {
        cells[i][j] = value
        paint()
      }))
    const head = element("tr", {}, element("td"), ...names.map(name => element("th", { scope: "col" }, `called ${name}`)))
    const rows = names.map((name, i) => element("tr", {}, element("th", { scope: "row" }, `actual ${name}`), ...names.map((_, j) => input(i, j))))
    place.append(element("p", { class: "grey small" }, "What if? Change any number."), element("div", { class: "table" }, element("table", { class: "frame" }, head, ...rows)), shown)
    paint()
  },
  view({ data }, place, _, name) {
    const live = element("div", { class: "live-view" })
    place.append(element("p", { class: "grey small" }, "Drag the line; arrow keys move it by one step."), live)
    showThresholdView(live, data, undefined, `lesson ${name}`)
  },
  playground({ lists }, place, { inks, playground }) {
    const root = place.attachShadow({ mode: "open" })
    root.append(element("style", {}, playground.style), markup("div", "<span></span>", { class: "playground" }))
    const dark = matchMedia("(prefers-color-scheme: dark)")
    const state = { lists }
    const tell = (_, now) => { state.lists = now }
    const draw = () => drawPlayground({ data: { ...playground, ...state, zoom: 1, ink: inks[dark.matches ? 1 : 0] }, parentElement: root, setTriggerValue: tell })
    dark.addEventListener("change", draw)
    draw()
  },
}
