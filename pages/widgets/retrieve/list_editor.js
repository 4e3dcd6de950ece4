// A ranked list to edit: documents are dragged by their handles or moved by the arrow keys, and graded by buttons.
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
  view.rest()
}

function drawRow(view, { name, grade }, place, grades) {
  const row = element("li", { "data-place": place, class: grade > 0 ? "relevant" : "" })
  const buttons = grades.map((words, value) => {
    const about = { "aria-pressed": value === grade, "aria-label": `Grade ${words} for ${name}` }
    return button(words, () => value !== grade && view.send("grade", { place, grade: value }), about)
  })
  const chosen = element("span", { class: "grades", role: "group", "aria-label": `Grade of ${name}` }, ...buttons)
  const about = { type: "button", class: "handle", "aria-label": `Move ${name}`, title: "Drag, or use the arrow keys" }
  const handle = element("button", about, "⠿")
  stepped(handle, { ArrowUp: -1, ArrowDown: 1 }, way => step(view, row, way))
  row.append(handle, element("span", { class: "rank" }), element("span", { class: "name" }, name), chosen)
  return row
}

function build(list) {
  const view = { list, drawn: "", rest: debounced(() => sendOrder(view), 500) }
  let row
  // The list takes the pointer: a row that is moved in the page would lose it.
  dragged(list, {
    start: ({ target }) => {
      const handle = target.closest(".handle")
      if (!handle) return false
      handle.focus()
      row = handle.closest("li")
      row.classList.add("dragged")
      return true
    },
    move: ({ clientY }) => moveTo(view, row, clientY),
    end: () => {
      row.classList.remove("dragged")
      sendOrder(view)
    },
  })
  return view
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, "ol", build)
  view.send = setTriggerValue
  const text = JSON.stringify(data)
  if (view.drawn === text) return
  view.drawn = text
  const active = parentElement.getRootNode().activeElement?.getAttribute("aria-label")
  view.list.replaceChildren(...data.lines.map((line, place) => drawRow(view, line, place, data.grades)))
  number(view)
  const again = active && [...view.list.querySelectorAll("button")].find(node => node.getAttribute("aria-label") === active)
  again?.focus({ preventScroll: true })
}
