// Samples like the rows, drawn one after the other: hills, curves, lines, counts and the best threshold take their values.
// A short press begins and ends, a long one holds; where motion is unwanted a press goes on to the next sample.
const EASE = 200 // milliseconds from one sample to the next
const STAY = 170 // and at each
const DRAWN = 260 // stops of a line on its way from one sample to the next
const TALLEST = 200 // of the bytes of a smooth density

function makeShake(view) {
  const hills = "M2 17c3-12 6-12 9 0M7 17c3-16 6-16 9 0M13 17c3-10 6-10 9 0"
  const shake = (view.shake = { on: false })
  shake.button = iconButton(hills, "", () => pressShake(view), { class: "tool shake", hidden: "" })
  shake.words = element("p", { class: "samples", role: "status" })
  nameShake(view)
  const holds = event => {
    const moves = event.target.closest(".plot, .handle, .grip, .cell, .tool:not(.shake), form, a")
    if (shake.on && !moves) holdShake(view, event.target.closest(".shake"))
  }
  view.root.addEventListener("keydown", event => keyOfShake(view, event), true)
  view.root.addEventListener("pointerdown", holds)
  return shake.button
}

// What the window hears for the shaking, as long as the view stands in the page.
function listenForShake(view, signal) {
  const { shake } = view
  const release = () => { shake.isHeld = false }
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, release, { signal })
  window.addEventListener("evalcore-threshold-view", () => hearShake(view, shake.offer), { signal })
}

function nameShake({ shake }) {
  const isNext = shake.still && !shake.done
  const words = shake.on ? (isNext ? "Next sample" : "Stop shaking") : "Shake: 30 samples like this one (S)"
  withAttributes(shake.button, { title: words, "aria-label": words, "aria-pressed": shake.on })
}

function holdShake({ shake }, onButton) {
  if (!shake.isHeld) shake.pressed = onButton ? performance.now() : null
  shake.isHeld = true
}

function pressShake(view) {
  const { shake } = view
  const wasLong = shake.pressed && performance.now() - shake.pressed > HELD
  shake.pressed = null
  if (!shake.on) beginShake(view)
  else if (shake.still && !shake.done && !wasLong) stepShake(view, 1)
  else if (shake.still || shake.done || !wasLong) endShake(view)
}

function keyOfShake(view, event) {
  const { shake } = view
  const isElsewhere = event.target.matches("input, select, button:not(.shake)")
  if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere || shake.button.hidden) return
  const onButton = event.target === shake.button
  const key = event.key.toLowerCase()
  const act = {
    s: () => (shake.on ? endShake(view) : beginShake(view)),
    escape: () => endShake(view),
    " ": () => holdShake(view, onButton),
    arrowright: () => stepShake(view, 1),
    arrowleft: () => stepShake(view, -1),
  }[key]
  const isOurs = key === "s" || (shake.on && !view.drag && (onButton || !key.startsWith("arrow")))
  if (!act || !isOurs) return
  act()
  if (key === " " && onButton) return // let go, it presses the button
  event.preventDefault()
  event.stopPropagation()
}

// The server names the samples when it is asked for some; without a server they may be there from the start.
function hearShake(view, offer) {
  const { shake } = view
  shake.offer = offer
  shake.button.hidden = !offer
  if (!offer || (!offer.alone && awaited(view))) return
  const { name, alone } = offer
  if (!name && shake.on) settleShake(view)
  const text = window.evalcoreTexts?.get(name)
  if (!text || name === shake.name) return
  shake.name = name
  unpackShake(text).then(data => {
    if (name !== shake.name) return
    shake.data = data
    if (shake.isWanted || !alone) startShake(view)
  })
}

function beginShake(view) {
  view.shake.isWanted = true
  if (view.shake.data) startShake(view)
  else if (!view.shake.offer.alone) commit(view, { shake: true })
}

function startShake(view) {
  const { shake } = view
  Object.assign(shake, { on: true, done: false, isWanted: false, at: 0, from: 0, shown: 1, since: performance.now() })
  shake.still = matchMedia("(prefers-reduced-motion: reduce)").matches
  showShake(view, "")
  beat(view)
}

