// A ranked list to edit: documents are dragged by their handles or moved by the arrow keys, and graded by buttons.
const instances = new WeakMap()

const rowsOf = view => [...view.list.children]

function sendOrder(view) {
  const order = rowsOf(view).map(row => Number(row.dataset.place))
  if (order.some((place, rank) => place !== rank)) view.send("order", { order })
}

function number(view) {
  for (const [rank, row] of rowsOf(view).entries()) row.querySelector(".rank").textContent = rank + 1
}

// The row goes where the pointer is: before the first row whose middle lies below it.
function moveTo(view, row, y) {
  const middle = other => other.getBoundingClientRect().top + other.offsetHeight / 2
  const next = rowsOf(view).find(other => other !== row && middle(other) > y)
  if (next === row.nextElementSibling || (!next && row === view.list.lastElementChild)) return
  view.list.insertBefore(row, next ?? null)
  number(view)
}

function step(view, row, way) {
  const other = way < 0 ? row.previousElementSibling : row.nextElementSibling
  if (!other) return
  view.list.insertBefore(way < 0 ? row : other, way < 0 ? other : row)
  number(view)
  row.querySelector(".handle").focus()
  clearTimeout(view.timer)
  view.timer = setTimeout(() => sendOrder(view), 500)
}

function drawHandle(view, row, name) {
  const handle = element("button", { type: "button", class: "handle", "aria-label": `Move ${name}`, title: "Drag, or use the arrow keys" }, "⠿")
  handle.addEventListener("pointerdown", event => {
    // The list takes the pointer: a row that is moved in the page would lose it.
    view.list.setPointerCapture(event.pointerId)
    row.classList.add("dragged")
    view.dragged = row
  })
  handle.addEventListener("keydown", event => {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!way) return
    event.preventDefault()
    step(view, row, way)
  })
  return handle
}

function drawRow(view, { name, grade }, place, grades) {
  const row = element("li", { "data-place": place, class: grade > 0 ? "relevant" : "" })
  const buttons = grades.map((words, value) => {
    const about = { type: "button", "aria-pressed": value === grade, "aria-label": `Grade ${words} for ${name}` }
    const button = element("button", about, words)
    button.addEventListener("click", () => value !== grade && view.send("grade", { place, grade: value }))
    return button
  })
  const chosen = element("span", { class: "grades", role: "group", "aria-label": `Grade of ${name}` }, ...buttons)
  row.append(drawHandle(view, row, name), element("span", { class: "rank" }), element("span", { class: "name" }, name), chosen)
  return row
}

function listen(view) {
  view.list.addEventListener("pointermove", event => { if (view.dragged) moveTo(view, view.dragged, event.clientY) })
  for (const end of ["pointerup", "pointercancel"]) {
    view.list.addEventListener(end, () => {
      if (!view.dragged) return
      view.dragged.classList.remove("dragged")
      view.dragged = null
      sendOrder(view)
    })
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector("ol")
  let view = instances.get(parentElement)
  if (view?.list !== list) {
    instances.set(parentElement, (view = { list, drawn: "" }))
    listen(view)
  }
  view.send = setTriggerValue
  const text = JSON.stringify(data)
  if (view.drawn === text && list.children.length) return
  view.drawn = text
  const active = parentElement.getRootNode().activeElement?.getAttribute("aria-label")
  list.replaceChildren(...data.lines.map((line, place) => drawRow(view, line, place, data.grades)))
  number(view)
  if (active) [...list.querySelectorAll("button")].find(button => button.getAttribute("aria-label") === active)?.focus({ preventScroll: true })
}
