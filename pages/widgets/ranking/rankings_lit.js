// The small half of the curves and the table of queries: which are lit, in which order, and how they are drawn. It has
// nothing to show itself; it leaves what it was told at the window, where rankings.js waits for it.
export default function ({ data }) {
  window.evalcoreRankings = data
  window.dispatchEvent(new Event("evalcore-rankings"))
}