function endShake(view) {
  if (!view.shake.offer.alone) commit(view, { shake: false })
  settleShake(view)
}

function settleShake(view) {
  dropShake(view, !view.shake.offer.alone)
  settleShapes(view)
  showShake(view, "")
}

// Samples of other rows or of other measures do not fit what is about to be drawn.
function dropShake(view, alsoSamples = true) {
  const { shake } = view
  Object.assign(shake, { on: false, done: false, still: false, isWanted: false })
  if (alsoSamples) Object.assign(shake, { name: null, data: null })
  shake.words.textContent = ""
  nameShake(view)
}

function stepShake(view, way) {
  const { shake } = view
  const at = shake.at + way
  if (shake.done || at < 0) return
  if (at >= shake.data.samples) return finishShake(view)
  Object.assign(shake, { still: true, at, from: at, shown: Math.max(shake.shown, at + 1) })
  // Who steps by hand may be who hears it.
  showShake(view, `Sample ${at + 1} at ${sentence(view, sampleRow(view))}.`)
}

// At the end the rows themselves stand there again, with a tick for each sample and a sentence about all of them.
function finishShake(view) {
  Object.assign(view.shake, { done: true, still: false })
  settleShapes(view)
  showShake(view, rangeSentence(view))
}

function showShake(view, words) {
  view.shake.words.textContent = words
  nameShake(view)
  paint(view)
}

// A frame: on the way to a sample, or at one, where nothing is drawn again.
function beat(view) {
  const { shake } = view
  if (!shake.on || shake.done || shake.still || !view.root.isConnected) return
  cancelAnimationFrame(shake.frame)
  shake.frame = requestAnimationFrame(() => beat(view))
  const now = performance.now()
  const time = now - shake.since
  if (time < EASE || !shake.arrived) {
    shake.arrived = time >= EASE
    paint(view)
  } else if (shake.isHeld) {
    shake.since = now - EASE
  } else if (time > EASE + STAY) {
    if (shake.at + 1 === shake.data.samples) return finishShake(view)
    Object.assign(shake, { from: shake.at, at: shake.at + 1, shown: shake.at + 2, since: now, arrived: false })
  }
}

// "In 30 samples recall was between 83.1 and 92.4 %; 95 % interval 82.6–91.5 % (Wilson)."
function rangeSentence({ shake: { data }, row, content }) {
  const key = content.rates.map(rate => rate.key).find(one => row.texts[one] !== UNDEFINED)
  const values = key ? data.all.map(sample => readerOf(data, key, sample)(row.stop)).filter(value => !Number.isNaN(value)) : []
  if (!values.length) return ""
  const [low, high] = [Math.min(...values), Math.max(...values)].map(shareText)
  const some = values.length < data.samples ? `${values.length} of ${data.samples}` : data.samples
  const bare = text => text.replace(`${THIN}%`, "")
  const range = `In ${some} samples ${data.names[key]} was between ${bare(low)} and ${high}`
  const { words, ends } = row.intervals[key]
  const interval = words && !Number.isNaN(ends[0]) ? `; ${data.interval} ${bare(words[0])}–${words[1]} (${data.method})` : ""
  return `${range}${interval}.`
}

// Counts come as steps from stop to stop, and each byte of all of them by itself.
async function unpackShake(text) {
  const data = JSON.parse(text)
  const { samples, length, unit } = data
  const count = 2 * samples * length
  const bytesIn = async packed => new Uint8Array(await inflated(packed).arrayBuffer())
  const bytes = await bytesIn(data.packed)
  const hits = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    for (let plane = 0; plane * count < bytes.length; plane++) hits[i] += bytes[plane * count + i] * 256 ** plane
    if (i % length) hits[i] += hits[i - 1]
  }
  const counts = hits.map(hit => hit * unit)
  const side = at => counts.subarray(at * length, (at + 1) * length)
  data.all = Array.from({ length: samples }, (_, k) => ({ tp: side(2 * k), fp: side(2 * k + 1), before: k, to: k, share: 1 }))
  for (const [key, packed] of Object.entries(data.others)) {
    data.others[key] = new Float32Array((await bytesIn(packed)).buffer)
  }
  if (data.smooth) data.smooth = await bytesIn(data.smooth)
  return data
}

