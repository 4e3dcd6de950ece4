// The two densities, actual positives up and actual negatives down; the line cuts them into the four outcomes.
const STRIP = 42 // above and below the hills, for words

function drawDensities(view, at) {
  const { plot, densities: box } = at
  const { density, higher } = view.sheet
  const layer = group(view.svg)
  view.parts.dots = []
  view.parts.hills = []
  if (density.kind === "dots") {
    drawDots(view, layer, at)
  } else {
    const [left, right] = higher ? [["fn", "tn"], ["tp", "fp"]] : [["tp", "fp"], ["fn", "tn"]]
    for (const [side, cells] of [["left", left], ["right", right]]) {
      const clipped = put(layer, "g", { "clip-path": `url(#cockpit-${side})` })
      for (const [place, cell] of cells.entries()) {
        view.parts.hills.push([put(clipped, "path", { class: `area ${cell}` }), ["up", "down"][place]])
      }
    }
  }
  view.parts.ground = put(layer, "line", { x1: plot.left, x2: plot.right, class: "base" })
  shapeDensities(view, at)
  const frame = { x: plot.left, y: box.top, width: plot.width, height: box.height }
  return put(view.svg, "rect", { ...frame, class: "catch plot" })
}

// Where hills change under the hand, their outlines alone are written anew.
function shapeDensities(view, at) {
  const { base, ...sides } = view.sheet.density.kind === "dots" ? dotsOf(view, at) : areasOf(view, at)
  for (const [node, side] of view.parts.hills) set(node, "d", sides[side])
  for (const end of ["y1", "y2"]) set(view.parts.ground, end, base)
}

function drawOutcomes(view, at) {
  const { plot, densities: box } = at
  const [positive, negative] = view.sheet.names
  const layer = group(view.svg)
  label(layer, plot.left + 4, box.top + 14, `actual ${positive} ↑`, "small grey halo")
  label(layer, plot.left + 4, box.top + box.height - 6, `actual ${negative} ↓`, "small grey halo")
  for (const [line, words] of at.noted.lines.entries()) {
    label(layer, plot.left, at.noted.top + 11 + 15 * line, words, "small grey halo")
  }
  view.parts.outcomes = Object.fromEntries(CELLS.map(cell => {
    const y = cell === "tp" || cell === "fn" ? box.top + 32 : box.top + box.height - 24
    return [cell, label(layer, 0, y, "", `outcome halo ${cell}-word`)]
  }))
}

const stripOf = at => at.densities.strip ?? STRIP
const roomOf = at => at.densities.height - 2 * stripOf(at)

// How high a share of the tallest bar is, and where the base line lies: each class has the room it needs.
function divided(at, bars, up, down) {
  const [above, below] = [Math.max(up, 0.25), Math.max(down, 0.25)]
  const unit = bars / (above + below)
  return { unit, base: pixel(at.densities.top + stripOf(at) + unit * above) }
}

