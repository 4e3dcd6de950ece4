// Hands on the hills: a knob at each mean and one beside it for the spread; on bars, a brush that draws them.
const SIDES = ["positives", "negatives"]

function makeKnobs(view) {
  view.knobs = SIDES.flatMap(side => [knob(view, side, "mean"), knob(view, side, "spread")])
  view.brushes = SIDES.map(side => brush(view, side))
  view.paper = element("div", { class: "paper", hidden: "" })
  listenToPaper(view)
  return [view.paper, ...view.knobs.map(one => one.node), ...view.brushes.map(one => one.node)]
}

function knob(view, side, name) {
  const words = name === "mean" ? `Mean of the ${side}` : `Spread of the ${side}`
  const node = element("div", { class: `knob-of ${name}`, role: "slider", tabindex: "0", "aria-label": words, title: words })
  const [low, high] = view.limits[name]
  withAttributes(node, { "aria-valuemin": low, "aria-valuemax": high })
  const put = value => {
    view.state[side][name] = clamp(Math.round(value * 2) / 2, low, high)
    reshape(view)
  }
  let from
  dragged(node, {
    start: event => {
      settle(view)
      from = { x: pointed(view, event).x, value: view.state[side][name] }
    },
    move: event => put(from.value + ((pointed(view, event).x - from.x) / view.at.plot.width) * (HIGH - LOW)),
    end: () => commit(view),
  })
  stepped(node, { ArrowRight: 0.5, ArrowUp: 0.5, ArrowLeft: -0.5, ArrowDown: -0.5, PageUp: 5, PageDown: -5, Home: -100, End: 100 }, step => {
    put(view.state[side][name] + step)
    rest(view)
  })
  return { node, side, name }
}

function brush(view, side) {
  const node = element("div", { class: "brush", role: "slider", tabindex: "0", "aria-label": `Bars of the ${side}`, "aria-valuemin": 0, "aria-valuemax": 30 })
  const one = { node, side, bar: side === "positives" ? 12 : 8 }
  stepped(node, { ArrowRight: 1, ArrowLeft: -1, Home: -BARS, End: BARS }, step => {
    one.bar = clamp(one.bar + step, 0, BARS - 1)
    placeKnobs(view)
  })
  stepped(node, { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }, step => {
    raise(view, side, one.bar, view.state[side].heights[one.bar] + step)
    reshape(view)
    rest(view)
  })
  return one
}

// One row at least must be somewhere, so the last bar that stands is not taken away.
function raise(view, side, bar, height) {
  const { heights } = view.state[side]
  const alone = heights.every((other, place) => place === bar || !other)
  heights[bar] = clamp(Math.round(height), alone ? 1 : 0, 30)
}

function listenToPaper(view) {
  const { paper } = view
  let last = null
  const draw = event => {
    const { base, unit } = scaleOf(view, view.at)
    const point = pointed(view, event)
    const bar = clamp(Math.floor((LOW + ((point.x - view.at.plot.left) / view.at.plot.width) * (HIGH - LOW)) / WIDTH), 0, BARS - 1)
    const side = last?.side ?? (point.y < base ? "positives" : "negatives")
    const height = ((side === "positives" ? base - point.y : point.y - base) / unit) * 30
    // A fast hand leaves no gap.
    const [from, before] = last ? [last.bar, last.height] : [bar, height]
    const way = Math.sign(bar - from)
    for (let at = from; at !== bar; at += way) raise(view, side, at, before + ((height - before) * (at - from)) / (bar - from))
    raise(view, side, bar, height)
    last = { side, bar, height }
    view.brushes.find(one => one.side === side).bar = bar
    reshape(view)
  }
  dragged(paper, {
    start: event => {
      settle(view)
      draw(event)
    },
    move: draw,
    end: () => {
      commit(view)
      last = null
    },
  })
}

// Knobs and brushes go with what they hold.
function placeKnobs(view) {
  const { at, state, model } = view
  const { base, unit } = scaleOf(view, at)
  const { times } = view.content.density
  view.paper.hidden = !model.drawn
  const { plot, densities } = at
  const left = across(at, shareOf(0))
  Object.assign(view.paper.style, {
    left: `${left}px`, width: `${across(at, shareOf(100)) - left}px`, top: `${densities.top}px`, height: `${densities.height}px`,
  })
  for (const { node, side, name } of view.knobs) {
    node.hidden = model.drawn
    if (model.drawn) continue
    const place = SIDES.indexOf(side)
    const { mean, spread } = state[side]
    const score = name === "mean" ? mean : mean + spread
    const height = [model.one, model.other][place].density(score) * times[place] * unit
    const y = place ? base + height : base - height
    Object.assign(node.style, { left: `${plot.left + plot.width * shareOf(score)}px`, top: `${y}px` })
    withAttributes(node, { "aria-valuenow": state[side][name], "aria-valuetext": `${state[side][name]}` })
  }
  for (const { node, side, bar } of view.brushes) {
    node.hidden = !model.drawn
    if (!model.drawn) continue
    const height = state[side].heights[bar]
    const tall = (height / 30) * unit
    const wide = (plot.width * WIDTH) / (HIGH - LOW)
    Object.assign(node.style, {
      left: `${left + bar * wide}px`, width: `${wide}px`, height: `${Math.max(tall, 6)}px`,
      top: `${side === "positives" ? base - Math.max(tall, 6) : base}px`,
    })
    const words = `${bar * WIDTH} to ${(bar + 1) * WIDTH}: height ${height} of 30`
    withAttributes(node, { "aria-valuenow": height, "aria-valuetext": words, title: words })
  }
}
// Fields, buttons and numbers around the picture.

