// What stays while the threshold moves: laid down here once, for the threshold view to find.
export default function ({ data }) {
  const views = (window.evalcoreThresholdViews ??= new Map())
  if (views.has(data.name)) return
  views.set(data.name, data.view)
  // A few are kept: going back to a setting finds its view again.
  if (views.size > 6) views.delete(views.keys().next().value)
  window.dispatchEvent(new Event("evalcore-threshold-view"))
}
