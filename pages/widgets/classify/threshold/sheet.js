// What stays while the threshold moves: laid down here once, for the cockpit to find.
export default function ({ data }) {
  const sheets = (window.evalcoreSheets ??= new Map())
  if (sheets.has(data.name)) return
  sheets.set(data.name, data.sheet)
  // A few are kept: going back to a setting finds its sheet again.
  if (sheets.size > 6) sheets.delete(sheets.keys().next().value)
  window.dispatchEvent(new Event("evalcore-sheet"))
}
