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
  return { root, table, formula, chosen: null }
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

// A number that can be typed over: Enter or leaving it sends it, Escape takes it back, what is no count is refused.
function field(number, className, type) {
  const input = element("input", className)
  input.value = number.text
  input.inputMode = "decimal"
  input.style.setProperty("--digits", `${number.text.length + 1}ch`)
  input.setAttribute("aria-label", number.words)
  if (!type) {
    input.readOnly = true
    input.tabIndex = -1
    return input
  }
  input.title = "Type another number to see what would follow"
  input.addEventListener("focus", () => input.select())
  input.addEventListener("change", () => {
    const value = Number(input.value.replace(/[\s\u202f\u00a0,']/g, ""))
    // The same bounds as is_count in evalcore/analyses/confusion.py.
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

function drawCell(view, cell, type) {
  const box = element("div", `cell ${cell.key}`)
  box.dataset.cell = cell.key
  const plate = element("div", "plate")
  const input = field(cell, cell.text.length > 7 ? "long" : "", type)
  box.addEventListener("click", () => input.focus())
  plate.append(input, element("span", "", cell.letters))
  box.append(plate)
  return box
}

function drawMargin(margin, type) {
  const line = element("span", "sum", `${margin.key} = `)
  line.append(field(margin, "", type))
  return line
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

// Below this width the two ratios of a row stand over each other.
const isNarrow = view => view.root.clientWidth > 0 && view.root.clientWidth < 480

function draw(view, data, type) {
  const { table } = view
  view.ratios = new Map(data.ratios.map(ratio => [ratio.key, ratio]))
  const cells = new Map(data.cells.map(cell => [cell.key, cell]))
  const ratio = (key, under) => drawRatio(view, view.ratios.get(key), under)
  const narrow = isNarrow(view)
  table.classList.toggle("narrow", narrow)
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
    made.append(drawMargin(column.sum, type))
    return made
  }
  const parts = [blank(), element("div", "over", data.over), ...fill, blank(), ...data.columns.map(heading)]
  parts.push(...(narrow ? [blank()] : [blank(), blank()]))
  for (const row of data.rows) {
    const side = element("div", "side", row.name)
    side.append(drawMargin(row.sum, type))
    parts.push(side, ...row.cells.map(key => drawCell(view, cells.get(key), type)), ...beside(row.ratios))
  }
  for (const [line, corner] of data.corner.entries()) {
    parts.push(blank(), ...data.columns.map(column => ratio(column.ratios[line], true)))
    const last = ratio(corner, false)
    parts.push(...(narrow ? [last] : [last, blank()]))
  }
  table.replaceChildren(...parts)
  choose(view, view.ratios.has(view.chosen) ? view.chosen : data.chosen)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".frame")
  let view = instances.get(parentElement)
  if (!view) instances.set(parentElement, (view = build(root)))
  const type = data.fixed ? null : (cell, value) => setTriggerValue("typed", { cell, value })
  root.classList.toggle("fixed", data.fixed)
  draw(view, data, type)
  let narrow = isNarrow(view)
  const observer = new ResizeObserver(() => {
    if (isNarrow(view) === narrow) return
    narrow = isNarrow(view)
    draw(view, data, type)
  })
  observer.observe(root)
  return () => observer.disconnect()
}
