function download(blob, file) {
  // The mark of a complete run holds what files about the open data set are called.
  const name = [document.querySelector("[data-file]")?.dataset.file, file].filter(Boolean).join(" ")
  const url = URL.createObjectURL(blob)
  element("a", { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
