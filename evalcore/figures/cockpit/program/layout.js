// Where each part stands on a sheet of some width: two columns, or one under the other on a phone.
const WIDE = 700
const GAP = 40

function measured(view) {
  const width = Math.max(view.root.clientWidth, 280)
  const wide = width >= WIDE
  const right = wide ? clamp(width * 0.36, 290, 410) : width
  const left = wide ? width - right - GAP : width
  const plot = { left: 30, right: left - (wide ? 6 : 8) }
  plot.width = plot.right - plot.left

  const sizes = { densities: wide ? 246 : 232, sweep: wide ? 208 : 176 }
  const notes = view.sheet.density.notes.length ? wrapped(view.sheet.density.notes.join(" · "), plot.width, 11) : []
  const column = { left: wide ? left + GAP : 0, width: right }
  const square = Math.min((right - (wide ? 22 : 26)) / 2, 230)
  const numbers = 324 + square + view.sheet.rates.length * 24
  const legend = { items: legendOf(view, plot) }
  const legendHeight = 42 + (legend.items.at(-1)?.line ?? -1) * 18
  const spreadLines = view.over.spread ? wrapped(view.over.spread.title, plot.width) : []
  const spreadHeight = view.over.spread ? spreadLines.length * 15 + 66 : 0
  if (wide) {
    // Both columns end together.
    const used = 84 + (view.over.promise ? 30 : 0) + notes.length * 15 + spreadHeight + legendHeight + sizes.densities + sizes.sweep
    const more = clamp(numbers + 14 - used, 0, 160)
    sizes.densities += Math.round(more / 2)
    sizes.sweep += Math.round(more / 2)
  }
  let y = 34
  const below = (height, gap = 0) => {
    const top = y
    y += height + gap
    return { top, height }
  }
  const densities = below(sizes.densities, 4)
  const noted = { ...below(notes.length * 15, 6), lines: notes }
  const spread = { ...below(spreadHeight), lines: spreadLines }
  spread.base = spread.top + 15 * spreadLines.length + 30
  Object.assign(legend, below(legendHeight))
  const sweep = below(sizes.sweep)
  const promise = below(view.over.promise ? 30 : 0)
  const axis = below(42)

  column.top = wide ? 14 : y + 18
  const cells = { ...column, heading: column.top }
  const curves = { ...column, top: column.top + 262, square }
  const rates = { ...column, top: curves.top + square + 62 }
  const end = rates.top + 16 + view.sheet.rates.length * 24
  return { width, wide, plot, densities, stacked: [densities, sweep], noted, spread, legend, sweep, promise, axis, cells, curves, rates,
    height: Math.ceil(Math.max(y, end) + 4) }
}

// The names of the measures with room for their values, broken into lines.
function legendOf(view, plot) {
  let [x, line] = [plot.left, 0]
  return view.sheet.lines.map(({ key, word }, place) => {
    const width = widthOf(word) + 84
    if (x > plot.left && x + width > plot.right) [x, line] = [plot.left, line + 1]
    const item = { key, word, place, x, line }
    x += width
    return item
  })
}
