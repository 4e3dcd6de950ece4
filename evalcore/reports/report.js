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

// Beside the view stand sections, the steps of the decision; it shows what the one speaks of that comes to the reader.
const sections = [...document.querySelectorAll(".step")]
const places = [...sections, ...document.querySelectorAll(".appendix > summary")] // that keys go through
const scene = document.querySelector(".scene")
const drawn = document.getElementById("view-data")
const data = drawn && JSON.parse(drawn.textContent)
const live = data && showThresholdView(document.getElementById("live"), data)
const moves = Boolean(scene?.matches(".moves"))
const beside = matchMedia("(min-width: 1080px)")
const first = { ...data }
let here = null
let laid = first.over

function enter(next) {
  // In a frame of another page the address is not the report's own.
  if (here && location.protocol !== "about:") {
    history.replaceState(null, "", next === sections[0] ? location.pathname : `#${next.id}`)
  }
  if (moves) {
    lay(first[next.dataset.over] ?? first.over)
    live.glide(first[next.dataset.row] ?? first.now)
  }
  here?.classList.remove("here")
  next.classList.add("here")
  here = next
}

function lay(over) {
  if (over !== laid) live.over(over)
  laid = over
}

// Where there is no room beside them, the distributions stay above the steps, cut out of the view that has gone by. The
// room that they have at first is the one that is counted with, so that nothing else moves when more is laid over them.
let strip = 0
// Where keys or a link have led, which holds until something is scrolled: others may stand at the mark.
let led = null

function accompany() {
  if (matchMedia("print").matches) return
  const mark = strip + 0.4 * (innerHeight - strip)
  const stays = led?.at === scrollY && sections.includes(led.place)
  const next = stays ? led.place : sections.findLast(one => one.getBoundingClientRect().top < mark) ?? sections[0]
  if (next !== here) enter(next)
  if (!scene) return
  const { height, left, width } = scene.firstElementChild.getBoundingClientRect()
  // A view that is higher than the window stays where its end is seen.
  setSizes({ top: Math.min(24, innerHeight - height - 24) })
  if (!moves) return
  const list = sections[0].parentElement.getBoundingClientRect()
  const isAbove = strip > 0 && innerHeight > 560 && list.top < strip && list.bottom > strip + 60
  if (isAbove && !scene.classList.contains("above")) setSizes({ height, left, width })
  scene.classList.toggle("above", isAbove)
  setSizes({ shown: live.strip(isAbove) })
}

function lead(place) {
  place?.scrollIntoView()
  led = { place, at: scrollY }
  accompany()
}

function setSizes(sizes) {
  for (const [name, size] of Object.entries(sizes)) scene.style.setProperty(`--${name}`, `${size}px`)
}

function fit() {
  if (moves) {
    scene.classList.remove("above")
    strip = beside.matches ? 0 : live.strip(false)
    setSizes({ strip })
  }
  accompany()
}

// On paper the view stands where the heading says, unless a hand has moved it.
addEventListener("beforeprint", () => {
  if (!moves || !here.dataset.row) return
  lay(first.over)
  live.show(first.now)
})
document.addEventListener("scroll", accompany, { passive: true })
addEventListener("resize", fit)
document.addEventListener("keydown", event => {
  const next = places[places.indexOf(led?.at === scrollY ? led.place : here) + { j: 1, k: -1 }[event.key]]
  if (!next || event.ctrlKey || event.metaKey || event.altKey) return
  next.focus({ preventScroll: true })
  lead(next)
})
fit()
// The frame of a page gives its report the name of the step that the link of the page ends with.
lead(sections.find(({ id }) => id === (location.hash.slice(1) || name)))
