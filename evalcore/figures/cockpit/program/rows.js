// The rates with their intervals on a line from 0 to 1, and how many rows each rests on.

function drawRates(view, at) {
  const { rates: box } = at
  const layer = group(view.svg)
  label(layer, box.left, box.top, view.sheet.with, "grey")
  const name = 80
  const value = 58
  const size = widthOf(view.sheet.widest, 11) + 6
  const track = { left: box.left + name, right: box.left + box.width - value - size - 8 }
  track.width = track.right - track.left
  view.parts.intervals = view.sheet.rates.map(({ key, name: words, reason }, place) => {
    const y = box.top + 24 + 24 * place
    nameLabel(view, key, box.left, y + 4, words)
    const line = put(layer, "line", { x1: track.left, x2: track.right, y1: y, y2: y, class: "base" })
    const bar = put(layer, "rect", { y: y - 4, height: 8, rx: 2, class: "interval" })
    const dot = put(layer, "rect", { y: y - 6, width: 3, height: 12, rx: 1.5, class: "accent" })
    const tip = put(bar, "title")
    const number = label(layer, track.right + value + 8, y + 4, "", "strong", "end")
    const n = label(layer, box.left + box.width, y + 4, "", "small grey", "end")
    const why = label(layer, track.left, y + 4, fitted(`${UNDEFINED}: ${reason}`, box.width - name, 11), "small grey")
    put(why, "title", {}, `${UNDEFINED}: ${reason}`)
    return { key, track, line, bar, dot, tip, number, n, why }
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
    set(dot, "x", pixel(track.left + track.width * row.at[key] - 1.5))
    set(number, "text", row.texts[key])
    set(n, "text", size)
    if (!ends || Number.isNaN(ends[0])) continue
    set(bar, "x", pixel(track.left + track.width * ends[0]))
    set(bar, "width", pixel(Math.max(track.width * (ends[1] - ends[0]), 2)))
    set(tip, "text", `${words[0]} to ${words[1]}`)
  }
}
