// Contents that open what they lead to, and one box for all appendices.
document.documentElement.classList.add("scripted")
const all = document.getElementById("all")
all.addEventListener("change", () => {
  for (const fold of document.querySelectorAll(".appendix")) fold.open = all.checked
})
for (const link of document.querySelectorAll("nav a")) {
  // Inside a frame an address of this document would be one of the page around it.
  link.addEventListener("click", event => {
    event.preventDefault()
    const place = document.querySelector(link.hash)
    const fold = place.closest(".appendix")
    if (fold) fold.open = true
    ;(fold ?? place).scrollIntoView()
  })
}

const held = document.getElementById("threshold-view-data")
if (held) showAlone(document.getElementById("live"), JSON.parse(held.textContent), "report")
