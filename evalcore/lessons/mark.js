// A square plane, both axes from 0 to 1, on which a mark is put by pointer or arrow keys; the server hears of it when it
// is let go.

const SIZE = 400
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 16, 14, 52]
const SIDE = SIZE - LEFT - RIGHT
const across = x => LEFT + x * SIDE
const down = y => TOP + (1 - y) * SIDE
const inside = value => Math.round(100 * clamp(value, 0, 1)) / 100

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, "span", build)
  view.tell = () => setTriggerValue("mark", view.mark)
  if (!view.isHeld()) Object.assign(view, { data, mark: data.mark })
  draw(view)
}

function build(root) {
  const picture = element("svg:g")
  const ground = element("svg:rect", { x: LEFT, y: TOP, width: SIDE, height: SIDE, fill: "transparent" })
  const area = element("svg:g", { class: "area", tabindex: "0", role: "slider" }, picture, ground)
  root.replaceChildren(element("svg:svg", { class: "plane", viewBox: `0 0 ${SIZE} ${TOP + SIDE + BOTTOM}` }, area))
  const view = { area, picture }
  const put = (x, y) => {
    view.mark = [inside(x), inside(y)]
    draw(view)
  }
  const move = ({ clientX, clientY }) => {
    const box = ground.getBoundingClientRect()
    put((clientX - box.left) / box.width, 1 - (clientY - box.top) / box.height)
  }
  view.isHeld = dragged(area, { start: move, move, end: () => view.tell() })
  const rest = debounced(() => view.tell(), 250)
  stepped(area, { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }, (step, { shiftKey }) => {
    const size = shiftKey ? 0.1 : 0.01
    const [x, y] = view.mark ?? [0.5, 0.5]
    put(x + step[0] * size, y + step[1] * size)
    rest()
  })
  return view
}

function draw({ data, mark, picture, area }) {
  const { colours, axes } = data
  const text = (x, y, anchor, words, more = {}) =>
    element("svg:text", { x, y, "text-anchor": anchor, fill: colours.grey, "font-size": 13, ...more }, words)
  const line = (x1, y1, x2, y2, more) =>
    element("svg:line", { x1: across(x1), y1: down(y1), x2: across(x2), y2: down(y2), stroke: colours.grid, ...more })
  const dot = ([x, y], more) => element("svg:circle", { cx: across(x), cy: down(y), r: 8, ...more })
  const parts = []
  for (const at of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    parts.push(line(at, 0, at, 1), line(0, at, 1, at))
    parts.push(text(across(at), down(0) + 18, "middle", String(at)), text(LEFT - 7, down(at) + 4, "end", String(at)))
  }
  // Guessing is the diagonal of a ROC curve; between recall and precision it is none.
  if (axes[0] !== "recall") parts.push(line(0, 0, 1, 1, { stroke: colours.grey, "stroke-dasharray": "5 5" }))
  parts.push(text(across(0.5), down(0) + 40, "middle", axes[0]))
  parts.push(text(0, 0, "middle", axes[1], { transform: `translate(14, ${down(0.5)}) rotate(-90)` }))
  for (const [name, x, y] of data.points) {
    parts.push(dot([x, y], { r: 6, fill: colours.text }))
    parts.push(text(across(x) + 10, down(y) + 5, "start", name, { fill: colours.text, "font-weight": 700 }))
  }
  if (mark) parts.push(dot(mark, { class: "mark", fill: colours.accent, stroke: colours.paper, "stroke-width": 2 }))
  picture.replaceChildren(...parts)
  const words = mark ? `${axes[0]} ${mark[0]}, ${axes[1]} ${mark[1]}` : "no mark yet"
  withAttributes(area, {
    "aria-label": `Mark on the plane of ${axes[0]} and ${axes[1]}`, "aria-valuetext": words,
    "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": mark ? mark[0] : 0,
  })
}
