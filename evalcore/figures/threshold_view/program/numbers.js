// The 2×2 at the threshold, with the rates at its sides. A cell that is dragged or stepped takes the line along, to the
// nearest threshold that has its count.
const TALL = 58
const DRAGGED_OVER_CLASS = 160  // pixels

function drawNumbers(view, at) {
  const { cells: box } = at
  const { content: { names }, ink: { turned } } = view // turned: the actual classes in the rows
  const cells = put(view.svg, "g")  // which keys reach, so a screen reader too
  const layer = group(view.svg)
  const side = clamp(box.width * 0.2, 58, 92)
  const last = clamp(box.width * 0.22, 70, 92)
  const wide = (box.width - side - last - 4) / 2
  const left = column => box.left + side + column * (wide + 4)
  const room = box.width - view.tools.childElementCount * (view.camera.offsetWidth + 2) - 8
  const words = `At this threshold${against(view)}`
  const short = view.over.pins && widthOf(words) > room ? `Against ${view.over.pins[0].name}` : words
  view.heading = fitted(short, room, fontOf())
  view.parts.heading = label(layer, box.left, box.heading + 4, view.heading, "grey")
  const head = box.top + 32
  for (const [column, name] of names.entries()) {
    const middle = left(column) + wide / 2
    label(layer, middle, head, fitted(`${turned ? "says" : "actual"} ${name}`, wide, fontOf()), "grey", "middle")
  }
  Object.assign(view.parts, { cells: {}, letters: {}, areas: {}, rates: {} })
  const top = head + 9
  for (const [row, pair] of (turned ? [["tp", "fn"], ["fp", "tn"]] : [["tp", "fp"], ["fn", "tn"]]).entries()) {
    const y = top + row * (TALL + 4)
    label(layer, box.left + side - 9, y + TALL / 2 - 4, turned ? "actual" : "says", "grey", "end")
    label(layer, box.left + side - 9, y + TALL / 2 + 12, fitted(names[row], side - 10, fontOf()), "grey", "end")
    for (const [column, cell] of pair.entries()) {
      const middle = left(column) + wide / 2
      const area = put(cells, "rect", {
        x: left(column), y, width: wide, height: TALL, rx: 6, class: `area cell ${cell}`, tabindex: 0, role: "spinbutton",
      })
      put(area, "title", {}, `Drag up or down, or use the arrow keys: the threshold follows${view.opens ? ". Click to list its rows" : ""}`)
      area.cell = cell
      view.parts.areas[cell] = area
      const error = cell === "fp" || cell === "fn"
      const plate = Math.max(Math.min(wide - 18, 96), 52)
      if (error) put(layer, "rect", { x: middle - plate / 2, y: y + 8, width: plate, height: TALL - 15, rx: 5, class: "paler" })
      view.parts.cells[cell] = label(layer, middle, y + 31, "", `count on-${cell}`, "middle")
      view.parts.letters[cell] = label(layer, middle, y + 47, cell.toUpperCase(), `letters on-${cell}`, "middle")
    }
  }
  const right = box.left + box.width - last + 12
  const below = top + 2 * TALL + 4 + 22
  const rate = (key, words, x, y, anchor) => {
    nameLabel(view, key, x, y, words, "small grey", anchor)
    view.parts.rates[key] = label(layer, x, y + 19, "", "rate", anchor)
    changeLabel(view, layer, key, x, y + 33, anchor)
  }
  const ofAnswers = [["precision", "precision"], ["negative_predictive_value", "NPV"]]
  const ofClasses = [["recall", "recall"], ["specificity", "specificity"]]
  const [beside, under] = turned ? [ofClasses, ofAnswers] : [ofAnswers, ofClasses]
  for (const [row, [key, words]] of beside.entries()) rate(key, words, right, top + row * (TALL + 4) + 24, "start")
  for (const [column, [key, words]] of under.entries()) rate(key, words, left(column) + wide / 2, below, "middle")
  rate("accuracy", "accuracy", right, below, "start")
}

function countsOfStops(view, cell) {
  const counts = (view.content.counts ??= {})
  return (counts[cell] ??= view.content.stops.cells[cell].map(numberOf))
}

