// The gallery: a strip of marks per query instead of most columns of the table, and the sawtooth of the query under the
// pointer or the keys. The strips of all queries come once, packed; nothing is asked while a hand moves over them.
const UNJUDGED = 1, IRRELEVANT = 2 // 0 is past the end of a list; what is above is relevant, darker with the grade
const STRIP = -2 // the place of the strip among the columns
const LEAST_STEP = 4, MOST_STEP = 12 // pixels per rank
const READ_OUT = 10 // relevant ranks

function makeGallery(view) {
  const marks = [[2, 8, 14, 20], [2, 5, 14, 17], [2, 11, 14]].flatMap((row, y) => row.map(x => `M${x} ${5 + 7 * y}v4`)).join("")
  view.switch = iconButton(marks, "Show the ranks of each query", () => {
    view.gallery = !view.gallery
    drawTable(view)
    view.send("gallery", view.gallery)
  }, { class: "tool strips", thick: 2.4 })
  view.beside = element("select", { class: "beside", "aria-label": "Second system", title: "Second system" })
  view.beside.addEventListener("change", () => view.send("beside", view.beside.value))
  view.key = element("div", { class: "legend key" })
  view.count.after(view.switch, view.beside)
  view.table.append(view.key)
  for (const event of ["pointerover", "pointermove"]) {
    view.room.addEventListener(event, ({ target, offsetX }) => {
      const line = target.closest(".row")
      if (line) preview(view, +line.dataset.place, target.tagName === "CANVAS" ? Math.floor(offsetX / view.step) : -1)
    })
  }
  view.grid.addEventListener("blur", () => preview(view, -1))
  // A finger leaves whenever it is lifted: what it pointed at stays.
  view.room.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && preview(view, -1))
}

// The strips of the state that is shown, once they are unpacked, those of the system before those beside it.
async function receiveStrips(view, { strips, other, stamp, gallery, beside }) {
  if (view.sentGallery !== gallery) view.gallery = gallery
  view.sentGallery = gallery
  const sent = [strips, beside && other].filter(Boolean)
  if (sent.some(lane => lane.stamp !== stamp) || (beside && other?.system !== beside)) return
  view.sentStrips = sent
  const known = sent.map(lane => view.lanes.find(({ system }) => system === lane.system))
  if (sent.length === view.lanes.length && known.every(Boolean)) return
  const lanes = await Promise.all(sent.map((lane, nth) => known[nth] ?? unpackedLane(lane)))
  if (view.stamp !== stamp || view.sentStrips !== sent) return
  view.lanes = lanes
  const options = [["", "alone"], ...strips.others.map(([name, words]) => [name, `beside ${words}`])]
  view.beside.replaceChildren(...options.map(([name, words]) => element("option", { value: name }, words)))
  view.beside.value = beside
  arrange(view)
  legend(view)
  drawTable(view)
  if (view.sort[0] >= view.columns.length) reveal(view, view.order.indexOf(view.selected.at(-1)))
}

async function unpackedLane(sent) {
  const marks = new Uint8Array(await inflated(sent.marks).arrayBuffer())
  const totals = sent.totals && new Uint32Array(await inflated(sent.totals).arrayBuffer())
  return { ...sent, marks, totals, columns: (await inflated(sent.columns).json()).map(unpacked) }
}

// Columns in their order: beside a strip that by which the queries are sorted comes first, with its difference.
function shownColumns(view) {
  const own = view.columns.map((_, place) => place)
  if (!view.gallery) return own
  const [by] = view.sort
  const first = by > own.length ? by - own.length - 1 : own.includes(by) ? by : Math.max(0, view.columns.findIndex(({ bars }) => bars))
  const [missed, differences] = view.lanes.map(({ columns }) => columns)
  return [
    first, ...differences ? [own.length + 1 + first] : [], STRIP, ...missed ? [own.length] : [],
    ...own.filter(place => place !== first),
  ]
}

const columnOf = (view, place) =>
  view.columns[place] ?? view.lanes.flatMap(({ columns }) => columns)[place - view.columns.length]

// The strip has what its neighbours leave of the table's breadth; the other columns stand behind that edge.
function stripBreadth(view, room) {
  const ranks = Math.max(0, ...view.lanes.map(lane => lane.ranks))
  const width = Math.max(150, Math.min(room, MOST_STEP * ranks + 14))
  view.step = clamp((width - 14) / Math.max(ranks, 1), LEAST_STEP, MOST_STEP)
  view.ranks = Math.min(ranks, Math.floor((width - 14) / view.step))
  return width
}

const colourOf = ({ lanes, data: { ink, systems } }, lane) =>
  lanes.length > 1 ? systems[lane.place % systems.length] : ink.accent

const shade = (nth, shades) => shades > 1 ? 0.3 + (0.7 * (nth - 1)) / (shades - 1) : 1

// The marks of a query; of ranks that are not shown, or past the end, there is none.
const marksOf = (lane, place, ranks = lane.ranks) => lane.marks.subarray(place * lane.ranks, place * lane.ranks + Math.min(ranks, lane.ranks))

