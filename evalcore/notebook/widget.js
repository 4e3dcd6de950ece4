// The one end of a view that stands in the notebook: it passes the threshold between the frames of the view and Python.

function initialize({ model }) {
  const frames = new Set()
  const say = (frame, message) => frame.postMessage({ evalcore: model.get("view"), ...message }, "*")
  const now = () => ({ now: model.get("now") })
  const hear = ({ data, source }) => {
    if (data?.evalcore !== model.get("view") || !source || source === window) return
    frames.add(source)
    const { stop } = data
    if (!Number.isInteger(stop)) return say(source, model.get("stop") < 0 ? now() : { stop: model.get("stop") })
    model.set("stop", stop)
    model.save_changes()
    for (const other of frames) if (other !== source) say(other, { stop })
  }
  // Also back to where Python had put it before, which changes the stop alone.
  const move = () => {
    for (const frame of model.get("stop") < 0 ? frames : []) {
      if (frame.closed) frames.delete(frame)
      else say(frame, now())
    }
  }
  window.addEventListener("message", hear)
  for (const change of ["change:now", "change:stop"]) model.on(change, move)
  return () => {
    window.removeEventListener("message", hear)
    for (const change of ["change:now", "change:stop"]) model.off(change, move)
  }
}

// Where a frame beside the cell cannot be reached, the widget shows one of its own.
function render({ model, el }) {
  el.innerHTML = model.get("frame")
}

export default { initialize, render }
