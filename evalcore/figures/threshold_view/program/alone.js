// The threshold view without a server: its data hold every threshold that it can show. `tell` hears of each stop at which
// a hand leaves the line. Each view on a page has a name of its own.
function showThresholdView(place, data, tell = () => {}, name = "alone") {
  const shadow = place.attachShadow({ mode: "open" })
  shadow.append(element("style", {}, VIEW_STYLE), element("div", { class: "threshold-view" }))
  const view = viewOf(shadow, ".threshold-view", build)
  view.pin.remove() // what differs from a new pin is counted by the server
  view.pin = null
  const texts = (window.evalcoreTexts ??= new Map()).set(name, JSON.stringify(data.view))
  const shake = data.shake && { name: data.shake.name, alone: true }
  if (shake) texts.set(shake.name, data.shake.text)

  const dark = matchMedia("(prefers-color-scheme: dark)")
  const still = matchMedia("(prefers-reduced-motion: reduce)")
  const state = { heard: 0, answer: null, printed: false, over: JSON.stringify(data.over) }

  function drawAgain() {
    const ink = data.inks[dark.matches && !state.printed ? 1 : 0]
    const { heard, answer, over } = state
    const message = { view: name, over, now: data.now, ink, of: name, heard, answer, shake }
    drawView({ data: message, parentElement: shadow, setTriggerValue: (_, told) => setTimeout(hear, 0, told) })
  }

  // The place of the line stays while everything else is drawn again.
  function recolour() {
    const { cursor } = view
    drawAgain()
    view.cursor = cursor
    paint(view)
  }

  // An answer comes later than its question. A stop needs none: its row is here; what is typed is looked for among the
  // thresholds.
  function hear({ typed, stop, n }) {
    state.heard = view.heard = n
    if (typed === undefined) return stop === undefined ? null : tell(stop) // a knob of costs needs no answer
    const wanted = numberOf(typed)
    state.answer = Number.isNaN(wanted) ? "Only thresholds can be typed here: type a number." : null
    drawAgain()
    if (state.answer) return
    const { t } = view.content.stops
    const i = placeOfLeast(t.length, i => Math.abs(numberOf(t[i]) - wanted))
    go(view, { kind: "stop", i })
    tell(i)
  }

  drawAgain()
  dark.addEventListener("change", recolour)
  // On paper both of its columns, and dark on light.
  for (const [event, printed] of [["beforeprint", true], ["afterprint", false]]) {
    window.addEventListener(event, () => {
      state.printed = printed
      view.root.style.clipPath = ""
      place.style.width = printed ? "720px" : ""
      recolour()
      resize(view)
      paint(view)
    })
  }

  function show(now) {
    data.now = now
    drawAgain()
  }

  const stop = i => i in view.content.stops.t && go(view, { kind: "stop", i })

  // Through the stops on the way to a row or a stop, in half a second, unless a hand or a key takes the line meanwhile.
  function glide(aim) {
    if (view.drag) return
    settle(view)
    const [from, to, start] = [view.row.x, view.content.stops.x[aim] ?? places(aim.row.x)[0], performance.now()]
    let mine = view.cursor
    const pass = time => {
      if (view.cursor !== mine || view.drag) return
      const share = from === to || still.matches ? 1 : clamp((time - start) / 500, 0, 1)
      if (share === 1) return aim.row ? show(aim) : stop(aim)
      mine = { kind: "stop", i: stopAt(view, from + (to - from) * eased(share)) }
      go(view, mine)
      requestAnimationFrame(pass)
    }
    pass(start)
  }

  // For the page around the view: move the line to a row or to a stop, replace the marks of the goal, or show
  // the distributions alone, with the table beside them, and say how high they are.
  return {
    show, glide, stop,
    strip(isAlone) {
      const { wide, curves, legend } = view.at
      const [left, top] = [`${curves.left - 16}px`, `${curves.top - 32}px`]
      const corner = `polygon(0 0, 100% 0, 100% ${top}, ${left} ${top}, ${left} 100%, 0 100%)`
      view.root.style.clipPath = isAlone && wide ? corner : ""
      return legend.top
    },
    over(goal) {
      state.over = JSON.stringify(goal)
      recolour()
    },
  }
}
