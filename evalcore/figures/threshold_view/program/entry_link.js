// The name of a measure as a link to its entry, with what is open; "svg:a" in a picture. In a report, which has no
// entries, it is the name alone.
function entryLink(key, tag, ...children) {
  const link = element(tag, { class: "entry", target: "_blank", rel: "noopener" }, ...children)
  if (!document.querySelector("[data-testid=stApp]")) return link
  const aim = () => {
    const open = new URLSearchParams(location.search)
    open.set("measure", key)
    link.setAttribute("href", `measures?${open}`)
  }
  for (const event of ["pointerenter", "focus"]) link.addEventListener(event, aim)
  aim()
  return link
}
