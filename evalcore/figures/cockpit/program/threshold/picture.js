// Saving the surface as one picture that needs nothing else: its rules of style go along, with the colours in them.

function save(view) {
  const copy = view.svg.cloneNode(true)
  keepWidths(view.svg, copy)
  for (const node of copy.querySelectorAll(".catch, .hint, .focus")) node.remove()
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes)
  const computed = getComputedStyle(view.root)
  const rules = STYLE.replace(/var\((--[\w-]+)\)/g, (_, name) => computed.getPropertyValue(name).trim())
  const under = view.under.cloneNode(true)
  keepWidths(view.under, under)
  const picture = emptyPicture(view.at.width, view.at.height, view.ink.colours, view.title(view))
  picture.append(element("svg:style", {}, rules), ...under.childNodes, ...copy.childNodes)
  savePicture(picture, view.file ?? "threshold")
}
