// The table of queries: sorted, filtered and selected in the browser; read together with rankings.js.
function arrange(view) {
  const wanted = view.filter.value.trim().toLocaleLowerCase()
  const order = []
  view.names.forEach((name, place) => { if (name.includes(wanted) || view.texts?.[place].includes(wanted)) order.push(place) })
  const [by, falling] = view.sort
  const index = view.columns[by]?.index
  if (index) {
    const last = view.columns[by].texts.length - 1
    const undefinedAt = view.columns[by].undefined ? last : -1
    // What is undefined comes last, whichever way.
    const key = place => index[place] === undefinedAt ? Infinity : falling ? -index[place] : index[place]
    order.sort((a, b) => key(a) - key(b) || a - b)
  } else if (falling) order.reverse()
  view.order = order
  view.count.textContent = wanted ? `${order.length} found` : view.data.count
  view.room.style.height = `${order.length * ROW}px`
  view.scroller.setAttribute("aria-rowcount", order.length)
}

const breadth = column => column.bars ? 5.9 : Math.max(3, [...column.heading].reduce((sum, c) => sum + (c >= "A" && c <= "Z" ? 0.6 : 0.46), 1.15))

function header(view) {
  const cells = [heading(view, -1, "query", "The order of the judgments")]
  view.columns.forEach((column, place) => cells.push(heading(view, place, column.heading, column.title)))
  view.head.replaceChildren(...cells)
  const widths = view.columns.map(breadth)
  const name = view.data.texts ? (view.root.clientWidth < 520 ? 9 : 13) : view.data.images ? 7 : 5.6
  view.scroller.style.setProperty("--columns", `minmax(${name}rem, ${view.data.texts ? 5 : 2}fr) ${widths.map(width => `minmax(${width}rem, 1fr)`).join(" ")}`)
  view.scroller.style.setProperty("--least", `${widths.reduce((sum, width) => sum + width, name)}rem`)
  view.foot.replaceChildren(...view.data.foot.map(({ name, title, cells }) => {
    const texts = cells.map(text => element("span", { role: "gridcell" }, text))
    return element("div", { class: "row", role: "row", title }, element("span", { class: "name", role: "rowheader" }, name), ...texts)
  }))
}

function heading(view, place, text, title) {
  const button = element("button", { type: "button", title }, text)
  const cell = element("span", { role: "columnheader" }, button)
  if (view.sort[0] === place) {
    button.append(view.sort[1] ? " ▾" : " ▴")
    button.className = "sorted"
    cell.setAttribute("aria-sort", view.sort[1] ? "descending" : "ascending")
  }
  button.addEventListener("click", () => {
    view.sort = view.sort[0] === place ? [place, !view.sort[1]] : [place, false]
    arrange(view)
    header(view)
    rows(view)
    view.send("sort", view.sort)
  })
  return cell
}

function rows(view) {
  const first = Math.max(0, Math.floor(view.scroller.scrollTop / ROW) - 4)
  const count = Math.ceil(view.scroller.clientHeight / ROW) + 8
  const visible = view.order.slice(first, first + count).map((place, n) => row(view, place, first + n))
  view.room.replaceChildren(...visible)
}

const described = (view, place) => [view.data.names[place], view.data.texts?.[place]].filter(Boolean).join(" · ")

function row(view, place, at) {
  const nth = view.selected.indexOf(place)
  const title = nth >= 0 ? "Hide this curve" : "Show this curve beside the others"
  const words = (view.data.shown ?? view.data.names)[place]
  const text = view.data.texts?.[place], image = view.data.images?.[place]
  const name = element("span", { class: "name", role: "rowheader", title: described(view, place) }, element("i", { class: "mark", title }))
  if (image) name.append(element("img", { src: image, alt: "" }))
  name.append(words)
  if (text) name.append(element("span", { class: "grey" }, ` ${text}`))
  const cells = view.columns.map(column => {
    const which = column.index[place]
    const cell = element("span", { role: "gridcell", class: column.undefined && which === column.texts.length - 1 ? "grey" : "" })
    if (column.bars) cell.append(element("i", { class: "track" }, element("i", { style: `width: ${column.bars[which]}%` })))
    cell.append(column.texts[which])
    return cell
  })
  const line = element("div", {
    class: at === view.active ? "row active" : "row", role: "row", "data-place": place, "aria-rowindex": at + 1,
    "aria-selected": nth >= 0, style: `top: ${at * ROW}px`,
  }, name, ...cells)
  if (nth >= 0) line.style.setProperty("--mark", view.data.colours[nth])
  return line
}

function select(view, place, beside) {
  const others = view.selected.filter(other => other !== place)
  const known = others.length < view.selected.length
  if (beside) view.selected = known ? others : [...others, place].slice(-MOST_SELECTED)
  else view.selected = [place]
  if (!view.selected.length) return (view.selected = [place])
  view.waiting = true
  draw(view)
  rows(view)
  view.send("selected", view.selected)
}

function reveal(view, at) {
  if (at < 0) return
  const top = at * ROW, height = view.scroller.clientHeight - view.head.offsetHeight - view.foot.offsetHeight
  if (top < view.scroller.scrollTop) view.scroller.scrollTop = top
  else if (top + ROW > view.scroller.scrollTop + height) view.scroller.scrollTop = top + ROW - height
  rows(view)
}
