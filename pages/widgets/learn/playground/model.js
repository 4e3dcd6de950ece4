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

function classSizes(rows, prevalence) {
  const positives = clamp(Math.floor(rows * prevalence + 0.5), 1, rows - 1)
  return [positives, rows - positives]
}

// A sample as whole tenths of the score, and its counts at every stop.
function sampleOf(model, rows, seed) {
  const sizes = classSizes(rows, model.prevalence)
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
