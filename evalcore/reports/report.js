// Contents that open what they lead to, and one box for all appendices.
document.documentElement.classList.add("scripted")
const all = document.getElementById("all")
all.addEventListener("change", () => {
  for (const fold of document.querySelectorAll(".appendix")) fold.open = all.checked
})
for (const link of document.querySelectorAll("nav a")) {
  // Inside a frame an address of this document would be one of the page around it.
  link.addEventListener("click", event => {
    event.preventDefault()
    const place = document.querySelector(link.hash)
    const fold = place.closest(".appendix")
    if (fold) fold.open = true
    ;(fold ?? place).scrollIntoView()
  })
}

// The threshold view without a server: its table lies in the document, with every threshold it can show.
const held = document.getElementById("threshold-view-data")
if (held) showThresholdView(JSON.parse(held.textContent))

function showThresholdView(data) {
  const place = document.getElementById("live")
  const shadow = place.attachShadow({ mode: "open" })
  shadow.append(element("style", {}, VIEW_STYLE), element("div", { class: "threshold-view" }))
  const view = viewOf(shadow, ".threshold-view", build)
  window.evalcoreThresholdViews = new Map([["report", JSON.stringify(data.view)]])

  const dark = matchMedia("(prefers-color-scheme: dark)")
  const over = JSON.stringify(data.over)
  const state = { heard: 0, answer: null, printed: false }

  function drawAgain() {
    const ink = data.inks[dark.matches && !state.printed ? 1 : 0]
    const message = { view: "report", over, now: data.now, ink, of: "report", heard: state.heard, answer: state.answer }
    drawView({ data: message, parentElement: shadow, setTriggerValue: (_, told) => setTimeout(hear, 0, told) })
  }

  // The place of the line stays while everything else is drawn again.
  function recolour() {
    const { cursor } = view
    drawAgain()
    go(view, cursor)
  }

  // An answer comes later than its question. A stop needs none: its row is here; what is typed is looked for among the
  // thresholds.
  function hear({ typed, n }) {
    state.heard = n
    if (typed === undefined) return
    const wanted = Number(typed.trim().replace(",", ".").replace("−", "-"))
    state.answer = typed.trim() === "" || Number.isNaN(wanted) ? "This report knows thresholds only: type a number." : null
    drawAgain()
    if (state.answer) return
    const { t } = view.content.stops
    go(view, { kind: "stop", i: placeOfLeast(t.length, i => Math.abs(numberOf(t[i]) - wanted)) })
  }

  const numberOf = text => Number(text.replaceAll(THIN, "").replace("−", "-").replace("∞", "Infinity"))

  drawAgain()
  dark.addEventListener("change", recolour)
  // On paper both of its columns, and dark on light.
  for (const [event, printed] of [["beforeprint", true], ["afterprint", false]]) {
    window.addEventListener(event, () => {
      state.printed = printed
      place.style.width = printed ? "720px" : ""
      recolour()
      resize(view)
      paint(view)
    })
  }
}
