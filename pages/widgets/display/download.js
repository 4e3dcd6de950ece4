function download(blob, name) {
  const url = URL.createObjectURL(blob)
  element("a", { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