// Where the rows of a class are parted: at the line; at the end of the bar it stands in where all of the bar's rows are on
// one side. Told by their counts at the stops around the bar.
function cutOfBars(view, row, left, right) {
  const { density, stops: { x } } = view.content
  const bar = density.kind === "bars" ? density.left.findIndex((from, i) => from < row.x && row.x < density.right[i]) : -1
  if (bar < 0 || row !== view.row) return row.x
  const [before, after] = [x.findLastIndex(place => place <= density.left[bar]), x.findIndex(place => place >= density.right[bar])]
  const count = (cell, stop) => (stop < 0 ? 0 : countsOfStops(view, cell)[stop])
  if (numberOf(row.cells[right]) === count(right, after)) return density.right[bar]
  return numberOf(row.cells[left]) === count(left, before) ? density.left[bar] : row.x
}

function grabCells(view) {
  const other = { tp: "fn", fn: "tp", fp: "tn", tn: "fp" }
  for (const [cell, area] of Object.entries(view.parts.areas)) {
    grab(view, area, point => {
      const { from, offset, row } = view.drag
      const [count, rest] = [cell, other[cell]].map(key => numberOf(row.cells[key]))
      const moved = point.x - offset - from.x - (point.y - from.y)
      return stopWithCount(view, cell, count + (moved / DRAGGED_OVER_CLASS) * (count + rest), row.stop)
    }, true)
    stepped(area, { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }, way => {
      const stop = view.drag ? -1 : nextCount(view, cell, way)
      if (stop >= 0) stepTo(view, { kind: "stop", i: stop })
    })
    stepped(area, { Enter: cell, " ": cell }, pressed => pressCell(view, pressed))
    area.addEventListener("blur", () => settle(view))
  }
}

// Of the stops whose count is nearest to one that was asked for, the nearest to where the line stood.
function stopWithCount(view, cell, count, from) {
  const apart = countsOfStops(view, cell).map(other => Math.abs(other - count))
  const least = Math.min(...apart)
  return placeOfLeast(apart.length, i => (apart[i] === least ? Math.abs(i - from) : NaN))
}

// The nearest stop with the next count above, or below, the one on the screen.
function nextCount(view, cell, way) {
  const here = numberOf(view.row.cells[cell])
  const beyond = countsOfStops(view, cell).filter(count => (count - here) * way > 0)
  const next = way > 0 ? Math.min(...beyond) : Math.max(...beyond)
  return beyond.length ? stopWithCount(view, cell, next, view.row.stop) : -1
}

function paintNumbers(view, row) {
  for (const cell of CELLS) {
    const text = row.cells[cell]
    set(view.parts.areas[cell], { "aria-label": `${cell.toUpperCase()} ${text}`, "aria-valuenow": numberOf(text) })
    const size = text.length > 9 ? 14 : text.length > 6 ? 17 : 22
    set(view.parts.letters[cell], { text: `${cell.toUpperCase()} ${changeOf(row, cell)}`.trim() })
    set(view.parts.cells[cell], { text, style: `font-size: ${size}px` })
  }
  for (const [key, node] of Object.entries(view.parts.rates)) {
    const text = row.texts[key]
    set(node, { text, class: text === UNDEFINED ? UNDEFINED : "rate" })
  }
}

// The name of a measure, which opens its entry; where a view has it twice, keys meet it once.
function nameLabel(view, key, ...about) {
  const link = entryLink(key, "svg:a")
  if (view.named.has(key)) link.setAttribute("tabindex", "-1")
  view.named.add(key)
  view.svg.append(link)
  label(link, ...about)
}
// The rates with their intervals on a line from 0 to 1, and how many rows each rests on.

