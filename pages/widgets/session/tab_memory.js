// What the tab remembers: told to a session that is new, and written down whenever a session knows something.
const MEMORY = "evalcore memory"

export default function ({ data, setTriggerValue }) {
  try {
    if (data.fresh && sessionStorage.getItem(MEMORY)) setTriggerValue("told", sessionStorage.getItem(MEMORY))
    else if (data.known) sessionStorage.setItem(MEMORY, data.known)
  } catch { /* a browser that keeps nothing forgets at a reload */ }
}
