// What the server is told, and whether an answer is still to come.
const REST = 250 // milliseconds after the last key
const PERCENT = 0.01 - 1e-6 // of the rows, but for rounding
const PATIENCE = 3000 // after which a message without an answer is sent again, then after twice as long
const TIMES = 5 // that a message is sent before its answer is no longer waited for

function commit(view) {
  clearTimeout(view.timer)
  view.timer = null
  const { kind, i } = view.cursor
  if (kind === "stop") send(view, { stop: i })
  else if (kind !== "now") send(view, { row: placeOf(view), near: true })
}

// Whether an answer is still to come.
const awaited = view => view.heard < view.sent && view.times <= TIMES

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
  const { density } = view.sheet
  if (density.kind !== "bars") return
  const { left, right } = density
  area.addEventListener("pointermove", event => {
    if (view.drag || event.pointerType === "touch") return
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