// A slider and a field for the same number, which `holder` finds in the state; steps of whole numbers keep it whole.
function setting(view, words, holder, name, step, { percent, typed } = {}) {
  const scale = percent ? 100 : 1
  const [low, high] = view.limits[name].map(value => value * scale)
  const look = { min: low, max: high, step }
  const range = element("input", { type: "range", ...look, "aria-label": words })
  const field = element("input", { type: "number", ...look, "aria-label": `${words}, typed` })
  const take = (text, last) => {
    const value = clamp(Number(text), low, high)
    if (text === "" || Number.isNaN(value)) return
    holder()[name] = (Number.isInteger(step) ? Math.round(value) : value) / scale
    reshape(view)
    if (last) commit(view)
  }
  range.addEventListener("input", () => take(range.value))
  range.addEventListener("change", () => take(range.value, true))
  field.addEventListener("change", () => take(field.value, true))
  const label = words.split(" of the ")[0]
  const line = element("div", { class: "setting" }, element("span", {}, label), typed ? element("span") : range, field)
  view.settings.push(() => {
    const text = String(Math.round((holder()[name] ?? 0) * scale * 1e4) / 1e4)
    for (const node of [range, field]) if (node.value !== text && (node === range || view.active() !== field)) node.value = text
  })
  return line
}

function makeControls(view) {
  view.settings = []
  view.active = () => view.frame.getRootNode().activeElement
  const shaped = SIDES.map(side => {
    const of = (words, ...about) => setting(view, `${words} of the ${side}`, () => view.state[side], ...about)
    const lines = [of("Mean", "mean", 0.5), of("Spread", "spread", 0.5), of("Skew", "skew", 0.05)]
    return element("fieldset", { class: "shape" }, element("legend", {}, `${side[0].toUpperCase()}${side.slice(1)}`), ...lines)
  })
  const own = (words, ...about) => setting(view, words, () => view.state, ...about)
  const sample = element("fieldset", {}, element("legend", {}, "Sample"),
    own("Positives, %", "prevalence", 0.5, { percent: true }), own("Rows", "rows", 10), own("Seed", "seed", 1, { typed: true }))
  view.drawHint = element("p", { class: "note" },
    "Above the base line stand the positives, below it the negatives. By keys: Tab to the bars; left and right choose one, up and down change it.")
  return element("div", { class: "controls" }, ...shaped, view.drawHint, sample)
}

function makeTools(view) {
  view.playButton = button("▶ Sweep the threshold", () => toggle(view), { class: "main" })
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
  set(view.modeButton, { text: model.drawn ? "Back to smooth hills" : "Draw bars by hand" })
  view.heightButton.hidden = model.drawn
  set(view.heightButton, { "aria-pressed": String(state.all) })
  set(view.keepButton, { text: state.kept ? "Drop the kept curve" : "Keep this curve" })
  const now = SHAPE(listsOf(state))
  const current = view.presets.findIndex(preset => SHAPE(preset.lists) === now)
  for (const [place, one] of view.presetButtons.entries()) set(one, { "aria-pressed": String(place === current) })
  set(view.look, { text: current < 0 ? "Your own setting. Choose one above to begin anew." : view.presets[current].look })
}

const LINES = ["AUC", "Average precision", "Recall (TPR)", "False alarms (FPR)", "Precision", "F1"]

function makeNumbers(view) {
  const cell = () => element("td")
  view.values = LINES.map(() => [cell(), cell()])
  const head = element("tr", {}, element("th"), ...["This sample", "In theory"].map(words => element("th", { scope: "col" }, words)))
  const rows = LINES.map((words, place) => element("tr", {}, element("th", { scope: "row" }, entryLink(view.measures[place], "a", words)), ...view.values[place]))
  return element("div", { class: "numbers" }, element("table", {}, head, ...rows))
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
    for (const [column, text] of pair.entries()) set(view.values[place][column], { text })
  }
}
