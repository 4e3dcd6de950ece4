// The AUC as a game: of one positive and one negative, which has the higher score? The share of right answers tells.
const MOST_GUESSES = 200
const GAME_HEIGHT = 130

function makeGame(view) {
  const game = (view.game = { question: element("p", { class: "question" }), answer: element("p", { class: "note", role: "status" }) })
  game.buttons = ["A", "B"].map(letter => button("", () => {
    if (view.state.guesses.length >= MOST_GUESSES) return
    change(view, { guesses: view.state.guesses + letter })
  }))
  const decide = [1, 10, 100].map(count => button(count > 1 ? `${count} pairs` : "1 pair", () => {
    change(view, { pairs: Math.min(view.state.pairs + count, view.limits.pairs[1]) })
  }))
  game.anew = button("Start again", () => change(view, { pairs: 0, guesses: "" }))
  game.svg = element("svg:svg", { class: "line", role: "img", height: GAME_HEIGHT })
  // Asked for while the picture is drawn, the width would have the whole page laid out.
  game.width = 0
  new ResizeObserver(([{ contentRect }]) => {
    game.width = contentRect.width
    if (view.state) paintGame(view)
  }).observe(game.svg)
  game.shares = element("p", { class: "note" })
  return element("div", { class: "game" },
    element("h2", {}, "The AUC as a game"),
    game.question, element("div", { class: "tools" }, ...game.buttons), game.answer,
    element("div", { class: "tools" }, element("span", {}, "Or let the score decide:"), ...decide, game.anew),
    game.svg, game.shares)
}

// Pair number i of a stream: two scores, and whether the positive is A.
function pairsOf(view, stream, count) {
  const [positives, negatives] = view.sample.classes
  const next = uniformNumbers(view.state.seed, stream)
  return Array.from({ length: count }, () => {
    const [positive, negative] = [positives, negatives].map(scores => scores[Math.floor(next() * scores.length)])
    return { positive, negative, first: next() < 0.5 }
  })
}

// 1 for a positive above the negative, a half for a tie, of what the score says.
const won = ({ positive, negative }) => (positive > negative ? 1 : positive === negative ? 0.5 : 0)
const right = (pair, letter) => (pair.positive === pair.negative ? 0.5 : pair.first === (letter === "A") ? 1 : 0)
const tenths = score => (score / 10).toFixed(1).replace("-", "−")

function verdictOf(view, place) {
  const pair = pairsOf(view, 5, place + 1)[place]
  const letter = pair.first ? "A" : "B"
  if (pair.positive === pair.negative) return `A tie counts one half; the positive was ${letter}.`
  const outcome = right(pair, view.state.guesses[place]) ? "Right" : "Wrong"
  const odd = pair.positive < pair.negative ? ", with the lower score" : ""
  return `${outcome}: ${letter} (${tenths(pair.positive)}) was the positive${odd}.`
}

// The share of what was won so far, after each pair.
function running(values) {
  let sum = 0
  return values.map((value, place) => (sum += value) / (place + 1))
}

function paintGame(view) {
  const { game, state, sample } = view
  set(game.answer, "text", state.guesses ? verdictOf(view, state.guesses.length - 1) : "")
  const asked = state.guesses.length < MOST_GUESSES
  const pairs = pairsOf(view, 5, state.guesses.length + 1)
  const next = pairs.at(-1)
  const [a, b] = next.first ? [next.positive, next.negative] : [next.negative, next.positive]
  set(game.question, "text", asked
    ? `One positive and one negative of this sample: A scores ${tenths(a)}, B scores ${tenths(b)}. Which is the positive?`
    : `${MOST_GUESSES} pairs are enough.`)
  for (const [place, node] of game.buttons.entries()) {
    set(node, "text", `${"AB"[place]} is the positive`)
    node.disabled = !asked
  }
  // It keeps the focus of whoever has pressed it.
  game.anew.ariaDisabled = String(!state.guesses && !state.pairs)
  const yours = running([...state.guesses].map((letter, place) => right(pairs[place], letter)))
  const scores = running(pairsOf(view, 4, state.pairs).map(won))
  const said = (name, shares) => (shares.length ? `${name}: ${(shares.at(-1) * shares.length).toFixed(1).replace(".0", "")} of ${shares.length} right (${shareText(shares.at(-1))}). ` : "")
  set(game.shares, "text", `${said("You", yours)}${said("The score", scores)}AUC of this sample: ${shareText(sample.auc)}.`)
  drawShares(view, yours, scores)
}

function drawShares(view, yours, scores) {
  const { game, sample } = view
  const width = Math.max(game.width, 200)
  const count = Math.max(yours.length, scores.length, 20)
  const x = place => pixel(34 + ((width - 42) * place) / count)
  const y = share => pixel(8 + (GAME_HEIGHT - 30) * (1 - share))
  game.svg.replaceChildren()
  for (const [share, words] of [[0, "0"], [0.5, "½"], [1, "1"]]) {
    put(game.svg, "line", { x1: x(0), x2: x(count), y1: y(share), y2: y(share), class: "grid" })
    label(game.svg, 26, y(share) + 4, words, "small grey", "end")
  }
  put(game.svg, "line", { x1: x(0), x2: x(count), y1: y(sample.auc), y2: y(sample.auc), class: "theory" })
  label(game.svg, x(count), y(sample.auc) + (sample.auc > 0.85 ? 14 : -6), "AUC", "small halo", "end")
  label(game.svg, x(count), GAME_HEIGHT - 6, `${count} pairs`, "small grey", "end")
  for (const [shares, kind] of [[scores, "curve"], [yours, "yours"]]) {
    const every = Math.ceil(shares.length / 400)
    const points = shares.map((share, place) => [place, share]).filter(([place]) => place % every === 0 || place === shares.length - 1)
    put(game.svg, "path", { d: points.map(([place, share], i) => `${i ? "L" : "M"}${x(place + 1)} ${y(share)}`).join(""), class: kind })
    if (shares.length) put(game.svg, "circle", { cx: x(shares.length), cy: y(shares.at(-1)), r: 3.5, class: `end ${kind}` })
  }
  withAttributes(game.svg, { "aria-label": `Share of right answers after each pair; the AUC is ${three(sample.auc)}` })
}
