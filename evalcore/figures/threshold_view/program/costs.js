// The knob of costs: "a miss costs [5] false alarms". Where it is open, the cost of every stop stands over the measures,
// with the cheapest one and those within one percent of it; the server answers with all thresholds when it is let go.
// Until it is turned, the best threshold is that of the goal, and no other is marked.
const DECADE = 120 // pixels over which a dragged number grows tenfold
const TURNED = [0.01, 100] // between which hands and keys turn a ratio; what is typed may lie beyond
const NEAR = 0.01

function makeKnob(view) {
  const scales = "M12 4v16M7.5 20h9M4 7h16M5.5 7L3 14a3 3 0 0 0 5 0zM18.5 7L16 14a3 3 0 0 0 5 0z"
  const opener = iconButton(scales, "What does a miss cost?", () => toggleKnob(view), { "aria-pressed": false })
  const input = element("input", { role: "spinbutton", inputmode: "decimal", autocomplete: "off", maxlength: 12, readonly: "" })
  const [line, answer] = [element("div", { class: "cost", hidden: "" }), element("output", { "aria-live": "off" })]
  view.knob = { opener, input, line, answer, open: false, turned: null, mode: null }
  turnable(view)
  // Its words may need more lines than the last time, or fewer.
  new ResizeObserver(() => {
    if (view.knob.open && !view.drag && heightOfCosts(view, view.at.plot) !== view.at.cost.height) draw(view)
  }).observe(line)
  return [opener, line]
}

const costOf = view => view.over.cost ?? { each: [1, 1, 0, 0], price: 1 }
const factorOf = view => (view.content.priced?.share ? 100 : 1) // a share is written in percent
const priceOf = view => view.knob.turned ?? costOf(view).price

function toggleKnob(view) {
  view.knob.open = !view.knob.open
  draw(view)
  if (!view.knob.open) return
  view.knob.input.focus({ preventScroll: true })
  view.knob.line.scrollIntoView({ block: "nearest" })
}

// A change to a goal of costs opens the knob and one to another goal puts it to rest, once nothing newer is under the
// hand or on its way; else it stays as a hand left it. Whether it heard.
function hearCosts(view, isNew) {
  const { knob } = view
  knob.isBehind ||= isNew
  if (!knob.isBehind || knob.isTurning || awaited(view)) return false
  const isGoal = Boolean(view.over.cost)
  if (isGoal !== knob.isGoal) knob.open = isGoal
  Object.assign(knob, { isGoal, turned: null, isBehind: false })
  return true
}

// By hand to the sides, by keys in tenths of a decade, or typed: digits, Enter or a press open it for typing.
function turnable(view) {
  const { input } = view.knob
  let from
  const isTyped = () => !input.readOnly
  const type = () => {
    input.readOnly = false
    input.select()
  }
  const endTyping = isMeant => {
    if (!isTyped()) return
    input.readOnly = true
    const value = numberOf(input.value)
    if (isMeant && value > 0 && value < 1e9) turn(view, value / factorOf(view))
    else paintCosts(view)
    if (isMeant) tellCosts(view)
  }
  dragged(input, {
    start: ({ clientX: x }) => {
      from = { x, price: priceOf(view), moved: false }
      return !isTyped()
    },
    move: ({ clientX }) => {
      const apart = clientX - from.x
      from.moved ||= Math.abs(apart) > 3
      if (from.moved) turn(view, within(view, twoDigits(from.price * 10 ** (apart / DECADE))))
    },
    end: ({ type: kind }) => {
      if (from.moved) tellCosts(view)
      else if (kind === "pointerup") type()
    },
  })
  const step = way => {
    const places = 10 * Math.log10(priceOf(view))
    const next = way > 0 ? Math.floor(places + 0.55) + 1 : Math.ceil(places - 0.55) - 1
    turn(view, within(view, twoDigits(10 ** (next / 10))))
    tellSoon()
  }
  const tellSoon = debounced(() => tellCosts(view), REST)
  input.addEventListener("keydown", event => {
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key]
    if (way && !isTyped()) {
      event.preventDefault()
      step(way)
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (isTyped()) endTyping(true)
      else type()
    } else if (event.key === "Escape") endTyping(false)
    else if (/^[\d.,]$/.test(event.key) && !isTyped()) type()
  })
  input.addEventListener("blur", () => endTyping(true))
}

const twoDigits = value => Number(value.toPrecision(2))
const within = (view, value) => (view.content.priced ? value : clamp(value, ...TURNED))

