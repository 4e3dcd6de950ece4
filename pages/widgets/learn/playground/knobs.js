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
  const put = (value, last) => {
    const shape = view.state[side]
    shape[name] = clamp(Math.round(value * 2) / 2, low, high)
    reshape(view)
    if (last) commit(view)
  }
  let from = null
  node.addEventListener("pointerdown", event => {
    if (event.button !== 0) return
    event.preventDefault()
    settle(view)
    node.focus({ preventScroll: true })
    node.setPointerCapture(event.pointerId)
    from = { x: pointed(view, event).x, value: view.state[side][name] }
  })
  node.addEventListener("pointermove", event => {
    if (from) put(from.value + ((pointed(view, event).x - from.x) / view.at.plot.width) * (HIGH - LOW))
  })
  const end = () => {
    if (from) commit(view)
    from = null
  }
  node.addEventListener("pointerup", end)
  node.addEventListener("pointercancel", end)
  stepped(node, { ArrowRight: 0.5, ArrowUp: 0.5, ArrowLeft: -0.5, ArrowDown: -0.5, PageUp: 5, PageDown: -5, Home: -100, End: 100 }, step => {
    put(view.state[side][name] + step)
    rest(view)
  })
  return { node, side, name }
}

// Keys that step; the link is written a moment after the last one.
function stepped(node, steps, step) {
  node.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in steps)) return
    event.preventDefault()
    step(steps[event.key])
  })
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
  paper.addEventListener("pointerdown", event => {
    if (event.button !== 0) return
    event.preventDefault()
    settle(view)
    paper.setPointerCapture(event.pointerId)
    draw(event)
  })
  paper.addEventListener("pointermove", event => last && draw(event))
  const end = () => {
    if (last) commit(view)
    last = null
  }
  paper.addEventListener("pointerup", end)
  paper.addEventListener("pointercancel", end)
}

// Knobs and brushes go with what they hold.
function placeKnobs(view) {
  const { at, state, model } = view
  const { base, unit } = scaleOf(view, at)
  const { times } = view.sheet.density
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
