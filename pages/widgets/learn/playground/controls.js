// Fields, buttons and numbers around the picture.

function button(words, press, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, words)
  node.addEventListener("click", press)
  return node
}

// A slider and a field for the same number.
function setting(view, words, name, { get, put, step, percent, typed }) {
  const [low, high] = view.limits[name].map(value => (percent ? value * 100 : value))
  const look = { min: low, max: high, step }
  const range = element("input", { type: "range", ...look, "aria-label": words })
  const field = element("input", { type: "number", ...look, "aria-label": `${words}, typed` })
  const take = (text, last) => {
    const value = Number(text)
    if (text === "" || !Number.isFinite(value)) return
    put(percent ? clamp(value, low, high) / 100 : clamp(value, low, high))
    reshape(view)
    if (last) commit(view)
  }
  range.addEventListener("input", () => take(range.value))
  range.addEventListener("change", () => take(range.value, true))
  field.addEventListener("change", () => take(field.value, true))
  const label = words.split(" of the ")[0]
  const line = element("div", { class: "setting" }, element("span", {}, label), typed ? element("span") : range, field)
  view.settings.push(() => {
    const text = String(Math.round((percent ? get() * 100 : get()) * 1e4) / 1e4)
    for (const node of [range, field]) if (node.value !== text && (node === range || view.active() !== field)) node.value = text
  })
  return line
}

function makeControls(view) {
  view.settings = []
  view.active = () => view.frame.getRootNode().activeElement
  const shaped = SIDES.map(side => {
    const of = (words, name, step) => setting(view, `${words} of the ${side}`, name, {
      get: () => view.state[side][name] ?? 0, put: value => { view.state[side][name] = value }, step,
    })
    const lines = [of("Mean", "mean", 0.5), of("Spread", "spread", 0.5), of("Skew", "skew", 0.05)]
    return element("fieldset", { class: "shape" }, element("legend", {}, `${side[0].toUpperCase()}${side.slice(1)}`), ...lines)
  })
  const own = (words, name, step, more = {}) => setting(view, words, name, {
    get: () => view.state[name], put: value => { view.state[name] = name === "prevalence" ? value : Math.round(value) }, step, ...more,
  })
  const sample = element("fieldset", {}, element("legend", {}, "Sample"),
    own("Positives, %", "prevalence", 0.5, { percent: true }), own("Rows", "rows", 10), own("Seed", "seed", 1, { typed: true }))
  view.drawHint = element("p", { class: "note" },
    "Above the base line stand the positives, below it the negatives. By keys: Tab to the bars; left and right choose one, up and down change it.")
  return element("div", { class: "controls" }, ...shaped, view.drawHint, sample)
}

function makeTools(view) {
  view.playButton = button("▶ Sweep the threshold", () => (view.playing ? pause(view) : play(view)), { class: "main" })
  view.modeButton = button("Draw bars by hand", () => changeMode(view))
  view.heightButton = button("Hills at their true size", () => change(view, { all: !view.state.all }), { title: "Each class as large as its share of the rows" })
  view.keepButton = button("Keep this curve", () => {
    const { positives, negatives, prevalence, kept } = view.state
    change(view, { kept: kept ? null : { positives: copyOf(positives), negatives: copyOf(negatives), prevalence } })
  }, { title: "Leave the curve in theory where it is, to compare others with it" })
  const again = button("Draw the sample again", () => change(view, { seed: (view.state.seed % view.limits.seed[1]) + 1 }))
  return element("div", { class: "tools" }, view.playButton, again, view.modeButton, view.heightButton, view.keepButton)
}

function makePresets(view) {
  view.presetButtons = view.presets.map(preset => button(preset.name, () => {
    settle(view)
    adopt(view, preset.lists)
    view.sent = null
    commit(view)
  }))
  view.look = element("p", { class: "look" })
  return [element("div", { class: "presets", role: "group", "aria-label": "Settings worth a look" }, ...view.presetButtons), view.look]
}

function changeMode(view) {
  const { state } = view
  if (state.positives.heights) {
    const { positives, negatives } = view.hills ?? stateFrom(view.presets[0].lists)
    return change(view, { positives: copyOf(positives), negatives: copyOf(negatives) })
  }
  view.hills = { positives: copyOf(state.positives), negatives: copyOf(state.negatives) }
  return change(view, Object.fromEntries(SIDES.map(side => [side, { heights: heightsOf(state[side]) }])))
}

