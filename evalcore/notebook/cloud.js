// Points over a picture that is drawn already: the nearest one to the pointer, or the next one by key, says which row it is.
const REACH = 14

function build(root) {
  const view = { root, svg: root.querySelector("svg"), tip: root.querySelector(".tip"), at: -1, kept: -1 }
  view.ring = element("svg:circle", { r: 6, class: "ring", visibility: "hidden" })
  view.svg.append(view.ring)
  withAttributes(view.svg, { tabindex: 0 })
  view.svg.addEventListener("pointermove", event => point(view, nearest(view, event)))
  view.svg.addEventListener("pointerleave", () => point(view, view.kept))
  view.svg.addEventListener("click", event => {
    view.kept = nearest(view, event)
    point(view, view.kept)
  })
  // From left to right, as the points lie in the picture.
  const move = way => {
    view.kept = clamp((view.kept < 0 ? -1 : view.order.indexOf(view.kept)) + way, 0, view.order.length - 1)
    view.kept = view.order[view.kept]
    point(view, view.kept)
  }
  stepped(view.svg, { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 }, move)
  return view
}

const scaleOf = view => view.svg.getBoundingClientRect().width / view.svg.viewBox.baseVal.width

function nearest(view, event) {
  const box = view.svg.getBoundingClientRect()
  const scale = scaleOf(view)
  const [x, y] = [(event.clientX - box.x) / scale, (event.clientY - box.y) / scale]
  let [best, least] = [-1, (REACH / scale) ** 2]
  for (let i = 0; i < view.data.x.length; i++) {
    const apart = (view.data.x[i] - x) ** 2 + (view.data.y[i] - y) ** 2
    if (apart <= least) [best, least] = [i, apart]
  }
  return best
}

function point(view, at) {
  if (at === view.at) return
  view.at = at
  view.ring.setAttribute("visibility", at < 0 ? "hidden" : "visible")
  view.tip.style.display = at < 0 ? "none" : "block"
  if (at < 0) return
  const [x, y] = [view.data.x[at], view.data.y[at]]
  withAttributes(view.ring, { cx: x, cy: y })
  view.tip.textContent = view.data.words[at]
  const scale = scaleOf(view)
  view.tip.style.left = `${clamp(x * scale + 12, 0, Math.max(view.root.clientWidth - view.tip.offsetWidth, 0))}px`
  view.tip.style.top = `${y * scale + 14}px`
}

export default function ({ data, parentElement }) {
  const view = viewOf(parentElement, ".cloud", build)
  view.data = data
  view.order = data.x.map((_, i) => i).sort((a, b) => data.x[a] - data.x[b])
}
