// What the tab remembers: told to a session that is new, and written down whenever a session knows something. What the
// fields of answers hold is written down when the page is left, for a form sends nothing before it is checked.
const MEMORY = "evalcore memory"
const TYPED = "evalcore typed"
const FIELDS = "[class*='st-key-answer-'], [class*='st-key-choice-']"

const read = name => JSON.parse(sessionStorage.getItem(name) ?? "{}")

function writeTyped() {
  const typed = [...document.querySelectorAll(FIELDS)].flatMap(box => {
    const inputs = [...box.querySelectorAll("input")]
    const name = [...box.classList].find(one => one.startsWith("st-key-"))
    const value = inputs[0]?.type === "radio" ? inputs.findIndex(input => input.checked) : inputs[0]?.value
    return value === undefined ? [] : [[name, value]]
  })
  try {
    if (typed.length) sessionStorage.setItem(TYPED, JSON.stringify({ ...read(TYPED), ...Object.fromEntries(typed) }))
  } catch { /* a browser that keeps nothing forgets at a reload */ }
}

if (!window.evalcoreTyped) {
  window.evalcoreTyped = true
  addEventListener("pagehide", writeTyped)
}

export default function ({ data, setTriggerValue }) {
  try {
    const told = { ...read(MEMORY), typed: read(TYPED) }
    if (data.fresh && (sessionStorage.getItem(MEMORY) || sessionStorage.getItem(TYPED))) setTriggerValue("told", JSON.stringify(told))
    else if (data.known) sessionStorage.setItem(MEMORY, data.known)
  } catch { /* a browser that keeps nothing forgets at a reload */ }
}
