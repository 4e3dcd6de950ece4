// The measures against the threshold. The counts of a score hold from just beyond its neighbour on the negative side
// up to itself, so the lines are steps.

function drawSweep(view, at) {
  const { plot, sweep: box } = at
  const { stops, lines } = view.sheet
  const layer = group(view.under)
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const y = pixel(box.top + box.height * (1 - share))
    put(layer, "line", { x1: plot.left, x2: plot.right, y1: y, y2: y, class: share ? "grid" : "base" })
    if (share * 2 === Math.round(share * 2)) label(layer, plot.left - 6, y + 4, String(share), "small grey", "end")
  }
  for (const { key, place } of at.legend.items) {
    const band = view.over.bands[key]
    if (band) put(layer, "path", { d: ribbon(view, at, ...band.map(places)), style: `fill: ${view.ink.lines[place]}`, class: "ribbon" })
  }
  // Told apart without colour: each line is broken in its own way, and named where it has room.
  const dashes = ["none", "8 3", "2 3", "9 3 2 3", "14 4", "5 2 5 7", "9 3 2 3 2 3", "1 5"]
  view.parts.lines = at.legend.items.map(({ key, word, place, x, line }) => {
    const colour = view.ink.lines[place]
    const style = `stroke: ${colour}; stroke-dasharray: ${dashes[place % dashes.length]}`
    put(layer, "path", { d: steps(at, stops.x, stops.at[key], view.sheet.higher), style, class: "measure" })
    return { key, word, colour, style, x, y: at.legend.top + 29 + 18 * line }
  })
  nameLines(view, at, layer)
  if (!lines.length) label(layer, plot.left + 8, box.top + 18, "No measure is chosen.", "grey")
  const area = put(view.svg, "rect", { x: plot.left, y: box.top, width: plot.width, height: box.height, class: "catch plot" })
  // On the line, over everything.
  for (const line of view.parts.lines) {
    line.dot = put(view.svg, "circle", { r: 4, style: `fill: ${line.colour}`, class: "mark" })
  }
  const goal = view.over.goal
  if (goal) {
    const x = across(at, goal.x)
    const mark = put(layer, "path", { d: `M${pixel(x)} ${at.axis.top + 1}l-4.5 7h9z`, class: "goal" })
    put(mark, "title", {}, `best threshold for the goal: ${goal.text}`)
  }
  return area
}

// Each line is named where it is farthest from the others.
function nameLines(view, at, layer) {
  const { x, at: values } = view.sheet.stops
  const { top, height: tall } = at.sweep
  const height = (key, stop) => top + tall * (1 - values[key][stop])
  const places = Array.from({ length: 31 }, (_, i) => at.plot.left + at.plot.width * (i + 2) / 35)
  const stops = places.map(place => x.findIndex(share => across(at, share) >= place)).filter(stop => stop >= 0)
  const named = []
  for (const { key, word } of at.legend.items) {
    const wide = widthOf(word, 11)
    let best = { room: 4 }
    for (const [index, stop] of stops.entries()) {
      const [middle, y] = [across(at, x[stop]), height(key, stop)]
      if (Number.isNaN(y)) continue
      // Beside it too, for a name is wider than a line.
      const around = stops.slice(Math.max(index - 1, 0), index + 2)
      const gaps = at.legend.items.filter(other => other.key !== key)
        .flatMap(other => around.map(near => y - height(other.key, near)))
      const room = Math.min(40, ...gaps.filter(gap => !Number.isNaN(gap)).map(Math.abs))
      const free = named.every(other => Math.abs(other.middle - middle) > (other.wide + wide) / 2 + 6 || Math.abs(other.y - y) > 16)
      const below = y < top + 16 || gaps.some(gap => gap > 0 && gap < 18)
      if (room > best.room && free) best = { room, middle, y: y + (below ? 14 : -5), wide }
    }
    if (best.middle === undefined) continue
    named.push(best)
    label(layer, best.middle, best.y, word, "small halo", "middle")
  }
}

function drawLegend(view, at) {
  const layer = group(view.svg)
  const heading = at.wide ? "Measures against the threshold" : "Measures"
  label(layer, at.plot.left, at.legend.top + 10, heading, "grey halo")
  for (const line of view.parts.lines) {
    const { key, x, y, word, style } = line
    put(layer, "rect", { x: x - 3, y: y - 11, width: widthOf(word) + 78, height: 15, class: "ground" })
    put(layer, "line", { x1: x, x2: x + 14, y1: y - 4, y2: y - 4, style, class: "measure" })
    nameLabel(view, key, x + 19, y, word)
    line.value = label(layer, x + 24 + widthOf(word), y, "", "strong")
  }
}

function steps(at, x, values, higher) {
  const parts = []
  let [before, pen] = [null, false]
  const y = value => pixel(at.sweep.top + at.sweep.height * (1 - value))
  for (let i = 0; i < x.length; i++) {
    // From the stop on the left, or the end of the axis where everything is positive; mirrored where lower is positive.
    const from = higher ? (i ? x[i - 1] : 0) : x[i]
    const to = higher ? x[i] : i + 1 < x.length ? x[i + 1] : 1
    if (Number.isNaN(values[i])) { pen = false; continue }
    const [left, right, height] = [pixel(across(at, from)), pixel(across(at, to)), y(values[i])]
    if (pen && height === before) parts.push(`H${right}`)
    else parts.push(pen ? `V${height}H${right}` : `M${left} ${height}H${right}`)
    ;[before, pen] = [height, true]
  }
  return parts.join("")
}

function ribbon(view, at, low, high) {
  const { x } = view.sheet.stops
  const point = (i, values) => `${pixel(across(at, x[i]))} ${pixel(at.sweep.top + at.sweep.height * (1 - values[i]))}`
  const known = [...low.keys()].filter(i => !Number.isNaN(low[i]) && !Number.isNaN(high[i]))
  if (!known.length) return ""
  return `M${known.map(i => point(i, low)).join("L")}L${known.reverse().map(i => point(i, high)).join("L")}Z`
}

function paintSweep(view, row) {
  const { at, parts } = view
  const values = parts.lines.map(({ key, word }) => `${word} ${row.texts[key]}`)
  set(parts.sweep, "aria-label", `Measures against the threshold, at ${row.t}: ${values.join(", ")}; drag to move it`)
  for (const { key, value, dot } of parts.lines) {
    const height = row.at[key]
    set(value, "text", row.texts[key] === UNDEFINED ? "–" : row.texts[key])
    show(dot, !Number.isNaN(height))
    if (Number.isNaN(height)) continue
    set(dot, "cx", pixel(across(at, row.x)))
    set(dot, "cy", pixel(at.sweep.top + at.sweep.height * (1 - height)))
  }
}
