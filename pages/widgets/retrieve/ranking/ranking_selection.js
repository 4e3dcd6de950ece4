// The small half of the curves and the table of queries: which are selected, in which order, and how they are drawn. It
// shows nothing itself: it leaves its data at the window, where rankings.js waits for it, and sends Python what was
// clicked there, because it stands in the part of the page that a click draws anew.
export default function ({ data, setTriggerValue }) {
  window.evalcoreRankings = data
  window.evalcoreRankingsSend = (name, value) => setTriggerValue(name, { value })
  window.dispatchEvent(new Event("evalcore-rankings"))
}