function turn(view, price) {
  Object.assign(view.knob, { turned: price, isTurning: true })
  view.knob.frame ??= requestAnimationFrame(() => {
    view.knob.frame = null
    paintCosts(view)
    paintLine(view, view.row)
  })
}

function tellCosts(view) {
  view.knob.isTurning = false
  if (view.knob.turned === null || (!awaited(view) && view.knob.turned === view.over.cost?.price)) return
  settle(view)
  send(view, { cost: view.knob.turned })
}

// The cost of each stop: misses and false alarms at their prices, or the amounts of the missed rows.
function costsOfStops(view) {
  const [{ priced }, price] = [view.content, priceOf(view)]
  if (priced) return priced.missed.map((missed, i) => missed + price * priced.alarmed[i])
  const { each } = costOf(view)
  const [fn, fp, tp, tn] = ["fn", "fp", "tp", "tn"].map(cell => countsOfStops(view, cell))
  return fn.map((missed, i) => price * each[1] * missed + each[1] * fp[i] + each[2] * tp[i] + each[3] * tn[i])
}

// Of stops that cost least the one with the fewest errors, of those the strictest; where limits forbid a stop, it is none.
function cheapestStop(view, costs) {
  const inside = view.over.allowed?.inside
  const [fn, fp] = ["fn", "fp"].map(cell => countsOfStops(view, cell))
  let best = -1
  for (const [i, cost] of costs.entries()) {
    if (inside && inside[i] !== "1") continue
    const apart = best < 0 ? -Infinity : cost - costs[best]
    const ties = Math.abs(apart) <= 1e-9 * Math.abs(cost)
    const more = ties ? fn[i] + fp[i] - fn[best] - fp[best] : apart
    if (more < 0 || (more === 0 && view.content.higher)) best = i
  }
  return best
}

function drawCosts(view, at) {
  const { line, opener, open } = view.knob
  opener.setAttribute("aria-pressed", open)
  if (!open) return
  line.style.top = `${at.cost.top}px`
  const layer = group(view.under)
  view.parts.goal ??= put(group(view.svg), "path", { class: "goal" })
  view.parts.cost = {
    band: put(layer, "path", { class: "near" }), curve: put(layer, "path", { class: "costs" }),
    word: label(layer, 0, 0, "cost", "small accent halo", "middle"),
    dot: put(view.svg, "circle", { r: 4, class: "mark accent" }),
  }
  view.under.append(view.parts.names) // words lie over the curve of costs too
  paintCosts(view)
}

// How high the line of the knob is in the width that it has, with room for its answer.
function heightOfCosts(view, plot) {
  const { line, answer, open } = view.knob
  line.hidden = !open
  if (!open) return 0
  sayCosts(view)
  Object.assign(line.style, { left: `${plot.left}px`, width: `${plot.width}px` })
  answer.textContent ||= "–"
  return Math.max(line.offsetHeight + 10, 50)
}

// "A miss costs [5] false alarms", or "A miss costs [its amount], a false alarm [50] [each]".
function sayCosts(view) {
  const { knob, content: { priced, amounts, refused } } = view
  const mode = JSON.stringify([amounts, refused, priced?.name, priced?.share])
  if (mode === knob.mode) return
  knob.mode = mode
  knob.input.title = priced ? "Starts where an average miss costs as many false alarms as before. Type what one costs." : ""
  knob.input.setAttribute("aria-label", priced ? "Cost of a false alarm" : "Cost of a miss, in false alarms")
  const choose = (words, options, chosen, tell, unfit = []) => {
    if (!amounts) return element("span", {}, options[chosen])
    const field = element("select", { "aria-label": words }, ...Object.entries(options).map(([value, text]) => element("option", { value }, text)))
    field.append(...unfit.map(text => element("option", { disabled: "" }, text)))
    field.value = chosen
    field.addEventListener("change", () => {
      settle(view)
      send(view, tell(field.value))
    })
    return field
  }
  const named = each(amounts ?? { [priced?.name]: priced?.name }, name => `its ${name}`)
  const unit = choose("A miss costs", { "": "false alarms", ...named }, priced?.name ?? "", amounts => ({ amounts }), refused)
  knob.unit = unit.firstElementChild ?? unit
  const ways = { sum: "each", share: "% of its amount" }
  const way = () => choose("A false alarm costs", ways, priced.share ? "share" : "sum", to => ({ amounts: priced.name, share: to === "share" }))
  const words = priced ? ["A miss costs", unit, "and a false alarm", knob.input, way()] : ["A miss costs", knob.input, unit]
  knob.line.replaceChildren(element("span", {}, ...words), knob.answer)
}

