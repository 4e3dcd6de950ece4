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
// Two distributions and a prevalence: areas and curves in theory, and samples from a seed with their own.

const [LOW, HIGH] = [0, 100] // of the axis
const STOPS = 10 * (HIGH - LOW) + 1 // thresholds by tenths; the first and the last one stand for −∞ and ∞

const thresholdAt = stop => (stop === 0 ? -Infinity : stop === STOPS - 1 ? Infinity : LOW + stop / 10)
const stopOf = threshold => clamp(Math.round((threshold - LOW) * 10), 0, STOPS - 1)

function modelOf({ positives, negatives, prevalence }) {
  const [one, other] = [distributionOf(positives), distributionOf(negatives)]
  const precision = (recall, fallOut) => (prevalence * recall) / (prevalence * recall + (1 - prevalence) * fallOut)
  const model = { one, other, prevalence, drawn: Boolean(positives.heights) }
  model.at = threshold => {
    const ends = threshold === Infinity ? 0 : threshold === -Infinity ? 1 : null
    const [recall, fallOut] = ends === null ? [one.above(threshold), other.above(threshold)] : [ends, ends]
    return { recall, fall_out: fallOut, precision: precision(recall, fallOut) }
  }
  const sums = { auc: 0, ap: 0, twoPositives: 0, twoNegatives: 0 }
  for (const [score, step] of grid(model)) {
    const [up, down] = [one.density(score) * step, other.density(score) * step]
    if (!up && !down) continue
    const { recall, fall_out: fallOut, precision: hit } = model.at(score)
    sums.auc += up * (1 - fallOut)
    sums.ap += up * (hit || 0)
    sums.twoPositives += down * recall ** 2
    sums.twoNegatives += up * (1 - fallOut) ** 2
  }
  model.auc = sums.auc
  model.ap = model.drawn ? precisionOfBars(one.shares, other.shares, prevalence) : sums.ap
  model.error = (positives, negatives) => {
    const square = sums.auc ** 2
    const spread = (positives - 1) * (sums.twoPositives - square) + (negatives - 1) * (sums.twoNegatives - square)
    return Math.sqrt(Math.max(sums.auc * (1 - sums.auc) + spread, 0) / (positives * negatives))
  }
  return model
}

// Scores and steps of a sum that is the integral: two nodes a bar, or the trapezoidal rule over both hills.
function grid({ one, other, drawn }) {
  if (drawn) {
    const apart = WIDTH / 2 / Math.sqrt(3)
    const middles = Array.from({ length: BARS }, (_, bar) => (bar + 0.5) * WIDTH)
    return middles.flatMap(middle => [[middle - apart, WIDTH / 2], [middle + apart, WIDTH / 2]])
  }
  const low = Math.min(...[one, other].map(hill => hill.location - 9 * hill.scale))
  const high = Math.max(...[one, other].map(hill => hill.location + 9 * hill.scale))
  const step = Math.min(...[one, other].map(hill => hill.scale / Math.hypot(1, hill.slope))) / 3
  return Array.from({ length: Math.ceil((high - low) / step) + 1 }, (_, i) => [low + step * i, step])
}

// Each bar's integral of (a + bs) / (c + ds) over s in 0 … 1, weighted by its positives, from the right.
function precisionOfBars(positives, negatives, prevalence) {
  let [total, hits, flagged] = [0, 0, 0]
  for (let bar = BARS - 1; bar >= 0; bar--) {
    const more = prevalence * positives[bar]
    const all = more + (1 - prevalence) * negatives[bar]
    if (positives[bar]) total += positives[bar] * meanPrecision(hits, more, flagged, all)
    hits += more
    flagged += all
  }
  return total
}

function meanPrecision(a, b, c, d) {
  if (c <= 0) return b / d
  const growth = d / c
  if (growth >= 0.01) return b / d + ((a - (b * c) / d) / d) * Math.log1p(growth)
  let sum = 0 // the closed form would cancel
  for (let k = 0; k < 8; k++) sum += (-growth) ** k * (a / (k + 1) + b / (k + 2))
  return sum / c
}