function stripCell(view, place) {
  const { lanes, step, ranks, data: { ink } } = view
  const words = lanes.map(lane => (lanes.length > 1 ? `${lane.name}: ` : "") + stripWords(marksOf(lane, place))).join("; ")
  const cell = element("span", { role: "gridcell", class: "ranks", "aria-label": words })
  if (!lanes.length) return cell
  const [width, height, scale] = [Math.ceil(ranks * step), ROW - 1, Math.max(devicePixelRatio, 1)]
  const canvas = element("canvas", { width: width * scale, height: height * scale, style: `width: ${width}px; height: ${height}px` })
  const brush = canvas.getContext("2d")
  brush.scale(scale, scale)
  const tall = lanes.length > 1 ? 10 : 14
  const thick = step - (step > 6 ? 2 : 1)
  for (const [nth, lane] of lanes.entries()) {
    const top = (height - lanes.length * (tall + 2)) / 2 + nth * (tall + 2) + 1
    for (const [rank, mark] of marksOf(lane, place, ranks).entries()) {
      brush.fillStyle = mark > IRRELEVANT ? colourOf(view, lane) : mark === UNJUDGED ? ink.grey : ink.grid
      brush.globalAlpha = mark > IRRELEVANT ? shade(mark - IRRELEVANT, lanes[0].shades) : mark === UNJUDGED ? 0.5 : 1
      if (mark > UNJUDGED) brush.fillRect(rank * step, top, thick, tall)
      else if (mark) brush.fillRect(rank * step, top + tall / 2 - 1, thick, 2)
    }
  }
  cell.append(canvas)
  return cell
}

function stripWords(marks) {
  if (!marks[0]) return "no list"
  const found = [...marks.keys()].filter(rank => marks[rank] > IRRELEVANT).map(rank => rank + 1)
  if (!found.length) return `none relevant in the first ${marks.length}`
  return `relevant at rank${found.length > 1 ? "s" : ""} ${found.slice(0, READ_OUT).join(", ")}${found.length > READ_OUT ? ", …" : ""}`
}

// What the marks of the strips mean, as far as they occur.
function stripKey(view) {
  const { lanes, data: { ink } } = view
  view.switch.setAttribute("aria-pressed", view.gallery)
  view.table.classList.toggle("gallery", view.gallery)
  view.beside.hidden = !view.gallery || !lanes[0]?.others.length
  view.key.hidden = !view.gallery
  if (view.key.hidden || !lanes.length) return
  const entry = (colour, words, more = "") =>
    element("span", {}, element("i", { class: "swatch", style: `--key: ${colour};${more}` }), words)
  const [{ shades, grades }] = lanes
  const shaded = grades.map((grade, nth) => [grade, Math.ceil(((nth + 1) * shades) / grades.length)])
  const ends = grades.length > shades ? [shaded[0], shaded.at(-1)] : shaded
  const isOne = lanes.length === 1
  const byGrade = shades > 1
    ? ends.map(([grade, nth]) => entry(isOne ? ink.accent : ink.text, `grade ${grade}`, `opacity: ${shade(nth, shades)}`))
    : []
  const relevant = isOne && byGrade.length
    ? byGrade
    : [...lanes.map(lane => entry(colourOf(view, lane), isOne ? "relevant" : `relevant, ${lane.name}`)), ...byGrade]
  const isUnjudged = lanes.some(({ marks }) => marks.includes(UNJUDGED))
  const unjudged = isUnjudged ? [entry(ink.grey, "unjudged", "height: 2px; opacity: 0.5")] : []
  view.key.replaceChildren(...relevant, entry(ink.grid, "not relevant"), ...unjudged)
}

// Precision and recall at the first ranks of a list.
function sawtooth(marks, total) {
  let found = 0
  const ends = marks.indexOf(0)
  return total ? Array.from(ends < 0 ? marks : marks.subarray(0, ends), (mark, rank) => {
    if (mark > IRRELEVANT) found++
    return [found / total, found / (rank + 1)]
  }) : []
}

// The curve of a query in the picture, with the sawtooth of each list and a dot at a rank; of none with −1.
function preview(view, place, rank = -1) {
  const { data, x, y, lanes } = view
  if (view.previewed === `${place} ${rank}` || !view.hover) return
  view.previewed = `${place} ${rank}`
  const [lines, line] = data.picture === "ROC" ? [view.rocs, straight] : [view.lines, steppedPath]
  const points = lines.get(place)
  const isSaw = view.gallery && place >= 0 && data.picture !== "ROC"
  view.hover.setAttribute("d", points && !(isSaw && lanes.length > 1) ? line(points, x, y) : "")
  view.saws.replaceChildren(...(isSaw ? lanes : []).flatMap(lane => {
    const colour = lanes.length > 1 ? colourOf(view, lane) : data.ink.text
    const saw = sawtooth(marksOf(lane, place), lanes[0].totals[place])
    const dot = saw[rank] ? [element("svg:circle", { cx: x(saw[rank][0]), cy: y(saw[rank][1]), r: 4.5, fill: colour })] : []
    return [path(straight(saw, x, y), colour, { class: "sawtooth", "stroke-width": lanes.length > 1 ? 1.6 : 1 }), ...dot]
  }))
  view.legend.classList.toggle("pointing", view.saws.hasChildNodes())
}