// The sample of this frame: one of them, or on the way between two.
function sampleNow({ data, at, from, since, still, arrived }) {
  const way = still || arrived || at === from ? 1 : clamp((performance.now() - since) / EASE, 0, 1)
  if (way === 1) return data.all[at]
  const share = eased(way)
  const between = side => data.all[at][side].map((hits, i) => mixed(data.all[from][side][i], hits, share))
  return { tp: between("tp"), fp: between("fp"), before: from, to: at, share }
}

const mixed = (a, b, share) => (share === 1 ? b : a + (b - a) * share)

// A measure of a sample, by the stop: a quotient of sums of counts, or what Python has sent.
function readerOf({ stops, terms, others }, key, { tp, fp, before, to, share }) {
  if (!terms[key]) {
    const [values, many] = [others[key], stops.length]
    return stop => mixed(values[before * many + stop], values[to * many + stop], share)
  }
  const [above, below] = terms[key]
  const last = tp.length - 1
  return stop => {
    const [hits, alarms] = [tp[stops[stop]], fp[stops[stop]]]
    const sum = times => times[0] * hits + times[1] * alarms + times[2] * (tp[last] - hits) + times[3] * (fp[last] - alarms)
    return sum(above) / sum(below)
  }
}

// What stands at the threshold while it shakes: the sample's counts and rates, and the interval of the rows themselves.
function sampleRow(view) {
  const { shake, row, parts } = view
  const isMoving = shake.on && !shake.done
  set(parts.heading, { text: isMoving ? `Sample ${shake.at + 1} of ${shake.data.samples}` : view.heading })
  show(parts.with, !shake.words.textContent)
  // Intervals are of the rows themselves, and so no number of rows stands beside a sample's rates.
  set(parts.with, { text: isMoving ? view.content.sampled : view.content.with })
  drawTrail(view)
  if (!isMoving) return row
  const { data } = shake
  const [drawn, exact] = [sampleNow(shake), data.all[shake.at]]
  shapeSample(view, drawn)
  const [tp, fp] = [exact.tp, exact.fp].map(hits => hits[data.stops[row.stop]])
  const cells = { tp, fp, fn: exact.tp.at(-1) - tp, tn: exact.fp.at(-1) - fp }
  const textOf = (_, key) => {
    const value = readerOf(data, key, exact)(row.stop)
    return data.percent.includes(key) ? shareText(value) : numberText(value)
  }
  const at = each(row.at, (_, key) => readerOf(data, key, drawn)(row.stop))
  const intervals = each(row.intervals, interval => ({ ...interval, n: "" }))
  return { ...row, at, intervals, changes: null, cells: each(cells, count => countText(Number(count.toFixed(9)))), texts: each(row.texts, textOf) }
}

function shapeSample(view, sample) {
  const { at, parts, content, row, shake: { data, at: place } } = view
  const every = sample.share === 1 ? 1 : Math.ceil(data.stops.length / DRAWN)
  const drawn = [...data.stops.keys()].filter(stop => stop % every === 0 || stop === row.stop || stop === data.stops.length - 1)
  const columns = {}
  const column = key => (columns[key] ??= drawn.map(readerOf(data, key, sample)))
  shapeHills(view, sample)
  const best = data.best[place]
  const reads = key => (best < 0 ? NaN : readerOf(data, key, data.all[place])(best))
  for (const curve of parts.curves.filter(one => one.whole)) {
    set(curve.whole, { d: traced({ ...curve, xs: column(curve.x), ys: column(curve.y), points: null }), class: "curve" })
    set(curve.value, { text: data.areas[curve.key][place] })
    if (curve.kept) show(curve.kept, false)
    if (curve.goal) placeGoal(curve, reads(curve.x), reads(curve.y))
  }
  const { x } = content.stops
  for (const { key, path } of parts.lines) {
    set(path, { d: steps(at, drawn.map(stop => x[stop]), column(key), content.higher) })
  }
  if (parts.goal) markGoal(view, best < 0 ? NaN : x[best])
}

