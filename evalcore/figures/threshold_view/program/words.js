// Texts: numbers as Python writes them, digit by digit, and columns of texts as Python packs them.
const THIN = "\u202f"
const UNDEFINED = "undefined"

const minus = text => text.replaceAll("-", "−")
const thousands = text => text.replace(/\d+/, digits => digits.replace(/\B(?=(\d{3})+$)/g, THIN))

// Digits after the point; of two that are equally near, the even one, as Python rounds.
function fixed(value, digits) {
  const [text, exact] = [value.toFixed(digits), value.toFixed(Math.min(digits + 60, 100))]
  const isTie = Math.abs(value) < 1e15 && /^50*$/.test(exact.slice(exact.length - (Math.min(digits + 60, 100) - digits)))
  if (!isTie || Number(text.at(-1)) % 2 === 0) return text
  return exact.slice(0, digits ? exact.indexOf(".") + 1 + digits : exact.indexOf("."))
}

// Significant digits without zeros at the end, as Python writes "g".
function general(value, digits) {
  if (!value) return "0"
  const [mantissa, power] = value.toExponential(digits - 1).split("e")
  const short = text => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)
  if (power < -4 || power >= digits) return `${short(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`
  return short(fixed(value, Math.max(digits - 1 - power, 0)))
}

function shareText(value) {
  if (Number.isNaN(value)) return "undefined"
  const share = Number(value.toFixed(12)) + 0
  let digits = 1
  while (digits < 6 && [0, 100].includes(Number((100 * share).toFixed(digits))) && share !== 0 && share !== 1) digits++
  return minus(`${fixed(100 * share, digits)}${THIN}%`)
}

function numberText(number, digits = 3) {
  if (Number.isNaN(number)) return "undefined"
  if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞"
  const value = Number(number.toPrecision(12))
  const size = Math.abs(value)
  if (size && (size >= 1e7 || size < 10 ** -digits)) return minus(general(value, digits))
  return thousands(minus(fixed(value + 0, size < 2 ? digits : Math.max(digits - 1 - Math.floor(Math.log10(size)), 0))))
}

function countText(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "undefined"
  if (value && Math.abs(value) < 0.1) return minus(general(value, 2))
  const whole = Math.round(value)
  return thousands(minus(Math.abs(value - whole) <= 1e-12 * Math.max(Math.abs(value), 1) ? String(whole + 0) : fixed(value, 2)))
}

// The number in a text that is written as above, or typed with a comma; NaN if there is none.
function numberOf(text) {
  const plain = text.replaceAll(THIN, "").replace("−", "-").replace("∞", "Infinity").replace(",", ".").trim()
  return plain ? Number(plain) : NaN
}

function written([ending, joined, times]) {
  if (times !== undefined) return Array(Number(times)).fill(joined)
  let before = ""
  return joined.split("|").map(part => {
    before = before.slice(0, Number(part[0])) + part.slice(1)
    return before === UNDEFINED ? before : before.replaceAll("_", THIN) + ending
  })
}
