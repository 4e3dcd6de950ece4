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
