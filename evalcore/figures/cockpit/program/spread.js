// Where the best threshold falls when the rows are drawn again.
function drawSpread(view, at) {
  const { spread } = view.over
  if (!spread) return
  const layer = group(view.under)
  const { base } = at.spread
  for (const [share, height] of spread.bars) {
    const tall = Math.max(26 * height, 1)
    put(layer, "rect", { x: pixel(across(at, share) - 1.5), y: pixel(base - tall), width: 3, height: pixel(tall), class: "little" })
  }
  for (const [from, to] of spread.plateau) {
    put(layer, "rect", { x: pixel(across(at, from)), y: base + 1, width: pixel(Math.max(across(at, to) - across(at, from), 2)), height: 2, class: "little" })
  }
  const [from, to] = spread.ends.map(share => across(at, share))
  put(layer, "rect", { x: pixel(from), y: base + 4, width: pixel(Math.max(to - from, 3)), height: 4.5, rx: 2, class: "accent" })
}

function drawSpreadWords(view, at) {
  const { spread } = view.over
  if (!spread) return
  const { top, lines, base } = at.spread
  const layer = group(view.svg)
  for (const [line, words] of lines.entries()) label(layer, at.plot.left, top + 11 + 15 * line, words, "grey halo")
  const [from, to] = spread.ends.map(share => across(at, share))
  const half = widthOf(spread.range, 11) / 2
  const middle = clamp((from + to) / 2, at.plot.left + half, at.plot.right - half)
  label(layer, middle, base + 22, spread.range, "small accent halo", "middle")
}