function shapeHills(view, sample) {
  const { at, parts, content, shake: { data } } = view
  const { density } = content
  if (density.kind === "dots") {
    // As large as often its row was drawn; rows of one score are not told apart.
    const strict = content.higher ? 1 : -1
    for (const [i, { node, stop, up }] of parts.dots.entries()) {
      const [hits, own] = [up ? sample.tp : sample.fp, countsOfStops(view, up ? "tp" : "fp")]
      const place = data.stops[stop]
      sizeDot(view, node, i, Math.sqrt((hits[place] - hits[place - 1]) / (own[stop] - own[stop + strict])))
    }
    return
  }
  const heights = density.kind === "smooth" ? smoothHeights : barHeights
  shapeDensities(view, at, { up: heights(data, sample, "tp"), down: heights(data, sample, "fp") })
}

function barHeights({ bars: [strict, lax], share, top }, sample, side) {
  const hits = sample[side]
  const whole = top * (share ? hits.at(-1) || 1 : 1)
  return lax.map((place, i) => (hits[place] - hits[strict[i]]) / whole)
}

function smoothHeights({ smooth, samples }, { before, to, share }, side) {
  const many = smooth.length / (2 * samples)
  const heights = sample => smooth.subarray((2 * sample + (side === "fp")) * many, (2 * sample + (side === "fp") + 1) * many)
  const [from, there] = [heights(before), heights(to)]
  return Array.from(there, (height, i) => mixed(from[i], height, share) / TALLEST)
}

function sizeDot(view, node, i, times = 1) {
  set(node, { r: pixel(dotsOf(view, view.at).radius * 0.86 * view.content.density.size[i] * times) })
}

// The rows themselves again.
function settleShapes(view) {
  const { at, parts, content, over: { goal } } = view
  shapeDensities(view, at)
  for (const [i, { node }] of parts.dots.entries()) sizeDot(view, node, i)
  for (const curve of parts.curves.filter(one => one.whole)) {
    shapeCurve(view, curve)
    set(curve.whole, { class: curve.kept ? "curve faint" : "curve" })
    if (curve.kept) show(curve.kept, true)
    if (curve.goal) placeGoal(curve, ...goalOn(curve, goal))
  }
  for (const { key, path } of parts.lines) set(path, { d: steps(at, content.stops.x, content.stops.at[key], content.higher) })
  if (goal) markGoal(view, goal.x)
}

// A tick for each sample until now, over the bars of the rates and at the foot of the measures.
function drawTrail(view) {
  const { at, parts, content, row, shake } = view
  if (!shake.on) {
    parts.trail?.layer.remove()
    parts.trail = null
    return
  }
  if (!parts.trail) {
    const layer = group(view.svg)
    const line = kind => put(layer, "path", { class: `trail ${kind}` })
    parts.trail = { layer, best: line("of-goal"), rates: parts.intervals.map(() => line("")) }
  }
  const key = `${shake.shown} ${row.stop}`
  if (parts.trail.key === key) return
  parts.trail.key = key
  const { data } = shake
  const ticks = (places, y, tall) => places.filter(x => !Number.isNaN(x)).map(x => `M${pixel(x)} ${pixel(y)}v${tall}`).join("")
  for (const [i, { key: rate, track, y }] of parts.intervals.entries()) {
    const places = data.all.slice(0, shake.shown).map(sample => track.left + track.width * readerOf(data, rate, sample)(row.stop))
    set(parts.trail.rates[i], { d: ticks(places, y - 9.5, 4.5) })
  }
  const chosen = parts.goal ? data.best.slice(0, shake.shown).filter(stop => stop >= 0) : []
  set(parts.trail.best, { d: ticks(chosen.map(stop => across(at, content.stops.x[stop])), at.axis.top + 1, 7) })
}

// The sentence about the samples takes the place of the words over the rates.
function placeShake(view, { rates: { left, top, width }, height }) {
  Object.assign(view.shake.words.style, { left: `${left}px`, width: `${width}px`, bottom: `${height - top - 4}px` })
}