function change(view, settings) {
  settle(view)
  Object.assign(view.state, settings)
  reshape(view)
  commit(view)
}

const SHAPE = ([positives, negatives, [prevalence, rows], , kept]) => JSON.stringify([positives, negatives, prevalence, rows, kept])

function paintControls(view) {
  const { state, model } = view
  for (const write of view.settings) write()
  for (const fields of view.frame.querySelectorAll(".shape")) fields.hidden = model.drawn
  view.drawHint.hidden = !model.drawn
  set(view.modeButton, "text", model.drawn ? "Back to smooth hills" : "Draw bars by hand")
  view.heightButton.hidden = model.drawn
  set(view.heightButton, "aria-pressed", String(state.all))
  set(view.keepButton, "text", state.kept ? "Drop the kept curve" : "Keep this curve")
  const now = SHAPE(listsOf(state))
  const current = view.presets.findIndex(preset => SHAPE(preset.lists) === now)
  for (const [place, one] of view.presetButtons.entries()) set(one, "aria-pressed", String(place === current))
  set(view.look, "text", current < 0 ? "Your own setting. Choose one above to begin anew." : view.presets[current].look)
}

const LINES = ["AUC", "Average precision", "Recall (TPR)", "False alarms (FPR)", "Precision", "F1"]

function makeNumbers(view) {
  const cell = () => element("td")
  view.values = LINES.map(() => [cell(), cell()])
  const head = element("tr", {}, element("th"), ...["This sample", "In theory"].map(words => element("th", { scope: "col" }, words)))
  const rows = LINES.map((words, place) => element("tr", {}, element("th", { scope: "row" }, entryLink(view.measures[place], "a", words)), ...view.values[place]))
  view.chance = element("p", { class: "note" })
  view.formula = element("p", { class: "note formula" })
  return element("div", { class: "numbers" }, element("table", {}, head, ...rows), view.chance, view.formula)
}

const shareText = (value, of) => (Number.isNaN(value) ? "undefined" : `${(100 * value).toFixed(1)}\u202f%${of ? ` (${of})` : ""}`)

const ofAll = (count, all) => `${apart(count)} of ${apart(all)}`

function paintNumbers(view, row) {
  const { sample, model } = view
  const { tp, fp, fn, tn } = row.counts
  const { recall, fall_out: fallOut, precision } = row.theory
  const f1 = (2 * precision * recall) / (precision + recall)
  const lines = [
    [three(sample.auc), three(model.auc)],
    [three(sample.ap), three(model.ap)],
    [shareText(row.at.recall, ofAll(tp, tp + fn)), shareText(recall)],
    [shareText(row.at.fall_out, ofAll(fp, fp + tn)), shareText(fallOut)],
    [shareText(row.at.precision, ofAll(tp, tp + fp)), shareText(precision)],
    [shareText((2 * tp) / (2 * tp + fp + fn)), shareText(recall ? f1 : 0)],
  ]
  for (const [place, pair] of lines.entries()) {
    for (const [column, text] of pair.entries()) set(view.values[place][column], "text", text)
  }
}

// What does not change with the threshold.
function paintFormula(view) {
  const { state, model, sample } = view
  const reach = 1.959963984540054 * model.error(...sample.sizes)
  const [low, high] = [model.auc - reach, model.auc + reach].map(value => three(clamp(value, 0, 1)))
  set(view.chance, "text", `By chance, about 95\u202f% of samples with ${apart(sample.sizes[0])} positives and ${apart(sample.sizes[1])} negatives have an AUC from ${low} to ${high}.`)
  const { positives: one, negatives: other } = state
  const normal = !model.drawn && !one.skew && !other.skew
  const z = normal && (one.mean - other.mean) / Math.hypot(one.spread, other.spread)
  set(view.formula, "text", normal
    ? `AUC of two normal distributions: Φ((μ₁ − μ₀) / √(σ₁² + σ₀²)) = Φ((${one.mean} − ${other.mean}) / √(${one.spread}² + ${other.spread}²)) = Φ(${z.toFixed(3).replace("-", "−")}) = ${three(model.auc)}`
    : `AUC = ∫ TPR dFPR = ${three(model.auc)}: the area under the curve in theory.`)
}
