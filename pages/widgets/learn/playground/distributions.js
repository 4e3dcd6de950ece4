// Distributions of scores: skew normal hills, and bars drawn by hand; the same numbers as evalcore.learning's.

// Nodes and weights of Gauss and Legendre's quadrature on −1 … 1, by Newton's method.
function legendre(count) {
  return Array.from({ length: count }, (_, i) => {
    let [x, slope] = [Math.cos((Math.PI * (i + 0.75)) / (count + 0.5)), 1]
    for (let round = 0; round < 8; round++) {
      let [before, now] = [1, x]
      for (let k = 2; k <= count; k++) [before, now] = [now, ((2 * k - 1) * x * now - (k - 1) * before) / k]
      slope = (count * (x * now - before)) / (x * x - 1)
      x -= now / slope
    }
    return [x, 2 / ((1 - x * x) * slope * slope)]
  })
}

const NODES = legendre(32)

// Share of the standard normal distribution above z: a series in the middle, a continued fraction in the tails.
function upperNormal(z) {
  const x = Math.abs(z) / Math.SQRT2
  if (x > 27) return z > 0 ? 0 : 1
  let half
  if (x < 2.5) {
    let [term, sum] = [x, x]
    for (let n = 1; term > 1e-17 * sum; n++) sum += term *= (2 * x * x) / (2 * n + 1)
    half = 0.5 - (Math.exp(-x * x) * sum) / Math.sqrt(Math.PI)
  } else {
    let fraction = 0
    for (let n = 60; n > 0; n--) fraction = n / 2 / (x + fraction)
    half = Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction) / 2
  }
  return z > 0 ? half : 1 - half
}

function owensT(z, slope) {
  let sum = 0
  for (const [node, weight] of NODES) {
    const x = (slope * (node + 1)) / 2
    sum += (weight * Math.exp((-z * z * (1 + x * x)) / 2)) / (1 + x * x)
  }
  return (sum * slope) / 2 / (2 * Math.PI)
}

// A hill by its mean, standard deviation and skewness (Azzalini's skew normal).
function hillOf({ mean, spread, skew }) {
  const share = Math.abs(skew) ** (2 / 3)
  const lean = Math.sign(skew) * Math.sqrt(((Math.PI / 2) * share) / (share + ((4 - Math.PI) / 2) ** (2 / 3)))
  const slope = lean / Math.sqrt(1 - lean * lean)
  const scale = spread / Math.sqrt(1 - (2 / Math.PI) * lean * lean)
  const location = mean - scale * lean * Math.sqrt(2 / Math.PI)
  return {
    slope, scale, location,
    density(score) {
      const z = (score - location) / scale
      return ((2 / scale) * Math.exp((-z * z) / 2) * upperNormal(-slope * z)) / Math.sqrt(2 * Math.PI)
    },
    above(score) {
      const z = (score - location) / scale
      return clamp(upperNormal(z) + (slope ? 2 * owensT(z, slope) : 0), 0, 1)
    },
    draw: ({ hidden, other }, i) => location + scale * (lean * hidden[i] + Math.sqrt(1 - lean * lean) * other[i]),
  }
}

const BARS = 20
const WIDTH = 100 / BARS // of a bar, which stand from 0 to 100

// Bars within which all scores are equally likely.
function barsOf({ heights }) {
  const total = heights.reduce((sum, height) => sum + height, 0)
  const shares = heights.map(height => height / total)
  const below = [0]
  for (const share of shares) below.push(below.at(-1) + share)
  const last = shares.findLastIndex(share => share > 0)
  return {
    shares,
    density: score => (score < 0 || score >= 100 ? 0 : shares[Math.floor(score / WIDTH)] / WIDTH),
    above(score) {
      const place = clamp(score / WIDTH, 0, BARS)
      const bar = Math.min(Math.floor(place), BARS - 1)
      return 1 - (below[bar] + shares[bar] * (place - bar)) / below[BARS]
    },
    draw({ first, second }, i) {
      let bar = 0
      while (bar < last && below[bar + 1] <= first[i]) bar++
      return (bar + second[i]) * WIDTH
    },
  }
}

const distributionOf = shape => (shape.heights ? barsOf(shape) : hillOf(shape))

// A hill as bars, to go on drawing from.
function heightsOf(shape) {
  if (shape.heights) return [...shape.heights]
  const { above } = hillOf(shape)
  const shares = Array.from({ length: BARS }, (_, bar) => above(bar * WIDTH) - above((bar + 1) * WIDTH))
  const most = Math.max(...shares)
  return shares.map(share => Math.round((share / most) * 30))
}

// Numbers in (0, 1) from a seed and the number of a stream: mulberry32, which NumPy draws alike.
function uniformNumbers(seed, stream) {
  let state = (Math.imul(seed, 0x9e3779b1) + Math.imul(stream, 0x85ebca77)) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
}

// The chance in the rows of a class, whatever their distribution: it stays while a hill is shaped, so it is kept.
const chances = new Map()

function chanceOf(seed, place, rows) {
  const key = `${seed} ${place} ${rows}`
  if (!chances.has(key)) {
    const [first, second] = [0, 1].map(part => Float64Array.from({ length: rows }, uniformNumbers(seed, 2 * place + part)))
    // Box and Muller's two normal numbers, of which the first one lost its sign.
    const radius = first.map(number => Math.sqrt(-2 * Math.log(number)))
    const hidden = radius.map((r, i) => Math.abs(r * Math.cos(2 * Math.PI * second[i])))
    const other = radius.map((r, i) => r * Math.sin(2 * Math.PI * second[i]))
    chances.set(key, { first, second, hidden, other })
    if (chances.size > 60) chances.delete(chances.keys().next().value)
  }
  return chances.get(key)
}
