// A dialog that finds what is typed among the entries, opened by Ctrl-K or its button; the choice goes to the server.
const MOST = 12

const typable = text => text.toLowerCase().replaceAll("–", "-")

function rank([kind, , label, more], words) {
  const name = typable(label), text = typable(`${label} ${more} ${kind}`)
  if (!words.every(word => text.includes(word))) return 0
  return name.startsWith(words[0]) ? 3 : words.every(word => name.includes(word)) ? 2 : 1
}

function found(entries, typed, hasScores) {
  const words = typable(typed).split(/\s+/).filter(Boolean)
  if (!words.length) return entries.filter(([kind]) => kind === "Page").slice(0, MOST)
  const ranked = entries.map(entry => [rank(entry, words), entry]).filter(([value]) => value)
  const best = ranked.sort(([a], [b]) => b - a).map(([, entry]) => entry)
  const meant = hasScores && /\d/.test(typed) ? [["Threshold", typed, `Go to ${typed}`, ""]] : []
  return [...meant, ...best].slice(0, MOST)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const view = viewOf(parentElement, "span", build)
  Object.assign(view, { data, go: (kind, key) => setTriggerValue("go", [kind, key]) })
}

function build(root) {
  const field = element("input", {
    type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list", autocomplete: "off",
    "aria-label": "Find a page, a sample, a measure or a column", placeholder: "Page, sample, measure, column, recall ≥ 0.95",
  })
  const list = element("ul", { role: "listbox", id: "palette-list", "aria-label": "Found" })
  const nothing = element("p", { role: "status" })
  const dialog = element("dialog", { "aria-label": "Find" }, field, list, nothing)
  const view = {}
  let at = 0

  const choose = ([kind, key]) => {
    dialog.close()
    view.go(kind, key)
  }
  const draw = () => {
    const shown = found(view.data.entries, field.value, view.data.scores)
    at = clamp(at, 0, Math.max(shown.length - 1, 0))
    list.replaceChildren(...shown.map((entry, index) => {
      const attributes = { role: "option", id: `palette-${index}`, "aria-selected": String(index === at) }
      const option = element("li", attributes, element("span", {}, entry[2]), element("small", {}, entry[0]))
      option.addEventListener("click", () => choose(entry))
      return option
    }))
    nothing.textContent = shown.length ? "" : "Nothing found"
    field.setAttribute("aria-activedescendant", shown.length ? `palette-${at}` : "")
    return shown
  }
  const open = () => {
    field.value = ""
    at = 0
    draw()
    dialog.showModal()
    field.focus()
  }
  const toggle = event => {
    if (!dialog.isConnected) return document.removeEventListener("keydown", toggle, true)
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    if (dialog.open) dialog.close()
    else open()
  }
  field.addEventListener("input", () => { at = 0; draw() })
  stepped(field, { ArrowDown: 1, ArrowUp: -1 }, step => { at += step; draw() })
  // Left to the browser, it would also press the button that has the focus once the dialog is closed.
  stepped(field, { Enter: true }, () => { if (list.childElementCount) choose(draw()[at]) })
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close() })
  const opener = button("Find …", open, { "aria-haspopup": "dialog" })
  opener.append(element("kbd", {}, "Ctrl K"))
  root.className = "palette"
  root.replaceChildren(opener, dialog)
  document.addEventListener("keydown", toggle, true)
  return view
}