// The hatching of errors, and what is left and right of the line.
function defs(view, at) {
  const marks = put(view.svg, "defs")
  for (const cell of ["fp", "fn"]) {
    const pattern = put(marks, "pattern", {
      id: `cockpit-${cell}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    })
    put(pattern, "rect", { width: 6, height: 6, class: `${cell} thin` })
    put(pattern, "rect", { width: 2.6, height: 6, class: `${cell} thick` })
  }
  view.parts.clips = {}
  for (const side of ["left", "right"]) {
    const clip = put(marks, "clipPath", { id: `cockpit-${side}` })
    const { top, height } = at.densities
    view.parts.clips[side] = put(clip, "rect", { x: at.plot.left - 20, y: top, width: 0, height })
  }
}

const highest = values => values.reduce((a, b) => Math.max(a, b), 0)

// The outline of each class as a path.
function areasOf(view, at) {
  const { density } = view.sheet
  const { up, down } = density
  const { unit, base } = divided(at, roomOf(at), density.room ?? highest(up), density.room ?? highest(down))
  const path = density.kind === "bars" ? barsPath : smoothPath
  const draw = (heights, sign) => path(at, density, base, [...heights].map(height => height * unit), sign)
  return { base, up: draw(up, 1), down: draw(down, -1) }
}

function barsPath(at, density, base, heights, sign) {
  const { left, right } = density
  const path = heights.map((height, i) => {
    if (!height) return ""
    const [from, to] = [across(at, left[i]), across(at, right[i])]
    const gap = to - from > 5 ? 1 : 0
    // A row is seen, however many stand elsewhere.
    const top = pixel(base - sign * Math.max(height, 1))
    return `M${pixel(from)} ${base}V${top}H${pixel(Math.max(to - gap, from + 1))}V${base}Z`
  })
  return path.join("")
}

function smoothPath(at, density, base, heights, sign) {
  const x = [...density.x].map(share => pixel(across(at, share)))
  return `M${x[0]} ${base}L${x.map((left, i) => `${left} ${pixel(base - sign * heights[i])}`).join("L")}L${x.at(-1)} ${base}Z`
}

function dotsOf(view, at) {
  const { density } = view.sheet
  const bars = roomOf(at)
  const floors = [1, 0].map(side => highest(density.level.map((level, i) => (density.up[i] === side ? level + 1 : 0))))
  const radius = Math.min((at.plot.width * density.width) / 2, bars / (2 * (floors[0] + floors[1] || 1)), 7)
  const free = bars - 2 * radius * (floors[0] + floors[1])
  return { base: pixel(at.densities.top + stripOf(at) + 2 * radius * floors[0] + free / 2), radius }
}

function drawDots(view, layer, at) {
  const { density } = view.sheet
  const { base, radius } = dotsOf(view, at)
  const { x, size } = density
  view.parts.dots = density.stop.map((stop, i) => {
    const sign = density.up[i] ? 1 : -1
    const y = base - sign * (2 * radius * density.level[i] + radius + 1)
    const node = put(layer, "circle", { cx: pixel(across(at, x[i])), cy: pixel(y), r: pixel(radius * 0.86 * size[i]) })
    return { node, stop, up: density.up[i] }
  })
}

function paintDensities(view, row) {
  const { at, parts, sheet } = view
  const x = across(at, row.x)
  set(parts.clips.left, "width", pixel(Math.max(x - at.plot.left + 20, 0)))
  set(parts.clips.right, "x", pixel(x))
  set(parts.clips.right, "width", pixel(Math.max(at.plot.right + 20 - x, 0)))
  for (const { node, stop, up } of parts.dots) {
    const positive = sheet.higher ? stop >= row.stop : stop <= row.stop
    set(node, "class", `dot ${up ? (positive ? "tp" : "fn") : positive ? "fp" : "tn"}`)
  }
  const sides = sheet.higher ? [["fn", "tp"], ["tn", "fp"]] : [["tp", "fn"], ["fp", "tn"]]
  for (const [left, right] of sides) paintOutcomes(view, row, x, left, right)
}

// The two counts of a class, one on each side of the line, pushed back from the ends of the axis.
function paintOutcomes(view, row, x, left, right) {
  const { plot } = view.at
  const counted = cell => `${row.cells[cell]} ${wordFor(view, cell, row)}`
  let words = [left, right].map(cell => `${counted(cell)} (${cell.toUpperCase()})`)
  if (widthOf(words.join(""), 13.5, 650) + 24 > plot.width) words = [left, right].map(counted)
  const [before, after] = words.map(text => widthOf(text, 13.5, 650))
  let end = Math.max(x - 10, plot.left + before + 4)
  let start = Math.min(x + 10, plot.right - after)
  if (start < end + 12) {
    if (end > x - 10) start = end + 12
    else end = start - 12
  }
  for (const [cell, text, place, anchor] of [[left, words[0], end, "end"], [right, words[1], start, "start"]]) {
    const node = view.parts.outcomes[cell]
    set(node, "text", text)
    set(node, "x", pixel(place))
    set(node, "text-anchor", anchor)
  }
}
