// The small half of the curves and the table of queries: which are lit, in which order, and how they are drawn. It has
// nothing to show itself; it leaves what it was told at the window, where rankings.js waits for it, and tells Python
// what was clicked there: it stands in the part of the page that a click draws anew.
export default function ({ data, setTriggerValue }) {
  window.evalcoreRankings = data
  window.evalcoreRankingsSay = (name, value) => setTriggerValue(name, { value })
  window.dispatchEvent(new Event("evalcore-rankings"))
}
