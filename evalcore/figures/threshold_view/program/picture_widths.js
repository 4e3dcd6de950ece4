// All words of a copy keep the width that they have in the tree.
function keepWidths(tree, copy) {
  const words = one => [...one.querySelectorAll("text, tspan")]
  const twins = words(copy)
  for (const [index, one] of words(tree).entries()) {
    const width = one.childElementCount ? 0 : one.getComputedTextLength()
    if (width) keepWidth(twins[index], width)
  }
}
