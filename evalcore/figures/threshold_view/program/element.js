// What all components are built of: elements, links to measures, and the hands and keys that move something.

function withAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  return node
}

// An element with attributes and children, which are other elements or texts, never markup; "svg:line" is one of SVG.
function element(tag, attributes = {}, ...children) {
  const [name, svg] = tag.split(":").reverse()
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name)
  withAttributes(node, attributes).append(...children)
  return node
}

function button(words, press, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, words)
  node.addEventListener("click", press)
  return node
}

// A small button with a drawing of lines, in 24 by 24 units; its words show under the pointer and are read out.
function iconButton(d, words, press, { thick = 1.6, ...attributes } = {}) {
  const line = { d, fill: "none", stroke: "currentColor", "stroke-width": thick, "stroke-linecap": "round", "stroke-linejoin": "round" }
  const look = { viewBox: "0 0 24 24", width: 16, height: 16, "aria-hidden": "true" }
  const icon = element("svg:svg", look, element("svg:path", line))
  return button(icon, press, { class: "tool", title: words, "aria-label": words, ...attributes })
}

// The name of a measure as a link to its entry, with what is open; "svg:a" in a picture. In a file, which has no entries,
// it is the name alone.
function entryLink(key, tag, ...children) {
  if (!document.querySelector("[data-testid=stApp]")) return element(tag === "a" ? "span" : tag, { class: "entry" }, ...children)
  const link = element(tag, { class: "entry", target: "_blank", rel: "noopener" }, ...children)
  const aim = () => {
    const open = new URLSearchParams(location.search)
    open.set("measure", key)
    link.setAttribute("href", `measures?${open}`)
  }
  for (const event of ["pointerenter", "focus"]) link.addEventListener(event, aim)
  aim()
  return link
}

// What a component has built in its element lasts as long as that element.
const views = new WeakMap()

function viewOf(parentElement, selector, build) {
  const root = parentElement.querySelector(selector)
  if (!views.has(root)) views.set(root, build(root))
  return views.get(root)
}

const each = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
const eased = share => share * share * (3 - 2 * share) // of a way, slow at both ends
const clamp = (value, low, high) => Math.min(Math.max(value, low), high)
const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

// What Python has deflated, as the response of a fetch.
const inflated = text => new Response(new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate")))

// A node that is dragged, from the press of the pointer, unless `start` answers false, to its release. The function that
// comes back says whether it is being dragged.
function dragged(node, { start, move, end }) {
  let isHeld = false
  node.addEventListener("pointerdown", event => {
    if (event.button !== 0 || start?.(event) === false) return
    event.preventDefault()
    isHeld = true
    node.focus({ preventScroll: true })
    node.setPointerCapture(event.pointerId)
  })
  node.addEventListener("pointermove", event => isHeld && move(event))
  for (const release of ["pointerup", "pointercancel"]) {
    node.addEventListener(release, event => {
      if (isHeld) end(event)
      isHeld = false
    })
  }
  return () => isHeld
}

// Keys that step; commands of the browser are left to it.
function stepped(node, steps, step) {
  node.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in steps)) return
    event.preventDefault()
    step(steps[event.key], event)
  })
}

// One call, some milliseconds after the last of many.
function debounced(call, milliseconds) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(call, milliseconds)
  }
}
