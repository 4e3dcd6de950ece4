// The 2×2 table in the frame of the textbook: four cells to type into or to open, margins, and a ratio at each side
// whose numerator and denominator light up. All numbers come from Python as text; nothing is computed here.
const instances = new WeakMap()

function build(root) {
  const table = element("div", { class: "table" })
  const formula = element("div", { class: "formula", "aria-live": "polite" })
  const view = { root, table, formula, chosen: null }
  root.replaceChildren(table, formula, makeCamera(() => save(view)))
  return view
}

function light(view, ratio) {
  const cells = view.table.querySelectorAll(".cell")
  view.table.classList.toggle("looking", Boolean(ratio))
  for (const cell of cells) {
    cell.classList.toggle("numerator", Boolean(ratio) && ratio.numerator.includes(cell.dataset.cell))
    cell.classList.toggle("denominator", Boolean(ratio) && ratio.denominator.includes(cell.dataset.cell))
  }
}

function explain(view, ratio) {
  view.formula.replaceChildren(element("strong", {}, ratio.formula), element("p", {}, ratio.sentence))
}

// A number that can be typed over: Enter or leaving it sends it, Escape takes it back, what is no count is refused.
function field(number, className, type) {
  const input = element("input", { class: className, inputmode: "decimal", "aria-label": number.words })
  input.value = number.text
  input.style.setProperty("--digits", `${number.text.length + 1}ch`)
  if (!type) {
    input.readOnly = true
    input.tabIndex = -1
    return input
  }
  input.title = "Edit any number to try a what-if"
  input.addEventListener("focus", () => input.select())
  input.addEventListener("change", () => {
    const value = Number(input.value.replace(/[\s\u202f\u00a0,']/g, ""))
    // The same bounds as is_count in evalcore/analyses/confusion/confusion.py.
    const bad = input.value.trim() === "" || !(value === 0 || (value >= 1e-9 && value <= 1e15))
    if (bad) input.value = number.text
    else if (value !== number.value) type(number.key, value)
  })
  input.addEventListener("keydown", event => {
    if (event.key === "Escape") input.value = number.text
    if (event.key === "Enter" || event.key === "Escape") input.blur()
  })
  return input
}

// The number is typed into, the rest of the cell opens the rows behind it, where they are known.
function drawCell(cell, type, open, opened) {
  const input = field(cell, cell.text.length > 7 ? "long" : "", type)
  const isOpen = cell.key === opened
  const about = { type: "button", "aria-pressed": isOpen, title: isOpen ? "Close the rows" : `Show the ${cell.words}` }
  const letters = open ? element("button", about, cell.letters) : element("span", {}, cell.letters)
  const box = element("div", { class: `cell ${cell.key}`, "data-cell": cell.key }, element("div", { class: "plate" }, input, letters))
  box.addEventListener("click", ({ target }) => {
    if (!open) input.focus()
    else if (target !== input) open(isOpen ? null : cell.key)
  })
  return box
}

const drawMargin = (margin, type) => element("span", { class: "sum" }, `${margin.key} = `, field(margin, "", type))

function drawRatio(view, ratio, under) {
  const about = { class: under ? "ratio under" : "ratio", title: ratio.sentence, "data-measure": ratio.key }
  const value = element("b", { class: ratio.defined ? "" : "undefined" }, ratio.value)
  const box = element("div", about, entryLink(ratio.key, "a", ratio.label), value)
  const look = () => { light(view, ratio); explain(view, ratio) }
  const leave = () => { light(view, null); explain(view, view.ratios.get(view.chosen)) }
  const chosen = () => choose(view, ratio.key)
  for (const [event, then] of Object.entries({ mouseenter: look, mouseleave: leave, focusin: look, focusout: leave, click: chosen })) {
    box.addEventListener(event, then)
  }
  return box
}

function choose(view, key) {
  view.chosen = key
  for (const box of view.table.querySelectorAll(".ratio")) box.classList.toggle("chosen", box.dataset.measure === key)
  explain(view, view.ratios.get(key))
}

// Below this width the two ratios of a row stand over each other.
const isNarrow = view => view.root.clientWidth > 0 && view.root.clientWidth < 480

function draw(view, data, type, open) {
  const { table } = view
  view.ratios = new Map(data.ratios.map(ratio => [ratio.key, ratio]))
  const cells = new Map(data.cells.map(cell => [cell.key, cell]))
  const ratio = (key, under) => drawRatio(view, view.ratios.get(key), under)
  const narrow = isNarrow(view)
  table.classList.toggle("narrow", narrow)
  const beside = keys => {
    const pair = keys.map(key => ratio(key, false))
    return narrow ? [element("div", { class: "pair" }, ...pair)] : pair
  }
  const blank = () => element("span")
  const fill = narrow ? [blank()] : [blank(), blank()]
  const heading = column => element("div", { class: "class" }, column.name, drawMargin(column.sum, type))
  const over = element("div", { class: "over" }, data.over)
  const parts = [blank(), over, ...fill, blank(), ...data.columns.map(heading)]
  parts.push(...(narrow ? [blank()] : [blank(), blank()]))
  for (const row of data.rows) {
    const side = element("div", { class: "side" }, row.name, drawMargin(row.sum, type))
    parts.push(side, ...row.cells.map(key => drawCell(cells.get(key), type, open, data.opened)), ...beside(row.ratios))
  }
  for (const [line, corner] of data.corner.entries()) {
    parts.push(blank(), ...data.columns.map(column => ratio(column.ratios[line], true)))
    const last = ratio(corner, false)
    parts.push(...(narrow ? [last] : [last, blank()]))
  }
  table.replaceChildren(...parts)
  choose(view, view.ratios.has(view.chosen) ? view.chosen : data.chosen)
}

// The table as it stands on the screen: its cells and plates as rectangles, and all of its words.
function save(view) {
  const { root, table } = view
  const style = getComputedStyle(root)
  const of = name => style.getPropertyValue(name).trim()
  const picture = emptyPicture(table.clientWidth, table.clientHeight, { paper: of("--st-background-color"), text: of("--st-text-color") }, view.title)
  for (const key of ["fp", "fn"]) {
    const tile = { id: `hatch-${key}`, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }
    const [pale, strong] = [[10, 0.45], [4, 1]].map(([width, opacity]) => element("svg:rect", { width, height: 10, fill: of(`--${key}`), "fill-opacity": opacity }))
    picture.append(element("svg:pattern", tile, pale, strong))
  }
  const origin = table.getBoundingClientRect()
  const plate = (node, rx, fill) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    picture.append(element("svg:rect", { x: x - origin.x, y: y - origin.y, width, height, rx, ...fill }))
  }
  for (const cell of table.querySelectorAll(".cell")) {
    const key = cell.dataset.cell
    const isError = key === "fp" || key === "fn"
    plate(cell, 8, { fill: isError ? `url(#hatch-${key})` : of(`--${key}`) })
    if (isError) plate(cell.firstChild, 6, { fill: of("--plate"), "fill-opacity": 0.86 })
  }
  picture.append(...wordsOf(table, table))
  savePicture(picture, view.file)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".frame")
  let view = instances.get(parentElement)
  if (!view) instances.set(parentElement, (view = build(root)))
  const type = data.fixed ? null : (cell, value) => setTriggerValue("typed", { cell, value })
  const open = data.opens ? cell => setTriggerValue("opened", { cell }) : null
  root.classList.toggle("fixed", data.fixed)
  Object.assign(view, { file: data.file, title: data.title })
  draw(view, data, type, open)
  let narrow = isNarrow(view)
  const observer = new ResizeObserver(() => {
    if (isNarrow(view) === narrow) return
    narrow = isNarrow(view)
    draw(view, data, type, open)
  })
  observer.observe(root)
  return () => observer.disconnect()
}