function drawRates(view, at) {
  const { rates: box } = at
  const layer = group(view.svg)
  view.parts.with = label(layer, box.left, box.top, view.content.with, "grey")
  const [name, value, change] = [80, 58, view.over.pins ? 60 : 0]
  const size = widthOf(view.content.widest, 11) + 6
  const track = { left: box.left + name, right: box.left + box.width - value - change - size - 8 }
  track.width = track.right - track.left
  view.parts.intervals = view.content.rates.map(({ key, name: words, reason }, place) => {
    const y = box.top + 24 + 24 * place
    nameLabel(view, key, box.left, y + 4, words)
    const line = put(layer, "line", { x1: track.left, x2: track.right, y1: y, y2: y, class: "base" })
    const bar = put(layer, "rect", { y: y - 4, height: 8, rx: 2, class: "interval" })
    const dot = put(layer, "rect", { y: y - 6, width: 3, height: 12, rx: 1.5, class: "accent" })
    const tip = put(bar, "title")
    const number = label(layer, track.right + value + 8, y + 4, "", "strong", "end")
    changeLabel(view, layer, key, track.right + value + change + 6, y + 4, "end")
    const n = label(layer, box.left + box.width, y + 4, "", "small grey", "end")
    const missing = `${UNDEFINED}: ${reason}`
    const why = label(layer, track.left, y + 4, fitted(missing, box.width - name, fontOf(11)), "small grey")
    put(why, "title", {}, missing)
    return { key, track, y, line, bar, dot, tip, number, n, why }
  })
}

function paintRates(view, row) {
  for (const { key, track, line, bar, dot, tip, number, n, why } of view.parts.intervals) {
    const known = row.texts[key] !== UNDEFINED
    const { ends, words, n: size } = row.intervals[key]
    for (const node of [line, dot, number, n]) show(node, known)
    show(why, !known)
    show(bar, known && Boolean(ends) && !Number.isNaN(ends[0]))
    if (!known) continue
    set(dot, { x: pixel(track.left + track.width * row.at[key] - 1.5) })
    set(number, { text: row.texts[key] })
    set(n, { text: size })
    if (!ends || Number.isNaN(ends[0])) continue
    const width = pixel(Math.max(track.width * (ends[1] - ends[0]), 2))
    set(bar, { x: pixel(track.left + track.width * ends[0]), width })
    set(tip, { text: `${words[0]} to ${words[1]}` })
  }
}
// What the server is told, and whether an answer is still to come.
const PERCENT = 0.01 - 1e-6 // of the rows, but for rounding
const PATIENCE = 3000 // after which a message without an answer is sent again, then after twice as long

function commit(view, more) {
  clearTimeout(view.timer)
  view.timer = null
  if (view.cursor.kind !== "now" || more) send(view, { ...placed(view), ...more })
}

// Where the line stands, if that is not where the server knows it.
function placed(view) {
  const { kind, i } = view.cursor
  if (kind === "stop") return { stop: i }
  return kind === "now" ? {} : { row: placeOf(view), near: true }
}

// The threshold on the screen goes along: a message that is on its way would be overtaken.
function tellRows(view, rows) {
  view.marked = view.range?.ends ?? rows
  view.range = null
  commit(view, { rows })
  paintRows(view)
}

// What keys have moved is sent before something else begins.
function settle(view) {
  if (view.timer) commit(view)
}

function send(view, message) {
  view.sent = Math.max(view.sent, view.heard) + 1
  view.message = { ...message, of: view.of, n: view.sent }
  view.times = 1
  view.tell(view.message)
  insist(view)
}

// A message may be lost where something else is sent at the same moment; the server ignores one that it has heard.
function insist(view) {
  clearTimeout(view.again)
  if (!awaited(view)) return
  view.again = setTimeout(() => {
    if (awaited(view) && ++view.times <= TIMES) view.tell(view.message)
    insist(view)
  }, PATIENCE * 2 ** (view.times - 1))
}

// What a bar holds, when the pointer rests on it.
function watchBars(view, area) {
  const { density } = view.content
  if (density.kind !== "bars") return
  const { left, right } = density
  area.addEventListener("pointermove", event => {
    if (view.drag || view.parts.trail || event.pointerType === "touch") return
    const point = pointed(view, event)
    const share = (point.x - view.at.plot.left) / view.at.plot.width
    const bar = left.findIndex((from, i) => from <= share && share < right[i])
    if (bar < 0) return hideTip(view)
    view.tip.textContent = density.tips[bar]
    view.tip.hidden = false
    const room = view.root.clientWidth - view.tip.offsetWidth - 4
    view.tip.style.left = `${clamp(point.x + 12, 0, Math.max(room, 0))}px`
    view.tip.style.top = `${point.y + 16}px`
  })
  area.addEventListener("pointerleave", () => hideTip(view))
}

