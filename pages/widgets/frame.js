// The 2×2 table in the frame of the textbook: four cells to type into, margins, and a ratio at each side whose
// numerator and denominator light up. All numbers come from Python as text; nothing is computed here.
const instances = new WeakMap()

const element = (tag, className, text) => {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function build(root) {
  const table = element("div", "table")
  const formula = element("div", "formula")
  formula.setAttribute("aria-live", "polite")
  root.replaceChildren(table, formula)
  return { table, formula, chosen: null }
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
  view.formula.replaceChildren(element("strong", "", ratio.formula), element("p", "", ratio.sentence))
}

function drawCell(view, cell, type) {
  const box = element("div", `cell ${cell.key}`)
  box.dataset.cell = cell.key
  const plate = element("div", "plate")
  const input = element("input", cell.text.length > 7 ? "long" : "")
  input.value = cell.text
  input.inputMode = "decimal"
  input.style.setProperty("--digits", `${cell.text.length + 1}ch`)
  input.setAttribute("aria-label", `${cell.words} (${cell.letters})`)
  input.title = "Type another number to see what would follow"
  const send = () => {
    const value = Number(input.value.replace(/[\s\u202f\u00a0,']/g, ""))
    const bad = input.value.trim() === "" || !Number.isFinite(value) || value < 0
    box.classList.toggle("wrong", bad)
    input.title = bad ? "A count is a number, 0 or more" : ""
    if (!bad && value !== cell.value) type(cell.key, value)
    if (bad) input.value = cell.text
  }
  input.addEventListener("focus", () => input.select())
  input.addEventListener("change", send)
  input.addEventListener("keydown", event => {
    if (event.key === "Enter") input.blur()
    if (event.key === "Escape") { input.value = cell.text; input.blur() }
  })
  box.addEventListener("click", () => input.focus())
  plate.append(input, element("span", "", cell.letters))
  box.append(plate)
  return box
}

function drawRatio(view, ratio, under) {
  const box = element("button", `ratio${under ? " under" : ""}`)
  box.type = "button"
  box.dataset.measure = ratio.key
  const value = element("b", ratio.defined ? "" : "undefined", ratio.value)
  box.append(element("span", "", ratio.label), value)
  box.title = ratio.sentence
  const look = () => { light(view, ratio); explain(view, ratio) }
  const leave = () => { light(view, null); explain(view, view.ratios.get(view.chosen)) }
  box.addEventListener("mouseenter", look)
  box.addEventListener("mouseleave", leave)
  box.addEventListener("focus", look)
  box.addEventListener("blur", leave)
  box.addEventListener("click", () => choose(view, ratio.key))
  return box
}

function choose(view, key) {
  view.chosen = key
  for (const box of view.table.querySelectorAll(".ratio")) box.classList.toggle("chosen", box.dataset.measure === key)
  explain(view, view.ratios.get(key))
}

function draw(view, data, type) {
  const { table } = view
  view.ratios = new Map(data.ratios.map(ratio => [ratio.key, ratio]))
  const cells = new Map(data.cells.map(cell => [cell.key, cell]))
  const ratio = (key, under) => drawRatio(view, view.ratios.get(key), under)
  const narrow = table.getRootNode().host?.clientWidth < 560 || window.innerWidth < 640
  const beside = keys => {
    if (!narrow) return keys.map(key => ratio(key, false))
    const pair = element("div", "pair")
    pair.append(...keys.map(key => ratio(key, false)))
    return [pair]
  }
  const blank = () => element("span")
  const fill = narrow ? [blank()] : [blank(), blank()]
  const heading = column => {
    const made = element("div", "class", column.name)
    made.append(element("span", "sum", column.sum))
    return made
  }
  const parts = [blank(), element("div", "over", data.over), ...fill, blank(), ...data.columns.map(heading)]
  parts.push(...(narrow ? [blank()] : [blank(), blank()]))
  for (const row of data.rows) {
    const side = element("div", "side", row.name)
    side.append(element("span", "sum", row.sum))
    parts.push(side, ...row.cells.map(key => drawCell(view, cells.get(key), type)), ...beside(row.ratios))
  }
  for (const [line, corner] of data.corner.entries()) {
    parts.push(blank(), ...data.columns.map(column => ratio(column.ratios[line], true)))
    const last = ratio(corner, false)
    parts.push(...(narrow ? [last] : line === 0 ? [last, blank()] : [blank(), last]))
  }
  table.replaceChildren(...parts)
  choose(view, view.ratios.has(view.chosen) ? view.chosen : data.chosen)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".frame")
  let view = instances.get(parentElement)
  if (!view) instances.set(parentElement, (view = build(root)))
  const type = (cell, value) => setTriggerValue("typed", { cell, value })
  draw(view, data, type)
  const wide = window.matchMedia("(max-width: 640px)")
  const again = () => draw(view, data, type)
  wide.addEventListener("change", again)
  return () => wide.removeEventListener("change", again)
}
