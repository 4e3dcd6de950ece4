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

// The name of a measure as a link to its entry, with what is open; "svg:a" in a picture. In a report, which has no
// entries, it is the name alone.
function entryLink(key, tag, ...children) {
  const link = element(tag, { class: "entry", target: "_blank", rel: "noopener" }, ...children)
  if (!document.querySelector("[data-testid=stApp]")) return link
  const aim = () => {
    const open = new URLSearchParams(location.search)
    open.set("measure", key)
    link.setAttribute("href", `measures?${open}`)
  }
  for (const event of ["pointerenter", "focus"]) link.addEventListener(event, aim)
  aim()
  return link
}
