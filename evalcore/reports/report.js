// The threshold view without a server: its table lies in the document, with every threshold it can show.
const data = JSON.parse(document.getElementById("threshold-view-data").textContent)
const place = document.getElementById("live")
const shadow = place.attachShadow({ mode: "open" })
shadow.append(element("style", {}, VIEW_STYLE), element("div", { class: "threshold-view" }))
document.documentElement.classList.add("scripted")
window.evalcoreThresholdViews = new Map([["report", JSON.stringify(data.view)]])

const dark = matchMedia("(prefers-color-scheme: dark)")
const over = JSON.stringify(data.over)
const state = { heard: 0, answer: null, printed: false }

function drawn() {
  const ink = data.inks[dark.matches && !state.printed ? 1 : 0]
  const message = { view: "report", over, now: data.now, ink, of: "report", heard: state.heard, answer: state.answer }
  drawView({ data: message, parentElement: shadow, setTriggerValue: (_, told) => setTimeout(hear, 0, told) })
  return instances.get(shadow)
}

// The place of the line stays while everything else is drawn again.
function again() {
  const { cursor } = instances.get(shadow)
  go(drawn(), cursor)
}

// An answer comes later than its question. A stop needs none: its row is here; what is typed is looked for among the thresholds.
function hear({ typed, n }) {
  state.heard = n
  if (typed === undefined) return
  const wanted = Number(typed.trim().replace(",", ".").replace("−", "-"))
  state.answer = typed.trim() === "" || Number.isNaN(wanted) ? "This report knows thresholds only: type a number." : null
  const view = drawn()
  if (state.answer) return
  const apart = view.content.stops.t.map(text => Math.abs(numberOf(text) - wanted))
  go(view, { kind: "stop", i: apart.indexOf(Math.min(...apart.filter(one => !Number.isNaN(one)))) })
}

const numberOf = text => Number(text.replaceAll(THIN, "").replace("−", "-").replace("∞", "Infinity"))

drawn()
dark.addEventListener("change", again)
// On paper both of its columns, and dark on light.
for (const [event, printed] of [["beforeprint", true], ["afterprint", false]]) {
  window.addEventListener(event, () => {
    state.printed = printed
    place.style.width = printed ? "720px" : ""
    again()
    const view = instances.get(shadow)
    resize(view)
    paint(view)
  })
}
