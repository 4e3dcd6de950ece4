// What limits forbid, and where they hold on new rows.

// Grey over what limits forbid, behind the densities and the measures.
function drawShades(view, at) {
  const allowed = view.over.allowed
  if (!allowed) return
  for (const part of [at.densities, at.sweep]) {
    for (const [left, right] of allowed.shades) {
      const [from, to] = [across(at, left), across(at, right)]
      put(view.under, "rect", { x: from, y: part.top, width: to - from, height: part.height, class: "shade" })
    }
  }
}

function drawShadeWords(view, at) {
  const widest = view.over.allowed?.shades.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]))[0]
  if (!widest) return
  const from = across(at, widest[0])
  const words = view.over.allowed.words
  const free = at.plot.right - widthOf(words, 11) - 6
  const x = Math.min(from + 6, free)
  label(view.svg, Math.max(x, at.plot.left + 4), at.sweep.top + at.sweep.height - 8, words, "small grey halo")
}

// Where the limits hold on new rows too: a bar with ends, under the measures.
function drawPromise(view, at) {
  const { promise } = view.over
  if (!promise) return
  const layer = group(view.svg)
  const y = at.promise.top + 9
  for (const range of promise.ranges) {
    const [from, to] = range.map(share => pixel(across(at, share)))
    put(layer, "path", { d: `M${from} ${y - 5}v10M${from} ${y}H${Math.max(to, from + 2)}M${Math.max(to, from + 2)} ${y - 5}v10`, class: "promise" })
  }
  const [from, to] = promise.ranges.length ? [promise.ranges[0][0], promise.ranges.at(-1)[1]] : [0.5, 0.5]
  const words = fitted(promise.words, at.plot.width, 11)
  const half = widthOf(words, 11) / 2
  const middle = clamp(across(at, (from + to) / 2), at.plot.left + half, Math.max(at.plot.right - half, at.plot.left + half))
  label(layer, middle, y + 17, words, "small halo", "middle")
}