const hideTip = view => { view.tip.hidden = true }
// Pins: a dashed line and open rings where the line stood, and how every number differs from the first of them. What
// differs comes written, like the numbers themselves.

function makePinButton(view) {
  const needle = "M9 3.5h6M10 3.5v7L6.5 14.5h11L14 10.5v-7M12 14.5V21"
  return iconButton(needle, "Pin this threshold (P)", () => pin(view), { class: "tool pin", "aria-keyshortcuts": "P" })
}

// In one message with the place of the line, so that it is pinned where it is seen.
const pin = view => commit(view, { pin: true })

// Behind everything, when all words have their places: rings on the curves, and lines, named where there is room.
function drawGhosts(view, at) {
  const layer = group(view.under)
  const taken = []
  view.parts.ghosts = []
  for (const [place, { name, x: share, at: rates }] of (view.over.pins ?? []).entries()) {
    const kind = place ? "ghost" : "ghost first"
    for (const curve of view.parts.curves.filter(one => one.ring && rates[one.x] !== null && rates[one.y] !== null)) {
      const [cx, cy] = onCurve(curve, rates[curve.x], rates[curve.y])
      put(layer, "circle", { cx, cy, r: 6, class: kind })
    }
    if (share === null) continue
    const x = pixel(across(at, share))
    put(layer, "path", { d: cutAt(view, x), transform: `translate(${x} 0)`, class: kind })
    const words = fitted(name, 140, fontOf(11))
    const width = widthOf(words, 11)
    const left = x + 4 + width > at.plot.right + 8 ? x - 4 - width : x + 4
    if (taken.some(([from, to]) => left < to + 6 && from < left + width + 6)) continue
    taken.push([left, left + width])
    view.parts.ghosts.push({ node: label(layer, left, 11, words, "small grey halo"), left, right: left + width })
  }
}

const against = ({ over }) => (over.pins ? `, against ${over.pins[0].name}` : "")

// A place for what a number differs by, small beside it; nothing where no pin is.
function changeLabel(view, layer, key, x, y, anchor = "start") {
  if (!view.over.pins) return
  const node = label(layer, x, y, "", "small grey", anchor)
  ;(view.parts.changes ??= []).push({ key, node })
}

// By how much a count differs; nothing where it is the same.
const changeOf = ({ changes }, cell) => changes?.cells[cell] ?? ""

function paintChanges(view, row) {
  if (view.pin) {
    const isPinned = (view.over.pins ?? []).some(({ t }) => t === row.t)
    const words = `${isPinned ? "Unpin" : "Pin"} this threshold (P)`
    set(view.pin, { title: words, "aria-label": words, "aria-pressed": String(isPinned) })
  }
  if (!view.over.pins) return
  // A name makes way for the handle.
  const [x, flag] = [across(view.at, row.x), widthOf(row.t, 14, 650) + 40]
  const isLeft = view.parts.flag.current.transform.includes("(-")
  const [from, to] = isLeft ? [x - flag, x + 18] : [x - 18, x + flag]
  for (const { node, left, right } of view.parts.ghosts) show(node, right < from || to < left)
  const isSame = CELLS.every(cell => changeOf(row, cell) === "")
  for (const { key, node } of view.parts.changes ?? []) set(node, { text: isSame ? "" : row.changes.texts[key] })
}

// ", against 0.5: found +12, missed −12, …"
function changeSentence(view, row) {
  const differing = ["tp", "fn", "fp", "tn"].filter(cell => changeOf(row, cell))
  if (!differing.length) return ""
  return `${against(view)}: ${differing.map(cell => `${view.content.words[cell][1]} ${changeOf(row, cell)}`).join(", ")}`
}
