// Lays a ring over pictures drawn by Plotly and tells which point of a curve was clicked.
// The pictures are found by their keys inside the container that this component stands in; they may come later than
// the component, go and come back, and move what they show under the ring.

const SVG = "http://www.w3.org/2000/svg"
const RADIUS = 6.5
const instances = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const place = (parentElement.host ?? parentElement).closest(".st-key-curves")
  if (!place) return
  let instance = instances.get(parentElement)
  if (!instance) {
    instance = { charts: new Map() }
    instance.observer = new MutationObserver(() => find(instance, place))
    instance.observer.observe(place, { childList: true, subtree: true })
    instances.set(parentElement, instance)
  }
  instance.data = data
  instance.points = data.points
  instance.pick = (pick) => setTriggerValue("pick", pick)
  find(instance, place)
  for (const chart of instance.charts.values()) draw(instance, chart)

  return () => {
    instance.observer.disconnect()
    for (const chart of instance.charts.values()) chart.layer.remove()
    instances.delete(parentElement)
  }
}

function find(instance, place) {
  for (const key of Object.keys(instance.points)) {
    const plot = place.querySelector(`.st-key-${key} .js-plotly-plot`)
    if (!plot?.on || !plot._fullLayout?.xaxis || instance.charts.get(key)?.plot === plot) continue
    instance.charts.get(key)?.layer.remove()
    const chart = { key, plot, layer: overlay() }
    instance.charts.set(key, chart)
    plot.on("plotly_afterplot", () => draw(instance, chart))
    plot.on("plotly_click", (event) => click(instance, chart, event))
    draw(instance, chart)
  }
}

function click(instance, chart, event) {
  const point = event.points.find((p) => p.data.meta?.system !== undefined)
  const threshold = point?.customdata?.[0]
  if (!Number.isFinite(threshold)) return
  // The ring goes there at once; the answer of the server then moves it in the other picture too.
  instance.points = { ...instance.points, [chart.key]: [point.x, point.y] }
  draw(instance, chart)
  instance.pick({ threshold, system: point.data.meta.system })
}

function draw(instance, { key, plot, layer }) {
  const { xaxis, yaxis } = plot._fullLayout ?? {}
  const [x, y] = instance.points[key] ?? [null, null]
  // Over the curves and under what is shown on hovering.
  const above = plot.querySelector(".hoverlayer")?.closest("svg")
  if (!xaxis || !above) return
  if (layer.nextSibling !== above) above.before(layer)
  const across = x === null ? -1 : xaxis.l2p(x)
  const down = y === null ? -1 : yaxis.l2p(y)
  const inside = across >= -1 && down >= -1 && across <= xaxis._length + 1 && down <= yaxis._length + 1
  layer.style.display = x !== null && y !== null && inside ? "" : "none"

  const [left, top] = [xaxis._offset + across, yaxis._offset + down]
  const [ring, label] = layer.children
  ring.setAttribute("cx", left)
  ring.setAttribute("cy", top)
  ring.setAttribute("stroke", instance.data.text)
  ring.setAttribute("fill", instance.data.paper)
  label.textContent = instance.data.label
  label.setAttribute("fill", instance.data.text)
  label.setAttribute("stroke", instance.data.paper)
  // Below the ring, towards the middle of the picture: there the curves leave room.
  const toTheRight = across < xaxis._length / 2
  label.setAttribute("text-anchor", toTheRight ? "start" : "end")
  label.setAttribute("x", left + (toTheRight ? 1 : -1) * (RADIUS + 5))
  label.setAttribute("y", down > yaxis._length - 30 ? top - 12 : top + 20)
}

function overlay() {
  const layer = document.createElementNS(SVG, "svg")
  layer.setAttribute("class", "operating-point")
  layer.style.cssText = "position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none"
  const ring = document.createElementNS(SVG, "circle")
  ring.setAttribute("r", RADIUS)
  ring.setAttribute("stroke-width", 3)
  const label = document.createElementNS(SVG, "text")
  label.style.cssText = "font-size: 12px; font-weight: 600; paint-order: stroke; stroke-width: 4px; stroke-linejoin: round"
  layer.append(ring, label)
  return layer
}
