// What a view does in a frame of its own, which reaches nothing around it: it draws, and follows the ground it stands on.
const { id, packed } = JSON.parse(document.getElementById("view-data").textContent)
const unpacking = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream("deflate"))
const shown = await new Response(unpacking).json()
const place = document.getElementById("view")
document.querySelector(".still")?.remove()

// The threshold view. The notebook, where it listens, hears where a hand leaves the line, and says where Python puts it.
function showLine() {
  const say = message => window.parent.postMessage({ evalcore: id, ...message }, "*")
  const line = showThresholdView(place, shown, id ? stop => say({ stop }) : undefined)
  if (!id || window.parent === window) return
  let isHeard = false
  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || data?.evalcore !== id) return
    isHeard = true
    if (data.now) line.show(data.now)
    else if (Number.isInteger(data.stop)) line.stop(data.stop)
  })
  // Who listens may come a little later than the frame, and after a notebook is opened again much later.
  const greet = wait => {
    if (isHeard || wait > 60_000) return
    say({})
    setTimeout(greet, wait, 2 * wait)
  }
  greet(125)
}

// Views whose program draws again whenever something changes.
function showDrawn() {
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const pick = (_, { row, column }) => {
    const isCell = row !== null && column !== null
    Object.assign(shown.drawn, isCell ? { picked: [row, column], chosen: -1 } : { picked: null, chosen: row ?? column })
    draw()
  }
  function draw() {
    const ink = shown.inks[dark.matches ? 1 : 0]
    if (shown.selection) window.evalcoreRankings = { ...shown.selection, ...ink }
    drawView({ data: { ...shown.drawn, ...ink }, parentElement: place, setTriggerValue: pick })
  }
  dark.addEventListener("change", draw)
  draw()
}
