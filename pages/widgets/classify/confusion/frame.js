// The 2×2 table in the frame of the textbook: four cells to type into or to open, margins, and a ratio at each side
// whose numerator and denominator light up. All numbers come from Python as text; nothing is computed here.

function build(root) {
  const table = element("div", { class: "table" })
  const formula = element("div", { class: "formula", "aria-live": "polite" })
  const view = { root, table, formula, chosen: null }
  root.replaceChildren(table, formula, makeCamera(() => save(view)))
  return view
}

function light(view, ratio) {
  view.table.classList.toggle("looking", Boolean(ratio))
  for (const cell of view.table.querySelectorAll(".cell")) {
    for (const part of ["numerator", "denominator"]) {
      cell.classList.toggle(part, Boolean(ratio?.[part].includes(cell.dataset.cell)))
    }
  }
}

function explain(view, ratio) {
  view.formula.replaceChildren(element("strong", {}, ratio.formula), element("p", {}, ratio.sentence))
}

// A number that can be typed over: Enter or leaving it sends it, Escape takes it back, what is no count is refused.
function field(number, className, type) {
  const input = element("input", { class: className, inputmode: "decimal", "aria-label": number.words })
  input.defaultValue = number.text
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
    // The same bounds as is_count in evalcore/analyses/confusion.py.
    const bad = input.value.trim() === "" || !(value === 0 || (value >= 1e-9 && value <= 1e15))
    if (bad) input.value = number.text
    else if (value !== number.value) type(number.key, value)
    input.defaultValue = input.value
  })
  input.addEventListener("keydown", event => {
    if (event.key === "Escape") input.value = number.text
    if (event.key === "Enter" || event.key === "Escape") input.select()
  })
  return input
}

// The number is typed into, the rest of the cell opens the rows behind it, where they are known.
function drawCell(cell, { data, type, open }) {
  const input = field(cell, cell.text.length > 7 ? "long" : "", type)
  const isOpen = cell.key === data.opened
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

function draw(view) {
  const { table, data, type } = view
  view.ratios = new Map(data.ratios.map(ratio => [ratio.key, ratio]))
  const cells = new Map(data.cells.map(cell => [cell.key, cell]))
  const ratio = (key, under) => drawRatio(view, view.ratios.get(key), under)
  const heading = (kind, { name, sum }) => element("div", { class: kind }, name, drawMargin(sum, type))
  const parts = [element("div", { class: "over" }, data.over), ...data.columns.map(column => heading("class", column))]
  for (const row of data.rows) {
    const pair = element("div", { class: "pair" }, ...row.ratios.map(key => ratio(key, false)))
    parts.push(heading("side", row), ...row.cells.map(key => drawCell(cells.get(key), view)), pair)
  }
  for (const [line, corner] of data.corner.entries()) {
    parts.push(...data.columns.map(column => ratio(column.ratios[line], true)), ratio(corner, false))
  }
  // What has the focus keeps it, with what is being typed there.
  const places = () => [...table.querySelectorAll("input, button, a")]
  const active = view.root.getRootNode().activeElement
  const [place, typed] = [places().indexOf(active), active?.value !== active?.defaultValue && active?.value]
  // Keys go through the four cells first; a pair of ratios may leave its place in the grid to both of them.
  for (const [i, part] of parts.entries()) for (const one of [part, ...part.children]) one.style.order = i
  table.replaceChildren(...parts.toSorted((a, b) => b.matches(".cell") - a.matches(".cell")))
  places()[place]?.focus({ preventScroll: true })
  if (typed) document.execCommand("insertText", false, typed) // as typed by hand, to be sent when it is left
  choose(view, view.ratios.has(view.chosen) ? view.chosen : data.chosen)
}

// The table as it stands on the screen: its cells and plates as rectangles, and all of its words.
function save(view) {
  const { root, table, data } = view
  const valueOf = variablesAt(root)
  const ink = { paper: valueOf("--st-background-color"), text: valueOf("--st-text-color") }
  const picture = emptyPicture(table.clientWidth, table.clientHeight, ink, data.title)
  for (const key of ["fp", "fn"]) {
    const tile = { id: `hatch-${key}`, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }
    const stripe = (width, opacity) => element("svg:rect", { width, height: 10, fill: valueOf(`--${key}`), "fill-opacity": opacity })
    picture.append(element("svg:pattern", tile, stripe(10, 0.45), stripe(4, 1)))
  }
  for (const cell of table.querySelectorAll(".cell")) {
    const key = cell.dataset.cell
    const isError = key === "fp" || key === "fn"
    picture.append(rectangleOf(cell, table, { rx: 8, fill: isError ? `url(#hatch-${key})` : valueOf(`--${key}`) }))
    if (isError) picture.append(rectangleOf(cell.firstChild, table, { rx: 6, fill: valueOf("--plate"), "fill-opacity": 0.86 }))
  }
  picture.append(...wordsOf(table, table))
  savePicture(picture, data.file)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, ".frame", build)
  const type = data.fixed ? null : (cell, value) => setTriggerValue("typed", { cell, value })
  const open = data.opens ? cell => setTriggerValue("opened", { cell }) : null
  view.root.classList.toggle("fixed", data.fixed)
  Object.assign(view, { data, type, open })
  draw(view)
}