// A sample as whole tenths of the score, and its counts at every stop.
function sampleOf(model, rows, seed) {
  const ones = clamp(Math.floor(rows * model.prevalence + 0.5), 1, rows - 1)
  const sizes = [ones, rows - ones]
  const classes = [model.one, model.other].map((kind, place) => {
    const chance = chanceOf(seed, place, sizes[place])
    return Int32Array.from(chance.first, (_, i) => Math.floor(kind.draw(chance, i) * 10 + 0.5))
  })
  const [tp, fp] = classes.map(flaggedAt)
  return { sizes, classes, tp, fp }
}

// How many scores lie on or above each stop.
function flaggedAt(scores) {
  const counts = new Int32Array(STOPS)
  // The last stop flags nothing, so what lies beyond the axis belongs to the one before.
  for (const score of scores) counts[clamp(score - 10 * LOW, 0, STOPS - 2)]++
  for (let stop = STOPS - 2; stop >= 0; stop--) counts[stop] += counts[stop + 1]
  return counts
}

// AUC with ties as one half, and average precision as the sum of steps.
function areasUnder({ classes: [positives, negatives], sizes: [ones, others] }) {
  const [high, low] = [Float64Array.from(positives).sort(), Float64Array.from(negatives).sort()]
  let [up, down, wins, ap] = [ones, others, 0, 0]
  while (up > 0 || down > 0) {
    const score = Math.max(up ? high[up - 1] : -Infinity, down ? low[down - 1] : -Infinity)
    const [before, equal] = [up, down]
    while (up > 0 && high[up - 1] === score) up--
    while (down > 0 && low[down - 1] === score) down--
    wins += (before - up) * (down + (equal - down) / 2)
    ap += ((before - up) / ones) * ((ones - up) / (ones - up + others - down))
  }
  return { auc: wins / (ones * others), ap }
}
// What is set, as the link holds it: see evalcore/learning/playground.py.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

function shapeFrom(texts) {
  if (texts.length === 1) return { heights: [...texts[0]].map(letter => DIGITS.indexOf(letter)) }
  const [mean, spread, skew] = texts.map(Number)
  return { mean, spread, skew }
}

const shapeTexts = shape => shape.heights
  ? [shape.heights.map(height => DIGITS[height]).join("")]
  : [shape.mean, shape.spread, shape.skew].map(written)

// In the digits that Python writes.
const written = value => String(Number(value.toPrecision(6)))

function stateFrom([positives, negatives, [prevalence, rows, seed, threshold], game = ["own", "", "0"], kept = null]) {
  const half = kept && (kept.length - 1) / 2
  return {
    positives: shapeFrom(positives), negatives: shapeFrom(negatives),
    prevalence: Number(prevalence), rows: Number(rows), seed: Number(seed), threshold: Number(threshold),
    all: game[0] === "all", guesses: game[1], pairs: Number(game[2]),
    kept: kept && {
      positives: shapeFrom(kept.slice(0, half)), negatives: shapeFrom(kept.slice(half, 2 * half)), prevalence: Number(kept.at(-1)),
    },
  }
}

function listsOf(state) {
  const { positives, negatives, prevalence, rows, seed, threshold, all, guesses, pairs, kept } = state
  const lists = [shapeTexts(positives), shapeTexts(negatives), [prevalence, rows, seed, threshold].map(written)]
  if (all || guesses || pairs || kept) lists.push([all ? "all" : "own", guesses, String(pairs)])
  if (kept) lists.push([...shapeTexts(kept.positives), ...shapeTexts(kept.negatives), written(kept.prevalence)])
  return lists
}

const copyOf = shape => (shape.heights ? { heights: [...shape.heights] } : { ...shape })