function paintCosts(view) {
  const { knob, parts, at, content } = view
  if (!parts.cost) return
  const costs = costsOfStops(view)
  const isAnswered = knob.turned === null && view.over.cost
  const best = cheapestStop(view, costs)
  const isOwn = knob.turned === null && view.over.goal
  const { band } = parts.cost
  const { top, height } = at.sweep
  // Resamples are those of the goal before.
  for (const layer of parts.spread ?? []) set(layer, { opacity: isAnswered || knob.turned === null ? 1 : 0.25 })
  Object.assign(parts.cost, { costs, best, low: Math.min(0, ...costs), high: null })
  const limit = costs[best] + NEAR * Math.abs(costs[best])
  const near = isAnswered ? view.over.cost.near : isOwn ? [] : costs.flatMap((cost, i) => (cost <= limit ? [endsOf(content.stops.x, i, content.higher)] : []))
  const bands = near.map(ends => ends.map(x => pixel(across(at, x))))
  set(band, { d: bands.map(([from, to]) => `M${from} ${top}H${Math.max(to, from + 1)}v${height}H${from}z`).join("") })
  if (best >= 0) {
    markGoal(view, isOwn ? view.over.goal.x : content.stops.x[best])
    for (const drawn of parts.curves) {
      if (!drawn.goal || isOwn) continue
      placeGoal(drawn, drawn.xs[best], drawn.ys[best])
    }
  }
  paintCost(view, view.row)
  const price = String(Number((priceOf(view) * factorOf(view)).toPrecision(3)))
  if (knob.input.readOnly) knob.input.value = price
  if (!content.priced) knob.unit.textContent = price === "1" ? "false alarm" : "false alarms"
  const total = content.priced?.rows ?? CELLS.reduce((sum, cell) => sum + countsOfStops(view, cell)[0], 0)
  const cheapest = isAnswered ? view.over.cost.words : best < 0 ? "" : `${content.stops.t[best]} ${isOwn ? "would cost" : "costs"} least: ${numberText((1000 * costs[best]) / total)} per 1${THIN}000 cases`
  const risk = content.risks && !content.priced ? `same as acting when the risk is above ${shareText(1 / (1 + priceOf(view)))}` : ""
  knob.answer.textContent = [cheapest, isAnswered ? view.over.cost.risk : risk].filter(Boolean).join("; ")
  for (const [name, value] of Object.entries({ valuenow: priceOf(view), valuetext: `${price}; ${knob.answer.textContent}` })) {
    knob.input.setAttribute(`aria-${name}`, value)
  }
}

// The curve, and the cost of the current threshold as a dot on it. The measures are as high as calling nothing or all
// positive, whichever costs less, or as the current threshold if it costs more: what costs still more is cut off.
function paintCost(view, row) {
  const { at, content: { stops, higher }, parts: { cost } } = view
  if (!cost?.costs) return
  const { costs, best, low, curve, word, dot } = cost
  const least = Math.max(Math.min(costs[0], costs.at(-1)), row ? costs[row.stop] : -Infinity)
  const high = least > low ? least : Math.max(...costs)
  const y = share => pixel(at.sweep.top + at.sweep.height * (1 - share))
  if (high !== cost.high) {
    const shares = costs.map(each => (high > low ? (each - low) / (high - low) : NaN))
    Object.assign(cost, { high, shares })
    set(curve, { d: steps(at, stops.x, shares, higher) })
    show(word, shares[best] <= 1)
    const text = shares.some(share => share > 1) ? "cost, cut off above" : "cost"
    const half = widthOf(text, 11) / 2
    const x = clamp(across(at, stops.x[best] ?? 0), at.plot.left + half, at.plot.right - half)
    const lowest = y(shares[best] || 0)
    const isFree = place => place < at.sweep.top + at.sweep.height - 4 &&
      view.parts.named.every(one => Math.abs(one.middle - x) > one.wide / 2 + half + 6 || Math.abs(one.y - place) > 13)
    // Below its lowest place the curve is not.
    const down = [16, -6, 30, -20].map(apart => lowest + apart).find(isFree) ?? lowest - 6
    set(word, { x: pixel(x), y: down, text })
    // The line leaves it out where it stands now.
    Object.assign(word.place, { x, y: down, words: shares[best] <= 1 ? text : "" })
    view.parts.beside = null
  }
  const share = row ? cost.shares[row.stop] : NaN
  show(dot, share <= 1)
  if (share <= 1) set(dot, { cx: pixel(across(at, row.x)), cy: y(share) })
}
