// The 2×2 at the threshold, with the rates at its sides.
const TALL = 58

function drawNumbers(view, at) {
  const { cells: box } = at
  const { names } = view.sheet
  const { turned } = view.ink  // the actual classes in the rows
  const layer = group(view.svg)
  const side = clamp(box.width * 0.2, 58, 92)
  const last = clamp(box.width * 0.22, 70, 92)
  const wide = (box.width - side - last - 4) / 2
  const left = column => box.left + side + column * (wide + 4)
  label(layer, box.left, box.heading + 4, "At this threshold", "grey")
  const head = box.top + 32
  for (const [column, name] of names.entries()) {
    const middle = left(column) + wide / 2
    label(layer, middle, head, fitted(`${turned ? "says" : "actual"} ${name}`, wide), "grey", "middle")
  }
  view.parts.cells = {}
  const top = head + 9
  for (const [row, pair] of (turned ? [["tp", "fn"], ["fp", "tn"]] : [["tp", "fp"], ["fn", "tn"]]).entries()) {
    const y = top + row * (TALL + 4)
    label(layer, box.left + side - 9, y + TALL / 2 - 4, turned ? "actual" : "says", "grey", "end")
    label(layer, box.left + side - 9, y + TALL / 2 + 12, fitted(names[row], side - 10), "grey", "end")
    for (const [column, cell] of pair.entries()) {
      const middle = left(column) + wide / 2
      put(layer, "rect", { x: left(column), y, width: wide, height: TALL, rx: 6, class: `area ${cell}` })
      const error = cell === "fp" || cell === "fn"
      const plate = Math.max(Math.min(wide - 18, 96), 52)
      if (error) put(layer, "rect", { x: middle - plate / 2, y: y + 8, width: plate, height: TALL - 15, rx: 5, class: "paler" })
      view.parts.cells[cell] = label(layer, middle, y + 31, "", `count on-${cell}`, "middle")
      label(layer, middle, y + 47, cell.toUpperCase(), `letters on-${cell}`, "middle")
    }
  }
  const right = box.left + box.width - last + 12
  const below = top + 2 * TALL + 4 + 22
  view.parts.rates = {}
  const rate = (key, words, x, y, anchor) => {
    label(layer, x, y, words, "small grey", anchor)
    view.parts.rates[key] = label(layer, x, y + 19, "", "rate", anchor)
  }
  const ofAnswers = [["precision", "precision"], ["negative_predictive_value", "NPV"]]
  const ofClasses = [["recall", "recall"], ["specificity", "specificity"]]
  const [beside, under] = turned ? [ofClasses, ofAnswers] : [ofAnswers, ofClasses]
  for (const [row, [key, words]] of beside.entries()) rate(key, words, right, top + row * (TALL + 4) + 24, "start")
  for (const [column, [key, words]] of under.entries()) rate(key, words, left(column) + wide / 2, below, "middle")
  rate("accuracy", "accuracy", right, below, "start")
}

function paintNumbers(view, row) {
  for (const cell of CELLS) {
    const node = view.parts.cells[cell]
    set(node, "text", row.cells[cell])
    const long = row.cells[cell].length
    set(node, "style", `font-size: ${long > 9 ? 14 : long > 6 ? 17 : 22}px`)
  }
  for (const [key, node] of Object.entries(view.parts.rates)) {
    set(node, "text", row.texts[key])
    set(node, "class", row.texts[key] === UNDEFINED ? "undefined" : "rate")
  }
}
