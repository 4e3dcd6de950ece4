// What an answer is worth, and the receipt: the same numbers, words and rulings as evalcore.learning's, without a page.

const thresholdText = value => (Number.isFinite(value) ? minus(general(value, 6)) : value > 0 ? "∞" : "−∞")

const sum = values => values.reduce((total, value) => total + value, 0)
const isClose = (a, b, absolute = 0) => Math.abs(a - b) <= Math.max(1e-9 * Math.max(Math.abs(a), Math.abs(b)), absolute)

const WRITTEN = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?)(?:\/(\d+(?:\.\d*)?))?(%?)$/

const COUNTED = /(?<=[\d.%])\s+(?!(?:hundred|thousand|million|billion|per|[kmb]|bn)\b)\p{L}+(?:[ -]\p{L}+)*$/iu

// A number as people type it: 0.67, .67, 0,67, 2/3, ~67 %, 67 percent, 1 820 people; of a share, 67 is 67 %.
function readNumber(typed, isShare = false) {
  if (!typed.trim()) throw Error("Type a number.")
  const bare = typed.trim().replace(/^[~≈]/, "").replace(/\s*per ?cent$/i, "%").replace(COUNTED, "")
  let compact = bare.replace(/[\s\u2009\u202f']/g, "").replaceAll("−", "-")
  if (compact.split(",").length === 2 && !compact.includes(".")) compact = compact.replace(",", ".")
  const match = compact.length <= 80 && WRITTEN.exec(compact)
  if (!match || (match[2] && !Number(match[2]))) throw Error(`“${typed.slice(0, 40)}” is not a number. Type one such as 0.67, 67\u202f% or 2/3.`)
  const [, number, divisor = 1, percent] = match
  const whole = Number(number) / Number(divisor)
  if (!percent && !(isShare && Math.abs(whole) > 1)) return whole
  return divisor === 1 && !/e/i.test(number) ? Number(`${number}e-2`) : whole / 100
}

// What was typed into the fields of an answer, or chosen; an error's words are for the reader.
function readAnswer(answer, typed) {
  if (answer.kind === "choice") {
    if (typed === "") throw Error("Choose one of the answers.")
    return Number(typed)
  }
  if (answer.kind === "number") return readNumber(typed, answer.is_share)
  const values = typed.map(text => readNumber(text, answer.kind === "mark"))
  if (answer.kind === "mark") {
    if (values.some(value => value < 0 || value > 1)) throw Error("Both coordinates lie between 0 and 1.")
    return values
  }
  for (const [place, value] of values.entries()) {
    const name = `${answer.names[place]} is ${thresholdText(value)}`
    const limits = `${thresholdText(answer.lowest)} to ${thresholdText(answer.highest > 1e299 ? Infinity : answer.highest)}`
    if (answer.whole && value !== Math.round(value)) throw Error(`${name}; type a whole number.`)
    if (value < answer.lowest || value > answer.highest) throw Error(`${name}; type a number from ${limits}.`)
  }
  return values
}

function answerText(answer, value) {
  if (answer.kind === "choice") return answer.options[value]
  if (answer.kind === "values") return value.map((one, place) => `${answer.names[place]} = ${thresholdText(one)}`).join(", ")
  if (answer.kind === "mark") return value.map((one, place) => `${answer.axes[place]} ${answer.percent ? shareText(one) : numberText(one)}`).join(", ")
  if (answer.is_share && answer.percent) return shareText(value)
  return value === Math.round(value) ? countText(value) : numberText(value)
}

const far = (a, b) => (Array.isArray(a) ? Math.hypot(...a.map((one, place) => one - b[place])) : Math.abs(a - b))

function isRight({ answer }, value) {
  if (answer.kind === "number") return isClose(value, answer.solution, answer.tolerance + 1e-9)
  if (answer.kind === "mark") return far(value, answer.solution) <= answer.reach + 1e-9
  if (answer.rule) return RULES[answer.rule](value, answer.known)[0]
  return String(value) === String(answer.solution)
}

// Whether an answer is right, and the hint of the misconception that it shows.
function rulingOf(question, value) {
  if (isRight(question, value)) return { right: true, hint: "" }
  const { rule, known } = question.answer
  const shown = rule && RULES[rule](value, known).slice(1).find(([, betrays]) => betrays)?.[0]
  const betrays = test => {
    if (test.code !== undefined) return test.code === shown
    return test.options ? test.options.includes(value) : far(value, test.place) <= test.reach + 1e-9
  }
  return { right: false, hint: question.wrong.find(([test]) => betrays(test))?.[1] ?? "" }
}

function correlationOf([tp, fp, fn, tn]) {
  return (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
}

// Share of pairs of a positive and a negative that the scores put in order, a tie as one half.
function areaOf(positives, negatives) {
  const won = positives.flatMap(one => negatives.map(other => (one > other ? 1 : one === other ? 0.5 : 0)))
  return sum(won) / won.length
}

const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8]
const others = ranks => EIGHT.filter(rank => !ranks.includes(rank))
const areaOfRanks = ranks => areaOf(ranks.map(rank => -rank), others(ranks).map(rank => -rank))
const aboveFirstAlarm = ranks => ranks.filter(rank => rank < Math.min(...others(ranks))).length
const areDistinct = values => new Set(values).size === values.length
const discounted = grades => sum(grades.map((grade, place) => grade / Math.log2(place + 2)))
const gainOf = grades => discounted(grades) / discounted(grades.toSorted((a, b) => b - a))
const precisionOfRanks = ranks => sum(ranks.toSorted((a, b) => a - b).map((rank, place) => (place + 1) / rank)) / ranks.length
const precisionOfGrades = grades => precisionOfRanks(grades.flatMap((grade, place) => (grade > 0 ? [place + 1] : [])))
const errorsOf = errors => [sum(errors.map(Math.abs)) / errors.length, Math.sqrt(sum(errors.map(error => error * error)) / errors.length)]
const half = ({ cut }, scores) => [areaOf(scores.slice(0, 3), scores.slice(3)), scores.filter(score => score >= cut).length]
const macroOf = ([x, y], { large, small }) => (x / large + y / small) / 2
const mixed = (share, easy, hard) => (share * easy + (100 - share) * hard) / 1e4
const ofMix = ([a, b], k) => [mixed(a, k.easy_a, k.hard_a), mixed(b, k.easy_b, k.hard_b)]

function ofTumours([threshold], { thresholds, found, called, positives }) {
  const row = thresholds.findLastIndex(one => one >= threshold)
  const [hits, alarms] = row < 0 ? [0, 0] : [found[row], called[row]]
  return [hits / positives, hits / alarms, alarms]
}

function fitOf(estimates, { truth }) {
  const off = values => values.map(value => value - sum(values) / values.length)
  const [one, other] = [off(truth), off(estimates)]
  const [square, otherSquare] = [one, other].map(values => sum(values.map(value => value * value)))
  const lost = sum(truth.map((value, place) => (value - estimates[place]) ** 2))
  const flat = estimates.every(value => value === estimates[0])
  return [flat ? NaN : sum(one.map((value, place) => value * other[place])) / Math.sqrt(square * otherSquare), 1 - lost / square]
}

// For each challenge that asks for a construction, whether it is right, and by which code it is wrong: the first that holds.
const RULES = {
  accuracy_paradox: (c, { target }) => [MEASURES.accuracy(c) >= target - 1e-12 && MEASURES.recall(c) === 0,
    ["no positives", c[0] + c[2] === 0], ["hits left", c[0] > 0], ["false alarms", c[1] >= c[2]], ["balanced", c[3] < 9 * c[2]]],
  kappa_paradox: (c, { target }) => {
    const [kappa, accuracy] = [MEASURES.cohen_kappa(c), MEASURES.accuracy(c)]
    return [accuracy >= target - 1e-12 && Math.abs(kappa) <= 0.05, ["one class only", Number.isNaN(kappa)],
      ["balanced", kappa > 0.05], ["opposites", kappa < -0.05], ["too few agreements", accuracy < target]]
  },
  f1_without_mcc: (c, { target }) => {
    const [f, mcc] = [MEASURES.f_beta(c), correlationOf(c)]
    return [f >= target - 1e-12 && mcc <= 0.1, ["undefined", Number.isNaN(mcc)], ["good test", f >= target],
      ["rare positives", c[0] + c[2] <= c[1] + c[3]], ["too many errors", c[0] < 5 * (c[1] + c[2])]]
  },
  simpson: (mix, k) => {
    const [a, b] = ofMix(mix, k)
    return [b - a >= 0.05 - 1e-12, ["same mix", mix[0] === mix[1]], ["wrong way", mix[0] > mix[1]], ["not enough", b - a < 0.05]]
  },
  reach_both: (typed, k) => {
    const [recall, precision] = ofTumours(typed, k)
    const [finds, pure] = [recall >= k.least_recall, precision >= k.least_precision]
    return [finds && pure, ["percent", typed[0] > 1], ["too high", !finds && pure], ["too low", finds && precision < k.least_precision]]
  },
  same_auc: (ranks, k) => {
    const [area, above] = [areaOfRanks(ranks), aboveFirstAlarm(ranks)]
    return [areDistinct(ranks) && isClose(area, k.area) && above >= 2, ["same rank twice", !areDistinct(ranks)],
      ["better everywhere", area > k.area + 1e-9], ["worse on the whole", area < k.area - 1e-9], ["not at the top", above < 2]]
  },
  useless_at_half: (scores, k) => {
    const [area, called] = half(k, scores)
    return [area === 1 && called % 6 === 0, ["turned round", area === 0], ["all the same", new Set(scores).size === 1],
      ["order", area < 1], ["works", called === 3], ["still something", true]]
  },
  macro_up_micro_down: (right, k) => {
    const [fits, macro] = [right[0] <= k.large && right[1] <= k.small, macroOf(right, k)]
    const micro = sum(right) >= k.right_large + k.right_small
    return [fits && macro >= k.before + 0.05 - 1e-12 && !micro, ["too many", !fits], ["both up", macro > k.before && micro],
      ["wrong class", macro <= k.before && right[1] <= k.right_small], ["not enough", macro < k.before + 0.05 && right[1] > k.right_small]]
  },
  ndcg_up_ap_down: (grades, k) => {
    const same = String(grades.toSorted()) === String(k.in_order)
    const [gain, precision] = [gainOf(grades) - k.ndcg, precisionOfGrades(grades) - k.average]
    return [same && gain > 1e-9 && precision < -1e-9, ["other documents", !same], ["both better", gain > 1e-12 && precision > -1e-9],
      ["both worse", gain < 1e-9 && precision < -1e-9], ["wrong way", same]]
  },
  rr_ignores_the_rest: (ranks, k) => {
    const [reciprocal, precision] = [1 / Math.min(...ranks) > k.reciprocal, precisionOfRanks(ranks) < k.average]
    return [areDistinct(ranks) && reciprocal && precision, ["same rank twice", !areDistinct(ranks)], ["both better", reciprocal],
      ["both worse", precision], ["no change", true]]
  },
  rmse_outlier: (errors, { size }) => {
    const [mean, root] = errorsOf(errors)
    const off = !isClose(mean, size)
    return [!off && root >= 2 * size - 1e-9, ["cancelled", off && isClose(Math.abs(sum(errors)) / 5, size)],
      ["sum", off && isClose(5 * mean, size)], ["equal errors", !off && new Set(errors.map(Math.abs)).size === 1],
      ["too even", !off], ["wrong mean", true]]
  },
  r2_below_zero: (estimates, k) => {
    const [correlation, explained] = fitOf(estimates, k)
    return [isClose(correlation, 1, 1e-9) && explained < 0, ["constant", new Set(estimates).size === 1],
      ["turned round", correlation < 0], ["good estimates", explained >= 0], ["off a line", true]]
  },
}

// What comes of a construction while it is built: names and values as text.
const BUILT = {
  accuracy_paradox: c => [["Accuracy", shareText(MEASURES.accuracy(c))], ["Recall", shareText(MEASURES.recall(c))], ["Precision", shareText(MEASURES.precision(c))]],
  kappa_paradox: c => [["Accuracy", shareText(MEASURES.accuracy(c))], ["Cohen's kappa", indexText(MEASURES.cohen_kappa(c))]],
  f1_without_mcc: c => [["F1", indexText(MEASURES.f_beta(c))], ["MCC", indexText(correlationOf(c))], ["Accuracy", shareText(MEASURES.accuracy(c))]],
  simpson: (mix, k) => ofMix(mix, k).map((share, place) => [`Recall of ${"AB"[place]}`, shareText(share)]),
  reach_both: (typed, k) => [["Called malignant", `${ofTumours(typed, k)[2]} of 569`]],
  same_auc: ranks => (areDistinct(ranks)
    ? [["AUC", numberText(areaOfRanks(ranks))], ["Recall before the first false alarm", shareText(aboveFirstAlarm(ranks) / 4)]]
    : [["AUC", "four different ranks"]]),
  useless_at_half: (scores, k) => [["AUC", numberText(half(k, scores)[0])], [`Called positive at ${general(k.cut, 6)}`, String(half(k, scores)[1])]],
  macro_up_micro_down: (right, k) => (right[0] <= k.large && right[1] <= k.small
    ? [["Macro recall", shareText(macroOf(right, k))], ["Micro recall", shareText(sum(right) / 100)]]
    : [["Rows", `at most ${k.large} and ${k.small}`]]),
  ndcg_up_ap_down: grades => [["nDCG@5", numberText(gainOf(grades))], ["AP", numberText(precisionOfGrades(grades))]],
  rr_ignores_the_rest: ranks => (areDistinct(ranks)
    ? [["RR", numberText(1 / Math.min(...ranks))], ["AP", numberText(precisionOfRanks(ranks))]]
    : [["Ranks", "three different ones"]]),
  rmse_outlier: errors => errorsOf(errors).map((value, place) => [["MAE", "RMSE"][place], numberText(value)]),
  r2_below_zero: (estimates, k) => fitOf(estimates, k).map((value, place) => [["Correlation", "R²"][place], numberText(value)]),
}

const indexText = value => numberText(Number.isNaN(value) ? value : Number(value.toFixed(12)))

function sha256(text) {
  const bytes = new TextEncoder().encode(text)
  const primes = []
  for (let n = 2; primes.length < 64; n++) if (primes.every(prime => n % prime)) primes.push(n)
  const bits = (value, root) => Math.floor((value ** root % 1) * 2 ** 32) | 0
  const [state, constants] = [primes.slice(0, 8).map(prime => bits(prime, 1 / 2)), primes.map(prime => bits(prime, 1 / 3))]
  const padded = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  for (const [place, byte] of bytes.entries()) padded.setUint8(place, byte)
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 4, bytes.length * 8)
  const turn = (value, by) => (value >>> by) | (value << (32 - by))
  for (let block = 0; block < padded.byteLength; block += 64) {
    const words = Array.from({ length: 16 }, (_, place) => padded.getInt32(block + 4 * place))
    for (let i = 16; i < 64; i++) {
      const [a, b] = [words[i - 15], words[i - 2]]
      words.push((words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + words[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0)
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    for (const [place, value] of [a, b, c, d, e, f, g, h].entries()) state[place] = (state[place] + value) | 0
  }
  return state.map(word => word >>> 0)
}

// Python splits at these separators too.
// eslint-disable-next-line no-control-regex
const tidy = name => name.normalize("NFC").split(/[\s\x1c-\x1f\x85]+/).filter(Boolean).join(" ")
const seedOf = (name, digest) => 1 + sha256(`${tidy(name).toUpperCase().toLowerCase()}\0${digest}`)[0]
const partSeed = (seed, index, variants) => seed && 1 + (sha256(`${seed} ${index}`)[0] % variants)

// JSON as Python writes it: a number of an answer has a point or a power of ten.
function floatText(value) {
  const [mantissa, power] = value.toExponential().split("e")
  if (value && (power < -4 || power >= 16)) return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`
  const text = String(value)
  return text.includes(".") ? text : `${text}.0`
}

function jsonOf(answer, value) {
  if (value === null || value === undefined) return "null"
  return answer.kind === "choice" ? String(value) : Array.isArray(value) ? `[${value.map(floatText).join(", ")}]` : floatText(value)
}

// The receipt of first answers as a text, its result and its check code.
function receiptOf({ name, title, digest, seed, questions, answers }) {
  const right = questions.map((question, place) => (answers[place] ?? null) !== null && isRight(question, answers[place]))
  const score = `${right.filter(Boolean).length} of ${right.length}`
  const ascii = text => JSON.stringify(text).replace(/[\x7f-\uffff]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
  const entries = (texts, check) => ({
    name: texts(name), title: texts(title), lecture: texts(digest), seed: String(seed),
    answers: `[${questions.map(({ answer }, place) => jsonOf(answer, answers[place])).join(", ")}]`, right: `[${right.join(", ")}]`,
    score: texts(score), check: texts(check),
  })
  const joined = (entries, comma) => Object.entries(entries).map(([key, text]) => `"${key}": ${text}`).join(comma)
  const sorted = Object.fromEntries(Object.entries(entries(ascii, "")).sort(([a], [b]) => (a < b ? -1 : 1)))
  const [high, low] = sha256(`{${joined(sorted, ", ")}}`)
  const bits = [high, low].map(word => word.toString(2).padStart(32, "0")).join("")
  const letters = bits.match(/.{5}/g).slice(0, 12).map(five => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(five, 2)]).join("")
  const check = letters.match(/.{4}/g).join("-")
  return { score, check, text: `{\n"evalcore receipt": 1,\n${joined(entries(JSON.stringify, check), ",\n")}\n}` }
}
